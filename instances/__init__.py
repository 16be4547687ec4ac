"""The instance files that come with jigsat, one TOML file a puzzle."""

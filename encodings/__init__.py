"""The puzzle families that come with jigsat, one file a family."""

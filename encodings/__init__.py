"""The puzzle families that come with jigsat."""

"""Instances: the registry of puzzle families, and finding, reading, validating and writing instance
files."""

from jigsat.instance.files import (
    QUOTED,
    entries,
    find,
    import_text,
    instance_text,
    instances,
    load,
    load_all,
    load_alone,
    load_drawn,
    load_text,
    name_source,
    of_text,
    parse,
    read_data,
    shipped_files,
    text_of,
    toml,
)
from jigsat.instance.recognition import is_bytes
from jigsat.instance.registry import FAMILY_NAME, every_family, families, family, register
from jigsat.instance.search import search_instances

__all__ = [
    "FAMILY_NAME",
    "QUOTED",
    "entries",
    "every_family",
    "families",
    "family",
    "find",
    "import_text",
    "instance_text",
    "instances",
    "is_bytes",
    "load",
    "load_all",
    "load_alone",
    "load_drawn",
    "load_text",
    "name_source",
    "of_text",
    "parse",
    "read_data",
    "register",
    "search_instances",
    "shipped_files",
    "text_of",
    "toml",
]

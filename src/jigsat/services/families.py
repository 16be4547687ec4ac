"""The service that starts a new family of puzzles."""

from __future__ import annotations

import keyword
import re
import sys
from pathlib import Path
from string import Template

from jigsat import instance
from jigsat.errors import InputError, unwritable
from jigsat.services.files import write_file

# templates of a new family, a small working one to be changed
SKELETON = Path(__file__).resolve().with_name("skeleton")


def start_family(name: str, parent: Path) -> list[Path]:
    """Write a folder with a commented, working example of a family, an instance and a test; returns
    the files, of which the first is the module.

    Raises InputError for a name that cannot be used, and for a folder that cannot be written.
    """
    module = name.replace("-", "_")
    if not re.fullmatch(instance.FAMILY_NAME, name):
        raise InputError(
            f"{name}: use small letters, digits, and hyphens between words, such as star-battle"
        )
    if keyword.iskeyword(module) or module in sys.stdlib_module_names or module == "jigsat":
        raise InputError(
            f"{name}: Python has a module or keyword with this name; choose another one"
        )
    if name in instance.families():
        raise InputError(f"{name}: a family with this name exists already; choose another name")
    # the module's own name would hide it from Python started in the folder above
    folder = parent / f"jigsat-{name}"
    if folder.exists() or folder.is_symlink():
        raise InputError(f"{folder}: exists already; choose another name or move it away")
    try:
        folder.mkdir()
    except OSError as error:
        raise unwritable(folder, error) from error
    words = name.split("-")
    names = {
        "name": name,
        "module": module,
        "kind": "".join(map(str.capitalize, words)),
        "title": " ".join(words).capitalize(),
    }
    paths = []
    for file in sorted(SKELETON.iterdir()):
        text = Template(file.read_text("utf-8")).substitute(names)
        path = folder / file.name.removesuffix(".in").replace("MODULE", module)
        write_file(path, [text], new=True)
        paths.append(path)
    return paths

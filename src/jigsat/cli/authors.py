"""Commands for authors of families and instance files: new and schema."""

import json
import keyword
import re
import sys
from pathlib import Path
from string import Template
from typing import Annotated

import typer

from jigsat import instance
from jigsat.cli.common import app, say
from jigsat.errors import InputError, unwritable
from jigsat.services.files import write_file

# templates of a new family, a small working one to be changed
SKELETON = Path(__file__).resolve().with_name("skeleton")


@app.command("new")
def new_family(
    name: Annotated[str, typer.Argument(metavar="FAMILY", help="its name, such as star-battle")],
) -> None:
    """Start a new puzzle family: write a folder with a commented, working example, an instance and
    a test."""
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
    folder = Path(f"jigsat-{name}")
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
    texts = {
        file.name.removesuffix(".in").replace("MODULE", module): Template(
            file.read_text("utf-8")
        ).substitute(names)
        for file in sorted(SKELETON.iterdir())
    }
    for path, text in texts.items():
        write_file(folder / path, [text], new=True)
    say(f"wrote {', '.join(str(folder / path) for path in texts)}")
    say(f"cd {folder}")
    steps = {
        f"python {module}.py solve example.toml": "solve the example; all commands of jigsat "
        "work like this",
        "pytest": "test the family (pip install pytest)",
        "pip install -e .": "make the family available in the command `jigsat`",
    }
    width = max(map(len, steps))
    for command, purpose in steps.items():
        say(f"  {command.ljust(width)}  {purpose}")
    say(
        f"Then turn {module}.py into your puzzle step by step; `jigsat help writing-a-family` "
        f"explains each part."
    )


@app.command("schema")
def json_schema(
    name: Annotated[
        str | None, typer.Argument(metavar="FAMILY", help="a family; default: all")
    ] = None,
) -> None:
    """Print the JSON Schema of instance files, which lets editors complete and check them."""
    from jigsat.instance.json_schema import schema

    families = instance.every_family() if name is None else [instance.family(name)]
    print(json.dumps(schema(*families), indent=2))

"""Commands for authors of families and instance files: new and schema."""

import json
from pathlib import Path
from typing import Annotated

import typer

from jigsat import instance
from jigsat.cli.common import app, say
from jigsat.services.families import start_family


@app.command("new")
def new_family(
    name: Annotated[str, typer.Argument(metavar="FAMILY", help="its name, such as star-battle")],
) -> None:
    """Start a new puzzle family: write a folder with a commented, working example, an instance and
    a test."""
    paths = start_family(name, Path())
    folder = paths[0].parent
    module = name.replace("-", "_")
    say(f"wrote {', '.join(map(str, paths))}")
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

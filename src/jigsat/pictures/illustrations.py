"""Pictures of labels, tiles, pieces or colours: files that an instance names, or data URLs in it,
as the page writes them.

A path in an instance is relative to the folder of the instance's file. The file is read only if the
instance itself was read from a file, so untrusted text, as on the page, never makes jigsat open a
file.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, ValidationInfo

from jigsat.errors import suggest
from jigsat.pictures.svg import Image

TURNED_OPACITY = 0.45  # opacity of the picture of a piece that is turned over


class PictureFile(str):
    """A path as written in an instance, with the file that it means."""

    path: Path

    def __new__(cls, written: str, path: Path) -> PictureFile:
        made = super().__new__(cls, written)
        made.path = path
        return made

    def __getnewargs__(self) -> tuple[str, Path]:  # type: ignore[override]  # for pickle
        return str(self), self.path


def _check_path(written: str, info: ValidationInfo) -> str:
    folder = (info.context or {}).get("folder")
    if written.startswith("data:"):
        return _read_picture(written).url  # what was left out is not shown by the page either
    if folder is not None:
        _read_picture(folder / written)
        return PictureFile(written, folder / written)
    return written


Pictures = Annotated[
    dict[str, Annotated[str, AfterValidator(_check_path)]], "pictures by what they show"
]
"""An entry with a picture for each of several things: the path of a file, or a data URL."""


def image_of(pictures: Mapping[str, str], name: str) -> Image | None:
    """The picture of something, if the instance contains one, or names a file for it and was itself
    read from a file."""
    picture = pictures.get(name, "")
    source: Path | str | None = None
    if isinstance(picture, PictureFile):
        source = picture.path
    elif picture.startswith("data:"):
        source = picture
    return _read_picture(source) if source else None


def read_folder(folder: Path) -> dict[str, str]:
    """The pictures in a folder as data URLs, by the names of their files. Raises ValueError."""
    if not folder.is_dir():
        raise ValueError(f"{folder}: not a folder; name one with PNG, JPEG or SVG files")
    files = [
        file
        for file in sorted(folder.iterdir())
        if file.suffix.lower() in (".png", ".jpg", ".jpeg", ".svg")
    ]
    if not files:
        raise ValueError(f"{folder}: no PNG, JPEG or SVG files")
    return {file.stem: _read_picture(file).url for file in files}


def check_names(pictures: Mapping[str, str], things: Mapping[str, Collection[str]]) -> None:
    """Raise ValueError for a picture that does not belong to exactly one thing; `things` has the
    names of each kind."""
    for name in pictures:
        kinds = [kind for kind, names in things.items() if name in names]
        if not kinds:
            missing = " and ".join(f"no {kind}" for kind in things) + f" has the name {name!r}"
            known = [other for names in things.values() for other in names]
            raise ValueError(f"pictures: {missing}{suggest(name, known)}")
        if len(kinds) > 1:
            raise ValueError(
                f"pictures: both {' and '.join(f'a {kind}' for kind in kinds)} have the name "
                f"{name!r}"
            )


def _read_picture(source: Path | str) -> Image:
    from jigsat.pictures.images import read_image  # only puzzles with pictures need it

    return read_image(source)

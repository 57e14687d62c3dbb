"""What a person wants exported, as a value; which files that makes, and why it cannot be done. No Qt."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path

from gemmviz.gui.export.film.request import AnyFilm
from gemmviz.gui.export.pictures.still_choice import EVERY_BLOCK, StillChoice
from gemmviz.gui.export.targets import taken_words
from gemmviz.gui.looks.theme import ThemeChoice

PNG, SVG, PDF, CSV = "png", "svg", "pdf", "csv"
PICTURES = (PNG, SVG, PDF)
FORMATS = (*PICTURES, CSV)
SCALES = (1, 2, 3, 4)
SIZES = ((800, 500), (1200, 750), (1920, 1080))
SMALLEST, LARGEST = 100, 8000
"""Pixels that a side of a picture may have, before it is scaled."""
MOST_PIXELS = 200_000_000
"""A picture of four times as many bytes still fits into most memories."""

LONGEST_NAME = 255
"""Bytes of a name on the file systems in use."""
NO_SUCH_NAME = "this is not a valid folder name: type another one"

Size = tuple[int, int]


class ItemKind(Enum):
    """How an item is made: VIEW as it stands on the screen, LESSON from all steps of a lesson."""

    CHART = auto()
    TABLE = auto()
    VIEW = auto()
    LESSON = auto()


@dataclass(frozen=True, slots=True)
class ExportItem:
    """Something that can be exported: its `name`, what it is called, the formats it has.

    `files` are the names of all the files it can make, with their suffixes; () for one file NAME.FORMAT of each format.
    """

    name: str
    title: str
    formats: tuple[str, ...] = FORMATS
    files: tuple[str, ...] = ()
    kind: ItemKind = ItemKind.CHART
    own_object_name: str = ""

    @property
    def object_name(self) -> str:
        """What its control is called: one whose files are named after a lesson has a name of its own."""
        return self.own_object_name or self.name

    def file_words(self, name: str = "") -> str:
        """The files in words, of this name or its own: "File tiled: PNG, SVG"."""
        return f"File {name or self.name}: {', '.join(form.upper() for form in self.formats)}"

    def files_in(self, formats: Sequence[str]) -> tuple[str, ...]:
        """The names of the files in those of `formats` that it has. What has one format, such as a table, is written in
        that, whatever pictures are.
        """
        chosen = self.formats if len(self.formats) == 1 else [form for form in formats if form in self.formats]
        named = self.files or tuple(f"{self.name}.{form}" for form in chosen)
        return tuple(name for form in chosen for name in named if name.endswith(f".{form}"))


@dataclass(frozen=True, slots=True)
class ExportChoice:
    """What to export, how and where to. A `size` of None is the usual one; `theme` AUTO is the current one.

    `film` is an animation to be made as well, `still` how the memory view is shown in pictures.
    """

    items: tuple[ExportItem, ...]
    formats: tuple[str, ...]
    scale: int
    size: Size | None
    theme: ThemeChoice
    folder: Path
    film: AnyFilm | None = None
    still: StillChoice = EVERY_BLOCK

    @property
    def paths(self) -> tuple[Path, ...]:
        """The files this makes, each once."""
        names = [name for item in self.items for name in item.files_in(self.formats)]
        film = self.film.paths(self.folder) if self.film is not None else ()
        return (*(self.folder / self._named(Path(name)) for name in dict.fromkeys(names)), *film)

    @property
    def png_scale(self) -> int:
        """How many times as large as its size a PNG is: a presentation has just the size that is named."""
        return 1 if self.still.is_slide else self.scale

    def _named(self, file: Path) -> str:
        """The name of a file, in which a picture of memory says what stands beside it."""
        return f"{self.still.file_of(file.stem)}{file.suffix}"


@dataclass(frozen=True, slots=True)
class Faults:
    """Why a choice cannot be carried out; "" where there is nothing wrong."""

    items: str = ""
    formats: str = ""
    size: str = ""
    folder: str = ""

    @property
    def sentence(self) -> str:
        """What to do first, "" where nothing is wrong."""
        first = self.folder or self.items or self.formats or self.size
        return f"{first[:1].upper()}{first[1:]}"

    @property
    def any(self) -> bool:
        return bool(self.sentence)


def faults_of(choice: ExportChoice, folder_text: str) -> Faults:
    """What is wrong with a choice whose folder a person typed as `folder_text`; the animation has faults of its own.

    Where there is an animation, pictures and tables need not be. Of what is to be exported, its formats and its size
    only the first fault is told: the others depend on it.
    """
    alone = choice.film is not None and (not choice.items or not choice.formats)
    items = "" if choice.items or alone else "choose something to export"
    formats = _format_fault(choice) if choice.items and not alone else ""
    size = "" if items or formats else _size_fault(choice)
    return Faults(items, formats, size, folder_fault(folder_text))


def folder_fault(text: str) -> str:
    """Why files cannot be written into a folder of that name; "" if they can, or if it can be made."""
    if not text.strip():
        return "enter a folder"
    folder = typed_folder(text)
    # Python versions differ in which of these names they raise for and which they take for missing ones.
    if "\0" in text or any(len(os.fsencode(part)) > LONGEST_NAME for part in folder.parts):
        return NO_SUCH_NAME
    try:
        if folder.exists() and not folder.is_dir():
            return f"{folder.name} is a file. Choose a folder"
        nearest = next((parent for parent in (folder, *folder.absolute().parents) if parent.exists()), None)
        if nearest is None or not nearest.is_dir():
            return f"{folder} cannot be created. Choose another folder"
        if not os.access(nearest, os.W_OK | os.X_OK):
            return f"{nearest} is not writable. Choose another folder"
    except (OSError, ValueError):
        return NO_SUCH_NAME
    return ""


def typed_folder(text: str) -> Path:
    """The folder a person means: spaces around it are slips, ~ is home."""
    folder = Path(text.strip())
    try:
        return folder.expanduser()
    except RuntimeError:  # ~ of somebody who is not known
        return folder


def overwrite_words(paths: Sequence[Path], most: int = 3) -> str:
    """Which files are replaced, some by name; "" for none."""
    return f"Replaces {taken_words(paths, most)}" if paths else ""


def _format_fault(choice: ExportChoice) -> str:
    left_out = tuple(item for item in choice.items if not item.files_in(choice.formats))
    if not left_out:
        return ""
    if not choice.formats:
        return "choose a format"
    others = dict.fromkeys(form.upper() for item in left_out for form in item.formats)
    formats = " or ".join(form.upper() for form in choice.formats)
    what, it = _titles(left_out)
    return f"{what} no {formats}. Choose {' or '.join(others)} too, or untick {it}"


def _size_fault(choice: ExportChoice) -> str:
    if choice.size is None or PNG not in choice.formats:
        return ""
    width, height = choice.size
    pixels = width * height * choice.scale**2
    if pixels <= MOST_PIXELS:
        return ""
    return f"{width * choice.scale} × {height * choice.scale} pixels are too many. Choose a smaller size or scale"


def _titles(items: tuple[ExportItem, ...]) -> tuple[str, str]:
    """What has something, and by what word to call it afterwards."""
    if len(items) == 1:
        return f"{items[0].title} has", "it"
    return f"{items[0].title} and {len(items) - 1} more have", "them"

"""The example sessions in assets/examples: what is said of each, and on which device it was made."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass
from pathlib import Path

from gemmviz.resources import resource_folder

WORDS, FACTS = "examples.toml", "made.json"


@dataclass(frozen=True, slots=True)
class Example:
    """A session that comes with the program. `text` is two sentences, `look` what to look at first, on `tab`;
    `device`, `driver` and `date` (ISO 8601) say where and when its figures were measured.
    """

    id: str
    title: str
    text: str
    look: str
    tab: str
    path: Path
    device: str
    driver: str
    date: str


def examples_folder() -> Path:
    """Where the example sessions lie."""
    return resource_folder("assets") / "examples"


def load_examples(folder: Path | None = None) -> tuple[Example, ...]:
    """Those whose file is there, in the order of examples.toml."""
    root = folder if folder is not None else examples_folder()
    words = tomllib.loads((root / WORDS).read_text(encoding="utf-8"))
    made = json.loads((root / FACTS).read_text(encoding="utf-8")) if (root / FACTS).is_file() else {}
    return tuple(
        Example(
            name,
            table["title"],
            table["text"],
            table["look"],
            table["tab"],
            root / table["file"],
            **made[table["file"]],
        )
        for name, table in words.items()
        if table["file"] in made and (root / table["file"]).is_file()
    )

"""An animation that was asked for: of which recorded block, and how."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from gemmviz.gui.export.film.choice import FilmChoice
from gemmviz.gui.recording.block_names import BlockName, stem_beside


class AnyFilm(Protocol):
    """A film that was asked for, of whatever it is."""

    def paths(self, folder: Path) -> tuple[Path, ...]:
        """What is made: two files at most, and a folder."""


@dataclass(frozen=True, slots=True)
class FilmRequest:
    """`is_own` tells whether a person chose frames or speed, or left them as they were proposed."""

    block_name: BlockName
    choice: FilmChoice
    is_own: bool = False

    @property
    def stem(self) -> str:
        """The name of what is made: that of the block, with the kernel that stands beside it."""
        return stem_beside(self.block_name.stem, self.choice.beside)

    def paths(self, folder: Path) -> tuple[Path, ...]:
        """What is made: two files at most, and a folder."""
        return self.choice.paths(folder, self.stem)

"""An animation that was asked for: of which recorded block, and how."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from gemmviz.gui.export.film.choice import FilmChoice
from gemmviz.gui.recording.reel_names import ReelName, stem_beside


@dataclass(frozen=True, slots=True)
class FilmOrder:
    """`is_own` tells whether a person chose frames or speed, or left them as they were proposed."""

    reel: ReelName
    choice: FilmChoice
    is_own: bool = False

    @property
    def stem(self) -> str:
        """The name of what is made: that of the block, with the kernel that stands beside it."""
        return stem_beside(self.reel.stem, self.choice.beside)

    def paths(self, folder: Path) -> tuple[Path, ...]:
        """What is made: two files at most, and a folder."""
        return self.choice.paths(folder, self.stem)

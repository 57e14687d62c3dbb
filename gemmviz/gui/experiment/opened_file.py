"""A kernel file that was opened and is no kernel yet: the panel says what it lacks, and ticks wait. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from gemmviz.explain.source.source_fault import without_folder
from gemmviz.gui.experiment.readiness import Readiness
from gemmviz.gui.kernels.described import not_described_words
from gemmviz.gui.kernels.rows import OWN, KernelRow
from gemmviz.gui.work.words import BUSY

NOT_DESCRIBED, CANNOT_RUN = "not described yet", "cannot run yet"


@dataclass(frozen=True, slots=True)
class OpenedFile:
    """`why` it is no kernel, with file and line; `is_adoptable`: it only lacks a description."""

    path: Path
    why: str
    is_adoptable: bool

    @property
    def row_id(self) -> str:
        """The id of its row: its name with its ending, which no kernel's id has."""
        return self.path.name

    @property
    def refusal(self) -> str:
        """Why nothing can be started with it."""
        if self.is_adoptable:
            return not_described_words(self.path.name)
        return f"{without_folder(self.why).rstrip('.')}."

    def among(self, rows: Sequence[KernelRow]) -> tuple[tuple[KernelRow, ...], str]:
        """The rows of the list with its own behind a person's other kernels, and the id of that; none has a tick."""
        own = KernelRow(
            "", self.row_id, is_own=True, mark=NOT_DESCRIBED if self.is_adoptable else CANNOT_RUN, reason=self.refusal
        )
        heading = () if any(row.is_heading and row.title == OWN for row in rows) else (KernelRow(OWN),)
        return (*(replace(row, is_compared=False) for row in rows), *heading, own), own.id

    def readiness(self, *, is_busy: bool) -> Readiness:
        """Nothing can be started with it; a ladder runs the kernels of the list."""
        why = self.refusal
        note = why if self.is_adoptable else ""
        if is_busy:
            return Readiness(why, BUSY, BUSY, BUSY, BUSY, "", why, note, why)
        return Readiness(why, why, why, "", why, no_recording=why, note=note, settings=why)

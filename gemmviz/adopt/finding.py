"""What came of looking at a kernel."""

from __future__ import annotations

from dataclasses import dataclass

from gemmviz.adopt.description import Description


@dataclass(frozen=True, slots=True)
class Finding:
    """A kernel of a file, and its proven description; None where nothing was proven, and `reasons` say why.

    `notes` are further facts, `checks` the number of whole products that were compared.
    """

    kernel: str
    line: int
    description: Description | None
    reasons: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    checks: int = 0

    @property
    def is_proven(self) -> bool:
        return self.description is not None

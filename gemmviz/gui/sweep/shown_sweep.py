"""The examined sweep that a view shows: one that is going on, else the one of the session that was chosen. No Qt."""

from __future__ import annotations

from collections.abc import Sequence

from gemmviz.domain.kernels.examined_sweep import ExaminedSweep


class ShownSweep:
    """The sweeps of a session, the newest last, and beside them one that is not finished yet."""

    def __init__(self) -> None:
        self.sweeps: tuple[ExaminedSweep, ...] = ()
        self.unfinished: ExaminedSweep | None = None
        self.swept: tuple[str, ...] = ()
        """The parameters that the unfinished one sweeps."""
        self._place = -1

    @property
    def place(self) -> int:
        """The place of the chosen one; -1 where there is none."""
        return self._place

    @property
    def sweep(self) -> ExaminedSweep | None:
        """The one to show; None for none."""
        if self.unfinished is not None:
            return self.unfinished
        return self.sweeps[self._place] if 0 <= self._place < len(self.sweeps) else None

    def take(self, sweeps: Sequence[ExaminedSweep]) -> bool:
        """Have those of a session, of which the newest is shown; whether they are others than before."""
        if len(sweeps) == len(self.sweeps) and all(
            one is other for one, other in zip(sweeps, self.sweeps, strict=True)
        ):
            return False
        self.sweeps, self._place = tuple(sweeps), len(sweeps) - 1
        return True

    def choose(self, place: int) -> None:
        """Show another one."""
        self._place = place

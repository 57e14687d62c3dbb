"""The measured roof of a run: that of its own device and arithmetic. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gemmviz.domain.result import RunResult
from gemmviz.domain.roof import Roofs, compute_roof, newest_roofs
from gemmviz.domain.roof_words import roof_words


@dataclass(frozen=True, slots=True)
class RunRoof:
    """The most GFLOP/s a run could reach, and in words what that is and when it was measured at which clock."""

    gflops: float
    words: str


def roof_of(run: RunResult, measured: Sequence[Roofs]) -> RunRoof | None:
    """None where the roof of its device and arithmetic was not measured."""
    roofs = newest_roofs(tuple(measured), run.device)
    rate = compute_roof(roofs, run.arithmetic) if roofs is not None else None
    if roofs is None or rate is None:
        return None
    return RunRoof(rate, f"{roof_words(roofs, run.arithmetic)} on {roofs.device.name}")

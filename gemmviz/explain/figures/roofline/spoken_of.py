"""Which marks of a roofline a text beside it is about. No Qt."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from gemmviz.domain.runs.result import RunResult
from gemmviz.explain.figures.roofline.roofline import Roofline


def with_spoken_of(roofline: Roofline, runs: Sequence[RunResult], kernels: Collection[str]) -> Roofline:
    """A roofline of `runs` in which the marks of these kernels stand out."""
    wanted = {place for place, run in enumerate(runs) if run.spec.kernel in kernels}
    points = (replace(point, is_spoken_of=True) if point.place in wanted else point for point in roofline.points)
    return replace(roofline, points=tuple(points))

"""The marks of whole runs that lie too far apart for bars: each part for itself, on a logarithmic axis. No Qt."""

from __future__ import annotations

import math
from collections.abc import Sequence

from gemmviz.gui.charts.figure import Edge, Form, Look, Series
from gemmviz.gui.charts.marks import Marks, drawn
from gemmviz.gui.charts.run_facts import RunFacts

NOTE = "each part has a mark of its own: on a logarithmic axis, which has no 0, parts cannot be stacked"
_KERNEL, _IN, _OUT = -0.25, 0.03, 0.28
"""Where in its row a part stands: some take the same time, and none is to cover another."""


def parts_apart(facts: Sequence[RunFacts], edges: list[Edge]) -> tuple[Series, ...]:
    """Dots for transfers and kernel, a stroke for the whole; what is not known goes to `edges`."""
    whole = Marks(Look.WHOLE, "whole, in one stretch", True, edges)
    gpu = Marks(Look.GPU, "GPU kernel", True, edges)
    cpu = Marks(Look.CPU, "CPU variant", True, edges)
    moved_in, moved_out = Marks(Look.MOVED_IN, "in", True, edges), Marks(Look.MOVED_OUT, "out", True, edges)
    pinned_in = Marks(Look.PINNED_IN, "in, from page-locked memory", True, edges)
    pinned_out = Marks(Look.PINNED_OUT, "out, to page-locked memory", True, edges)
    for place, fact in enumerate(facts):
        timing = fact.run.timing
        whole.add(place, timing.end_to_end_ms)
        # What took no time has no mark, like a bar of no length; that a part is unknown is told with its name.
        for marks, ms in (
            (cpu if fact.is_cpu else gpu, fact.device_ms.median), (moved_in, timing.h2d_ms),
            (moved_out, timing.d2h_ms), (pinned_in, timing.h2d_pinned_ms), (pinned_out, timing.d2h_pinned_ms),
        ):  # fmt: skip
            if math.isfinite(ms) and ms > 0:
                marks.add(place, ms)
    lines = ((_KERNEL, (gpu, cpu)), (_IN, (moved_in, pinned_in)), (_OUT, (moved_out, pinned_out)))
    dots = [marks.series(shift=shift) for shift, parts in lines for marks in parts]
    return drawn((*dots, whole.series(Form.TICKS)))

"""Views of what a kernel computes that hold whatever values its floating-point parameters have."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gemmviz.adopt.prove.evidence import Traces, View, agrees
from gemmviz.adopt.prove.factors.factor_faults import fault_of_factors
from gemmviz.adopt.prove.faults import OF_VIEWS
from gemmviz.adopt.prove.launcher import BlockGeometry
from gemmviz.adopt.prove.search_log import SearchLog
from gemmviz.adopt.prove.trial import OTHER_FACTORS, NothingWrittenError
from gemmviz.adopt.reasons import FaultKind, Reason
from gemmviz.adopt.resemblance.observation import Observation


def with_other_factors(
    views: list[View],
    traces: Traces,
    geometry: BlockGeometry,
    observed: Callable[[Sequence[float]], Observation],
    log: SearchLog,
) -> list[View]:
    """The views that hold, too, where the floating-point parameters have other values, which `observed` gives the
    kernel. Where none does, the log is told which parameter is no factor.
    """
    other = observed(OTHER_FACTORS).trial
    if not views or not other.factors:
        return views
    try:
        others = other.run(geometry, (1, 1, 1))
        held = [view for view in views if agrees(view, others)]
    except NothingWrittenError:
        held = []
    fault = "" if held else fault_of_factors(views, traces, observed, geometry)
    if fault:
        log.fail(OF_VIEWS, Reason(fault, FaultKind.NO_FACTOR), is_of_block=False)
    return held

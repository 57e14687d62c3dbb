"""Which run the panel of figures shows, and the words above it that say which one it is. No Qt."""

from __future__ import annotations

from collections.abc import Sequence

from gemmviz.domain.runs.result import RunResult
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Params

LAST_RUN = "Last run"
CHOSEN_RUN = "Run chosen in Results"
RUN_OF_KERNEL = "Run of the chosen kernel"
OTHER_PARAMETERS = "Chosen kernel, other parameters"
OTHER_SIZE = "Last run, of another size"


def run_to_show(
    runs: Sequence[RunResult], chosen: Sequence[RunResult], kernel: str, shape: Shape, params: Params
) -> tuple[RunResult | None, str]:
    """The last of the runs `chosen` in the results; else the newest of a kernel at a size, one with its parameters
    first; else the newest of all. And the head above it, which says why it is this one.
    """
    if chosen:
        return chosen[-1], CHOSEN_RUN
    of_kernel = [run for run in runs if (run.spec.kernel, run.spec.shape) == (kernel, shape)]
    own = [run for run in of_kernel if run.spec.params == params]
    if own:
        return own[-1], RUN_OF_KERNEL
    if of_kernel:
        return of_kernel[-1], OTHER_PARAMETERS
    if not runs:
        return None, LAST_RUN
    return runs[-1], OTHER_SIZE if runs[-1].spec.kernel == kernel else LAST_RUN

"""The elements of C that make a result wrong, in words."""

from __future__ import annotations

import math

from gemmviz.domain import figures
from gemmviz.domain.elements import element_name
from gemmviz.domain.runs.result import RunResult, WorstElement
from gemmviz.domain.spec import format_params

NAMED = 5
"""Elements that are named at most."""
SEARCHED = "races, accesses out of bounds and uninitialised reads"
"""What a recording is searched for."""


def wrong_elements(run: RunResult) -> tuple[WorstElement, ...]:
    """The worst elements of C whose error exceeds the bound, NaN first; none of a result that passed, and none where C
    was not compared element by element.
    """
    bound = run.accuracy.bound
    return tuple(one for one in run.error_map.worst if not run.accuracy.passed and not one.error_over_ug <= bound)


def wrong_lines(run: RunResult) -> tuple[str, ...]:
    """A heading and one line for each of the first `NAMED` wrong elements; nothing where none is known."""
    worst = wrong_elements(run)[:NAMED]
    named = tuple(
        f"{element_name('C', one.row, one.column)} = {one.got:.9g}, expected {one.expected:.9g}" for one in worst
    )
    return ("Elements of C outside the error bound (NaN first, then the largest error):", *named) if named else ()


def wrong_words(run: RunResult) -> str:
    """A result that did not pass the check, in a sentence or two."""
    accuracy, name = run.accuracy, f"{run.spec.kernel} {format_params(run.spec.params)}".rstrip()
    if accuracy.unwritten:
        verb = "was" if accuracy.unwritten == 1 else "were"
        why = f"{figures.counted(accuracy.unwritten, 'element')} of C {verb} never written"
    elif not math.isfinite(accuracy.max_error_over_ug):
        why = "C has elements that are no number, or infinite"
    else:
        why = f"largest {figures.error_against_bound(accuracy.max_error_over_ug, accuracy.bound)}"
    return f"{name}: the result is wrong at {run.spec.shape.words}: {why}. Its time is not ranked."


def wrong_notes(run: RunResult) -> tuple[str, ...]:
    """`wrong_lines`, and in the window what to do next."""
    lines = wrong_lines(run)
    return (*lines, f"Press Record to search this kernel for {SEARCHED}.") if lines else ()

"""What older session files say in another way than today's: their tree, brought into today's form before it is read."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gemmviz.domain.session_arrays import Array
from gemmviz.domain.session_types import NOT_FINITE

WHOLE_RUNS = 8
"""The version since which whole runs are kept one by one, each with its parts."""


def upgrade(tree: Any, columns: dict[str, Array], version: int) -> None:
    """Change `tree` and `columns`, as `session_codec.decode` takes them, in place. What has not the form of an older
    file is left as it is: `decode` says what is wrong with it.
    """
    runs = tree.get("runs") if isinstance(tree, dict) else None
    if version >= WHOLE_RUNS or not isinstance(runs, list):
        return
    for number, run in enumerate(runs):
        timing = run.get("timing") if isinstance(run, dict) else None
        if isinstance(timing, dict):
            _keep_whole(timing, columns, f"runs.{number}.timing")


def _keep_whole(timing: dict[str, Any], columns: dict[str, Array], path: str) -> None:
    """Up to version 7 transfers and the whole were one figure each, taken in passes of their own."""
    told = [_number(timing.get(name)) for name in ("h2d_ms", "d2h_ms", "end_to_end_ms")]
    pinned = [_number(timing.get(name, 0.0)) for name in ("h2d_pinned_ms", "d2h_pinned_ms")]
    if None in told or None in pinned:
        return
    for name in ("h2d_ms", "d2h_ms", "end_to_end_ms", "h2d_pinned_ms", "d2h_pinned_ms"):
        timing.pop(name, None)
    (in_ms, out_ms, whole_ms), (pinned_in_ms, pinned_out_ms) = told, pinned
    of_pinned = (pinned_in_ms, math.nan, pinned_out_ms, math.nan) if pinned_in_ms and pinned_out_ms else ()
    for field, row in (("whole_runs", (in_ms, math.nan, out_ms, whole_ms)), ("pinned_runs", of_pinned)):
        name = f"{path}.{field}.samples_ms"  # the one run's figures in the order of `WholeRun`
        columns[name] = np.array(row, np.float64)
        timing[field] = {"samples_ms": {"array": name}}


def _number(value: Any) -> float | None:
    """A float of a tree; None where it is none."""
    if isinstance(value, str):
        return NOT_FINITE.get(value)
    try:
        return float(value) if type(value) in (int, float) else None
    except OverflowError:
        return None

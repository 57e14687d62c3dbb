"""What the bytes of recordings are divided by, and why bytes cannot be compared as they are. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

from gemmviz.domain import figures
from gemmviz.domain.recordings.multiply_adds import elements_of_c, is_complete, multiply_adds_of
from gemmviz.domain.recordings.trace_run import TraceRun


class Per(IntEnum):
    """What the chart of traffic counts bytes for; the places of the switch."""

    MULTIPLY_ADD = 0
    ELEMENT = 1
    RECORDING = 2
    """Bytes as they are."""


AXIS_WORDS = {
    Per.MULTIPLY_ADD: "bytes per multiply-add, reads and writes",
    Per.ELEMENT: "bytes per element of C, reads and writes",
    Per.RECORDING: "bytes, reads and writes",
}
SHORT_WORDS = {Per.MULTIPLY_ADD: "per multiply-add", Per.ELEMENT: "per element of C", Per.RECORDING: ""}


def divisor(run: TraceRun, per: Per) -> float | None:
    """How many multiply-adds or elements of C the recorded blocks make, 1 for bytes as they are; None where the
    recording does not tell.
    """
    match per:
        case Per.MULTIPLY_ADD:
            return multiply_adds_of(run)
        case Per.ELEMENT:
            return elements_of_c(run)
        case Per.RECORDING:
            return 1.0


def why_no_bytes(traces: Sequence[TraceRun]) -> str:
    """Why the bytes of these recordings cannot be compared as they are; "" where they can."""
    partial = sum(not is_complete(run) for run in traces)
    sizes = len({run.spec.shape for run in traces})
    if not partial and sizes <= 1:
        return ""
    if partial:
        some = "this one holds" if len(traces) == 1 else f"{figures.count(partial)} of {len(traces)} hold"
        fault = f"{some} only some blocks"
    else:
        fault = f"these have {sizes} sizes"
    return f"Bytes can be compared only between complete recordings of one size; {fault}."


def value_words(value: float, per: Per) -> str:
    """ "0.625 B", or bytes in binary units."""
    return figures.size(round(value)) if per is Per.RECORDING else f"{figures.number(value)} B"

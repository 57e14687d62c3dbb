"""The words for end-to-end runs and their times, the same in charts, reports and the panel of figures."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from gemmviz.domain import figures
from gemmviz.domain.listing import listed
from gemmviz.domain.runs.doubts import doubts_of
from gemmviz.domain.runs.gauges import NO_GAUGES
from gemmviz.domain.runs.result import Summary, Timing
from gemmviz.domain.runs.whole_runs import WholeTime
from gemmviz.domain.terms import Mode

WAITING = "launching and waiting"
PARTS = ("in", "kernel", WAITING, "out")
"""The parts of an end-to-end run in their order, as `WholeTime.parts` has them."""

MEANING = (
    "end-to-end run: A and B in, one launch, the result out, timed part by part in one pass; the parts are those of "
    f"the median run; kernel: by the device clock; {WAITING}: the rest of the host time from launch to completion"
)
ESTIMATED = (
    "≈ from an earlier version of gemmviz, which kept one end-to-end time without n and IQR: the kernel's part is the "
    f"median of its own samples, {WAITING} is the rest"
)
PARTS_UNKNOWN = "parts unknown"
WHY_UNKNOWN = (
    f"{PARTS_UNKNOWN}: an earlier version of gemmviz timed the transfers, the kernel and the end-to-end time in passes "
    "of their own, and here the parts together are longer than the end-to-end time"
)
NOT_KNOWN = "–"
_MOST_NAMES = 4
"""How many kernels a note names at most; of more than these the last is how many more there are."""
KERNEL_DIFFERS = 0.1
"""From this part on a difference between the kernel's times is explained."""
CACHES_COST_COPIES = 4.0
"""The most that cold caches cost, in times of copying A and B in: A, B and C come from memory, and what lay in the
caches goes back there.
"""
SEPARATE = "the two are separate runs, and times vary from run to run"
UNSETTLED = "its samples are few or had not settled; measure again"
BUSY = "that is more than the caches explain, so the device was probably busy with other work; measure again"


def parts_notes(wholes: Iterable[WholeTime]) -> tuple[str, ...]:
    """The sentences that the parts of these end-to-end runs need: ESTIMATED and WHY_UNKNOWN, each where one does."""
    found = [whole for whole in wholes if whole.n]
    notes = (
        (ESTIMATED, any(whole.is_estimate and not whole.are_parts_unknown for whole in found)),
        (WHY_UNKNOWN, any(whole.is_estimate and whole.are_parts_unknown for whole in found)),
    )
    return tuple(words for words, is_needed in notes if is_needed)


def spread_words(whole: WholeTime, unit: str = "") -> str:
    """ "IQR 12.0 µs · n 15", in a unit or in that of the median; how many runs an earlier version took is not known."""
    if whole.is_estimate:
        return "IQR and n unknown"
    return figures.spread_and_count(whole.iqr, whole.median, whole.n, unit)


def spread_cells(whole: WholeTime, unit: str = "") -> tuple[str, str]:
    """IQR and n, each by itself; the IQR in a unit or in that of the median."""
    if whole.is_estimate or not whole.n:
        return NOT_KNOWN, NOT_KNOWN
    return figures.spread(whole.iqr, whole.median, whole.n, unit), str(whole.n)


def why_kernel_differs(timing: Timing) -> str:
    """Why the kernel takes another time in an end-to-end run than in its own samples; "" where it does not, by
    KERNEL_DIFFERS and by the IQR of its samples, unless the whole end-to-end run takes less than the kernel's median.
    """
    whole = timing.whole
    first, median, third = (float(value) for value in np.percentile(timing.kernel_samples_ms, (25.0, 50.0, 75.0)))
    reason = difference(timing, whole, (first, median, third))
    if not reason and whole.n and not whole.is_estimate and whole.median < median:
        reason = SEPARATE
    return difference_words(whole.kernel_ms, median, reason)


def why_whole_is_shorter(timing: Timing) -> str:
    """Why the median end-to-end run is shorter than the kernel's median, or else than the host clock's around a launch,
    as a sentence; "" where it is neither.
    """
    whole = timing.whole
    if whole.n and whole.median < timing.kernel_ms.median:
        found = why_kernel_differs(timing) or next(iter(parts_notes([whole])), "")
    else:
        found = why_launch_differs(timing)
    return f"{found[:1].upper()}{found[1:]}." if found else ""


def why_launch_differs(timing: Timing) -> str:
    """Why launching the kernel alone and waiting for it took longer by the host clock than the median end-to-end run,
    which has copies besides; "" where it did not.
    """
    whole, waited = timing.whole, timing.host_clock_ms
    if not whole.n or not whole.median < waited.median:
        return ""
    reason = SEPARATE if _are_settled(timing, waited) else UNSETTLED
    unit = figures.time_unit((whole.median, waited.median))
    return (
        f"the end-to-end run takes {figures.milliseconds(whole.median, unit)}, copies included, but launching the "
        f"kernel alone and waiting for it {figures.milliseconds(waited.median, unit)} by the host clock: {reason}"
    )


def difference_words(kernel_ms: float, median_ms: float, reason: str) -> str:
    """The kernel's time in an end-to-end run, the median of its samples and why they differ; "" without a reason."""
    if not reason:
        return ""
    return (
        f"the kernel takes {figures.milliseconds(kernel_ms)} in the end-to-end run but "
        f"{figures.milliseconds(median_ms)} "
        f"in samples of the kernel alone: {reason}"
    )


def differences_note(reasons: Sequence[str], names: Sequence[str]) -> str:
    """The reasons of many runs, "" for each that does not differ, with the `names` of those that do; "" where none
    does.
    """
    by_reason: dict[str, list[str]] = {}
    for name, reason in zip(names, reasons, strict=True):
        if reason:
            by_reason.setdefault(reason, []).append(name)
    if not by_reason:
        return ""
    which = "; ".join(f"{listed(found, _MOST_NAMES)} ({reason})" for reason, found in by_reason.items())
    return f"the kernel takes another time within the end-to-end run than alone: {which}"


def difference(timing: Timing, whole: WholeTime, quartiles: tuple[float, float, float]) -> str:
    """Why the kernel's time in `whole` is another than that of its own samples, of which `quartiles` in ms are told;
    "" where it is not. The caches are named only where copying A and B, timed in `whole`, takes long enough for that.
    """
    first, median, third = quartiles
    apart_ms = abs(whole.kernel_ms - median)
    if whole.is_estimate or not whole.n or first <= whole.kernel_ms <= third:
        return ""
    if not apart_ms > KERNEL_DIFFERS * median:
        return ""
    if apart_ms > CACHES_COST_COPIES * whole.in_ms:
        return BUSY
    if not _are_settled(timing, timing.kernel_ms):
        return UNSETTLED
    is_faster = whole.kernel_ms < median
    if timing.mode is Mode.COLD and is_faster:
        return "A and B were just written and may be cached; samples alone begin with overwritten caches"
    if timing.mode is Mode.HOT and not is_faster:
        return f"samples are batches of launches ({timing.launches_per_sample} each) with warm caches"
    return "samples were taken at another time, with no transfers between them"


def _are_settled(timing: Timing, samples: Summary) -> bool:
    """Whether the kernel's samples, by either clock, are enough and steady."""
    return figures.has_quartiles(samples.n) and not doubts_of(samples, timing.stopped_by, NO_GAUGES)


WHOLE_COLUMNS = (
    *("in_ms", "end_to_end_kernel_ms", "waiting_ms", "out_ms"),
    *("end_to_end_ms", "end_to_end_iqr_ms", "end_to_end_runs"),
)
PINNED_COLUMNS = tuple(f"pinned_{name}" for name in WHOLE_COLUMNS)
"""The names of `whole_cells` in tables, from ordinary and from page-locked memory."""


def whole_cells(whole: WholeTime) -> tuple[float | str, ...]:
    """The figures of an end-to-end run in the order of WHOLE_COLUMNS; "" for what is not known."""
    if not whole.n:
        return ("",) * len(WHOLE_COLUMNS)
    if whole.is_estimate:
        median = "" if math.isnan(whole.median) else whole.median
        in_ms, out_ms = ("", "") if whole.are_parts_unknown else (whole.in_ms, whole.out_ms)
        return in_ms, "", "", out_ms, median, "", ""
    return *whole.parts, whole.median, whole.iqr if figures.has_quartiles(whole.n) else "", whole.n

"""The subtitle of every chart: at which sizes, on which devices and when its figures came about. No Qt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gemmviz.catalogue.kernel_names import kernel_name
from gemmviz.domain.device import Device
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import RunResult
from gemmviz.domain.runs.schedule import BlockSchedule
from gemmviz.domain.runs.warp_timeline import WarpTimeline
from gemmviz.domain.shape import Shape

MOST_SIZES, MOST_DEVICES = 3, 2
"""As many are named; of more their number."""
SEPARATOR = "  ·  "
_CACHES = " caches"


@dataclass(frozen=True, slots=True)
class Circumstances:
    """Size, device and end of one run, recording or schedule; the end in ISO 8601, or "". `caches` are those of a
    measured time, "cold caches" or "hot caches"; "" where no time is shown.
    """

    shape: Shape
    device: Device
    finished: str
    caches: str = ""


def subtitle_of(shown: Iterable[RunResult | TraceRun | BlockSchedule | WarpTimeline]) -> str:
    """ "M×N×K = 512×512×256  ·  NVIDIA H200  ·  2026-11-22"; "" for nothing."""
    return subtitle([Circumstances(one.spec.shape, one.device, one.finished) for one in shown])


def subtitle_of_times(runs: Iterable[RunResult]) -> str:
    """The same of a chart of times, with the caches where they are the same of all: "cold caches" """
    return subtitle(
        [Circumstances(one.spec.shape, one.device, one.finished, f"{one.spec.mode.value}{_CACHES}") for one in runs]
    )


def without_caches(words: str) -> str:
    """A subtitle for readers who have not heard of caches."""
    return SEPARATOR.join(part for part in words.split(SEPARATOR) if not part.endswith(_CACHES))


def subtitle_of_one(shown: Sequence[BlockSchedule | RunResult | WarpTimeline], *, has_times: bool = False) -> str:
    """The same of a chart that shows one kernel, whose id stands above: its title comes first. `has_times`: and times
    of runs.
    """
    words = subtitle_of_times(one for one in shown if isinstance(one, RunResult)) if has_times else subtitle_of(shown)
    return SEPARATOR.join(filter(None, (kernel_name(shown[0].spec.kernel).title, words)))


def subtitle(found: Sequence[Circumstances]) -> str:
    """The same of circumstances: all sizes, devices and days, of many their number and their ends."""
    if not found:
        return ""
    caches = {one.caches for one in found}
    parts = (
        _sizes([one.shape for one in found]),
        _devices([one.device for one in found]),
        "".join(caches) if len(caches) == 1 else "",
        _days(found),
    )
    return SEPARATOR.join(filter(None, parts))


def _sizes(shapes: Iterable[Shape]) -> str:
    known = sorted(set(shapes), key=lambda shape: (shape.flop, shape.m, shape.n))
    if len(known) > MOST_SIZES:
        return f"{len(known)} sizes, M×N×K from {known[0].words} to {known[-1].words}"
    return f"M×N×K = {', '.join(shape.words for shape in known)}"


def _devices(devices: Iterable[Device]) -> str:
    """Each by its name; one that CUDA and OpenCL both offer counts once."""
    by_backend = Counter((one.place_name, one.backend) for one in {device.id: device for device in devices}.values())
    names: dict[str, int] = {}
    for (name, _), many in by_backend.items():
        names[name] = max(many, names.get(name, 0))
    if len(names) > MOST_DEVICES:
        return f"{sum(names.values())} devices"
    return " and ".join(f"{many} × {name}" if many > 1 else name for name, many in names.items())


def _days(found: Iterable[Circumstances]) -> str:
    days = sorted({one.finished[:10] for one in found if one.finished})
    return f"{days[0]} to {days[-1]}" if len(days) > 1 else "".join(days)

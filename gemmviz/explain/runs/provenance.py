"""Where figures were measured and recorded, so that those of another machine are known as such. No Qt."""

from __future__ import annotations

from collections.abc import Iterable

from gemmviz.domain.device import Device
from gemmviz.domain.places import place_words
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import RunResult, timed_runs


def measured_on(runs: Iterable[RunResult]) -> tuple[str, ...]:
    """A sentence that names each device with its driver and the day, and one for the PTX machine, which measures
    nothing; none for runs that have no date.
    """
    dated = [run for run in runs if run.finished]
    measured = _told("measured", ((run.device, run.finished) for run in timed_runs(dated)))
    return measured + _told("executed", ((run.device, run.finished) for run in dated if run.is_emulated))


def recorded_on(traces: Iterable[TraceRun]) -> tuple[str, ...]:
    """A sentence that names each device with its driver and, where it is known, the day."""
    return _told("recorded", ((run.device, run.finished) for run in traces))


def _told(what: str, places: Iterable[tuple[Device, str]]) -> tuple[str, ...]:
    dates: dict[tuple[str, str], list[str]] = {}
    devices: dict[tuple[str, str], Device] = {}
    for device, date in places:
        key = device.place_name, device.driver
        devices[key] = device
        dates.setdefault(key, []).append(date)
    said = [place_words(device, *dates[key]) for key, device in devices.items()]
    return (f"{what} on {'; on '.join(said)}",) if said else ()

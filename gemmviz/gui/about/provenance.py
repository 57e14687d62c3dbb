"""Where figures were measured, so that those of another machine are known as such. No Qt."""

from __future__ import annotations

from collections.abc import Iterable

from gemmviz.domain.device import Device
from gemmviz.domain.places import place_words
from gemmviz.domain.result import RunResult


def measured_on(runs: Iterable[RunResult]) -> tuple[str, ...]:
    """A sentence that names each device with its driver and the day; none for runs that have no date."""
    dates: dict[tuple[str, str], list[str]] = {}
    devices: dict[tuple[str, str], Device] = {}
    for run in runs:
        if run.finished:
            key = run.device.name, run.device.driver
            devices[key] = run.device
            dates.setdefault(key, []).append(run.finished)
    places = [place_words(device, *dates[key]) for key, device in devices.items()]
    return (f"measured on {'; on '.join(places)}",) if places else ()

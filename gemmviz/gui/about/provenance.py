"""Where figures were measured, so that those of another machine are known as such. No Qt."""

from __future__ import annotations

from collections.abc import Iterable

from gemmviz.domain.device import Device
from gemmviz.domain.result import RunResult
from gemmviz.gui.about.driver import driver_words


def place_words(device: Device, *dates: str) -> str:
    """ "NVIDIA H200, driver 580.159.04, 2026-11-22"; dates are ISO 8601, of several the first and the last day."""
    words = driver_words(device.driver)
    version = words if words[:1].isalpha() or not words else f"driver {words}"
    days = sorted({date[:10] for date in dates if date})
    when = f"{days[0]} to {days[-1]}" if len(days) > 1 else "".join(days)
    return ", ".join(part for part in (device.name, version, when) if part)


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

"""Where figures were measured: a device with its driver, and the days; in words, and in the columns of tables."""

from __future__ import annotations

from gemmviz.domain.device import Device
from gemmviz.domain.runs.driver_words import driver_words

PLACE_COLUMNS = ("device_name", "driver", "finished")
"""The columns of every exported table that say where and when; `finished` is in ISO 8601, UTC."""


def place_words(device: Device, *dates: str) -> str:
    """ "NVIDIA H200, driver 580.159.04, 2026-11-22" or "the PTX machine (sm_90a code on a CPU), 2026-11-22"; dates are
    ISO 8601, of several the first and the last day.
    """
    words = driver_words(device.driver)
    version = words if words[:1].isalpha() or not words else f"driver {words}"
    days = sorted({date[:10] for date in dates if date})
    name = f"the {device.place_name}" if device.is_emulated else device.place_name
    when = f"{days[0]} to {days[-1]}" if len(days) > 1 else "".join(days)
    return ", ".join(part for part in (name, version, when) if part)


def place_cells(device: Device, finished: str) -> tuple[str, str, str]:
    """The cells of PLACE_COLUMNS."""
    return device.place_name, device.driver, finished

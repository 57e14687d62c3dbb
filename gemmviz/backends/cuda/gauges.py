"""A GPU's gauges by NVML: clocks, temperature, power, and what holds the clock down."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from gemmviz.domain.runs.gauges import Reading

EVERY_S = 0.02
"""Gauges move slowly, and some take milliseconds to read; samples that follow closer share a reading."""


class GaugeReader:
    """Reads the gauges of the GPU with a UUID; after a fault, or without NVML, there are none.

    `nvml` is the module pynvml, `now_s` a monotonic clock; both are parameters so that a test can bring its own.
    """

    def __init__(self, nvml: Any, uuid: str, now_s: Callable[[], float] = time.monotonic) -> None:
        self._nvml = nvml
        self._now_s = now_s
        self._handle: Any = None
        self._last: Reading | None = None
        self._read_at_s = float("-inf")
        if nvml is None:
            return
        try:
            nvml.nvmlInit()
            self._handle = nvml.nvmlDeviceGetHandleByUUID(uuid)
        except nvml.NVMLError:
            self._handle = None

    def read(self) -> Reading | None:
        """The gauges now, or as they were at most EVERY_S ago."""
        if self._handle is None:
            return None
        now_s = self._now_s()
        if now_s - self._read_at_s >= EVERY_S:
            self._last = self._look()
            self._read_at_s = self._now_s()
        return self._last

    def _look(self) -> Reading | None:
        nvml, handle = self._nvml, self._handle
        try:
            return Reading(
                clock_mhz=float(nvml.nvmlDeviceGetClockInfo(handle, nvml.NVML_CLOCK_SM)),
                memory_clock_mhz=float(nvml.nvmlDeviceGetClockInfo(handle, nvml.NVML_CLOCK_MEM)),
                temperature_c=float(nvml.nvmlDeviceGetTemperature(handle, nvml.NVML_TEMPERATURE_GPU)),
                power_w=float(nvml.nvmlDeviceGetPowerUsage(handle)) / 1000.0,
                reasons=int(self._reasons(handle)),
            )
        except nvml.NVMLError:
            self._handle = None
            return None

    def _reasons(self, handle: Any) -> int:
        ask = getattr(self._nvml, "nvmlDeviceGetCurrentClocksEventReasons", None)  # its name before 12.2 is the other
        return int((ask or self._nvml.nvmlDeviceGetCurrentClocksThrottleReasons)(handle))


def find_nvml() -> Any | None:
    """The module pynvml of nvidia-ml-py; None where it is not installed."""
    try:
        import pynvml
    except ImportError:
        return None
    return pynvml


def driver_version(nvml: Any) -> str:
    """The driver's own version, "580.95.05"; "" where nobody tells."""
    if nvml is None:
        return ""
    try:
        nvml.nvmlInit()
        found = nvml.nvmlSystemGetDriverVersion()
    except nvml.NVMLError:
        return ""
    return found.decode() if isinstance(found, bytes) else str(found)

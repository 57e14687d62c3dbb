"""The gauges of a GPU, read from an NVML that is a table."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from gemmviz.backends.cuda.gauges import EVERY_S, GaugeReader, driver_version
from gemmviz.domain.runs.gauges import Reading


class NoGauge(Exception):
    pass


class FakeNvml(SimpleNamespace):
    """pynvml with one GPU; with `fault` every question is answered by an error. `asked` counts looks at the power."""

    def __init__(self, **more: object) -> None:
        super().__init__(
            NVMLError=NoGauge,
            NVML_CLOCK_SM=1,
            NVML_CLOCK_MEM=2,
            NVML_TEMPERATURE_GPU=0,
            asked=0,
            fault=False,
            clock=1980,
            nvmlInit=lambda: self.answer(None),
            nvmlDeviceGetHandleByUUID=self.find,
            nvmlDeviceGetClockInfo=lambda _, which: self.answer({1: self.clock, 2: 3201}[which]),
            nvmlDeviceGetTemperature=lambda _, which: self.answer({0: 41}[which]),
            nvmlDeviceGetPowerUsage=lambda _: self.answer(612_500, 1),
            nvmlDeviceGetCurrentClocksThrottleReasons=lambda _: self.answer(4),
            nvmlSystemGetDriverVersion=lambda: self.answer(b"580.95.05"),
            **more,
        )

    def find(self, uuid: str) -> str:
        if uuid != "GPU-1":
            raise NoGauge
        return uuid

    def answer(self, value: object, asked: int = 0) -> object:
        self.asked += asked
        if self.fault:
            raise NoGauge
        return value


@pytest.mark.parametrize(
    ("more", "reasons"), [({}, 4), ({"nvmlDeviceGetCurrentClocksEventReasons": lambda _: 0x20}, 0x20)]
)
def test_that_gauges_are_read_in_their_units(more: dict[str, object], reasons: int) -> None:
    assert GaugeReader(FakeNvml(**more), "GPU-1").read() == Reading(1980.0, 3201.0, 41.0, 612.5, reasons)


def test_that_samples_that_follow_closely_share_a_reading() -> None:
    nvml, now = FakeNvml(), [0.0]
    reader = GaugeReader(nvml, "GPU-1", lambda: now[0])
    first = reader.read()
    nvml.clock, now[0] = 1410, 0.9 * EVERY_S
    assert reader.read() is first
    now[0] = 1.1 * EVERY_S
    second = reader.read()
    assert second is not None
    assert (second.clock_mhz, nvml.asked) == (1410.0, 2)


def test_that_a_gpu_nvml_does_not_know_has_no_gauges() -> None:
    assert GaugeReader(FakeNvml(), "GPU-2").read() is None
    assert GaugeReader(None, "GPU-1").read() is None


def test_that_a_fault_ends_the_reading_and_nothing_else() -> None:
    nvml = FakeNvml()
    reader = GaugeReader(nvml, "GPU-1", iter(range(100)).__next__)
    assert reader.read() is not None
    nvml.fault = True
    assert reader.read() is None
    nvml.fault = False
    assert reader.read() is None


def test_that_the_driver_says_its_version() -> None:
    nvml = FakeNvml()
    assert driver_version(nvml) == "580.95.05"
    nvml.fault = True
    assert driver_version(nvml) == driver_version(None) == ""

"""A clock that moves only when told, and a device whose every time is written down beforehand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
import pytest
from numpy.typing import NDArray

from gemmviz.backends.base import Argument, Compiled, LaunchError, OpenDevice
from gemmviz.domain.runs.gauges import Reading
from gemmviz.domain.spec import Launch
from gemmviz.measure.sampling import Launcher
from gemmviz.measure.whole_runs import HostAndDevice

ENQUEUE_MS = 0.004
FLUSH_MS = 1.0
UPLOAD_MS = 3.0
DOWNLOAD_MS = 2.0


@dataclass
class FakeClock:
    """Stands still until `advance_ms`; a reading takes no time."""

    ns: int = 0

    def now_ns(self) -> int:
        return self.ns

    def advance_ms(self, ms: float) -> None:
        self.ns += round(ms * 1e6)


@dataclass
class FakeBuffer:
    name: str
    nbytes: int = 0

    def release(self) -> None:
        raise AssertionError("measuring releases no buffer: they belong to the caller")


@dataclass
class FakePending:
    device: FakeDevice
    indices: range

    def wait(self, limit_s: float | None = None) -> float:
        self.device.limits.append(limit_s)
        times_ms = [self.device.launch_ms(index) for index in self.indices]
        self.device.clock.advance_ms(sum(self.device.busy_ms(time_ms) for time_ms in times_ms))
        return sum(times_ms)


class Pinned(np.ndarray):
    """An array that the fake device moves in half the time."""


@dataclass
class FakeDevice:
    """Launch number i reports `launch_ms(i)`; the clock moves by `busy_ms` of it, by default the same.

    `log` names what happened in order; `faulty` is the number of the launch that raises. `readings` are its gauges, in
    turn; without any it has none. `pins` says whether it has page-locked memory.
    """

    clock: FakeClock
    launch_ms: Callable[[int], float] = lambda _: 2.0
    busy_ms: Callable[[float], float] = lambda time_ms: time_ms if 0.0 < time_ms < float("inf") else 0.0
    faulty: int | None = None
    log: list[str] = field(default_factory=list)
    limits: list[float | None] = field(default_factory=list)
    launched: int = 0
    readings: list[Reading] = field(default_factory=list)
    pins: bool = False

    def launch(self, compiled: object, launch: Launch, arguments: Sequence[Argument], count: int = 1) -> FakePending:
        assert (compiled, launch.grid, tuple(arguments)[3:]) == ("compiled", (2, 1, 1), (17, 33, 5))
        first, self.launched = self.launched, self.launched + count
        if self.faulty is not None and self.faulty in range(first, self.launched):
            raise LaunchError("the fake device is on fire")
        self.log.append(f"launch {count}")
        self.clock.advance_ms(ENQUEUE_MS)
        return FakePending(self, range(first, self.launched))

    def flush_caches(self) -> None:
        self.log.append("flush")
        self.clock.advance_ms(FLUSH_MS)

    def gauge(self) -> Reading | None:
        return self.readings[(self.launched - 1) % len(self.readings)] if self.readings else None

    def pinned(self, like: NDArray[Any]) -> NDArray[Any] | None:
        return like.view(Pinned) if self.pins else None

    def upload(self, host: NDArray[Any], into: FakeBuffer) -> None:
        self.log.append(f"upload {host.shape} {into.name}")
        self.clock.advance_ms(UPLOAD_MS / (1 + isinstance(host, Pinned)))

    def download(self, buffer: FakeBuffer, into: NDArray[Any]) -> None:
        self.log.append(f"download {buffer.name} {into.shape}")
        self.clock.advance_ms(DOWNLOAD_MS / (1 + isinstance(into, Pinned)))


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def device(clock: FakeClock) -> FakeDevice:
    return FakeDevice(clock)


@pytest.fixture
def operands() -> HostAndDevice:
    m, n, k = 17, 33, 5
    a, b, c = (np.zeros(shape, np.float32) for shape in ((m, k), (k, n), (m, n)))
    return HostAndDevice(a, b, c, {name: FakeBuffer(name) for name in "ABC"})


@pytest.fixture
def launcher(device: FakeDevice, clock: FakeClock, operands: HostAndDevice) -> Launcher:
    arguments = (operands.a_buffer, operands.b_buffer, operands.c_buffer, 17, 33, 5)
    return Launcher(
        cast(OpenDevice, device),
        cast(Compiled, "compiled"),
        Launch((2, 1, 1), (16, 16, 1)),
        arguments,
        clock,
        limit_s=7.0,
    )

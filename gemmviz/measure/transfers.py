"""What it costs to bring A and B to the device and C back, on the host's clock."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from statistics import median
from typing import Any

from numpy.typing import NDArray

from gemmviz.backends.base import Buffer
from gemmviz.measure.cancel import ShouldCancel, raise_if_cancelled
from gemmviz.measure.clock import Clock, elapsed_ms, elapsed_s
from gemmviz.measure.sampling import Launcher

PINNED_BYTES = 2**30
"""Larger operands are not copied to page-locked memory, which nothing else can use meanwhile."""


@dataclass(frozen=True, slots=True, eq=False)
class HostAndDevice:
    """A, B and C on both sides.

    Host arrays are contiguous; `c` is overwritten, and should have been touched before, or the first download
    pays for its pages.
    """

    a: NDArray[Any]
    b: NDArray[Any]
    c: NDArray[Any]
    a_buffer: Buffer
    b_buffer: Buffer
    c_buffer: Buffer


@dataclass(frozen=True, slots=True)
class TransferRule:
    """Each figure is the median of up to `repeats`, fewer once `limit_seconds` are spent, never none."""

    repeats: int = 5
    limit_seconds: float = 0.5


@dataclass(frozen=True, slots=True)
class Transfers:
    """A and B to the device; C back; both with one launch between them, in one stretch. In ms.

    The pinned ones are between page-locked memory and the device, 0 where they were not timed.
    """

    h2d_ms: float
    d2h_ms: float
    end_to_end_ms: float
    h2d_pinned_ms: float = 0.0
    d2h_pinned_ms: float = 0.0


def time_transfers(
    launcher: Launcher,
    operands: HostAndDevice,
    rule: TransferRule,
    should_cancel: ShouldCancel,
    cold: bool = False,
) -> Transfers:
    """Time the transfers, and the whole way in, through and out; `cold` with the caches overwritten before each.

    Raises:
        CancelledError: the person wants to stop.
        BackendError: the device refuses.
    """

    def bring_in(a: NDArray[Any] = operands.a, b: NDArray[Any] = operands.b) -> None:
        launcher.device.upload(a, operands.a_buffer)
        launcher.device.upload(b, operands.b_buffer)

    def bring_out(c: NDArray[Any] = operands.c) -> None:
        launcher.device.download(operands.c_buffer, c)

    def whole_way() -> None:
        bring_in()
        launcher.device.launch(launcher.compiled, launcher.launch, launcher.arguments).wait(launcher.limit_s)
        bring_out()

    def timed(action: Callable[[], None]) -> float:
        before = launcher.device.flush_caches if cold else _nothing
        return _median_ms(action, launcher.clock, rule, should_cancel, before)

    found = Transfers(h2d_ms=timed(bring_in), d2h_ms=timed(bring_out), end_to_end_ms=timed(whole_way))
    if operands.a.nbytes + operands.b.nbytes + operands.c.nbytes > PINNED_BYTES:
        return found
    a, b, c = (launcher.device.pinned(array) for array in (operands.a, operands.b, operands.c))
    if a is None or b is None or c is None:
        return found
    return replace(
        found,
        h2d_pinned_ms=timed(partial(bring_in, a, b)),
        d2h_pinned_ms=timed(partial(bring_out, c)),
    )


def _nothing() -> None:
    """What comes before a timed action in warm caches."""


def _median_ms(
    action: Callable[[], None],
    clock: Clock,
    rule: TransferRule,
    should_cancel: ShouldCancel,
    before: Callable[[], None],
) -> float:
    times_ms: list[float] = []
    begin_ns = end_ns = clock.now_ns()
    while not times_ms or (len(times_ms) < rule.repeats and elapsed_s(begin_ns, end_ns) < rule.limit_seconds):
        raise_if_cancelled(should_cancel)
        before()
        start_ns = clock.now_ns()
        action()
        end_ns = clock.now_ns()
        times_ms.append(elapsed_ms(start_ns, end_ns))
    return median(times_ms)

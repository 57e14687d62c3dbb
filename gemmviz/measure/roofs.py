"""The roofs of a device: small kernels that do one thing as fast as it can be done, timed as any other kernel."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import numpy as np

from gemmviz.backends.base import Argument, Buffer, CompileError, OpenDevice, TrialRun
from gemmviz.domain.device import HOST
from gemmviz.domain.operands import as_bfloat16
from gemmviz.domain.runs.roof import Roof, RoofKind, Roofs
from gemmviz.measure.cancel import Fraction, ShouldCancel, never, raise_if_cancelled, unheard
from gemmviz.measure.clock import Clock, SystemClock
from gemmviz.measure.floor import floor_ms
from gemmviz.measure.roof_kernels import RoofKernel, kernels_for, rule_for
from gemmviz.measure.sampling import Launcher, Sample
from gemmviz.measure.series import collect
from gemmviz.measure.stopping import StoppingRule, WarmUpRule
from gemmviz.measure.warmup import warm_up

LAUNCH_MS = 10.0
"""How long a launch that multiplies should last: far above what a launch itself costs."""
_PROBES = 3
_FIRST_ROUNDS = 64
_MOST_ROUNDS = 2**24
_WARM_UP = WarmUpRule()

Say = Callable[[str], None]


def _unsaid(words: str) -> None:
    del words


def measure_roofs(
    device: OpenDevice,
    finished: str,
    *,
    rule: StoppingRule | None = None,
    clock: Clock | None = None,
    limit_s: float = 60.0,
    should_cancel: ShouldCancel = never,
    on_progress: Fraction = unheard,
    say: Say = _unsaid,
    kinds: Sequence[RoofKind] = tuple(RoofKind),
) -> Roofs:
    """Measure every roof of `kinds` that the device has; `finished` is the time to write down.

    Of several ways of doing the same the fastest in a few launches is the one that is measured.

    Raises:
        CancelledError: stopped; nothing is kept.
        LaunchError, KernelTimeoutError, BackendError: the device reports a fault.
        MeasurementError: a clock cannot be trusted.
    """
    clock = clock if clock is not None else SystemClock()
    rule = rule if rule is not None else rule_for(device.device)
    found: list[Roof] = []
    left_out: list[str] = []
    for number, kind in enumerate(kinds):
        raise_if_cancelled(should_cancel)
        on_progress(number / len(kinds))
        say(f"measuring the {kind} roof of {device.device.name}")
        kernels, reason = kernels_for(kind, device.device)
        if not kernels:
            left_out.append(f"{kind}: {reason}")
            continue
        try:
            found.append(_measure(device, kernels, rule, clock, limit_s, should_cancel))
        except CompileError as error:
            left_out.append(f"{kind}: {' '.join(str(error).split())}")
    floor = floor_ms(device, limit_s) if device.device.backend != HOST else 0.0  # a call costs nothing to speak of
    on_progress(1.0)
    return Roofs(device.device, finished, floor, tuple(found), tuple(left_out))


def _measure(
    device: OpenDevice,
    kernels: Sequence[RoofKernel],
    rule: StoppingRule,
    clock: Clock,
    limit_s: float,
    should_cancel: ShouldCancel,
) -> Roof:
    with _operands(device, kernels) as buffers:
        rates: dict[RoofKernel, float] = {}
        launchers: dict[RoofKernel, Launcher] = {}
        for kernel in kernels:
            raise_if_cancelled(should_cancel)
            tuned, launcher = _tuned(device, kernel, buffers, clock, limit_s)
            best_ms = min(launcher.run().kernel_ms for _ in range(_PROBES))
            launchers[tuned] = launcher
            rates[tuned] = tuned.work / best_ms if best_ms > 0 else 0.0
        best = max(rates, key=lambda kernel: rates[kernel])
        launcher = launchers[best]
        warm_up(launcher.run, clock, _WARM_UP, 0.0, should_cancel)

        def fastest() -> Sample:
            return min((launcher.run() for _ in range(best.calls)), key=lambda one: one.kernel_ms)

        series = collect(fastest, rule, clock, should_cancel, unheard)
    return Roof(
        best.kind,
        best.work,
        series.kernel_ms,
        best.how,
        best.instruction,
        launcher.compiled.build,
        series.stopped_by,
        series.gauges,
    )


def _tuned(
    device: OpenDevice, kernel: RoofKernel, buffers: Sequence[Buffer], clock: Clock, limit_s: float
) -> tuple[RoofKernel, Launcher]:
    """The kernel with as many rounds as make a launch of LAUNCH_MS, ready to be launched; it was launched once."""
    trial = TrialRun(kernel.trial, replace(kernel.launch, grid=kernel.trial_grid), kernel.trial_elements, limit_s)
    compiled = device.compile(kernel.source, kernel.launch, trial, _unsaid)

    def launcher(rounds: int) -> Launcher:
        arguments: tuple[Argument, ...] = (*buffers, *kernel.sizes(rounds))
        return Launcher(device, compiled, kernel.launch, arguments, clock, limit_s)

    launcher(kernel.rounds).run()
    if not kernel.has_rounds:
        return kernel, launcher(kernel.rounds)
    rounds = _FIRST_ROUNDS
    while True:
        ms = min(launcher(rounds).run().kernel_ms for _ in range(2))
        if ms >= LAUNCH_MS / 4 or rounds >= _MOST_ROUNDS:
            break
        rounds = min(_MOST_ROUNDS, rounds * 8)
    rounds = min(_MOST_ROUNDS, max(1, round(rounds * LAUNCH_MS / ms))) if ms > 0 else rounds
    return replace(kernel, rounds=rounds), launcher(rounds)


@contextmanager
def _operands(device: OpenDevice, kernels: Sequence[RoofKernel]) -> Iterator[tuple[Buffer, Buffer, Buffer]]:
    """A and B of numbers from 0 to 1, the same each time, and room for C."""
    rng = np.random.default_rng(0)
    a_elements, b_elements, c_elements = (
        max(sizes) for sizes in zip(*((k.a_elements, k.b_elements, k.c_elements) for k in kernels), strict=True)
    )
    values = rng.random((1, min(a_elements, 2**20)), np.float32)
    if kernels[0].kind is RoofKind.BF16:  # two of them are as long as one float32
        values = as_bfloat16(values).view(np.float32)
    a = np.resize(values, a_elements)
    buffers: list[Buffer] = []
    try:
        for array in (a, a[:b_elements], None):
            buffers.append(device.allocate(array.nbytes if array is not None else 4 * c_elements))
            if array is not None:
                device.upload(np.ascontiguousarray(array), buffers[-1])
        yield buffers[0], buffers[1], buffers[2]
    finally:
        for buffer in buffers:
            buffer.release()

"""One kernel with many parameters: which choice is fastest, by samples of all of them in every round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from gemmviz.backends.base import BackendError, DeviceLostError
from gemmviz.catalogue.kernel import Kernel, Refusal
from gemmviz.domain.device import Device, DeviceKind
from gemmviz.domain.figures import counted
from gemmviz.domain.memory import MemoryNeed, MemoryRefusal, check_memory, memory_needed
from gemmviz.domain.processes.host_memory import available_memory_bytes
from gemmviz.domain.runs.result import RunResult
from gemmviz.domain.spec import Params
from gemmviz.domain.terms import Mode
from gemmviz.measure.bench import Bench, Inputs, Patience, Prepared, Watch, check_first_launch, run_result
from gemmviz.measure.cancel import raise_if_cancelled
from gemmviz.measure.check.judge import Exact, Judged
from gemmviz.measure.clock import Clock, SystemClock, elapsed_s
from gemmviz.measure.sampling import MeasurementError
from gemmviz.measure.series import collect_in_turn
from gemmviz.measure.timing import Warm, get_warm

SweepAnswer = tuple[Params, RunResult | None, Exception | None]
"""The parameters, and what was found out about them or the error because of which they did not run."""


@dataclass(frozen=True, slots=True)
class _Entrant:
    params: Params
    ready: Prepared
    judged: Judged
    warm: Warm


class SweepPace:
    """Which part of a sweep is done, by time: making `count` settings ready, then sampling each that can run for
    `budget_s` seconds, since it is mostly the time limit that ends its series.
    """

    def __init__(self, count: int, budget_s: float, clock: Clock) -> None:
        self._count, self._budget_s, self._clock = count, budget_s, clock
        self._start_ns = clock.now_ns()
        self._ready = self._told = 0.0

    def made_ready(self, tried: int, able: int) -> float:
        """The part after so many settings have been tried, of which so many can run; it never falls."""
        spent_s = elapsed_s(self._start_ns, self._clock.now_ns())
        all_s = (spent_s + able * self._budget_s) * self._count / max(tried, 1)
        self._ready = self._told = max(self._told, spent_s / all_s if all_s > 0 else 0.0)
        return self._ready

    def sampled(self, share: float) -> float:
        """The part while that share of the samples' time is used up."""
        return self._ready + (1.0 - self._ready) * share


def sweep(
    bench: Bench,
    kernel: Kernel,
    choices: Sequence[Params],
    device: Device,
    inputs: Inputs,
    mode: Mode,
    patience: Patience,
    watch: Watch,
    exact: Exact | None = None,
    clock: Clock | None = None,
    rng: np.random.Generator | None = None,
) -> Iterator[SweepAnswer]:
    """Build and check each choice, then take samples of all of them in turn, so that their times can be compared.

    What cannot run is answered at once, the others at the end, in the order given. Samples of the same index were
    taken in the same round, whose order `rng` draws; those of a choice that is clearly slower than the best end sooner.

    Raises:
        MemoryRefusal: the operands of all choices together do not fit the device.
        DeviceLostError: a launch did not end; the device is busy with it.
        CancelledError: stopped before the first sample.
    """
    _check_memory(kernel, choices, device, inputs)
    entrants: list[_Entrant] = []
    clock = clock if clock is not None else SystemClock()
    pace = SweepPace(len(choices), patience.rule.limit_seconds, clock)
    with ExitStack() as stack:
        for number, params in enumerate(choices):
            raise_if_cancelled(watch.should_cancel)
            of_setting = replace(watch, say=partial(_say_setting, watch, kernel.id, number + 1, len(choices)))
            try:
                entrants.append(_enter(bench, kernel, params, device, inputs, mode, patience, of_setting, exact, stack))
            except DeviceLostError:
                stack.pop_all()  # a device that is busy for ever gives nothing back
                raise
            except (Refusal, BackendError, MeasurementError) as error:
                yield params, None, error
            watch.advance(pace.made_ready(number + 1, len(entrants)))
        if not entrants:
            return
        watch.say(f"{kernel.id}: measuring {counted(len(entrants), 'setting')} in turn")
        series = collect_in_turn(
            [entrant.warm.take for entrant in entrants],
            patience.rule,
            clock,
            watch.should_cancel,
            lambda share: watch.advance(pace.sampled(share)),
            rng,
        )
        for entrant, samples in zip(entrants, series, strict=True):
            timing = entrant.warm.timing(samples, entrant.ready.compile_ms)
            result = run_result(kernel, entrant.params, entrant.ready, inputs, timing, entrant.judged)
            yield entrant.params, result, None


def _say_setting(watch: Watch, kernel: str, number: int, count: int, words: str) -> None:
    """Say which setting it is that something is done for: "tiled: setting 7 of 20: compiling"."""
    watch.say(f"{kernel}: setting {number} of {count}: {words.removeprefix(f'{kernel}: ')}")


def _enter(
    bench: Bench,
    kernel: Kernel,
    params: Params,
    device: Device,
    inputs: Inputs,
    mode: Mode,
    patience: Patience,
    watch: Watch,
    exact: Exact | None,
    stack: ExitStack,
) -> _Entrant:
    ready = bench.prepare(kernel, params, device, inputs, patience.launch_limit_s, watch.say)
    with ExitStack() as until_warm:
        until_warm.callback(ready.release)
        first, _, judged = check_first_launch(kernel, ready, inputs, watch, exact)
        warm = get_warm(
            ready.launcher, ready.both_sides, mode, first.host_ms, patience.rule, should_cancel=watch.should_cancel
        )
        stack.push(until_warm.pop_all())
    return _Entrant(params, ready, judged, warm)


def _check_memory(kernel: Kernel, choices: Sequence[Params], device: Device, inputs: Inputs) -> None:
    """See that the operands of all choices fit at once."""
    needs: list[MemoryNeed] = []
    for params in choices:
        try:
            plan = kernel.plan(inputs.shape, params, device)
        except Refusal:
            continue
        needs.append(memory_needed(inputs.shape, plan.partial_sums, full_reference=False, call=plan.call))
    if not needs:
        return
    together = replace(needs[0], device_bytes=sum(need.device_bytes for need in needs), host_bytes=0)
    shares = device.global_bytes if device.kind is not DeviceKind.CPU else available_memory_bytes()
    try:
        check_memory(together, None, shares, device.max_allocation_bytes)
    except MemoryRefusal as error:
        raise MemoryRefusal(f"{len(needs)} choices at once: {error}, or sweep fewer choices") from error

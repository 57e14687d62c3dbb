"""A kernel and a library in turn, in balanced random order, in one run, by the program's own measuring."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from statistics import median

import numpy as np

from gemmviz.backends.base import BackendError, DeviceLostError
from gemmviz.catalogue.kernel import Kernel, Refusal
from gemmviz.domain.device import Device
from gemmviz.domain.kernels.occupancy_words import occupancy_words
from gemmviz.domain.kernels.resources import occupancy
from gemmviz.domain.runs.gauges import gauges_of
from gemmviz.domain.runs.result import Accuracy
from gemmviz.domain.spec import Params, format_params
from gemmviz.measure.bench import Bench, Inputs, Prepared, Watch, check_first_launch
from gemmviz.measure.cancel import never, unheard
from gemmviz.measure.clock import SystemClock
from gemmviz.measure.compare import ComparisonRule, compare
from gemmviz.measure.sampling import Launcher, MeasurementError, Sample
from gemmviz.measure.series import collect_in_turn
from gemmviz.measure.stopping import StoppingRule
from gpu_record.measured import Measured

LAUNCH_LIMIT_S = 60.0
WARM_S = 0.1
WARM_RUNS = 3
LEAST_PAIRS, MOST_PAIRS = 12, 400
"""From 12 pairs on the interval is one of blocks (`measure/compare.py`)."""
ALONE_PAIRS = 40


@dataclass(slots=True)
class Listener:
    """Takes cold samples and keeps them, the gauges beside each."""

    launcher: Launcher
    samples: list[Sample] = field(default_factory=list)

    def __call__(self) -> float:
        self.samples.append(self.launcher.cold())
        return self.samples[-1].kernel_ms


@dataclass(frozen=True, slots=True, eq=False)
class Rival:
    """A kernel on its device, checked once, ready to be launched."""

    kernel: Kernel
    params: Params
    ready: Prepared
    accuracy: Accuracy


def enter(bench: Bench, kernel: Kernel, params: Params, device: Device, inputs: Inputs, stack: ExitStack) -> Rival:
    """Build a kernel, launch it once, and check all of its result; the stack gives its memory back.

    Raises:
        Refusal, MemoryRefusal, BackendError, MeasurementError: it cannot be measured.
    """
    ready = bench.prepare(kernel, params, device, inputs, LAUNCH_LIMIT_S)
    stack.callback(ready.release)
    _, _, judged = check_first_launch(kernel, ready, inputs, Watch(), None)
    return Rival(kernel, params, ready, judged.accuracy)


def fastest(
    bench: Bench, kernel: Kernel, choices: Sequence[Params], device: Device, inputs: Inputs, seconds: float
) -> Params:
    """The choice with the least median of samples taken of all of them in turn, as a sweep of the program takes them:
    what is clearly slower leaves early, and what cannot be built takes no part. The first one where there is but one.

    Raises:
        MemoryRefusal, DeviceLostError, BackendError, MeasurementError: none of them can be measured.
    """
    if len(choices) < 2:
        return choices[0]
    with ExitStack() as stack:
        entered: list[tuple[Params, Launcher]] = []
        for params in choices:
            try:
                ready = bench.prepare(kernel, params, device, inputs, LAUNCH_LIMIT_S)
                stack.callback(ready.release)
                warm(ready.launcher, WARM_S / 2)
            except DeviceLostError:
                raise
            except (Refusal, BackendError, MeasurementError):
                if params == choices[-1] and not entered:
                    raise
                continue
            entered.append((params, ready.launcher))
        each = seconds / len(entered)
        rule = StoppingRule(min_seconds=each / 4, limit_seconds=each)
        series = collect_in_turn([one.cold for _, one in entered], rule, SystemClock(), never, unheard)
    medians = [float(np.median(one.kernel_ms)) for one in series]
    return entered[medians.index(min(medians))][0]


def warm(launcher: Launcher, seconds: float = WARM_S) -> float:
    """Launch by count and by time; the median of the last launches, in ms."""
    taken: list[float] = []
    begin = time.perf_counter()
    while len(taken) < WARM_RUNS or time.perf_counter() - begin < seconds:
        sample = launcher.cold()
        taken.append(sample.kernel_ms or sample.host_ms)
        if time.perf_counter() - begin > 20 * seconds:
            break
    return median(taken[-WARM_RUNS:])


def pairs_in(seconds: float, kernel_ms: float, library_ms: float, between_ms: float = 0.3) -> int:
    """How many pairs take about so long; decided before the first one, never while they come in.

    >>> pairs_in(1.0, 2.0, 2.4), pairs_in(1.0, 900.0, 3.0), pairs_in(1.0, 0.01, 0.01)
    (200, 12, 400)
    """
    whole_ms = kernel_ms + library_ms + 2 * between_ms
    return min(MOST_PAIRS, max(LEAST_PAIRS, int(1000.0 * seconds / whole_ms)))


def measure_pair(first: Rival, second: Rival | None, inputs: Inputs, seconds: float, tried: int) -> Measured:
    """Samples of a kernel and its library in turn, or of the kernel alone where it has no rival.

    Raises:
        BackendError, MeasurementError: as the launches.
    """
    listener = Listener(first.ready.launcher)
    own_ms = warm(first.ready.launcher)
    if second is None:
        for _ in range(min(ALONE_PAIRS, pairs_in(seconds, own_ms, 0.0))):
            listener()
        nothing = np.zeros(0)
        times, others, ratio, low, high = _times(listener), nothing, np.nan, np.nan, np.nan
    else:
        rival = Listener(second.ready.launcher)
        count = pairs_in(seconds, own_ms, warm(second.ready.launcher))
        found = compare(listener, rival, SystemClock(), ComparisonRule(pairs=count, limit_seconds=8 * seconds + 5.0))
        times, others = found.a_ms, found.b_ms
        ratio, low, high = 1.0 / found.ratio, 1.0 / found.high, 1.0 / found.low
    return _measured(first, second, inputs, listener, times, others, (ratio, low, high), tried)


def _times(listener: Listener) -> np.ndarray:
    return np.array([sample.kernel_ms for sample in listener.samples])


def _measured(
    first: Rival,
    second: Rival | None,
    inputs: Inputs,
    listener: Listener,
    times: np.ndarray,
    others: np.ndarray,
    ratio: tuple[float, float, float],
    tried: int,
) -> Measured:
    launcher = first.ready.launcher
    resources, gauges = launcher.compiled.resources, gauges_of([sample.reading for sample in listener.samples])
    fits = occupancy(resources, launcher.launch, launcher.device.device.gpu_facts)
    return Measured(
        kernel=first.kernel.id,
        size=str(inputs.shape),
        arithmetic=first.kernel.arithmetic.value,
        params=format_params(first.params),
        against=second.kernel.id if second is not None else "",
        build=launcher.compiled.build,
        kernel_ms=times,
        library_ms=others,
        ratio=ratio[0],
        low=ratio[1],
        high=ratio[2],
        clock_mhz=gauges.clock_mhz,
        throttled=gauges.throttled.astype(np.float64),
        registers=resources.registers,
        occupancy=occupancy_words(fits),
        error=first.accuracy.max_error_over_ug,
        bound=first.accuracy.bound,
        passed=first.accuracy.passed,
        method=first.accuracy.method,
        tried=tried,
    )

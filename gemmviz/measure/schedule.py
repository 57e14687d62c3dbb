"""The block schedule of one launch: the kernel stamps its blocks itself, once it is warm."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gemmviz.backends.base import BackendError, Buffer, HasVariables
from gemmviz.backends.compile_limit import compile_limit_s, within_limit
from gemmviz.catalogue.kernel import Kernel, Refusal
from gemmviz.catalogue.schedulable import why_not_by_kernel, why_not_on
from gemmviz.domain.device import Device
from gemmviz.domain.kernels.initial_c import poison
from gemmviz.domain.runs.schedule import BlockSchedule
from gemmviz.domain.spec import Params, RunSpec
from gemmviz.domain.terms import Mode
from gemmviz.measure.bench import Bench, Inputs, Matrix, Prepared, Watch
from gemmviz.measure.cancel import raise_if_cancelled
from gemmviz.measure.sampling import MeasurementError, Sampler
from gemmviz.measure.schedule_source import NO_STAMP, POINTER, WORDS, stamped_source
from gemmviz.measure.stopping import WarmUpRule
from gemmviz.measure.warmup import time_first_launch, warm_up

MOST_BLOCKS = 2**18
"""More blocks than anybody can tell apart, 5 MB in a session's file, and half a second until their slots are known."""

WARM_UP = WarmUpRule()


def record_schedule(
    bench: Bench,
    kernel: Kernel,
    params: Params,
    device: Device,
    inputs: Inputs,
    mode: Mode,
    limit_s: float,
    watch: Watch,
    warm_up_rule: WarmUpRule = WARM_UP,
) -> BlockSchedule:
    """Run the kernel as it is, then with stamps until it is warm, and keep the last launch.

    Needs of `inputs` the operands only.

    Raises:
        Refusal, MemoryRefusal: it cannot be recorded; nothing was launched.
        CompileError, LaunchError, DeviceLostError, BackendError: it failed on the device.
        MeasurementError: blocks left no stamp, or C is not bit by bit what it is without stamps.
        CancelledError: stopped.
    """
    lack = why_not_by_kernel(kernel) or why_not_on(device)
    if lack:
        raise Refusal(lack)
    blocks = kernel.plan(inputs.shape, params, device).launch.blocks
    if blocks > MOST_BLOCKS:
        raise Refusal(
            f"{kernel.id}: {blocks} blocks are too many to keep the stamps of each: at most {MOST_BLOCKS}; choose a "
            "smaller size or a larger tile"
        )
    plain = bench.prepare(kernel, params, device, inputs, limit_s, watch.say)
    try:
        wanted, plain_ms = _run_plain(kernel, plain, mode, watch, warm_up_rule)
    finally:
        plain.release()
    text = within_limit(lambda: stamped_source(kernel.path, kernel.text, kernel.entry), compile_limit_s(limit_s))
    stamped = replace(kernel, text=text)
    ready = bench.prepare(stamped, params, device, inputs, limit_s, watch.say)
    try:
        kept = _run_stamped(kernel, ready, mode, watch, warm_up_rule)
        _compare(kernel, ready.result(), wanted)
    finally:
        ready.release()
    return BlockSchedule(
        spec=RunSpec(
            kernel.id,
            inputs.shape,
            params,
            device.id,
            inputs.fill,
            inputs.seed,
            mode,
            ready.call.words,
            kernel.description,
        ),
        device=device,
        launch=ready.launcher.launch,
        resources=ready.launcher.compiled.resources,
        unit=kept.unit,
        start_ns=kept.start_ns,
        end_ns=kept.end_ns,
        launches_before=kept.launches_before,
        kernel_ms=kept.kernel_ms,
        plain_ms=plain_ms,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Kept:
    """The stamps of one launch, and its time."""

    unit: NDArray[np.int32]
    start_ns: NDArray[np.int64]
    end_ns: NDArray[np.int64]
    launches_before: int
    kernel_ms: float


def _sampler(ready: Prepared, mode: Mode) -> Sampler:
    return ready.launcher.cold if mode is Mode.COLD else ready.launcher.run


def _run_plain(kernel: Kernel, plain: Prepared, mode: Mode, watch: Watch, rule: WarmUpRule) -> tuple[Matrix, float]:
    """C of the kernel as it is, and its time when it is warm, in ms."""
    watch.say(f"{kernel.id}: running unchanged")
    first_ms = time_first_launch(plain.launcher)
    plain.refuse_overruns(kernel.id)
    wanted = plain.result()
    warmed = warm_up(_sampler(plain, mode), plain.launcher.clock, rule, first_ms, watch.should_cancel)
    watch.advance(0.4)
    return wanted, warmed.launch_ms


def _run_stamped(kernel: Kernel, ready: Prepared, mode: Mode, watch: Watch, rule: WarmUpRule) -> _Kept:
    launcher, blocks = ready.launcher, ready.launcher.launch.blocks
    device = launcher.device
    if not isinstance(device, HasVariables):
        raise BackendError(f"{kernel.id}: {device.device.name} cannot tell a kernel where to write its stamps")
    unstamped = np.tile(np.array([NO_STAMP, 0, NO_STAMP], np.uint64), blocks)
    stamps = unstamped.copy()
    buffer: Buffer = device.allocate(unstamped.nbytes)
    try:
        device.point(launcher.compiled, POINTER, buffer)
        device.upload(unstamped, buffer)
        watch.say(f"{kernel.id}: warming up with stamps")
        first_ms = time_first_launch(launcher)
        warmed = warm_up(_sampler(ready, mode), launcher.clock, rule, first_ms, watch.should_cancel)
        watch.advance(0.8)
        raise_if_cancelled(watch.should_cancel)
        watch.say(f"{kernel.id}: recording the schedule of {blocks} blocks")
        poison(ready.both_sides.c, ready.call.storage(ready.call.result).element)
        device.upload(ready.both_sides.c, ready.both_sides.c_buffer)  # what C begins as comes before each launch
        device.upload(unstamped, buffer)
        sample = _sampler(ready, mode)()
        device.download(buffer, stamps)
        for count, side in zip(device.overrun_bytes(buffer), ("before", "behind"), strict=True):
            if count:
                raise MeasurementError(f"{kernel.id}: {count} bytes {side} its stamps were overwritten")
        ready.refuse_overruns(kernel.id)
    finally:
        buffer.release()
    unit, start_ns, end_ns = _columns(kernel, stamps)
    return _Kept(unit, start_ns, end_ns, 1 + warmed.discarded, sample.kernel_ms)


def _columns(
    kernel: Kernel, stamps: NDArray[np.uint64]
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64]]:
    """SM, first and last stamp of each block, counted from the first of all."""
    start, end, unit = (stamps[word::WORDS] for word in range(WORDS))
    missing = int(np.count_nonzero((start == NO_STAMP) | (end == 0) | (unit == NO_STAMP)))
    if missing:
        raise MeasurementError(f"{kernel.id}: {missing} of {start.size} blocks left no stamp, so nothing was kept")
    backwards = int(np.count_nonzero(end < start))
    if backwards:
        raise MeasurementError(f"{kernel.id}: {backwards} blocks end before they start: the GPU's clock went backwards")
    first = start.min()
    return unit.astype(np.int32), (start - first).astype(np.int64), (end - first).astype(np.int64)


def _compare(kernel: Kernel, found: Matrix, wanted: Matrix) -> None:
    """See that stamping changed nothing in C."""
    different = int(np.count_nonzero(_bits(found) != _bits(wanted)))
    if different:
        raise MeasurementError(
            f"{kernel.id}: {different} of {found.size} elements of C differ from those without stamps; the schedule "
            "would describe other work, so nothing was kept"
        )


def _bits(c: NDArray[Any]) -> NDArray[np.uint32]:
    return np.ascontiguousarray(c).view(np.uint32)

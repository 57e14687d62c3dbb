"""One experiment: the same inputs for several kernels, each built, checked once and timed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from types import TracebackType

import numpy as np
from numpy.typing import NDArray

from gemmviz.backends.base import BackendError, Buffer, LaunchError, OpenDevice, Prints, Source
from gemmviz.backends.compile_limit import compile_limit_s
from gemmviz.backends.kernel_source import kernel_source
from gemmviz.backends.launch_arguments import fitted_call, launch_arguments
from gemmviz.backends.registry import backend_of
from gemmviz.catalogue.kernel import Kernel, Plan, Refusal
from gemmviz.domain.device import Device
from gemmviz.domain.kernels.call import Call
from gemmviz.domain.kernels.examined_sweep import digest_of
from gemmviz.domain.kernels.initial_c import count_poison
from gemmviz.domain.memory import check_memory, memory_needed
from gemmviz.domain.operands import Operands, make_operands
from gemmviz.domain.processes.host_memory import available_memory_bytes
from gemmviz.domain.runs.result import RunResult, Timing
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Params, RunSpec
from gemmviz.domain.stored import begun, stored, values_of
from gemmviz.domain.terms import Fill, InitialC, Mode
from gemmviz.measure.cancel import Fraction, ShouldCancel, never, unheard
from gemmviz.measure.check.judge import Exact, Judged, expected_of, judge
from gemmviz.measure.check.reference import Reference, build_reference, is_full_product_affordable
from gemmviz.measure.clock import Clock, SystemClock, elapsed_ms
from gemmviz.measure.floor import floor_ms
from gemmviz.measure.sampling import Launcher, Sample
from gemmviz.measure.stopping import StoppingRule
from gemmviz.measure.timing import emulated_timing, measure_kernel
from gemmviz.measure.trial import trial_for
from gemmviz.measure.whole_runs import HostAndDevice

Matrix = NDArray[np.float32]
"""Shape (M, N)."""


@dataclass(frozen=True, slots=True)
class Inputs:
    """What all runs of an experiment share; `reference` is None where a full product costs too much."""

    shape: Shape
    fill: Fill
    seed: int
    operands: Operands
    init_ms: float
    reference: Reference | None


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to measure a kernel, and how long one launch may take."""

    rule: StoppingRule = field(default_factory=StoppingRule)
    launch_limit_s: float = 60.0


Say = Callable[[str], None]


def unsaid(words: str) -> None:
    """The `say` of a run that nobody follows."""
    del words


@dataclass(frozen=True, slots=True)
class Watch:
    """How a person follows a run and stops it: words for the current step, the part of the budget spent."""

    say: Say = unsaid
    advance: Fraction = unheard
    should_cancel: ShouldCancel = never


def make_inputs(shape: Shape, fill: Fill, seed: int, clock: Clock | None = None) -> Inputs:
    """A, B and the float64 product they are judged by; `init_ms` is the time to make A and B.

    Raises:
        MemoryRefusal: they do not fit the host; nothing was allocated.
    """
    clock = clock if clock is not None else SystemClock()
    affordable = is_full_product_affordable(shape)
    need = memory_needed(shape, full_reference=affordable)
    check_memory(need, available_memory_bytes(), None, None, shares_host_memory=True)  # the CPU kernels' copies
    start_ns = clock.now_ns()
    operands = make_operands(shape, fill, seed)
    init_ms = elapsed_ms(start_ns, clock.now_ns())
    reference = build_reference(operands.a, operands.b) if affordable else None
    return Inputs(shape, fill, seed, operands, init_ms, reference)


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """A kernel that is built, and its operands on both sides."""

    launcher: Launcher
    both_sides: HostAndDevice
    compile_ms: float
    call: Call

    def result(self) -> Matrix:
        """The result of the last launch, partial sums added in order as the tutorials' host does; shape (M, N)."""
        partial = self.both_sides.c
        self.launcher.device.download(self.both_sides.c_buffer, partial)
        values = values_of(partial, self.call.storage(self.call.result))
        total: Matrix = values[0].copy()
        for part in values[1:]:
            total += part
        return total

    def unwritten(self) -> int:
        """How many elements of the result that `result` has brought nobody has written, as far as that can be seen."""
        return count_poison(self.both_sides.c, self.call.storage(self.call.result).element)

    def refuse_overruns(self, kernel_id: str) -> None:
        """See that the kernel wrote nothing next to its matrices.

        Raises:
            LaunchError: it did; which array, how many bytes, on which side.
        """
        for name, buffer in self.both_sides.buffers.items():
            for count, side in zip(self.launcher.device.overrun_bytes(buffer), ("before", "behind"), strict=True):
                if count:
                    raise LaunchError(
                        f"{kernel_id} writes outside its arrays: {count} bytes {side} {name} were overwritten; "
                        "a recording (`gemmviz trace`) names the line"
                    )

    def release(self) -> None:
        """Give the buffers back."""
        for buffer in self.both_sides.buffers.values():
            buffer.release()


class Bench:
    """Opens each device once and runs kernels on it; a context manager that releases them all."""

    def __init__(self, clock: Clock | None = None) -> None:
        self._clock = clock if clock is not None else SystemClock()
        self._open: dict[str, OpenDevice] = {}

    def __enter__(self) -> Bench:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None or issubclass(kind, Exception):
            for device in self._open.values():
                device.release()
        self._open.clear()  # after Ctrl-C a kernel may still run; releasing would wait for it

    def abandon(self) -> None:
        """Forget the devices without waiting for them: a kernel that never ends keeps one busy."""
        self._open.clear()

    def floor_ms(self, device: Device, limit_s: float) -> float:
        """The time of an empty kernel on a device that runs CUDA C, in ms.

        Raises:
            BackendError: the device cannot do that.
        """
        return floor_ms(self._opened(device), limit_s)

    def _opened(self, device: Device) -> OpenDevice:
        if device.id not in self._open:
            self._open[device.id] = backend_of(device).open(device)
        return self._open[device.id]

    def prepare(
        self, kernel: Kernel, params: Params, device: Device, inputs: Inputs, limit_s: float, say: Say = unsaid
    ) -> Prepared:
        """Build a kernel and bring the inputs to its device, C as its header says; to be released by the caller.

        Raises:
            Refusal, MemoryRefusal: it cannot run; nothing was launched.
            CompileError, BackendError: it failed on the device.
        """
        plan = kernel.plan(inputs.shape, params, device)
        if not kernel.runs_on_host:
            need = memory_needed(inputs.shape, plan.partial_sums, call=plan.call)
            check_memory(need, None, device.global_bytes, device.max_allocation_bytes)
        opened = self._opened(device)
        say(f"{kernel.id}: compiling")
        start_ns = self._clock.now_ns()
        source = replace(source_of(kernel, plan, device), limit_s=compile_limit_s(limit_s))
        compiled = opened.compile(
            source,
            plan.launch,
            trial_for(kernel, inputs.shape, params, device, plan, limit_s),
            lambda words: say(f"{kernel.id}: {words}"),
        )
        compile_ms = elapsed_ms(start_ns, self._clock.now_ns())
        launch = replace(
            plan.launch, static_shared_bytes=max(plan.launch.static_shared_bytes, compiled.static_shared_bytes)
        )
        if launch.shared_bytes > device.shared_bytes_per_block > 0:
            raise Refusal(
                f"{kernel.id}: {launch.shared_bytes} bytes of shared memory per block are too many: "
                f"{device.name} has {device.shared_bytes_per_block}"
            )
        call = fitted_call(plan.call, compiled, source)
        both_sides = _bring(opened, inputs.operands, plan, inputs.shape)
        arguments = launch_arguments(call, both_sides.buffers, plan.tensor_maps)
        begins = None
        if call.c_begins is not InitialC.UNDEFINED and not call.has_d:
            begins = both_sides.c.copy(), both_sides.c_buffer
        launcher = Launcher(opened, compiled, launch, arguments, self._clock, limit_s, begins)
        return Prepared(launcher, both_sides, compile_ms, call)

    def run(
        self,
        kernel: Kernel,
        params: Params,
        device: Device,
        inputs: Inputs,
        mode: Mode = Mode.COLD,
        patience: Patience | None = None,
        watch: Watch | None = None,
        exact: Exact | None = None,
    ) -> tuple[RunResult, Matrix]:
        """Build, launch, check and time one kernel: its result and its C. On an emulated device one launch is all.

        Raises:
            Refusal, MemoryRefusal: it cannot run; nothing was launched.
            CompileError, LaunchError, DeviceLostError, BackendError: it failed on the device.
            CancelledError: stopped before the first sample.
            MeasurementError: a clock cannot be trusted.
        """
        patience = patience if patience is not None else Patience()
        watch = watch if watch is not None else Watch()
        ready = self.prepare(kernel, params, device, inputs, patience.launch_limit_s, watch.say)
        try:
            first, c, judged = check_first_launch(kernel, ready, inputs, watch, exact)
            if device.is_emulated:
                timing = emulated_timing(first, mode, ready.compile_ms)
            else:
                watch.say(f"{kernel.id}: measuring")
                timing = measure_kernel(
                    ready.launcher,
                    ready.both_sides,
                    mode,
                    compile_ms=ready.compile_ms,
                    first_launch_ms=first.host_ms,
                    rule=patience.rule,
                    should_cancel=watch.should_cancel,
                    on_progress=watch.advance,
                )
        finally:
            ready.release()
        return run_result(kernel, params, ready, inputs, timing, judged), c


def check_first_launch(
    kernel: Kernel, ready: Prepared, inputs: Inputs, watch: Watch, exact: Exact | None
) -> tuple[Sample, Matrix, Judged]:
    """Launch once, and see that the result is right: the launch's times, C, and how far it is off.

    Raises:
        LaunchError, KernelTimeoutError, MeasurementError: as `Bench.run`.
    """
    limit_s = ready.launcher.limit_s
    watch.say(f"{kernel.id}: first launch" + (f", at most {limit_s:g} s" if limit_s is not None else ""))
    first = ready.launcher.run()
    ready.refuse_overruns(kernel.id)
    c = ready.result()
    watch.say(f"{kernel.id}: checking")
    expected = expected_of(kernel, ready.call, inputs.operands, inputs.reference)
    return first, c, judge(kernel, c, ready.call, expected, ready.unwritten(), exact)


def run_result(
    kernel: Kernel, params: Params, ready: Prepared, inputs: Inputs, timing: Timing, judged: Judged
) -> RunResult:
    """Everything about one run in one place."""
    device, launcher = ready.launcher.device.device, ready.launcher
    return RunResult(
        spec=RunSpec(
            kernel.id,
            inputs.shape,
            params,
            device.id,
            inputs.fill,
            inputs.seed,
            timing.mode,
            ready.call.words,
            kernel.description,
        ),
        device=device,
        arithmetic=kernel.arithmetic,
        launch=launcher.launch,
        build=launcher.compiled.build,
        timing=timing,
        accuracy=judged.accuracy,
        error_map=judged.error_map,
        resources=launcher.compiled.resources,
        printed=launcher.compiled.printed if isinstance(launcher.compiled, Prints) else "",
        source_digest=digest_of(kernel.file_text),
    )


def _bring(device: OpenDevice, operands: Operands, plan: Plan, shape: Shape) -> HostAndDevice:
    """The matrices as the kernel wants them stored, on the device; C as often as there are partial sums."""
    call = plan.call
    matrices = {
        "A": stored(operands.a, call.storage("A")),
        "B": stored(operands.b, call.storage("B")),
        **begun(call, shape, plan.partial_sums, operands),
    }
    buffers: dict[str, Buffer] = {}
    try:
        for name, array in matrices.items():
            buffers[name] = device.allocate(array.nbytes)
            device.upload(array, buffers[name])
    except BackendError:
        for buffer in buffers.values():
            buffer.release()
        raise
    return HostAndDevice(matrices["A"], matrices["B"], matrices[call.result], buffers, call.result)


def source_of(kernel: Kernel, plan: Plan, device: Device) -> Source:
    """What a backend compiles for a plan."""
    defines = plan.defines
    if kernel.threads:
        defines = (*defines, ("THREADS", device.compute_units if kernel.threads == "all" else 1))
    return kernel_source(kernel, replace(plan, defines=defines))

"""What is found out about a kernel file each time it is saved: what a compiler makes of it, what a block of it does,
and whether its result is right. No GPU is needed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from gemmviz.backends.base import BackendError, DeviceLostError, LaunchError
from gemmviz.backends.registry import find_device
from gemmviz.catalogue.gpus import target_of_machine
from gemmviz.catalogue.kernel import Kernel, Refusal
from gemmviz.compiler.source import CompilerMissingError
from gemmviz.domain.device import Device
from gemmviz.domain.kernels.kernel_version import Check, Compilation
from gemmviz.domain.kernels.resources import occupancy, shared_bytes_of
from gemmviz.domain.memory import MemoryRefusal
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Launch, Params
from gemmviz.domain.terms import Fill, Language
from gemmviz.engine.machine_code import compile_kernel, compile_task, has_machine_code
from gemmviz.engine.messages import Conditions, ExamineRequest, Job
from gemmviz.engine.recording import Block, record
from gemmviz.machine.faults import EndlessLoopError, LaunchCancelledError
from gemmviz.measure.bench import Bench, Watch, check_first_launch, make_inputs

MOST_ROWS, MOST_DEPTH = 1024, 256
"""Of the size that a block is recorded at: M and N, and K. A block of a usual kernel then takes less than 2 s."""
CHECKED = (Shape(65, 63, 67), Shape(64, 64, 64), Shape(128, 128, 128), Shape(256, 256, 256))
"""Sizes to check the result at, the first that a kernel takes: odd ones show a missing bound."""
PROVING = (
    *(Shape(1, 1, 1), Shape(69, 131, 37), Shape(65, 63, 67), Shape(5, 7, 1030)),
    *(Shape(128, 256, 64), Shape(192, 384, 96), Shape(64, 64, 1024), Shape(256, 256, 256)),
)
"""Sizes to check the result of an unproven setting at, those that a kernel takes: small, odd, of several blocks, with
long sums.
"""


def bounded(shape: Shape) -> Shape:
    """The size that a block is recorded at where a person has set up `shape`."""
    return Shape(min(shape.m, MOST_ROWS), min(shape.n, MOST_ROWS), min(shape.k, MOST_DEPTH))


def compiled(job: Job, conditions: Conditions, gpu: Device) -> Compilation | None:
    """What its compiler makes of a kernel for a GPU, which need not be there; None of a kernel in OpenCL C.

    It is the code that the PTX machine of the conditions executes, which is then not compiled twice.

    Raises:
        Refusal: the kernel cannot run there at that size.
        CompileError, CompilerMissingError, CompileTimeoutError: there is no code, and why.
    """
    if not has_machine_code(job.kernel.language):
        return None
    target = target_of_machine(find_device(conditions.device))
    task = compile_task(job, conditions.shape, gpu, conditions.launch_limit_s, target)
    code = compile_kernel(task)
    compiler, resources = f"{code.maker} {code.release}", code.resources
    shared, fits = shared_bytes_of(resources, task.launch), occupancy(resources, task.launch, gpu.gpu_facts)
    return Compilation(gpu.name, task.target, compiler, resources, shared, fits)


def recorded(job: Job, conditions: Conditions, block: Block, watch: Watch, code: Compilation | None) -> TraceRun:
    """One block of a kernel, recorded on the PTX machine that the conditions name: the one that is asked for, or the
    nearest that the grid has. It tells what the kernel takes as a compiler made its `code`, where one did.

    Raises:
        as `recording.record`.
    """
    device = find_device(conditions.device)
    plan = job.kernel.plan(conditions.shape, job.params, device)
    made = record(job, conditions, device, [_nearest(block, plan.launch)], watch)
    if code is None or not code.resources.are_known:
        return made
    return replace(made, resources=code.resources, compiler=f"{code.compiler} for {code.target}")


def checked(job: Job, conditions: Conditions, watch: Watch, *, proves: bool = False) -> Check:
    """The result of a kernel at the first size of CHECKED that it takes, or else at that of the conditions; of one
    whose sizes are unproven, at these alone. With `proves` at every size of PROVING that it takes, until one is wrong.
    A fault names the size.

    Raises:
        Refusal, MemoryRefusal, BackendError: it has no result, and why.
    """
    device = find_device(conditions.device)
    tried = () if job.kernel.is_unverified else CHECKED
    shapes = [_fitting(job.kernel, job.params, (*tried, conditions.shape), device)]
    if proves and not job.kernel.is_unverified:
        shapes = [one for one in PROVING if _takes(job.kernel, job.params, one, device)] or shapes
    for number, shape in enumerate(shapes):
        found = replace(_checked_at(shape, device, job, conditions, watch), right_before=tuple(shapes[:number]))
        if not found.passed:
            break
    return found


def _checked_at(shape: Shape, device: Device, job: Job, conditions: Conditions, watch: Watch) -> Check:
    """The result of a kernel at one size."""
    inputs = make_inputs(shape, Fill.UNIFORM, conditions.seed)
    with Bench() as bench:
        ready = bench.prepare(job.kernel, job.params, device, inputs, conditions.launch_limit_s, watch.say)
        try:
            _, _, judged = check_first_launch(job.kernel, ready, inputs, watch, None)
        except DeviceLostError:
            bench.abandon()
            raise
        except LaunchError as error:
            raise LaunchError(f"{error}; checked at {shape.words}") from error.__cause__
        finally:
            ready.release()
    found = judged.accuracy
    return Check(shape, found.passed, found.max_error_over_ug, found.bound, found.unwritten)


@dataclass(frozen=True, slots=True)
class NothingFound:
    """Nothing came of a stage: why, in a sentence. `is_out_of_time`: its time limit ended it."""

    reason: str
    is_out_of_time: bool = False


Stage = Compilation | TraceRun | Check | NothingFound
"""What came of a stage."""


def stages_of(work: ExamineRequest, watch: Watch) -> Iterator[Stage]:
    """What a request to examine a kernel asks for, as `examine` tells it."""
    found = examine(work.job, work.conditions, work.device, work.block, watch, proves=work.proves)
    return islice(found, 1) if work.only_compiles else found


def examine(
    job: Job, conditions: Conditions, gpu: Device, block: Block, watch: Watch, *, proves: bool = False
) -> Iterator[Stage]:
    """What can be found out about a kernel, one thing after the other. A stage that fails leaves the others their turn.
    With `proves` its result is checked at several sizes.

    Raises:
        CompileError, CompilerMissingError, Refusal: it does not compile, or cannot run at that size.
        DeviceLostError: it did not end.
        CancelledError: stopped.
    """
    conditions = replace(conditions, shape=_shape_for(job, conditions.shape, gpu))
    found, lacking = None, ""
    try:
        found = compiled(job, conditions, gpu)
    except CompilerMissingError as error:
        if job.kernel.language is Language.CUDA:
            raise
        lacking = f"Registers are not known: {error}"
    if found is not None:
        yield found
    for name, stage in (
        ("recorded", lambda: recorded(job, conditions, block, watch, found)),
        ("checked", lambda: checked(job, conditions, watch, proves=proves)),
    ):
        try:
            yield stage()
        except DeviceLostError:
            raise
        except (Refusal, MemoryRefusal, BackendError, ValueError) as error:
            if found is None:  # this is the first that a compiler says
                raise
            if isinstance(error.__cause__, EndlessLoopError) and name == "recorded":
                yield NothingFound(f"Not recorded or checked: {error}")
                break  # nor would its result be there
            is_out_of_time = isinstance(error.__cause__, LaunchCancelledError)
            yield NothingFound(f"Not {name}: {error}", is_out_of_time)
            if is_out_of_time:
                return  # it would not end the next time either
    if lacking:
        yield NothingFound(lacking)


def _shape_for(job: Job, wanted: Shape, gpu: Device) -> Shape:
    """A smaller size than is wanted, unless the kernel does not take it."""
    return _fitting(job.kernel, job.params, (bounded(wanted), wanted), gpu)


def _fitting(kernel: Kernel, params: Params, shapes: Sequence[Shape], device: Device) -> Shape:
    return next((shape for shape in shapes[:-1] if _takes(kernel, params, shape, device)), shapes[-1])


def _takes(kernel: Kernel, params: Params, shape: Shape, device: Device) -> bool:
    try:
        kernel.plan(shape, params, device)
    except Refusal:
        return False
    return True


def _nearest(block: Block, launch: Launch) -> Block:
    x, y, z = (min(place, size - 1) for place, size in zip(block, launch.grid, strict=True))
    return x, y, z

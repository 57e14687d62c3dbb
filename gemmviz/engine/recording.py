"""A recording from the choice of a device to its columns: what `gemmviz trace` and the worker have in common."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gemmviz.backends.base import DeviceLostError, LaunchError, OpenDevice
from gemmviz.backends.machine.device import MachineDevice
from gemmviz.backends.recording import recorder_for
from gemmviz.backends.registry import (
    MACHINE,
    NoDeviceError,
    backend_of,
    devices_for,
    emulated_devices,
    find_device,
)
from gemmviz.catalogue.kernel import Kernel, Plan
from gemmviz.catalogue.recordable import recording_device, records
from gemmviz.domain.clock import timestamp
from gemmviz.domain.device import Device
from gemmviz.domain.kernels.resources import NO_RESOURCES
from gemmviz.domain.memory import check_memory, memory_needed
from gemmviz.domain.operands import make_operands
from gemmviz.domain.processes.host_memory import available_memory_bytes
from gemmviz.domain.recordings.hazard import Hazard
from gemmviz.domain.recordings.trace_run import SiteCounts, StoredBlock, TraceRun, stored_block
from gemmviz.domain.recordings.variables import VariableValues
from gemmviz.domain.spec import Launch, RunSpec
from gemmviz.domain.terms import CodeForm
from gemmviz.engine.analysis.progress import CountingLimit, NumbaCompiling, words_of
from gemmviz.engine.machine_code import resources_of
from gemmviz.engine.messages import Conditions, Job
from gemmviz.measure.bench import Watch
from gemmviz.measure.cancel import raise_if_cancelled
from gemmviz.trace.analyse import Analysis, analyse
from gemmviz.trace.hazards.equal_writes import with_equal_writes
from gemmviz.trace.hazards.races.races import racing_accesses
from gemmviz.trace.merged_requests import attributed_accesses, merged_requests
from gemmviz.trace.recorder import BlocksSeen, Recorder
from gemmviz.trace.refusal import MAX_BYTES, RecordingRefusal
from gemmviz.trace.stored_values import StoredValues

Block = tuple[int, int, int]
"""x, y, z of a block in its grid."""

_C_ELEMENTS = 1 << 20
"""Elements of C, partial sums included, whose values are kept with a recording."""


class BlockOutsideError(ValueError):
    """A block that is not in the grid; the message begins with its x, y, z."""


def device_for_recording(
    kernel: Kernel, wanted: str | None = None, *, or_another: bool = False, form: CodeForm | None = None
) -> Device:
    """The device to record on: the one `wanted` names, else a GPU, else the PTX machine (`recording_device`).

    With `or_another` a device that does not record the kernel is passed over as if it had not been named. With a `form`
    the device records that form of the kernel.

    Raises:
        RecordingRefusal: the kernel runs on the CPU as Python, or a library's code; the device does not record it in
            that form.
        NoDeviceError: there is no such device, or no kernels are recorded on it.
    """
    if kernel.runs_on_host:
        raise RecordingRefusal(
            f"{kernel.id}: runs on the CPU as Python and has no accesses to record. Choose a GPU kernel"
        )
    if not kernel.has_accesses:
        raise RecordingRefusal(f"{kernel.id}: {kernel.library} does the work, and its accesses cannot be recorded")
    if form is CodeForm.AS_WRITTEN and not kernel.language.has_written_form:
        raise RecordingRefusal(
            f"{kernel.id}: it can be recorded as compiled only, because its compiler always optimises"
        )
    if wanted is not None:
        found = find_device(wanted)
        if records(found, kernel) and not records(found, kernel, form) and not or_another:
            raise RecordingRefusal(f"{kernel.id}: {found.id} does not record it {form}. Choose the PTX machine")
        of_language = (found.is_native_gpu or found.is_emulated) and kernel.language.runs_on_cuda
        if records(found, kernel, form) or (of_language and not or_another):
            return found  # what else the kernel needs its plan refuses
        if not or_another:
            raise NoDeviceError(f"{found.id} runs kernels but cannot record them: {_who_records(kernel)}")
    there = recording_device(kernel, (*devices_for(kernel.language), *emulated_devices()), form=form)
    if there is None:
        raise NoDeviceError(MACHINE.missing())
    return there


def device_for_both_forms(kernel: Kernel, wanted: str | None = None) -> Device:
    """The one device to record a kernel on as written and as compiled: the one that `wanted` names, else the PTX
    machine.

    Raises:
        RecordingRefusal, NoDeviceError: as `device_for_recording`, for either form.
    """
    machine = next(iter(emulated_devices()), None)
    named = machine.id if wanted is None and machine is not None else wanted
    device_for_recording(kernel, named, form=CodeForm.AS_WRITTEN)
    return device_for_recording(kernel, named, form=CodeForm.AS_COMPILED)


def _who_records(kernel: Kernel) -> str:
    if kernel.language.runs_on_cuda:
        return "leave out --device, or choose the PTX machine (--device machine) or an NVIDIA GPU with CUDA"
    return "leave out --device, or choose the PTX machine (--device machine)"


def record(
    job: Job,
    conditions: Conditions,
    device: Device,
    blocks: Sequence[Block],
    watch: Watch,
    *,
    keeps_traces: bool = True,
    compiles_for_run: bool = False,
) -> TraceRun:
    """Record some blocks and keep their traces, or without `blocks` the whole grid and keep its first block's. Without
    `keeps_traces` keep none, nor what machine code accesses: what was counted and found is told alone, and sooner.
    With `compiles_for_run` also tell what the kernel takes as optimised for a run.

    A cancel is heard while blocks run on the PTX machine, and between two batches of blocks on a GPU.

    Raises:
        BlockOutsideError: a block is not in the grid.
        Refusal, MemoryRefusal, RecordingRefusal, TagRefusal: it cannot be recorded.
        CompileError, LaunchError, DeviceLostError, BackendError: it failed on the device.
        CancelledError: stopped.
    """
    kernel = job.kernel
    plan = kernel.plan(conditions.shape, job.params, device)
    chosen = [index_of(block, plan.launch) for block in dict.fromkeys(blocks)]
    indices = np.array(chosen or range(plan.launch.blocks), np.int32)
    check_memory(
        memory_needed(conditions.shape, plan.partial_sums, full_reference=False, call=plan.call),
        available_memory_bytes(),
        device.global_bytes,
        device.max_allocation_bytes,
        shares_host_memory=not device.is_native_gpu,
    )
    where = f" on the {device.name}" if device.is_emulated else ""
    _say(watch, f"{kernel.id}: preparing to record {conditions.shape.words}{where}")
    opened = backend_of(device).open(device)
    if isinstance(opened, MachineDevice):
        opened.progress = lambda words: _say(watch, f"{kernel.id}: {words}")
    with ExitStack() as stack:
        stack.callback(opened.release)
        try:
            kept = (chosen or [0]) if keeps_traces else []
            with ThreadPoolExecutor(1) as beside:
                limit_s = conditions.launch_limit_s
                taken = (
                    beside.submit(resources_of, job, conditions.shape, device, limit_s) if compiles_for_run else None
                )
                made = _record(job, conditions, opened, plan, indices, kept, watch)
                resources, compiler = taken.result() if taken is not None else (NO_RESOURCES, "")
            return replace(made, resources=resources, compiler=compiler)
        except BaseException as error:
            if isinstance(error, DeviceLostError) or not isinstance(error, Exception):
                stack.pop_all()  # the device is busy, maybe for ever: releasing would wait for it
            raise


def record_forms(
    job: Job,
    conditions: Conditions,
    forms: Sequence[CodeForm | None],
    device: Device,
    blocks: Sequence[Block],
    watch: Watch,
) -> Iterator[TraceRun]:
    """One recording for each form, as `record` makes it, one after the other; `watch` hears of them as of one job."""
    for number, form in enumerate(forms):

        def advance(fraction: float, before: int = number) -> None:
            watch.advance((before + fraction) / len(forms))

        told = replace(watch, advance=advance)
        yield record(job, replace(conditions, form=form), device, blocks, told, compiles_for_run=True)


def index_of(block: Block, launch: Launch) -> int:
    """A block's linear index, x fastest.

    Raises:
        BlockOutsideError: it is not in the grid.
    """
    for axis, number, size in zip("xyz", block, launch.grid, strict=True):
        if not 0 <= number < size:
            grid = " x ".join(str(count) for count in launch.grid)
            raise BlockOutsideError(f"{format_block(block)}: the grid is {grid} blocks, so {axis} is 0 to {size - 1}")
    return block[0] + launch.grid[0] * (block[1] + launch.grid[1] * block[2])


def format_block(block: Block) -> str:
    """A block as a person writes it: "3,1,0"."""
    return ",".join(str(number) for number in block)


def _record(
    job: Job,
    conditions: Conditions,
    opened: OpenDevice,
    plan: Plan,
    indices: NDArray[np.int32],
    kept: list[int],
    watch: Watch,
) -> TraceRun:
    kernel, shape = job.kernel, conditions.shape
    operands = make_operands(shape, conditions.fill, conditions.seed)
    recorder = recorder_for(opened, kernel, plan, shape, operands, conditions.launch_limit_s, conditions.form)

    blocks, keeping = int(indices.size), len(kept)

    count = "1 block" if blocks == 1 else f"{blocks} blocks"
    _say(watch, f"{kernel.id}: recording {count} of {shape.words}")
    # A disassembler takes most of a second, as the recording does.
    with ThreadPoolExecutor(1) as beside, NumbaCompiling() as compiling:
        disassembling = beside.submit(lambda: recorder.machine if kept else None)
        limit = CountingLimit(conditions.launch_limit_s, blocks)

        def follow(seen: BlocksSeen) -> None:
            compiled = compiling.words()
            if seen.blocks < blocks:
                _say(watch, f"{kernel.id}: {compiled or words_of(seen, blocks)}")
                limit.check(seen, compiling.begun, is_compiling=bool(compiled))
            raise_if_cancelled(watch.should_cancel)
            watch.advance(seen.blocks / (blocks + keeping))  # each one that is kept runs once more

        analysis = analyse(recorder, indices, shape, follow)
    analysis = replace(analysis, hazards=_with_equal_writes(recorder, indices, analysis.hazards, watch))
    c, executed, printed = _stored_c(recorder), recorder.executed, recorder.printed
    waits, machine = recorder.repeated_waits, disassembling.result()
    spec = RunSpec(
        kernel.id,
        shape,
        job.params,
        opened.device.id,
        conditions.fill,
        conditions.seed,
        computes=recorder.call.words,
        description=kernel.description,
    )
    stored = _keep(recorder, kept, kernel, watch, blocks, analysis.hazards, with_values=conditions.values)
    made = _trace_run(job, opened.device, plan, recorder, analysis, stored, spec)
    made = replace(made, c=c, executed=executed, printed=printed, repeated_waits=waits, machine=machine)
    if machine is not None:
        machine = replace(machine, lines=attributed_accesses(made))
        machine = replace(machine, merged=merged_requests(replace(made, machine=machine)))
        made = replace(made, machine=machine)
    return replace(made, finished=timestamp())


def _with_equal_writes(
    recorder: Recorder, indices: NDArray[np.int32], hazards: tuple[Hazard, ...], watch: Watch
) -> tuple[Hazard, ...]:
    """The hazards, with writes of equal values told as such where what is written is known."""

    def follow(seen: BlocksSeen) -> None:
        del seen
        raise_if_cancelled(watch.should_cancel)

    def values_of(sites: frozenset[int]) -> StoredValues | None:
        _say(watch, "comparing the values that several threads write to one place")
        try:
            return recorder.stored_values(indices, sites, follow)
        except LaunchError:
            return None

    return with_equal_writes(hazards, recorder.instrumented.sites, values_of)


def _stored_c(recorder: Recorder) -> NDArray[np.float32]:
    """What the recorded blocks left in C, a copy of shape (n,); empty if there is much of it."""
    if recorder.c.size > _C_ELEMENTS:
        return np.zeros(0, np.float32)
    return recorder.c.reshape(-1).copy()


def _keep(
    recorder: Recorder,
    indices: list[int],
    kernel: Kernel,
    watch: Watch,
    before: int,
    hazards: Sequence[Hazard],
    *,
    with_values: bool,
) -> tuple[StoredBlock, ...]:
    """The traces of blocks, with what shared memory held, which accesses race and, where that is wanted, their
    variables; `before` blocks were recorded until now, in which the `hazards` were found.
    """
    found: list[StoredBlock] = []
    nbytes = 0
    for number, index in enumerate(indices):
        place = f", {number + 1} of {len(indices)}" if len(indices) > 1 else ""
        block = format_block(recorder.block_of(index))
        _say(watch, f"{kernel.id}: running block {block} once more to keep its accesses{place}")
        if with_values:
            trace, values = recorder.with_variables(index)
        else:
            trace, values = next(recorder.blocks(np.array([index], np.int32))), VariableValues()
        nbytes += trace.addresses.nbytes + values.nbytes
        if nbytes > MAX_BYTES:
            raise RecordingRefusal(
                f"{kernel.id}: the events of {len(indices)} blocks take more than {MAX_BYTES / 2**30:.0f} GiB to keep: "
                f"{number} of them fit. Choose fewer blocks or a smaller K"
            )
        racing = racing_accesses(trace, hazards)
        found.append(stored_block(replace(trace, snapshots=recorder.snapshots(index), racing=racing), values))
        watch.advance((before + number + 1) / (before + len(indices)))
    return tuple(found)


def _say(watch: Watch, words: str) -> None:
    raise_if_cancelled(watch.should_cancel)
    watch.say(words)


def _trace_run(
    job: Job,
    device: Device,
    plan: Plan,
    recorder: Recorder,
    analysis: Analysis,
    kept: tuple[StoredBlock, ...],
    spec: RunSpec,
) -> TraceRun:
    kernel, columns = job.kernel, analysis.columns
    return TraceRun(
        spec=spec,
        device=device,
        launch=plan.launch,
        source_name=kernel.shown.name,
        source_text=kernel.shown.text,
        sites=tuple(recorder.instrumented.sites),
        skipped=tuple(recorder.instrumented.skipped),
        arrays=recorder.arrays,
        counts=SiteCounts(
            columns.requests.copy(),
            columns.accesses.copy(),
            columns.sectors.copy(),
            columns.lines.copy(),
            columns.bytes_asked.copy(),
            columns.wavefronts.copy(),
            columns.ideal_wavefronts.copy(),
            columns.sent.copy(),
        ),
        hazards=analysis.hazards,
        a_loads=analysis.reuse.a.reshape(-1),
        b_loads=analysis.reuse.b.reshape(-1),
        blocks_recorded=analysis.blocks_recorded,
        accesses=analysis.accesses,
        seconds=analysis.seconds,
        blocks=kept,
        blocks_searched=analysis.blocks_searched,
        instrumented_text=recorder.instrumented.text,
    )

"""`gemmviz trace`: record a kernel's accesses, explain them, print or save."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np

from gemmviz import __version__
from gemmviz.backends.base import BackendError, KernelTimeoutError, OpenDevice
from gemmviz.backends.registry import NoDeviceError, backend_of, devices_for, find_device, how_to_get_a_device
from gemmviz.catalogue.kernel import Plan, Refusal
from gemmviz.cli.faults import FAILED, BadInputError, complain, leave_at_once
from gemmviz.cli.progress import Progress
from gemmviz.cli.request import TraceRequest
from gemmviz.cli.trace_document import trace_document
from gemmviz.cli.trace_report import print_trace
from gemmviz.domain.device import Device
from gemmviz.domain.host_memory import available_memory_bytes
from gemmviz.domain.memory import MemoryRefusal, check_memory, memory_needed
from gemmviz.domain.operands import make_operands
from gemmviz.domain.result import Session
from gemmviz.domain.session import SessionError, save_session
from gemmviz.domain.spec import Launch, RunSpec
from gemmviz.domain.terms import Language
from gemmviz.domain.trace_run import SiteCounts, StoredBlock, TraceRun, stored_block
from gemmviz.trace.analyse import Analysis, analyse
from gemmviz.trace.record import Recorder, RecordingRefusal, recorder_for
from gemmviz.trace.tags import TagRefusal


def trace_and_print(request: TraceRequest, as_json: bool) -> int:
    """Record, save if asked to, print; the exit code.

    Raises:
        BadInputError: what was asked for cannot be recorded.
    """
    device = _device(request)
    try:
        plan, indices = _plan(request, device)
    except Refusal as error:
        raise BadInputError(str(error)) from error
    kernel, _ = request.run.jobs[0]
    with Progress(1) as progress:
        progress.next()
        progress.say(f"{kernel.id}: recording {request.run.shape}")
        try:
            opened = backend_of(device).open(device)
            run = _record(request, opened, plan, indices, progress)
        except (RecordingRefusal, TagRefusal) as error:
            raise BadInputError(str(error)) from error
        except KernelTimeoutError as error:
            complain(f"{kernel.id}: {error}")
            progress.stop()
            leave_at_once(FAILED)
        except BackendError as error:
            complain(f"{kernel.id}: {error}")
            return FAILED
    code = _save(request, device, run)
    if as_json:
        print(json.dumps(trace_document(run), indent=2, allow_nan=False))
    else:
        print_trace(run)
    return code


def _device(request: TraceRequest) -> Device:
    language = request.run.jobs[0][0].language
    if language is Language.PYTHON:
        raise BadInputError(
            f"--kernel {request.run.jobs[0][0].id}: runs on the CPU as Python and has no accesses to record; "
            "choose a GPU kernel"
        )
    try:
        found = find_device(request.run.device) if request.run.device is not None else None
    except NoDeviceError as error:
        raise BadInputError(f"--device {error}") from error
    if found is not None and found.backend == "host":
        raise BadInputError(
            f"--device {found.id}: kernels are recorded on OpenCL devices; `gemmviz devices` lists them"
        )
    candidates = [d for d in devices_for(language) if d.embedded] or list(devices_for(language))
    if found is None and not candidates:
        raise BadInputError(how_to_get_a_device())
    return found if found is not None else candidates[0]


def _plan(request: TraceRequest, device: Device) -> tuple[Plan, np.ndarray]:
    kernel, params = request.run.jobs[0]
    plan = kernel.plan(request.run.shape, params, device)
    if request.block is None:
        return plan, np.arange(plan.launch.blocks, dtype=np.int32)
    return plan, np.array([_index(request.block, plan.launch)], np.int32)


def _index(block: tuple[int, int, int], launch: Launch) -> int:
    for axis, number, most in zip("xyz", block, launch.grid, strict=True):
        if number >= most:
            grid = " x ".join(str(size) for size in launch.grid)
            raise BadInputError(
                f"--block {','.join(str(n) for n in block)}: the grid is {grid} blocks, so {axis} is 0 to {most - 1}"
            )
    return block[0] + launch.grid[0] * (block[1] + launch.grid[1] * block[2])


def _record(request: TraceRequest, opened: OpenDevice, plan: Plan, indices: np.ndarray, progress: Progress) -> TraceRun:
    kernel, params = request.run.jobs[0]
    shape, fill, seed = request.run.shape, request.run.fill, request.run.seed
    try:
        check_memory(
            memory_needed(shape, plan.partial_sums, full_reference=False), available_memory_bytes(),
            opened.device.global_bytes, opened.device.max_allocation_bytes, shares_host_memory=True,
        )  # fmt: skip
    except MemoryRefusal as error:
        raise BadInputError(f"--size {shape}: {error}") from error
    operands = make_operands(shape, fill, seed)
    recorder = recorder_for(opened, kernel, plan, shape, operands, request.run.time_limit_s)
    analysis = analyse(recorder, indices, shape, progress.advance)
    kept = _kept(recorder, indices)
    return _run(request, opened.device, plan, recorder, analysis, kept, RunSpec(
        kernel.id, shape, params, opened.device.id, fill, seed
    ))  # fmt: skip


def _kept(recorder: Recorder, indices: np.ndarray) -> tuple[StoredBlock, ...]:
    """The trace of one block, with what shared memory held; of a whole grid, of its first."""
    index = int(indices[0])
    trace = next(recorder.blocks(np.array([index], np.int32)))
    return (stored_block(replace(trace, snapshots=recorder.snapshots(index))),)


def _run(
    request: TraceRequest, device: Device, plan: Plan, recorder: Recorder, analysis: Analysis,
    kept: tuple[StoredBlock, ...], spec: RunSpec,
) -> TraceRun:  # fmt: skip
    kernel = request.run.jobs[0][0]
    columns = analysis.columns
    return TraceRun(
        spec=spec, device=device, launch=plan.launch, source_name=kernel.path.name, source_text=kernel.text,
        keeps_barriers=recorder.instrumented.keeps_barriers, sites=tuple(recorder.instrumented.sites),
        skipped=tuple(recorder.instrumented.skipped), arrays=recorder.arrays,
        counts=SiteCounts(
            columns.requests.copy(), columns.accesses.copy(), columns.sectors.copy(), columns.lines.copy(),
            columns.bytes_asked.copy(), columns.wavefronts.copy(), columns.ideal_wavefronts.copy(),
        ),
        hazards=analysis.hazards, a_loads=analysis.reuse.a.reshape(-1), b_loads=analysis.reuse.b.reshape(-1),
        blocks_recorded=analysis.blocks_recorded, accesses=analysis.accesses, seconds=analysis.seconds, blocks=kept,
    )  # fmt: skip


def _save(request: TraceRequest, device: Device, run: TraceRun) -> int:
    if request.run.out is None:
        return 0
    session = Session(
        created=datetime.now(UTC).isoformat(timespec="seconds"), program_version=__version__, device=device,
        init_ms=0.0, traces=(run,),
    )  # fmt: skip
    try:
        save_session(session, request.run.out)
    except SessionError as error:
        complain(f"--out {request.run.out}: {error}")
        return FAILED
    return 0

"""`gemmviz trace`: record a kernel's accesses, explain them, print or save."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from gemmviz import __version__
from gemmviz.catalogue.kernel import Refusal
from gemmviz.catalogue.recordable import kept_blocks
from gemmviz.cli.export.overwriting import save_if_asked
from gemmviz.cli.faults import HAZARDS, BadInputError
from gemmviz.cli.guarded.guard import record_guarded
from gemmviz.cli.one_job import RECORDING, device_asked_for, do_job
from gemmviz.cli.run.request import TraceRequest
from gemmviz.cli.terminal import print_json
from gemmviz.cli.trace.document import trace_document
from gemmviz.cli.trace.forms_document import forms_document
from gemmviz.cli.trace.forms_report import print_forms
from gemmviz.cli.trace.report import Block, print_trace
from gemmviz.cli.trace.values import print_values, values_entry, values_of
from gemmviz.domain.clock import timestamp
from gemmviz.domain.device import Device
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import Session
from gemmviz.domain.shape import Shape
from gemmviz.engine.messages import Conditions, Job
from gemmviz.engine.recording import BlockOutsideError, device_for_both_forms, device_for_recording, record_forms
from gemmviz.explain.forms.comparison import compare_forms


def trace_and_print(request: TraceRequest, as_json: bool) -> int:
    """Record, save if asked to, print; the exit code, HAZARDS where the recording has some and was saved as asked.

    Raises:
        BadInputError: what was asked for cannot be recorded.
        FailedError: recording it failed.
    """
    session = record_accesses(request)
    found = values_of(session.traces[0], request.thread) if request.thread is not None else None
    code = save_if_asked(session, request.run.out, may_replace=request.run.force)
    block = request.block if session.traces[0].blocks_recorded == 1 else None
    if as_json:
        values = {} if found is None else {"values": values_entry(found)}
        print_json(_document(session.traces, block) | values)
    elif len(session.traces) == 1:
        print_trace(session.traces[0], block)
    else:
        print_forms(compare_forms(*session.traces), block)
    if found is not None and not as_json:
        print_values(found)
    is_faulty = any(not one.kind.is_of_equal_values for run in session.traces for one in run.hazards)
    return code or (HAZARDS if is_faulty else 0)


def _document(traces: tuple[TraceRun, ...], block: Block | None) -> dict[str, Any]:
    return trace_document(traces[0], block) if len(traces) == 1 else forms_document(compare_forms(*traces), block)


def record_accesses(request: TraceRequest, *, is_guarded: bool = False) -> Session:
    """A session with a recording for each form and nothing else; a person's own kernel is recorded in a process of its
    own, unless this is that process.

    Raises:
        BadInputError: what was asked for cannot be recorded.
        FailedError: recording it failed.
    """
    wanted = request.run
    job = Job(*wanted.jobs[0])
    with device_asked_for(wanted.device):
        if len(request.forms) == 1:
            device = device_for_recording(job.kernel, wanted.device, form=request.forms[0])
        else:
            device = device_for_both_forms(job.kernel, wanted.device)
    conditions = Conditions(
        wanted.shape,
        wanted.fill,
        wanted.seed,
        device=device.id,
        launch_limit_s=wanted.time_limit_s,
        values=request.keeps_values,
    )
    blocks = _all_kept(job, wanted.shape, device) if request.block is None else (request.block,)
    try:
        runs = do_job(
            job,
            wanted.shape,
            RECORDING,
            lambda watch: tuple(record_forms(job, conditions, request.forms, device, blocks, watch)),
            None if is_guarded else lambda: record_guarded(request, job.kernel, job.params, device.id),
        )
    except BlockOutsideError as error:
        raise BadInputError(f"--block {error}") from error
    return Session(timestamp(), __version__, device, 0.0, traces=runs)


def _all_kept(job: Job, shape: Shape, device: Device) -> tuple[Block, ...]:
    """The blocks of a small grid, so that each is kept; none of another, or where there is no launch."""
    try:
        return kept_blocks(job.kernel.plan(shape, job.params, device).launch.grid, shape)
    except Refusal:
        return ()  # recording it says why


def without_blocks(session: Session) -> Session:
    """A session whose recordings have their figures, and no events of single blocks."""
    return replace(session, traces=tuple(replace(trace, blocks=()) for trace in session.traces))

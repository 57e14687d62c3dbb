"""`gemmviz trace`: record a kernel's accesses, explain them, print or save."""

from __future__ import annotations

from dataclasses import replace

from gemmviz import __version__
from gemmviz.cli.faults import HAZARDS, BadInputError
from gemmviz.cli.guard import record_guarded
from gemmviz.cli.one_job import device_asked_for, do_job
from gemmviz.cli.overwriting import save_if_asked
from gemmviz.cli.request import TraceRequest
from gemmviz.cli.terminal import print_json
from gemmviz.cli.trace_document import trace_document
from gemmviz.cli.trace_report import print_trace
from gemmviz.cli.trace_values import print_values, values_entry, values_of
from gemmviz.domain.result import Session
from gemmviz.engine.jobs import utc_now
from gemmviz.engine.messages import Conditions, Job
from gemmviz.engine.recording import BlockOutsideError, device_for_recording, record


def trace_and_print(request: TraceRequest, as_json: bool) -> int:
    """Record, save if asked to, print; the exit code, HAZARDS where the recording has some and was saved as asked.

    Raises:
        BadInputError: what was asked for cannot be recorded.
        FailedError: recording it failed.
    """
    session = record_accesses(request)
    (run,) = session.traces
    found = values_of(run, request.thread) if request.thread is not None else None
    code = save_if_asked(session, request.run.out, may_replace=request.run.force)
    block = request.block if run.blocks_recorded == 1 else None
    if as_json:
        values = {} if found is None else {"values": values_entry(found)}
        print_json(trace_document(run, block) | values)
    else:
        print_trace(run, block)
        if found is not None:
            print_values(found)
    return code or (HAZARDS if run.hazards else 0)


def record_accesses(request: TraceRequest, *, is_guarded: bool = False) -> Session:
    """A session with the recording and nothing else; a person's own kernel is recorded in a process of its own, unless
    this is that process.

    Raises:
        BadInputError: what was asked for cannot be recorded.
        FailedError: recording it failed.
    """
    wanted = request.run
    job = Job(*wanted.jobs[0])
    with device_asked_for(wanted.device):
        device = device_for_recording(job.kernel, wanted.device, form=request.form)
    conditions = Conditions(
        wanted.shape, wanted.fill, wanted.seed, device=device.id, launch_limit_s=wanted.time_limit_s,
        form=request.form, values=request.keeps_values,
    )  # fmt: skip
    blocks = () if request.block is None else (request.block,)
    try:
        run = do_job(
            job,
            wanted.shape,
            "recording",
            lambda watch: record(job, conditions, device, blocks, watch),
            None if is_guarded else lambda: record_guarded(request, job.kernel, job.params, device.id),
        )
    except BlockOutsideError as error:
        raise BadInputError(f"--block {error}") from error
    return Session(utc_now(), __version__, device, 0.0, traces=(run,))


def without_blocks(session: Session) -> Session:
    """A session whose recordings have their figures, and no events of single blocks."""
    return replace(session, traces=tuple(replace(trace, blocks=()) for trace in session.traces))

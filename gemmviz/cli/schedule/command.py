"""`gemmviz schedule`: which multiprocessor ran which block of a launch, and when; printed or saved."""

from __future__ import annotations

from typing import Any

from gemmviz import __version__
from gemmviz.cli.export.overwriting import save_if_asked
from gemmviz.cli.faults import BadInputError
from gemmviz.cli.guarded.guard import schedule_guarded
from gemmviz.cli.one_job import device_asked_for, do_job
from gemmviz.cli.run.request import CheckedRun, read_request
from gemmviz.cli.schedule.report import print_schedule, schedule_document
from gemmviz.cli.terminal import print_json, report_terminal
from gemmviz.domain.clock import timestamp
from gemmviz.domain.runs.result import Session
from gemmviz.engine.messages import Conditions, Job
from gemmviz.engine.scheduling import device_for_schedule, schedule


def read_schedule_request(**given: Any) -> CheckedRun:
    """Check every option of `gemmviz schedule`.

    Raises:
        BadInputError: as `read_request`, or several kernels or sets of parameters.
    """
    request = read_request(preset=None, budget=1.0, run_python=True, **given)
    if len(request.jobs) != 1:
        option = "--param" if len({kernel.id for kernel, _ in request.jobs}) == 1 else "--kernel"
        raise BadInputError(f"{option}: one kernel with one set of parameters is recorded at a time; give one of each")
    return request


def schedule_and_print(request: CheckedRun, as_json: bool) -> int:
    """Record, save if asked to, print; the exit code.

    Raises:
        BadInputError: what was asked for cannot be recorded.
        FailedError: recording it failed.
    """
    session = record_schedule(request)
    (found,) = session.schedules
    code = save_if_asked(session, request.out, may_replace=request.force)
    if as_json:
        print_json(schedule_document(found))
    else:
        print_schedule(report_terminal(), found)
    return code


def record_schedule(request: CheckedRun, *, is_guarded: bool = False) -> Session:
    """A session with the schedule and nothing else; that of a person's own kernel is recorded in a process of its own,
    unless this is that process.

    Raises:
        BadInputError: what was asked for cannot be recorded.
        FailedError: recording it failed.
    """
    job = Job(*request.jobs[0])
    with device_asked_for(request.device):
        device = device_for_schedule(job.kernel, request.device)
    conditions = Conditions(
        request.shape, request.fill, request.seed, request.mode, device.id, launch_limit_s=request.time_limit_s
    )
    found = do_job(
        job,
        request.shape,
        "running",
        lambda watch: schedule(job, conditions, device, watch),
        None if is_guarded else lambda: schedule_guarded(request, job.kernel, job.params),
    )
    return Session(timestamp(), __version__, found.device, 0.0, schedules=(found,))

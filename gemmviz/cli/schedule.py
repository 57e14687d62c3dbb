"""`gemmviz schedule`: which multiprocessor ran which block of a launch, and when; printed or saved."""

from __future__ import annotations

import os
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from gemmviz import __version__
from gemmviz.catalogue.kernel import Kernel
from gemmviz.cli.faults import BadInputError
from gemmviz.cli.guard import INSIDE, start_guarded, words_for
from gemmviz.cli.one_job import device_asked_for, do_job
from gemmviz.cli.overwriting import save_if_asked
from gemmviz.cli.request import Request, read_request
from gemmviz.cli.schedule_report import print_schedule, schedule_document
from gemmviz.cli.terminal import print_json, report_terminal
from gemmviz.domain.result import Session
from gemmviz.domain.schedule import BlockSchedule
from gemmviz.domain.spec import Params
from gemmviz.engine.jobs import utc_now
from gemmviz.engine.messages import Conditions, Job
from gemmviz.engine.scheduling import device_for_schedule, schedule

_CRASH = "most likely the kernel reads or writes outside its arrays; `gemmviz trace` names the line"


def read_schedule_request(**given: Any) -> Request:
    """Check every option of `gemmviz schedule`.

    Raises:
        BadInputError: as `read_request`, or several kernels or sets of parameters.
    """
    request = read_request(preset=None, budget=1.0, **given)
    if len(request.jobs) != 1:
        option = "--param" if len({kernel.id for kernel, _ in request.jobs}) == 1 else "--kernel"
        raise BadInputError(f"{option}: the blocks of one kernel with one set of parameters are watched at a time")
    return request


def schedule_and_print(request: Request, as_json: bool) -> int:
    """Record, save if asked to, print; the exit code.

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
        job, request.shape, "running", lambda watch: schedule(job, conditions, device, watch),
        lambda: _guarded(request, job.kernel, job.params),
    )  # fmt: skip
    session = Session(utc_now(), __version__, found.device, 0.0, schedules=(found,))
    code = save_if_asked(session, request.out, may_replace=request.force)
    if INSIDE in os.environ:
        return code
    if as_json:
        print_json(schedule_document(found))
    else:
        print_schedule(report_terminal(), found)
    return code


def _guarded(request: Request, kernel: Kernel, params: Params) -> BlockSchedule:
    """The schedule of a person's own kernel, recorded in a process of its own.

    Raises:
        GuardedError: it crashed, or cannot be recorded.
    """
    with tempfile.TemporaryDirectory(prefix="gemmviz-") as folder:
        saved = Path(folder) / "schedule.gemmviz"
        words = ["schedule", *words_for(request, kernel, [params]), "--mode", request.mode, "--out", str(saved)]
        session, _ = start_guarded(words, {INSIDE: "1"}, saved, None, _CRASH)
    (found,) = session.schedules
    return replace(found, spec=replace(found.spec, kernel=kernel.id))

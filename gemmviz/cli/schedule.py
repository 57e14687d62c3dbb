"""`gemmviz schedule`: which multiprocessor ran which block of a launch, and when; printed or saved."""

from __future__ import annotations

import json
import os
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from gemmviz import __version__
from gemmviz.backends.base import BackendError, DeviceLostError
from gemmviz.backends.registry import NoDeviceError
from gemmviz.catalogue.kernel import Kernel, Refusal
from gemmviz.cli.faults import FAILED, BadInputError, complain, leave_at_once
from gemmviz.cli.guard import INSIDE, GuardedError, needs_guard, start_guarded, words_for
from gemmviz.cli.output import kernels_kept_quiet, report_console
from gemmviz.cli.progress import Progress
from gemmviz.cli.request import Request, read_request
from gemmviz.cli.schedule_report import print_schedule, schedule_document
from gemmviz.domain.device import Device
from gemmviz.domain.memory import MemoryRefusal
from gemmviz.domain.result import Session
from gemmviz.domain.schedule import BlockSchedule
from gemmviz.domain.session import SessionError, save_session
from gemmviz.domain.spec import Params
from gemmviz.engine.jobs import utc_now
from gemmviz.engine.messages import Conditions, Job
from gemmviz.engine.scheduling import device_for_schedule, schedule
from gemmviz.measure.bench import Watch
from gemmviz.measure.sampling import MeasurementError
from gemmviz.resources import resource_folder

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
    """
    job = Job(*request.jobs[0])
    device = _device(job.kernel, request.device)
    conditions = Conditions(
        request.shape, request.fill, request.seed, request.mode, device.id, launch_limit_s=request.time_limit_s
    )
    with Progress(1) as progress:
        progress.next()
        try:
            if needs_guard(job.kernel, resource_folder("kernels")):
                progress.say(f"{job.kernel.id}: running in a process of its own")
                found = _guarded(request, job.kernel, job.params)
            else:
                with kernels_kept_quiet():
                    found = schedule(job, conditions, device, Watch(progress.say, progress.advance))
        except GuardedError as error:
            reason = str(error).removeprefix(f"{job.kernel.path.stem}: ")
            if error.is_bad_input:
                raise BadInputError(reason) from error
            complain(f"{job.kernel.id}: {reason}")
            return FAILED
        except MemoryRefusal as error:
            raise BadInputError(f"--size {request.shape}: {error}") from error
        except Refusal as error:
            raise BadInputError(str(error)) from error
        except DeviceLostError as error:
            complain(f"{job.kernel.id}: {error}")
            progress.stop()
            leave_at_once(FAILED)
        except (BackendError, MeasurementError) as error:
            complain(f"{job.kernel.id}: {str(error).removeprefix(f'{job.kernel.id}: ')}")
            return FAILED
    code = _save(request.out, found)
    if INSIDE in os.environ:
        return code
    if as_json:
        print(json.dumps(schedule_document(found), indent=2, allow_nan=False))
    else:
        print_schedule(report_console(), found)
    return code


def _device(kernel: Kernel, wanted: str | None) -> Device:
    try:
        return device_for_schedule(kernel, wanted)
    except Refusal as error:
        raise BadInputError(f"--kernel {error}") from error
    except NoDeviceError as error:
        raise BadInputError(str(error) if wanted is None else f"--device {error}") from error


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


def _save(out: Path | None, found: BlockSchedule) -> int:
    if out is None:
        return 0
    try:
        save_session(Session(utc_now(), __version__, found.device, 0.0, schedules=(found,)), out)
    except SessionError as error:
        complain(f"--out {out}: {error}")
        return FAILED
    return 0

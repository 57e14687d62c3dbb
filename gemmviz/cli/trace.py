"""`gemmviz trace`: record a kernel's accesses, explain them, print or save."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime

from gemmviz import __version__
from gemmviz.backends.base import BackendError, DeviceLostError
from gemmviz.backends.registry import NoDeviceError
from gemmviz.catalogue.kernel import Refusal
from gemmviz.cli.faults import FAILED, BadInputError, complain, leave_at_once
from gemmviz.cli.guard import INSIDE, GuardedError, needs_guard
from gemmviz.cli.output import kernels_kept_quiet
from gemmviz.cli.progress import Progress
from gemmviz.cli.request import TraceRequest
from gemmviz.cli.trace_document import trace_document
from gemmviz.cli.trace_guard import as_handed_over, record_guarded
from gemmviz.cli.trace_report import print_trace
from gemmviz.domain.device import Device
from gemmviz.domain.memory import MemoryRefusal
from gemmviz.domain.result import Session
from gemmviz.domain.session import SessionError, save_session
from gemmviz.domain.trace_run import TraceRun
from gemmviz.engine.messages import Conditions, Job
from gemmviz.engine.recording import BlockOutsideError, device_for_recording, record
from gemmviz.measure.bench import Watch
from gemmviz.resources import resource_folder
from gemmviz.trace.record import RecordingRefusal
from gemmviz.trace.tags import TagRefusal


def trace_and_print(request: TraceRequest, as_json: bool) -> int:
    """Record, save if asked to, print; the exit code.

    Raises:
        BadInputError: what was asked for cannot be recorded.
    """
    wanted = request.run
    device = _device(request)
    job = Job(*wanted.jobs[0])
    conditions = Conditions(
        wanted.shape, wanted.fill, wanted.seed, device=device.id, launch_limit_s=wanted.time_limit_s
    )  # fmt: skip
    blocks = () if request.block is None else (request.block,)
    with Progress(1) as progress:
        progress.next()
        try:
            if needs_guard(job.kernel, resource_folder("kernels")):
                progress.say(f"{job.kernel.id}: recording in a process of its own")
                run = record_guarded(request, job.kernel, job.params)
            else:
                with kernels_kept_quiet():
                    run = record(job, conditions, device, blocks, Watch(progress.say, progress.advance))
        except GuardedError as error:
            reason = str(error).removeprefix(f"{job.kernel.path.stem}: ")
            if error.is_bad_input:
                raise BadInputError(reason) from error
            complain(f"{job.kernel.id}: {reason}")
            return FAILED
        except BlockOutsideError as error:
            raise BadInputError(f"--block {error}") from error
        except MemoryRefusal as error:
            raise BadInputError(f"--size {wanted.shape}: {error}") from error
        except (Refusal, RecordingRefusal, TagRefusal) as error:
            raise BadInputError(str(error)) from error
        except DeviceLostError as error:
            complain(f"{job.kernel.id}: {error}")
            progress.stop()
            leave_at_once(FAILED)
        except BackendError as error:
            complain(f"{job.kernel.id}: {error}")
            return FAILED
    code = _save(request, device, as_handed_over(run))
    if INSIDE in os.environ:
        return code
    block = request.block if run.blocks_recorded == 1 else None
    if as_json:
        print(json.dumps(trace_document(run, block), indent=2, allow_nan=False))
    else:
        print_trace(run, block)
    return code


def _device(request: TraceRequest) -> Device:
    wanted = request.run.device
    try:
        return device_for_recording(request.run.jobs[0][0], wanted)
    except RecordingRefusal as error:
        raise BadInputError(f"--kernel {error}") from error
    except NoDeviceError as error:
        raise BadInputError(str(error) if wanted is None else f"--device {error}") from error


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

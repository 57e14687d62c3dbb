"""What commands share: the device asked for, one job guarded where need be, faults in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from gemmviz.backends.base import BackendError, DeviceLostError
from gemmviz.backends.registry import NoDeviceError
from gemmviz.catalogue.kernel import Kernel, Refusal
from gemmviz.cli.faults import FAILED, BadInputError, FailedError, complain, leave_at_once
from gemmviz.cli.guard import GuardedError, needs_guard
from gemmviz.cli.output import kernels_kept_quiet
from gemmviz.cli.progress import Progress
from gemmviz.domain.memory import MemoryRefusal
from gemmviz.domain.shape import Shape
from gemmviz.engine.jobs import without_name
from gemmviz.engine.messages import Job
from gemmviz.measure.bench import Watch
from gemmviz.measure.sampling import MeasurementError
from gemmviz.resources import resource_folder
from gemmviz.trace.recorder import RecordingRefusal
from gemmviz.trace.tags import TagRefusal

Found = TypeVar("Found")


def do_job(job: Job, shape: Shape, doing: str, here: Callable[[Watch], Found], apart: Callable[[], Found]) -> Found:
    """What `here` finds in this process or, of a person's own kernel, `apart` in one of its own ("recording in …").

    A device that is lost ends the process at once.

    Raises:
        BadInputError: it cannot be done with this kernel, these parameters or this size.
        FailedError: it was tried and failed.
    """
    kernel = job.kernel
    with Progress(1) as progress, _faults_in_words(kernel, shape, progress):
        progress.next()
        if needs_guard(kernel, resource_folder("kernels")):
            progress.say(f"{kernel.id}: {doing} in a process of its own")
            return apart()
        with kernels_kept_quiet():
            return here(Watch(progress.say, progress.advance))


@contextmanager
def _faults_in_words(kernel: Kernel, shape: Shape, progress: Progress) -> Iterator[None]:
    try:
        yield
    except GuardedError as error:
        reason = str(error).removeprefix(f"{kernel.path.stem}: ")
        if error.is_bad_input:
            raise BadInputError(reason) from error
        raise FailedError(f"{kernel.id}: {reason}") from error
    except MemoryRefusal as error:
        raise BadInputError(f"--size {shape}: {error}") from error
    except (Refusal, RecordingRefusal, TagRefusal) as error:
        raise BadInputError(str(error)) from error
    except DeviceLostError as error:
        complain(f"{kernel.id}: {without_name(kernel, str(error))}")
        progress.stop()
        leave_at_once(FAILED)
    except (BackendError, MeasurementError) as error:
        raise FailedError(f"{kernel.id}: {without_name(kernel, str(error))}") from error


@contextmanager
def device_asked_for(wanted: str | None) -> Iterator[None]:
    """Around the choice of a device: `wanted` is what --device says, None without it.

    Raises:
        BadInputError: there is no such device, or the kernel is for none.
    """
    try:
        yield
    except (Refusal, RecordingRefusal) as error:
        raise BadInputError(f"--kernel {error}") from error
    except NoDeviceError as error:
        raise BadInputError(str(error) if wanted is None else f"--device {error}") from error

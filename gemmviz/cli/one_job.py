"""What commands share: the device asked for, one job guarded where need be, faults in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from gemmviz.backends.base import BackendError, DeviceLostError, EntryError
from gemmviz.backends.registry import NoDeviceError
from gemmviz.catalogue.kernel import Kernel, Refusal
from gemmviz.catalogue.loader import is_shipped
from gemmviz.cli.faults import BadInputError, FailedError, StuckError
from gemmviz.cli.guarded.guard import GuardedError
from gemmviz.cli.output import kernels_kept_quiet
from gemmviz.cli.progress import RunProgress
from gemmviz.compiler.source import full_reason
from gemmviz.domain.memory import MemoryRefusal
from gemmviz.domain.shape import Shape
from gemmviz.engine.analysis.ahead import ORDINARY
from gemmviz.engine.analysis.first_use import WORDS, compile_for_confined, is_first
from gemmviz.engine.jobs import without_name
from gemmviz.engine.messages import Job
from gemmviz.measure.bench import Watch
from gemmviz.measure.sampling import MeasurementError
from gemmviz.trace.refusal import RecordingRefusal
from gemmviz.trace.tags import TagRefusal

Found = TypeVar("Found")
RECORDING = "recording"
"""What is done with a job whose accesses are counted."""


def do_job(
    job: Job, shape: Shape, doing: str, here: Callable[[Watch], Found], apart: Callable[[], Found] | None
) -> Found:
    """What `here` finds in this process or, of a person's own kernel, `apart` in one of its own ("recording in …").

    Raises:
        BadInputError: it cannot be done with this kernel, these parameters or this size.
        StuckError: this process can do nothing more with the device.
        FailedError: it was tried and failed.
    """
    kernel = job.kernel
    with RunProgress(1) as progress, _faults_in_words(kernel, shape):
        progress.next()
        is_apart = apart is not None and not is_shipped(kernel)
        if doing == RECORDING:
            tell_of_first_use(progress, is_confined=is_apart)
        if apart is not None and is_apart:
            progress.say(f"{kernel.id}: {doing} in a process of its own")
            return apart()
        with kernels_kept_quiet():
            return here(Watch(progress.say, progress.advance))


def tell_of_first_use(progress: RunProgress, *, is_confined: bool) -> None:
    """On a system where nothing was ever recorded, say that the analysis is compiled, and compile it for a confined
    process, which would do so without a word; of this process the recording tells the rest.
    """
    if is_confined:
        compile_for_confined(progress.announce)
    elif is_first(ORDINARY):
        progress.announce(WORDS)


@contextmanager
def _faults_in_words(kernel: Kernel, shape: Shape) -> Iterator[None]:
    try:
        yield
    except GuardedError as error:
        reason = without_name(kernel, str(error))
        if error.is_bad_input:
            raise BadInputError(reason) from error
        raise FailedError(f"{kernel.id}: {reason}") from error
    except MemoryRefusal as error:
        raise BadInputError(f"--size {shape}: {error}") from error
    except (Refusal, RecordingRefusal, TagRefusal) as error:
        raise BadInputError(str(error)) from error
    except DeviceLostError as error:
        raise StuckError(f"{kernel.id}: {without_name(kernel, str(error))}") from error
    except EntryError as error:
        raise BadInputError(f"{kernel.id}: {kernel.placed_entry(full_reason(error))}") from error
    except (BackendError, MeasurementError) as error:
        raise FailedError(f"{kernel.id}: {without_name(kernel, full_reason(error))}") from error


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

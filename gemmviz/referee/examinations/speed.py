"""How fast a kernel is beside the library."""

from __future__ import annotations

from dataclasses import dataclass

from gemmviz.backends.base import BackendError, CompilerStuckError, DeviceLostError, KernelTimeoutError
from gemmviz.backends.registry import devices_for
from gemmviz.catalogue.claims.claims import Claims, NoSizeError
from gemmviz.catalogue.kernel import Kernel, Refusal
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.device import Device
from gemmviz.domain.figures import milliseconds, times
from gemmviz.domain.kernels.capability import lack_of
from gemmviz.domain.memory import MemoryRefusal
from gemmviz.domain.operands import make_operands
from gemmviz.domain.runs.baselines import LIBRARY_ARITHMETIC
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Fill, Language
from gemmviz.measure.clock import SystemClock
from gemmviz.measure.compare import Comparison, compare
from gemmviz.measure.sampling import MeasurementError
from gemmviz.referee.examination import Needs, held, not_examined
from gemmviz.referee.finding import Case, Finding
from gemmviz.referee.inputs import SEED
from gemmviz.referee.subject import KernelFaultedError, Subject

_LARGE = (Shape(2048, 2048, 2048), Shape(1024, 1024, 1024), Shape(512, 512, 512))
_WARM_UPS = 3


@dataclass(frozen=True, slots=True)
class Speed:
    """Launches it and the vendor's library of the same arithmetic in interleaved pairs, caches cold
    (`measure/compare.py`), on the device of the other examinations if that is an NVIDIA GPU, else on one that is there.
    However slow it is, nothing fails; a launch that ends at a fault does.
    """

    name: str = "Time beside the library"
    asks: str = "How many times the library's time does it take?"
    needs: Needs = Needs.RIGHT_PRODUCT

    def examine(self, subject: Subject) -> Finding:
        kernel, gpu = subject.kernel, _gpu_for(subject)
        if gpu is None:
            return not_examined(self, "Times are compared on NVIDIA GPUs only, and none that runs it was found.")
        library = next((one for one in load_catalogue().kernels if _is_library_for(one, kernel)), None)
        if library is None or kernel.library:
            return not_examined(self, "There is no library of the same arithmetic to compare it with.")
        claims = Claims(kernel, subject.params, gpu)
        try:
            shape = next((one for one in _LARGE if claims.is_claimed((one.m, one.n, one.k))), claims.home)
            found = _compared(subject, library, gpu, shape)
        except (KernelTimeoutError, CompilerStuckError) as error:
            return not_examined(self, f"The two cannot be timed on {gpu.name}: {error}")
        except DeviceLostError as error:
            raise KernelFaultedError(str(error), shape, is_access=False, is_lost=True) from error
        except (BackendError, MeasurementError, Refusal, MemoryRefusal, NoSizeError) as error:
            return not_examined(self, f"The two cannot be timed on {gpu.name}: {error}")
        taken = times(found.ratio, found.low, found.high)
        words = f"{taken} the time of {library.id} ({found.low:.3g} to {found.high:.3g})"
        medians = f"{milliseconds(found.a_median_ms)} and {milliseconds(found.b_median_ms)}"
        pairs = f"{found.a_ms.size} interleaved pairs, medians {medians}"
        reason = f"On {gpu.name} at {shape}: {words}: {found.verdict.words}."
        return held(self, reason, [Case(pairs, words, str(shape), SEED)])


def _gpu_for(subject: Subject) -> Device | None:
    if subject.device.is_native_gpu:
        return subject.device
    if subject.kernel.language is not Language.CUDA:
        return None
    gpus = (device for device in devices_for(Language.CUDA) if device.is_native_gpu)
    return next((gpu for gpu in gpus if not lack_of(subject.kernel.requires, gpu)), None)


def _is_library_for(library: Kernel, kernel: Kernel) -> bool:
    wanted = LIBRARY_ARITHMETIC.get(kernel.arithmetic, kernel.arithmetic)
    return bool(library.library) and library.arithmetic is wanted


def _compared(subject: Subject, library: Kernel, gpu: Device, shape: Shape) -> Comparison:
    operands = make_operands(shape, Fill.UNIFORM, SEED)
    pair = (subject.kernel, subject.params), (library, library.params({}))
    ready = [subject.prepare(kernel, params, gpu, operands) for kernel, params in pair]
    try:
        one, other = (each.launcher for each in ready)
        for launcher in (one, other):
            for _ in range(_WARM_UPS):
                launcher.cold()
        cancel = subject.watch.should_cancel
        takes = (lambda: one.cold().kernel_ms), (lambda: other.cold().kernel_ms)
        return compare(*takes, SystemClock(), should_cancel=cancel)
    finally:
        for each in ready:
            each.release()

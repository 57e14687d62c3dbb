"""How fast a kernel is beside the library."""

from __future__ import annotations

from dataclasses import dataclass, replace

from gemmviz.backends.base import BackendError
from gemmviz.catalogue.kernel import Kernel, Refusal
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.device import CUDA
from gemmviz.domain.memory import MemoryRefusal
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Fill
from gemmviz.measure.bench import Bench, make_inputs
from gemmviz.measure.clock import SystemClock
from gemmviz.measure.compare import Comparison, compare
from gemmviz.referee.examination import Needs, held, not_examined
from gemmviz.referee.finding import Case, Finding
from gemmviz.referee.inputs import SEED
from gemmviz.referee.subject import Subject

_LARGE = (Shape(2048, 2048, 2048), Shape(1024, 1024, 1024), Shape(512, 512, 512))
_WARM_UPS = 3


@dataclass(frozen=True, slots=True)
class Speed:
    """Launches it and the vendor's library of the same arithmetic in interleaved pairs, caches cold
    (`measure/compare.py`). However slow it is, nothing fails.
    """

    name: str = "Time beside the library"
    asks: str = "How many times the library's time does it take?"
    needs: Needs = Needs.RIGHT_PRODUCT

    def examine(self, subject: Subject) -> Finding:
        device, kernel = subject.device, subject.kernel
        if device.backend != CUDA:
            return not_examined(self, f"Times are compared on NVIDIA GPUs only, and it ran on {device.short_name}.")
        library = next((one for one in load_catalogue().kernels if _is_library_for(one, kernel)), None)
        if library is None or kernel.library:
            return not_examined(self, "There is no library of the same arithmetic to compare it with.")
        shape = next((one for one in _LARGE if subject.claims.is_claimed((one.m, one.n, one.k))), subject.claims.home)
        try:
            found = _compared(subject, library, shape)
        except (BackendError, Refusal, MemoryRefusal) as error:
            return not_examined(self, f"{library.id} does not run at {shape}: {error}")
        words = f"{found.ratio:.3g} times the time of {library.id} ({found.low:.3g} to {found.high:.3g})"
        pairs = f"{found.a_ms.size} interleaved pairs, medians {found.a_median_ms:.4g} and {found.b_median_ms:.4g} ms"
        return held(self, f"At {shape}: {words}: {found.verdict.words}.", [Case(pairs, words, str(shape), SEED)])


def _is_library_for(library: Kernel, kernel: Kernel) -> bool:
    return bool(library.library) and library.arithmetic is kernel.arithmetic


def _compared(subject: Subject, library: Kernel, shape: Shape) -> Comparison:
    inputs = replace(make_inputs(shape, Fill.UNIFORM, SEED), reference=None)
    with Bench() as bench:
        ready = [
            bench.prepare(one, params, subject.device, inputs, subject.limit_s)
            for one, params in ((subject.kernel, subject.params), (library, library.params({})))
        ]
        try:
            one, other = (each.launcher for each in ready)
            for launcher in (one, other):
                for _ in range(_WARM_UPS):
                    launcher.cold()
            return compare(
                lambda: one.cold().kernel_ms,
                lambda: other.cold().kernel_ms,
                SystemClock(),
                should_cancel=subject.watch.should_cancel,
            )
        finally:
            for each in ready:
                each.release()

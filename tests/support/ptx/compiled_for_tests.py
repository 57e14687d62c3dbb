"""What the tests on a GPU have compiled for them, all at once: catalogue and own kernels in every form they run in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from gpu_record.compiled_ahead import build_all

from gemmviz.backends.base import BackendError, Source
from gemmviz.backends.cuda.build import Built
from gemmviz.backends.cuda.ptx import reassemble
from gemmviz.catalogue.kernel import Kernel, Refusal
from gemmviz.catalogue.loader import load_catalogue, load_user_kernel
from gemmviz.compiler.source import SOURCE_NAME
from gemmviz.domain.device import CUDA, Device
from gemmviz.domain.kernels.capability import compute_capability
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm, Language
from gemmviz.measure.schedule_source import stamped_source
from gemmviz.trace.ptx.probing.instrument import instrument_ptx

DATA = Path(__file__).parents[2] / "data"
SHAPES = (Shape(136, 136, 72), Shape(1, 1, 1025))


def compile_for_all_tests(device: Device) -> int:
    """Fill the cache that the program's compilations look into; how many sources compiled."""
    catalogue = [kernel for kernel in load_catalogue().kernels if kernel.language is Language.CUDA]
    own = [load_user_kernel(path) for folder in ("kernels", "faulty") for path in sorted((DATA / folder).glob("*.cu"))]
    plain = [source for kernel in catalogue + own for source in forms(kernel, device) if source.text == kernel.text]
    stamped = [source for kernel in catalogue + own for source in forms(kernel, device) if source.text != kernel.text]
    written = [source for source in plain if CUDA not in source.requires]
    capability = compute_capability(device.gpu_facts)
    compiled = build_all(plain, capability, _reassembled) + build_all(stamped, capability)
    return compiled + build_all(written, capability, form=CodeForm.AS_WRITTEN)


def forms(kernel: Kernel, device: Device) -> Iterator[Source]:
    """A kernel as it is, and with stamps."""
    for shape in SHAPES:
        try:
            plan = kernel.plan(shape, kernel.params({}), device)
        except Refusal:
            continue
        for text in (kernel.text, stamped_source(kernel.path, kernel.text, kernel.entry)):
            yield Source(kernel.path, text, kernel.entry, kernel.language, plan.defines, kernel.requires)
        return


def _reassembled(built: Built, cache: Path) -> None:
    """The form in which compiled code records itself."""
    try:
        reassemble(built, lambda ptx, symbol: instrument_ptx(ptx, symbol, SOURCE_NAME).text, cache)
    except BackendError:
        return

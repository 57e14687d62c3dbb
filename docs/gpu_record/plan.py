"""What is measured: which kernels, which library each is held against, which of their parameters are tried."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from gemmviz.backends.registry import devices_for
from gemmviz.catalogue.kernel import Kernel, Refusal
from gemmviz.catalogue.loader import Catalogue
from gemmviz.domain.device import Device
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Params
from gemmviz.domain.terms import Arithmetic, Language

SIZES = ("1024x1024x1024", "2048x2048x2048", "4096x4096x4096", "8192x8192x8192", "1037x1031x1055")
TUNED = ("sgemm_best", "wmma_tf32", "mma_tf32", "wgmma_tf32", "wgmma_bf16", "wgmma_bf16_late", "tf32x3")
"""Whose parameters are chosen for each size by a sweep; the other rungs show one idea and keep their defaults."""
MOST_CHOICES = 24
"""Of one sweep: a sweep has all its choices on the device at once, and each costs a compilation."""

_LIBRARIES = {
    Arithmetic.FP32: "cublas_fp32",
    Arithmetic.TF32: "cublas_tf32",
    Arithmetic.BF16: "cublas_bf16",
    Arithmetic.TF32X3: "cublas_fp32",
}
_LIBRARY_OF_A_CPU = "cpu_blas"


def ladder(catalogue: Catalogue) -> tuple[Kernel, ...]:
    """Every rung written in CUDA C, and every entry of the vendor's library, in the order of the lessons."""
    return tuple(kernel for kernel in catalogue.kernels if kernel.language in (Language.CUDA, Language.LIBRARY))


def library_for(kernel: Kernel, catalogue: Catalogue, device: Device) -> tuple[Kernel, Device] | None:
    """What a kernel is held against, and where that runs: the vendor's library in the same arithmetic; on a device
    that has none, NumPy's for float32. None for the library itself, and where there is no such thing.
    """
    if kernel.language is Language.LIBRARY:
        return None
    if device.backend == "cuda":
        return catalogue.get(_LIBRARIES[kernel.arithmetic]), device
    if kernel.arithmetic is not Arithmetic.FP32:
        return None
    return catalogue.get(_LIBRARY_OF_A_CPU), devices_for(Language.PYTHON)[0]


def choices_for(kernel: Kernel, shape: Shape, device: Device, most: int = MOST_CHOICES) -> tuple[Params, ...]:
    """The parameters that a kernel is tried with: those that can run, the defaults first, thinned evenly to `most`.

    Only the defaults for a kernel that is not tuned. Empty where nothing can run.
    """
    default = kernel.params({})
    every = [default]
    if kernel.id in TUNED:
        values = [[(one.name, choice) for choice in one.choices] for one in kernel.parameters]
        every += [params for params in map(tuple, product(*values)) if params != default]
    possible = [params for params in every if can_run(kernel, shape, params, device)]
    return thinned(possible, most)


def can_run(kernel: Kernel, shape: Shape, params: Params, device: Device) -> bool:
    """Whether a kernel can be launched so."""
    try:
        kernel.plan(shape, params, device)
    except Refusal:
        return False
    return True


def thinned(choices: Sequence[Params], most: int) -> tuple[Params, ...]:
    """At most so many of them, the first always, the others evenly spread over the rest.

    >>> [one[0][1] for one in thinned([(("X", n),) for n in range(10)], 4)]
    [0, 3, 6, 9]
    """
    if len(choices) <= most:
        return tuple(choices)
    return tuple(choices[round(place * (len(choices) - 1) / (most - 1))] for place in range(most))


def shares(shapes: Sequence[Shape], kernels: int, seconds: float) -> float:
    """Seconds for each pair, if all of them are to be done in `seconds`."""
    return seconds / max(1, len(shapes) * kernels)

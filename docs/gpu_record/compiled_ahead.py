"""Compiles what will be measured on all cores at once; one after the other takes longer than measuring it."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from platformdirs import user_cache_path

from gemmviz.backends.base import BackendError, Source
from gemmviz.backends.cuda.build import Built, build
from gemmviz.backends.cuda.nvcc import find_nvcc
from gemmviz.catalogue.kernel import Kernel, Refusal
from gemmviz.domain.device import Device
from gemmviz.domain.kernels.capability import compute_capability, target_of
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Params
from gemmviz.domain.terms import CodeForm, Language

Wanted = tuple[Kernel, Shape, Params]


def compile_ahead(wanted: Iterable[Wanted], device: Device) -> int:
    """Fill the cache that the program's own compilations look into; how many sources that were.

    What does not compile is left to the run that needs it, which says so.

    Raises:
        CompilerMissingError: there is no nvcc.
    """
    if device.backend != "cuda":
        return 0
    sources = {}
    for kernel, shape, params in wanted:
        if kernel.language is not Language.CUDA:
            continue
        try:
            defines = kernel.plan(shape, params, device).defines
        except Refusal:
            continue
        sources[kernel.id, defines] = Source(
            kernel.path, kernel.text, kernel.entry, kernel.language, defines, kernel.requires
        )
    return build_all(sources.values(), compute_capability(device.gpu_facts))


def build_all(
    sources: Collection[Source],
    capability: tuple[int, int],
    behind: Callable[[Built, Path], object] | None = None,
    form: CodeForm = CodeForm.AS_COMPILED,
) -> int:
    """Compile sources on all cores, and call `behind` with each and the folder that remembers them; how many compiled.

    Raises:
        CompilerMissingError: there is no nvcc.
    """
    if not sources:
        return 0
    nvcc, cache = find_nvcc(), user_cache_path("gemmviz", appauthor=False) / "cuda"

    def one(source: Source) -> bool:
        try:
            built = build(source, target_of(capability, source.requires), nvcc, cache, form)
            if behind is not None:
                behind(built, cache)
        except BackendError:
            return False
        return True

    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        return sum(pool.map(one, sources))

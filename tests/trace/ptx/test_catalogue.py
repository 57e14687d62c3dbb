"""What nvcc makes of the catalogue's kernels for NVIDIA GPUs records itself, every access under a name."""

from __future__ import annotations

import re

import pytest
from gpu_runs import GPU
from ptx_compiler import compiled_to_ptx

from gemmviz.backends.base import Source
from gemmviz.backends.cuda.nvcc import Nvcc, find_nvcc
from gemmviz.backends.cuda.ptx import assemble
from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.compiler.nvidia.nvidia_log import resources_in
from gemmviz.compiler.ptx.kernels import entries
from gemmviz.compiler.source import SOURCE_NAME, CompilerMissingError
from gemmviz.domain.kernels.capability import target_of
from gemmviz.domain.recordings.access import AccessKind, AccessPath, Space
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Language
from gemmviz.trace.ptx.probing.instrument import instrument_ptx
from gemmviz.trace.ptx.probing.sites import Sites, sites_of

KERNELS = [kernel for kernel in load_catalogue().kernels if kernel.language is Language.CUDA]
FOR_CUDA = [kernel for kernel in KERNELS if kernel.needs_cuda]
PORTABLE = [kernel for kernel in KERNELS if not kernel.needs_cuda and kernel.id != "warp_tiled"]
"""`warp_tiled` is assembled for old GPUs by test_instrument."""
OTHERS = {
    "cp_async": {"BM": 64, "BN": 64, "STAGES": 2},
    "sgemm_best": {"BM": 64, "BN": 64, "TM": 8, "TN": 8},
    "wmma_tf32": {"BK": 8},
}
PATHS = {
    "cp_async": {AccessPath.ASYNC_COPY},
    "sgemm_best": {AccessPath.ASYNC_COPY},
    "mma_tf32": {AccessPath.ASYNC_COPY},
    "wmma_tf32": {AccessPath.WARP_TILE},
    "wgmma_tf32": {AccessPath.COPY_ENGINE, AccessPath.TENSOR_CORE},
    "wgmma_bf16": {AccessPath.COPY_ENGINE, AccessPath.TENSOR_CORE},
    "tf32x3": {AccessPath.COPY_ENGINE, AccessPath.TENSOR_CORE},
    "wgmma_bf16_late": {AccessPath.COPY_ENGINE, AccessPath.TENSOR_CORE},
}
MOST_SPILLED_BYTES = 256


@pytest.fixture(scope="module")
def nvcc() -> Nvcc:
    try:
        return find_nvcc()
    except CompilerMissingError as error:
        pytest.skip(str(error))


def ptx_of(nvcc: Nvcc, kernel: Kernel, params: dict[str, int], target: str) -> str:
    shape = Shape(1, 1, 48) if kernel.id.startswith("dot") else Shape(512, 512, 512)
    plan = kernel.plan(shape, kernel.params(params), GPU)
    source = Source(kernel.path, kernel.text, kernel.entry, kernel.language, plan.defines, kernel.requires)
    return compiled_to_ptx(nvcc, source, target)


def recorded(nvcc: Nvcc, kernel: Kernel, params: dict[str, int], target: str) -> tuple[Sites, str, str]:
    """The sites, the text that records itself, and its symbol."""
    text = ptx_of(nvcc, kernel, params, target)
    (symbol,) = entries(text)
    made = instrument_ptx(text, symbol, SOURCE_NAME)
    return sites_of(made.probed), made.text, symbol


def check_sites(kernel: Kernel, found: Sites) -> None:
    assert found.skipped == ()
    assert all(site.array and site.line for site in found.sites)
    assert {site.array for site in found.sites if site.space is Space.GLOBAL} == {"A", "B", "C"}
    assert any(site.array == "C" and site.kind is AccessKind.STORE for site in found.sites)
    lines = kernel.text.count("\n")
    assert all(1 <= site.line <= lines for site in found.sites)


@pytest.mark.parametrize(
    ("kernel", "params"),
    [(kernel, params) for kernel in FOR_CUDA for params in ({}, *([OTHERS[kernel.id]] if kernel.id in OTHERS else []))],
    ids=lambda value: value.id if isinstance(value, Kernel) else "".join(f"{n}={v}" for n, v in value.items()),
)
def test_that_a_kernel_for_nvidia_gpus_assembles_and_its_accesses_are_known(
    nvcc: Nvcc, kernel: Kernel, params: dict[str, int]
) -> None:
    target = target_of((9, 0), kernel.requires)
    found, text, symbol = recorded(nvcc, kernel, params, target)
    check_sites(kernel, found)
    assert {site.path for site in found.sites} - {AccessPath.LOAD_STORE} == PATHS.get(kernel.id, set())
    _, _, log = assemble(text, target)
    assert "setmaxnreg" not in log  # it would say that it takes no notice of it
    resources = resources_in(log)[symbol]
    assert 0 < resources.registers <= 255
    assert resources.spill_store_bytes <= MOST_SPILLED_BYTES


@pytest.mark.parametrize("kernel", PORTABLE, ids=lambda kernel: kernel.id)
def test_that_a_portable_kernel_assembles_for_old_gpus_too(nvcc: Nvcc, kernel: Kernel) -> None:
    found, text, symbol = recorded(nvcc, kernel, {}, "sm_75")
    check_sites(kernel, found)
    assert re.search(r"^\.target sm_75", text, re.MULTILINE)
    resources = resources_in(assemble(text, "sm_75")[2])[symbol]
    assert 0 < resources.registers <= 255
    assert resources.spill_store_bytes <= MOST_SPILLED_BYTES

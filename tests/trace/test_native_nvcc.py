"""nvcc takes every portable kernel that records itself, for old GPUs and new ones, without a word."""

from __future__ import annotations

from pathlib import Path

import pytest
from gpu_runs import GPU

from gemmviz.backends.base import Source
from gemmviz.backends.nvcc import Nvcc, find_nvcc, options_for, run_nvcc
from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.loader import load_catalogue, load_user_kernel
from gemmviz.compiler.ptx import entries, symbol_of
from gemmviz.compiler.source import SOURCE_NAME, CompilerMissingError
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Language
from gemmviz.trace.native_instrument import instrument_native

CATALOGUE = load_catalogue()
PORTABLE = [k for k in CATALOGUE.kernels if k.language is Language.CUDA and not k.needs_cuda]
OWN = [load_user_kernel(path) for path in sorted((Path(__file__).parents[1] / "data" / "kernels").glob("*.cu"))]


@pytest.fixture(scope="module")
def nvcc() -> Nvcc:
    try:
        return find_nvcc()
    except CompilerMissingError as error:
        pytest.skip(str(error))


def compiled(nvcc: Nvcc, kernel: Kernel, target: str, folder: Path) -> tuple[str, str]:
    """What nvcc says of a kernel that records itself, and the PTX it makes."""
    plan = kernel.plan(Shape(1, 1, 48) if kernel.id.startswith("dot") else Shape(64, 48, 40), kernel.params({}), GPU)
    made = instrument_native(kernel.path, kernel.text, kernel.entry, plan.launch)
    source = Source(kernel.path, made.text, kernel.entry, kernel.language, plan.defines)
    (folder / SOURCE_NAME).write_text(made.text, encoding="utf-8")
    worked, said = run_nvcc(nvcc, options_for(source, target), folder)
    assert worked, said
    return said, (folder / SOURCE_NAME).with_suffix(".ptx").read_text(encoding="utf-8")


@pytest.mark.parametrize("target", ["sm_75", "sm_90"])
@pytest.mark.parametrize("kernel", PORTABLE, ids=lambda kernel: kernel.id)
def test_that_nvcc_takes_a_kernel_of_the_catalogue(nvcc: Nvcc, kernel: Kernel, target: str, tmp_path: Path) -> None:
    said, ptx = compiled(nvcc, kernel, target, tmp_path)
    assert "warning" not in said
    kernels = entries(ptx)
    symbol = symbol_of(kernel.entry, tuple(kernels))
    assert symbol is not None
    assert [one.nbytes for one in kernels[symbol]] == [8, 8, 8, 4, 4, 4, *([8] * 9)]


@pytest.mark.parametrize("kernel", OWN, ids=lambda kernel: kernel.id)
def test_that_nvcc_takes_other_styles(nvcc: Nvcc, kernel: Kernel, tmp_path: Path) -> None:
    assert "warning" not in compiled(nvcc, kernel, "sm_90", tmp_path)[0]


def test_that_a_thread_that_returns_ends_there(nvcc: Nvcc, tmp_path: Path) -> None:
    """At a common end it might wait for others of its warp, and their barriers for it."""
    kernel = load_user_kernel(Path(__file__).parents[1] / "data" / "faulty" / "divergent_barrier.cu")
    _, ptx = compiled(nvcc, kernel, "sm_90", tmp_path)
    body = ptx[ptx.index("{", ptx.index(".entry")) :]
    assert body.count("exit; // 0") == 1
    assert body.count("atom.global.add.u32") == 2  # each end counts its threads itself

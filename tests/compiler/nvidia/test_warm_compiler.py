"""What the tests compile by is the program's own compiler: only its process starts in another way."""

from __future__ import annotations

from pathlib import Path

import pytest
from warm_compiler import CAN_FORK, warm_compilers

from gemmviz.compiler.nvidia.nvrtc import compile_cuda
from gemmviz.compiler.source import CompileError, CompileTimeoutError, Source
from gemmviz.domain.kernels.resources import Resources
from gemmviz.domain.terms import Language

pytestmark = [
    pytest.mark.usefixtures("nvrtc"),
    pytest.mark.skipif(not CAN_FORK, reason="processes cannot be forked here"),
]

TEXT = "template <int N> __global__ void k(float *p) { p[threadIdx.x] = N; }"


def outcome(text: str) -> tuple[str, str, Resources] | str:
    """What is made of a text, or why nothing is."""
    try:
        made = compile_cuda(Source(Path("mine.cu"), text, "k<3>", Language.CUDA), "sm_90")
    except CompileError as error:
        return str(error)
    return made.ptx, made.symbol, made.resources


@pytest.mark.parametrize("text", [TEXT, TEXT.replace("= N", "= M"), "#include <cuda_fp16.h>\n" + TEXT])
def test_that_a_forked_process_makes_what_the_programs_own_makes(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    own = outcome(text)
    warm_compilers(monkeypatch)
    assert outcome(text) == own


def test_that_a_compilation_past_its_limit_costs_the_next_one_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    warm_compilers(monkeypatch)
    with pytest.raises(CompileTimeoutError):
        compile_cuda(Source(Path("mine.cu"), TEXT, "k<3>", Language.CUDA, limit_s=0.001), "sm_90")
    assert not isinstance(outcome(TEXT), str)

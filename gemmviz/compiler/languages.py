"""From a kernel's source to PTX, whatever language it is written in: a row for each."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from gemmviz.compiler.nvidia.nvrtc import CompiledCode, compile_cuda
from gemmviz.compiler.ptx.file import compile_ptx_file
from gemmviz.compiler.python.cupy_source import compile_computed
from gemmviz.compiler.python.run import compile_python
from gemmviz.compiler.signature import signature_of
from gemmviz.compiler.source import Source
from gemmviz.domain.kernels.capability import capability_of
from gemmviz.domain.kernels.parameter_types import Signature
from gemmviz.domain.terms import CodeForm, Language

_COMPILERS: dict[Language, Callable[[Source, str, Path | None], CompiledCode]] = {
    Language.PTX: compile_ptx_file,
    Language.TRITON: compile_python,
    Language.NUMBA_CUDA: compile_python,
    Language.CUPY: compile_computed,
}
"""Of the languages that have PTX in one form only."""


_OF_TENSOR_CORES = re.compile(r"\b(?:ldmatrix|stmatrix|w?g?mma)\b")


def is_compiled_by_others(language: Language) -> bool:
    """Whether PTX of a language is not made by NVIDIA's compiler of CUDA C++."""
    return language in _COMPILERS


def target_on_machine(language: Language, target: str) -> str:
    """What a kernel is compiled for that runs on the PTX machine as a GPU of the architecture `target`.

    For later GPUs than sm_80 Triton takes instructions that the machine does not execute, such as stmatrix. What it
    makes for sm_80 runs on them, too.
    """
    asked = capability_of(target)
    if language is not Language.TRITON or asked is None or asked[0] <= (8, 0):
        return target
    return "sm_80"


def compiling_words(language: Language, target: str) -> str:
    """What is being done while a source is compiled."""
    if language is Language.PTX:
        return "reading the PTX"
    by = {Language.TRITON: "Triton", Language.NUMBA_CUDA: "numba-cuda"}.get(language, "NVRTC")
    return f"compiling for {target} by {by}"


def without_words(language: Language, refused: str) -> str:
    """How a kernel may do without an instruction that the PTX machine refuses in these words; "" where nobody knows."""
    if language is Language.TRITON and _OF_TENSOR_CORES.search(refused):
        return 'tl.dot(…, input_precision="ieee") does without tensor cores'
    return ""


def compile_source(
    source: Source, target: str, form: CodeForm, cache: Path | None = None, *, or_shipped: bool = False
) -> CompiledCode:
    """Compile a kernel for an architecture; from the folder `cache` where it was compiled before. `or_shipped` as of
    `compile_cuda`.

    Raises:
        CompileError: the source is at fault.
        CompilerMissingError: the compiler of its language is not installed, or does not run.
        CompileTimeoutError: it did not end within the source's limit.
    """
    compile_it = _COMPILERS.get(source.language)
    if compile_it is not None:
        return compile_it(source, target, cache)
    return compile_cuda(source, target, form, cache, or_shipped=or_shipped)


def signature_of_code(code: CompiledCode, source: Source, cache: Path | None = None) -> Signature | None:
    """The types of the parameters of a compiled source; None for a shipped kernel, and where they cannot be told."""
    if code.signature is not None or not source.is_foreign:
        return code.signature
    return signature_of(source, code.target, cache)

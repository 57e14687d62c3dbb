"""A kernel whose file is PTX already: nothing is compiled, but its lines and the types of its parameters are read."""

from __future__ import annotations

import re
from pathlib import Path

from gemmviz.catalogue.languages.ptx import plain
from gemmviz.compiler.nvidia.nvrtc import CompiledCode
from gemmviz.compiler.ptx.kernels import entries, kernel_symbol
from gemmviz.compiler.ptx.lines import with_lines_of, with_own_lines
from gemmviz.compiler.ptx.types import signature_of_ptx
from gemmviz.compiler.ptx.validity import invalid_instruction
from gemmviz.compiler.source import CompileError, Source
from gemmviz.domain.kernels.resources import Resources
from gemmviz.domain.terms import CodeForm

_VERSION = re.compile(r"^\s*\.version\s+(\d+\.\d+)", re.MULTILINE)
_TARGET = re.compile(r"^\s*\.target\s+(\w+)", re.MULTILINE)


def compile_ptx_file(source: Source, target: str, cache: Path | None = None) -> CompiledCode:
    """The PTX of a file as it stands, with its lines those of `source.listing`, or else its own.

    Raises:
        CompileError: it is no PTX, or has no such kernel.
    """
    del target, cache
    text = plain(source.text)
    version, made_for = _VERSION.search(text), _TARGET.search(text)
    if version is None or made_for is None:
        raise CompileError(f"{source.path}: it is no PTX: there is no {'.target' if version else '.version'} in it")
    _check_braces(source.path, text)
    invalid = invalid_instruction(text)
    if invalid is not None:
        raise CompileError(
            f"{source.path}:{invalid.line}: {invalid}; NVIDIA's assembler refuses it, too: correct the instruction, or "
            "compile the file anew"
        )
    ptx = with_lines_of(source.text, source.listing) if source.listing else with_own_lines(source.text)
    kernels = entries(ptx)
    symbol = kernel_symbol(source.path, source.entry, kernels)
    return CompiledCode(
        target=made_for[1],
        form=CodeForm.AS_COMPILED,
        release=version[1],
        symbol=symbol,
        parameters=kernels[symbol],
        resources=Resources(),
        cubin=b"",
        ptx=ptx,
        log="",
        maker="PTX",
        signature=signature_of_ptx(ptx, symbol),
    )


def _check_braces(path: Path, text: str) -> None:
    """See that every function has an end, since whoever reads on relies on it."""
    depth, opened = 0, []
    for match in re.finditer(r"[{}]", text):
        line = text.count("\n", 0, match.start()) + 1
        depth += 1 if match[0] == "{" else -1
        if match[0] == "{":
            opened.append(line)
        elif opened:
            opened.pop()
        if depth < 0:
            raise CompileError(f"{path}:{line}: a brace is closed that was not opened")
    if opened:
        raise CompileError(f"{path}:{opened[-1]}: the brace that is opened here is never closed: the PTX is not whole")

"""Machine code of kernels whose PTX somebody else made: by ptxas where there is one, else by the driver."""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace
from pathlib import Path

from gemmviz.backends.cuda.build import Built
from gemmviz.backends.cuda.ptx import AssemblyError, assemble
from gemmviz.compiler.code_cache import CodeCache, Made
from gemmviz.compiler.languages import compile_source
from gemmviz.compiler.nvidia.nvidia_log import resources_in
from gemmviz.compiler.nvidia.nvrtc import CompiledCode
from gemmviz.compiler.nvidia.tools import ptxas_choices
from gemmviz.compiler.source import CompileError, CompilerMissingError, Source
from gemmviz.domain.kernels.resources import Resources
from gemmviz.domain.terms import CodeForm, Language

_TARGET = re.compile(r"^\s*\.target\s+(\w+)", re.MULTILINE)
"""Triton makes PTX for sm_90a where it is asked for sm_90, and no assembler turns that into code for sm_90."""
_VERSION = re.compile(r"^\s*\.version\s+([\d.]+)", re.MULTILINE)
_ERROR = re.compile(r"\bline (\d+); (?:error|fatal)\s*: (.+?)(?=\s*ptxas |\s*\n|\s*$)")
"""In what ptxas says."""
_LOC = re.compile(r"\s*\.loc\s+1\s+(\d+)")
_TOO_NEW = "Unsupported .version"
"""In what ptxas says of PTX that a newer compiler made."""


_HOW_TO_GET_PTXAS = (
    "Install NVIDIA's assembler by `pip install nvidia-cuda-nvcc` (or Triton or the CUDA toolkit, which bring one)"
)


def assembled(source: Source, target: str, cache: Path) -> CompiledCode:
    """The PTX of a source in another language than CUDA C++, with machine code for an architecture; from the folder
    `cache` where it was made before. No GPU is needed: of the assemblers that are there, the first that knows the
    version of the PTX makes it.

    Raises:
        CompileError: the source is at fault, or is PTX for another architecture.
        CompilerMissingError: the compiler of its language is not installed, or there is no ptxas, or none so new.
        CompileTimeoutError, CompilerStuckError: a compiler did not end in time.
    """
    code = compile_source(source, target, CodeForm.AS_COMPILED, cache)
    target = _target_of(code.ptx, target)
    for ptxas in ptxas_choices():
        try:
            cubin, _, log = _linked_before(code, source, target, ptxas, cache)
        except AssemblyError as error:
            if _TOO_NEW in str(error):
                continue
            errors = _errors(str(error), code.ptx, source)
            raise CompileError(errors[0] if errors else f"{source.path}: {error}", errors) from error
        resources = resources_in(log).get(code.symbol, Resources())
        return replace(code, target=target, cubin=cubin, log=log, resources=resources)
    version = _VERSION.search(code.ptx)
    why = f"no ptxas takes PTX {version[1]}" if version is not None and ptxas_choices() else "there is no ptxas"
    raise CompilerMissingError(f"{why}, which makes machine code of PTX. {_HOW_TO_GET_PTXAS}")


def _errors(said: str, ptx: str, source: Source) -> tuple[str, ...]:
    """What ptxas says of a file of PTX, each error with the line of the file: "mine.ptx:12: Unknown modifier"."""
    if source.language is not Language.PTX:
        return ()
    lines, found = ptx.split("\n"), []
    for number, words in _ERROR.findall(said):
        line = int(number)
        if not source.listing:  # lines were put between those of the file, and say which they are
            before = (place for one in reversed(lines[:line]) if (place := _LOC.match(one)) is not None)
            line = next((int(place[1]) for place in before), line)
        found.append(f"{source.path}:{line}: {words}")
    return tuple(dict.fromkeys(found))


def _linked_before(code: CompiledCode, source: Source, target: str, ptxas: Path, cache: Path) -> Made:
    parts = ("assembled", str(ptxas), target, code.maker, code.release, code.ptx)
    key, memory = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:40], CodeCache(cache)
    made = memory.recall(key)
    if made is None:
        made = assemble(code.ptx, target, source.limit_s, ptxas)
        memory.remember(key, made)
    return made


def _target_of(ptx: str, target: str) -> str:
    """The architecture that a PTX text can be assembled for, where `target` is asked for."""
    made_for = _TARGET.search(ptx)
    return made_for[1] if made_for is not None and made_for[1].rstrip("af") == target else target


def build_from_ptx(source: Source, target: str, cache: Path) -> Built:
    """The kernel of a source for an architecture; its machine code from the folder `cache` where it was made before.
    Without ptxas, or where the PTX is newer than it, `cubin` is the PTX text, which a driver takes as well, and nothing
    is known of registers.

    Raises:
        CompileError: the source is at fault, or is PTX for another architecture.
        CompilerMissingError: the compiler of its language is not installed.
        CompileTimeoutError, CompilerStuckError: a compiler did not end in time.
    """
    code = compile_source(source, target, CodeForm.AS_COMPILED, cache)
    target = _target_of(code.ptx, target)
    memory = CodeCache(cache)
    key = hashlib.sha256("\0".join(("others", target, code.maker, code.release, code.ptx)).encode()).hexdigest()[:40]
    made = memory.recall(key)
    if made is None:
        try:
            made = assemble(code.ptx, target, source.limit_s)
            memory.remember(key, made)
        except AssemblyError as error:
            if _TOO_NEW not in str(error):
                raise CompileError(f"{source.path}: {error}") from error
            made = _for_driver(code.ptx)
        except CompilerMissingError:
            made = _for_driver(code.ptx)
    cubin, ptx, log = made
    return Built(
        target,
        code.release,
        code.symbol,
        code.parameters,
        resources_in(log).get(code.symbol, Resources()),
        cubin,
        ptx,
        source.limit_s,
        code.signature,
        code.maker,
    )


def _for_driver(ptx: str) -> Made:
    return ptx.encode() + b"\0", ptx, ""

"""Machine code of kernels whose PTX somebody else made: by ptxas where there is one, else by the driver."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from gemmviz.backends.cuda_build import Built
from gemmviz.backends.cuda_ptx import AssemblyError, assemble
from gemmviz.compiler.code_cache import CodeCache, Made
from gemmviz.compiler.languages import compile_source
from gemmviz.compiler.nvidia_log import resources_in
from gemmviz.compiler.source import CompileError, CompilerMissingError, Source
from gemmviz.domain.resources import Resources
from gemmviz.domain.terms import CodeForm

_TARGET = re.compile(r"^\s*\.target\s+(\w+)", re.MULTILINE)
"""Triton makes PTX for sm_90a where it is asked for sm_90, and no assembler turns that into code for sm_90."""
_TOO_NEW = "Unsupported .version"
"""In what ptxas says of PTX that a newer compiler made."""


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
    made_for = _TARGET.search(code.ptx)
    if made_for is not None and made_for[1].rstrip("af") == target:
        target = made_for[1]
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

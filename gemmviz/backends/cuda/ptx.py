"""A compiled kernel's PTX in another form, assembled anew: what a recording of compiled code runs."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Protocol, runtime_checkable

from gemmviz.backends.base import Buffer, Compiled, HasVariables, OpenDevice, Source
from gemmviz.backends.compile_limit import within_limit
from gemmviz.backends.cuda.build import Built
from gemmviz.backends.cuda.nvcc import HOW_TO_GET_NVCC
from gemmviz.compiler.code_cache import MOST_MADE_BYTES, CodeCache, Made
from gemmviz.compiler.nvidia.line_accesses import AssembledCode
from gemmviz.compiler.nvidia.nvidia_log import resources_in
from gemmviz.compiler.nvidia.tools import find_tool
from gemmviz.compiler.source import (
    COMPILE_LIMIT_S,
    BackendError,
    CompilerMissingError,
    CompileTimeoutError,
    compile_limit_words,
)
from gemmviz.domain.files.bounded_read import read_bytes
from gemmviz.domain.files.leftovers import temporary_folder
from gemmviz.domain.kernels.resources import Resources
from gemmviz.domain.processes import child_process
from gemmviz.domain.spec import Launch
from gemmviz.domain.terms import CodeForm

Rewrite = Callable[[str, str], str]
"""From a PTX text and the symbol of its kernel to another text with the same kernel."""


class HasPtx(Compiled, Protocol):
    """A compiled kernel whose PTX is known."""

    @property
    def ptx(self) -> str: ...

    @property
    def code(self) -> AssembledCode:
        """The code with its machine code."""
        ...


@runtime_checkable
class Reassembles(OpenDevice, HasVariables, Protocol):
    """A device whose compiled kernels have a PTX text that can be changed."""

    def compile_as(self, source: Source, form: CodeForm, launch: Launch) -> HasPtx:
        """A kernel in one of its forms, ready for the block of `launch`.

        Raises:
            CompileError: the source is at fault.
            BackendError: there is no compiler.
        """
        ...

    def reassembled(self, compiled: Compiled, rewrite: Rewrite, launch: Launch) -> Compiled:
        """The kernel with its PTX rewritten, ready for the block of `launch`.

        Raises:
            AssemblyError: the assembler does not take the text.
            LaunchError: the device does not take the machine code.
        """
        ...

    def variable(self, compiled: Compiled, symbol: str, nbytes: int) -> Buffer:
        """A variable of the kernel's module, by its symbol, as memory that lies as long as the kernel is kept.

        Raises:
            BackendError: the module has no such variable.
        """
        ...


class AssemblyError(BackendError):
    """The assembler refuses a PTX text; the message has its first words."""


def reassemble(built: Built, rewrite: Rewrite, cache: Path) -> Built:
    """Machine code of the rewritten PTX for the same architecture, from the folder `cache` where it was made before.

    Raises:
        AssemblyError: the assembler does not take it.
        CompilerMissingError: there is no ptxas, or it does not run.
        CompileTimeoutError, CompilerStuckError: it did not end in time.
    """
    ptx = within_limit(lambda: rewrite(built.ptx, built.symbol), built.limit_s)
    memory = CodeCache(cache)
    key = hashlib.sha256("\0".join(("ptxas", built.target, built.release, ptx)).encode()).hexdigest()[:40]
    known = memory.recall(key)
    if known is None:
        known = assemble(ptx, built.target, built.limit_s)
        memory.remember(key, known)
    cubin, _, log = known
    return replace(built, cubin=cubin, ptx=ptx, resources=resources_in(log).get(built.symbol, Resources()))


def assemble(ptx: str, target: str, limit_s: float = COMPILE_LIMIT_S, ptxas: Path | None = None) -> Made:
    """Machine code of a PTX text, and what ptxas said: that of the toolkit, unless another one is given.

    Raises:
        AssemblyError, CompilerMissingError, CompileTimeoutError: as `reassemble`.
    """
    path = ptxas or find_tool("ptxas")
    if path is None:
        raise CompilerMissingError(HOW_TO_GET_NVCC)
    with temporary_folder() as folder:
        (folder / "kernel.ptx").write_text(ptx, encoding="utf-8")
        command = [str(path), f"-arch={target}", "-v", "-o", "kernel.cubin", "kernel.ptx"]
        try:
            done = child_process.run(command, limit_s, folder, leftovers=[folder])
        except TimeoutError as error:
            raise CompileTimeoutError(compile_limit_words(limit_s)) from error
        except OSError as error:
            raise CompilerMissingError(f"{path} does not run to its end: {error}") from error
        log = f"{done.stderr}\n{done.stdout}"
        if done.returncode:
            raise AssemblyError(f"ptxas does not take the PTX: {' '.join(log.split())[:300]}")
        return read_bytes(folder / "kernel.cubin", MOST_MADE_BYTES), ptx, log

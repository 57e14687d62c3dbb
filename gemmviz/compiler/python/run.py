"""Compiles a kernel of a Python file in a process of its own, which runs as much of the file as the kernel needs."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

import gemmviz
from gemmviz.catalogue.languages.numba_cuda import shared_arrays
from gemmviz.catalogue.languages.row import LanguageError
from gemmviz.compiler.code_cache import MOST_MADE_BYTES, CodeCache
from gemmviz.compiler.nvidia.nvrtc import CompiledCode
from gemmviz.compiler.ptx.kernels import entries, symbol_of
from gemmviz.compiler.ptx.lines import with_lines_of
from gemmviz.compiler.ptx.types import signature_of_ptx
from gemmviz.compiler.python.needed import needed_of
from gemmviz.compiler.python.process import CODE, FACTS, FAULT
from gemmviz.compiler.python.scratch import with_shared_bytes, without_scratch
from gemmviz.compiler.source import (
    CompileError,
    CompilerMissingError,
    CompileTimeoutError,
    Source,
)
from gemmviz.domain.files.bounded_read import ReadError, read_text
from gemmviz.domain.files.leftovers import temporary_folder
from gemmviz.domain.kernels.resources import Resources
from gemmviz.domain.processes.child_process import child_process
from gemmviz.domain.terms import CodeForm, Language

_MEMORY_BYTES = 16 * 2**30
"""Address space of the process: its libraries map much that they do not use."""
_FILE = "kernel.py"
_SAID = "said.txt"
_MOST_WORDS = 2000
_NUMBERED = re.compile(r"\b_cudapy_smem_(\d+)\b")


@dataclass(frozen=True, slots=True)
class _Tool:
    """The package that compiles a language, what pip calls it, and the extra of gemmviz that brings it."""

    name: str
    package: str
    extra: str

    @property
    def version(self) -> str:
        """The installed version.

        Raises:
            CompilerMissingError: there is none.
        """
        try:
            return metadata.version(self.package)
        except metadata.PackageNotFoundError as error:
            raise CompilerMissingError(
                f"{self.name} is not installed, which compiles this kernel: pip install 'gemmviz[{self.extra}]'"
            ) from error


_TOOLS = {
    Language.TRITON: _Tool("Triton", "triton", "triton"),
    Language.NUMBA_CUDA: _Tool("numba-cuda", "numba-cuda", "numba-cuda"),
}


def compile_python(source: Source, target: str, cache: Path | None = None) -> CompiledCode:
    """The PTX of a kernel of a Python file for an architecture; from the folder `cache` where it was compiled before.

    Raises:
        CompileError: the file or the kernel is at fault; file and line.
        CompilerMissingError: the compiler of its language is not installed.
        CompileTimeoutError: running the file and compiling did not end within the source's limit.
    """
    version = _TOOLS[source.language].version
    request = request_of(source, target)
    try:
        needed = needed_of(source.text, source.entry, request["values"])
    except LanguageError as error:
        raise CompileError(error.at(source.path)) from error
    made = run_needed(source, needed, request, version, cache)
    return _code(source, target, made[0], json.loads(made[1]))


def run_needed(
    source: Source, needed: str, request: dict[str, Any], version: str, cache: Path | None
) -> tuple[str, str]:
    """What comes of running `needed` of a source's file: a text, and facts of it as JSON; from the folder `cache` where
    the same was run before. `version` is that of all else that it follows from.

    Raises:
        CompileError: the file is at fault; file and line.
        CompileTimeoutError: it did not end within the source's limit.
    """
    key = hashlib.sha256("\0".join((version, needed, json.dumps(request))).encode("utf-8", "surrogateescape"))
    memory = CodeCache(cache) if cache is not None else None
    made = memory.recall(key.hexdigest()[:40]) if memory is not None else None
    if made is None:
        made = (b"", *_run(source, needed, request))
        if memory is not None:
            memory.remember(key.hexdigest()[:40], made)
    return made[1], made[2]


def request_of(source: Source, target: str) -> dict[str, Any]:
    """What the process that runs a source's file is asked for."""
    found = re.search(r"\d+", target)
    return {
        "language": source.language.value,
        "file": _FILE,
        "entry": source.entry,
        "types": list(source.types),
        "values": dict(source.defines),
        "threads": source.threads,
        "capability": int(found[0]) if found is not None else 0,
        "memory_bytes": _MEMORY_BYTES,
    }


def _code(source: Source, target: str, ptx: str, facts: dict[str, Any]) -> CompiledCode:
    kernels = entries(ptx)
    symbol = facts["symbol"] or next(iter(kernels), "")
    found = symbol_of(symbol, tuple(kernels))
    if found is None:
        raise CompileError(f"{source.path}: the compiler made no kernel {source.entry!r}")
    ptx = with_lines_of(ptx, _FILE)
    if source.language is Language.TRITON:
        ptx = with_shared_bytes(without_scratch(ptx, found, source), facts["shared_bytes"])
    else:
        ptx = _with_names(ptx, shared_arrays(source.text, source.entry))
    return CompiledCode(
        target=target,
        form=CodeForm.AS_COMPILED,
        release=facts["release"],
        symbol=found,
        parameters=entries(ptx)[found],
        resources=Resources(),
        cubin=b"",
        ptx=ptx,
        log="",
        maker=facts["maker"],
        signature=signature_of_ptx(ptx, found),
    )


def _with_names(ptx: str, names: tuple[str, ...]) -> str:
    """Numba's PTX with its numbered arrays in shared memory called as the kernel calls them, where it has no others."""
    numbers = sorted({int(number) for number in _NUMBERED.findall(ptx)})
    if len(numbers) != len(names) or len(set(names)) < len(names):
        return ptx
    called = dict(zip(numbers, names, strict=True))
    return _NUMBERED.sub(lambda match: called[int(match[1])], ptx)


def _run(source: Source, needed: str, request: dict[str, Any]) -> tuple[str, str]:
    """PTX, and the facts as JSON; `needed` is what is run of the file."""
    with temporary_folder() as folder:
        (folder / _FILE).write_text(needed, encoding="utf-8")
        (folder / "request.json").write_text(json.dumps(request), encoding="utf-8")
        code = _wait_for(source, folder)
        fault = _text(folder / FAULT)
        if fault:
            raise _error(source, json.loads(fault))
        ptx, facts = _text(folder / CODE), _text(folder / FACTS)
        if code or not ptx or not facts:
            said = _text(folder / _SAID).strip().rpartition("\n")[2][:_MOST_WORDS]
            how = f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
            raise CompileError(
                f"{source.path}: the process that ran the file {how}{said and f': {said}'}: the file must not end it, "
                "nor use up its memory"
            )
        return ptx, facts


def _wait_for(source: Source, folder: Path) -> int:
    command = [sys.executable, "-P", "-m", "gemmviz.compiler.python.process", str(folder)]
    paths = (str(Path(gemmviz.__file__).parents[1]), os.environ.get("PYTHONPATH", ""))
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, paths)),
        "TRITON_CACHE_DIR": str(folder / "triton"),
        "NUMBA_CACHE_DIR": str(folder / "numba"),
        "NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    with (
        (folder / _SAID).open("wb") as said,
        child_process(
            command, stdin=subprocess.DEVNULL, stdout=said, stderr=said, environment=environment, leftovers=[folder]
        ) as child,
    ):
        try:
            return child.wait(source.limit_s)
        except TimeoutError as error:
            raise CompileTimeoutError(
                f"{source.path}: running the file and compiling its kernel did not end within {source.limit_s:g} s: "
                "look for a loop that does not end, or allow more time (--time-limit)"
            ) from error


def _error(source: Source, fault: dict[str, Any]) -> CompileError:
    place = f"{source.path}:{fault['line']}" if fault["line"] else f"{source.path}"
    words = str(fault["words"])[:_MOST_WORDS]
    if fault["missing"]:
        return CompileError(
            f"{place}: the module {fault['missing']!r} is not installed, which the kernel needs: install it, or do "
            "without it"
        )
    return CompileError(f"{place}: {words}")


def _text(path: Path) -> str:
    try:
        return read_text(path, MOST_MADE_BYTES, "utf-8")
    except ReadError:
        return ""

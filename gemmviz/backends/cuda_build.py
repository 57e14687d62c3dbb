"""From a kernel's source to machine code for one architecture, remembered on disk."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from gemmviz.backends.base import COMPILE_LIMIT_S, CompileError, Source
from gemmviz.backends.dialect.expanded_size import check_expanded_size
from gemmviz.backends.dialect.macros import MacroError
from gemmviz.backends.dialect.written import as_written
from gemmviz.backends.nvcc import (
    HOW_TO_GET_A_HOST_COMPILER,
    SOURCE_NAME,
    CompilerMissingError,
    Nvcc,
    find_tool,
    options_for,
    run_nvcc,
)
from gemmviz.backends.nvcc_log import nvcc_error, resources_in
from gemmviz.backends.ptx import Parameter, entries, plain_name, symbol_of
from gemmviz.domain import child_process
from gemmviz.domain.bounded_read import ReadError, read_bytes, read_text
from gemmviz.domain.leftovers import part_beside, remove_leftovers, temporary_folder
from gemmviz.domain.resources import Resources

_FORM = 1
"""Of what is remembered; another number makes everything anew."""
_MOST_REMEMBERED = 2000
_MOST_INCLUDED = 200
_MOST_SOURCE_BYTES = 2**24
"""Of an included file."""
MOST_MADE_BYTES = 2**28
"""Of a file that nvcc or ptxas makes of a kernel."""
_QUOTED = re.compile(r'^[ \t]*#[ \t]*include[ \t]+"([^"]+)"', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Built:
    """Machine code of a file, and of its kernel: symbol, parameters, what it takes. `ptx` is for people to read.

    `limit_s` is how long one more step of compiling it may take.
    """

    target: str
    release: str
    symbol: str
    parameters: tuple[Parameter, ...]
    resources: Resources
    cubin: bytes
    ptx: str
    limit_s: float = COMPILE_LIMIT_S

    @property
    def words(self) -> str:
        """How it was made, and what it takes of a thread: "nvcc 13.0 for sm_90, 128 registers, no spills"."""
        spilled = self.resources.spill_store_bytes
        spills = f"{spilled} bytes spilled" if spilled else "no spills"
        return f"nvcc {self.release} for {self.target}, {self.resources.registers} registers, {spills}"


def key_of(source: Source, target: str, nvcc: Nvcc) -> str:
    """A name for everything that the machine code depends on: source and what it includes, options, compiler."""
    options = [option for option in options_for(source, target) if not option.startswith("-I")]
    parts = (str(_FORM), source.text, *_included(source.text, source.path.parent), *options, nvcc.version)
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:40]


def _included(text: str, folder: Path) -> list[str]:
    """The names and texts of the files that a source includes in quotes from its own folder, and those that they
    include, each once.
    """
    found: dict[Path, str] = {}
    waiting = [(folder, name) for name in _QUOTED.findall(text)]
    while waiting and len(found) < _MOST_INCLUDED:
        beside, name = waiting.pop(0)
        path = Path(os.path.normpath(beside / name))
        if path in found:
            continue
        try:
            found[path] = read_bytes(path, _MOST_SOURCE_BYTES).decode(errors="replace")
        except ReadError:
            continue
        waiting += [(path.parent, inner) for inner in _QUOTED.findall(found[path])]
    return [part for path, included in found.items() for part in (os.path.relpath(path, folder), included)]


def build(source: Source, target: str, nvcc: Nvcc, cache: Path) -> Built:
    """The kernel of a source for an architecture, from the folder `cache` where it was made before.

    Raises:
        CompileError: the source is at fault; file and line of the original.
        CompilerMissingError: nvcc does not run.
        CompileTimeoutError: it did not end in time.
    """
    memory = Memory(cache)
    key = key_of(source, target, nvcc)
    known = memory.recall(key)
    if known is None:
        known = _compile(source, target, nvcc)
        memory.remember(key, known)
    cubin, ptx, log = known
    kernels = entries(ptx)
    symbol = symbol_of(source.entry, tuple(kernels))
    if symbol is None:
        there = ", ".join(map(plain_name, kernels)) or "no kernel"
        raise CompileError(f"{source.path}: the header's entry {source.entry!r} is not in the file; it defines {there}")
    resources = resources_in(log).get(symbol, Resources())
    return Built(target, nvcc.release, symbol, kernels[symbol], resources, cubin, ptx, source.limit_s)


Made = tuple[bytes, str, str]
"""Cubin, PTX, and what nvcc said."""


def _compile(source: Source, target: str, nvcc: Nvcc) -> Made:
    try:
        check_expanded_size(as_written(source.text))
    except MacroError as error:
        line = source.text.encode().count(b"\n", 0, error.offset) + 1
        raise CompileError(f"{source.path}:{line}: {error}") from error
    with temporary_folder() as folder:
        (folder / SOURCE_NAME).write_text(source.text, encoding="utf-8")
        worked, log = run_nvcc(nvcc, options_for(source, target), folder, source.limit_s)
        ptx_path = (folder / SOURCE_NAME).with_suffix(".ptx")
        ptx = read_bytes(ptx_path, MOST_MADE_BYTES).decode(errors="replace") if ptx_path.is_file() else ""
        if "host compiler" in log and not worked:
            raise CompilerMissingError(HOW_TO_GET_A_HOST_COMPILER)
        if not worked:
            raise CompileError(nvcc_error(log, source.path, SOURCE_NAME, ptx))
        return read_bytes(folder / "kernel.cubin", MOST_MADE_BYTES), ptx, log


def disassemble(cubin: bytes) -> str | None:
    """The machine code as text (SASS), where cuobjdump or nvdisasm is found; else None."""
    for tool, options in (("cuobjdump", ["-sass"]), ("nvdisasm", ["-c"])):
        path = find_tool(tool)
        if path is None:
            continue
        with temporary_folder() as folder:
            file = folder / "kernel.cubin"
            file.write_bytes(cubin)
            with suppress(OSError):
                done = child_process.run([str(path), *options, str(file)], 60.0, leftovers=[folder])
                if done.returncode == 0 and done.stdout:
                    return done.stdout
    return None


class Memory:
    """What was compiled, a folder for each, which appears at once or not at all.

    Without a folder that can be written nothing is remembered.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def recall(self, key: str) -> Made | None:
        folder = self._folder / key
        try:
            facts = json.loads(read_text(folder / "facts.json", MOST_MADE_BYTES))
            cubin = read_bytes(folder / "kernel.cubin", MOST_MADE_BYTES)
            ptx = read_text(folder / "kernel.ptx", MOST_MADE_BYTES)
            if facts["digests"] != _digests(cubin, ptx):
                return None
            log = facts["log"]
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return None
        with suppress(OSError):
            os.utime(folder)
        return (cubin, ptx, log) if isinstance(log, str) else None

    def remember(self, key: str, made: Made) -> None:
        cubin, ptx, log = made
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            remove_leftovers([self._folder])
            temporary = part_beside(self._folder / key)
            temporary.mkdir()
            try:
                (temporary / "kernel.cubin").write_bytes(cubin)
                (temporary / "kernel.ptx").write_text(ptx, encoding="utf-8")
                facts = {"digests": _digests(cubin, ptx), "log": log}
                (temporary / "facts.json").write_text(json.dumps(facts), encoding="utf-8")
                if (self._folder / key).exists():  # damaged, or somebody was faster
                    shutil.rmtree(self._folder / key, ignore_errors=True)
                temporary.rename(self._folder / key)
            finally:
                shutil.rmtree(temporary, ignore_errors=True)
            self._forget_the_oldest()

    def _forget_the_oldest(self) -> None:
        there = [path for path in self._folder.iterdir() if not path.name.startswith(".")]
        if len(there) <= _MOST_REMEMBERED:
            return
        there.sort(key=lambda path: path.stat().st_mtime)
        for path in there[: len(there) - _MOST_REMEMBERED * 3 // 4]:
            shutil.rmtree(path, ignore_errors=True)


def _digests(cubin: bytes, ptx: str) -> list[str]:
    return [hashlib.sha256(part).hexdigest()[:16] for part in (cubin, ptx.encode())]

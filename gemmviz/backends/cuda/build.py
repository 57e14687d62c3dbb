"""From a kernel's source to machine code for one architecture, remembered on disk."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from pathlib import Path

from gemmviz.backends.cuda.nvcc import (
    HOW_TO_GET_A_HOST_COMPILER,
    Nvcc,
    options_for,
    run_nvcc,
)
from gemmviz.compiler.code_cache import MOST_MADE_BYTES, CodeCache, Made
from gemmviz.compiler.device_source import device_source, left_out_words
from gemmviz.compiler.expanded_size import check_macros
from gemmviz.compiler.includes import included_files, write_copies
from gemmviz.compiler.nvidia.nvidia_log import error_in, errors_in, resources_in, warnings_in
from gemmviz.compiler.ptx.kernels import PtxParameter, entries, kernel_symbol
from gemmviz.compiler.signature import signature_of
from gemmviz.compiler.source import COMPILE_LIMIT_S, SOURCE_NAME, CompileError, CompilerMissingError, Source
from gemmviz.compiler.type_names import declared_types
from gemmviz.domain.files.bounded_read import read_bytes
from gemmviz.domain.files.leftovers import temporary_folder
from gemmviz.domain.kernels.parameter_types import Signature
from gemmviz.domain.kernels.resources import Resources
from gemmviz.domain.terms import CodeForm

_TYPES = "gemmviz_types.h"
"""What a source uses and does not define; included in front of it."""
_FORM = 1
"""Of what is remembered; another number makes everything anew."""


@dataclass(frozen=True, slots=True)
class Built:
    """Machine code of a file, and of its kernel: symbol, parameters, what it takes. `ptx` is for people to read.

    `limit_s` is how long one more step of compiling it may take.
    """

    target: str
    release: str
    symbol: str
    parameters: tuple[PtxParameter, ...]
    resources: Resources
    cubin: bytes
    ptx: str
    limit_s: float = COMPILE_LIMIT_S
    signature: Signature | None = None
    """The types of the parameters of a person's own kernel; None where nobody looked, or they cannot be told."""
    maker: str = "nvcc"

    @property
    def words(self) -> str:
        """How it was made, and what it takes of a thread: "nvcc 13.0 for sm_90, 128 registers, no spills"."""
        taken = f", {self.resources.words}" if self.resources.registers else ""
        return f"{self.maker} {self.release} for {self.target}{taken}"


def key_of(source: Source, target: str, nvcc: Nvcc, form: CodeForm = CodeForm.AS_COMPILED) -> str:
    """A name for everything that the machine code depends on: source and what it includes, options, compiler.

    Raises:
        CompileError: it includes what it may not.
    """
    included = included_files(source)
    texts = (words for pair in sorted(included.items()) for words in pair)
    given = (source.text, declared_types(source, included))
    parts = (str(_FORM), *filter(None, given), *texts, *options_for(source, target, form), nvcc.version)
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()[:40]


def build(source: Source, target: str, nvcc: Nvcc, cache: Path, form: CodeForm = CodeForm.AS_COMPILED) -> Built:
    """The kernel of a source for an architecture, from the folder `cache` where it was made before.

    Raises:
        CompileError: the source is at fault; file and line of the original.
        CompilerMissingError: nvcc does not run.
        CompileTimeoutError: it did not end in time.
    """
    target = nvcc.known_target(target, source.requires)
    memory = CodeCache(cache)
    whole, source = source, instantiated(device_source(source))
    key = key_of(source, target, nvcc, form)
    known = memory.recall(key)
    if known is None:
        try:
            known = _compile(source, target, nvcc, form)
        except CompileError as error:
            left_out = left_out_words(whole, str(error))
            raise CompileError(f"{error}{left_out}", lacks_file=bool(left_out)) from error
        memory.remember(key, known)
    cubin, ptx, log = known
    kernels = entries(ptx)
    symbol = kernel_symbol(source.path, source.entry, kernels, source.text)
    resources = resources_in(log).get(symbol, Resources())
    signature = signature_of(whole, target, cache) if whole.is_foreign else None
    return Built(target, nvcc.release, symbol, kernels[symbol], resources, cubin, ptx, source.limit_s, signature)


def instantiated(source: Source) -> Source:
    """The source with something behind it that uses its entry: nvcc makes no code of a template that nothing uses."""
    if not any(sign in source.entry for sign in "<:"):
        return source
    use = f"\nstatic void *const gemmviz_instance = (void *)&{source.entry};\n"
    return replace(source, text=source.text + use)


def _compile(source: Source, target: str, nvcc: Nvcc, form: CodeForm) -> Made:
    check_macros(source)
    with temporary_folder() as folder:
        included = included_files(source)
        write_copies(included, folder)
        (folder / SOURCE_NAME).write_text(source.text, encoding="utf-8")
        types = declared_types(source, included)
        (folder / _TYPES).write_text(types, encoding="utf-8")
        options = [*options_for(source, target, form), *(["-include", _TYPES] if types else [])]
        worked, log = run_nvcc(nvcc, options, folder, source.limit_s)
        ptx_path = (folder / SOURCE_NAME).with_suffix(".ptx")
        ptx = read_bytes(ptx_path, MOST_MADE_BYTES).decode(errors="replace") if ptx_path.is_file() else ""
        if "host compiler" in log and not worked:
            raise CompilerMissingError(HOW_TO_GET_A_HOST_COMPILER)
        if not worked:
            first = error_in(log, source.path, SOURCE_NAME, ptx, source.text)
            errors = errors_in(log, source.path, SOURCE_NAME, ptx, source.text)
            raise CompileError(first, errors, warnings_in(log, source.path, SOURCE_NAME))
        return read_bytes(folder / "kernel.cubin", MOST_MADE_BYTES), ptx, log

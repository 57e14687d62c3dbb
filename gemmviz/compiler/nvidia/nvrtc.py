"""From CUDA C++ to PTX and machine code by NVIDIA's run-time compiler (NVRTC), which pip brings; no GPU is needed."""

from __future__ import annotations

import hashlib
import json
import signal
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from gemmviz.catalogue.overloads import meant_words
from gemmviz.compiler import prelude
from gemmviz.compiler.code_cache import MOST_MADE_BYTES, CodeCache, Made
from gemmviz.compiler.device_source import device_source, left_out_words
from gemmviz.compiler.expanded_size import check_macros
from gemmviz.compiler.includes import included_files, write_copies
from gemmviz.compiler.nvidia import nvrtc_process
from gemmviz.compiler.nvidia.nvidia_log import error_in, errors_in, resources_in, warnings_in
from gemmviz.compiler.nvidia.unwritten import UNSUPPORTED, unwritten_call
from gemmviz.compiler.nvidia.wheels import Nvrtc, find_nvrtc
from gemmviz.compiler.opencl.conditions import lines_at_fault, with_choices
from gemmviz.compiler.opencl.errors import opencl_error
from gemmviz.compiler.opencl.translation import as_cuda_text, opencl_as_cuda
from gemmviz.compiler.ptx.kernels import PtxParameter, entries, kernel_symbol
from gemmviz.compiler.shipped_code import TARGET, shipped_code
from gemmviz.compiler.source import (
    SOURCE_NAME,
    CompileError,
    CompilerMissingError,
    CompileTimeoutError,
    EntryError,
    Source,
    WrittenFormError,
    compile_limit_words,
)
from gemmviz.compiler.type_names import declared_types
from gemmviz.domain.files.bounded_read import read_bytes
from gemmviz.domain.files.leftovers import temporary_folder
from gemmviz.domain.kernels.parameter_types import Signature
from gemmviz.domain.kernels.resources import Resources
from gemmviz.domain.processes import child_process
from gemmviz.domain.terms import CodeForm, Language

_FORM = 1
"""Of what is remembered; another number makes everything anew."""
_MEMORY_BYTES = 6 * 2**30
"""Address space of the compiler; a kernel with cooperative groups and cuda::barrier takes less than a tenth of it."""
_NAME_FILE = "__nv_name_map"
_LOWERED = "lowered name: "
"""Before the symbol that NVRTC tells of a name expression, on the first line of the log that is remembered."""
_INSTEAD = (
    f"Choose a kernel of the catalogue with its default parameters, which comes compiled for {TARGET}, or a computer "
    "with Linux or Windows"
)
"""What can be done where there is no compiler."""


@dataclass(frozen=True, slots=True)
class CompiledCode:
    """PTX and machine code of a file for an architecture ("sm_90a"), and of its kernel: symbol, parameters, resources.

    `release` is the compiler's ("13.5"), `log` what it said, `maker` its name. `signature` are the types of the
    parameters where the PTX itself tells them; None where the source is asked (`signature.signature_of`).
    """

    target: str
    form: CodeForm
    release: str
    symbol: str
    parameters: tuple[PtxParameter, ...]
    resources: Resources
    cubin: bytes
    ptx: str
    log: str
    maker: str = "NVRTC"
    signature: Signature | None = None

    @property
    def made(self) -> Made:
        """What the compiler made."""
        return self.cubin, self.ptx, self.log

    @property
    def words(self) -> str:
        """How it was made, and what it takes of a thread: "NVRTC 13.5 for sm_90, 128 registers, no spills"."""
        form = ", as written (-G)" if self.form is CodeForm.AS_WRITTEN else ""
        taken = f", {self.resources.words}" if self.resources.registers else ""
        return f"{self.maker} {self.release} for {self.target}{form}{taken}"


def compile_cuda(
    source: Source,
    target: str,
    form: CodeForm = CodeForm.AS_COMPILED,
    cache: Path | None = None,
    *,
    or_shipped: bool = False,
) -> CompiledCode:
    """Compile a kernel for an architecture; from the folder `cache` where it was compiled before.

    An entry with template arguments or a namespace ("tile<16>", "mine::tile") is instantiated. With `or_shipped` a
    kernel of the catalogue whose PTX comes along needs no compiler; there is no cubin then.

    Raises:
        CompileError: the source is at fault; file and line of the original.
        CompilerMissingError: NVIDIA's compiler is not installed, or does not run.
        CompileTimeoutError: it did not end within the source's limit.
    """
    whole, source = source, device_source(source)
    try:
        nvrtc = find_nvrtc()
    except CompilerMissingError as error:
        found = shipped_code(key_of(source, target, form)) if or_shipped else None
        if found is not None:
            return compiled_code(source, target, form, *found)
        beside = f". {_INSTEAD}" if or_shipped else ""
        raise CompilerMissingError(f"{error}{beside}") from error
    memory = CodeCache(cache) if cache is not None else None
    key = key_of(source, target, form, nvrtc.version)
    made = memory.recall(key) if memory is not None else None
    if made is None:
        try:
            made = _compile(source, target, form, nvrtc)
        except CompileError as error:
            left_out = left_out_words(whole, str(error))
            lacks_file = bool(left_out)
            raise type(error)(f"{error}{left_out}", error.errors, error.warnings, lacks_file=lacks_file) from error
        if memory is not None:
            memory.remember(key, made)
    return compiled_code(source, target, form, nvrtc.release, made)


def compiled_code(source: Source, target: str, form: CodeForm, release: str, made: Made) -> CompiledCode:
    """What a compilation made of a source.

    Raises:
        EntryError: the source's entry is not in it.
    """
    cubin, ptx, log = made
    kernels = entries(ptx)
    lowered = log.partition("\n")[0].removeprefix(_LOWERED) if log.startswith(_LOWERED) else source.entry
    symbol = kernel_symbol(source.path, lowered, kernels, source.text)
    resources = resources_in(log).get(symbol, Resources())
    return CompiledCode(target, form, release, symbol, kernels[symbol], resources, cubin, ptx, log)


def options_for(source: Source, included: Mapping[str, str], target: str, form: CodeForm) -> list[str]:
    """What NVRTC is told besides the files. It takes 128-bit integers only where it is told to."""
    has_wide = any("__int128" in text for text in (source.text, *included.values()))
    return [
        *(("--device-int128",) if has_wide else ()),
        f"--gpu-architecture={target}",
        "-std=c++17",
        "-G" if form is CodeForm.AS_WRITTEN else "-lineinfo",
        "-default-device",
        "--ptxas-options=-v",
        f"--pre-include={prelude.NAME}",
        "-I.",  # the folder that holds the source and copies of what it may include
    ]


def key_of(source: Source, target: str, form: CodeForm, version: str = "") -> str:
    """A name for everything that the code depends on: source and what it includes, options, headers, and the compiler
    where its version is given.
    """
    included = included_files(source)
    texts = (words for pair in sorted(included.items()) for words in pair)
    headers = prelude.headers_for(source, declared_types(source, included))
    given = (words for pair in headers.items() for words in pair)
    parts = (
        *("nvrtc", str(_FORM), source.language.value, source.text, source.entry, version),
        *(*options_for(source, included, target, form), "", *texts, "", *given),
    )
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()[:40]


def _compile(source: Source, target: str, form: CodeForm, nvrtc: Nvrtc) -> Made:
    check_macros(source)
    text = opencl_as_cuda(source) if source.language is Language.OPENCL else source.text
    try:
        return _compiled(source, text, target, form, nvrtc)
    except _AtFaultError as error:
        lines = lines_at_fault(error.log, SOURCE_NAME) if source.language is Language.OPENCL else frozenset()
        if not lines or (chosen := with_choices(text, lines)) == text:
            raise error.told(source, form) from None
    try:
        return _compiled(source, chosen, target, form, nvrtc)
    except _AtFaultError as error:
        raise error.told(source, form) from None


class _AtFaultError(Exception):
    """A compiler found the source at fault: what it said, and the PTX that it had made by then."""

    def __init__(self, log: str, ptx: str) -> None:
        super().__init__(log)
        self.log, self.ptx = log, ptx

    def told(self, source: Source, form: CodeForm) -> CompileError:
        """The error with file and line of the original."""
        if form is CodeForm.AS_WRITTEN and UNSUPPORTED in self.log:
            return _without_written_form(source, warnings_in(self.log, source.path, SOURCE_NAME))
        message = error_in(self.log, source.path, SOURCE_NAME, self.ptx, source.text)
        errors = errors_in(self.log, source.path, SOURCE_NAME, self.ptx, source.text)
        if source.language is Language.OPENCL:
            message = opencl_error(message, self.log, source.path, SOURCE_NAME)
            errors = tuple(opencl_error(one, self.log, source.path, SOURCE_NAME) for one in errors)
        kind = EntryError if _NAME_FILE in message else CompileError
        errors = tuple(one for one in errors if _NAME_FILE not in one)  # of the name of the entry `message` says enough
        return kind(_of_entry(message, source), errors, warnings_in(self.log, source.path, SOURCE_NAME))


def _without_written_form(source: Source, warnings: tuple[str, ...]) -> WrittenFormError:
    name, line = unwritten_call(source.text) or ("", 0)
    place = f"{source.path}:{line}" if line else f"{source.path}"
    return WrittenFormError(
        f"{place}: NVIDIA's compiler cannot compile {name or 'a function that it uses'} as written (-G). As compiled "
        "(`--as compiled`) it can be recorded",
        warnings=warnings,
    )


def _compiled(source: Source, text: str, target: str, form: CodeForm, nvrtc: Nvrtc) -> Made:
    """What the compiler makes of a source by its `text`. Raises _AtFaultError, CompileError, CompilerMissingError."""
    names = [source.entry] if any(sign in source.entry for sign in "<:") else []
    with temporary_folder() as folder:
        included = included_files(source)
        of_opencl = source.language is Language.OPENCL
        write_copies({name: as_cuda_text(one) if of_opencl else one for name, one in included.items()}, folder)
        (folder / SOURCE_NAME).write_text(text, encoding="utf-8")
        request = {
            "library": str(nvrtc.library),
            "options": [*options_for(source, included, target, form), *(f"-I{path}" for path in nvrtc.headers)],
            "headers": {
                name: text
                for name, text in prelude.headers_for(source, declared_types(source, included)).items()
                if name not in included
            },
            "names": names,
            "memory_bytes": _MEMORY_BYTES,
        }
        (folder / "request.json").write_text(json.dumps(request), encoding="utf-8")
        code, said = _run(folder, source.limit_s)
        log = _text(folder / "log.txt")
        if code in (nvrtc_process.AT_FAULT, nvrtc_process.COMPILED):
            ptx = _text(folder / "kernel.ptx").replace(f"{folder}/", "")
            if code == nvrtc_process.AT_FAULT:
                raise _AtFaultError(log, ptx)
            lowered = json.loads(_text(folder / "names.json"))
            first = f"{_LOWERED}{lowered[source.entry]}\n" if names else ""
            return read_bytes(folder / "kernel.cubin", MOST_MADE_BYTES), ptx, first + log
    raise _fault_of_compiler(code, log or said, source)


def _run(folder: Path, limit_s: float) -> tuple[int, str]:
    """The exit code of the compiler's process, a signal's with a minus, and the last it wrote to standard error."""
    command = [sys.executable, "-I", "-S", nvrtc_process.__file__, str(folder)]
    try:
        done = child_process.run(command, limit_s, folder, leftovers=[folder])
    except TimeoutError as error:
        raise CompileTimeoutError(compile_limit_words(limit_s)) from error
    except OSError as error:
        raise CompilerMissingError(f"NVIDIA's compiler does not run: {error}") from error
    return done.returncode, done.stderr.strip().rpartition("\n")[2]


def _of_entry(message: str, source: Source) -> str:
    """An error in the entry's name, which NVRTC puts into a file of its own, as one of the source."""
    _, is_of_name, words = message.partition(_NAME_FILE)
    if not is_of_name:
        return message
    name, has_template, template = source.entry.partition("<")
    reason = words.partition(": ")[2]
    if has_template and "operand types are incompatible" in reason:
        reason = f"{name} is no template, so it takes no 'template'"
    elif has_template and "cannot determine which instance" in reason:
        reason = f"{name} does not take <{template}: give one argument for each parameter of its template"
    elif meant := meant_words(source.text, name):
        return f"{source.path}: the entry {source.entry!r} is not in the file{meant}"
    return f"{source.path}: the entry {source.entry!r}: {reason}: check 'entry' and 'template' of its description"


def _fault_of_compiler(code: int, said: str, source: Source) -> CompileError | CompilerMissingError:
    if code == nvrtc_process.OUT_OF_MEMORY or "bad_alloc" in said:
        return CompileError(
            f"{source.path}: the compiler needs more than {_MEMORY_BYTES >> 30} GiB of memory: macros, templates or "
            "unrolled loops generate too much code; make them smaller"
        )
    if code < 0:
        return CompileError(
            f"{source.path}: the compiler crashed on it ({signal.strsignal(-code) or -code}): most likely it ran out "
            f"of memory (limit {_MEMORY_BYTES >> 30} GiB) or the code is nested too deeply; make macros, templates or "
            "unrolled loops smaller"
        )
    return CompilerMissingError(f"NVIDIA's compiler does not run: {said or f'exit code {code}'}")


def _text(path: Path) -> str:
    return read_bytes(path, MOST_MADE_BYTES).decode(errors="replace") if path.is_file() else ""

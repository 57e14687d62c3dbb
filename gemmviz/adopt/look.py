"""Looks at a kernel file: reads it, and puts to the test what may be true of its kernels."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from gemmviz.adopt.finding import MOST_KERNELS, AdoptionStep, Findings, KernelFinding, Progress
from gemmviz.adopt.kernel_look import DeviceProof, KernelLook
from gemmviz.adopt.prove.search_log import SearchLog
from gemmviz.adopt.source.host_calls.python_launches import with_python_launches
from gemmviz.adopt.source.kernels import Condition
from gemmviz.adopt.source.missing import why_no_kernel
from gemmviz.adopt.source.ptx import read_ptx
from gemmviz.adopt.source.read import FoundSource, read_source
from gemmviz.adopt.source.tree import SourceError
from gemmviz.adopt.source.written_macros import with_kernels_written_out
from gemmviz.catalogue.header import beside_file
from gemmviz.catalogue.kernel_functions import kernel_functions
from gemmviz.catalogue.languages.cupy import CUPY
from gemmviz.catalogue.languages.row import Code, LanguageError
from gemmviz.catalogue.languages.table import WHAT_PYTHON_MAY_HOLD, row_of_file
from gemmviz.catalogue.overloads import meant_words, name_of
from gemmviz.compiler.expanded_size import check_macros
from gemmviz.compiler.includes import included_files
from gemmviz.compiler.python.cupy_source import computed_source, lines_of
from gemmviz.compiler.source import CompileError, CompileTimeoutError, Source
from gemmviz.domain.device import Device
from gemmviz.domain.listing import listed
from gemmviz.domain.terms import Language


class MustRunError(LanguageError):
    """A Python file says what its kernels are only when it runs."""


def look_at(
    path: Path,
    file_text: str,
    entry: str,
    budget_s: float,
    progress: Progress,
    *,
    may_run_python: bool = False,
    device: Device | None = None,
    must_run_there: bool = True,
    spent_s: float = 0.0,
    has_hard_limit: bool = False,
    on_part: Callable[[Findings], None] | None = None,
) -> Findings:
    """What was found out about the first MOST_KERNELS kernels of a file, or the one called `entry`, each within
    `budget_s` seconds, of which `spent_s` have passed for the first; `has_hard_limit`: also what is done once for all.
    `may_run_python`: a Python file may be run to know the source that it computes. What was proven on the PTX machine
    is proven on `device`, too, if there is one; without `must_run_there` only if that runs the kernel.
    `on_part` hears before each further kernel what was found.
    """
    if not file_text.strip():
        return Findings((), (), f"{path}: the file is empty: give a file with a kernel")
    begin = time.monotonic() - spent_s
    proof = DeviceProof(device, must_run_there) if device is not None else None
    try:
        limit_s = max(1.0, min(_COMPUTING_S, budget_s - spent_s))
        code, language, source = _read(path, file_text, entry, limit_s, may_run_python=may_run_python)
        if not source.kernels or with_kernels_written_out(code.text) != code.text:  # their size is told first
            check_macros(Source(path, code.text, entry, language))
    except MustRunError as error:
        return Findings((), (), error.at(path), must_run_python=True)
    except LanguageError as error:
        return Findings((), (), error.at(path))
    except (CompileError, CompileTimeoutError) as error:
        return Findings((), (), str(error))
    except SourceError as error:
        return Findings((), (), f"{path}: {error}")
    names = tuple(kernel.entry for kernel in source.kernels)
    chosen = [kernel for kernel in source.kernels if not entry or kernel.is_called(entry)][:MOST_KERNELS]
    if not names:
        mark = _MARK[language]
        why = why_no_kernel(code.text, mark) or f"no {mark} function with a body"
        if elsewhere := _kernels_included(Source(path, code.text, entry, language)):
            why = elsewhere
        if source.left_out:
            why = f"its conditions (#if) leave out the one that begins in line {source.left_out[0]}"
        return Findings((), (), f"{path}: there is no kernel in it: {why}")
    if not chosen:
        meant = meant_words(code.text, name_of(entry))
        return Findings(names, (), f"{path}: there is no kernel {entry!r} in it; it has {', '.join(names)}{meant}")
    found: list[KernelFinding] = []
    for number, kernel in enumerate(chosen, 1):
        if found and on_part is not None:
            on_part(Findings(names, tuple(found)))

        def tell(step: AdoptionStep, number: int = number) -> None:
            progress(replace(step, kernel=number, kernels=len(chosen)))

        spent = time.monotonic() - begin if number == 1 else 0.0
        log = SearchLog(tell, budget_s, spent_s=spent, has_hard_limit=has_hard_limit)
        found.append(KernelLook(path, file_text, code, source, kernel, language, log, proof).found())
    return Findings(names, tuple(found))


def _kernels_included(source: Source) -> str:
    """Which kernels stand in files that a source without any includes from its own folder: "k.cuh, which it includes,
    has mm: look at that file"; "" for none.
    """
    found = [(place, kernel_functions(text)) for place, text in sorted(_included(source).items())]
    told = [f"{place}, which it includes, has {listed([*names], _MOST_NAMED)}" for place, names in found if names]
    return f"{listed(told)}: look at that file" if told else ""


def _included(source: Source) -> dict[str, str]:
    """The files that a source includes from its own folder, by their names; none where one is too large to be read."""
    try:
        return dict(included_files(source))
    except CompileError:
        return {}


_MOST_NAMED = 5
"""Kernels of an included file."""
_COMPUTING_S = 60.0
"""For running the part of a Python file that computes a source, at most."""
_MARK = {Language.CUDA: "__global__", Language.OPENCL: "__kernel", Language.PTX: ".entry"}


def _read(
    path: Path, text: str, entry: str, limit_s: float, *, may_run_python: bool
) -> tuple[Code, Language, FoundSource]:
    """What is compiled of a file, its language, and what stands in it. A Python file may run for `limit_s`."""
    entry = name_of(entry)
    row = row_of_file(path, text, entry)
    if path.suffix == ".py" and row is None:
        raise LanguageError(f"there is no GPU kernel in it: gemmviz looks for {WHAT_PYTHON_MAY_HOLD}")
    if row is None:
        language = Language.OPENCL if path.suffix == ".cl" else Language.CUDA
        included = [*_included(Source(path, text, entry, language)).values()]
        return Code(text), language, read_source(text, language, included)
    if row.language is Language.PTX:
        return Code(text), row.language, read_ptx(text)
    if row.language is Language.CUPY:
        return _computed(path, text, entry or row.kernels(text, path)[0], limit_s, may_run_python=may_run_python)
    if row.language.is_python_to_compile:
        name = beside_file(path).name
        raise LanguageError(
            f"it holds {row.what}, and what such kernels compute is not found out: describe it in {name}"
        )
    code = row.code(text, entry or row.kernels(text, path)[0], path)
    is_placed = code.listing is not None and code.listing.text == text
    read = with_python_launches(code.text, text) if row is CUPY and is_placed else code.text
    return code, row.language, _with_macros(read_source(read, row.language), code.defines)


def _computed(
    path: Path, text: str, entry: str, limit_s: float, *, may_run_python: bool
) -> tuple[Code, Language, FoundSource]:
    """What a Python file computes and gives to CuPy; each kernel on its line of that file."""
    if not may_run_python:
        raise MustRunError(
            f"the source of {entry} is known only when the file runs, in a process that is confined as far as this "
            "system allows: allow that with --run-python"
        )
    made = computed_source(Source(path, text, entry, Language.CUPY, limit_s=limit_s, is_foreign=True))
    code = Code(made.text, defines=tuple((name, str(value)) for name, value in made.defines))
    source = _with_macros(read_source(code.text, Language.CUDA), code.defines)
    lines = lines_of(code.text)
    kernels = tuple(replace(one, line=lines[one.line - 1]) for one in source.kernels)
    return code, Language.CUDA, replace(source, kernels=kernels)


def _with_macros(source: FoundSource, defines: tuple[tuple[str, str], ...]) -> FoundSource:
    """The kernels, each as one that is compiled where these macros have their values."""
    conditions = tuple(Condition(f"{name} == {value}", is_option=True) for name, value in defines)
    kernels = tuple(replace(one, conditions=(*one.conditions, *conditions)) for one in source.kernels)
    return replace(source, kernels=kernels)

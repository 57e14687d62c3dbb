"""How a kernel source becomes an OpenCL program: translated if it is CUDA C, by the best method if PoCL runs it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from gemmviz.backends.array_sizes import check_arrays
from gemmviz.backends.base import CompileError, Progress, Source, TrialRun, name_for_compiler
from gemmviz.backends.compile_limit import within_limit
from gemmviz.backends.dialect.opencl_c import to_work_items
from gemmviz.backends.dialect.regions import NotLoopableError
from gemmviz.backends.dialect.thread_loops import to_thread_loops
from gemmviz.backends.dialect.tree import depth_refused, parse
from gemmviz.backends.opencl import pocl
from gemmviz.backends.opencl.devices import is_pocl
from gemmviz.compiler.includes import included_files
from gemmviz.compiler.opencl.local_parameters import check_local_parameters
from gemmviz.domain.device import Device
from gemmviz.domain.kernels.call import size_of
from gemmviz.domain.kernels.initial_c import initial_c
from gemmviz.domain.spec import Launch
from gemmviz.domain.stored import stored
from gemmviz.domain.terms import InitialC, Language
from gemmviz.resources import cache_folder

_TRIAL_LAUNCHES = 3


@dataclass(frozen=True, slots=True)
class Build:
    """OpenCL C and how to compile and launch it. `pocl_method` is None on other devices than PoCL's."""

    text: str
    words: str
    threads_are_loops: bool = False
    pocl_method: str | None = None

    @property
    def options(self) -> list[str]:
        """A definition that changes the program's identity, so that PoCL's cache keeps the methods apart."""
        return [] if self.pocl_method is None else [f"-DGV_METHOD_{self.words.replace(' ', '_').replace(',', '')}"]


class Builder(Protocol):
    """What choosing a method needs of an open device."""

    device: Device

    def build(self, recipe: Build, source: Source) -> Any: ...

    def try_out(self, recipe: Build, source: Source, trial: TrialRun, launches: int) -> pocl.TrialOutcome: ...


def build_for(builder: Builder, source: Source, launch: Launch, trial: TrialRun, progress: Progress) -> Build:
    """The way `source` is built for this device and block.

    Raises:
        CompileError: the source cannot be translated or does not compile, with the original line.
        CompilerStuckError: that did not end in time.
    """
    included_files(source)  # what may not be included is said before a parser or compiler sees it
    if source.language is Language.OPENCL:
        check_local_parameters(source)
    work_items = within_limit(lambda: _as_work_items(source), source.limit_s)
    if not is_pocl(builder.device):
        return Build(work_items, "OpenCL C from CUDA C" if source.language is Language.CUDA else "OpenCL C")
    within_limit(lambda: check_arrays(source, launch, builder.device), source.limit_s)
    thread_loops = within_limit(lambda: _as_thread_loops(source, launch), source.limit_s)
    options = pocl.candidates(work_items, thread_loops, launch.threads_per_block)
    recipes = {option.name: _recipe(option) for option in options}
    if len(options) == 1:
        return recipes[options[0].name]
    memory = pocl.MethodChoices(cache_folder("pocl-methods"))
    key = pocl.key_of(
        *(option.text for option in options),
        builder.device.driver,
        builder.device.name,
        repr(source.defines),
        repr(launch.block),
        str(trial.shape),
    )
    known = recipes.get(memory.recall(key) or "")
    if known is not None:
        return known
    check_as_written(builder, source)

    def run(option: pocl.Candidate) -> pocl.TrialOutcome:
        progress("trying how the CPU runs it fastest")
        try:
            return builder.try_out(recipes[option.name], source, trial, _TRIAL_LAUNCHES)
        except CompileError:
            return pocl.TrialOutcome(float("inf"), f"{option.name} does not compile".encode())

    best = pocl.choose(options, run)
    memory.remember(key, best.name)
    return recipes[best.name]


def check_as_written(builder: Builder, source: Source) -> None:
    """Compile a source in the form that stays closest to it.

    Raises:
        CompileError: it does not compile; its places are the original's as far as they can be.
    """
    text = within_limit(lambda: _as_work_items(source), source.limit_s)
    builder.build(Build(text, "check", pocl_method="workitemloops"), source)


def _recipe(option: pocl.Candidate) -> Build:
    return Build(option.text, f"PoCL, {option.name}", option.threads_are_loops, option.pocl_method)


def _as_work_items(source: Source) -> str:
    if source.language is Language.CUDA:
        with depth_refused(source.path):
            return to_work_items(parse(source.path, source.text), source.entry)
    return f'#line 1 "{name_for_compiler(source.path)}"\n{source.text}'


def _as_thread_loops(source: Source, launch: Launch) -> str | None:
    if source.language is not Language.CUDA:
        return None
    try:
        with depth_refused(source.path):
            return to_thread_loops(parse(source.path, source.text), source.entry, launch)
    except NotLoopableError:
        return None


def trial_matrices(trial: TrialRun) -> dict[str, NDArray[Any]]:
    """The matrices of a trial as they are stored: in A, B and a C that is read a fixed pattern whose products round, so
    that order shows.
    """
    call, found = trial.call, {}
    for name, step in (("A", 0.37), ("B", 0.61), ("C", 0.83)):
        rows, columns = size_of(name, trial.shape)
        pattern = (np.arange(rows * columns, dtype=np.float32) * np.float32(step)) % np.float32(1.0)
        found[name] = stored(pattern.reshape(rows, columns), call.storage(name))
    if not call.reads_c:
        found["C"] = initial_c((trial.c_elements,), call.c_begins, call.storage("C").element)
    if call.has_d:
        found["D"] = initial_c((trial.c_elements,), InitialC.UNDEFINED, call.storage("D").element)
    return found

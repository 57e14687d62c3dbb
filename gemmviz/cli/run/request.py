"""From the words of `gemmviz run` to what is to be run; every fault of theirs is named before anything starts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any, TypeVar

from gemmviz.catalogue.gpus import UnknownGpuError, emulated
from gemmviz.catalogue.header import HeaderError
from gemmviz.catalogue.kernel import Kernel, ParameterError
from gemmviz.catalogue.loader import (
    KERNEL_SUFFIXES,
    Catalogue,
    UnknownKernelError,
    entry_without_its_constraints,
    load_catalogue,
)
from gemmviz.catalogue.presets import Preset, UnknownPresetError, find_preset
from gemmviz.catalogue.recordable import FIRST_BLOCK
from gemmviz.catalogue.values.further_values import with_values
from gemmviz.cli.export.overwriting import checked_out
from gemmviz.cli.faults import BadInputError, complain
from gemmviz.cli.options.call_options import first_option, option_of
from gemmviz.cli.options.option_numbers import MOST_LIMIT_S, check_digits, seconds, shown, whole_numbers
from gemmviz.domain.device import EMULATOR, Device
from gemmviz.domain.recordings.variables import AS_WRITTEN_ONLY
from gemmviz.domain.session.checks import MOST_RUNS
from gemmviz.domain.shape import Shape, ShapeError
from gemmviz.domain.spec import Params
from gemmviz.domain.terms import CodeForm, Fill, Mode
from gemmviz.engine.own_kernel_file import load_own_kernel

ALL = "all"

W = TypeVar("W", Fill, Mode)


FORMS = {"compiled": CodeForm.AS_COMPILED, "written": CodeForm.AS_WRITTEN}
"""What the words behind --as mean."""
BOTH = "both"
"""Behind the --as of a recording: as written and as compiled."""


@dataclass(frozen=True, slots=True)
class TraceRequest:
    """A checked `gemmviz trace`: one kernel with its parameters, which block of it (None is all), in which forms it is
    recorded, one after the other (None is the usual one), and the thread whose variables are printed (None is none).
    """

    run: CheckedRun
    block: tuple[int, int, int] | None
    forms: tuple[CodeForm | None, ...] = (None,)
    thread: tuple[int, int, int] | None = None

    @property
    def keeps_values(self) -> bool:
        """Whether the values of variables are recorded: to be printed, or for a session."""
        return self.thread is not None or self.run.out is not None


@dataclass(frozen=True, slots=True)
class CheckedRun:
    """A checked `gemmviz run`. `is_ladder`: all kernels were asked for, so one that refuses is no fault;
    `force`: `out` may be replaced.
    """

    jobs: tuple[tuple[Kernel, Params], ...]
    is_ladder: bool
    shape: Shape
    fill: Fill
    seed: int
    mode: Mode
    budget_s: float
    time_limit_s: float
    device: str | None
    out: Path | None
    force: bool = False


@dataclass(frozen=True, slots=True)
class CompileRequest:
    """A checked `gemmviz compile`. `target` "" is the GPU's own; `ptx` and `sass` are files, or - for the output."""

    run: CheckedRun
    gpu: Device
    target: str
    form: CodeForm
    ptx: Path | None = None
    sass: Path | None = None


def read_request(
    kernel: str | None,
    size: str | None,
    preset: str | None,
    param: list[str],
    device: str | None,
    kernel_file: list[Path],
    fill: str | None,
    seed: int,
    mode: str,
    budget: float,
    time_limit: float,
    out: Path | None,
    force: bool = False,
    description: Mapping[str, Any] | None = None,
    run_python: bool = False,
    takes_further: bool = False,
) -> CheckedRun:
    """Check every option; `description` are tables that describe the one kernel file, or replace some of what does.
    With `run_python` kernels may be compiled by running the Python file that they are in. With `takes_further` their
    parameters may have values that they do not offer.

    Raises:
        BadInputError: naming the option, its value and what would be right.
    """
    chosen = _preset(preset)
    shape = _shape(size, chosen)
    params = _params(param)
    if description and len(kernel_file) != 1:
        raise BadInputError(
            f"{first_option(description)}: it describes a kernel file of your own; give one with --kernel-file"
        )
    catalogue, names = _kernels(kernel, kernel_file, chosen, description or {}, params)
    jobs = _jobs(catalogue, names, params, chosen, is_ladder=kernel == ALL, takes_further=takes_further)
    _check_python([kernel for kernel, _ in jobs], is_allowed=run_python)
    if not 0 <= seed < 2**63:
        raise BadInputError(f"--seed {seed}: give a whole number from 0 to {2**63 - 1}")
    return CheckedRun(
        jobs=jobs,
        is_ladder=kernel == ALL,
        shape=shape,
        fill=_word(Fill, "--fill", fill if fill is not None else (chosen.fill if chosen else Fill.UNIFORM)),
        seed=seed,
        mode=_word(Mode, "--mode", mode),
        budget_s=seconds("--budget", budget, 3600.0),
        time_limit_s=seconds("--time-limit", time_limit, MOST_LIMIT_S),
        device=device,
        out=checked_out(out, force),
        force=force,
    )


def read_trace_request(
    block: str | None,
    all_blocks: bool,
    target: str | None = None,
    form: str | None = None,
    values: bool = False,
    thread: str | None = None,
    **run: Any,
) -> TraceRequest:
    """Check every option of `gemmviz trace`; without `block` and `all_blocks` the first block is meant. A `target` asks
    for the PTX machine, as do `values`, which are those of a `thread`, by default of the first.

    Raises:
        BadInputError: as `read_request`; several kernels, a block that is none, a target that is unknown.
    """
    if target is not None:
        run["device"] = _machine_for(target, run["device"])
    if thread is not None and not values:
        raise BadInputError(
            f"--thread {shown(thread)}: it chooses the thread whose variables --values prints; give --values, too"
        )
    if values:
        run["device"] = _recorder_of_values(run["device"], form)
        form = "written"
    if run["kernel"] is not None and run["kernel_file"]:
        raise BadInputError(
            f"--kernel {run['kernel']} and --kernel-file {run['kernel_file'][0]}: one kernel is recorded at a time; "
            "give only one of them"
        )
    request = read_request(preset=None, mode=Mode.COLD, budget=1.0, **run)
    if len(request.jobs) != 1:
        option = "--kernel-file" if run["kernel_file"] else "--kernel"
        several = len({kernel.id for kernel, _ in request.jobs}) > 1
        raise BadInputError(
            f"{option if several else '--param'}: one kernel with one set of parameters is recorded at a time; "
            "give one of each"
        )
    if all_blocks and block is not None:
        raise BadInputError("--block and --all-blocks exclude each other; give only one of them")
    chosen = None
    if not all_blocks:
        chosen = FIRST_BLOCK if block is None else read_block(block)
    whose = read_index("--thread", thread or "0,0") if values else None
    if form == BOTH:
        return TraceRequest(request, chosen, tuple(CodeForm), whose)
    choice = None if form is None else read_form(form, f"compiled, written or {BOTH}")
    return TraceRequest(request, chosen, (choice,), whose)


def _recorder_of_values(device: str | None, form: str | None) -> str:
    """The device that records values of variables."""
    if form is not None and (form == BOTH or read_form(form) is not CodeForm.AS_WRITTEN):
        raise BadInputError(f"--values: {AS_WRITTEN_ONLY[0].lower()}{AS_WRITTEN_ONLY[1:-1]}; leave out --as {form}")
    if device is not None and device.partition(":")[0] != EMULATOR:
        raise BadInputError(f"--values: the PTX machine records them, not {device}; leave out --device")
    return device or EMULATOR


def read_form(word: str, choices: str = "compiled or written") -> CodeForm:
    """The form of `--as`.

    Raises:
        BadInputError: there is no such form; `choices` are those that are named.
    """
    try:
        return FORMS[word]
    except KeyError as error:
        raise BadInputError(f"--as {shown(word)}: choose {choices}") from error


def read_block(text: str) -> tuple[int, int, int]:
    """The block of `--block BX,BY`; what is left out is 0.

    Raises:
        BadInputError: it is none.
    """
    return read_index("--block", text, "BX,BY")


def read_index(option: str, text: str, pattern: str = "X,Y,Z") -> tuple[int, int, int]:
    """x, y, z of a block or a thread; what is left out is 0.

    Raises:
        BadInputError: the text is none.
    """
    check_digits(option, text.split(","))
    numbers = whole_numbers(text, ",") or []
    if not 1 <= len(numbers) <= 3 or min(numbers) < 0:
        raise BadInputError(f"{option} {shown(text)}: write {pattern} with whole numbers from 0, for instance 3,1")
    x, y, z = [*numbers, 0, 0][:3]
    return x, y, z


def _machine_for(target: str, device: str | None) -> str:
    """What `--device` would say for the PTX machine with a target."""
    if device not in (None, EMULATOR):
        raise BadInputError(f"--target {shown(target)}: {device} is not the PTX machine; leave out one of the two")
    try:
        emulated(target)
    except UnknownGpuError as error:
        raise BadInputError(f"--target {shown(target)}: {error}") from error
    return f"{EMULATOR}:{target}"


def _preset(name: str | None) -> Preset | None:
    try:
        return find_preset(name) if name is not None else None
    except UnknownPresetError as error:
        raise BadInputError(f"--preset: {error}") from error


def _shape(size: str | None, preset: Preset | None) -> Shape:
    if size is None:
        if preset is not None:
            return preset.shape
        raise BadInputError("--size is missing: give MxNxK, for instance --size 512x512x256, or a --preset")
    try:
        return Shape.parse(size)
    except ShapeError as error:
        raise BadInputError(f"--size {shown(size)}: {error}") from error


def _check_python(kernels: Sequence[Kernel], *, is_allowed: bool) -> None:
    """See that Python is run only where somebody said so."""
    asking = next((kernel for kernel in kernels if kernel.language.is_python_to_compile), None)
    if asking is not None and not is_allowed:
        raise BadInputError(
            f"--kernel-file {asking.path}: it is Python code, which is run to compile its kernel, in a process that is "
            "confined as far as this system allows: allow that with --run-python"
        )


def _kernels(
    text: str | None,
    files: list[Path],
    preset: Preset | None,
    description: Mapping[str, Any],
    params: Mapping[str, tuple[int, ...]],
) -> tuple[Catalogue, list[str]]:
    catalogue = load_catalogue()
    names = [name.strip() for name in text.split(",")] if text is not None else []
    own = [_own_kernel(file, catalogue, description, params) for file in files]
    for kernel in own:
        catalogue = catalogue.with_kernel(kernel)
    names = [*(kernel.id for kernel in own), *names]
    if not names and preset is not None:
        names = list(preset.kernels)
    if not names:
        raise BadInputError(
            "no kernel: name one or several (`gemmviz kernels` lists them), or `all`, or give a --kernel-file"
        )
    if ALL in names:
        names = [found.id for found in catalogue.kernels]
    try:
        for name in names:
            catalogue.get(name)
    except UnknownKernelError as error:
        if Path(name).suffix in KERNEL_SUFFIXES:
            raise BadInputError(f"{name} is a file, not the name of a kernel: give --kernel-file {name}") from error
        raise BadInputError(str(error.args[0])) from error
    return catalogue, list(dict.fromkeys(names))


def _own_kernel(
    file: Path, catalogue: Catalogue, description: Mapping[str, Any], params: Mapping[str, tuple[int, ...]]
) -> Kernel:
    """A person's kernel; one named like a kernel of the catalogue keeps its suffix, so that both can be compared."""
    try:
        kernel = load_own_kernel(file, description, params)
        other = entry_without_its_constraints(file, description) if description else ""
    except HeaderError as error:
        raise BadInputError(_what_is_wrong(file, error, description)) from error
    if other:
        complain(f"--entry {kernel.entry}: the constraints in the description are those of {other} and do not apply")
    taken = any(known.id == kernel.id for known in catalogue.kernels)
    return replace(kernel, id=file.name) if taken else kernel


def _what_is_wrong(file: Path, error: HeaderError, description: Mapping[str, Any]) -> str:
    """A complaint with the option that is wrong, or with file and line of the description that is."""
    option = option_of(error.key, description) if error.key else ""
    if error.is_of_options and option:
        return f"{option}: {error.reason}"
    if not error.is_adoptable and (error.line or error.path != file):
        return str(error)
    how = f". `gemmviz adopt {file} --write` finds out what it computes" if error.is_adoptable else ""
    if description and option:  # options alone describe it, and one is missing
        how = f"; give {'--launch-block and --grid' if error.key == 'launch' else option}"
    return f"--kernel-file {error}{how}"


def _params(words: list[str]) -> dict[str, tuple[int, ...]]:
    found: dict[str, tuple[int, ...]] = {}
    for word in words:
        name, equals, values = word.partition("=")
        check_digits(f"--param {shown(name)}", values.split(","))
        numbers = tuple(whole_numbers(values, ",") or ())
        if not equals or not name.strip() or not numbers:
            raise BadInputError(f"--param {shown(word)}: write NAME=VALUE with a whole number, for instance TILE=16")
        if name.strip() in found:
            raise BadInputError(f"--param {word}: {name.strip()} is given twice; list its values as {name}=8,16")
        found[name.strip()] = tuple(dict.fromkeys(numbers))
    return found


def _jobs(
    catalogue: Catalogue,
    names: list[str],
    given: Mapping[str, tuple[int, ...]],
    preset: Preset | None,
    is_ladder: bool,
    takes_further: bool,
) -> tuple[tuple[Kernel, Params], ...]:
    kernels = [catalogue.get(name) for name in names]
    offered = {parameter.name for kernel in kernels for parameter in kernel.parameters}
    for name, values in given.items():
        if name not in offered:
            try:
                kernels[0].params({name: values[0]})
            except ParameterError as error:
                reason = str(error) if len(kernels) == 1 else f"no kernel of this run has a parameter {name!r}"
                raise BadInputError(f"--param {name}={values[0]}: {reason}") from error
    jobs: list[tuple[Kernel, Params]] = []
    for kernel in kernels:
        wanted = {**(dict(preset.params) if preset is not None else {}), **given}
        own = {
            p.name: (value if isinstance(value, tuple) else (value,))
            for p in kernel.parameters
            if (value := wanted.get(p.name)) is not None
        }
        if len(jobs) + math.prod(len(values) for values in own.values()) > MOST_RUNS:
            raise BadInputError(
                f"--param: these are more than {MOST_RUNS} combinations, and a session holds no more; give fewer values"
            )
        asked = with_values(kernel, given) if takes_further else kernel
        for combination in product(*own.values()):
            try:
                jobs.append((kernel, asked.params(dict(zip(own, combination, strict=True)))))
            except ParameterError as error:
                if not is_ladder:
                    raise BadInputError(f"--param: {error}") from error
                jobs.append((kernel, kernel.params({})))
    return tuple(dict.fromkeys(jobs))


def _word(kind: type[W], option: str, word: str) -> W:
    try:
        return kind(word)
    except ValueError as error:
        raise BadInputError(f"{option} {word}: choose from {', '.join(kind)}") from error

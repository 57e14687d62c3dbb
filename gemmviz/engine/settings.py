"""The settings of a kernel's parameters, and what is found out about each without a GPU."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import product
from math import prod

from gemmviz.backends.base import BackendError
from gemmviz.catalogue.kernel import Kernel, Refusal
from gemmviz.catalogue.recordable import why_not_recorded
from gemmviz.compiler.source import full_reason
from gemmviz.domain.clock import timestamp
from gemmviz.domain.device import Device
from gemmviz.domain.kernels.examined_sweep import MOST_SETTINGS, left_out_words
from gemmviz.domain.kernels.kernel_version import Check, Compilation, KernelVersion
from gemmviz.domain.listing import listed
from gemmviz.domain.memory import MemoryRefusal
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Params
from gemmviz.engine.examination import NothingFound, bounded, examine
from gemmviz.engine.jobs import without_name
from gemmviz.engine.messages import Conditions, Job
from gemmviz.measure.bench import Watch

_MOST_COMBINATIONS = 100_000
SETTING_LIMIT_S = 20.0
"""How long a launch of a setting may take."""


class SettingsError(ValueError):
    """Parameters that cannot be swept: one sentence that says why and what to do."""


@dataclass(frozen=True, slots=True)
class SettingsToExamine:
    """The settings to examine, and how many combinations of values the kernel's constraints leave out."""

    each: tuple[Params, ...]
    left_out: int = 0

    @property
    def left_out_words(self) -> str:
        """What is left out, in words; "" for nothing."""
        return left_out_words(self.left_out)


def settings_of(
    kernel: Kernel, names: Collection[str], chosen: Mapping[str, Sequence[int]], shape: Shape, machine: Device
) -> SettingsToExamine:
    """Every combination of the values of the parameters `names` that the PTX machine `machine` can launch. `chosen` are
    values to take in place of a parameter's choices; where it says nothing of the others, they have their defaults.
    Without names there is one setting.

    Raises:
        SettingsError: there is no such parameter, no setting, too many, or the kernel cannot be recorded.
        ParameterError: a chosen value is no choice of its parameter.
    """
    if reason := why_not_recorded(kernel):
        raise SettingsError(f"{kernel.id}: {without_name(kernel, reason)}")
    has = [parameter.name for parameter in kernel.parameters]
    if unknown := [name for name in names if name not in has]:
        raise SettingsError(f"{kernel.id} has no parameter {unknown[0]!r}: it has {listed(has) if has else 'none'}")
    values = {
        parameter.name: tuple(
            chosen.get(parameter.name, parameter.choices if parameter.name in names else (parameter.default,))
        )
        for parameter in kernel.parameters
    }
    count = prod(map(len, values.values()))
    if count > _MOST_COMBINATIONS:
        raise SettingsError(_too_many(f"more than {_MOST_COMBINATIONS}", names))
    all_params = [kernel.params(dict(zip(values, one, strict=True))) for one in product(*values.values())]
    each = tuple(params for params in all_params if _is_launched(kernel, params, shape, machine))
    if not each and not names:
        other = "another size or other parameters" if has else "another size"
        raise SettingsError(f"{kernel.id} cannot run at {shape.words}: choose {other}")
    if not each:
        raise SettingsError(f"no combination of {listed([*names])} can run at {shape.words}: choose another size")
    if len(each) > MOST_SETTINGS:
        raise SettingsError(_too_many(str(len(each)), names))
    return SettingsToExamine(each, count - len(each))


def with_further(
    kernel: Kernel, chosen: Mapping[str, int], values: Mapping[str, Sequence[int]], made: SettingsToExamine
) -> SettingsToExamine:
    """The settings, and of each further value that none of them has one more, which says why it cannot be launched."""
    offered = {one.name: one.choices for one in kernel.parameters}
    further = [(name, value) for name, several in values.items() for value in several if value not in offered[name]]
    more = [
        tuple((key, value if key == name else held) for key, held in chosen.items())
        for name, value in further
        if not any((name, value) in setting for setting in made.each)
    ]
    return SettingsToExamine((*made.each, *more), max(0, made.left_out - len(more)))


def _too_many(count: str, names: Collection[str]) -> str:
    return (
        f"{count} combinations of {listed([*names])} are too many: at most {MOST_SETTINGS} are examined. Sweep fewer "
        "parameters at a time, or give some of them fewer values"
    )


def _is_launched(kernel: Kernel, params: Params, shape: Shape, machine: Device) -> bool:
    for one in (bounded(shape), shape):
        with suppress(Refusal):
            kernel.plan(one, params, machine)
            return True
    return False


def examined_setting(
    job: Job, conditions: Conditions, gpu: Device, watch: Watch, number: int = 1, *, proves: bool = False
) -> tuple[KernelVersion, TraceRun | None]:
    """What can be found out about one setting: a version of the kernel's file with these parameters, and its recording.
    What could not be found out is among its faults. With `proves` its result is checked at several sizes.

    Raises:
        CancelledError: stopped.
    """
    compilation: Compilation | None = None
    check: Check | None = None
    trace: TraceRun | None = None
    faults: list[str] = []
    kernel = job.kernel
    try:
        for stage in examine(job, conditions, gpu, (0, 0, 0), watch, proves=proves):
            match stage:
                case Compilation():
                    compilation = stage
                case TraceRun():
                    trace = stage
                case Check():
                    check = stage
                case NothingFound(reason=reason):
                    faults.append(reason)
    except (MemoryRefusal, BackendError, ValueError) as error:
        faults.append(without_name(kernel, full_reason(error)))
    version = KernelVersion(
        kernel.id,
        number,
        kernel.path.name,
        kernel.file_text,
        timestamp(),
        job.params,
        compilation,
        check,
        trace.finished if trace is not None else "",
        tuple(faults),
    )
    return version, trace

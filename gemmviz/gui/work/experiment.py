"""What a person has set up to run, as one value, and the steps from one such value to the next."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product
from math import prod
from typing import Any, TypeVar

from gemmviz.catalogue.gpus import load_gpus
from gemmviz.catalogue.kernel import Kernel, Refusal
from gemmviz.catalogue.loader import Catalogue
from gemmviz.catalogue.presets import Preset, load_presets
from gemmviz.domain.device import EMULATOR, Device
from gemmviz.domain.runs.doubts import NOT_SWEPT
from gemmviz.domain.shape import Shape, ShapeError
from gemmviz.domain.spec import Params, RunSpec
from gemmviz.domain.terms import Fill, Mode
from gemmviz.engine.messages import Conditions, Job

MOST_SWEEP_RUNS = 64
MOST_COMBINATIONS = 4096
"""Of parameters, that are looked at to find those that can run."""
SEEDS = (0, 2**31 - 1)
BUDGETS_S = (0.1, 3600.0)
LAUNCH_LIMITS_S = (1.0, 86400.0)
QUICK_BUDGET_S = 1.0
"""The budget of a kernel in quick mode: enough to see an order, too little for a result to settle."""
LESSON_BUDGET_S = 12.0
"""The budget of a kernel in the run of a lesson: longer than in quick mode, so that fewer results end at the limit."""

_FALLBACK = Shape(512, 512, 256)
_USUAL = Conditions(_FALLBACK)

W = TypeVar("W", Fill, Mode)


class SweepError(ValueError):
    """Parameters that cannot be swept; the message says why."""


@dataclass(frozen=True, slots=True)
class Experiment:
    """Everything the experiment panel can set.

    `kernel` is the id of the chosen kernel, `compared` the ids that run beside it. `params` has what was chosen for
    single kernels, by id in alphabetical order; kernels that are not in it run with their defaults. `device` is the
    `choice` of the device for GPU kernels, "" for the preferred one, `target` the id of the GPU that the PTX machine
    emulates and that machine code is shown for, "" for the usual one. `is_quick` is quick mode: QUICK_BUDGET_S per
    kernel.
    """

    kernel: str
    shape: Shape
    compared: frozenset[str] = frozenset()
    params: tuple[tuple[str, Params], ...] = ()
    fill: Fill = _USUAL.fill
    seed: int = _USUAL.seed
    mode: Mode = _USUAL.mode
    device: str = _USUAL.device
    budget_s: float = _USUAL.budget_s
    launch_limit_s: float = _USUAL.launch_limit_s
    is_quick: bool = False
    target: str = ""

    def chosen_for(self, kernel: Kernel) -> Params:
        """The parameters of a kernel that were chosen, with values that it still offers."""
        chosen = dict(dict(self.params).get(kernel.id, ()))
        return tuple((p.name, chosen[p.name]) for p in kernel.parameters if chosen.get(p.name) in p.choices)

    def params_of(self, kernel: Kernel) -> Params:
        """All parameters of a kernel: what was chosen and is still offered, defaults for the rest."""
        chosen = dict(self.chosen_for(kernel))
        return kernel.params(chosen)


def default_experiment(catalogue: Catalogue, presets: Sequence[Preset] | None = None) -> Experiment:
    """The first preset (of those gemmviz brings, if none are given) in quick mode, on its first kernel that shares
    memory: a new user's first Run shall end in seconds, and shared memory is the first thing to see in a recording.

    Where no kernel of the preset has any, its first GPU kernel is taken; without a preset, the first such kernel of
    the whole catalogue.
    """
    presets = load_presets() if presets is None else presets
    blank = Experiment(catalogue.kernels[0].id if catalogue.kernels else "", _FALLBACK, is_quick=True)
    if not presets:
        first = _first(catalogue.kernels)
        return replace(blank, kernel=first.id) if first is not None else blank
    start = with_preset(blank, presets[0], catalogue)
    kernels = _of_preset(presets[0], catalogue)
    first = _first(kernels)
    if first is None:
        return start
    return replace(start, kernel=first.id, compared=frozenset(k.id for k in kernels) - {first.id})


def with_compared(experiment: Experiment, kernel_id: str, is_compared: bool) -> Experiment:
    """A kernel beside the chosen one, or no longer."""
    change = experiment.compared.union if is_compared else experiment.compared.difference
    return replace(experiment, compared=change({kernel_id}))


def without_ticks(experiment: Experiment, kernel_ids: Iterable[str]) -> Experiment:
    """The experiment with these kernels compared no longer."""
    return replace(experiment, compared=experiment.compared.difference(kernel_ids))


def with_size(experiment: Experiment, m: int, n: int, k: int) -> Experiment:
    """Another size.

    Raises:
        ShapeError: no run can have it.
    """
    return replace(experiment, shape=Shape(m, n, k))


def with_param(experiment: Experiment, kernel: Kernel, name: str, value: int) -> Experiment:
    """Another value for a parameter of one kernel.

    Raises:
        ParameterError: the kernel has no such parameter, or does not offer the value.
    """
    kernel.params({name: value})
    chosen = {**dict(experiment.chosen_for(kernel)), name: value}
    own = tuple((each.name, chosen[each.name]) for each in kernel.parameters if each.name in chosen)
    return replace(experiment, params=tuple(sorted({**dict(experiment.params), kernel.id: own}.items())))


def for_blackboard(experiment: Experiment, shape: Shape, kernel: Kernel) -> Experiment:
    """A small product that can be followed by hand: whole numbers, and the largest tiles with which several of them
    make up C, where the kernel has a parameter TILE.
    """
    changed = replace(experiment, shape=shape, fill=Fill.COUNTING)
    for parameter in (one for one in kernel.parameters if one.name == "TILE"):
        fits = [value for value in parameter.choices if 2 * value <= min(shape.m, shape.n, shape.k)]
        if fits:
            changed = with_param(changed, kernel, parameter.name, max(fits))
    return changed


def with_preset(experiment: Experiment, preset: Preset, catalogue: Catalogue) -> Experiment:
    """A preset's size, fill, parameters and kernels: its first GPU kernel is chosen, the others are compared.

    A parameter goes to every kernel of the catalogue that has one of that name and offers the value.
    """
    changed = replace(experiment, shape=preset.shape, fill=preset.fill)
    for kernel in catalogue.kernels:
        for name, value in _offered(kernel, preset):
            changed = with_param(changed, kernel, name, value)
    kernels = _of_preset(preset, catalogue)
    if not kernels:
        return changed
    first = next((kernel for kernel in kernels if not kernel.runs_on_host), kernels[0])
    return replace(changed, kernel=first.id, compared=frozenset(k.id for k in kernels) - {first.id})


def for_lesson(experiment: Experiment, preset: Preset, catalogue: Catalogue) -> Experiment:
    """A lesson's run, LESSON_BUDGET_S for each kernel at most, on the device that is chosen. All else is the lesson's
    or the usual: nothing that was set up before changes what its texts speak of.
    """
    blank = Experiment(experiment.kernel, preset.shape, device=experiment.device, budget_s=LESSON_BUDGET_S)
    return with_preset(blank, preset, catalogue)


def with_settings_of(experiment: Experiment, spec: RunSpec) -> Experiment:
    """The settings of a run that was made; what it was compared with, its limits and its device stay."""
    params = tuple(sorted({**dict(experiment.params), spec.kernel: spec.params}.items()))
    return replace(
        experiment, kernel=spec.kernel, shape=spec.shape, params=params, fill=spec.fill, seed=spec.seed, mode=spec.mode
    )


def spec_of(experiment: Experiment, catalogue: Catalogue) -> RunSpec:
    """The chosen kernel as it is set up; its device is what a person chose, with the target of the PTX machine."""
    params = experiment.params_of(catalogue.get(experiment.kernel))
    device = device_asked_for(experiment.device, experiment.target)
    return RunSpec(
        experiment.kernel, experiment.shape, params, device, experiment.fill, experiment.seed, experiment.mode
    )


def with_device_of(experiment: Experiment, spec: RunSpec) -> Experiment:
    """The device and the target of what `spec_of` gave; a target that there is no more stays as it was."""
    device, _, target = spec.device.partition(":") if spec.device.startswith(f"{EMULATOR}:") else (spec.device, "", "")
    is_known = target in {gpu.id for gpu in load_gpus()}
    return replace(experiment, device=device, target=target if is_known else experiment.target)


def unoffered(spec: RunSpec, kernel: Kernel) -> list[str]:
    """The parameters of a spec, as "TILE 8", that a kernel of today does not offer."""
    choices = {parameter.name: parameter.choices for parameter in kernel.parameters}
    return [f"{name} {value}" for name, value in spec.params if value not in choices.get(name, ())]


def preset_of(experiment: Experiment, presets: Iterable[Preset], catalogue: Catalogue) -> Preset | None:
    """The preset that these settings are, whichever of its kernels is the chosen one; None if they are no preset's."""
    running = {experiment.kernel, *experiment.compared}
    for preset in presets:
        kernels = _of_preset(preset, catalogue)
        if (experiment.shape, experiment.fill) == (preset.shape, preset.fill) and running == {k.id for k in kernels}:
            chosen = [(dict(experiment.params_of(kernel)), _offered(kernel, preset)) for kernel in kernels]
            if all(values[name] == value for values, wanted in chosen for name, value in wanted):
                return preset
    return None


def fitted(experiment: Experiment, catalogue: Catalogue) -> Experiment:
    """The experiment without kernels that the catalogue does not have; parameters are kept should they come back."""
    known = frozenset(kernel.id for kernel in catalogue.kernels)
    kernel = experiment.kernel if experiment.kernel in known else default_experiment(catalogue).kernel
    return replace(experiment, kernel=kernel, compared=experiment.compared & known)


def jobs_of(experiment: Experiment, catalogue: Catalogue) -> tuple[Job, ...]:
    """The chosen kernel, then the compared ones in lesson order."""
    chosen = [kernel for kernel in catalogue.kernels if kernel.id == experiment.kernel]
    others = [k for k in catalogue.kernels if k.id in experiment.compared and k.id != experiment.kernel]
    return tuple(Job(kernel, experiment.params_of(kernel)) for kernel in [*chosen, *others])


def ladder_jobs(experiment: Experiment, catalogue: Catalogue) -> tuple[Job, ...]:
    """Every kernel in lesson order, with what was chosen for it or its defaults."""
    return tuple(Job(kernel, experiment.params_of(kernel)) for kernel in catalogue.kernels)


def sweep_jobs(
    experiment: Experiment, catalogue: Catalogue, names: Sequence[str], device: Device | None
) -> tuple[Job, ...]:
    """The chosen kernel with every combination of the parameters `names` that can run; the others stay as chosen.

    Raises:
        SweepError: no device, no such parameter, no combination that can run, or more than MOST_SWEEP_RUNS of them.
    """
    kernel = catalogue.get(experiment.kernel)
    swept = [parameter for parameter in kernel.parameters if parameter.name in names]
    if not names or len(swept) < len(set(names)):
        has = ", ".join(parameter.name for parameter in kernel.parameters) or "none"
        raise SweepError(f"{kernel.id} cannot be swept over {', '.join(names) or 'nothing'}: its parameters are {has}")
    if device is None:
        raise SweepError(f"{kernel.id} cannot be swept: there is no device to run it on")
    if device.is_emulated:
        raise SweepError(NOT_SWEPT)
    if prod(len(parameter.choices) for parameter in swept) > MOST_COMBINATIONS:
        raise SweepError(
            f"more than {MOST_COMBINATIONS} combinations of {', '.join(names)}, too many for one sweep: "
            "sweep fewer parameters at a time"
        )
    held = dict(experiment.params_of(kernel))
    combinations = (
        kernel.params({**held, **dict(zip((p.name for p in swept), values, strict=True))})
        for values in product(*(p.choices for p in swept))
    )
    running = (params for params in combinations if _plans(kernel, params, experiment.shape, device))
    found = tuple(Job(kernel, params) for params in islice(running, MOST_SWEEP_RUNS + 1))
    if not found:
        raise SweepError(f"no combination of {', '.join(names)} can run at {experiment.shape.words} on {device.name}")
    if len(found) > MOST_SWEEP_RUNS:
        raise SweepError(
            f"more than {MOST_SWEEP_RUNS} combinations of {', '.join(names)} can run, too many for one sweep: "
            "sweep fewer parameters at a time"
        )
    return found


def conditions_of(experiment: Experiment) -> Conditions:
    """What all jobs of the experiment have in common."""
    return Conditions(
        experiment.shape,
        experiment.fill,
        experiment.seed,
        experiment.mode,
        device_asked_for(experiment.device, experiment.target),
        budget_s_of(experiment),
        experiment.launch_limit_s,
        values=True,
    )


def device_asked_for(choice: str, target: str) -> str:
    """What a request asks for by a device's `choice`: of the PTX machine with the target, if one was chosen."""
    return f"{choice}:{target}" if choice == EMULATOR and target else choice


def budget_s_of(experiment: Experiment) -> float:
    """The longest time to sample one kernel, in seconds: in quick mode QUICK_BUDGET_S, or less where less is set."""
    return min(experiment.budget_s, QUICK_BUDGET_S) if experiment.is_quick else experiment.budget_s


def to_dict(experiment: Experiment) -> dict[str, Any]:
    """Plain values for a settings file."""
    return {
        "kernel": experiment.kernel,
        "compared": sorted(experiment.compared),
        "size": str(experiment.shape),
        "params": {kernel: dict(params) for kernel, params in experiment.params},
        "fill": experiment.fill.value,
        "seed": experiment.seed,
        "mode": experiment.mode.value,
        "device": experiment.device,
        "budget_s": experiment.budget_s,
        "launch_limit_s": experiment.launch_limit_s,
        "quick": experiment.is_quick,
        "target": experiment.target,
    }


def from_dict(values: object, catalogue: Catalogue) -> Experiment:
    """What `to_dict` gave, from whatever a settings file holds: defaults stand in for what is unusable."""
    usual = default_experiment(catalogue)
    if not isinstance(values, Mapping):
        return usual
    kernel, compared, device, target = (values.get(key) for key in ("kernel", "compared", "device", "target"))
    read = Experiment(
        kernel=kernel if isinstance(kernel, str) else usual.kernel,
        shape=_shape(values.get("size"), usual.shape),
        compared=frozenset(k for k in compared if isinstance(k, str)) if isinstance(compared, list) else usual.compared,
        params=_params(values["params"]) if isinstance(values.get("params"), Mapping) else usual.params,
        fill=_word(Fill, values.get("fill"), usual.fill),
        seed=int(_number(values.get("seed"), SEEDS, usual.seed)),
        mode=_word(Mode, values.get("mode"), usual.mode),
        device=device if isinstance(device, str) else usual.device,
        budget_s=float(_number(values.get("budget_s"), BUDGETS_S, usual.budget_s)),
        launch_limit_s=float(_number(values.get("launch_limit_s"), LAUNCH_LIMITS_S, usual.launch_limit_s)),
        is_quick=values.get("quick") is True,
        target=target if isinstance(target, str) and target in {gpu.id for gpu in load_gpus()} else usual.target,
    )
    return fitted(read, catalogue)


def _first(kernels: Iterable[Kernel]) -> Kernel | None:
    on_device = [kernel for kernel in kernels if not kernel.runs_on_host]
    sharing = (k for k in on_device if {k.rule.shared_bytes.strip(), k.rule.static_shared_bytes.strip()} != {"0"})
    return next(sharing, on_device[0] if on_device else None)


def _of_preset(preset: Preset, catalogue: Catalogue) -> list[Kernel]:
    return [kernel for wanted in preset.kernels for kernel in catalogue.kernels if kernel.id == wanted]


def _offered(kernel: Kernel, preset: Preset) -> list[tuple[str, int]]:
    choices = {parameter.name: parameter.choices for parameter in kernel.parameters}
    return [(name, value) for name, value in preset.params if value in choices.get(name, ())]


def _plans(kernel: Kernel, params: Params, shape: Shape, device: Device) -> bool:
    try:
        kernel.plan(shape, params, device)
    except Refusal:
        return False
    return True


def _shape(text: object, usual: Shape) -> Shape:
    try:
        return Shape.parse(text) if isinstance(text, str) else usual
    except ShapeError:
        return usual


def _params(values: Mapping[Any, Any]) -> tuple[tuple[str, Params], ...]:
    return tuple(
        sorted(
            (kernel, tuple((name, value) for name, value in chosen.items() if type(value) is int))
            for kernel, chosen in values.items()
            if isinstance(kernel, str) and isinstance(chosen, Mapping)
        )
    )


def _word(kind: type[W], word: object, usual: W) -> W:
    return kind(word) if isinstance(word, str) and word in tuple(kind) else usual


def _number(value: object, limits: tuple[float, float], usual: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return usual
    return value if limits[0] <= value <= limits[1] else usual

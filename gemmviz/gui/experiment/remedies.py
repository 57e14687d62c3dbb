"""Changes that let a kernel run that cannot run as things are set: each is tried out before it is offered. No Qt."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice, product
from math import log2

from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.loader import Catalogue
from gemmviz.domain.kernels.capability import lack_of
from gemmviz.domain.shape import MAX_DIMENSION, Shape, ShapeError
from gemmviz.gui.kernels.availability import LACKS, TOO_LARGE, Devices, availability_in
from gemmviz.gui.kernels.choice import with_kernel
from gemmviz.gui.work.experiment import Experiment, with_param

MOST_REMEDIES = 2
MOST_TRIES = 250
"""Plans that are made to find one remedy; each takes some 0.1 ms."""
MARGIN = 0.9
"""Of the free memory, what a remedy may need: what is free changes from moment to moment."""
DIMENSIONS = ("M", "N", "K")

CanRun = Callable[[Experiment], bool]


@dataclass(frozen=True, slots=True)
class Remedy:
    """An experiment in which the chosen kernel can run, and what a button says that sets it: "Set M = N = 1"."""

    text: str
    experiment: Experiment


def remedies_of(
    experiment: Experiment, catalogue: Catalogue, devices: Devices, available_bytes: int | None
) -> tuple[Remedy, ...]:
    """The smallest changes after which the chosen kernel can run, the best first; none where it can run already.

    A size is changed, then parameters; where the device itself lacks something, the device, and the size where that is
    wrong, too: another kernel is no cure for that. Where there is no device, or nothing else helps, the kernel.
    """
    kernel = catalogue.get(experiment.kernel)
    memory = None if available_bytes is None else int(MARGIN * available_bytes)

    def availability(tried: Experiment, free: int | None = memory) -> str:
        chosen = catalogue.get(tried.kernel)
        return availability_in(tried, chosen, tried.params_of(chosen), devices, free).word

    def can_run(tried: Experiment) -> bool:
        return not availability(tried)

    word = availability(experiment, available_bytes)
    if not word or not devices.known:
        return ()
    found: list[Remedy] = []
    if devices.of(kernel, experiment.device) is not None and not word.startswith(LACKS):
        by_size = _first(_other_sizes(experiment, kernel, is_too_large=word == TOO_LARGE), can_run)
        by_params = _first(_other_params(experiment, kernel), can_run) if word != TOO_LARGE else None
        found = [remedy for remedy in (by_size, by_params) if remedy is not None]
        if not found:
            both = _first(_other_sizes_and_params(experiment, kernel), can_run)
            found = [both] if both is not None else []
        if by_size is not None and by_params is not None and not _names_sizes(kernel):
            found.reverse()
    if not found:
        candidates = _other_devices(experiment, devices), _other_devices_and_sizes(experiment, kernel, devices)
        elsewhere = next(filter(None, (_first(each, can_run) for each in candidates)), None)
        found = [elsewhere] if elsewhere is not None else []
    if not found and not word.startswith(LACKS):
        instead = _first(_other_kernels(experiment, catalogue, devices), can_run)
        found = [instead] if instead is not None else []
    return tuple(found[:MOST_REMEDIES])


class RemedyFinder:
    """Finds the remedies of a refusal, and keeps the last ones: they are asked for whenever something is shown anew."""

    def __init__(self, available_bytes: Callable[[], int | None]) -> None:
        self._available_bytes = available_bytes
        self._key: object = None
        self._found: tuple[Remedy, ...] = ()

    def of(
        self, refusal: str, experiment: Experiment, catalogue: Catalogue, devices: Devices, *, is_size_fault: bool
    ) -> tuple[Remedy, ...]:
        """The remedies of a refusal, "" for none. With `is_size_fault` a size was typed that no run can have; the
        experiment still has the last one that a run can have.
        """
        if not refusal or not devices.known:
            return ()
        if is_size_fault:
            return (Remedy(f"Back to {_size_words(experiment.shape)}", experiment),)
        if self._key != (key := (refusal, experiment, devices)):
            self._key, self._found = key, remedies_of(experiment, catalogue, devices, self._available_bytes())
        return self._found


def _first(candidates: Iterable[Remedy], can_run: CanRun) -> Remedy | None:
    return next((remedy for remedy in islice(candidates, MOST_TRIES) if can_run(remedy.experiment)), None)


def _other_devices(experiment: Experiment, devices: Devices) -> Iterator[Remedy]:
    for device in devices.for_gpu_kernels:
        yield Remedy(f"Use {device.name}", replace(experiment, device=device.choice))


def _other_devices_and_sizes(experiment: Experiment, kernel: Kernel, devices: Devices) -> Iterator[Remedy]:
    """Other devices with other sizes, of each size all devices that have what the kernel needs."""
    able = [each for each in devices.for_gpu_kernels if not lack_of(kernel.requires, each)]
    elsewhere = list(_other_devices(experiment, replace(devices, found=tuple(able))))
    for size in _other_sizes(experiment, kernel, is_too_large=False):
        for one in elsewhere:
            words = f"{one.text}, {size.text[:1].lower()}{size.text[1:]}"
            yield Remedy(words, replace(one.experiment, shape=size.experiment.shape))


def _other_kernels(experiment: Experiment, catalogue: Catalogue, devices: Devices) -> Iterator[Remedy]:
    """The kernels before the chosen one in lesson order, the nearest first, then those behind it; then CPU kernels.

    Where none of them can run at this size, they come again at smaller ones.
    """
    ids = [kernel.id for kernel in catalogue.kernels]
    place = ids.index(experiment.kernel)
    nearest = [catalogue.kernels[i] for i in (*range(place - 1, -1, -1), *range(place + 1, len(ids)))]
    wanted = experiment.device if devices.chosen(experiment.device) is not None else ""
    here = [each for each in nearest if (found := devices.of(each, wanted)) and not lack_of(each.requires, found)]
    here.sort(key=lambda kernel: kernel.runs_on_host)
    for kernel in here:
        yield Remedy(f"Choose {kernel.id}", with_kernel(experiment, kernel.id, catalogue, devices))
    for smaller in _sized(experiment, _halved(experiment.shape)):
        words = _size_words(smaller.experiment.shape)
        for kernel in here:
            yield Remedy(
                f"Choose {kernel.id} and {words}", with_kernel(smaller.experiment, kernel.id, catalogue, devices)
            )


def _other_params(experiment: Experiment, kernel: Kernel) -> Iterator[Remedy]:
    """Other choices of the parameters: of one first, then of two, …; each time those next to what is chosen first."""
    chosen = dict(experiment.params_of(kernel))
    choices = {parameter.name: _nearest(chosen[parameter.name], parameter.choices) for parameter in kernel.parameters}
    for number in range(1, len(choices) + 1):
        for names in combinations(choices, number):
            for picked in product(*(choices[name] for name in names)):
                changed = experiment
                for name, value in zip(names, picked, strict=True):
                    changed = with_param(changed, kernel, name, value)
                yield Remedy(_set_words(dict(zip(names, picked, strict=True))), changed)


def _nearest(now: int, choices: Iterable[int]) -> list[int]:
    """The other choices, the nearest first, of two as near the smaller."""
    others = (value for value in choices if value != now)
    return sorted(others, key=lambda value: (abs(value.bit_length() - now.bit_length()), value > now))


def _other_sizes_and_params(experiment: Experiment, kernel: Kernel) -> Iterator[Remedy]:
    """Other sizes, each with one parameter changed as well."""
    choices = sum(len(parameter.choices) - 1 for parameter in kernel.parameters)
    params = list(islice(_other_params(experiment, kernel), choices))
    for size in _sized(experiment, _sizes_by_rules(experiment.shape, _named_by_rules(kernel))):
        for param in params:
            words = f"{size.text}, {param.text.removeprefix('Set ')}"
            yield Remedy(words, replace(param.experiment, shape=size.experiment.shape))


def _other_sizes(experiment: Experiment, kernel: Kernel, *, is_too_large: bool) -> Iterator[Remedy]:
    """Other sizes: with one dimension changed first, then with several; each time the nearest first."""
    shape, offered = experiment.shape, {value for parameter in kernel.parameters for value in parameter.choices}
    if is_too_large:
        yield from _sized(experiment, _halved(shape))
    now, numbers = _as_dict(shape), sorted({*_named_by_rules(kernel), *offered} - {1})
    for name in DIMENSIONS:
        yield from _sized(experiment, (now | {name: value} for value in _near(now[name], numbers)))
    yield from _sized(experiment, _rounded_up(shape, _named_by_rules(kernel) or tuple(numbers)))
    for few in (_named_by_rules(kernel), numbers):
        yield from _sized(experiment, _sizes_by_rules(shape, few))


def _rounded_up(shape: Shape, numbers: Sequence[int]) -> list[dict[str, int]]:
    """Sizes of which several dimensions are the next multiples of one of a few numbers, the nearest first: a rule for
    multiples of 128 is kept by no smaller size than that.
    """
    now = _as_dict(shape)
    larger = {name: sorted({value, *(-(-value // each) * each for each in numbers)})[:5] for name, value in now.items()}
    found = [dict(zip(DIMENSIONS, picked, strict=True)) for picked in product(*(larger[name] for name in DIMENSIONS))]
    usable = [size for size in found if max(size.values()) <= MAX_DIMENSION]
    return sorted(usable, key=lambda size: sum(log2(size[name] / now[name]) for name in DIMENSIONS))


def _sizes_by_rules(shape: Shape, numbers: Sequence[int]) -> list[dict[str, int]]:
    """Sizes of which one or more dimensions are 1 or one of a few numbers, or that are halved; the nearest first."""
    now = _as_dict(shape)
    few = {name: [value for value in (1, *numbers) if value <= now[name]][:5] for name in DIMENSIONS}
    found = [
        now | dict(zip(names, picked, strict=True))
        for number in range(1, len(DIMENSIONS) + 1)
        for names in combinations(DIMENSIONS, number)
        for picked in product(*(few[name] for name in names))
    ]
    for smaller in _halved(shape):
        found.append(smaller)
        found += [smaller | {name: value} for name in DIMENSIONS for value in few[name] if value < smaller[name]]
    return sorted(found, key=lambda size: sum(abs(log2(size[name] / now[name])) for name in DIMENSIONS))


def _as_dict(shape: Shape) -> dict[str, int]:
    return dict(zip(DIMENSIONS, (shape.m, shape.n, shape.k), strict=True))


def _sized(experiment: Experiment, sizes: Iterable[dict[str, int]]) -> Iterator[Remedy]:
    before = _as_dict(experiment.shape)
    for size in sizes:
        try:
            other = Shape(size["M"], size["N"], size["K"])
        except ShapeError:
            continue
        changed = {name: value for name, value in size.items() if value != before[name]}
        if changed:
            words = _set_words(changed) if len(changed) < 3 else f"Set {_size_words(other)}"
            yield Remedy(words, replace(experiment, shape=other))


def _halved(shape: Shape) -> Iterator[dict[str, int]]:
    """Ever smaller: each time the largest dimensions are set to the next smaller power of two."""
    size = _as_dict(shape)
    while (largest := max(size.values())) > 1:
        smaller = 1 << ((largest - 1).bit_length() - 1)
        size = {name: min(value, smaller) for name, value in size.items()}
        yield size


def _near(now: int, numbers: Sequence[int]) -> list[int]:
    """Values for a dimension, the nearest first: multiples around it, powers of two, what the rules name, and 1."""
    found = {1, *numbers}
    for step in (2, 4, 8, 16, 32, 64, 128, 256, *(number for number in numbers if number > 1)):
        found |= {now // step * step, -(-now // step) * step}
    found |= {1 << power for power in range(MAX_DIMENSION.bit_length())}
    usable = [value for value in found if 1 <= value <= MAX_DIMENSION and value != now]
    return sorted(usable, key=lambda value: max(value, now) / min(value, now))


def _named_by_rules(kernel: Kernel) -> tuple[int, ...]:
    """The whole numbers above 1 in the kernel's rules."""
    named = {node.value for rule in _rules(kernel) for node in ast.walk(rule) if isinstance(node, ast.Constant)}
    return tuple(sorted(value for value in named if type(value) is int and value > 1))


def _names_sizes(kernel: Kernel) -> bool:
    """Whether a rule of the kernel is about the size."""
    names = {node.id for rule in _rules(kernel) for node in ast.walk(rule) if isinstance(node, ast.Name)}
    return not names.isdisjoint(DIMENSIONS)


def _rules(kernel: Kernel) -> list[ast.Expression]:
    return [ast.parse(" ".join(constraint.rule.split()), mode="eval") for constraint in kernel.constraints]


def _set_words(values: dict[str, int]) -> str:
    """ "Set M = N = 1", "Set BM = 64, TM = 4": names of one value stand together."""
    groups: dict[int, list[str]] = {}
    for name, value in values.items():
        groups.setdefault(value, []).append(name)
    return "Set " + ", ".join(" = ".join((*names, str(value))) for value, names in groups.items())


def _size_words(shape: Shape) -> str:
    return f"{shape.m} × {shape.n} × {shape.k}"

"""A kernel as its header describes it: parameters, launch geometry, limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path

from gemmviz.catalogue.expressions import ExpressionError, evaluate
from gemmviz.catalogue.kernel_functions import template_parameters
from gemmviz.catalogue.languages.row import LanguageError, Listing, PreparedCall
from gemmviz.catalogue.languages.table import row_of
from gemmviz.catalogue.launch.call_rule import CallRule
from gemmviz.catalogue.launch.faults import launch_faults
from gemmviz.catalogue.launch.launch_rule import LAUNCH_SIZES, GeometryError, LaunchRule, whole_values
from gemmviz.catalogue.launch.tensor_maps import TensorMapRule
from gemmviz.catalogue.rule_words import needs, needs_briefly
from gemmviz.catalogue.values.values_left_out import ValueLeftOut
from gemmviz.domain.device import CUDA, Device
from gemmviz.domain.kernels.call import Call, local_define
from gemmviz.domain.kernels.capability import lack_of
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Launch, Params, TensorMap
from gemmviz.domain.terms import Arithmetic, Language

PLACED_KEYS = (
    "entry",
    "template",
    "constraints",
    "defines",
    "launch",
    *(f"launch.{key}" for key in ("block", "grid", "cluster", *LAUNCH_SIZES)),
)
"""The keys of a description that messages name with their line where a size, or the file itself, does not suit them."""


class ParameterError(ValueError):
    """A parameter a kernel does not have, or a value it does not offer."""


class Refusal(ValueError):
    """A kernel, size, parameters and device that cannot run together; the message has the numbers.

    `brief` says what is needed in a few words, for a list: "needs M = N = 1".
    """

    def __init__(self, message: str, brief: str = "") -> None:
        super().__init__(message)
        self.brief = brief or "cannot be launched"


@dataclass(frozen=True, slots=True)
class Parameter:
    """One choice a person makes; it reaches the source as `#define name value`."""

    name: str
    label: str
    choices: tuple[int, ...]
    default: int

    @property
    def title(self) -> str:
        """The label where it says more than the name; else ""."""
        return "" if self.label.casefold() == self.name.casefold() else self.label


@dataclass(frozen=True, slots=True)
class Constraint:
    """A condition that must hold before a launch, and why. `fault` is what goes wrong where it does not, `doubt` why
    the kernel may be meant for such sizes all the same, so that this is a fault of it; "" where that is not known.
    """

    rule: str
    because: str = ""
    fault: str = ""
    doubt: str = ""

    @property
    def reason(self) -> str:
        """All that is known of why: "wrong at 65x96x128: line 7: …; line 5 guards M, as for such sizes"."""
        told = ": ".join(filter(None, (self.because, self.fault)))
        return "; ".join(filter(None, (told, self.doubt)))


CONSTRAINT_KEYS = frozenset({"rule", "because", "fault", "doubt"})
"""Of a constraint in a description."""
NOT_VERIFIED = "# Not verified"
"""Begins the line of a description that was taken from host code as it is."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything about one launch that follows from size, parameters and device.

    `entry` is the kernel's name with the arguments of its template; a tensor map takes the place of its matrix'
    pointer. `types` are those of the source's arguments in the words of its language's compiler (`PreparedCall`).
    """

    launch: Launch
    defines: tuple[tuple[str, int], ...]
    partial_sums: int
    call: Call
    entry: str
    tensor_maps: tuple[TensorMap, ...] = ()
    types: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Kernel:
    """One kernel file.

    `threads` is "one" or "all" for a kernel that runs on the host, "" for one on a device. `is_reference` marks
    the kernel whose result others are compared with element by element. `library` is the vendor's library that does
    the work, "" where the file itself does. `cuda_use` says what in a person's own source only CUDA has ("line 18 uses
    __shfl_down_sync"), "" where the header says that it needs CUDA.
    `description` is the TOML text that describes it where that is not in the file itself.
    `names_tensor_core_arithmetic`: its header names an arithmetic of tensor cores, and not only operands that they take
    as well; its error bound then has the rounding of A and B in it. `uses_tensor_cores`: its code has their
    instructions, too.
    `listing` is the text that its lines are those of where that is not `text`; `only_block` the one block in x, y, z
    that the file is compiled for, () where it takes others.
    """

    id: str
    path: Path
    text: str
    language: Language
    title: str
    order: float
    entry: str
    teaches: str
    origin: str
    requires: tuple[str, ...]
    arithmetic: Arithmetic
    constraints: tuple[Constraint, ...]
    parameters: tuple[Parameter, ...]
    defines: tuple[tuple[str, str], ...]
    rule: LaunchRule
    threads: str = ""
    is_reference: bool = False
    call: CallRule = field(default_factory=CallRule)
    tensor_maps: tuple[TensorMapRule, ...] = ()
    library: str = ""
    cuda_use: str = ""
    description: str = ""
    names_tensor_core_arithmetic: bool = False
    uses_tensor_cores: bool = False
    listing: Listing | None = None
    only_block: tuple[int, ...] = ()
    replaces: frozenset[str] = frozenset()
    """Parameters and defines that take the place of constants which the file defines itself."""
    values_left_out: tuple[ValueLeftOut, ...] = ()
    """Values of parameters and of constants of the file that are not offered, and why."""
    proven_settings: tuple[Params, ...] = ()
    """The values that are no defaults of each setting that was proven when it was described; () where nothing says it,
    or all of them were.
    """
    read_text: str = ""
    """The text of its file, where something else is compiled."""
    places: tuple[tuple[str, str], ...] = field(default=(), compare=False)
    """Where in a person's own description the PLACED_KEYS and each constraint (`rule_key`) stand: "sgemm.cu.toml:4", ""
    where that is in no file.
    """

    @property
    def file_text(self) -> str:
        """The text of its file."""
        return self.read_text or self.text

    @property
    def shown(self) -> Listing:
        """The text that a person reads, and that lines are told of."""
        return self.listing or Listing(self.path.name, self.text)

    @property
    def is_unverified(self) -> bool:
        """Whether its description says that nothing of it was proven, so that it claims no sizes."""
        return NOT_VERIFIED in self.description

    @property
    def runs_on_host(self) -> bool:
        return self.language is Language.PYTHON

    @property
    def has_accesses(self) -> bool:
        """Whether there is a source in which single accesses to memory can be seen."""
        return self.language.runs_on_devices

    @property
    def needs_cuda(self) -> bool:
        """Whether it runs by CUDA alone, and on no other device."""
        return CUDA in self.requires

    @property
    def not_emulated(self) -> str:
        """What it needs, by its header and its code, that the PTX machine does not execute; "" for nothing."""
        if self.language is Language.LIBRARY:
            return self.library
        parts = {
            "tensor cores": self.uses_tensor_cores,
            "the TMA": bool(self.tensor_maps),
            "clusters of blocks": self.rule.cluster != ("1",),
        }
        *first, last = [name for name, is_needed in parts.items() if is_needed] or [""]
        return f"{', '.join(first)} and {last}" if first else last

    def params(self, given: Mapping[str, int]) -> Params:
        """All parameters, `given` ones first choice, defaults for the rest.

        Raises:
            ParameterError: a name or a value that this kernel does not offer.
        """
        names = [parameter.name for parameter in self.parameters]
        for name in given:
            if name not in names:
                near = get_close_matches(name, names, 1, 0.5)
                offered = f"it has {', '.join(names)}" if names else "it has none"
                hint = f"; did you mean {near[0]}?" if near else ""
                raise ParameterError(f"{self.id} has no parameter {name!r}: {offered}{hint}")
        for parameter in self.parameters:
            value = given.get(parameter.name, parameter.default)
            if value not in parameter.choices:
                offered = ", ".join(str(choice) for choice in parameter.choices)
                raise ParameterError(f"{self.id} does not offer {parameter.name}={value}: choose from {offered}")
        return tuple((p.name, int(given.get(p.name, p.default))) for p in self.parameters)

    def params_beside(self, own: Params, other: Params) -> Params:
        """The parameters `own`, with the values that another kernel has for parameters of their names, if offered."""
        others, offered = dict(other), {parameter.name: parameter.choices for parameter in self.parameters}
        return tuple((name, others[name] if others.get(name) in offered[name] else value) for name, value in own)

    def not_defaults(self, params: Params) -> Params:
        """The values of a setting that are no defaults, in the order of their names, as `proven_settings` has them."""
        defaults = {one.name: one.default for one in self.parameters}
        return tuple(sorted((name, value) for name, value in params if defaults.get(name) != value))

    def untried(self, params: Params) -> Params:
        """The values that are no defaults of a setting that nobody tried when it was described; () for any other."""
        changed = self.not_defaults(params)
        return changed if self.proven_settings and changed not in self.proven_settings else ()

    def plan(self, shape: Shape, params: Params, device: Device) -> Plan:
        """The launch for a size on a device.

        Raises:
            Refusal: it cannot run; every reason is named with its numbers.
        """
        lack = lack_of(self.requires, device)
        if lack and self.cuda_use and CUDA not in device.capabilities:
            why = f"{self.cuda_use}, which gemmviz does not translate to OpenCL C"
            instead = "choose the PTX machine (`--device machine`) or an NVIDIA GPU"
            raise Refusal(f"{self.id}: cannot run on {device.name}: {why}; {instead}", "needs an NVIDIA GPU")
        if lack:
            raise Refusal(f"{self.id}: {lack}")
        if device.is_emulated and (missing := self.not_emulated):
            words = f"needs {missing}, which the PTX machine does not execute; an NVIDIA GPU with CUDA does"
            raise Refusal(f"{self.id}: {words}", "needs an NVIDIA GPU")
        names = rule_names(shape, params, device)
        broken = [c for c in self.constraints if not self._holds(c, names)]
        if broken:
            first, *others = (_explain(constraint, names) for constraint in broken)
            raise Refusal(
                ". ".join((f"{self.id}: {first}", *(f"{words[:1].upper()}{words[1:]}" for words in others))),
                needs_briefly([constraint.rule for constraint in broken], names),
            )
        try:
            plan = self._plan(shape, params, names)
        except ExpressionError as error:
            key = error.key if isinstance(error, GeometryError) else ""
            raise self._misdescribed(key, f"no launch geometry for {shape}: {error}") from error
        except LanguageError as error:
            raise Refusal(f"{self.id}: {error}", "does not fit its description") from error
        faults = launch_faults(plan.launch, device, self.only_block, plan.tensor_maps, plan.partial_sums)
        if faults:
            raise self._misdescribed(faults[0].key, "; ".join(fault.words for fault in faults), faults[0].brief)
        return plan

    def placed_entry(self, words: str) -> str:
        """A complaint about the entry, or its template's arguments, with the line of a person's own description."""
        key = "template" if "its template" in words else "entry"
        place = dict(self.places).get(key, "")
        if not place or "the entry" not in words:
            return words
        said = words.removeprefix(f"{self.path}: ").removesuffix(": check 'entry' and 'template' of its description")
        return f"{place}: {said}; correct '{key}'"

    def _misdescribed(self, key: str, words: str, brief: str = "") -> Refusal:
        """A refusal for what a person's own description says; with its line, and the key to correct."""
        full = key if key in dict(self.places) else f"launch.{key}"
        place = dict(self.places).get(full, "")
        return Refusal(f"{self.id}: {place}: {words}; correct '{key}'" if place else f"{self.id}: {words}", brief)

    def _holds(self, constraint: Constraint, names: Mapping[str, int]) -> bool:
        try:
            return bool(evaluate(constraint.rule, names))
        except ExpressionError as error:
            raise self._misdescribed("constraints", f"its constraint cannot be checked: {error}") from error

    def _plan(self, shape: Shape, params: Params, names: dict[str, int]) -> Plan:
        no_macros = self.call.parameters_in_template({name for name, _ in params})
        if self.call.template:  # other arguments may be given than the parameters that its description names
            no_macros |= template_parameters(self.text)
        macros = [(name, value) for name, value in params if name not in no_macros]
        values = whole_values([text for _, text in self.defines], names, "defines")
        defines = [*macros, *zip((name for name, _ in self.defines), values, strict=True)]
        call, entry = self.call.call(shape, names), self.call.entry(self.entry, names)
        local = call.local_bytes
        defines += [(local_define(number), nbytes) for number, nbytes in local.items()]
        launch, sums = self.rule.launch(names, sum(local.values()))
        maps = tuple(
            rule.map(shape, self.call.storage(rule.matrix).element, self.arithmetic, names) for rule in self.tensor_maps
        )
        row = row_of(self.language)
        made = row.prepare(self.text, entry, call, shape, dict(defines)) if row is not None else PreparedCall(call)
        return Plan(launch, tuple(defines), sums, made.call, entry, maps, made.types)


def rule_key(rule: str) -> str:
    """The key of one constraint in the `places` of a kernel."""
    return f"constraints: {rule}"


def rule_names(shape: Shape, params: Params, device: Device) -> dict[str, int]:
    """What the expressions of a description may name, with its values: sizes, limits of the device, parameters."""
    return {
        "M": shape.m,
        "N": shape.n,
        "K": shape.k,
        "max_threads_per_block": device.max_threads_per_block,
        "shared_bytes_per_block": device.shared_bytes_per_block,
        "max_grid_x": device.max_grid[0],
        "max_grid_y": device.max_grid[1],
        "compute_units": device.compute_units,
        **dict(params),
    }


def _explain(constraint: Constraint, names: Mapping[str, int]) -> str:
    why = f" ({constraint.reason})" if constraint.reason else ""
    return needs(constraint.rule, names) + why

"""The kernel that a search is about, and what its source says of it before anything runs."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from gemmviz.adopt.propose.constants import (
    SizeConstant,
    literal_sizes,
    may_be_one_size,
    size_constants,
    template_sizes,
)
from gemmviz.adopt.propose.geometry import BlockGuess
from gemmviz.adopt.propose.instances import Instance
from gemmviz.adopt.propose.pitches import sizes_of_pitches, with_fixed_sizes
from gemmviz.adopt.propose.roles import DIMENSIONS, factor_of, matrices_in_order, may_be_flags
from gemmviz.adopt.propose.strides import stride_roles
from gemmviz.adopt.propose.vector_counts import vector_counts
from gemmviz.adopt.prove.host.host_launches import HostLaunches
from gemmviz.adopt.prove.host.launch_terms import LaunchTerms, terms_of
from gemmviz.adopt.prove.host.shared_limit import asks_for_more_shared
from gemmviz.adopt.prove.launcher import NotCompiledError, TryError
from gemmviz.adopt.prove.machine import CompiledKernel, elements_of
from gemmviz.adopt.prove.readings import (
    ArgumentReading,
    is_size,
    over_places,
    readings_of,
    roles_of,
    value_of,
    whole_places,
)
from gemmviz.adopt.prove.sum_format import formats_in
from gemmviz.adopt.prove.types import parameter_type
from gemmviz.adopt.reasons import Reason
from gemmviz.adopt.source.kernels import FoundKernel
from gemmviz.adopt.source.launches import FoundLaunch
from gemmviz.adopt.source.read import FoundSource
from gemmviz.adopt.source.symbol_resets import set_by_host_words
from gemmviz.domain.kernels.call import MATRICES, Storage
from gemmviz.domain.kernels.parameter_types import Kind, ParameterType
from gemmviz.domain.listing import listed
from gemmviz.domain.terms import Element, Language

_NO_VALUES: Mapping[str, int] = {}
_PARTS = (8, 512)
_BYTES = {"char", "uint8_t", "int8_t", "byte", "uchar", "uintptr_t"}
"""What the addresses are of that a kernel computes with where distances between lines are in bytes."""
_DISTANCE = re.compile(r"(?i).*(?:pitch|stride|bytes|step).*|(?-i:[a-z]{1,2}_?[A-D]|[a-z]{1,2}_[a-d])")
"""Names that say so, and short ones that end in the letter of a matrix: `pitch`, `strideB`, `pA`, `p_a`."""
_LARGER = 4
"""How many times as small sizes are tried with which one block may compute all of the result, or for which alone there
is room in shared memory."""


class KernelMeaning(Protocol):
    """What the parameters of a kernel stand for, and how A, B, C and D lie in memory."""

    @property
    def arguments(self) -> tuple[str, ...]: ...

    @property
    def storages(self) -> tuple[Storage, ...]: ...


@dataclass(frozen=True, slots=True)
class SearchedKernel:
    """A kernel, and the file that it stands in."""

    path: Path
    text: str
    language: Language
    source: FoundSource
    kernel: FoundKernel

    def reason_of(self, error: TryError) -> Reason:
        """Why a try came to nothing; where the line that does not compile belongs to another kernel, that, too."""
        if not isinstance(error, NotCompiledError):
            return error.reason
        reason, line = error.reason_in(self.text), error.line_in(self.path.name)
        other = next((one.short_name for one in self.source.kernels if one.line <= line <= one.last_line), "")
        if other in ("", self.kernel.short_name):
            return reason
        whose = f"that line belongs to another kernel, {other}"
        words = f"{reason.words}; {whose}: correct it, or put {self.kernel.short_name} into a file of its own"
        return Reason(words, line=reason.line, place=reason.place)

    @property
    def local(self) -> list[int]:
        """The places of the parameters that point to local memory."""
        return [place for place, one in enumerate(self.kernel.parameters) if one.is_local]

    @property
    def has_few_matrices(self) -> bool:
        """Whether it takes fewer pointers than a product, all to what matrices are made of, and else numbers only."""
        types = self.types()
        return 0 < sum(one.is_pointer for one in types) < len(MATRICES) and all(
            one.scalar.element is not None if one.is_pointer else one.scalar.kind is not Kind.OTHER for one in types
        )

    @property
    def formats(self) -> frozenset[Element]:
        """The formats of 16 bits that its code names."""
        return formats_in(self.kernel.words)

    @property
    def names(self) -> list[str]:
        """What the parameters are called, "parameter 3" where they have no names."""
        return [one.name or f"parameter {number}" for number, one in enumerate(self.kernel.parameters, 1)]

    @property
    def _divisors(self) -> tuple[int, ...]:
        """How many times as small the sizes are that are tried, in this order: smaller ones first where one block may
        compute all of the result, and last where shared memory may hold no more.
        """
        if self.kernel.uses_grid_size:
            return (_LARGER, 1)
        return (1, _LARGER) if {"__shared__", "__local"} & {*self.kernel.words} else (1,)

    @property
    def constants(self) -> tuple[SizeConstant, ...]:
        """Sizes that are constants of the file, or of one that it includes."""
        return size_constants(self.kernel, self.source.names, "\n".join((self.text, *self.source.included)))

    @property
    def literals(self) -> tuple[SizeConstant, ...]:
        """Sizes that are plain numbers of the kernel's body."""
        return literal_sizes(self.kernel, self.constants)

    @property
    def sizes_of_body(self) -> tuple[SizeConstant, ...]:
        """Sizes that launches give the kernel's template, and plain numbers of its body."""
        given = (size for one in self.launches for size in template_sizes(self.kernel, one.template))
        return (*dict.fromkeys(given), *self.literals)

    def unnamed_sizes(self, types: Sequence[ParameterType], template: Sequence[str] = ()) -> dict[int, SizeConstant]:
        """The sizes that no parameter takes, constants first, counted behind the parameters; of a kernel that takes
        numbers those that its source or these arguments of its template fix all the same.
        """
        if whole_places(types):
            return dict(enumerate(self._fixed_sizes(types, template), len(types)))
        found = (*template_sizes(self.kernel, template), *self.constants, *self.literals)
        return dict(enumerate(found, len(types)))

    def _fixed_sizes(self, types: Sequence[ParameterType], template: Sequence[str]) -> tuple[SizeConstant, ...]:
        """The sizes that the types of pointers say, and constants called as a dimension that no parameter is called;
        where K or N alone is then missing, or one more dimension than there are numbers without a name of one, every
        constant and number that may be it.
        """
        roles = roles_of(self.kernel.parameters, whole_places(types))
        taken = {*roles.values()}
        called = [one for one in self.constants if one.role and one.role not in taken]
        pitches = sizes_of_pitches(self.kernel, self.source.names)
        known = {(one.role, one.value) for one in pitches}
        found = (*pitches, *(one for one in called if (one.role, one.value) not in known))
        missing = {*DIMENSIONS} - taken - {one.role for one in found}
        flags = may_be_flags(self.kernel.parameters, roles)
        unnamed = [place for place, role in roles.items() if not role and place not in flags]
        is_one_missing = bool(unnamed) and len(missing) - len(unnamed) == 1  # (…, int rows, int cols)
        if (missing in ({"K"}, {"N"}) and "" not in taken) or is_one_missing:
            given = template_sizes(self.kernel, template)
            named = [*given, *(one for one in self.constants if not one.role)]
            found = (*found, *may_be_one_size((*named, *literal_sizes(self.kernel, named))))
        return found

    def types(self, template: Sequence[str] = ()) -> tuple[ParameterType, ...]:
        """The types of the parameters, with these arguments of the template."""
        given = dict(zip((one.name for one in self.kernel.template), template, strict=False))
        return tuple(parameter_type(one, given) for one in self.kernel.parameters)

    def roles(self, types: Sequence[ParameterType], template: Sequence[str] = ()) -> dict[int, str]:
        """What the whole numbers are called for: those of the parameters, else the constants, counted behind them."""
        found = roles_of(self.kernel.parameters, whole_places(types))
        found |= {place: "ld" for place in self.bytes_each(types) if not found.get(place)}
        return found | {place: one.role for place, one in self.unnamed_sizes(types, template).items()}

    @property
    def untold_places(self) -> tuple[int, ...]:
        """The whole numbers of which no name says what they stand for: with a guess for one elements may share an
        address.
        """
        strides = {place for one in stride_roles(self.kernel.parameters) for place in one}
        roles = roles_of(self.kernel.parameters, whole_places(self.types()))
        return tuple(place for place, role in roles.items() if not role and place not in strides)

    def bytes_each(self, types: Sequence[ParameterType]) -> dict[int, int]:
        """Distances between lines that may be in bytes, by their names and because the kernel computes with addresses
        of bytes, and the bytes of an element of their matrices.
        """
        if not _BYTES & {*self.kernel.words}:
            return {}
        parameters, elements = self.kernel.parameters, elements_of(types)
        letters = {letter: place for place, letter in matrices_in_order(parameters).items()}
        found: dict[int, int] = {}
        for place, role in roles_of(parameters, whole_places(types)).items():
            if role.startswith("ld") or (not role and _DISTANCE.fullmatch(parameters[place].name)):
                element = elements.get(letters.get(role[2:].upper(), -1)) or next(iter(elements.values()), None)
                found |= {place: element.nbytes} if element is not None else {}
        return found

    def readings(
        self, types: Sequence[ParameterType], instance: Instance, guess: BlockGuess
    ) -> Iterator[ArgumentReading]:
        """Values for the whole-number parameters, or those of constants where the kernel takes none."""
        places = whole_places(types)
        if places:
            fixed, in_bytes = self.unnamed_sizes(types, instance.template), self.bytes_each(types)
            roles = {place: role for place, role in self.roles(types).items() if place < len(types)}
            if fixed:
                for one in readings_of(types, roles, instance.launch, guess):
                    if not one.is_square or len(one.numbers) < 2:
                        yield replace(one, numbers=with_fixed_sizes(one.numbers, roles, fixed), is_square=False)
            flags = may_be_flags(self.kernel.parameters, roles)
            vectors = vector_counts(self.kernel.parameters, [*roles])
            counted = {place: by for place, by in self.kernel.flattened if place in roles and by in roles}
            for strides in stride_roles(self.kernel.parameters) if instance.launch is None else ():
                others = [place for place in flags if place not in strides]
                for one in readings_of(types, {**roles, **strides}, None, guess, 1, others, counted):
                    if not one.is_square:
                        yield replace(one, strides=strides)
            for divisor in self._divisors:
                for one in readings_of(types, roles, instance.launch, guess, divisor, flags, counted, vectors):
                    if divisor == 1 or not one.is_square or len(one.numbers) < 2:
                        forms = {
                            place: f"{{}} * {nbytes}" for place, nbytes in in_bytes.items() if place in one.numbers
                        }
                        if forms:
                            yield replace(one, is_small=divisor > 1, forms={**forms, **one.forms})
                        yield replace(one, is_small=divisor > 1)
            return
        defined = dict(instance.defines)
        sizes = self.unnamed_sizes(types, instance.template)
        values = {place: defined.get(one.name, one.value) for place, one in sizes.items()}
        named = {place: value for place, value in values.items() if not sizes[place].line}
        if named:
            yield ArgumentReading(named, {})
        if len(named) < len(values):
            yield ArgumentReading(values, {})

    def given_words(self, given: Mapping[int, int], made: CompiledKernel) -> str:
        """The numbers that were tried, as text to go on with: ", where gemmviz gave n = 192 and m = 128"."""
        if whole_places(made.types):
            found = [
                f"{self.names[place]} = {value}" for place, value in sorted(given.items()) if place < len(self.names)
            ]
            return f", where gemmviz gave {listed(found)}" if found else ""
        sizes = self.unnamed_sizes(made.types, made.build.template)
        found = [replace(one, value=given[place]).words for place, one in sizes.items() if place in given]
        return f", where the sizes tried were those of the file ({listed(found)})" if found else ""

    def parts(self, instance: Instance, numbers: Mapping[int, int], depths: Collection[int]) -> list[int]:
        """Lengths of sums that one of several blocks may add up: constants that the kernel uses, and sizes divided by
        the blocks that the host code launches in z.
        """
        names = self.source.names
        values = (names.value_of(name) for name in names.constants if name in self.kernel.words)
        launch = instance.launch
        text = launch.grid[2] if launch is not None and len(launch.grid) == 3 else ""
        blocks = value_of(over_places(text, launch), numbers) if launch is not None and text else None
        shares = [-(-depth // blocks) for depth in depths] if blocks else []
        return [*(one for one in values if one is not None and _PARTS[0] <= one <= _PARTS[1]), *shares]

    def launched_grid(self, instance: Instance, meant: KernelMeaning) -> tuple[str, ...]:
        """The grid of the host code over M, N and K, () and "" for what is not known."""
        return self.terms(instance.launch, instance, meant).grid if instance.launch is not None else ()

    def arguments(self, meant: KernelMeaning) -> tuple[str, ...]:
        """What the parameters are given, numbers that do nothing among them."""
        return tuple(
            word or ("1.0" if factor_of(one) == "alpha" else "0.0")
            for one, word in zip(self.kernel.parameters, meant.arguments, strict=True)
        )

    def terms(
        self, launch: FoundLaunch, instance: Instance, meant: KernelMeaning, values: Mapping[str, int] = _NO_VALUES
    ) -> LaunchTerms:
        """A launch over M, N and K; `values` are those of names that nothing tells but what was tried."""
        pairs = zip(launch.template, instance.template, strict=False)
        of_template = {name: int(value) for name, value in pairs if name.isidentifier() and value.isdigit()}
        known = {**dict(instance.defines), **of_template, **values}
        return terms_of(launch, meant.arguments, known, meant.storages, instance.launch)

    def numbers_of(self, instance: Instance) -> dict[str, int]:
        """The numbers that an instance gives the template and macros."""
        given = zip(self.kernel.template, instance.template, strict=False)
        numbers = {one.name: int(value) for one, value in given if value.lstrip("-").isdigit()}
        return {**numbers, **dict(instance.defines)}

    @property
    def set_by_host(self) -> str:
        """That host code sets variables that the kernel reads, as text to go on with; "" where it does not."""
        return set_by_host_words(self.text, self.kernel.words)

    @property
    def launches(self) -> tuple[FoundLaunch, ...]:
        """The launches of the kernel in host code."""
        return self.source.launches_of(self.kernel)

    def host_launches(self, instance: Instance, guess: BlockGuess, meant: KernelMeaning) -> HostLaunches:
        """The launches in host code over what the parameters stand for."""
        own = instance.launch
        values = guess.values if guess.is_launched else _NO_VALUES
        others = self.with_other_template(instance)
        alike = [one for one in self.launches if one not in others]
        terms = [self.terms(one, instance, meant, values if one == own else _values_told(one, values)) for one in alike]
        names = self.source.names
        sizes = tuple((name, value) for name in DIMENSIONS if (value := names.value_of(name)))
        handed = tuple((line, name) for kernel, line, name in self.source.handed if kernel == self.kernel.short_name)
        asks_for_more = asks_for_more_shared("\n".join((self.text, *self.source.included)))
        return HostLaunches(tuple(terms), tuple(self.names), sizes, handed, own, asks_for_more)

    def with_other_template(self, instance: Instance) -> list[FoundLaunch]:
        """The launches in host code that give the template other arguments than an instance has."""
        own = instance.launch.template if instance.launch is not None else instance.template
        return [one for one in self.launches if one.template and one.template not in (own, instance.template)]

    def nulls(self, instance: Instance) -> frozenset[int]:
        """The pointers that the launch gives nothing, as far as three matrices are left, and those of the instance."""
        given = instance.launch.arguments if instance.launch is not None else ()
        pointers = self._pointers
        nulls = frozenset(place for place, text in enumerate(given) if text in ("null", "0") and place in pointers)
        nulls |= instance.nulls
        return nulls if len(pointers - nulls) >= len(MATRICES) else instance.nulls

    def nullable(self, instance: Instance) -> list[frozenset[int]]:
        """The pointers that may be null, as the kernel asks whether they are, and that this instance gives a matrix:
        all of them, then each, as far as three matrices are left.
        """
        nulls, pointers = self.nulls(instance), self._pointers
        tested = [one for one in sorted(pointers - nulls) if self.kernel.parameters[one].name in self.kernel.tested]
        found = dict.fromkeys((frozenset(tested), *(frozenset({one}) for one in tested)))
        return [one for one in found if one and len(pointers - nulls - one) >= len(MATRICES)]

    @property
    def _pointers(self) -> frozenset[int]:
        """The places of the pointers to global memory."""
        return frozenset(
            place for place, one in enumerate(self.kernel.parameters) if one.is_pointer and not one.is_local
        )

    def unclear(self, places: Collection[int]) -> str:
        """The first parameter at these places of which nothing says what it stands for, "" for none."""
        names = {place: self.kernel.parameters[place].name for place in places}
        roles = roles_of(self.kernel.parameters, [*places])
        return next((names[place] for place, role in roles.items() if not role and not is_size(names[place])), "")


def _values_told(launch: FoundLaunch, values: Mapping[str, int]) -> dict[str, int]:
    """Those of the values that variables must have where a launch stands: 16 for `edge` under `if (edge == 16)`."""
    told = {one.words for one in launch.conditions}
    return {name: value for name, value in values.items() if f"{name} == {value}" in told}

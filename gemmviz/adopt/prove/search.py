"""Looks for a description that holds: compiles, runs single blocks, reads the evidence, checks whole products."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from gemmviz.adopt.description import Description
from gemmviz.adopt.finding import Finding, Progress, Step
from gemmviz.adopt.propose.constants import SizeConstant, size_constants, smaller_defines
from gemmviz.adopt.propose.geometry import BlockGuess, blocks_of
from gemmviz.adopt.propose.instances import Instance, instances_of
from gemmviz.adopt.propose.roles import factor_of, matrices_in_order, role_of
from gemmviz.adopt.prove.base_size import base_size
from gemmviz.adopt.prove.check import check
from gemmviz.adopt.prove.evidence import View, views_of
from gemmviz.adopt.prove.grid import Cover, cover_of, grids_of, grids_with_parts, whole_sums
from gemmviz.adopt.prove.limits import IsRight, limits_of
from gemmviz.adopt.prove.local_memory import local_sizes
from gemmviz.adopt.prove.machine import Build, Geometry, Kernel, TryError, compiled
from gemmviz.adopt.prove.meaning import Meaning, UnclearError, equal_dimensions, meaning_of
from gemmviz.adopt.prove.trial import Trial
from gemmviz.adopt.prove.types import parameter_type
from gemmviz.adopt.prove.unfit import why_no_product
from gemmviz.adopt.source.kernels import FoundKernel
from gemmviz.adopt.source.read import FoundSource
from gemmviz.catalogue.expressions import ExpressionError, evaluate_whole
from gemmviz.domain.kernels.parameter_types import Kind, ParameterType
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Language

BUDGET_S = 120.0
"""How long a kernel is looked at before it is given up."""
_COMPILE_S, _RUN_S, _FIXED_RUN_S = 60.0, 10.0, 60.0
_SIZES = {"M": 512, "N": 768, "K": 640}
"""Values for numbers that may be dimensions: multiples of the usual tiles, and none a multiple of another, since every
second row of a matrix is a row of one that is half as wide.
"""
_FIXED = ("tile", "batch")
"""Roles of numbers that are no size of the product."""
_LEADING = {"lda": 1088, "ldb": 1344, "ldc": 1600, "ldd": 1600}
_UNKNOWN = (896, 1152, 1408)
_SQUARE = 256
_OF_RUNS, _OF_VIEWS, _OF_CHECKS, _OF_RULES = range(4)
"""How far a try came before it failed."""
_MOST_REASONS = 2
_PARTS = (8, 512)
_WHOLE = (Kind.SIGNED, Kind.UNSIGNED)
_UNDEFINED = re.compile(r'identifier "(\w+)" is undefined')


@dataclass(slots=True)
class Search:
    """The search for what one kernel of a file computes."""

    path: Path
    text: str
    language: Language
    source: FoundSource
    kernel: FoundKernel
    progress: Progress
    budget_s: float = BUDGET_S
    begin: float = field(default_factory=time.monotonic)
    faults: list[tuple[int, str]] = field(default_factory=list)
    """Why tries came to nothing, each with how far it had come."""
    compile_faults: list[str] = field(default_factory=list)
    guess: int = 0
    guesses: int = 0
    """Which of how many guesses is being tried: blocks and numbers of all that was compiled so far."""

    def find(self) -> Finding:
        """What was proven, or why nothing was."""
        constants = () if self._takes_sizes(self._types(None)) else self._constants()
        fault = why_no_product(self.kernel, self.source.kernels, self._types(None), constants)
        if fault:
            return Finding(self.kernel.name, self.kernel.line, None, (fault,))
        launches = self.source.launches_of(self.kernel)
        named = self.source.instantiations_of(self.kernel)
        missing: tuple[str, ...] = ()
        smaller = smaller_defines(constants)
        waiting = instances_of(self.kernel, launches, named, self.source.names)
        seen: set[tuple[object, ...]] = set()
        while waiting and not self._is_over():
            instance = waiting.pop(0)
            if (instance.template, instance.defines) in seen:
                continue
            seen.add((instance.template, instance.defines))
            pointers = tuple((place + 1, 0) for place in self._local())
            instance = replace(instance, defines=(*instance.defines, *smaller))
            build = Build(self.kernel.name, instance.template, instance.defines, pointers)
            types = self._types(instance)
            self._tell(f"compiling {build.instance}")
            try:
                made = compiled(self.path, self.text, self.language, build, types, _COMPILE_S)
            except TryError as error:
                self.compile_faults.append(str(error))
                unknown = tuple(dict.fromkeys(_UNDEFINED.findall(str(error))))
                if unknown and not set(unknown) <= set(missing) and len(missing) < 12:
                    missing = (*missing, *unknown)
                    waiting = instances_of(self.kernel, launches, named, self.source.names, missing)
                continue
            found = self._proven(made, instance)
            if found is not None:
                return found
        return Finding(self.kernel.name, self.kernel.line, None, self._reasons())

    def _takes_sizes(self, types: Sequence[ParameterType]) -> bool:
        """Whether numbers that it takes say its sizes."""
        return bool(self._whole(types))

    def _constants(self) -> tuple[SizeConstant, ...]:
        return size_constants(self.kernel, self.source.names, self.text)

    def _parts(self) -> list[int]:
        """Lengths of sums that one of several blocks may add up: constants that the kernel uses."""
        values = (self.source.names.value_of(name) for name in self.source.names.constants if name in self.kernel.words)
        return [value for value in values if value is not None and _PARTS[0] <= value <= _PARTS[1]]

    def _tell(self, words: str) -> None:
        self.progress(Step(words, self.guess, self.guesses))

    def _is_over(self) -> bool:
        return time.monotonic() - self.begin > self.budget_s

    def _reasons(self) -> tuple[str, ...]:
        """Why nothing was proven: what the tries that came farthest and were tried first failed at."""
        ranked = sorted(self.faults, key=lambda one: -one[0])
        words = tuple(dict.fromkeys(words for _, words in ranked))[:_MOST_REASONS]
        if self._is_over():
            return (f"nothing was proven within {self.budget_s:g} s", *words)
        return words or tuple(self.compile_faults[:1]) or ("it has no launch that could be tried",)

    def _types(self, instance: Instance | None) -> tuple[ParameterType, ...]:
        given = instance.template if instance is not None else ()
        template = dict(zip((one.name for one in self.kernel.template), given, strict=False))
        return tuple(parameter_type(one, template) for one in self.kernel.parameters)

    def _proven(self, made: Kernel, instance: Instance) -> Finding | None:
        sizes = {
            one.name: int(value)
            for one, value in zip(self.kernel.template, instance.template, strict=False)
            if value.lstrip("-").isdigit()
        }
        guesses = blocks_of(self.kernel, instance.launch, {**sizes, **dict(instance.defines)}, self.source.names)
        numbered = [*self._numbers(made.types, instance)]
        self.guesses = self.guess + len(numbered) * len(guesses)
        for numbers in numbered:
            for guess in guesses:
                if self._is_over():
                    return None
                self.guess += 1
                found = self._tried(made, guess, numbers, instance)
                if found is not None:
                    return found
        return None

    def _numbers(self, types: Sequence[ParameterType], instance: Instance) -> Iterator[dict[int, int]]:
        """Values for the whole-number parameters: by their names, then all different, then all equal."""
        places = self._whole(types)
        if not places:
            defined = dict(instance.defines)
            values = (defined.get(one.name, one.value) for one in self._constants())
            yield dict(enumerate(values, len(types)))
            return
        roles = self._roles(places)
        given = instance.launch.arguments if instance.launch is not None else ()
        alike = {given[p]: role for p, role in roles.items() if role in _SIZES and p < len(given)}
        roles |= {p: alike[given[p]] for p, role in roles.items() if not role and p < len(given) and given[p] in alike}
        if len(places) == 1 and roles[places[0]] not in _FIXED:
            yield {places[0]: _SQUARE}
            return
        unknown = iter([value for name, value in _SIZES.items() if name not in roles.values()] + list(_UNKNOWN))
        known = {**_SIZES, **_LEADING}
        named = {
            p: known[roles[p]] if roles[p] in known else next(unknown, 2048) for p in places if roles[p] not in _FIXED
        }
        yield named
        free = [p for p in places if roles[p] not in _FIXED]
        apart = dict(zip(free, [*_SIZES.values(), *_UNKNOWN], strict=False))
        if len(free) <= 6 and apart != named:
            yield apart
        if not named:
            return
        yield dict.fromkeys(free, _SQUARE)

    def _roles(self, places: Sequence[int]) -> dict[int, str]:
        letters = matrices_in_order(self.kernel.parameters)
        pointers = {self.kernel.parameters[place].name: letter for place, letter in letters.items()}
        return {place: role_of(self.kernel.parameters[place], pointers).word for place in places}

    def _tried(self, made: Kernel, guess: BlockGuess, numbers: Mapping[int, int], instance: Instance) -> Finding | None:
        """What one block and one set of numbers prove; None for nothing."""
        roles = self._roles(self._whole(made.types))
        if not roles:
            roles = dict(enumerate((one.role for one in self._constants()), len(made.types)))
        tiles = {place: self._tile(guess, instance, place) for place, role in roles.items() if role == "tile"}
        tiles |= {place: 1 for place, role in roles.items() if role == "batch"}
        derived = self._derived(instance, {place: role for place, role in roles.items() if place not in tiles})
        numbers = {place: value for place, value in numbers.items() if place not in derived}
        tiles |= {place: value for place, text in derived.items() if (value := _value(text, numbers)) is not None}
        given = instance.launch.arguments if instance.launch is not None else ()
        nulls = frozenset(place for place, text in enumerate(given) if text == "null")
        shared_bytes = _value(guess.shared_bytes, {**numbers, **tiles}) or 0
        geometry = Geometry(guess.block, shared_bytes)
        self._tell(f"running {made.build.instance} with blocks of {' x '.join(map(str, guess.block))}")
        try:
            local = local_sizes(made, self._local(), {**numbers, **tiles}, geometry, _RUN_S) if self._local() else {}
            sizes = {place: _value(text, {**numbers, **tiles}) or 0 for place, text in local.items()}
            made = made.with_local(tuple((place + 1, nbytes) for place, nbytes in sizes.items()))
            trial = Trial(made, {**numbers, **tiles}, _RUN_S, nulls | frozenset(local))
            leading = {value for place, value in numbers.items() if roles[place].startswith("ld")}
            depths = {value for place, value in numbers.items() if value not in leading} or {_SQUARE}
            views = views_of(trial.run(geometry, (1, 1, 1)), [*numbers.values()], [*depths, *self._parts()])
            if not views:
                self.faults.append((_OF_RUNS, "what one block wrote is no part of a product of its matrices"))
                return None
            covered = cover_of(trial, geometry, self.kernel.grid_axes, views)
            if covered is None:
                self.faults.append((_OF_VIEWS, "what its blocks wrote has more than one meaning, or none"))
                return None
            covered = whole_sums(trial, geometry, *covered, sorted({*numbers.values()}))
            if covered is None:
                self.faults.append((_OF_VIEWS, "its blocks add parts of sums, of a length that no number of it says"))
                return None
            view, cover = covered
            meaning = meaning_of(
                view, numbers, roles, matrices_in_order(self.kernel.parameters), trial.elements, len(made.types)
            )
            fixed = {place: _in_words(derived.get(place, str(value)), meaning) for place, value in tiles.items()}
            fixed |= {place: f"local({_in_words(text, meaning)})" for place, text in local.items()}
            arguments = tuple(
                "null" if place in nulls else fixed.get(place, word) for place, word in enumerate(meaning.arguments)
            )
            meaning = replace(meaning, arguments=arguments)
            guess = replace(guess, shared_bytes=_in_words(guess.shared_bytes, meaning))
        except TryError as error:
            self.faults.append((_OF_RUNS, str(error)))
            return None
        except UnclearError as error:
            self.faults.append((_OF_VIEWS, str(error)))
            return None
        return self._described(made, instance, guess, meaning, trial, geometry, view, cover)

    def _local(self) -> list[int]:
        """The places of the parameters that point to local memory."""
        return [place for place, one in enumerate(self.kernel.parameters) if one.is_local]

    def _whole(self, types: Sequence[ParameterType]) -> list[int]:
        return [place for place, one in enumerate(types) if not one.is_pointer and one.scalar.kind in _WHOLE]

    def _derived(self, instance: Instance, roles: Mapping[int, str]) -> dict[int, str]:
        """What the launch computes from other numbers that it gives: "4 * {2}" for k * sizeof(float), where parameter 2
        is given k. Also plain numbers, where no name says what they are.
        """
        given = instance.launch.arguments if instance.launch is not None else ()
        places = {
            text: place for place, text in reversed([*enumerate(given)]) if text.isidentifier() and place in roles
        }
        found = {}
        for place, text in enumerate(given):
            if place not in roles or roles[place] or text in places or not text:
                continue
            parts = re.findall(r"[A-Za-z_]\w*(?=\s*(?:[^\w(.\s]|$))", text)
            if all(part in places for part in parts):
                found[place] = re.sub(
                    r"[A-Za-z_]\w*", lambda name: f"{{{places[name[0]]}}}" if name[0] in places else name[0], text
                )
        return found

    def _tile(self, guess: BlockGuess, instance: Instance, place: int) -> int:
        """The edge of a tile that a parameter asks for: what the launch gives it, or the block's edge."""
        given = instance.launch.arguments if instance.launch is not None else ()
        text = given[place] if place < len(given) else ""
        return int(text) if text.isdigit() else guess.values.get(text, guess.block[0])

    def _described(
        self,
        made: Kernel,
        instance: Instance,
        guess: BlockGuess,
        meaning: Meaning,
        trial: Trial,
        geometry: Geometry,
        view: View,
        cover: Cover,
    ) -> Finding | None:
        extents = (meaning.values.get(meaning.rows, 0), meaning.values.get(meaning.columns, 0))
        sizes = (extents[0] or max(_SIZES.values()), extents[1] or view.line)
        arguments = tuple(
            word or ("1.0" if factor_of(self.kernel.parameters[place]) == "alpha" else "0.0")
            for place, word in enumerate(meaning.arguments)
        )
        block = tuple(map(str, guess.block))
        while len(block) > 1 and block[-1] == "1":
            block = block[:-1]
        known = {} if self._takes_sizes(made.types) else meaning.values
        fixed = tuple((name, known[name]) for name in ("M", "N", "K") if name in known)
        base = base_size(cover, meaning, dict(fixed))
        grids = grids_of(cover, meaning.rows, meaning.columns, sizes, trial, geometry, view)
        for grid in grids_with_parts(grids, instance.launch, adds_to_c=meaning.adds_to_c):
            description = Description(
                entry=self.kernel.name,
                template=made.build.template,
                defines=made.build.defines,
                arguments=arguments,
                storages=meaning.storages,
                block=block,
                grid=grid,
                shared_bytes=guess.shared_bytes,
                adds_to_c=meaning.adds_to_c,
                equal=equal_dimensions(meaning.values),
                fixed=fixed,
            )
            self._tell(f"checking {base} with a grid of {', '.join(grid)}")
            found = check(made, description, base, _FIXED_RUN_S if fixed else _RUN_S)
            if not found.is_right:
                self.faults.append((_OF_CHECKS, f"at {base}: {found.fault}"))
                continue
            self._tell("looking for the sizes that it takes")
            limits = limits_of(description, base, self._judge(made, description))
            if self._is_over():
                return None
            if limits is None:
                self.faults.append((_OF_RULES, "it is right at some sizes, and no rule was found for which"))
                continue
            described = replace(description, rules=limits.rules)
            return Finding(
                self.kernel.name,
                self.kernel.line,
                described,
                notes=self._notes(made, described, base),
                because=self._because(made, instance, guess),
                checks=limits.tried + 1,
            )
        return None

    def _judge(self, made: Kernel, description: Description) -> IsRight:
        """Whether the kernel is right at a size; where time is over it is not looked at any more."""

        def judged(shape: Shape) -> bool | None:
            if self._is_over():
                return None
            found = check(made, description, shape, _RUN_S)
            return None if found.is_cut_off else found.is_right

        return judged

    def _because(self, made: Kernel, instance: Instance, guess: BlockGuess) -> tuple[str, ...]:
        """Where what was tried, and turned out right, came from."""
        found = [f"the block: {guess.because}"]
        if instance.template:
            found.append(f"the template's arguments: {instance.because}")
        sizes = {one.name: one.value for one in self._constants()} if not self._takes_sizes(made.types) else {}
        for name, value in instance.defines:
            why = "usual sizes of such macros, or the condition of its #if"
            smaller = f"{sizes.get(name)} takes too long to be proven, and its #ifndef lets others define it"
            found.append(f"{name} = {value}: {smaller if name in sizes else why}")
        letters = matrices_in_order(self.kernel.parameters)
        pointers = {self.kernel.parameters[place].name: letter for place, letter in letters.items()}
        roles = [role_of(self.kernel.parameters[place], pointers) for place in self._whole(made.types)]
        return (*found, *(role.because for role in roles if role.word and "it is called" not in role.because))

    def _notes(self, made: Kernel, description: Description, base: Shape) -> tuple[str, ...]:
        """What else was found out by running it."""
        found = []
        if not check(made, description, base, _RUN_S, in_float32=True).is_right:
            found.append("sums are rounded more coarsely than in float32, which `run` takes for an error")
        if description.has_beta and not check(made, description, base, _RUN_S, beta=0.0, is_poisoned=True).is_right:
            found.append("C is read even where beta is 0, so a NaN in it stays one")
        return tuple(found)


def _value(text: str, numbers: Mapping[int, int]) -> int | None:
    """The value of an expression over {places} of parameters."""
    words = re.sub(r"\{(\d+)\}", lambda place: str(numbers.get(int(place[1]), "unknown")), text)
    try:
        return evaluate_whole(words, {})
    except ExpressionError:
        return None


def _in_words(text: str, meaning: Meaning) -> str:
    """The same over M, N and K."""
    return re.sub(r"\{(\d+)\}", lambda place: meaning.arguments[int(place[1])], text)

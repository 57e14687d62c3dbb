"""Looks for a description that holds: compiles, runs single blocks, reads the evidence, checks whole products."""

from __future__ import annotations

import re
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from gemmviz.adopt.description import Description
from gemmviz.adopt.finding import AdoptionStep, KernelFinding, Progress
from gemmviz.adopt.propose.constants import SizeConstant, size_constants, smaller_defines
from gemmviz.adopt.propose.geometry import BlockGuess, blocks_of
from gemmviz.adopt.propose.instances import Instance, instances_of
from gemmviz.adopt.propose.roles import factor_of, letter_of, matrices_in_order, role_of
from gemmviz.adopt.prove.base_size import base_size
from gemmviz.adopt.prove.check import check, fault_of_large_elements
from gemmviz.adopt.prove.evidence import View, views_of
from gemmviz.adopt.prove.faults import NO_TRY, Tried, TriedFault, reasons_of
from gemmviz.adopt.prove.grid import Cover, cover_of, grids_of, grids_with_parts, whole_sums
from gemmviz.adopt.prove.limits import IsRight, limits_of
from gemmviz.adopt.prove.local_memory import local_sizes
from gemmviz.adopt.prove.machine import BlockGeometry, CompiledKernel, KernelBuild, TryError, compiled
from gemmviz.adopt.prove.meaning import Meaning, UnclearError, equal_dimensions, meaning_of
from gemmviz.adopt.prove.races import as_launched, race_in
from gemmviz.adopt.prove.readings import (
    NAME,
    SIZES,
    SQUARE,
    ArgumentReading,
    in_words,
    is_size,
    over_places,
    readings_of,
    roles_of,
    value_of,
    whole_places,
)
from gemmviz.adopt.prove.rectangles import rectangle_of, rectangular
from gemmviz.adopt.prove.trial import Trial
from gemmviz.adopt.prove.types import parameter_type
from gemmviz.adopt.prove.unfit import why_no_product
from gemmviz.adopt.source.kernels import FoundKernel
from gemmviz.adopt.source.read import FoundSource
from gemmviz.domain.kernels.call import MATRICES
from gemmviz.domain.kernels.parameter_types import ParameterType
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Language

BUDGET_S = 120.0
"""How long a kernel is looked at before it is given up."""
_COMPILE_S, _RUN_S, _FIXED_RUN_S = 60.0, 10.0, 60.0
_OF_RUNS, _OF_VIEWS, _OF_CHECKS, _OF_RULES = range(4)
"""How far a try came before it failed."""
_PARTS = (8, 512)
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
    faults: list[TriedFault] = field(default_factory=list)
    """Why tries came to nothing."""
    tried: Tried = NO_TRY
    called: Description | None = None
    """How the host code launches it, as far as names tell; None where there is no launch."""
    compile_faults: list[str] = field(default_factory=list)
    guess: int = 0
    guesses: int = 0
    """Which of how many guesses is being tried: blocks and numbers of all that was compiled so far."""

    def find(self) -> KernelFinding:
        """What was proven, or why nothing was."""
        constants = () if self._takes_sizes(self._types(None)) else self._constants()
        fault = why_no_product(self.kernel, self.source.kernels, self._types(None), constants)
        if fault:
            return KernelFinding(self.kernel.name, self.kernel.line, None, (fault,))
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
            build = KernelBuild(self.kernel.name, instance.template, instance.defines, pointers)
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
        race = race_in(self.path, self.text, self.called, _RUN_S) if self.called is not None else ""
        reasons = self._reasons()
        return KernelFinding(self.kernel.name, self.kernel.line, None, (race, *reasons) if race else reasons)

    def _takes_sizes(self, types: Sequence[ParameterType]) -> bool:
        """Whether numbers that it takes say its sizes."""
        return bool(whole_places(types))

    def _constants(self) -> tuple[SizeConstant, ...]:
        return size_constants(self.kernel, self.source.names, self.text)

    def _parts(self, instance: Instance, numbers: Mapping[int, int], depths: Collection[int]) -> list[int]:
        """Lengths of sums that one of several blocks may add up: constants that the kernel uses, and sizes divided by
        the blocks that the host code launches in z.
        """
        values = (self.source.names.value_of(name) for name in self.source.names.constants if name in self.kernel.words)
        launch = instance.launch
        text = launch.grid[2] if launch is not None and len(launch.grid) == 3 else ""
        blocks = value_of(over_places(text, launch), numbers) if launch is not None and text else None
        shares = [-(-depth // blocks) for depth in depths] if blocks else []
        return [*(one for one in values if one is not None and _PARTS[0] <= one <= _PARTS[1]), *shares]

    def _nulls(self, instance: Instance) -> frozenset[int]:
        """The pointers that the launch gives nothing, as far as three matrices are left."""
        given = instance.launch.arguments if instance.launch is not None else ()
        nulls = frozenset(place for place, text in enumerate(given) if text == "null")
        pointers = {place for place, one in enumerate(self.kernel.parameters) if one.is_pointer and not one.is_local}
        return nulls if len(pointers - nulls) >= len(MATRICES) else frozenset()

    def _fail(self, stage: int, words: str) -> None:
        """Note why the try came to nothing, and how far it had come."""
        self.faults.append(TriedFault(stage, words, self.tried.is_likely))

    def _tell(self, words: str) -> None:
        self.progress(AdoptionStep(words, self.guess, self.guesses))

    def _is_over(self) -> bool:
        return time.monotonic() - self.begin > self.budget_s

    def _reasons(self) -> tuple[str, ...]:
        """Why nothing was proven: what the tries that came farthest and were tried first failed at."""
        words = reasons_of(self.faults)
        if self._is_over():
            return (f"nothing was proven within {self.budget_s:g} s", *words)
        return words or tuple(self.compile_faults[:1]) or ("it has no launch that could be tried",)

    def _types(self, instance: Instance | None) -> tuple[ParameterType, ...]:
        given = instance.template if instance is not None else ()
        template = dict(zip((one.name for one in self.kernel.template), given, strict=False))
        return tuple(parameter_type(one, template) for one in self.kernel.parameters)

    def _proven(self, made: CompiledKernel, instance: Instance) -> KernelFinding | None:
        sizes = {
            one.name: int(value)
            for one, value in zip(self.kernel.template, instance.template, strict=False)
            if value.lstrip("-").isdigit()
        }
        guesses = blocks_of(self.kernel, instance.launch, {**sizes, **dict(instance.defines)}, self.source.names)
        read = [[*self._readings(made.types, instance, guess)] for guess in guesses]
        tries = [
            pair for place in range(len(read[0])) for pair in zip(guesses, (one[place] for one in read), strict=True)
        ]
        self.guesses = self.guess + len(tries)
        likely = tries[0][1].derived.keys()
        for guess, reading in tries:
            if self._is_over():
                return None
            self.guess += 1
            self.tried = Tried(guess, guess.is_launched and reading.derived.keys() == likely and not reading.is_square)
            if self.tried.is_likely and self.called is None:
                self.called = as_launched(self.kernel, made, guess, reading)
            found = self._tried(made, guess, reading, instance)
            if found is not None:
                return found
        return None

    def _readings(
        self, types: Sequence[ParameterType], instance: Instance, guess: BlockGuess
    ) -> Iterator[ArgumentReading]:
        """Values for the whole-number parameters, or those of constants where the kernel takes none."""
        places = whole_places(types)
        if places:
            yield from readings_of(types, roles_of(self.kernel.parameters, places), instance.launch, guess)
            return
        defined = dict(instance.defines)
        values = (defined.get(one.name, one.value) for one in self._constants())
        yield ArgumentReading(dict(enumerate(values, len(types))), {})

    def _tried(
        self, made: CompiledKernel, guess: BlockGuess, reading: ArgumentReading, instance: Instance
    ) -> KernelFinding | None:
        """What one block and one set of numbers prove; None for nothing."""
        roles = roles_of(self.kernel.parameters, whole_places(made.types))
        if not roles:
            roles = dict(enumerate((one.role for one in self._constants()), len(made.types)))
        numbers = reading.numbers
        fixed_values = {place: value_of(text, numbers) or 0 for place, text in reading.derived.items()}
        every = {**numbers, **fixed_values}
        nulls = self._nulls(instance)
        geometry = BlockGeometry(guess.block, value_of(guess.shared_bytes, every) or 0)
        self._tell(f"running {made.build.instance} with blocks of {' x '.join(map(str, guess.block))}")
        try:
            local = local_sizes(made, self._local(), every, geometry, _RUN_S) if self._local() else {}
            sizes = {place: value_of(text, every) or 0 for place, text in local.items()}
            made = made.with_local(tuple((place + 1, nbytes) for place, nbytes in sizes.items()))
            trial = Trial(made, every, _RUN_S, nulls | frozenset(local), frozenset(numbers.values()))
            leading = {value for place, value in numbers.items() if roles[place].startswith("ld")}
            depths = {value for place, value in numbers.items() if value not in leading} or {SQUARE}
            parts = self._parts(instance, every, depths)
            views = views_of(trial.run(geometry, (1, 1, 1)), [*numbers.values()], [*depths, *parts])
            if not views:
                self._fail(_OF_RUNS, "what one block wrote is no part of a product of its matrices")
                return None
            covered = cover_of(trial, geometry, self.kernel.grid_axes, views)
            if covered is None:
                self._fail(_OF_VIEWS, "what its blocks wrote has more than one meaning, or none")
                return None
            covered = whole_sums(trial, geometry, *covered, sorted({*numbers.values()}))
            if covered is None:
                self._fail(_OF_VIEWS, "its blocks add parts of sums, of a length that no number of it says")
                return None
            view, cover = covered
            pointers = {place: letter_of(one.name) for place, one in enumerate(self.kernel.parameters)}
            meaning = meaning_of(view, numbers, roles, pointers, trial.elements, len(made.types))
            words = dict(enumerate(meaning.arguments))
            fixed = {place: in_words(text, words) for place, text in reading.derived.items()}
            fixed |= {place: f"local({in_words(text, words)})" for place, text in local.items()}
            arguments = tuple(
                "null" if place in nulls else fixed.get(place, word) for place, word in enumerate(meaning.arguments)
            )
            meaning = replace(meaning, arguments=arguments)
            guess = replace(guess, shared_bytes=in_words(guess.shared_bytes, dict(enumerate(arguments))))
        except TryError as error:
            self._fail(_OF_RUNS, self.tried.said_of(str(error)))
            return None
        except UnclearError as error:
            self._fail(_OF_VIEWS, str(error))
            return None
        return self._described(made, instance, guess, reading, meaning, trial, geometry, view, cover)

    def _local(self) -> list[int]:
        """The places of the parameters that point to local memory."""
        return [place for place, one in enumerate(self.kernel.parameters) if one.is_local]

    def _described(
        self,
        made: CompiledKernel,
        instance: Instance,
        guess: BlockGuess,
        reading: ArgumentReading,
        meaning: Meaning,
        trial: Trial,
        geometry: BlockGeometry,
        view: View,
        cover: Cover,
    ) -> KernelFinding | None:
        extents = (meaning.values.get(meaning.rows, 0), meaning.values.get(meaning.columns, 0))
        sizes = (extents[0] or max(SIZES.values()), extents[1] or view.line)
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
        parts = self._launched_parts(instance, meaning)
        best: KernelFinding | None = None
        for grid in grids_with_parts(grids, parts, cover.split, adds_to_c=meaning.adds_to_c):
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
            found = self._checked(made, description, base, cover, reading)
            if found is not None:
                found = replace(found, because=self._because(made, description, instance, guess))
                best = found if best is None or found.limits < best.limits else best
                if not best.limits:
                    break
        return best

    def _checked(
        self, made: CompiledKernel, description: Description, base: Shape, cover: Cover, reading: ArgumentReading
    ) -> KernelFinding | None:
        """What whole products prove of a description, and the sizes for which they do; None for nothing."""
        run_s = _FIXED_RUN_S if description.fixed else _RUN_S
        self._tell(f"checking {base} with a grid of {', '.join(description.grid)}")
        found = check(made, description, base, run_s)
        if not found.is_right:
            self._fail(_OF_CHECKS, f"at {base}: {found.fault}")
            return None
        if reading.is_square and description.equal:
            self._tell("looking for rectangular products")
            rectangle = rectangle_of(cover)
            of_rectangles = rectangular(
                description, [*reading.numbers], lambda one: check(made, one, rectangle, run_s).is_right
            )
            if of_rectangles is not None:
                description, base = of_rectangles, rectangle
            elif unclear := self._unclear(reading):
                self._fail(
                    _OF_RULES,
                    "it is right where M = N = K, but with no rectangular product that was tried, and neither its name "
                    f"nor the host code says what {unclear} stands for",
                )
                return None
        self._tell("looking for the sizes that it takes")
        limits = limits_of(description, base, self._judge(made, description))
        if self._is_over():
            return None
        if limits is None:
            self._fail(_OF_RULES, "it is right at some sizes, and no rule was found for which")
            return None
        described = replace(description, rules=limits.rules)
        fault = fault_of_large_elements(made, described, base, run_s)
        if fault:
            self._fail(_OF_RULES, fault)
            return None
        notes = self._notes(made, described, base)
        return KernelFinding(self.kernel.name, self.kernel.line, described, notes=notes, checks=limits.tried + 1)

    def _unclear(self, reading: ArgumentReading) -> str:
        """The first parameter of which nothing says what it stands for, "" for none."""
        roles = roles_of(self.kernel.parameters, [*reading.numbers])
        names = {place: self.kernel.parameters[place].name for place in roles}
        return next((names[place] for place, role in roles.items() if not role and not is_size(names[place])), "")

    def _launched_parts(self, instance: Instance, meaning: Meaning) -> str:
        """How many blocks the host code launches in z, over M, N and K; "" where that is not known."""
        launch = instance.launch
        if launch is None or len(launch.grid) < 3:
            return ""
        found = in_words(over_places(launch.grid[2], launch), dict(enumerate(meaning.arguments)))
        return "" if set(NAME.findall(found)) - {"M", "N", "K"} else found

    def _judge(self, made: CompiledKernel, description: Description) -> IsRight:
        """Whether the kernel is right at a size; where time is over it is not looked at any more."""

        def judged(shape: Shape) -> bool | None:
            if self._is_over():
                return None
            found = check(made, description, shape, _RUN_S)
            return None if found.is_untold else found.is_right

        return judged

    def _because(
        self, made: CompiledKernel, description: Description, instance: Instance, guess: BlockGuess
    ) -> tuple[str, ...]:
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
        roles = [role_of(self.kernel.parameters[place], pointers) for place in whole_places(made.types)]
        is_mapped = {"batch": "1" in description.arguments}
        told = [role for role in roles if role.word and is_mapped.get(role.word, True)]
        return (*found, *(role.because for role in told if "it is called" not in role.because))

    def _notes(self, made: CompiledKernel, description: Description, base: Shape) -> tuple[str, ...]:
        """What else was found out by running it."""
        found = []
        if not check(made, description, base, _RUN_S, in_float32=True).is_right:
            found.append("sums are rounded more coarsely than in float32, which `run` takes for an error")
        if description.has_beta and not check(made, description, base, _RUN_S, beta=0.0, is_poisoned=True).is_right:
            found.append("C is read even where beta is 0, so a NaN in it stays one")
        return tuple(found)

"""Looks for a description that holds: compiles a kernel, tries it with block after block and number after number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from math import prod

from gemmviz.adopt.description import Description
from gemmviz.adopt.finding import KernelFinding
from gemmviz.adopt.parameters.renamed import parameters_of
from gemmviz.adopt.propose.constants import smaller_defines
from gemmviz.adopt.propose.geometry import MOST_THREADS, BlockGuess, blocks_of
from gemmviz.adopt.propose.instances import Instance, instances_of, unread_types_of
from gemmviz.adopt.propose.other_operations import sounds_like
from gemmviz.adopt.propose.powers import takes_powers
from gemmviz.adopt.prove.attempt import Attempt
from gemmviz.adopt.prove.faults import Tried, TriedFault, reasons_of
from gemmviz.adopt.prove.flags import flag_words, null_words, untried_null_words
from gemmviz.adopt.prove.gpu_limits import too_many_threads
from gemmviz.adopt.prove.host.instance_judgement import UnprovenLaunch, with_other_instances
from gemmviz.adopt.prove.host.other_instances import OtherInstances
from gemmviz.adopt.prove.host.workspace import sums_in_workspace
from gemmviz.adopt.prove.launcher import NotCompiledError, TryError
from gemmviz.adopt.prove.machine import CompiledKernel, KernelBuild, compiled
from gemmviz.adopt.prove.memory.several_results import several_results
from gemmviz.adopt.prove.memory.shared_memory import with_least_shared
from gemmviz.adopt.prove.memory.unwritten_variables import unset_reason, unwritten_read
from gemmviz.adopt.prove.readings import ArgumentReading, whole_places
from gemmviz.adopt.prove.search_log import SearchLog
from gemmviz.adopt.prove.searched_kernel import SearchedKernel
from gemmviz.adopt.prove.sizes.sized_tries import MOST_GLANCES, in_sizes, with_powers_first
from gemmviz.adopt.prove.special_elements import settled_reason
from gemmviz.adopt.prove.threads_apart import are_threads_apart
from gemmviz.adopt.prove.unfit import (
    is_describable,
    may_be_complex,
    why_no_matrices,
    why_no_product,
    why_not_compiled,
    why_not_given,
    why_whole_numbers,
    with_counts_of_vectors,
)
from gemmviz.adopt.reasons import FaultKind, Reason, reason_or_none
from gemmviz.adopt.recordings.early_race import look_for_early_race
from gemmviz.adopt.recordings.guessed_races import race_of_guesses
from gemmviz.adopt.recordings.races import (
    RIGHT_AT_SOME,
    as_launched,
    faults_in,
    race_as_launched,
    race_between_blocks,
    race_of_irregular,
    races_of_product,
    with_faults,
)
from gemmviz.adopt.resemblance.other_sums import written_part
from gemmviz.adopt.resemblance.resemblance import is_term_missing, resemblance_of, triangle_of

_COMPILE_S = 60.0
_MOST_GUESSES = 8
"""How many guessed launches are recorded in the search for a race."""


@dataclass(slots=True)
class Search:
    """The search for what one kernel of a file computes."""

    searched: SearchedKernel
    log: SearchLog
    called: Description | None = None
    """How the host code launches it, as far as names tell; None where there is no launch."""
    as_it_is: Description | None = None
    """How it is launched, where that is known and a fault keeps it from being proven."""
    racing_lines: tuple[int, ...] = ()
    """The lines of the accesses that race in a guessed launch, where nothing was proven."""
    too_large: Reason | None = None
    """That it needs blocks of more threads than a GPU launches; "" where nothing says so."""
    made: CompiledKernel | None = None
    """What was compiled last."""
    has_parameters: bool = True
    """Whether further values of what it is compiled with are tried."""
    is_free_of_hazards: Callable[[Description], bool] = lambda _: True
    """Looks for races of a proven kernel. Of one with a hazard no further values are tried."""
    guessed: dict[tuple[object, ...], Description] = field(default_factory=dict)
    """How it may be launched where there is no launch, one for each way to compile it and each block."""
    compile_faults: list[Reason] = field(default_factory=list)
    undefined: Reason | None = None
    """The first that names what nothing defines."""
    is_uncompiled: bool = False
    """Whether the compiler refused what was compiled last."""
    unset: Reason | None = None
    """What the compiler says of a variable that is used before its value is set; None for nothing."""
    assumed: str = ""
    """Which types of the template were assumed, and why; "" for none."""
    untried: str = ""
    """Which pointers there was no time to try with null; "" for none."""
    unproven: dict[tuple[object, ...], UnprovenLaunch] = field(default_factory=dict)
    """Launches of its host code that proved nothing, one for each way to compile it and each block."""

    def find(self) -> KernelFinding:
        """What was proven, or why nothing was."""
        searched = self.searched
        kernel, source, names = searched.kernel, searched.source, searched.source.names
        constants = () if whole_places(searched.types()) else searched.constants or searched.sizes_of_body
        fault = why_no_product(kernel, source.kernels, searched.types(), constants, searched.text)
        if fault:
            looks_like = self._resemblance_of_one_block() if searched.has_few_matrices else None
            kinds = (fault.kind, looks_like.kind if looks_like is not None else None)
            if kinds == (FaultKind.NOT_FIRST, FaultKind.LOOKS_LIKE_COPY):
                looks_like = None  # so does the sum of parts where one is given for the number of parts
            more = (looks_like,) if looks_like is not None else sounds_like(kernel)
            return KernelFinding(kernel.entry, kernel.line, None, (fault, *more), is_describable=False)
        launches, named = source.launches_of(kernel), source.instantiations_of(kernel)
        if (unread := unread_types_of(launches)) and not named:
            return KernelFinding(kernel.entry, kernel.line, None, (unread,))
        missing: tuple[str, ...] = ()
        smaller = smaller_defines(constants)
        waiting = instances_of(kernel, launches, named, names)
        faults = [why_whole_numbers(kernel, one.template, searched.types(one.template)) for one in waiting]
        if all(faults):
            return KernelFinding(kernel.entry, kernel.line, None, (Reason(faults[0]),), is_describable=False)
        waiting = [one for one, why in zip(waiting, faults, strict=True) if not why]
        seen: set[tuple[object, ...]] = set()
        while waiting and not self.log.is_over:
            instance = waiting.pop(0)
            if (instance.template, instance.defines) in seen:
                continue
            seen.add((instance.template, instance.defines))
            instance = replace(instance, defines=(*instance.defines, *smaller))
            self.assumed = self.assumed or instance.assumed
            try:
                made = self._compiled(instance)
            except TryError as error:
                given = instance.launch.template if instance.launch is not None else ()
                self.is_uncompiled = isinstance(error, NotCompiledError)
                of_template = why_not_compiled(kernel, instance.template, given)
                reason = searched.reason_of(error)
                self.compile_faults.append(Reason(of_template) if of_template else reason)
                unknown = error.unknown_names(searched.text) if isinstance(error, NotCompiledError) else ()
                if isinstance(error, NotCompiledError) and error.undefined and not of_template:
                    self.undefined = self.undefined or reason
                if unknown and not set(unknown) <= set(missing) and len(missing) < 12:
                    missing = (*missing, *unknown)
                    waiting = instances_of(kernel, launches, named, names, missing)
                continue
            if not_given := why_not_given(kernel, made.types, searched.text):
                self.compile_faults.append(Reason(not_given))
                continue
            self.made, self.unset = made, self.unset or unset_reason(made, kernel)
            self._keep_too_large(made, instance)
            tries = self._tries(made, instance)
            if takes_powers(searched.text, kernel):
                tries = with_powers_first(tries)
            found = self._proven(made, instance, tries) or self._proven_with_null(made, instance, tries)
            if found is None and is_term_missing(self.log.seen):  # of sums of that length alone, it may be
                found = self._proven(made, instance, self._other_tries(tries, ArgumentReading.with_uneven_sizes))
            if found is None and not self.log.saw_product:
                found = self._proven(made, instance, self._other_tries(tries, ArgumentReading.with_other_depth))
            if found is not None:
                return found
        reasons = self._reasons()
        may_be = is_describable(reasons, self.log.faults, is_uncompiled=self.is_uncompiled)
        reasons = (*reasons, *filter(None, (reason_or_none(self.assumed),)))
        return KernelFinding(kernel.entry, kernel.line, None, reasons, as_it_is=self.as_it_is, is_describable=may_be)

    def _keep_too_large(self, made: CompiledKernel, instance: Instance) -> None:
        """Note that its host code launches, or its tile needs, blocks of more threads than a GPU does."""
        kernel, names = self.searched.kernel, self.searched.source.names
        words = too_many_threads(kernel, instance, self.searched.numbers_of(instance), names)
        if words and instance.launch is not None:
            key, line = (made.build.template, made.build.defines, words), instance.launch.line
            self.unproven.setdefault(key, UnprovenLaunch(line, f"line {line} {words}"))
            self.too_large = self.too_large or Reason(words, FaultKind.BEYOND_GPU, line=line)
        self.too_large = self.too_large or reason_or_none(words, FaultKind.BEYOND_GPU)

    def _reasons(self) -> tuple[Reason, ...]:
        """Why nothing was proven, first of all a race; with guessed launches a race is the only reason, because the
        others are what wrong guesses failed at.
        """
        is_open = self.log.irregular is not None or self.log.saw_product or self.log.settled
        if self.too_large and not is_open:  # what other blocks do wrong, their number of threads explains
            return (self.too_large,)
        searched, reasons = self.searched, self.log.reasons(self.compile_faults)
        if self.untried and not is_open:  # what it looks like with arrays in their place says little
            return (Reason(self.untried),)
        is_guessed = self.called is None
        if self.log.settled:
            reasons = (settled_reason(self.log.settled, searched.text, searched.kernel.words),)
        irregular = self.log.irregular
        if irregular is not None:
            stepped = replace(irregular, rules=self.log.steps)
            races = races_of_product(searched.path, searched.text, stepped, self.log)
            self.as_it_is = replace(irregular, hazards=races, unproven=RIGHT_AT_SOME)
            if (race := race_of_irregular(races)) is not None:
                return (race, *reasons)
        if self.log.settled or not self.log.left_s:
            return (*(self.log.race or ()), *reasons)
        if unwritten := next(filter(None, map(unwritten_read, self.log.seen[:1])), self.unset):
            return (unwritten,)
        # where another guess was right at some sizes, this one's blocks say nothing
        wrong = self.log.wrong if is_guessed and irregular is None else None
        if wrong is not None and (race := race_between_blocks(searched.path, searched.text, wrong, self.log)):
            return (race, *reasons)
        if self.undefined is not None:
            return (self.undefined,)  # whatever was put in its place proved nothing
        doubts: Reason | None = None
        if self.called is not None:
            faults = faults_in(searched.path, searched.text, self.called, self.log)
            self.as_it_is = self.as_it_is or with_faults(self.called, faults)
            if race := race_as_launched(faults):
                if self.as_it_is is None:  # its grid is not known, and a copy with barriers may tell it
                    self.racing_lines = race_of_guesses(searched, [self.called], self.log).lines
                return (race,)
            if sums := sums_in_workspace(searched, self.called, self.log):
                self.as_it_is, words = sums
                return (Reason(words),)
        else:
            guesses = [*self.guessed.values()][:_MOST_GUESSES]
            guessed = race_of_guesses(searched, guesses, self.log)
            self.racing_lines = guessed.lines
            doubts = guessed.reason
            if doubts is not None and guessed.lines:
                return (doubts,)
        # last, because it takes longest and nobody hears of it where there is a race
        resembling = self._resembling(reasons, is_of_guess=is_guessed and irregular is None)
        if doubts is not None:  # which explains any other result
            return (doubts, *(one for one in resembling if one.kind.is_likeness))
        return resembling

    def _resembling(self, reasons: Sequence[Reason], *, is_of_guess: bool) -> tuple[Reason, ...]:
        """What the kernel looks like in place of the other reasons; with them what its name says, where it looks like
        nothing.
        """
        searched = self.searched
        if self.log.saw_product and not is_of_guess:  # of a vector, a guess may make one column of a product
            several = several_results(self.made, searched.names, searched.local)
            found = triangle_of(self.log.seen) or reason_or_none(several)
            return (found,) if found is not None else tuple(reasons)
        if of_factor := tuple(one for one in reasons if one.kind is FaultKind.NO_FACTOR):
            return of_factor
        if looks_like := resemblance_of(self.log.seen, may_be_near=not self.log.saw_product):
            return (looks_like,)
        if several := several_results(self.made, searched.names, searched.local):
            return (Reason(several),)
        sounds = () if self.log.saw_product else sounds_like(searched.kernel)
        # what its runs ended with says nothing where it was not given what it takes
        unfit = why_no_matrices(searched.kernel, searched.types()) if self.log.faults else ""
        pairs = may_be_complex(searched.kernel)
        reasons = with_counts_of_vectors(searched.kernel, reasons, pairs)
        is_unlike = not unfit and any(one.kind is FaultKind.NO_PART for one in reasons) and self.log.seen
        told = (*sounds, *filter(None, (reason_or_none(pairs),)), *((Reason(unfit),) if unfit else reasons))
        return (*told, *filter(None, (written_part(self.log.seen[0]),))) if is_unlike else told

    def _resemblance_of_one_block(self) -> Reason | None:
        """What a kernel looks like whose signature is no product's; None where nothing is known."""
        searched, source, kernel = self.searched, self.searched.source, self.searched.kernel
        launches, named = source.launches_of(kernel), source.instantiations_of(kernel)
        instance = instances_of(kernel, launches, named, source.names)[0]
        try:
            made = self._compiled(instance)
        except TryError:
            return None
        tries = self._tries(made, instance)[:MOST_GLANCES]
        attempts = [Attempt(searched, self.log, made, instance, guess, reading) for guess, reading in tries]
        return resemblance_of([one.observation() for one in attempts])

    def _compiled(self, instance: Instance) -> CompiledKernel:
        searched, name = self.searched, self.searched.kernel.name
        pointers = tuple((place + 1, 0) for place in searched.local)
        build = KernelBuild(name, instance.template, instance.defines, pointers)
        self.log.tell(f"compiling {build.instance}")
        types = searched.types(instance.template)
        return compiled(searched.path, searched.text, searched.language, build, types, self.log.run_s(_COMPILE_S))

    def _proven(
        self, made: CompiledKernel, instance: Instance, tries: Sequence[tuple[BlockGuess, ArgumentReading]]
    ) -> KernelFinding | None:
        """What one of the tries proves; None for nothing."""
        log = self.log
        if not tries:
            return None
        log.guesses = log.guess + len(tries)
        likely = tries[0][1].named
        unclear, are_apart = list[ArgumentReading](), are_threads_apart(made.program)
        for guess, reading in tries:
            if log.is_over:
                return None
            log.guess += 1
            if reading in unclear:  # with another block the same numbers stay unclear, or the same loop never ends
                continue
            if reading.is_square and log.irregular is not None:  # what squares show would be a coincidence, too
                continue
            is_likely = guess.is_launched and reading.named == likely and not reading.is_square
            log.tried = Tried(guess, is_likely, are_threads_apart=are_apart)
            if log.tried.is_likely and self.called is None:
                self.called = self._with_grid(
                    as_launched(self.searched.kernel, made, guess, reading), instance, reading
                )
            elif not guess.is_launched:
                key = (instance.template, instance.defines, guess.block, guess.shared_bytes)
                self.guessed.setdefault(key, as_launched(self.searched.kernel, made, guess, reading))
            look_for_early_race(self.searched, self.called, [*self.guessed.values()], log)
            attempt, faults = Attempt(self.searched, log, made, instance, guess, reading), len(log.faults)
            found = attempt.found()
            if found is not None:
                assert found.description is not None
                key = (made.build.template, made.build.defines, guess.block, guess.shared_bytes)
                of_sizes = instance.launch if guess.is_launched and guess.block_words else None
                unproven = self._unproven_beside(key, of_sizes.line if of_sizes is not None else 0)
                found = with_least_shared(attempt.made, found, guess, log)
                if not self.has_parameters:
                    return with_other_instances(found, (), unproven)
                others = OtherInstances(self.searched, log, attempt.made, instance, found, guess.values)
                log.proven = with_other_instances(found, others.not_yet, unproven)
                assert found.description is not None
                is_free_of_hazards = self.is_free_of_hazards(found.description)
                log.proven = found = with_other_instances(found, others.judged(), unproven)
                if not is_free_of_hazards:
                    return found
                assert found.description is not None
                description, told, fixed, untried = parameters_of(
                    self.searched, log, attempt.made, found.description, found.right_sizes, instance.launch
                )
                notes = (*found.notes, *null_words(attempt), *flag_words(attempt, found), *told)
                left_out = (*found.left_out, *filter(None, (untried,)))
                return replace(found, description=description, notes=notes, fixed=fixed, left_out=left_out)
            if guess.is_launched and not guess.values:
                self._keep_unproven(made, instance, guess, log.faults[faults:])
            if attempt.is_unclear or (attempt.is_endless and reading.flags):
                unclear.append(reading)
        return None

    def _proven_with_null(
        self, made: CompiledKernel, instance: Instance, tries: Sequence[tuple[BlockGuess, ArgumentReading]]
    ) -> KernelFinding | None:
        """What is proven where pointers are null of which the kernel asks whether they are; None for nothing."""
        for nulls in self.searched.nullable(instance):
            with self.log.apart():
                found = self._proven(made, replace(instance, nulls=nulls), tries)
            if found is not None:
                return found
            if self.log.is_over and not self.log.settled:
                self.untried = untried_null_words(self.searched.names, nulls, self.log.budget_s)
                return None
        return None

    def _with_grid(self, called: Description, instance: Instance, reading: ArgumentReading) -> Description:
        """How it is launched with the grid of its host code, where names tell what all of its sizes stand for."""
        types = self.searched.types()
        roles, has_sizes = self.searched.roles(types), bool(whole_places(types))
        is_told = all(roles.get(place) for place in reading.numbers if place < len(types) or not has_sizes)
        grid = self.searched.launched_grid(instance, called) if is_told else ()
        return replace(called, grid=grid) if grid and all(grid) else called

    def _keep_unproven(
        self, made: CompiledKernel, instance: Instance, guess: BlockGuess, faults: Sequence[TriedFault]
    ) -> None:
        """Note that nothing was proven of a launch in host code, for the reason that came farthest."""
        launch, reasons = instance.launch, reasons_of(faults)
        if launch is None or not reasons:
            return
        block = guess.block[: max((place for place, one in enumerate(guess.block) if one > 1), default=0) + 1]
        words = f"{made.build.instance} with blocks of {' × '.join(map(str, block))} threads"
        if guess.shared_bytes.isdigit() and self.searched.kernel.dynamic_shared:
            words += f" and {guess.shared_bytes} bytes of dynamic shared memory"
        why = f"line {launch.line} launches {words}. With that launch it was not proven right: {reasons[0].words}"
        key = (made.build.template, made.build.defines, guess.block, guess.shared_bytes)
        self.unproven.setdefault(key, UnprovenLaunch(launch.line, why, made.build.instance))

    def _unproven_beside(self, proven: tuple[object, ...], line: int) -> list[UnprovenLaunch]:
        """Launches in host code that were not proven, where what was is none of them; else []. The launch in
        `line` was proven with its block over the sizes of the kernel, of which it gives one alone.
        """
        return [] if proven in self.unproven else [one for one in self.unproven.values() if one.line != line]

    def _tries(self, made: CompiledKernel, instance: Instance) -> list[tuple[BlockGuess, ArgumentReading]]:
        """Blocks and numbers to try, best first."""
        kernel = self.searched.kernel
        guesses = blocks_of(kernel, instance.launch, self.searched.numbers_of(instance), self.searched.source.names)
        read = [[*self.searched.readings(made.types, instance, guess)] for guess in guesses]
        pairs = (
            pair for place in range(len(read[0])) for pair in zip(guesses, (one[place] for one in read), strict=True)
        )
        sized = ((in_sizes(guess, reading), reading) for guess, reading in pairs)
        return [(guess, reading) for guess, reading in sized if 0 < prod(guess.block) <= MOST_THREADS]

    def _other_tries(
        self,
        tries: Sequence[tuple[BlockGuess, ArgumentReading]],
        changed: Callable[[ArgumentReading], ArgumentReading | None],
    ) -> list[tuple[BlockGuess, ArgumentReading]]:
        """The best of the tries, with other sizes."""
        found = [(guess, one) for guess, reading in tries if (one := changed(reading)) is not None]
        return [(in_sizes(guess, one), one) for guess, one in found][:MOST_GLANCES]

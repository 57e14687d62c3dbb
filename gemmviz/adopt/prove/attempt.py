"""One try of a search: one block and one set of numbers, from the run of a single block to a proven description."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from gemmviz.adopt.description import Description
from gemmviz.adopt.finding import KernelFinding
from gemmviz.adopt.propose.geometry import BlockGuess
from gemmviz.adopt.propose.instances import Instance
from gemmviz.adopt.propose.roles import letter_of
from gemmviz.adopt.prove.block_order import fault_of_block_order
from gemmviz.adopt.prove.check import Checked, check, leading_words
from gemmviz.adopt.prove.evidence import View, views_of
from gemmviz.adopt.prove.factors.constant_factors import views_with_constants
from gemmviz.adopt.prove.factors.given_constants import fault_of_given_constants
from gemmviz.adopt.prove.factors.ignored_beta import ignored_beta, unused_beta
from gemmviz.adopt.prove.factors.other_factors import with_other_factors
from gemmviz.adopt.prove.factors.rounded_factors import fault_of_rounded_factors
from gemmviz.adopt.prove.factors.zero_share import checked_with_share
from gemmviz.adopt.prove.faults import (
    OF_CHECKS,
    OF_MEANING,
    OF_RULES,
    OF_RUNS,
    OF_VIEWS,
    guessed_grid,
    no_part_words,
)
from gemmviz.adopt.prove.grid import (
    Cover,
    cover_of,
    grid_of_threads,
    grids_of,
    grids_with_parts,
    sizes_to_go_on,
    whole_sums,
)
from gemmviz.adopt.prove.grounds import because, free_grid, with_notes
from gemmviz.adopt.prove.host.batches import batch_of
from gemmviz.adopt.prove.host.whole_grid import whole_grid
from gemmviz.adopt.prove.launcher import BlockGeometry, Index, TooSlowError, TryError
from gemmviz.adopt.prove.machine import CompiledKernel
from gemmviz.adopt.prove.meaning import Meaning, UnclearError, equal_dimensions, meanings_of
from gemmviz.adopt.prove.memory.local_memory import local_sizes
from gemmviz.adopt.prove.memory.unwritten_variables import unset_hazards, unwritten_read
from gemmviz.adopt.prove.readings import (
    SIZES,
    SQUARE,
    ArgumentReading,
    block_over,
    in_words,
    value_of,
    whole_places,
)
from gemmviz.adopt.prove.search_log import SearchLog
from gemmviz.adopt.prove.searched_kernel import SearchedKernel
from gemmviz.adopt.prove.sizes.base_size import base_size
from gemmviz.adopt.prove.sizes.examples import with_examples, with_guards, with_remainders
from gemmviz.adopt.prove.sizes.judged_sizes import JudgedSizes
from gemmviz.adopt.prove.sizes.limits import limits_of
from gemmviz.adopt.prove.sizes.loosened import loosened
from gemmviz.adopt.prove.sizes.rectangles import rectangular, with_equal
from gemmviz.adopt.prove.sizes.size_rules import size_rules_of
from gemmviz.adopt.prove.special_elements import fault_of_kept_state, fault_of_special_elements
from gemmviz.adopt.prove.trial import FACTORS, NothingWrittenError, SeveralResultsError, Trial
from gemmviz.adopt.reasons import FaultKind, Reason, reason_or_none
from gemmviz.adopt.resemblance.observation import Observation
from gemmviz.domain.kernels.parameter_types import EMPTY
from gemmviz.domain.shape import Shape, ShapeError

_NO_SINGLE_PRODUCT = (
    "what one block wrote may be part of a product, but the results of several blocks fit none, or more than one"
)
RUN_S, _FIXED_RUN_S = 10.0, 60.0
"""How long one run may take, and one of a kernel for fixed sizes."""
_LEAST_EDGE = 8
"""Of each dimension of the small size at which special elements are tried."""


@dataclass(frozen=True, slots=True)
class _Evidence:
    """What runs of single blocks showed, and the `meanings` that it may have: `geometry` is how they were launched."""

    meanings: tuple[Meaning, ...]
    trial: Trial
    geometry: BlockGeometry
    view: View
    cover: Cover


@dataclass(slots=True)
class Attempt:
    """A compiled kernel with a block and values for its numbers; the log is told what fails."""

    searched: SearchedKernel
    log: SearchLog
    made: CompiledKernel
    instance: Instance
    guess: BlockGuess
    reading: ArgumentReading
    is_unclear: bool = False
    """Whether the results are products with these numbers, and nothing shows what one of the numbers stands for."""
    is_endless: bool = False
    """Whether a block with these numbers did not end in time."""
    whole: Index | None = None
    """The grid that single blocks see themselves in; None for a grid of that block alone."""

    def found(self) -> KernelFinding | None:
        """What the block and the numbers prove; None for nothing."""
        # how many registers another compiler takes for the block of the host code, its author knows
        if not self.guess.is_launched and (fault := self.made.block_fault(self.guess.block)):
            self.log.fail(OF_RUNS, Reason(fault, FaultKind.BEYOND_GPU))
            return None
        try:
            evidence = self._evidence() or self._evidence_in_grid()
        except (NothingWrittenError, SeveralResultsError) as error:
            unset = self.searched.set_by_host if error.kind is FaultKind.NOTHING_CHANGED else ""
            self.log.fail(OF_RUNS, Reason(f"{error.words(self.searched.names)}{unset}", error.kind))
            return None
        except TryError as error:
            given = self.searched.given_words(self.reading.given, self.made)
            self.log.fail(OF_RUNS, error.reason.with_words(f"{error.said}{given}"))
            self.is_endless = isinstance(error, TooSlowError)
            return None
        except UnclearError as error:
            # one value for several numbers makes a product of much that is none
            unclear = Reason(str(error), FaultKind.UNCLEAR)
            self.log.fail(OF_VIEWS if self.reading.is_square else OF_MEANING, unclear)
            self.is_unclear = True
            return None
        if evidence is None:
            return None
        found: list[KernelFinding] = []
        for meaning in evidence.meanings:
            if found and (self._has_literals or equal_dimensions(meaning.values)):
                break  # what leaves more sizes out says nothing more
            try:
                one = self._described(evidence, meaning)
            except ShapeError:  # its blocks lie in no order that a grid follows from
                self.log.fail(OF_VIEWS, Reason(_NO_SINGLE_PRODUCT))
                continue
            found += [one] if one is not None else []
        return min(found, key=lambda one: one.limits, default=None)

    @property
    def _has_literals(self) -> bool:
        """Whether numbers of the kernel's body are tried as sizes."""
        sizes = self.searched.unnamed_sizes(self.made.types, self.instance.template)
        return not whole_places(self.made.types) and any(sizes[place].line for place in self.reading.numbers)

    @property
    def _geometry(self) -> BlockGeometry:
        return BlockGeometry(self.guess.block, value_of(self.guess.shared_bytes, self.reading.given) or 0)

    def described(self, proven: Description, shape: Shape) -> Description | None:
        """What the kernel computes with these numbers when it is launched as `proven` is, right at one size; None for
        no product.
        """
        try:
            evidence = self._evidence()
        except (TryError, UnclearError):
            return None
        for meaning in evidence.meanings if evidence is not None else ():
            other = replace(
                proven,
                arguments=self.searched.arguments(meaning),
                storages=meaning.storages,
                adds_to_c=meaning.adds_to_c,
                times=meaning.times,
                kept=meaning.kept,
            )
            if check(self.made, other, shape, self.log.run_s(RUN_S)).is_right:
                return other
        return None

    def observation(self, factors: Sequence[float] = FACTORS) -> Observation:
        """The kernel with this block and these numbers, and `factors` for the others, to look at what it writes."""
        nulls, sizes = self.searched.nulls(self.instance), frozenset(self.reading.numbers.values())
        if sizes and not whole_places(self.made.types):  # one constant may be both edges of a matrix
            sizes = frozenset({max(sizes)})
        made = self.made if self.whole is None else replace(self.made, whole=self.whole)
        nulls |= frozenset(self.searched.local)
        trial = Trial(made, self.reading.given, self.log.run_s(RUN_S), nulls, sizes, factors, self.searched.formats)
        return Observation(trial, self._geometry, self.searched.names)

    def _evidence_in_grid(self) -> _Evidence | None:
        """What single blocks of a whole grid show, of a kernel that asks for its size, as for the number of tiles."""
        self.whole = whole_grid(self.searched, self.instance, self.guess, self.reading)
        return self._evidence() if self.whole is not None else None

    def _evidence(self) -> _Evidence | None:
        """What single blocks show of the kernel, from then on compiled with the local memory that it needs."""
        made, searched, numbers = self.made, self.searched, self.reading.numbers
        roles = self.reading.roles(searched.roles(made.types, made.build.template))
        every, geometry, nulls = self.reading.given, self._geometry, searched.nulls(self.instance)
        self.log.tell(f"running {made.build.instance} with blocks of {' × '.join(map(str, self.guess.block))}")
        local = local_sizes(made, searched.local, every, geometry, self.log.run_s(RUN_S)) if searched.local else {}
        sizes = {place: value_of(text, every) or 0 for place, text in local.items()}
        made = self.made = made.with_local(tuple((place + 1, nbytes) for place, nbytes in sizes.items()))
        observation = self.observation()
        trial = observation.trial
        leading = {value for place, value in numbers.items() if roles[place].startswith("ld")}
        depths = {value for place, value in numbers.items() if value not in leading} or {SQUARE}
        parts = searched.parts(self.instance, every, depths)
        traces = trial.run(geometry, (1, 1, 1))
        self.log.observe(observation)
        lines = [*numbers.values()]
        views = views_of(traces, lines, [*depths, *parts]) or views_with_constants(traces, lines, [*depths, *parts])
        views = with_other_factors(views, traces, geometry, self.observation, self.log)
        if not views:
            words = no_part_words(self.searched.given_words(self.reading.given, self.made))
            self.log.fail(OF_RUNS, Reason(words, FaultKind.NO_PART))
            return None
        covered = cover_of(trial, geometry, searched.kernel.grid_axes, views)
        if covered is None:
            self.log.fail(OF_VIEWS, Reason(_NO_SINGLE_PRODUCT))
            return None
        if self.reading.is_small and covered[1].may_cover_a_side(searched.kernel.grid_axes):
            self.log.fail(OF_VIEWS, Reason("one block covers all rows or all columns of the result"))
            return None
        covered = whole_sums(trial, geometry, *covered, sorted({*numbers.values()}))
        if covered is None:
            self.log.fail(OF_VIEWS, Reason("its blocks add parts of sums, of a length that no number of it says"))
            return None
        view, cover = covered
        pointers = {place: letter_of(one.name) for place, one in enumerate(searched.kernel.parameters)}
        is_open = self._has_literals  # a tile of 16 rows is no M = 16
        meanings = meanings_of(
            view, numbers, roles, pointers, trial.elements, searched.names, may_have_any_rows=is_open
        )
        return _Evidence(tuple(self._in_full(one, local, nulls) for one in meanings), trial, geometry, view, cover)

    def _in_full(self, meaning: Meaning, local: Mapping[int, str], nulls: frozenset[int]) -> Meaning:
        """The meaning with what is derived from its numbers, local memory, and the pointers that are given nothing."""
        words = self.reading.in_forms(dict(enumerate(meaning.arguments)))
        fixed = {place: in_words(text, words) for place, text in self.reading.derived.items()}
        fixed |= {place: f"local({in_words(text, words)})" for place, text in local.items()}
        fixed |= {place: "0" for place, kind in enumerate(self.made.types) if kind.scalar == EMPTY}
        return replace(
            meaning,
            arguments=tuple("null" if place in nulls else fixed.get(place, word) for place, word in words.items()),
        )

    def _described(self, evidence: _Evidence, meaning: Meaning) -> KernelFinding | None:
        made, view, cover = self.made, evidence.view, evidence.cover
        extents = (meaning.values.get(meaning.rows, 0), meaning.values.get(meaning.columns, 0))
        sizes = (extents[0] or max(SIZES.values()), extents[1] or view.line)
        of_source = {value for place, value in self.reading.numbers.items() if place >= len(made.types)}
        fixed = tuple((name, meaning.values[name]) for name in SIZES if meaning.values.get(name) in of_source)
        base = self.reading.base or base_size(cover, meaning, dict(fixed))
        launched, axes = self.searched.launched_grid(self.instance, meaning), self.searched.kernel.grid_axes
        as_launched = Description(
            entry=self.searched.kernel.entry,
            template=made.build.template,
            defines=made.build.defines,
            arguments=self.searched.arguments(meaning),
            storages=meaning.storages,
            block=block_over(self.guess, meaning.arguments),
            grid=launched,
            shared_bytes=in_words(self.guess.shared_bytes, dict(enumerate(meaning.arguments))),
            adds_to_c=meaning.adds_to_c,
            times=meaning.times,
            kept=meaning.kept,
            equal=equal_dimensions(meaning.values),
            fixed=fixed,
        )
        grids = grids_of(cover, meaning.rows, meaning.columns, sizes, evidence.trial, evidence.geometry, view, axes)
        parts = launched[2] if len(launched) == 3 else ""
        unstepped = cover.axes_without_step(axes) if self.searched.kernel.uses_grid_size else ""
        if unstepped:
            usual = launched if self.guess.is_launched and all(launched) else ()
            usual = usual or grid_of_threads(cover, meaning.rows, meaning.columns, self.guess.block)
            grids = chain([usual] if usual else [], grids)
        if self.guess.is_launched and launched and all(launched):
            larger = sizes_to_go_on(launched, cover, meaning.rows, base, dict(fixed))
            is_first = bool(larger) and all(self._check_once(as_launched, one).is_right for one in larger)
            grids = chain([launched], grids) if is_first else chain(grids, [launched] if not larger else [])
        best: KernelFinding | None = None
        is_in_parts = False

        def has_parts(grid: tuple[str, ...]) -> bool:
            return meaning.adds_to_c and bool(parts) and grid[2:] == (parts,)

        in_parts = grids_with_parts(grids, parts, cover.split, adds_to_c=meaning.adds_to_c)
        for grid in dict.fromkeys(in_parts):
            if is_in_parts and not has_parts(grid):
                continue
            found = self._checked(replace(as_launched, grid=grid), base, cover)
            if found is not None:
                assert found.description is not None
                grounds = because(self.searched, made, found.description, self.instance, self.guess, self.reading)
                free = free_grid(made, found.description, found.right_sizes[0], self.log.run_s(RUN_S), unstepped, axes)
                found = replace(found, notes=(*free, *found.notes))
                best = replace(found, because=grounds) if best is None or found.limits < best.limits else best
                # one that is right with as many parts of sums as the host code launches is described so
                is_in_parts = is_in_parts or has_parts(grid)
                if not best.limits:
                    break
        if best is None:
            return None
        assert best.description is not None
        launches = self.searched.host_launches(self.instance, self.guess, best.description)
        kernel, right = self.searched.kernel, best.right_sizes
        batch = batch_of(best.description, right, kernel, self.instance, evidence.trial, evidence.geometry)
        launches = launches.of_one_product() if batch is not None and not batch.shares else launches
        beside = launches.beside(best, self._check_once, is_free=bool(unstepped))
        return batch.beside(beside) if batch is not None else beside

    def _check_once(self, description: Description, shape: Shape) -> Checked:
        self.log.tell(f"checking {shape} with a grid of {' × '.join(description.grid)}")
        return check(self.made, description, shape, self.log.run_s(RUN_S))

    def _checked(self, description: Description, base: Shape, cover: Cover) -> KernelFinding | None:
        """What whole products prove of a description, and the sizes for which they do; None for nothing."""
        made, log, kernel = self.made, self.log, self.searched.kernel
        roles = self.searched.roles(made.types, made.build.template)
        run_s = log.run_s(_FIXED_RUN_S if description.fixed else RUN_S)
        log.tell(f"checking {base} with a grid of {', '.join(description.grid)}")
        description, found = checked_with_share(made, description, base, run_s)
        if found.overwrites:
            log.settled = Reason(
                f"at {base} {found.fault}, and a product keeps its inputs: give the kernel a copy that it may change"
            )
        if not found.is_right:
            ignored = ignored_beta(made, description, kernel.parameters, base, run_s)
            log.settled = log.settled or reason_or_none(ignored)
            launched = self.searched.launched_grid(self.instance, description)
            guessed = guessed_grid(description.grid, launched if self.guess.is_launched else ())
            fault = f"{found.fault}{leading_words(description, self.searched.names, base)}"
            reason = Reason(f"{guessed}at {base}: {fault}", found.kind, is_guessed=bool(guessed))
            log.fail(OF_CHECKS, reason, is_likely=not guessed)
            log.wrong = log.wrong or (None if self.reading.is_square else description)
            return None
        if self.reading.has_equal_numbers and description.equal and not description.fixed:
            log.tell("looking for rectangular products")
            named = {place: roles.get(place, "") for place in self.reading.numbers}
            of_rectangles = rectangular(
                description, named, cover, lambda one, shape: check(made, one, shape, run_s).is_right
            )
            if of_rectangles is not None:
                description, base = of_rectangles
            elif unclear := self.searched.unclear(named):
                words = (
                    "it is right where M = N = K, but with no rectangular product that was tried, and neither its name "
                    f"nor the host code says what {unclear} stands for"
                )
                log.fail(OF_RULES, Reason(words, FaultKind.UNCLEAR))
                return None
        log.tell("looking for the sizes that it takes")
        judged, kernel = self._judge(description), self.searched.kernel
        limits = size_rules_of(description, base, judged, has_16_bits=kernel.has_16_bits, compared=judged.compared)
        others = () if description.equal or description.fixed else with_equal(description, base)
        for other, size in others if limits is None else ():
            if not log.is_over and check(made, other, size, run_s).is_right:
                limits = limits_of(other, size, self._judge(other))
                if limits is not None:
                    description, base = other, size
                    break
        if log.is_over:
            return None
        if limits is None:
            if log.irregular is None and not self.reading.is_square:
                log.irregular, log.steps = description, judged.steps_from(base)
            wrong = judged.fault
            words = f"right at {base}{self.guess.guessed_words(description.grid)}, but {wrong.words}"
            log.fail(OF_RULES, wrong.with_words(words))
            return None
        rules = with_examples(with_remainders(limits.rules, base, judged.right, judged), judged.wrong)
        limits = replace(limits, rules=with_guards(rules, description, self.searched.names, dict(kernel.guards)))
        described, limits = loosened(description, limits, self._judge, roles)
        log.tell("trying zeros, NaN and other special elements")
        wide = (one for one in limits.right if min(one.m, one.n, one.k) >= _LEAST_EDGE)
        small = min(wide, key=lambda one: one.m * one.n * one.k, default=base)
        log.settled = (
            unwritten_read(self.observation())
            or reason_or_none(fault_of_rounded_factors(made, described, small, run_s))
            or reason_or_none(fault_of_given_constants(made, described, self.searched.names, small, run_s))
            or reason_or_none(fault_of_special_elements(made, described, small, run_s))
            or reason_or_none(fault_of_kept_state(made, described, small, run_s), FaultKind.KEEPS_STATE)
        )
        if log.settled is not None:
            return None
        log.settled = fault_of_block_order(made, described, (base, *limits.right), run_s)
        if log.settled is not None:
            log.irregular = described
            return None
        described = replace(described, hazards=unset_hazards(made, kernel))
        described, found_out = with_notes(made, described, base, limits.right, log.run_s(RUN_S))
        idle = unused_beta(made, described, kernel.parameters, small, run_s)
        found_out = (*filter(None, (self.instance.assumed, idle)), *found_out)
        sizes = (base, *(shape for shape in limits.right if shape != base))
        return KernelFinding(
            kernel.entry, kernel.line, described, notes=found_out, checks=limits.tried + 1, right_sizes=sizes
        )

    def _judge(self, description: Description) -> JudgedSizes:
        return JudgedSizes(self.made, description, self.log, RUN_S)

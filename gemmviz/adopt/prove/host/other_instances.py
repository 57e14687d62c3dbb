"""Launches in host code that give a kernel's template other arguments than the launch that was proven: each is tried as
it stands there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from math import lcm, prod

from gemmviz.adopt.description import Description, SizeRule
from gemmviz.adopt.finding import KernelFinding
from gemmviz.adopt.parameters.forms import NUMBER, expressions_of, value_of
from gemmviz.adopt.parameters.reach import reach_sizes, remainder_sizes
from gemmviz.adopt.parameters.tries import first_line, multiples_of, sizes_of
from gemmviz.adopt.propose.instances import Instance, instances_of
from gemmviz.adopt.propose.roles import DIMENSIONS
from gemmviz.adopt.prove.block_order import last_first
from gemmviz.adopt.prove.check import check
from gemmviz.adopt.prove.host.compared_sizes import is_allowed, is_launched, products
from gemmviz.adopt.prove.host.given_matrices import aliased_words, matrices_for_null, null_matrices
from gemmviz.adopt.prove.host.instance_judgement import InstanceJudgement
from gemmviz.adopt.prove.host.launch_numbers import LaunchNumbers, grid_words, host_launch, numbers_or_none
from gemmviz.adopt.prove.host.launch_terms import LaunchTerms
from gemmviz.adopt.prove.host.launched_sizes import constant_shape
from gemmviz.adopt.prove.host.not_compared import (
    uses_dynamic_shared,
    why_doubtful,
    why_not_compared,
)
from gemmviz.adopt.prove.host.other_meanings import layout_words, may_mean_otherwise, other_layouts
from gemmviz.adopt.prove.host.shared_limit import asks_for_more_shared, over_shared_limit
from gemmviz.adopt.prove.launcher import TryError
from gemmviz.adopt.prove.machine import CompiledKernel, KernelBuild, compiled, elements_of
from gemmviz.adopt.prove.search_log import SearchLog
from gemmviz.adopt.prove.searched_kernel import SearchedKernel
from gemmviz.adopt.source.launches import FoundLaunch
from gemmviz.domain.kernels.call import OPERANDS
from gemmviz.domain.listing import listed
from gemmviz.domain.shape import Shape

_NO_TIME = "within the time limit"
_RUN_S = 5.0
_COMPILE_S = 60.0
_MOST_MULTIPLE = 1024
"""Of a dimension, to which the rules of an instance may add up."""
_MOST_PRODUCTS = 1 << 28
"""Of a size that is run as it is, about a second's."""
_MOST_ALL = 1 << 30
"""Of all sizes of one launch."""


@dataclass(slots=True)
class OtherInstances:
    """Tries the launches that give other arguments to the template of a kernel that was proven as `made` and
    found to be so, without parameters.
    """

    searched: SearchedKernel
    log: SearchLog
    made: CompiledKernel
    instance: Instance
    found: KernelFinding
    values: Mapping[str, int]
    """Of names of the proven launch that only its caller knows, and that were tried."""
    builds: dict[KernelBuild, CompiledKernel | str] = field(default_factory=dict)

    @property
    def launches(self) -> list[FoundLaunch]:
        return self.searched.with_other_template(self.instance)

    @property
    def described(self) -> Description:
        assert self.found.description is not None
        return self.found.description

    @property
    def not_yet(self) -> list[InstanceJudgement]:
        """What is known of each launch before it was tried."""
        return [replace(self._named(one), untried=_NO_TIME) for one in self.launches]

    def judged(self) -> list[InstanceJudgement]:
        """What came of each launch."""
        return [self._judged(one) for one in self.launches]

    def _named(self, launch: FoundLaunch) -> InstanceJudgement:
        return InstanceJudgement(launch, f"{self.searched.kernel.name}<{', '.join(launch.template)}>")

    def _judged(self, launch: FoundLaunch) -> InstanceJudgement:
        kernel, made_as, own = self.searched.kernel, self._named(launch), self.made.build.template
        name = made_as.name
        found = [] if launch.unread_types else instances_of(kernel, [launch], (), self.searched.source.names)
        instance = next((one for one in found if one.launch == launch), None)
        if instance is None or self._gives_a_size:
            return replace(made_as, not_compared=f"the kernel was not proven as {name}")
        if self.log.is_over:
            return replace(made_as, untried=_NO_TIME)
        self.log.tell(f"trying {name} as line {launch.line} launches it")
        instance = replace(instance, defines=self.instance.defines)
        made = self._compiled(instance)
        if isinstance(made, str):
            return replace(made_as, untried=f"since gemmviz cannot compile {name}: {made}")
        described = self._described(made)
        terms = self.searched.terms(launch, instance, described, self._values(made))
        if wrong := aliased_words(terms, described):
            return replace(made_as, wrong=wrong)
        if why := self._why_not(terms, described):
            return replace(made_as, not_compared=why)
        if not uses_dynamic_shared(described):
            terms = replace(terms, shared_bytes="")
        tried = self._tried(made_as, made, described, terms)
        if tried.fault and may_mean_otherwise(kernel.template, own, instance.template):
            tried = self._in_other_layouts(tried, made, described, instance)
        if tried.right and not asks_for_more_shared("\n".join((self.searched.text, *self.searched.source.included))):
            over = over_shared_limit(terms, [*self.found.right_sizes])
            tried = replace(tried, over=None if over is None else replace(over, instance=name))
        doubt = why_doubtful(terms) if tried.wrong else ""  # where variables are believed by their names
        return replace(made_as, not_compared=doubt) if doubt else tried

    @property
    def _gives_a_size(self) -> bool:
        """Whether the template gives the kernel one of its sizes."""
        numbers = {*self.searched.numbers_of(self.instance).values()}
        return any(value in numbers for _, value in self.described.fixed)

    def _compiled(self, instance: Instance) -> CompiledKernel | str:
        """The kernel with these arguments; why it cannot be compiled."""
        searched, build = self.searched, replace(self.made.build, template=instance.template)
        if build not in self.builds:
            types = searched.types(instance.template)
            try:
                self.builds[build] = compiled(
                    searched.path, searched.text, searched.language, build, types, self.log.run_s(_COMPILE_S)
                )
            except TryError as error:
                self.builds[build] = first_line(str(error), searched.path)
        return self.builds[build]

    def _values(self, made: CompiledKernel) -> dict[str, int]:
        """The values of names that only the caller knows: of one that had the value of an argument of the template, as
        `block_size` for MatrixMul<16>, that of the argument which is there now.
        """
        own, other = (_numbers(self.searched, one.build) for one in (self.made, made))
        places = {name: [one for one in own if own[one] == value] for name, value in self.values.items()}
        return {name: other[of[0]] for name, of in places.items() if len(of) == 1 and of[0] in other}

    def _described(self, made: CompiledKernel) -> Description:
        """The description with what another instance has for types of matrices and for multiples of sizes."""
        described, elements = self.described, elements_of(made.types)
        storages = [*described.storages]
        for place, word in enumerate(described.arguments):
            if word in OPERANDS and place in elements:
                at = OPERANDS.index(word)
                storages[at] = replace(storages[at], element=elements[place])
        a, b, c, d = storages
        own, other = (_numbers(self.searched, one.build) for one in (self.made, made))
        rules = tuple(_rule_of(rule, own, other) for rule in described.rules)
        return replace(described, template=made.build.template, storages=(a, b, c, d), rules=rules)

    def _why_not(self, terms: LaunchTerms, described: Description) -> str:
        """Why a launch cannot be tried; "" where it can."""
        if names := null_matrices(terms, described):
            return f"it gives the kernel null for {listed(names)}"
        if given := matrices_for_null(terms, described):
            return f"it gives the kernel {listed(given)}, where null was proven"
        return why_not_compared(terms, described)

    def _tried(
        self, found: InstanceJudgement, made: CompiledKernel, described: Description, terms: LaunchTerms
    ) -> InstanceJudgement:
        """What came of running a launch at several sizes."""
        right, spent = list[Shape](), 0
        last = replace(made, order=last_first, others={})
        for shape, numbers in self._sizes(described, terms):
            if spent and spent + products(shape) > _MOST_ALL:
                continue
            spent += products(shape)
            if self.log.is_over:
                break
            if fault := made.block_fault(numbers.block):
                return replace(found, wrong=f"{_launch_words(found, terms, numbers)}: {fault}")
            launched = numbers.of(described)
            for kernel in (made, last) if not right else (made,):
                done = check(kernel, launched, shape, self.log.run_s(_RUN_S))
                if not done.is_right and not done.is_untold:
                    fault = first_line(done.fault, self.searched.path)
                    is_part = all(text.isdigit() for text in terms.grid) and prod(map(int, terms.grid)) != prod(
                        numbers.grid
                    )
                    part = f"{grid_words(tuple(map(str, numbers.grid)))} for {shape}, each as large a part of it,"
                    where = f"{part} the result is wrong" if is_part else f"that launch the result is wrong at {shape}"
                    words = f"With {where}: {fault}"
                    wrong = f"{_launch_words(found, terms, numbers)}. {words}"
                    return replace(found, wrong=wrong, fault=f"at {shape} {fault}")
                if done.is_untold:
                    break
            else:
                right.append(shape)
        if right:
            other = host_launch(terms, described, tuple(right), found.name)
            return replace(found, right=len(right), other=other, layout=layout_words(described, self.described))
        if self.log.is_over:
            return replace(found, untried=_NO_TIME)
        return replace(found, not_compared="it is for sizes that were not proven")

    def _in_other_layouts(
        self, tried: InstanceJudgement, made: CompiledKernel, described: Description, instance: Instance
    ) -> InstanceJudgement:
        """What comes of a launch that is wrong where its instance may mean something else: the same with matrices that
        lie otherwise is tried as well. It stays wrong where it is right at some size as it is.
        """
        found = self._named(tried.launch)
        for one in (described, *other_layouts(described)):
            terms = self.searched.terms(tried.launch, instance, one, self._values(made))
            if not uses_dynamic_shared(one):
                terms = replace(terms, shared_bytes="")
            if self._is_right_somewhere(made, one, terms):
                return tried if one is described else self._tried(found, made, one, terms)
            if self.log.is_over:
                return replace(found, untried=_NO_TIME)
        return replace(found, other_meaning=f"{tried.fault}; {_ALL_LAYOUTS}")

    def _is_right_somewhere(self, made: CompiledKernel, described: Description, terms: LaunchTerms) -> bool:
        """Whether a launch is right at its first size, or at one that edges of usual tiles divide."""
        sizes = [*islice(self._sizes(described, terms), 1)]
        for shape in _OF_TILES:
            both = numbers_or_none(terms, described, shape)
            if both is not None and is_allowed(shape, described) and is_launched(terms, shape) and not terms.constants:
                sizes.append((shape, both[1]))
        return any(
            check(made, numbers.of(described), shape, self.log.run_s(_RUN_S)).is_right for shape, numbers in sizes
        )

    def _sizes(self, described: Description, terms: LaunchTerms) -> Iterator[tuple[Shape, LaunchNumbers]]:
        """Sizes at which the launch is made and that the kernel takes, and what it gives there; where it is made at
        none of these, since it is for what a tile does not divide, those that its conditions allow.
        """
        names = self.searched.source.names
        of_file = {name: value for name in DIMENSIONS if (value := names.value_of(name))}
        shape = constant_shape(terms, described, of_file)
        if shape is not None:
            yield from _of_constants(terms, described, shape)
            return
        without = replace(described, rules=())
        asks_rest = any("%" in text for text in terms.conditions)
        for one in (described, without) if described.rules and asks_rest else (described,):
            found = False
            for size in self._tried_sizes(one, terms):
                values = {"M": size.m, "N": size.n, "K": size.k} | terms.constants
                size = Shape(values["M"], values["N"], values["K"])
                both = numbers_or_none(terms, one, size)
                if both is not None and is_allowed(size, one) and is_launched(terms, size):
                    found = True
                    yield size, both[1]
            if found:
                return

    def _tried_sizes(self, described: Description, terms: LaunchTerms) -> list[Shape]:
        """Sizes of several blocks and of parts of one, and large ones, that multiples allow."""
        build = replace(self.made.build, template=described.template)
        values = {*_numbers(self.searched, build).values()}
        multiples = multiples_of(described)
        launched = replace(described, block=terms.block, grid=terms.grid)
        found = sizes_of(launched, is_first=True)
        if all(text.isdigit() for text in terms.block):
            found += reach_sizes(launched, self.found.right_sizes, values | {1}, multiples)
        found += remainder_sizes(described, sorted(values - {1}), multiples)
        steps = {name: multiples.get(name, 1) * (_FEW if name not in multiples else 1) for name in DIMENSIONS}
        if terms.is_for_equal_sizes and not described.equal:
            step = lcm(*multiples.values()) if multiples else 1
            return [Shape(one, one, one) for one in (step * times for times in _EQUAL)]
        if terms.conditions:  # made for small, wide or tall matrices alone
            found += [Shape(steps["M"] * one, steps["N"] * two, steps["K"] * three) for one, two, three in _FORMS]
        return [*dict.fromkeys(found)]


_OF_TILES = (Shape(128, 384, 256),)
_ALL_LAYOUTS = "each of its matrices was tried row-major and column-major"
_FEW = 16
_FORMS = ((1, 3, 2), (3, 1, 2), (1, 1, 1), (2, 5, 3), (8, 16, 3), (16, 8, 3))
_EQUAL = (1, 3, 5, 37, 64, 100)


def _of_constants(terms: LaunchTerms, described: Description, shape: Shape) -> Iterator[tuple[Shape, LaunchNumbers]]:
    """The size of a launch that gives constants alone, or a smaller one with fewer blocks of the same part of it."""
    both = numbers_or_none(terms, described, shape)
    if both is None or not is_allowed(shape, replace(described, rules=())):
        return
    if products(shape) <= _MOST_PRODUCTS:
        yield shape, both[1]
        return
    sizes = {"M": shape.m, "N": shape.n, "K": shape.k}
    small, counts = dict(sizes), [*both[1].grid]
    for axis, text in enumerate(described.grid[: len(counts)]):
        inside = [name for name in DIMENSIONS if name in text]
        tile, rest = divmod(sizes[inside[0]], counts[axis]) if len(inside) == 1 else (0, 1)
        if rest or not tile:
            if counts[axis] > 1:
                return
            continue
        counts[axis] = min(counts[axis], 2)
        small[inside[0]] = tile * counts[axis]
    small["K"] = min(small["K"], lcm(*multiples_of(described).values(), 1) * 4 if multiples_of(described) else 64)
    part = Shape(small["M"], small["N"], small["K"])
    both = numbers_or_none(terms, described, part)
    if products(part) <= _MOST_PRODUCTS and both is not None:
        yield part, replace(both[1], grid=tuple(counts))


def _numbers(searched: SearchedKernel, build: KernelBuild) -> dict[str, int]:
    """The numbers above 1 that the template of a build has, by their names."""
    pairs = zip(searched.kernel.template, build.template, strict=False)
    return {one.name: int(text) for one, text in pairs if one.name and text.isdigit() and int(text) > 1}


def _rule_of(rule: SizeRule, own: Mapping[str, int], other: Mapping[str, int]) -> SizeRule:
    """A rule for sizes with the multiple that another instance may need: what its template has in the place of the
    numbers that the multiple may be computed from.
    """
    if rule.multiple < 2 or rule.tile:
        return rule
    forms = expressions_of(rule.multiple, own)
    named = [one for one in forms if one in own] or [one for one in forms if not NUMBER.search(one)] or forms
    values = {value_of(one, other) for one in named} - {0}
    multiple = lcm(*values) if values else rule.multiple
    return replace(rule, multiple=multiple, least=1) if multiple <= _MOST_MULTIPLE else rule


def _launch_words(found: InstanceJudgement, terms: LaunchTerms, numbers: LaunchNumbers) -> str:
    block = " × ".join(map(str, numbers.block))
    launched = f"blocks of {block} threads and a grid of {grid_words(terms.grid)}"
    return f"line {found.launch.line} launches {found.name} with {launched}"

"""Holds each launch in host code against what was proven: it is the same, or is right as well, or is wrong, or cannot
be compared, and why.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from gemmviz.adopt.description import Description
from gemmviz.adopt.finding import KernelFinding
from gemmviz.adopt.host_launch import HostLaunch, LaunchRemedy, OpenLaunch
from gemmviz.adopt.propose.roles import DIMENSIONS, letter_of
from gemmviz.adopt.prove.check import Checked
from gemmviz.adopt.prove.gpu_limits import beyond_gpu
from gemmviz.adopt.prove.host.compared_sizes import (
    LEAST_EDGE,
    MOST_PRODUCTS,
    MOST_SIZES,
    UNRULY,
    below_words,
    beyond_limits,
    cost_of,
    is_allowed,
    products,
    sizes_that_show_more,
    sizes_to_compare,
    unruly_apart,
    with_too_few_blocks,
)
from gemmviz.adopt.prove.host.given_factors import described_factors, given_factors
from gemmviz.adopt.prove.host.given_matrices import (
    aliased_words,
    matrices_for_null,
    null_matrices,
    with_exchanged_matrices,
)
from gemmviz.adopt.prove.host.given_sizes import exchanged_constants
from gemmviz.adopt.prove.host.launch_numbers import (
    LaunchNumbers,
    grid_words,
    host_launch,
    numbers_or_none,
    others_given,
)
from gemmviz.adopt.prove.host.launch_terms import LaunchTerms
from gemmviz.adopt.prove.host.launched_sizes import (
    constant_shape,
    fault_at_smaller,
    fault_outside,
    has_no_size,
    partly_constant_shape,
    smaller_alike,
)
from gemmviz.adopt.prove.host.not_compared import (
    other_tiles,
    taken_words,
    uses_dynamic_shared,
    why_doubtful,
    why_not_compared,
)
from gemmviz.adopt.prove.host.shared_limit import over_shared_limit
from gemmviz.adopt.prove.host.wrong_launches import WrongLaunch, with_wrong_launches
from gemmviz.adopt.reasons import Reason
from gemmviz.adopt.source.launches import FoundLaunch
from gemmviz.adopt.source.tensors import with_calls
from gemmviz.domain.kernels.call import OPERANDS
from gemmviz.domain.listing import listed
from gemmviz.domain.shape import Shape

_UNTOLD = Reason("")
"""A launch could not be run at a size: nothing is known of it."""
_LEAST_DIFFERENT = 2
"""Sizes with M, N and K all different at which a launch must be the same to be called so."""
SEEN = "what one and two blocks along each axis wrote"

IsRight = Callable[[Description, Shape], Checked]
"""What comes of a description at a size."""


@dataclass(frozen=True, slots=True)
class LaunchJudgement:
    """What was found out about a launch: the source of the grid that it is, or that it is `wrong`, or why it was not
    compared. `other` is a launch that is right and differs. `is_of_matrices`: it is wrong since it exchanges matrices.
    `remedy` is what to do about a wrong one.
    """

    source: str = SEEN
    wrong: str = ""
    not_compared: str = ""
    other: HostLaunch | None = None
    is_of_matrices: bool = False
    remedy: LaunchRemedy = LaunchRemedy.LAUNCH


@dataclass(frozen=True, slots=True)
class HostLaunches:
    """The launches of a kernel with the template's arguments that were proven, and the names of its parameters.
    `sizes` are constants of the file that are called M, N or K, `handed` the lines that hand it to functions which may
    launch it, and these, `proven` the launch that was proven.
    """

    launches: tuple[LaunchTerms, ...] = ()
    parameters: tuple[str, ...] = ()
    sizes: tuple[tuple[str, int], ...] = ()
    handed: tuple[tuple[int, str], ...] = ()
    proven: FoundLaunch | None = None
    asks_for_more_shared: bool = True
    """Whether host code asks for more dynamic shared memory than a kernel gets unasked, or need not."""

    def of_one_product(self) -> HostLaunches:
        """The launches without their blocks along z, which compute further products."""
        return replace(self, launches=tuple(replace(one, grid=one.grid[:2]) for one in self.launches))

    def beside(self, found: KernelFinding, is_right: IsRight, *, is_free: bool) -> KernelFinding:
        """The finding with the source of its grid, and with the launch of the host code that is wrong. `is_free`: any
        number of blocks computes all of the result.
        """
        assert found.description is not None
        judged = [self._judged(one, found, is_right) for one in self.launches]
        pairs = [*zip(self.launches, judged, strict=True)]
        described = replace(found.description, launched=tuple(how.other for how in judged if how.other))
        wrong = [WrongLaunch(one.launch.line, how.wrong, how.remedy) for one, how in pairs if how.wrong]
        described, others_wrong = with_wrong_launches(described, wrong)
        source = next((one.source for one in judged if not one.not_compared), SEEN)
        source = "a thread for each element" if source == SEEN and is_free else source
        notes = [doubt for one, how in pairs if not how.is_of_matrices and (doubt := self._doubt(one))]
        given = given_factors([one.launch for one in self.launches], found.description.arguments)
        notes += [*others_wrong, *given, *([described_factors(found.description)] if given else [])]
        unknown = [OpenLaunch(one.launch.line, how.not_compared) for one, how in pairs if how.not_compared]
        unknown += [
            OpenLaunch(one.launch.line, words) for one in self.launches if (words := other_tiles(one.launch, described))
        ]
        unknown += [
            OpenLaunch(line, f"the kernel is handed to `{name}`, and how that launches it could not be read")
            for line, name in self.handed
        ]
        if not self.asks_for_more_shared:
            over = [over_shared_limit(one, found.right_sizes) for one, how in pairs if not how.wrong]
            unknown += [one for one in over if one is not None]
        return replace(
            found,
            description=replace(described, open_launches=tuple(unknown)),
            because=(*found.because, f"the grid: {source}"),
            notes=(*found.notes, *notes),
            left_out=(*found.left_out, *(one.words for one in unknown)),
        )

    def _judged(self, terms: LaunchTerms, found: KernelFinding, is_right: IsRight) -> LaunchJudgement:
        description, line = found.description, terms.launch.line
        assert description is not None
        if names := null_matrices(terms, description):
            return LaunchJudgement(not_compared=f"it gives the kernel null for {listed(names)}")
        if given := matrices_for_null(terms, description):
            return LaunchJudgement(not_compared=f"it gives the kernel {listed(given)}, where null was proven")
        if words := aliased_words(terms, description):
            return LaunchJudgement(wrong=words)
        if words := exchanged_constants(terms.launch, self.proven, description):
            return LaunchJudgement(not_compared=words)
        if words := why_not_compared(terms, description):
            return LaunchJudgement(not_compared=words)
        if not uses_dynamic_shared(description):
            terms = replace(terms, shared_bytes="")
        shape, host = constant_shape(terms, description, dict(self.sizes)), f"line {line} launches"
        is_constant = not any(_DIMENSION.search(text) for text in terms.grid)
        has_variables = any(not text.isdigit() for _, text in terms.given)
        if is_constant and shape is None and not has_variables and (terms.constants or description.fixed):
            which = "no size that the kernel takes needs so many"
            which = which if has_no_size(terms, description) else "nothing says for which sizes"
            return LaunchJudgement(not_compared=f"it launches {grid_words(terms.grid)}, and {which}")
        launched = shape or partly_constant_shape(terms, description, found.right_sizes)
        if launched is not None:
            asked = str(shape) if shape else listed([f"{name} = {value}" for name, value in terms.constants.items()])
            outside, unknown = fault_outside(terms, description, launched, is_right, asked)
            if outside or unknown:
                source = f"line {line} launches it so" if terms.grid == description.grid else SEEN
                return LaunchJudgement(source, outside, unknown, remedy=LaunchRemedy.SIZE)
        shapes = (shape,) if shape is not None else sizes_to_compare(terms, found)
        compared = [(one, both) for one in shapes if (both := numbers_or_none(terms, description, one))]
        if not compared:
            return LaunchJudgement(not_compared="it is for sizes that were not proven")
        if words := self._fault_of_exchanged(terms, description, [one for one, _ in compared], is_right):
            return LaunchJudgement(wrong=words, is_of_matrices=True)
        apart = [(one, host_has) for one, (proven, host_has) in compared if proven != host_has]
        differing = {one: others_given(*both) for one, both in compared}
        taken = taken_words(terms)
        is_open = shape is None and not terms.constants and not terms.is_for_equal_sizes and not terms.by_name
        others = unruly_apart(terms, description) if is_open else []
        unruly = [pair for pair in others if is_right(description, pair[0]).is_right]
        if not apart and terms.grid == description.grid:
            return LaunchJudgement(f"line {line} launches it so{taken}")
        if not apart and not unruly and _is_general(terms, description, compared):
            if _is_same_everywhere(terms, description):
                return LaunchJudgement(f"line {line} launches it so{taken}")
            return LaunchJudgement(f"{host} {grid_words(terms.grid)}, as many at the sizes that it takes{taken}")
        if not apart and shape is not None:
            return LaunchJudgement(f"{SEEN}; {host} as many, {grid_words(terms.grid)}, for {shape}")
        if (apart or unruly) and (doubt := why_doubtful(terms)):
            return LaunchJudgement(not_compared=doubt)
        has_sizes = shape is None and not terms.by_name
        too_few = with_too_few_blocks(terms, description) if has_sizes else []
        beyond = beyond_limits(terms, description) if has_sizes else []
        of_few, of_beyond = ([(one.shape, one.numbers) for one in sizes] for sizes in (too_few, beyond))
        large = [one for one, _ in apart if min(one.m, one.n, one.k) >= LEAST_EDGE and products(one) <= MOST_PRODUCTS]
        if is_open and (most := max((differing[one] for one in large), default=0)):
            more = sizes_that_show_more(terms, description, most)
            apart += [(one, both[1]) for one, both in more if is_right(description, one).is_right]
            differing |= {one: others_given(*both) for one, both in more}
        by_cost = sorted(apart, key=lambda pair: cost_of(pair[0], pair[1], differing[pair[0]]))
        tried = (*by_cost[:MOST_SIZES], *unruly, *of_few, *of_beyond)
        for one, numbers in tried:
            fault = self._fault(terms, found, one, numbers, is_right)
            if fault is _UNTOLD:
                sizes = found.right_sizes if one == shape else ()
                words, unknown = fault_at_smaller(terms, description, one, sizes, is_right) if sizes else ("", "")
                if words or unknown:
                    return LaunchJudgement(SEEN, words, unknown)
                continue
            if fault is not None and fault.kind.is_past_end and (count := _parts(terms, description, one)):
                parts = f"each of its {count} blocks along z computes a part of every sum, for another kernel to add up"
                return LaunchJudgement(not_compared=parts)
            if fault is not None:
                enough = f"; its blocks are enough for {below_words(too_few)}" if (one, numbers) in of_few else ""
                enough = f"; a GPU launches it for {below_words(beyond)}" if (one, numbers) in of_beyond else enough
                is_exchanged = terms.exchanged_by_grid(description.grid)
                remedy = LaunchRemedy.ARGUMENTS if is_exchanged else LaunchRemedy.LAUNCH
                return LaunchJudgement(wrong=f"{fault.words}{enough}{taken}", remedy=remedy)
        sizes = tuple(one for one, _ in tried if products(one) <= MOST_PRODUCTS)
        other = host_launch(terms, description, sizes) if sizes else None
        return LaunchJudgement(f"{SEEN}; {host} {grid_words(terms.grid)}{taken}", other=other)

    def _fault(
        self, terms: LaunchTerms, found: KernelFinding, shape: Shape, numbers: LaunchNumbers, is_right: IsRight
    ) -> Reason | None:
        """What is wrong with a launch at a size; None where it is right there, _UNTOLD where that is not known."""
        assert found.description is not None
        both = numbers_or_none(terms, found.description, shape)
        assert both is not None
        if beyond := beyond_gpu(numbers.block, numbers.grid):
            return Reason(f"{self._launch_words(terms, *both)}. No GPU launches that at {shape}: {beyond}")
        if products(shape) > MOST_PRODUCTS:
            return _fault_of_part(terms, found, shape, both, is_right)
        done = is_right(numbers.of(found.description), shape)
        if done.is_right or done.is_untold:
            return _UNTOLD if done.is_untold else None
        launch = self._launch_words(terms, *both, terms.exchanged_by_grid(found.description.grid))
        return Reason(f"{launch}. With that launch the result is wrong at {shape}: {done.fault}", done.kind)

    def _fault_of_exchanged(
        self, terms: LaunchTerms, description: Description, shapes: Sequence[Shape], is_right: IsRight
    ) -> str:
        """That the result is wrong with A and B exchanged as a launch exchanges them; "" where it does not."""
        exchanged = with_exchanged_matrices(terms, self.proven, description)
        different = [one for one in shapes if len({one.m, one.n, one.k}) == len(DIMENSIONS)]
        shape = min(different, key=lambda one: (min(one.m, one.n, one.k) < LEAST_EDGE, products(one)), default=None)
        if exchanged is None or shape is None:
            return ""
        done = is_right(exchanged, shape)
        if done.is_right or done.is_untold:
            return ""
        places = [place for place, word in enumerate(exchanged.arguments) if word in ("A", "B")]
        texts = terms.launch.texts.arguments
        given = [f"{texts[place]} for {description.arguments[place]}" for place in places]
        doubt = self._doubt(terms) or f"line {terms.launch.line} gives the kernel {listed(given)}"
        return f"{doubt}. With that launch the result is wrong at {shape}: {done.fault}"

    def _launch_words(
        self, terms: LaunchTerms, proven: LaunchNumbers, host: LaunchNumbers, names: Sequence[str] = ()
    ) -> str:
        """What a launch does otherwise: "line 9 gives the kernel M for lda". `names` are sizes that it exchanges."""
        pairs = zip(terms.launch.traced, terms.launch.texts.arguments, strict=False)
        texts = [with_calls(traced) or written for traced, written in pairs]
        given = [
            f"{texts[place]} for {self.parameters[place]}"
            for place, value in host.given.items()
            if value != proven.given[place] and place < len(texts)
        ]
        # with the matrices exchanged, too, a product of the transposed ones is meant, and sizes have to be
        swapped = [f"{dict(terms.given)[name]} for {name}" for name in names]
        told = given if given and self._doubt(terms) else terms.exchanged or given or swapped
        gives = [f"gives the kernel {listed(told)}"] if told else []
        edges = " × ".join(terms.block[: len(host.block)])
        block = f"blocks of {edges} threads and " if host.block != proven.block else ""
        is_other = host.block != proven.block or host.grid != proven.grid
        whose = ", in the names of the kernel" if told and told in (terms.exchanged, swapped) else ""
        launches = [f"launches {block}a grid of {grid_words(terms.grid)}{whose}"] if is_other else []
        if host.shared_bytes != proven.shared_bytes:
            with_bytes = f"with {terms.shared_bytes} bytes of dynamic shared memory"
            launches = [f"{launches[0]}, {with_bytes}" if launches else f"launches it {with_bytes}"]
        does = f"exchanges {' and '.join(names)}: it " if told and told == swapped else ""
        return f"line {terms.launch.line} {does}{', and '.join([*gives, *launches])}"

    def _doubt(self, terms: LaunchTerms) -> str:
        """That a launch gives matrices in another order than the parameters are called; "" where it does not."""
        pairs = zip(self.parameters, terms.launch.arguments, strict=False)
        letters = [(letter_of(name), letter_of(text), text) for name, text in pairs]
        known = [one for one in letters if one[0] in OPERANDS and one[1] in OPERANDS]
        exchanged = [f"{text} for {wanted}" for wanted, given, text in known if wanted != given]
        if not exchanged or sorted(one[0] for one in known) != sorted(one[1] for one in known):
            return ""
        return f"line {terms.launch.line} gives the kernel {listed(exchanged)}: by their names they are exchanged"


_DIMENSION = re.compile(r"\b[MNK]\b")


def _is_general(
    terms: LaunchTerms,
    description: Description,
    compared: Sequence[tuple[Shape, tuple[LaunchNumbers, LaunchNumbers]]],
) -> bool:
    """Whether sizes that were compared say that a launch is the same at all others."""
    if terms.constants or (terms.is_for_equal_sizes and not description.equal):
        return False
    different = [one for one, _ in compared if len({one.m, one.n, one.k}) == len(DIMENSIONS)]
    return len(different) >= _LEAST_DIFFERENT or bool(description.equal and len(compared) >= _LEAST_DIFFERENT)


def _parts(terms: LaunchTerms, description: Description, shape: Shape) -> int:
    """The blocks along z of a launch that gives the kernel their number in the place of 1 and does nothing else
    otherwise; 0 for another launch.
    """
    both = numbers_or_none(terms, description, shape)
    if both is None or len(both[1].grid) < 3:
        return 0
    proven, host = both
    count = host.grid[2]
    apart = {place for place, value in host.given.items() if value != proven.given[place]}
    is_split = all((proven.given[place], host.given[place]) == (1, count) for place in apart)
    is_else_same = host.grid[:2] == (*proven.grid, 1, 1)[:2] and host.block == proven.block
    return count if apart and is_split and is_else_same and len(proven.grid) < 3 else 0


def _is_same_everywhere(terms: LaunchTerms, description: Description) -> bool:
    """Whether a launch is the same at sizes of no rule, too, where divisions by a tile are rounded."""
    sizes = [Shape(one, one, one) for one in UNRULY[0]] if description.equal else [Shape(*one) for one in UNRULY]
    numbers = [numbers_or_none(terms, description, one) for one in sizes]
    return all(both is not None and both[0].grid == both[1].grid for both in numbers)


def _fault_of_part(
    terms: LaunchTerms,
    found: KernelFinding,
    shape: Shape,
    both: tuple[LaunchNumbers, LaunchNumbers],
    is_right: IsRight,
) -> Reason | None:
    """What is wrong with too few blocks at a size that is too large to be run: a smaller size of the same remainders is
    tried, with the blocks that the launch has there; where it has as many at all sizes, a small size with as many
    blocks too few. None where nothing is known, _UNTOLD of a launch with too many blocks.
    """
    description, (proven, host) = found.description, both
    assert description is not None
    needed, has = ((*one.grid, 1, 1)[:3] for one in (proven, host))
    if all(one <= two for one, two in zip(needed, has, strict=True)):
        return None if needed == has else _UNTOLD
    missing = [max(0, one - two) for one, two in zip(needed, has, strict=True)]
    is_of_size = any(_DIMENSION.search(text) for text in terms.grid)
    alike = smaller_alike(shape, description) if is_of_size else None
    smalls = sorted((one for one in found.right_sizes if products(one) <= MOST_PRODUCTS), key=products)
    for small in (*([alike] if alike is not None else []), *smalls):
        pair = numbers_or_none(terms, description, small)
        if pair is None or not is_allowed(small, description):
            continue
        usual, of_launch = ((*one.grid, 1, 1)[:3] for one in pair)
        fewer = tuple(max(1, one - less) for one, less in zip(usual, missing, strict=True))
        few = of_launch if is_of_size else fewer
        if all(one >= two for one, two in zip(few, usual, strict=True)):
            continue
        done = is_right(replace(pair[0], grid=few).of(description), small)
        if done.is_right or done.is_untold:
            return None
        line, takes = terms.launch.line, grid_words(_texts(proven.grid))
        launches = f"line {line} launches a grid of {grid_words(terms.grid)} for {shape}, which needs {takes}"
        axes = max(len(_texts(few)), len(_texts(usual)))
        instead = f"{' × '.join(map(str, few[:axes]))} in place of {grid_words(tuple(map(str, usual[:axes])))}"
        return Reason(f"{launches}. With {instead} the result is wrong at {small}: {done.fault}", done.kind)
    return None


def _texts(counts: Sequence[int]) -> tuple[str, ...]:
    last = max((place for place, one in enumerate(counts) if one > 1), default=0)
    return tuple(map(str, counts[: last + 1]))

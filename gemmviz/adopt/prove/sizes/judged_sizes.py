"""Sizes at which a kernel was compared with the product, and the words for those that were wrong."""

from __future__ import annotations

from dataclasses import dataclass, field

from gemmviz.adopt.description import Description, SizeRule
from gemmviz.adopt.prove.check import check
from gemmviz.adopt.prove.machine import CompiledKernel
from gemmviz.adopt.prove.search_log import SearchLog
from gemmviz.adopt.prove.sizes.shapes import products_of
from gemmviz.adopt.reasons import Reason
from gemmviz.backends.machine.compared_values import sizes_compared_in
from gemmviz.domain.kernels.compared_sizes import ComparedSizes
from gemmviz.domain.listing import listed
from gemmviz.domain.shape import Shape

_MOST_NAMED = 3


@dataclass(slots=True)
class JudgedSizes:
    """Whether a kernel is right at sizes as a description has it. Each run may take `run_s` seconds; where time is over
    a size is not looked at any more.
    """

    made: CompiledKernel
    description: Description
    log: SearchLog
    run_s: float
    right: list[Shape] = field(default_factory=list)
    wrong: dict[Shape, str] = field(default_factory=dict)
    """How each size went wrong that did."""
    _fault: Reason = field(default_factory=lambda: Reason(""))

    def __call__(self, shape: Shape) -> bool | None:
        """Whether it is right at a size; None where that was not seen."""
        if self.log.is_over:
            return None
        found = check(self.made, self.description, shape, self.log.run_s(self.run_s), may_be_coarser=False)
        if found.is_untold:
            return None
        if found.is_right:
            self.right.append(shape)
        else:
            self.wrong = {**{one: how for one, how in self.wrong.items() if one != shape}, shape: found.fault}
            how = (
                "less exact than its types are"
                if found.is_coarse
                else "wrong at other sizes by a rule that gemmviz does not know"
            )
            self._fault = Reason(f"{how}, such as {shape}: {found.fault}", found.kind)
        return found.is_right

    @property
    def compared(self) -> ComparedSizes:
        """The sizes that the kernel treats apart (`sizes_compared_in`)."""
        return sizes_compared_in(self.made.ptx, self.description.arguments)

    def steps_from(self, base: Shape) -> tuple[SizeRule, ...]:
        """For each dimension the least step from the base to a size that was right, where smaller ones were wrong: it
        may be a multiple that the kernel needs. Of one with which nothing larger was right it is the base's size.
        """
        found = []
        for place, name in enumerate(("M", "N", "K")):
            own = (base.m, base.n, base.k)
            sizes = {
                is_right: [
                    sides[place] - own[place]
                    for sides in ((one.m, one.n, one.k) for one in shapes)
                    if sides[place] > own[place]
                    and sides[:place] + sides[place + 1 :] == own[:place] + own[place + 1 :]
                ]
                for is_right, shapes in ((True, self.right), (False, self.wrong))
            }
            if sizes[False]:
                found.append(SizeRule(name, min((own[place], *sizes[True]))))
        return tuple(found)

    @property
    def fault(self) -> Reason:
        """The last size that was wrong, and how, with further ones: those right with the largest of the smallest
        edges, and the smallest ones wrong.
        """
        right = sorted(dict.fromkeys(self.right), key=lambda one: min(one.m, one.n, one.k), reverse=True)
        wrong = sorted([*self.wrong][:-1], key=products_of)
        said = [
            f"{what} at {listed([*map(str, shapes[:_MOST_NAMED])])}"
            for what, shapes in (("right", right), ("wrong", wrong))
            if shapes
        ]
        words = self._fault.words
        return self._fault.with_words(f"{words}; it was {listed(said)}, too" if said else words)

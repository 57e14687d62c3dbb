"""Which sizes a kernel claims to compute: those that its description does not refuse."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from math import gcd, prod

from gemmviz.catalogue.claims.admitted_sizes import admitted_sizes, is_coupled
from gemmviz.catalogue.claims.claimed_size import ClaimedSize
from gemmviz.catalogue.claims.described_sizes import described_size
from gemmviz.catalogue.claims.launch_gaps import is_ruled_out, launch_gap
from gemmviz.catalogue.claims.unmet_rules import unmet_rules
from gemmviz.catalogue.kernel import Kernel, Refusal, rule_key, rule_names
from gemmviz.catalogue.size_words import dimensions_of, size_words
from gemmviz.domain.device import Device
from gemmviz.domain.edge_case_sizes import FORMS, LARGE_AT_ONCE, LONG, ODD, Sizes, sizes_in
from gemmviz.domain.figures import counted
from gemmviz.domain.listing import listed
from gemmviz.domain.shape import Shape, ShapeError
from gemmviz.domain.spec import Params

_HOMES = sizes_in(
    "256x128x64 128x256x64 128x128x128 256x256x256 512x512x512 1024x1024x1024 64x64x64 64x64x16 32x32x32 1x1x1024 "
    "1x256x128 256x1x128 128x1x1 1x128x1 16x16x16 16x16x8 8x8x8 4x4x4 1x1x1"
)
"""Sizes that a kernel which says nothing most likely was written for; the first that it claims is taken."""

_BESIDE_LONG = 32
_LOOKED_AT = 300
_LARGEST = 1 << 16
_MOST_PRODUCTS = 1 << 25
_MOST_ODD_PRODUCTS = 1 << 22
_MOST_LARGE_PRODUCTS = 1 << 28
_MOST_K = 4096
_MOST_LOOKED_AT = 200
_RELATED, _SPREAD = 4, 8
"""Sizes that are examined of those that a rule ties to each other: the most telling, the smallest, and others."""
_BASE = (64, 48, 32)
"""Dimensions that no rule names, where the others have been searched for."""
_SQUARES = (17, 61, 100)
"""Of dimensions that go together, further sizes, each rounded up to one that is claimed."""
_GROWTHS = ((1, 4, 16), (1 / 4, 1, 2), (1 / 16, 1 / 4, 1), (1 / 4, 1 / 2, 1))
"""What K of the home is multiplied by; the first that are more than one claimed size are taken."""


class NoSizeError(Exception):
    """A kernel claims none of the sizes that are tried; the message says which rule refuses the first, and where."""


@dataclass
class Claims:
    """What a kernel's description says about sizes, asked size by size."""

    kernel: Kernel
    params: Params
    device: Device
    _answers: dict[Sizes, str] = field(default_factory=dict)
    _blocks: dict[Sizes, int] = field(default_factory=dict)
    _ruled_out: dict[Sizes, bool] = field(default_factory=dict)
    _gaps: dict[Sizes, tuple[str, str]] = field(default_factory=dict)
    _too_large: set[Sizes] = field(default_factory=set)

    def refusal(self, sizes: Sizes) -> str:
        """Why a size is not claimed, "" where it is."""
        if sizes not in self._answers:
            try:
                self.blocks_at(sizes)
            except (Refusal, ShapeError) as error:
                self._answers[sizes] = str(error).removeprefix(f"{self.kernel.id}: ")
                key = launch_gap(self.kernel, self._names(Shape(*sizes)), error) if isinstance(error, Refusal) else ""
                if key:
                    self._gaps[sizes] = self._answers[sizes].removesuffix(f"; correct '{key}'"), key
            else:
                self._answers[sizes] = ""
        return self._answers[sizes]

    def blocks_at(self, sizes: Sizes) -> int:
        """How many blocks are launched at a size. Raises Refusal where it is not claimed."""
        if sizes not in self._blocks:
            self._blocks[sizes] = self.kernel.plan(Shape(*sizes), self.params, self.device).launch.blocks
        return self._blocks[sizes]

    def is_claimed(self, sizes: Sizes) -> bool:
        return not self._is_ruled_out(sizes) and not self.refusal(sizes)

    def _is_ruled_out(self, sizes: Sizes) -> bool:
        """Whether a rule refuses a size: hundreds are asked for, and words made for the fewest."""
        if sizes not in self._ruled_out:
            names = {**self._names(), **dict(zip("MNK", sizes, strict=True))}
            self._ruled_out[sizes] = is_ruled_out(self.kernel, names)
        return self._ruled_out[sizes]

    def has_gap(self, sizes: Sizes) -> bool:
        """Whether a size that no rule refuses has no launch."""
        return not self.is_claimed(sizes) and sizes in self._gaps

    @property
    def gap(self) -> str:
        """What is wrong with the description where sizes that were asked for have no launch though no rule refuses
        them: why the first has none, with file and line; "" where there is none.
        """
        if not self._gaps:
            return ""
        sizes = min(self._gaps, key=lambda one: (prod(one), one))
        why, key = self._gaps[sizes]
        if not any(place and why.startswith(place) for _, place in self.kernel.places):
            why = f"{why[:1].upper()}{why[1:]}"
        where = "" if str(Shape(*sizes)) in why else f" (at {Shape(*sizes)})"
        return f"{why}{where}; correct '{key}', or add a constraint that refuses such sizes"

    @cached_property
    def home(self) -> Shape:
        """A claimed size of many tiles in each dimension, which all that is not about sizes is examined at: a usual one
        or, where none is claimed, one of these that is made what the description asks for, or one that the rules
        admit. A dimension is 1 only where no other size was found.

        Raises:
            NoSizeError: there is none.
        """
        rules, names = self._rules, self._names(Shape(1, 1, 1))
        described = (described_size(sizes, rules, names) for sizes in _HOMES)
        tried = (*_HOMES, *(one for one in described if prod(one) <= _MOST_PRODUCTS))
        found = next((sizes for sizes in tried if self.is_claimed(sizes)), None)
        if found is None or any(found[place] == 1 for place in self._free_to_grow):
            admitted = (one for one in self._admitted[:_MOST_LOOKED_AT] if self.is_claimed(one))
            better = next(admitted, None)
            if better is not None and (found is None or better.count(1) < found.count(1)):
                found = better
        if found is None:
            raise NoSizeError(self._why_no_size())
        return Shape(*found)

    @cached_property
    def related(self) -> tuple[Sizes, ...]:
        """Claimed sizes beside the home where a rule ties dimensions to each other, as N == M * M does: the most
        telling and others from small to large. Nothing where dimensions change by themselves or are equal.
        """
        is_stuck = any(not axis.step and place in self._free_to_grow for axis in self.axes for place in axis.places)
        if not is_stuck and not (any(axis.is_joint for axis in self.axes) and is_coupled(self._rules, self._names())):
            return ()
        found = [one for one in self._admitted if prod(one) <= _MOST_ODD_PRODUCTS]
        in_order = sorted(found, key=lambda one: (prod(one), one))
        spread = [
            in_order[place * (len(in_order) - 1) // max(1, _SPREAD - 1)] for place in range(_SPREAD if found else 0)
        ]
        tried = dict.fromkeys((*found[:_RELATED], *in_order[:_RELATED], *spread))
        return tuple(one for one in tried if self.is_claimed(one) and one != _sizes(self.home))

    @property
    def untelling(self) -> str:
        """The dimensions that are 1 at every size that was found, though no rule says so: "M and N"; "" for none."""
        sizes = (_sizes(self.home), *self.related)
        stuck = {place for axis in self.axes if not axis.step for place in axis.places} & self._free_to_grow
        found = ["MNK"[place] for place in sorted(stuck) if all(one[place] == 1 for one in sizes)]
        return listed(found) if found else ""

    @cached_property
    def _free_to_grow(self) -> frozenset[int]:
        """The places of dimensions that no rule holds at 1."""
        held = described_size((_LARGEST, _LARGEST, _LARGEST), self._rules, self._names())
        return frozenset(place for place, size in enumerate(held) if size > 1)

    @cached_property
    def _admitted(self) -> list[Sizes]:
        found = admitted_sizes(self._rules, self._names(), _BASE)
        return [one for one in found if prod(one) <= _MOST_PRODUCTS]

    @property
    def _rules(self) -> list[str]:
        return [one.rule for one in self.kernel.constraints]

    def _names(self, shape: Shape | None = None) -> dict[str, int]:
        """What the rules may name; its M, N and K are 1 where there is no shape."""
        return rule_names(shape or Shape(1, 1, 1), self.params, self.device)

    def _why_no_size(self) -> str:
        """Why no size is claimed that was tried, and what to do."""
        if self.gap:
            return self.gap
        why, rules = self.refusal(_HOMES[0]), unmet_rules(self._rules, self._names())
        if not self._rules or (self.place_of() and why.startswith(self.place_of())):
            return f"It takes none of the sizes that are tried: {why}"
        place = self.place_of(rules[0] if rules else "")
        where = f"{place}: " if place else ""
        if len(rules) == 1:
            words = f"no size that is tried holds to the rule {rules[0]!r}: at {Shape(*_HOMES[0])} it {why}"
            return f"{where}{words}. Change it to a rule that sizes hold to, as M % 16 == 0, or leave it out"
        if rules:
            words = f"no size that is tried holds to the rules {listed([repr(rule) for rule in rules])} together"
            return f"{where}{words}. Change one of them, or leave it out"
        return (
            f"{where}It takes none of the sizes that are tried, up to 64 in each dimension and multiples beyond: at "
            f"{Shape(*_HOMES[0])} it {why}. Correct 'constraints', or write a rule for each dimension, as M % 16 == 0"
        )

    def place_of(self, rule: str = "") -> str:
        """File and line of the constraints, or of one; "" where they are in no file."""
        places = dict(self.kernel.places)
        return places.get(rule_key(rule), "") or places.get("constraints", "")

    @cached_property
    def small(self) -> Shape:
        """A claimed size of two steps in each dimension, else the home."""
        sizes = _sizes(self.home)
        for axis in self.axes:
            sizes = axis.at(sizes, 2 * axis.step) if axis.step else sizes
        return Shape(*sizes) if self.is_claimed(sizes) else self.home

    @cached_property
    def axes(self) -> tuple[ClaimedSize, ...]:
        """The ways in which claimed sizes differ from the home: each dimension by itself and, of those with one size
        only, two or three together, such as M and N of a kernel for squares.
        """
        single = [self._axis((place,)) for place in range(3)]
        fixed = [place for place, axis in enumerate(single) if not axis.step]
        joint: list[ClaimedSize] = []
        for places in (*combinations(fixed, 2), *combinations(fixed, 3)):
            if any(place in axis.places for place in places for axis in joint):
                continue
            axis = self._axis(places)
            joint += [axis] if axis.step else []
        taken = {place for axis in joint for place in axis.places}
        return (*(axis for place, axis in enumerate(single) if place not in taken), *joint)

    @property
    def words(self) -> str:
        """The claim in words: its rules about sizes ("M = N, K at most 99"), what else was found out ("M in multiples
        of 16"), or "any size".
        """
        rules = self._rules
        told = size_words(rules, self._names(self.home))
        ruled = set().union(*(dimensions_of(ast.parse(rule.strip(), mode="eval")) for rule in rules))
        found = []
        axes = self.axes
        for axis in axes if not self._gaps else ():  # what has no launch is no claim
            if any("MNK"[place] in ruled for place in axis.places):
                continue
            if not axis.step:
                found.append(f"{axis.name} = {_sizes(self.home)[axis.places[0]]}")
            elif axis.step > 1:
                found.append(f"{axis.name} in multiples of {axis.step}")
            elif axis.times[0] > 1:
                found.append(f"{axis.name} at least {axis.times[0]}")
        claimed = ", ".join(filter(None, (told, *found))) or "any size"
        return f"{claimed} (but some have no launch)" if self._gaps else claimed

    def borders(self) -> list[Sizes]:
        """Claimed sizes where a claim ends: the least and largest of each dimension that is restricted and of all of
        them, odd multiples of its steps, and twice the home or, where that is too large, less than half of it. Of
        dimensions that go together there are several more.
        """
        home = least = odd = _sizes(self.home)
        found = [home]
        for axis in self.axes:
            if axis.is_free:
                double = axis.at(home, 2 * axis.home)
                found.append(double if self.is_claimed(double) else axis.at(home, max(1, axis.home // 2 - 1)))
                continue
            middle = axis.times[len(axis.times) // 2 | 1] if len(axis.times) > 2 else axis.times[0]
            least = axis.at(least, axis.times[0])
            odd = axis.at(odd, (2 * axis.places[0] + 3) * axis.step or axis.home)
            found += [axis.at(home, times) for times in (axis.times[0], middle)]
            if axis.is_joint:
                found += [axis.at(home, times) for times in (*map(axis.from_, _SQUARES), 2 * axis.home)]
        found += [least, odd, *(axis.at(least, most) for axis, most in self._ends(least)), *self.related]
        return self._tried(found, _MOST_PRODUCTS)

    def long(self) -> list[Sizes]:
        """Claimed sizes with one long dimension each, or with its largest size where that is shorter, the others about
        _BESIDE_LONG where they may be: what a kernel holds in arrays or counts in numbers of a fixed size shows there.
        """
        small = _sizes(self.home)
        for axis in self.axes:
            small = axis.at(small, axis.from_(-(-_BESIDE_LONG // axis.unit[0]))) if axis.step else small
        small = small if self.is_claimed(small) else _sizes(self.home)
        found, ends = [], dict(self._ends(small))
        for axis in self.axes:
            if axis.step and not axis.is_joint:
                times = axis.of(small)
                long = axis.at(small, times + -(-(LONG - times) // axis.step) * axis.step)
                found.append(long if self.is_claimed(long) else axis.at(small, ends.get(axis, times)))
        return self._tried(found, _MOST_PRODUCTS)

    def odd(self) -> list[Sizes]:
        """Claimed sizes that nothing divides: those of ODD, with a restricted dimension rounded up to what it may be,
        and equal dimensions made equal; none where every dimension is restricted.
        """
        if all(axis.step != 1 for axis in self.axes):
            return [one for one in self.related if all(size % 2 for size in one)]
        found = [one for one in self.related if all(size % 2 for size in one)]
        for sizes in ODD:
            odd = sizes
            for axis in self.axes:
                if axis.step != 1 or axis.is_joint:
                    odd = axis.at(odd, axis.from_(-(-sizes[axis.places[0]] // axis.unit[0])))
            found.append(odd)
        return self._tried(found, _MOST_ODD_PRODUCTS)

    def forms(self) -> list[Sizes]:
        """Claimed sizes of the forms in FORMS, with each dimension rounded up to what it may be."""
        return self._tried(self._formed(FORMS), _MOST_ODD_PRODUCTS)

    def large(self) -> list[Sizes]:
        """Claimed sizes of which all dimensions are large at once: a block far from all borders shows there alone."""
        return self._tried(self._formed(LARGE_AT_ONCE), _MOST_LARGE_PRODUCTS)

    def _formed(self, forms: Iterable[Sizes]) -> list[Sizes]:
        """The sizes with each dimension rounded up to what it may be."""
        found = []
        for sizes in forms:
            form = _sizes(self.home)
            for axis in self.axes:
                if axis.step:
                    form = axis.at(form, axis.reached(-(-sizes[axis.places[0]] // axis.unit[0])))
            found.append(form)
        return found

    def _tried(self, sizes: Iterable[Sizes], most: int) -> list[Sizes]:
        """The claimed ones among sizes, each once, that have so many products at most; others are counted."""
        claimed = [one for one in dict.fromkeys(sizes) if self.is_claimed(one)]
        self._too_large.update(one for one in claimed if prod(one) > most)
        return [one for one in claimed if prod(one) <= most]

    @property
    def left_out(self) -> str:
        """How many claimed sizes were too large to be tried, of those asked for so far, as a sentence; "" for none."""
        if not self._too_large:
            return ""
        least = Shape(*min(self._too_large, key=lambda one: (prod(one), one)))
        more = "" if len(self._too_large) == 1 else f"the smallest is {least}"
        words = f"{counted(len(self._too_large), 'claimed size')} had too many products to be tried"
        return f" {words}: {more or least}."

    def beyond(self) -> list[Sizes]:
        """Sizes just outside the claims, which the description refuses."""
        home = _sizes(self.home)
        beside = [
            _with(home, place, home[place] + way) for place in range(3) for way in (-1, 1) if home[place] + way > 0
        ]
        behind = [axis.at(home, most + axis.step) for axis, most in self._ends(home)]
        said = [one for one in behind if prod(one) <= _MOST_PRODUCTS]
        return [one for one in dict.fromkeys((*beside, *said)) if not self.is_claimed(one) and not self.has_gap(one)]

    def growing(self) -> list[Sizes]:
        """Claimed sizes of growing K, with the other dimensions of the home where they do not go with K; one where K
        cannot grow.
        """
        home = _sizes(self.home)
        axis = next(one for one in self.axes if 2 in one.places)
        for factors in _GROWTHS:
            times = [int(axis.home * factor) for factor in factors if axis.home * factor >= 1]
            sizes = [axis.at(home, one) for one in times]
            found = [one for one in sizes if self._is_tried_for_growth(one)]
            if len(found) > 1:
                return found
        return [home]

    def _is_tried_for_growth(self, sizes: Sizes) -> bool:
        return sizes[2] <= _MOST_K and prod(sizes) <= _MOST_PRODUCTS and self.is_claimed(sizes)

    def _ends(self, base: Sizes) -> Iterator[tuple[ClaimedSize, int]]:
        """Each axis that ends, with the most times its unit that are claimed with the others at `base`."""
        for axis in self.axes:
            if not axis.step or not self.is_claimed(base):
                continue
            claims = self._claims_along(base, axis)
            most = _LARGEST // (axis.step * max(axis.unit))
            if claims(most):
                continue
            low, high = 0, most
            while high - low > 1:
                middle = (low + high) // 2
                low, high = (middle, high) if claims(middle) else (low, middle)
            yield axis, axis.of(base) + low * axis.step

    def _claims_along(self, base: Sizes, axis: ClaimedSize) -> Callable[[int], bool]:
        return lambda steps: self.is_claimed(axis.at(base, axis.of(base) + steps * axis.step))

    def _axis(self, places: tuple[int, ...]) -> ClaimedSize:
        home = _sizes(self.home)
        parts = [home[place] for place in places]
        least = gcd(*parts) if len(parts) > 1 else parts[0]
        unit = tuple(part // least for part in parts) if len(parts) > 1 else (1,)
        tried = sorted({*range(1, _LOOKED_AT + 1), least})
        axis = ClaimedSize(places, unit, least, ())
        return replace(axis, times=tuple(times for times in tried if self.is_claimed(axis.at(home, times))))


def _sizes(shape: Shape) -> Sizes:
    return shape.m, shape.n, shape.k


def _with(sizes: Sizes, place: int, size: int) -> Sizes:
    found = list(sizes)
    found[place] = size
    return found[0], found[1], found[2]

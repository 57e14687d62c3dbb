"""Which sizes a kernel claims to compute: those that its description does not refuse."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from math import gcd, prod

from gemmviz.catalogue.kernel import Kernel, Refusal
from gemmviz.domain.device import Device
from gemmviz.domain.shape import Shape, ShapeError
from gemmviz.domain.spec import Params

Sizes = tuple[int, int, int]
"""M, N and K."""


def _listed(words: str) -> tuple[Sizes, ...]:
    """The sizes of a list such as "17x19x23 1x1x1"."""
    shapes = [Shape.parse(word) for word in words.split()]
    return tuple((shape.m, shape.n, shape.k) for shape in shapes)


_HOMES = _listed(
    "256x128x64 128x256x64 128x128x128 256x256x256 512x512x512 1024x1024x1024 1x1x1024 1x256x128 256x1x128 128x1x1 "
    "1x128x1 64x64x64 64x64x16 32x32x32 16x16x16 16x16x8 8x8x8 4x4x4 1x1x1"
)
"""Sizes that a kernel which says nothing most likely was written for; the first that it claims is taken."""

ODD = _listed(
    "17x19x23 1x1x1 61x67x1 1x131x37 131x1x37 7x257x5 257x3x11 127x113x101 1x1x1021 1x257x131 257x1x131 33x65x129"
)
"""Primes and ones, tall and wide, and one more than powers of two: no tile divides them."""

_LOOKED_AT = 300
_LARGEST = 1 << 16
_MOST_PRODUCTS = 1 << 25


class NoSizeError(Exception):
    """A kernel claims none of the sizes that are tried; the message is the refusal of the first."""


@dataclass
class Claims:
    """What a kernel's description says about sizes, asked size by size."""

    kernel: Kernel
    params: Params
    device: Device
    _answers: dict[Sizes, str] = field(default_factory=dict)

    def refusal(self, sizes: Sizes) -> str:
        """Why a size is not claimed, "" where it is."""
        if sizes not in self._answers:
            try:
                self.kernel.plan(Shape(*sizes), self.params, self.device)
            except (Refusal, ShapeError) as error:
                self._answers[sizes] = str(error).removeprefix(f"{self.kernel.id}: ")
            else:
                self._answers[sizes] = ""
        return self._answers[sizes]

    def is_claimed(self, sizes: Sizes) -> bool:
        return not self.refusal(sizes)

    @cached_property
    def home(self) -> Shape:
        """A claimed size of many tiles in each dimension, which all that is not about sizes is examined at.

        Raises:
            NoSizeError: there is none.
        """
        found = next((sizes for sizes in _HOMES if self.is_claimed(sizes)), None)
        if found is None:
            raise NoSizeError(self.refusal(_HOMES[0]))
        return Shape(*found)

    @cached_property
    def small(self) -> Shape:
        """A claimed size of two steps in each dimension, else the home."""
        home = _sizes(self.home)
        m, n, k = (2 * step if step else size for step, size in zip(self.steps, home, strict=True))
        return Shape(m, n, k) if self.is_claimed((m, n, k)) else self.home

    @cached_property
    def steps(self) -> Sizes:
        """The least distances between claimed sizes of M, N and K; 0 of a dimension that can have one size only."""
        found = [self._claimed_along(place) for place in range(3)]
        m, n, k = (gcd(*(two - one for one, two in pairwise(sizes))) if len(sizes) > 1 else 0 for sizes in found)
        return m, n, k

    @property
    def words(self) -> str:
        """The claim in words: "M in multiples of 16", "any size"."""
        named = [
            f"{name} in steps of {step}" if step else f"{name} = {size}"
            for name, step, size in zip("MNK", self.steps, _sizes(self.home), strict=True)
            if step != 1
        ]
        return ", ".join(named) if named else "any size"

    def borders(self) -> list[Sizes]:
        """Claimed sizes where a claim ends: the least and largest of each dimension that is restricted and of all of
        them, odd multiples of its steps, and twice the home.
        """
        home = _sizes(self.home)
        found = [home]
        least, odd = list(home), list(home)
        for place, step in enumerate(self.steps):
            along = self._claimed_along(place)
            if step == 1 and along[0] == 1:
                found.append(_with(home, place, 2 * home[place]))
                continue
            least[place], odd[place] = along[0], (2 * place + 3) * step or home[place]
            middle = along[len(along) // 2 | 1] if len(along) > 2 else along[0]
            found += [_with(home, place, size) for size in (along[0], middle)]
        found += [(least[0], least[1], least[2]), (odd[0], odd[1], odd[2])]
        found += self._largest((least[0], least[1], least[2]))
        return [one for one in dict.fromkeys(found) if self.is_claimed(one) and prod(one) <= _MOST_PRODUCTS]

    def odd(self) -> list[Sizes]:
        """Claimed sizes that nothing divides: those of ODD, with a restricted dimension rounded up to what it may be;
        none where every dimension is restricted.
        """
        if 1 not in self.steps:
            return []
        found = []
        for sizes in ODD:
            odd = list(sizes)
            for place, step in enumerate(self.steps):
                along = self._claimed_along(place)
                if step != 1:
                    odd[place] = next((one for one in along if one >= odd[place]), along[-1])
            found.append((odd[0], odd[1], odd[2]))
        return [one for one in dict.fromkeys(found) if self.is_claimed(one)]

    def beyond(self) -> list[Sizes]:
        """Sizes just outside the claims, which the description refuses."""
        home = _sizes(self.home)
        beside = [
            _with(home, place, home[place] + way) for place in range(3) for way in (-1, 1) if home[place] + way > 0
        ]
        return [one for one in beside if not self.is_claimed(one)]

    def _largest(self, base: Sizes) -> Iterator[Sizes]:
        """Of each dimension that has one, the largest size that is claimed with the others at `base`."""
        for place, step in enumerate(self.steps):
            if not step or not self.is_claimed(base):
                continue
            claims = self._claims_along(base, place, step)
            most = _LARGEST // step
            if claims(most):
                continue
            low, high = 0, most
            while high - low > 1:
                middle = (low + high) // 2
                low, high = (middle, high) if claims(middle) else (low, middle)
            yield _with(base, place, base[place] + low * step)

    def _claims_along(self, base: Sizes, place: int, step: int) -> Callable[[int], bool]:
        return lambda times: self.is_claimed(_with(base, place, base[place] + times * step))

    def _claimed_along(self, place: int) -> list[int]:
        home = _sizes(self.home)
        wanted = {*range(1, _LOOKED_AT + 1), home[place]}
        return sorted(size for size in wanted if self.is_claimed(_with(home, place, size)))


def _sizes(shape: Shape) -> Sizes:
    return shape.m, shape.n, shape.k


def _with(sizes: Sizes, place: int, size: int) -> Sizes:
    found = list(sizes)
    found[place] = size
    return found[0], found[1], found[2]

"""Sizes at which kernels most often go wrong: a kernel is called right at every size only where these were tried."""

from __future__ import annotations

from gemmviz.domain.shape import Shape

Sizes = tuple[int, int, int]
"""M, N and K."""


def sizes_in(words: str) -> tuple[Sizes, ...]:
    """The sizes of a list such as "17x19x23 1x1x1"."""
    shapes = [Shape.parse(word) for word in words.split()]
    return tuple((shape.m, shape.n, shape.k) for shape in shapes)


ODD = sizes_in(
    "17x19x23 1x1x1 61x67x1 1x131x37 131x1x37 7x257x5 257x3x11 127x113x101 1x1x1021 1x257x131 257x1x131 33x65x129"
)
"""Primes and ones, tall and wide, and one more than powers of two: no tile divides them."""

CUBES = sizes_in("32x32x32 64x64x64 96x96x96 128x128x128")
"""Cubes of usual tiles: a faster way for square matrices shows at no other size, and one of two tiles' depth that
forgets the rest at 32 and 96 alone.
"""

LARGE_TILES = sizes_in("256x256x64")
"""Multiples of the largest usual tiles in M, N and K at once, as a way without bounds checks takes them."""

FORMS = (
    *sizes_in("72x72x72 40x40x21 21x56x56 56x21x56 24x37x19 37x24x21 35x41x24 720x720x4 48x80x16"),
    *CUBES,
    *LARGE_TILES,
)
"""Equal dimensions, halves of the usual tiles left, and both M and N large: a condition of the kernel on these shows at
no other size.
"""

LARGE_AT_ONCE = sizes_in("301x309x307 520x528x516")
"""All dimensions large at once, a moderate product first; no usual tile divides the first one."""

LONG = 4160
"""From here on M, N or K is tried, with the others small: a multiple of the usual tiles, beyond the usual limits of
arrays. Other sizes are examined apart.
"""

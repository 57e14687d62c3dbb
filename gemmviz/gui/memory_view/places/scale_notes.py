"""What is said of matrices that are not drawn to scale."""

from __future__ import annotations

from math import inf

from gemmviz.domain.figures import count
from gemmviz.domain.shape import Shape

TO_SCALE = "Not to scale"
_SIDES = {
    "M": (("A", "too high"),),
    "N": (("B", "too wide"),),
    "K": (("A", "too wide"), ("B", "too high")),
}


def scale_notes(shape: Shape, extents: tuple[float, float, float], scale: float) -> tuple[str, ...]:
    """Which sides of the matrices are drawn larger than they are: by how much, without that, and that some are."""
    stretched = [
        (name, extent / (size * scale) if scale else inf)
        for name, size, extent in zip("MNK", (shape.m, shape.n, shape.k), extents, strict=True)
    ]
    stretched = [(name, by) for name, by in stretched if by >= 1.05]
    if not stretched:
        return ()
    told = []
    for has_factor in (True, False):
        sides = [(side, f"{_times(by)} " * has_factor) for name, by in stretched for side in _SIDES[name]]
        (first, way), by = sides[0]
        others = [f"{matrix} {times}{too}" for (matrix, too), times in sides[1:]]
        told.append(f"{TO_SCALE}: {', '.join((f'{first} is drawn {by}{way}', *others))}")
    return *told, TO_SCALE


def _times(by: float) -> str:
    return f"{by:.1f} times" if by < 10 else f"{count(round(by))} times" if by < 1e6 else "more than 10⁶ times"

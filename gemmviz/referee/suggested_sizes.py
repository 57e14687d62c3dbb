"""The sizes that a kernel is tried at whose description claims none: multiples of the tiles that its launch has."""

from __future__ import annotations

from dataclasses import replace

from gemmviz.catalogue.kernel import Constraint, Kernel, Refusal
from gemmviz.domain.device import Device
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Params

SUGGESTED = "M and N by the tiles of its launch, K by usual ones"
_BECAUSE = "its launch suggests it"
_BECAUSE_OF_K = "its launch tells nothing of K, and multiples of 32 hold the usual tiles"
_LARGEST_TILE = 1024
_STEP_OF_K = 32
"""Of K no launch tells the tile: multiples of this hold the usual ones."""


def with_suggested_sizes(kernel: Kernel, params: Params, device: Device) -> Kernel:
    """The kernel with rules for the sizes that its launch suggests, where its description was taken from host code as
    it is and has no rules; any other as it is.
    """
    if not kernel.is_unverified or kernel.constraints:
        return kernel
    tiles = [_tile(kernel, params, device, place) for place in range(2)]
    rules = [
        *(Constraint(f"{name} % {tile} == 0", _BECAUSE) for name, tile in zip("MN", tiles, strict=True)),
        Constraint(f"K % {_STEP_OF_K} == 0", _BECAUSE_OF_K),
    ]
    return replace(kernel, constraints=tuple(rule for rule in rules if not rule.rule.endswith("% 1 == 0")))


def has_suggested_sizes(kernel: Kernel) -> bool:
    """Whether the rules for sizes are those that its launch suggests, so that it claims none."""
    return any(one.because == _BECAUSE_OF_K for one in kernel.constraints)


def _tile(kernel: Kernel, params: Params, device: Device, place: int) -> int:
    """The rows (place 0) or columns (1) of C that a block computes, as the grid tells: the least size after which it
    has more blocks, or from which on it has any; 1 where it does not depend on that size.
    """

    def grid(size: int) -> tuple[int, ...]:
        sizes = [_LARGEST_TILE, _LARGEST_TILE, _LARGEST_TILE]
        sizes[place] = size
        try:
            return kernel.plan(Shape(*sizes), params, device).launch.grid
        except Refusal:
            return ()

    first = grid(1)
    low, high = 1, 2 * _LARGEST_TILE
    if grid(high) == first:
        return 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if grid(middle) == first else (low, middle)
    return low if first else high

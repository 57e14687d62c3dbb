"""Pairs of alpha and beta that tell most: kernels often treat 0 and 1 apart, of one factor or of both at once."""

from __future__ import annotations

_ORDINARY = 1.5, 0.5
"""An alpha and a beta that no kernel treats apart."""


def telling_pairs(alpha: float, beta: float) -> tuple[tuple[float, float], ...]:
    """The pairs of alpha and beta to try beside the given one: both 0 or 1, and one of them so that kernels have a
    shorter way for it (beta 0, alpha 1) with an ordinary other one.
    """
    plain = (0.0, 1.0)
    x, y = (one if one not in plain else usual for one, usual in zip((alpha, beta), _ORDINARY, strict=True))
    pairs = ((1.0, 0.0), (1.0, 1.0), (0.0, 1.0), (0.0, 0.0), (x, 0.0), (1.0, y))
    return tuple(one for one in pairs if one != (alpha, beta))

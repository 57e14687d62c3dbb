"""Values of alpha and beta at which kernels most often go wrong: 0 and 1, of one of them or of both at once."""

from __future__ import annotations

_ORDINARY = 1.5, 0.5
"""An alpha and a beta that no kernel treats apart."""


def edge_case_pairs(alpha: float, beta: float) -> tuple[tuple[float, float], ...]:
    """Pairs of alpha and beta to try besides the given one: both are 0 or 1, or one is, with an ordinary other one, as
    many kernels have a shorter way for beta 0 or alpha 1.
    """
    plain = (0.0, 1.0)
    x, y = (one if one not in plain else usual for one, usual in zip((alpha, beta), _ORDINARY, strict=True))
    pairs = ((1.0, 0.0), (1.0, 1.0), (0.0, 1.0), (0.0, 0.0), (x, 0.0), (1.0, y))
    return tuple(one for one in pairs if one != (alpha, beta))

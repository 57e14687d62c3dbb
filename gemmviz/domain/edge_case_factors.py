"""Values of alpha and beta at which kernels are wrong most often: 0, 1 and -1, of one of them or of both at once."""

from __future__ import annotations

SPECIAL_FACTORS = (1.0, 0.0, -1.0)
"""Values that kernels treat apart: they leave a product out, or add or subtract in its place."""
_ORDINARY = 1.5, 0.5
"""An alpha and a beta that no kernel treats apart."""


def edge_case_pairs(alpha: float, beta: float) -> tuple[tuple[float, float], ...]:
    """Pairs of alpha and beta to try besides the given one: each special alpha with each special beta, and with an
    ordinary one, as many kernels have a shorter way for beta 0, alpha 1, or alpha -1 and beta 1.
    """
    given = zip((alpha, beta), _ORDINARY, strict=True)
    x, y = (usual if one in SPECIAL_FACTORS else one for one, usual in given)
    alphas, betas = (*SPECIAL_FACTORS, x), (*SPECIAL_FACTORS, y)
    pairs = [(one, two) for two in betas for one in alphas]
    return tuple(pair for pair in pairs if pair not in ((alpha, beta), (x, y)))

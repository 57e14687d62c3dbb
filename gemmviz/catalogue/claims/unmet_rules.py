"""Which rules of a description no size holds to that is tried, alone or together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from gemmviz.catalogue.expressions import ExpressionError, evaluate
from gemmviz.domain.edge_case_sizes import Sizes

_TRIED = (1, 2, 3, 4, 5, 7, 8, 11, 16, 17, 32, 64, 100, 128, 256, 1000, 4096, 1 << 20)
"""Of each dimension: every combination is tried."""


def unmet_rules(rules: Sequence[str], names: Mapping[str, int]) -> tuple[str, ...]:
    """The rule that no size holds to that is tried, or the fewest rules that none holds to together; () where some size
    holds to all. `names` are the values of all that the rules name besides M, N and K.
    """
    sizes: list[Sizes] = [(m, n, k) for m in _TRIED for n in _TRIED for k in _TRIED]
    held = {rule: {place for place, one in enumerate(sizes) if _holds(rule, names, one)} for rule in rules}
    for count in range(1, len(held) + 1):
        for some in combinations(held, count):
            if not set.intersection(*(held[rule] for rule in some)):
                return some
    return ()


def _holds(rule: str, names: Mapping[str, int], sizes: Sizes) -> bool:
    try:
        return bool(evaluate(rule, {**names, **dict(zip("MNK", sizes, strict=True))}))
    except ExpressionError:
        return False

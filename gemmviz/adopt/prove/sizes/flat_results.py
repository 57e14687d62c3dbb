"""Sizes that rules leave out, of kernels whose blocks take the elements of the result as they come."""

from __future__ import annotations

from dataclasses import replace
from math import lcm

from gemmviz.adopt.finding import KernelFinding
from gemmviz.adopt.prove.check import check
from gemmviz.adopt.prove.grid import Cover
from gemmviz.adopt.prove.launcher import ArrayLauncher
from gemmviz.domain.shape import Shape


def beside_flat_results(made: ArrayLauncher, found: KernelFinding, cover: Cover, limit_s: float) -> KernelFinding:
    """The finding with a note where only M·N has to be a multiple, and a rule asks that of M or N: rules of a
    description are about one dimension each. A size at which the rule does not hold is tried.
    """
    description, used = found.description, [one for one in cover.steps if one != (0, 0)]
    assert description is not None
    rules = {rule.dimension: rule for rule in description.rules if rule.multiple > 1}
    rule, depth = rules.get("N") or rules.get("M"), rules.get("K")
    if rule is None or rule.multiple % 2 or {"M", "N"} <= {*rules} or not cover.flat or len(used) != 1:
        return found
    whole, part = lcm(rule.multiple, 16), 3 * rule.multiple // 2
    m, n = (whole, part) if rule.dimension == "N" else (part, whole)
    shape, grid = Shape(m, n, lcm(32, depth.multiple if depth else 1)), (f"ceil_div(M * N, {rule.multiple})",)
    if (
        description.equal
        or description.fixed
        or not check(made, replace(description, grid=grid), shape, limit_s).is_right
    ):
        return found
    words = (
        f"it may need less: with a grid of {grid[0]} blocks it is right at {shape}, too, where M * N is a multiple of "
        f"{rule.multiple} and {rule.dimension} is not; the description leaves such sizes out"
    )
    return replace(found, notes=(*found.notes, words))

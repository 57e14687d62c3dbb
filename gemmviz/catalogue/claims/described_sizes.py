"""A size near a usual one that the rules of a description ask for, as where N has to be 112."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from gemmviz.catalogue.expressions import DIMENSIONS, ExpressionError, evaluate_whole, with_numbers
from gemmviz.catalogue.size_words import conditions_of
from gemmviz.domain.edge_case_sizes import Sizes

_ROUNDS = 3
"""What a rule asks of N may change M where both are equal, and the other way round."""


def described_size(sizes: Sizes, rules: Sequence[str], names: Mapping[str, int]) -> Sizes:
    """The sizes with M, N and K made what rules ask of each (`N == 112`, `K % 48 == 0`, `M <= 80`), and equal where
    they ask for that. `names` are the values of all else that the rules name. Other rules are left alone.
    """
    others = {name: value for name, value in names.items() if name not in DIMENSIONS}
    found = dict(zip("MNK", sizes, strict=True))
    conditions = [part for rule in rules for part in conditions_of(with_numbers(rule, others))]
    bounds = [one for part in conditions if (one := _bound(part)) is not None]
    fixed = {name: number for name, kind, number in bounds if kind is ast.Eq}
    for _ in range(_ROUNDS):
        for sign in (ast.GtE, ast.Mod, ast.LtE, ast.Eq):
            for name, kind, number in bounds:
                if kind is sign:
                    steps = [step for other, one, step in bounds if other == name and one is ast.Mod]
                    found[name] = _within(found[name], kind, number, max(steps, default=1))
        for part in conditions:
            match part:
                case ast.Compare(left=ast.Name(id=left), ops=[ast.Eq()], comparators=[ast.Name(id=right)]):
                    if left in found and right in found:
                        said = fixed.get(left, fixed.get(right))
                        found[left] = found[right] = said or max(found[left], found[right])
    return found["M"], found["N"], found["K"]


def _within(size: int, kind: type[ast.AST], number: int, step: int) -> int:
    if kind is ast.Eq:
        return number
    if kind is ast.Mod:
        return -(-size // number) * number
    return max(size, number) if kind is ast.GtE else min(size, max(step, number // step * step))


def _bound(condition: ast.expr) -> tuple[str, type[ast.AST], int] | None:
    """The dimension of a condition, what it asks of it (Eq, GtE, LtE; Mod of a multiple), and the number."""
    match condition:
        case ast.Compare(
            left=ast.BinOp(left=ast.Name(id=name), op=ast.Mod(), right=right),
            ops=[ast.Eq()],
            comparators=[ast.Constant(value=0)],
        ):
            number = _number(right)
            return (name, ast.Mod, number) if number and name in DIMENSIONS else None
        case ast.Compare(left=ast.Name(id=name), ops=[sign], comparators=[right]) if name in DIMENSIONS:
            number = _number(right)
            kinds: dict[type[ast.cmpop], tuple[type[ast.AST], int]] = {
                ast.Eq: (ast.Eq, 0),
                ast.GtE: (ast.GtE, 0),
                ast.Gt: (ast.GtE, 1),
                ast.LtE: (ast.LtE, 0),
                ast.Lt: (ast.LtE, -1),
            }
            if number is None or type(sign) not in kinds:
                return None
            kind, more = kinds[type(sign)]
            return name, kind, number + more
    return None


def _number(node: ast.expr) -> int | None:
    """The whole number from 1 on that an expression without names is; None for any other."""
    try:
        value = evaluate_whole(ast.unparse(node), {})
    except ExpressionError:
        return None
    return value if value > 0 else None

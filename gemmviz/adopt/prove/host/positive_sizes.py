"""What holds of expressions over M, N and K because sizes are at least 1."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable

from gemmviz.adopt.propose.roles import DIMENSIONS

_Order = Callable[[int, int], bool]
_HOLDS: dict[type[ast.cmpop], _Order] = {ast.Gt: operator.gt, ast.GtE: operator.ge, ast.NotEq: operator.gt}
"""What the least value of an expression has to be to a number for a comparison with that to hold always."""
_FAILS: dict[type[ast.cmpop], _Order] = {ast.Lt: operator.ge, ast.LtE: operator.gt, ast.Eq: operator.gt}
"""The same for one that never holds."""
_MIRRORED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Gt: ast.Lt,
    ast.GtE: ast.LtE,
    ast.Lt: ast.Gt,
    ast.LtE: ast.GtE,
    ast.Eq: ast.Eq,
    ast.NotEq: ast.NotEq,
}


def truth_for_sizes(test: ast.expr) -> bool | None:
    """Whether a condition over M, N and K is true, or false, of all sizes, such as `N >= 0`; None where that depends on
    them or is not known.
    """
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = truth_for_sizes(test.operand)
        return None if inner is None else not inner
    if isinstance(test, ast.BoolOp):
        parts = [truth_for_sizes(one) for one in test.values]
        settling = isinstance(test.op, ast.Or)
        if settling in parts:
            return settling
        return None if None in parts else not settling
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return None
    kind, left, right = type(test.ops[0]), test.left, test.comparators[0]
    if isinstance(left, ast.Constant):
        kind, left, right = _MIRRORED.get(kind, kind), right, left
    least, number = _least(left), _number(right)
    if least is None or number is None:
        return None
    if kind in _HOLDS and _HOLDS[kind](least, number):
        return True
    return False if kind in _FAILS and _FAILS[kind](least, number) else None


def _least(node: ast.expr) -> int | None:
    """The least value of an expression for sizes; None where it is not known or below 1."""
    if isinstance(node, ast.Name):
        return 1 if node.id in DIMENSIONS else None
    if isinstance(node, ast.Constant):
        value = _number(node)
        return value if value is not None and value > 0 else None
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Mult):
        one, two = _least(node.left), _least(node.right)
        if one is None or two is None:
            return None
        return one + two if isinstance(node.op, ast.Add) else one * two
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "ceil_div":
        return 1 if all(_least(one) is not None for one in node.args) else None
    return None


def _number(node: ast.expr) -> int | None:
    """The number of a constant; None of anything else."""
    return node.value if isinstance(node, ast.Constant) and type(node.value) is int else None

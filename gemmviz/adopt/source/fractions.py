"""C's arithmetic with floating-point numbers, as far as it is exact: `std::ceil(N / 16.0)` is `ceil_div(N, 16)`.

A number that is not whole is the call `__real(n, d)`, n / d, and a conversion to a whole number `__whole(x)`, until
`finished` has made whole numbers of both.
"""

from __future__ import annotations

import ast
from fractions import Fraction

_REAL, _WHOLE = "__real", "__whole"
_ROUNDED_UP, _ROUNDED_DOWN = {"ceil", "ceilf", "ceill"}, {"floor", "floorf", "floorl", "trunc", "truncf"}
REAL_TYPES = {"float", "double", "long double"}


def real_number(text: str) -> ast.expr | None:
    """A literal such as "16.0f"; None for what is none."""
    words = text.replace("'", "").rstrip("fFlL")
    try:
        value = Fraction(words) if len(words) < 25 and "/" not in words else None
    except (ValueError, ZeroDivisionError):
        return None
    if value is None or max(abs(value.numerator), value.denominator) > 2**40:
        return None
    return _real(ast.Constant(value.numerator), ast.Constant(value.denominator))


def as_real(node: ast.expr) -> ast.expr:
    """A number converted to a floating-point type."""
    return _reduced_call(_real(node, ast.Constant(1)))


def as_whole(node: ast.expr) -> ast.expr:
    """A number converted to a type of whole numbers."""
    return ast.Call(ast.Name(_WHOLE), [node], [])


def is_real(node: ast.expr | None) -> bool:
    """Whether an expression is known not to be of a type of whole numbers."""
    return node is not None and _parts(reduced(node)) is not None


def is_fraction(node: ast.expr) -> bool:
    """Whether an expression is known to have a part behind the point."""
    parts = _parts(reduced(node))
    return parts is not None and not _is_one(parts[1])


class _Reducer(ast.NodeTransformer):
    """Computes with fractions where it meets them; with `is_last` names stand for whole numbers."""

    def __init__(self, *, is_last: bool = False) -> None:
        self._is_last = is_last

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        left, right = self.visit(node.left), self.visit(node.right)
        one, two = _parts(left), _parts(right)
        if one is None and two is None:
            return ast.BinOp(left, node.op, right)
        (n, d), (m, e) = one or (left, ast.Constant(1)), two or (right, ast.Constant(1))
        match node.op:
            case ast.Add() | ast.Sub():
                return _real(ast.BinOp(_times(n, e), node.op, _times(m, d)), _times(d, e))
            case ast.Mult():
                return _real(_times(n, m), _times(d, e))
            case ast.FloorDiv():
                return _real(_times(n, e), _times(d, m))
        return ast.BinOp(left, node.op, right)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        value = self.visit(node.operand)
        parts = _parts(value)
        if parts is None or not isinstance(node.op, ast.USub | ast.UAdd):
            return ast.UnaryOp(node.op, value)
        return _real(ast.UnaryOp(node.op, parts[0]), parts[1])

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        left, right = self.visit(node.left), self.visit(node.comparators[0])
        one, two = _parts(left), _parts(right)
        if one is not None or two is not None:
            (n, d), (m, e) = one or (left, ast.Constant(1)), two or (right, ast.Constant(1))
            left, right = _times(n, e), _times(m, d)
        return ast.Compare(left, node.ops, [right])

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        test, then, other = self.visit(node.test), self.visit(node.body), self.visit(node.orelse)
        one, two = _parts(then), _parts(other)
        if one is None and two is None:
            return ast.IfExp(test, then, other)
        (n, d), (m, e) = one or (then, ast.Constant(1)), two or (other, ast.Constant(1))
        return _real(ast.IfExp(test, n, m), ast.IfExp(test, d, e))

    def visit_Call(self, node: ast.Call) -> ast.AST:
        return _reduced_call(ast.Call(node.func, [self.visit(one) for one in node.args], []), is_last=self._is_last)


def reduced(node: ast.expr) -> ast.expr:
    """An expression in which fractions are as far out as they come."""
    found = _Reducer().visit(node)
    assert isinstance(found, ast.expr)
    return found


def finished(node: ast.expr) -> ast.expr:
    """An expression as a whole number: what C makes of it where it takes one."""
    found = _Stripper().visit(_Reducer(is_last=True).visit(as_whole(node)))
    assert isinstance(found, ast.expr)
    return found


class _Stripper(ast.NodeTransformer):
    """Leaves out conversions of what is whole anyway."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        given = [self.visit(one) for one in node.args]
        is_whole = isinstance(node.func, ast.Name) and node.func.id == _WHOLE
        return given[0] if is_whole and len(given) == 1 else ast.Call(node.func, given, [])


def _reduced_call(node: ast.Call, *, is_last: bool = False) -> ast.expr:
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    parts = _parts(node.args[0]) if node.args else None
    if name == _REAL:
        return node if parts is None else _real(parts[0], _times(parts[1], node.args[1]))
    if len(node.args) != 1 or (parts is None and not is_last):  # a name may still stand for a fraction
        return node
    if name == _WHOLE:
        return node.args[0] if parts is None else _quotient(parts)
    if name in _ROUNDED_UP:
        return _real(node.args[0] if parts is None else _up(parts), ast.Constant(1))
    if name in _ROUNDED_DOWN:
        return _real(node.args[0] if parts is None else _quotient(parts), ast.Constant(1))
    return node


def _up(parts: tuple[ast.expr, ast.expr]) -> ast.expr:
    return parts[0] if _is_one(parts[1]) else ast.Call(ast.Name("ceil_div"), [*parts], [])


def _quotient(parts: tuple[ast.expr, ast.expr]) -> ast.expr:
    return parts[0] if _is_one(parts[1]) else ast.BinOp(parts[0], ast.FloorDiv(), parts[1])


def _real(n: ast.expr, d: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(_REAL), [n, d], [])


def _parts(node: ast.AST) -> tuple[ast.expr, ast.expr] | None:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == _REAL:
        return node.args[0], node.args[1]
    return None


def _is_one(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == 1


def _times(left: ast.expr, right: ast.expr) -> ast.expr:
    return left if _is_one(right) else right if _is_one(left) else ast.BinOp(left, ast.Mult(), right)

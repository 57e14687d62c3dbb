"""Arithmetic in kernel headers, over M, N, K, the parameters and the device's limits; simpleeval evaluates it."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from functools import lru_cache

from simpleeval import InvalidExpression, NumberTooHigh, SimpleEval


class ExpressionError(ValueError):
    """An expression that cannot be evaluated; the message quotes it."""


def ceil_div(dividend: int, divisor: int) -> int:
    """The smallest whole number not below dividend / divisor."""
    return -(-dividend // divisor)


def is_power_of_two(value: int) -> bool:
    return value > 0 and value & (value - 1) == 0


FUNCTIONS: dict[str, Callable[..., object]] = {
    "ceil_div": ceil_div,
    "is_power_of_two": is_power_of_two,
    "max": max,
    "min": min,
}

_ARITHMETIC = (
    ast.Expression, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Call, ast.Name, ast.Constant,
    ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.expr_context,
)  # fmt: skip
_TOO_LARGE = 2**63
_NUMBERS = (int, float, bool)

DIMENSIONS = ("M", "N", "K")
LIMITS = ("max_threads_per_block", "shared_bytes_per_block", "max_grid_x", "max_grid_y", "compute_units")


def check_names(expression: str, known: set[str]) -> None:
    """See that an expression is arithmetic over known names.

    Raises:
        ExpressionError: it does not parse, or uses a name or function that does not exist.
    """
    try:
        tree = ast.parse(expression.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ExpressionError(f"{expression[:60]!r} is not an expression") from error
    for node in ast.walk(tree):
        if not isinstance(node, _ARITHMETIC) or (isinstance(node, ast.Constant) and type(node.value) not in _NUMBERS):
            raise ExpressionError(f"{expression!r} has something in it that is not arithmetic")
        if isinstance(node, ast.Call) and not (isinstance(node.func, ast.Name) and node.func.id in FUNCTIONS):
            raise ExpressionError(f"{expression!r} calls something other than {', '.join(sorted(FUNCTIONS))}")
        if isinstance(node, ast.Name) and node.id not in known and node.id not in FUNCTIONS:
            raise ExpressionError(f"{expression!r} uses {node.id!r}; known are {', '.join(sorted(known))}")


def evaluate(expression: str, names: Mapping[str, int]) -> object:
    """The value of an expression.

    Raises:
        ExpressionError: a division by zero, an unknown name, anything but arithmetic.
    """
    try:
        return _evaluated(expression, tuple(names.items()))
    except NumberTooHigh as error:
        raise ExpressionError(f"{expression!r} needs a number too large to compute") from error
    except (InvalidExpression, ArithmeticError, SyntaxError, TypeError, ValueError, KeyError, RecursionError) as error:
        raise ExpressionError(f"{expression!r}: {error}") from error


# Every edit of an experiment asks again how all kernels stand, and most answers stay what they were.
@lru_cache(maxsize=2048)
def _evaluated(expression: str, names: tuple[tuple[str, int], ...]) -> object:
    return SimpleEval(names=dict(names), functions=FUNCTIONS).eval(expression, _parsed(expression))


@lru_cache(maxsize=1024)
def _parsed(expression: str) -> ast.AST:
    tree: ast.AST = SimpleEval.parse(expression)
    return tree


def evaluate_whole(expression: str, names: Mapping[str, int]) -> int:
    """The value of an expression that must be a whole number.

    Raises:
        ExpressionError: it is something else, or cannot be evaluated.
    """
    value = evaluate(expression, names)
    if isinstance(value, bool) or not isinstance(value, int):
        raise ExpressionError(f"{expression!r} gives {value!r}, not a whole number")
    if abs(value) >= _TOO_LARGE:
        raise ExpressionError(f"{expression!r} gives a number of {value.bit_length()} bits, too large for any size")
    return value


def with_numbers(expression: str, names: Mapping[str, int]) -> str:
    """The expression with every name replaced by its value: "TILE * TILE <= 256" -> "32 * 32 <= 256"."""
    return re.sub(r"[A-Za-z_]\w*", lambda match: str(names.get(match[0], match[0])), expression)

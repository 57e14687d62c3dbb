"""The sizes that a description takes, in words: "M = N, K in multiples of 16"."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from gemmviz.catalogue.expressions import DIMENSIONS, FUNCTIONS, ExpressionError, evaluate, with_numbers

_COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.NotEq: "other than",
    ast.Lt: "below",
    ast.LtE: "at most",
    ast.Gt: "above",
    ast.GtE: "at least",
}
_TURNED: dict[type[ast.cmpop], str] = {ast.Lt: "above", ast.LtE: "at least", ast.Gt: "below", ast.GtE: "at most"}


def size_words(rules: Sequence[str], names: Mapping[str, int]) -> str:
    """What rules say about M, N and K; "" where they say nothing. Every other name stands with its value of `names`."""
    others = {name: value for name, value in names.items() if name not in DIMENSIONS}
    equal: list[list[str]] = []
    said: dict[str, list[str]] = {}
    for part in (part for rule in rules for part in conditions_of(with_numbers(rule, others))):
        if not dimensions_of(part):
            continue
        match part:
            case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]) if not isinstance(left, ast.BinOp):
                _join(equal, [ast.unparse(left), ast.unparse(right)])
            case _:
                subject, predicate = _said(part)
                said.setdefault(predicate, []).append(subject)
    chains = [" = ".join(sorted(chain, key=_dimensions_first)) for chain in equal]
    listed = [f"{_and(dict.fromkeys(subjects))} {predicate}".strip() for predicate, subjects in said.items()]
    return ", ".join((*chains, *listed))


def dimensions_of(node: ast.AST) -> set[str]:
    """Which of M, N and K an expression names."""
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and part.id in DIMENSIONS}


def conditions_of(rule: str) -> list[ast.expr]:
    """The conditions that a rule joins by `and`, also as a chain such as 1 <= M <= 64."""
    nodes, found = [ast.parse(" ".join(rule.split()), mode="eval").body], list[ast.expr]()
    while nodes:
        node = nodes.pop(0)
        match node:
            case ast.BoolOp(op=ast.And(), values=values):
                nodes = [*values, *nodes]
            case ast.Compare(left=left, ops=ops, comparators=comparators) if len(ops) > 1:
                sides = [left, *comparators]
                found += [ast.Compare(sides[place], [sign], [sides[place + 1]]) for place, sign in enumerate(ops)]
            case _:
                found.append(node)
    return found


def _said(node: ast.expr) -> tuple[str, str]:
    """A condition as what it is about and what is said of it: ("N", "at most 99")."""
    match node:
        case ast.Compare(left=ast.BinOp(left, ast.Mod(), right), ops=[ast.Eq()], comparators=[ast.Constant(0)]):
            return ast.unparse(left), f"in multiples of {_number(right)}"
        case ast.Compare(left=left, ops=[sign], comparators=[right]) if type(sign) in _COMPARISONS:
            if not dimensions_of(left) and type(sign) in _TURNED:
                return ast.unparse(right), f"{_TURNED[type(sign)]} {_number(left)}"
            return ast.unparse(left), f"{_COMPARISONS[type(sign)]} {_number(right)}"
        case ast.Call(func=ast.Name(id="is_power_of_two"), args=[value]):
            return ast.unparse(value), "a power of two"
        case ast.BoolOp(op=ast.Or(), values=values):
            parts = [text for value in values if (text := _without_settled(value))]
            return " or ".join(size_words([text], {}) or text for text in parts), ""
    return ast.unparse(node), ""


def _without_settled(node: ast.expr) -> str:
    """A condition without those of its parts, joined by `and`, that hold whatever the size is; "" for one that no size
    meets.
    """
    parts = conditions_of(ast.unparse(node))
    open_parts = [part for part in parts if dimensions_of(part)]
    try:
        settled = (
            [evaluate(ast.unparse(part), {}) for part in parts if part not in open_parts] if open_parts else [True]
        )
    except ExpressionError:
        return ast.unparse(node)
    left = open_parts or parts
    return ast.unparse(left[0] if len(left) == 1 else ast.BoolOp(ast.And(), left)) if all(settled) else ""


def _number(node: ast.expr) -> str:
    """One side of a comparison, worked out where it has no names: 4 * 16 is 64."""
    text = ast.unparse(node)
    if any(isinstance(part, ast.Name) and part.id not in FUNCTIONS for part in ast.walk(node)):
        return text
    try:
        return str(evaluate(text, {}))
    except ExpressionError:
        return text


def _join(chains: list[list[str]], sides: list[str]) -> None:
    """Add an equation to chains of what is equal; those that it connects become one."""
    meeting = [chain for chain in chains if set(chain) & set(sides)]
    joined = list(dict.fromkeys([*(one for chain in meeting for one in chain), *sides]))
    chains[:] = [*(chain for chain in chains if chain not in meeting), joined]


def _dimensions_first(text: str) -> int:
    return DIMENSIONS.index(text) if text in DIMENSIONS else len(DIMENSIONS)


def _and(words: Mapping[str, None]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last

"""A broken constraint as a person reads it: what is needed, and what there is instead."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from gemmviz.catalogue.expressions import FUNCTIONS, LIMITS, ExpressionError, evaluate, with_numbers
from gemmviz.domain.listing import listed

_UNITS = dict(
    zip(LIMITS, ("threads", "bytes of shared memory", "blocks in x", "blocks in y", "compute units"), strict=True)
)
_SIGNS: dict[type[ast.cmpop], str] = {
    ast.Eq: "=",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
_CEIL_DIV = re.compile(r"ceil_div\((\w+), *(\w+)\)")


def needs(rule: str, names: Mapping[str, int]) -> str:
    """A rule that does not hold for these numbers, in words: "needs M = 1, but M is 1037".

    A limit of the device stands with its number and unit: "needs TILE * TILE <= 256 threads, but 32 * 32 = 1024".
    """
    rule = " ".join(rule.split())
    words = _Words(rule, names)
    parts = words.broken(_parsed(rule))
    wanted = " and ".join(words.condition(part, is_alone=len(parts) == 1) for part in parts)
    facts = dict.fromkeys(fact for part in parts for fact in words.facts(part))
    return _CEIL_DIV.sub(r"ceil(\1 / \2)", f"needs {wanted}" + (f", but {' and '.join(facts)}" if facts else ""))


def needs_briefly(rules: Sequence[str], names: Mapping[str, int]) -> str:
    """Rules that do not hold for these numbers, as short as can be: "needs M = N = 1", "needs TILE × TILE ≤ 256"."""
    wanted: list[str] = []
    equal: dict[str, list[str]] = {}
    for rule in (" ".join(rule.split()) for rule in rules):
        words = _Words(rule, names)
        parts = words.broken(_parsed(rule))
        for part in parts:
            text = words.condition(part, is_alone=len(parts) == 1)
            for unit in _UNITS.values():
                text = text.removesuffix(f" {unit}")
            name, is_equation, value = text.partition(" = ")
            if is_equation and name.isidentifier() and value.isdecimal():
                equal.setdefault(value, []).append(name)
            else:
                wanted.append(_CEIL_DIV.sub(r"ceil(\1 / \2)", text))
    wanted = [*(" = ".join((*names, value)) for value, names in equal.items()), *wanted]
    return f"needs {', '.join(wanted)}".replace(" * ", " × ").replace(" <= ", " ≤ ").replace(" >= ", " ≥ ")


def needs_of_sizes(rules: Sequence[str], names: Mapping[str, int]) -> str:
    """What rules that do not hold for these numbers ask for: "M, N and K to be multiples of TILE"."""
    wanted: list[str] = []
    multiples: dict[str, list[str]] = {}
    for rule in (" ".join(rule.split()) for rule in rules):
        words = _Words(rule, names)
        parts = words.broken(_parsed(rule))
        for text in (words.condition(part, is_alone=len(parts) == 1) for part in parts):
            name, is_multiple, of = text.partition(" to be a multiple of ")
            if is_multiple:
                multiples.setdefault(of, []).append(name)
            else:
                wanted.append(text)
    for of, found in multiples.items():
        *first, last = found
        what = "multiples" if first else "a multiple"
        wanted.append(f"{', '.join(first)}{' and ' if first else ''}{last} to be {what} of {of}")
    return _CEIL_DIV.sub(r"ceil(\1 / \2)", ", and ".join(wanted))


def _usual(node: ast.expr) -> list[tuple[str, str]]:
    """The names and numbers of a sum that counts which of them differ, "(BM != 64) + (TM != 4)", or of what bounds it;
    [] for another expression.
    """
    match node:
        case ast.Compare(left=ast.BinOp() as left, ops=[ast.LtE()]):
            return _usual(left)
        case ast.BinOp(left, ast.Add(), right):
            first, second = _usual(left), _usual(right)
            return [*first, *second] if first and second else []
        case ast.Compare(left=ast.Name(id=name), ops=[ast.NotEq()], comparators=[ast.Constant(value=value)]):
            return [(name, str(value))]
    return []


class _Words:
    """Words for the parts of one rule."""

    def __init__(self, rule: str, names: Mapping[str, int]) -> None:
        self._rule, self._names = rule, names

    def broken(self, node: ast.expr) -> list[ast.expr]:
        """Of conditions joined by `and` those that do not hold, up to one that the others keep from being asked."""
        if not (isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And)):
            return [node]
        found: list[ast.expr] = []
        for part in node.values:
            try:
                if not evaluate(self._text(part), self._names):
                    found += self.broken(part)
            except ExpressionError:
                break
        return found

    def condition(self, node: ast.expr, *, is_alone: bool = True) -> str:
        """What must hold."""
        match node:
            case ast.BoolOp(op=ast.Or(), values=[first, *settings]) if usual := dict(_usual(first)):
                return ", or ".join([self.condition(first), *(self._setting(one, usual) for one in settings)])
            case ast.BoolOp(op=ast.Or(), values=values):
                either = " or ".join(self.condition(value) for value in values)
                return either if is_alone else f"({either})"
            case ast.BoolOp(op=ast.And()) if parts := self.broken(node):
                return " and ".join(self.condition(part, is_alone=len(parts) == 1) for part in parts)
            case ast.Compare(left=left, ops=[ast.LtE()], comparators=[right]) if others := _usual(left):
                named, numbers = [name for name, _ in others], [value for _, value in others]
                most = self._side(right)
                count = "none" if most == "0" else f"at most {most}"
                return f"{count} of {listed(named)} to differ from {listed(numbers)}"
            case ast.Call(func=ast.Name(id="is_power_of_two"), args=[value]):
                return f"{self._text(value)} to be a power of two"
            case ast.Compare(left=ast.BinOp(left, ast.Mod(), right), ops=[ast.Eq()], comparators=[ast.Constant(0)]):
                return f"{self._text(left)} to be a multiple of {self._side(right)}"
            case ast.Compare(left=left, ops=[sign], comparators=[right]):
                return f"{self._side(left)} {_SIGNS[type(sign)]} {self._side(right)}"
        return self._text(node)

    def _setting(self, node: ast.expr, usual: Mapping[str, str]) -> str:
        """Of conditions joined by `and` those that ask for another number than the usual one."""
        parts = node.values if isinstance(node, ast.BoolOp) else [node]
        texts = (self.condition(part) for part in parts)
        return " and ".join(text for text in texts if usual.get(text.partition(" = ")[0]) != text.partition(" = ")[2])

    def facts(self, node: ast.expr) -> list[str]:
        """What there is, for each part of the condition that depends on what was chosen."""
        match node:
            case ast.BoolOp(op=ast.Or(), values=[first, *_]) if _usual(first):
                return self.facts(first)
            case ast.BoolOp(op=ast.And()) if parts := self.broken(node):
                sides = parts
            case ast.BoolOp(values=values):
                sides = values
            case ast.Call(func=ast.Name(id="is_power_of_two"), args=[value]):
                return self._fact(value)
            case ast.Compare(left=ast.BinOp(left, ast.Mod(), right), ops=[ast.Eq()], comparators=[ast.Constant(0)]):
                return [*self._fact(left), *self._fact(right)]
            case ast.Compare(left=left, ops=[ast.LtE()]) if others := _usual(left):
                return [f"{name} is {self._names[name]}" for name, one in others if str(self._names[name]) != one]
            case ast.Compare(left=left, ops=[_], comparators=[right]):
                return [*self._fact(left), *self._fact(right)]
            case _:
                return [f"{name} is {self._names[name]}" for name in _named(node)]
        return [fact for side in sides for fact in self.facts(side)]

    def _fact(self, node: ast.expr) -> list[str]:
        named = _named(node)
        if not named or set(named) <= set(LIMITS):
            return []
        text = self._text(node)
        if isinstance(node, ast.Name):
            return [f"{text} is {self._names[text]}"]
        try:
            return [f"{with_numbers(text, self._names)} = {evaluate(text, self._names)}"]
        except ExpressionError:  # another part of the rule keeps this one from being asked
            return []

    def _side(self, node: ast.expr) -> str:
        """One side of a comparison; what the device alone decides as its number."""
        named, text = _named(node), self._text(node)
        if named and set(named) <= set(LIMITS):
            return f"{evaluate(text, self._names)} {_UNITS[named[0]]}"
        return text

    def _text(self, node: ast.expr) -> str:
        return _text(self._rule, node)


# The words of a rule are asked for at many sizes: its tree, and what is found in that, stay.
@lru_cache(maxsize=1024)
def _parsed(rule: str) -> ast.expr:
    return ast.parse(rule, mode="eval").body


@lru_cache(maxsize=4096)
def _text(rule: str, node: ast.expr) -> str:
    return ast.get_source_segment(rule, node) or ast.unparse(node)


@lru_cache(maxsize=4096)
def _named(node: ast.expr) -> tuple[str, ...]:
    """The names in an expression in their order, each once."""
    found = [part for part in ast.walk(node) if isinstance(part, ast.Name) and part.id not in FUNCTIONS]
    return tuple(dict.fromkeys(name.id for name in sorted(found, key=lambda name: name.col_offset)))

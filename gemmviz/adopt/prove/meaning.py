"""From what memory showed to what a person says: which matrix is A, which number is M, what lies row by row."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from gemmviz.adopt.prove.evidence import Operand, View
from gemmviz.domain.kernels.call import OPERANDS, Storage
from gemmviz.domain.terms import Element, Layout

_SIDES = {"A": ("M", "K"), "B": ("K", "N")}
_LEADING = ("lda", "ldb", "ldc")
_A_BATCHS = re.compile(r"(?i).*stride")
"""Names that may be of the distance between products of a batch, which one product does not show."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a kernel computes in the words of C[M,N] = A[M,K] · B[K,N].

    `arguments` are in the order of the parameters, `rows` and `columns` the dimensions along which the result lies in
    memory: "M" and "N" where its rows are contiguous, "N" and "M" where its columns are. `values` are the dimensions
    that numbers of the kernel give; a dimension that none gives comes from the grid alone.
    """

    arguments: tuple[str, ...]
    storages: tuple[Storage, Storage, Storage, Storage]
    rows: str
    columns: str
    values: Mapping[str, int]
    adds_to_c: bool
    times: float = 1.0
    """A constant that the product is multiplied by."""
    kept: float = 1.0
    """A constant that C is multiplied by."""


class UnclearError(Exception):
    """What memory shows has no words here; the message says what stays unclear."""


def meanings_of(
    view: View,
    numbers: Mapping[int, int],
    roles: Mapping[int, str],
    pointers: Mapping[int, str],
    elements: Mapping[int, Element],
    names: Sequence[str],
    *,
    may_have_any_rows: bool = False,
) -> list[Meaning]:
    """The meanings that a view may have, the likeliest first; of several, products of many sizes tell the right one.
    `numbers` are the values of whole-number parameters, `roles` what their names say, `pointers` what pointers are
    called, A, B or C where their names say so, `names` the names of all parameters. Numbers at places behind these are
    constants, of which some may stand for nothing. With `may_have_any_rows` the first meaning leaves open how many rows
    the result has, unless the lines of a matrix show it.

    Raises:
        UnclearError: a number stands for nothing that can be told.
    """
    turned = _is_turned(view, pointers)
    rows, columns = ("N", "M") if turned else ("M", "N")
    plain = _dimensions(view, numbers, roles, rows, columns)
    words = _Words(view, numbers, roles, names, turned)
    try:
        found = [(plain, words.arguments(plain))]
    except UnclearError:
        apart = list(_dimensions_apart(view, numbers, roles, rows, columns))
        if not apart:
            raise
        found = [(one, words.arguments(one)) for one in apart]
    if len(equal_dimensions(plain)) > 1 and view.depth not in (view.left.line, view.right.line, view.line):
        # every line has a length of its own: the one size may be K alone, and M and N come from the grid
        of_depth = {"K": view.depth}
        found.insert(0, (of_depth, words.arguments(of_depth)))
    if may_have_any_rows and rows in plain and not view.left.is_turned:
        of_any = {name: value for name, value in plain.items() if name != rows}
        found.insert(0, (of_any, words.arguments(of_any)))
    return [_meaning(view, dimensions, arguments, elements, turned) for dimensions, arguments in found]


@dataclass(frozen=True, slots=True)
class _Words:
    """What numbers of a kernel are called, given its dimensions."""

    view: View
    numbers: Mapping[int, int]
    roles: Mapping[int, str]
    names: Sequence[str]
    is_turned: bool

    def arguments(self, dimensions: Mapping[str, int]) -> list[str]:
        """The words by the places of the parameters, "" for what is no number. Raises UnclearError."""
        view, count = self.view, len(self.names)
        left, right = ("B", "A") if self.is_turned else ("A", "B")
        by_value = {value: name for name, value in dimensions.items()}
        result = ("C", view.line) if view.scaling.added in (None, view.result) else ("D", view.line)
        added = ("C", view.scaling.added_line or view.line)
        of_letters = ((left, view.left.line), (right, view.right.line), result, added)
        lines = {value: f"ld{letter.lower()}" for letter, value in of_letters if value not in by_value}
        arguments = [""] * count
        for place, value in self.numbers.items():
            if place >= count:
                continue
            role = self.roles.get(place, "")
            is_line = role.startswith("ld") or (not role and len(dimensions) == 3)
            arguments[place] = by_value.get(value) or (lines.get(value, "") if is_line else "")
            if not arguments[place] and role in _LEADING and not _A_BATCHS.match(self.names[place]):
                arguments[place] = role  # no line is so long: the kernel takes it and goes by a size
            if not arguments[place]:
                raise UnclearError(
                    f"its results are products, but do not show what {self.names[place]} stands for: say in host code "
                    "what it is given"
                )
        return arguments


def _meaning(
    view: View, dimensions: Mapping[str, int], words: Sequence[str], elements: Mapping[int, Element], is_turned: bool
) -> Meaning:
    arguments = list(words)
    left, right = ("B", "A") if is_turned else ("A", "B")
    rows, columns = ("N", "M") if is_turned else ("M", "N")
    letters = {view.left.pointer: left, view.right.pointer: right, view.result: "C"}
    if view.scaling.added is not None and view.scaling.added != view.result:
        letters |= {view.result: "D", view.scaling.added: "C"}
    for place in elements:
        arguments[place] = letters.get(place, "null")
    if view.scaling.factor is not None:
        arguments[view.scaling.factor] = "alpha"
    if view.scaling.share is not None:
        arguments[view.scaling.share] = "beta"
    result = Layout.COLUMN if is_turned else Layout.ROW
    storages = {
        left: Storage(elements[view.left.pointer], _layout(view.left, is_turned)),
        right: Storage(elements[view.right.pointer], _layout(view.right, is_turned)),
    }
    apart = (Layout.ROW if is_turned else Layout.COLUMN) if view.scaling.is_added_turned else result
    for place, letter in letters.items():
        storages.setdefault(letter, Storage(elements[place], apart if place == view.scaling.added else result))
    storages.setdefault("D", storages["C"])
    one, two, three, four = (storages[name] for name in OPERANDS)
    scaling = view.scaling
    adds = scaling.added is not None and scaling.share is None and scaling.added == view.result and scaling.kept == 1.0
    stored = (one, two, three, four)
    return Meaning(tuple(arguments), stored, rows, columns, dimensions, adds, scaling.times, scaling.kept)


def _is_turned(view: View, pointers: Mapping[int, str]) -> bool:
    """Whether the left matrix in memory is B, so that everything lies column by column: as the pointers are called, and
    else in the order of the parameters.
    """
    left, right = pointers.get(view.left.pointer, ""), pointers.get(view.right.pointer, "")
    if left != right and ("A" in (left, right) or "B" in (left, right)):
        return left == "B" or right == "A"
    return view.left.pointer > view.right.pointer


def _layout(operand: Operand, is_turned: bool) -> Layout:
    return Layout.COLUMN if operand.is_turned != is_turned else Layout.ROW


def _dimensions(
    view: View, numbers: Mapping[int, int], roles: Mapping[int, str], rows: str, columns: str
) -> dict[str, int]:
    """The values of K, of the result's columns and of its rows, as far as numbers of the kernel give them."""
    leading = {numbers[place] for place, role in roles.items() if role.startswith("ld") and place in numbers}
    tiles = {numbers[place] for place, role in roles.items() if role == "tile" and place in numbers}
    sizes = [value for value in dict.fromkeys(numbers.values()) if value not in leading | tiles]
    found = {"K": view.depth} if view.depth in sizes else {}
    if view.line in sizes:
        found[columns] = view.line
    if view.left.is_turned and view.left.line in sizes:
        found[rows] = view.left.line
    if len(sizes) == 1:
        return {"M": sizes[0], "N": sizes[0], "K": sizes[0]} if view.depth == sizes[0] else found
    left_over = [value for value in sizes if value not in found.values()]
    named = {role: numbers[place] for place, role in roles.items() if role in (rows, columns, "K") and place in numbers}
    for name in (rows, columns, "K"):
        if name not in found and named.get(name) in left_over:
            found[name] = named[name]
            left_over.remove(named[name])
    for name in (rows, columns, "K"):
        if name not in found and left_over:
            found[name] = left_over.pop(0)
    return found


def _dimensions_apart(
    view: View, numbers: Mapping[int, int], roles: Mapping[int, str], rows: str, columns: str
) -> Iterator[dict[str, int]]:
    """Dimensions where no line is as long as the matrix is wide, because each has a number of its own: rows and columns
    are then the two numbers that no line shows, in either order unless they are called so.
    """
    sizes = dict.fromkeys(value for place, value in numbers.items() if not roles.get(place, "").startswith("ld"))
    spare = [one for one in sizes if one not in (view.depth, view.left.line, view.right.line, view.line)]
    if len(spare) != 2 or view.depth not in sizes:
        return
    called = {role: numbers[place] for place, role in roles.items() if place in numbers}
    ways = [dict(zip(names, spare, strict=True)) for names in (("M", "N"), ("N", "M"))]
    as_called = [way for way in ways if any(called.get(name) == value for name, value in way.items())]
    for way in as_called if len(as_called) == 1 else ways:
        yield {"K": view.depth, columns: way[columns], rows: way[rows]}


def equal_dimensions(values: Mapping[str, int]) -> tuple[tuple[str, str], ...]:
    """Pairs of dimensions that one number of the kernel gives: it takes only sizes where they are equal."""
    first: dict[int, str] = {}
    found = []
    for name in ("M", "N", "K"):
        if name in values:
            one = first.setdefault(values[name], name)
            if one != name:
                found.append((one, name))
    return tuple(found)

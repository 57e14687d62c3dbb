"""Types of variables as the scalars that they are made of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import prod

from gemmviz.domain.variables import Scalar
from gemmviz.machine.debug_info.entries import Attribute, Entries, Entry, Tag
from gemmviz.machine.debug_info.reader import Reader
from gemmviz.machine.debug_info.sections import DebugInfoError, Section

MOST_SCALARS = 256
"""Of one variable."""
_MOST_TYPES = 32
"""Types that a type is made of, one within the other."""
_SKIPPED = {Tag.CONSTANT: "const ", Tag.VOLATILE: "volatile ", Tag.RESTRICT: "", Tag.TYPEDEF: ""}
_POINTERS = {Tag.POINTER: " *", Tag.REFERENCE: " &", Tag.RVALUE_REFERENCE: " &&"}
_AGGREGATES = (Tag.STRUCTURE, Tag.CLASS)
_POINTER_BYTES = 8
_FORMATS = {"__half": Scalar.HALF, "__nv_bfloat16": Scalar.BFLOAT16}
"""Structures of the CUDA headers that stand for a number."""
_PLUS_CONSTANT = 0x23


class NotShownError(Exception):
    """A type whose values are not shown; the message says why."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """Scalars of one kind that lie one behind the other: of `path` within the variable ("", ".v.x"), `offset` bytes
    from its beginning, with `shape` as an array of them, () for one alone.
    """

    path: str
    type: str
    scalar: Scalar
    nbytes: int
    offset: int
    shape: tuple[int, ...] = ()

    @property
    def count(self) -> int:
        return prod(self.shape)


def type_name(entries: Entries, entry: Entry | None) -> str:
    """What the source calls a type, as far as it is known: "float[4][4]", "const float *"."""
    words, sizes = "", ""
    for _ in range(_MOST_TYPES):
        if entry is None:
            return f"void{words}{sizes}"
        if entry.tag in _POINTERS:
            words = _POINTERS[Tag(entry.tag)] + words
        elif entry.tag == Tag.ARRAY:
            sizes += "".join(f"[{'' if size is None else size}]" for size in _sizes(entry))
        elif entry.tag == Tag.TYPEDEF and entry.word(Attribute.NAME):
            return f"{entry.word(Attribute.NAME)}{words}{sizes}"
        elif entry.tag in _SKIPPED:
            return f"{_SKIPPED[Tag(entry.tag)]}{type_name_of_next(entries, entry, words, sizes)}"
        else:
            return f"{entry.word(Attribute.NAME) or 'a type without a name'}{words}{sizes}"
        entry = entries.referred(entry, Attribute.TYPE)
    raise DebugInfoError(f"a type of the debug information has more than {_MOST_TYPES} parts")


def type_name_of_next(entries: Entries, entry: Entry, words: str, sizes: str) -> str:
    """The name of what an entry refers to, with what stands behind it."""
    return f"{type_name(entries, entries.referred(entry, Attribute.TYPE))}{words}{sizes}"


def leaves_of(entries: Entries, entry: Entry | None) -> tuple[Leaf, ...]:
    """The scalars of a type, in the order of their places.

    Raises:
        NotShownError: it is of a kind that is not shown, or has too many scalars.
        DebugInfoError: the debug information is damaged.
    """
    found: list[Leaf] = []
    for leaf in _leaves(entries, entry, 0):
        found.append(leaf)
        if sum(one.count for one in found) > MOST_SCALARS:
            raise NotShownError(f"it has more than {MOST_SCALARS} values")
    return tuple(found)


def _leaves(entries: Entries, entry: Entry | None, depth: int) -> Iterator[Leaf]:
    if depth > _MOST_TYPES:
        raise DebugInfoError(f"a type of the debug information has more than {_MOST_TYPES} parts")
    if entry is None:
        raise NotShownError("its type is not known")
    name = entry.word(Attribute.NAME)
    if entry.tag in _SKIPPED:
        yield from _leaves(entries, entries.referred(entry, Attribute.TYPE), depth + 1)
    elif entry.tag in _POINTERS:
        yield Leaf("", type_name(entries, entry), Scalar.POINTER, _POINTER_BYTES, 0)
    elif entry.tag == Tag.BASE_TYPE:
        yield _base(entry, name)
    elif entry.tag == Tag.ENUMERATION:
        yield Leaf("", name or "enum", Scalar.SIGNED, _size(entry, (1, 2, 4, 8)), 0)
    elif entry.tag == Tag.ARRAY:
        yield from _elements(entries, entry, depth)
    elif entry.tag in _AGGREGATES and name in _FORMATS:
        yield Leaf("", name, _FORMATS[name], _size(entry, (2,)), 0)
    elif entry.tag in _AGGREGATES:
        for member in entry.children:
            if member.tag in (Tag.MEMBER, Tag.INHERITANCE):
                yield from _member(entries, member, depth)
    elif entry.tag == Tag.UNION:
        raise NotShownError("unions are not shown")
    else:
        raise NotShownError("values of its type are not shown")


def _base(entry: Entry, name: str) -> Leaf:
    encoding = entry.number(Attribute.ENCODING)
    scalar = {
        0x02: Scalar.BOOLEAN, 0x04: Scalar.FLOAT, 0x05: Scalar.SIGNED, 0x06: Scalar.SIGNED, 0x07: Scalar.UNSIGNED,
        0x08: Scalar.UNSIGNED,
    }.get(encoding or 0)  # fmt: skip
    if scalar is None:
        raise NotShownError(f"values of the type {name} are not shown")
    return Leaf("", name, scalar, _size(entry, (4, 8) if scalar is Scalar.FLOAT else (1, 2, 4, 8)), 0)


def _size(entry: Entry, sizes: tuple[int, ...]) -> int:
    size = entry.number(Attribute.BYTES)
    if size not in sizes:
        raise NotShownError(f"its type has {size} bytes")
    return size


def _sizes(entry: Entry) -> list[int | None]:
    """The sizes of an array, None where the compiler does not know one."""
    found: list[int | None] = []
    for one in entry.children:
        if one.tag == Tag.SUBRANGE:
            last = one.number(Attribute.UPPER_BOUND)
            count = one.number(Attribute.COUNT)
            found.append(count if last is None else last + 1)
    return found


def _elements(entries: Entries, entry: Entry, depth: int) -> Iterator[Leaf]:
    sizes = _sizes(entry)
    if not sizes or any(size is None or size < 1 for size in sizes):
        raise NotShownError("the compiler does not tell its size")
    shape = tuple(size for size in sizes if size is not None)
    if prod(shape) > MOST_SCALARS:
        raise NotShownError(f"it has more than {MOST_SCALARS} values")
    of = entries.referred(entry, Attribute.TYPE)
    inner = tuple(_leaves(entries, of, depth + 1))
    if len(inner) == 1 and not inner[0].path:
        yield replace(inner[0], type=type_name(entries, entry), shape=(*shape, *inner[0].shape))
        return
    stride = _bytes_of(entries, of)
    for number in range(prod(shape)):
        at, rest = "", number
        for size in reversed(shape):
            at, rest = f"[{rest % size}]{at}", rest // size
        for leaf in inner:
            yield replace(leaf, path=f"{at}{leaf.path}", offset=number * stride + leaf.offset)


def _bytes_of(entries: Entries, entry: Entry | None) -> int:
    for _ in range(_MOST_TYPES):
        if entry is None:
            break
        size = entry.number(Attribute.BYTES)
        if size is not None:
            return size
        entry = entries.referred(entry, Attribute.TYPE)
    raise NotShownError("the compiler does not tell the size of its elements")


def _member(entries: Entries, member: Entry, depth: int) -> Iterator[Leaf]:
    if Attribute.BIT_SIZE in member.attributes:
        raise NotShownError("bit fields are not shown")
    if Attribute.EXTERNAL in member.attributes or Attribute.DECLARATION in member.attributes:
        return  # a static member lies elsewhere
    offset = _member_offset(member)
    name = member.word(Attribute.NAME)
    path = "" if member.tag == Tag.INHERITANCE or not name else f".{name}"
    for leaf in _leaves(entries, entries.referred(member, Attribute.TYPE), depth + 1):
        yield replace(leaf, path=f"{path}{leaf.path}", offset=offset + leaf.offset)


def _member_offset(member: Entry) -> int:
    place = member.attributes.get(Attribute.MEMBER_PLACE, 0)
    if isinstance(place, int):
        return place
    if isinstance(place, Section):
        reader = Reader(place)
        if reader.number(1) == _PLUS_CONSTANT:
            return reader.leb()
    raise NotShownError("the compiler does not tell where its members lie")

"""Types of variables as the scalars that they are made of."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from math import prod

from gemmviz.domain.recordings.variables import Scalar
from gemmviz.machine.debug_info.entries import Attribute, DebugEntry, DebugTag, Entries
from gemmviz.machine.debug_info.reader import Reader
from gemmviz.machine.debug_info.sections import DebugInfoError, SectionBytes

MOST_SCALARS = 256
"""Of one variable."""
_MOST_TYPES = 32
"""Types that a type is made of, one within the other."""
_MOST_ENTRIES = 4096
"""Entries that are looked at for one variable."""
_QUALIFIERS = {DebugTag.CONSTANT: "const ", DebugTag.VOLATILE: "volatile ", DebugTag.RESTRICT: ""}
_POINTERS = {DebugTag.POINTER: " *", DebugTag.REFERENCE: " &", DebugTag.RVALUE_REFERENCE: " &&"}
_AGGREGATES = (DebugTag.STRUCTURE, DebugTag.CLASS)
_POINTER_BYTES = 8
_FORMATS = {"__half": Scalar.HALF, "__nv_bfloat16": Scalar.BFLOAT16}
"""Structures of the CUDA headers that stand for a number."""
_PLUS_CONSTANT = 0x23


class NotShownError(Exception):
    """A type whose values are not shown; the message says why."""


@dataclass(frozen=True, slots=True)
class ScalarLeaf:
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


def type_name(entries: Entries, entry: DebugEntry | None) -> str:
    """What the source calls a type, as far as it is known: "float[4][4]", "const float *".

    Raises:
        DebugInfoError: the type is made of itself.
    """
    before = behind = sizes = ""
    for _ in range(_MOST_TYPES):
        if entry is None:
            return f"{before}void{behind}{sizes}"
        name = entry.word(Attribute.NAME)
        if entry.tag in _POINTERS:
            behind, before = f"{_POINTERS[DebugTag(entry.tag)]}{before.strip()}{behind}", ""
        elif entry.tag == DebugTag.ARRAY:
            sizes += "".join(f"[{'' if size is None else size}]" for size in _sizes(entry))
        elif entry.tag in _QUALIFIERS:
            before += _QUALIFIERS[DebugTag(entry.tag)]
        elif name.startswith("_Z"):
            return f"{before}a lambda{behind}{sizes}"
        else:
            return f"{before}{name or 'a type without a name'}{behind}{sizes}"
        entry = entries.referred(entry, Attribute.TYPE)
    raise _endless()


def _endless() -> DebugInfoError:
    return DebugInfoError(f"a type of the debug information has more than {_MOST_TYPES} parts")


def leaves_of(entries: Entries, entry: DebugEntry | None) -> tuple[ScalarLeaf, ...]:
    """The scalars of a type, in the order of their places.

    Raises:
        NotShownError: it is of a kind that is not shown, or has too many scalars.
        DebugInfoError: the debug information is damaged.
    """
    found = _Leaves(entries).of(entry, 0)
    if sum(one.count for one in found) > MOST_SCALARS:
        raise NotShownError(f"more than {MOST_SCALARS} values")
    return tuple(found)


@dataclass(slots=True)
class _Leaves:
    """Takes a type apart; `left` is how many entries may still be looked at."""

    entries: Entries
    left: int = _MOST_ENTRIES

    def of(self, entry: DebugEntry | None, depth: int) -> list[ScalarLeaf]:
        """The scalars of a type that is `depth` types deep within another."""
        self.left -= 1
        if depth > _MOST_TYPES:
            raise _endless()
        if self.left < 0:
            raise NotShownError(f"more than {MOST_SCALARS} values")
        if entry is None:
            raise NotShownError("its type is not known")
        name = entry.word(Attribute.NAME)
        if entry.tag in _QUALIFIERS or entry.tag == DebugTag.TYPEDEF:
            return self.of(self.entries.referred(entry, Attribute.TYPE), depth + 1)
        if entry.tag in _POINTERS:
            return [ScalarLeaf("", type_name(self.entries, entry), Scalar.POINTER, _POINTER_BYTES, 0)]
        if entry.tag == DebugTag.BASE_TYPE:
            return [_base(entry, name)]
        if entry.tag == DebugTag.ENUMERATION:
            return [ScalarLeaf("", name or "enum", Scalar.SIGNED, _size(entry, (1, 2, 4, 8)), 0)]
        if entry.tag == DebugTag.ARRAY:
            return self._elements(entry, depth)
        if entry.tag in _AGGREGATES and name in _FORMATS:
            return [ScalarLeaf("", name, _FORMATS[name], _size(entry, (2,)), 0)]
        if entry.tag in _AGGREGATES:
            members = (one for one in entry.children if one.tag in (DebugTag.MEMBER, DebugTag.INHERITANCE))
            return [leaf for one in members for leaf in self._member(one, depth)]
        raise NotShownError("a union" if entry.tag == DebugTag.UNION else "of a type that is not read")

    def _elements(self, entry: DebugEntry, depth: int) -> list[ScalarLeaf]:
        sizes = _sizes(entry)
        if not sizes or any(size is None or size < 1 for size in sizes):
            raise NotShownError("the compiler does not tell its size")
        shape = tuple(size for size in sizes if size is not None)
        of = self.entries.referred(entry, Attribute.TYPE)
        inner = self.of(of, depth + 1)
        if prod(shape) * max(len(inner), 1) > MOST_SCALARS:
            raise NotShownError(f"more than {MOST_SCALARS} values")
        if len(inner) == 1 and not inner[0].path:
            return [replace(inner[0], type=type_name(self.entries, entry), shape=(*shape, *inner[0].shape))]
        stride = bytes_of(self.entries, of)
        found: list[ScalarLeaf] = []
        for number, place in enumerate(product(*map(range, shape))):
            at = "".join(f"[{one}]" for one in place)
            found += [replace(leaf, path=f"{at}{leaf.path}", offset=number * stride + leaf.offset) for leaf in inner]
        return found

    def _member(self, member: DebugEntry, depth: int) -> list[ScalarLeaf]:
        if Attribute.BIT_SIZE in member.attributes:
            raise NotShownError("it has bit fields")
        if Attribute.EXTERNAL in member.attributes or Attribute.DECLARATION in member.attributes:
            return []  # a static member lies elsewhere
        offset, name = _member_offset(member), member.word(Attribute.NAME)
        path = "" if member.tag == DebugTag.INHERITANCE or not name else f".{name}"
        inner = self.of(self.entries.referred(member, Attribute.TYPE), depth + 1)
        return [replace(leaf, path=f"{path}{leaf.path}", offset=offset + leaf.offset) for leaf in inner]


def _base(entry: DebugEntry, name: str) -> ScalarLeaf:
    encoding = entry.number(Attribute.ENCODING)
    scalar = {
        0x02: Scalar.BOOLEAN,
        0x04: Scalar.FLOAT,
        0x05: Scalar.SIGNED,
        0x06: Scalar.SIGNED,
        0x07: Scalar.UNSIGNED,
        0x08: Scalar.UNSIGNED,
    }.get(encoding or 0)
    if scalar is None:
        raise NotShownError(f"of the type {name}")
    return ScalarLeaf("", name, scalar, _size(entry, (4, 8) if scalar is Scalar.FLOAT else (1, 2, 4, 8)), 0)


def _size(entry: DebugEntry, sizes: tuple[int, ...]) -> int:
    size = entry.number(Attribute.BYTES)
    if size not in sizes:
        raise NotShownError(f"its type has {size} bytes")
    return size


def _sizes(entry: DebugEntry) -> list[int | None]:
    """The sizes of an array, None where the compiler does not know one."""
    found: list[int | None] = []
    for one in entry.children:
        if one.tag == DebugTag.SUBRANGE:
            last = one.number(Attribute.UPPER_BOUND)
            count = one.number(Attribute.COUNT)
            found.append(count if last is None else last + 1)
    return found


def bytes_of(entries: Entries, entry: DebugEntry | None) -> int:
    """The bytes that a variable of a type takes.

    Raises:
        NotShownError: the compiler does not tell.
    """
    count = 1
    for _ in range(_MOST_TYPES):
        if entry is None:
            break
        size = _POINTER_BYTES if entry.tag in _POINTERS else entry.number(Attribute.BYTES)
        if size is not None:
            return count * size
        if entry.tag == DebugTag.ARRAY:
            sizes = _sizes(entry)
            if not sizes or None in sizes:
                break
            count *= prod(one for one in sizes if one is not None)
        entry = entries.referred(entry, Attribute.TYPE)
    raise NotShownError("the compiler does not tell its size")


def _member_offset(member: DebugEntry) -> int:
    place = member.attributes.get(Attribute.MEMBER_PLACE, 0)
    if isinstance(place, int):
        return place
    if isinstance(place, SectionBytes):
        reader = Reader(place)
        if reader.number(1) == _PLUS_CONSTANT:
            return reader.leb()
    raise NotShownError("the compiler does not tell where its members lie")

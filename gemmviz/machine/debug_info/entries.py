"""The entries of the section .debug_info: a tree of tags with attributes (DWARF 4, chapter 7.5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum

from gemmviz.machine.debug_info.reader import Reader
from gemmviz.machine.debug_info.sections import DebugInfoError, SectionBytes, Symbol

Value = int | str | Symbol | SectionBytes
_DEEPEST = 64
"""Entries within each other."""
_VERSIONS = range(2, 5)


class DebugTag(IntEnum):
    """What an entry describes, of those that are looked at."""

    ARRAY = 0x01
    CLASS = 0x02
    ENUMERATION = 0x04
    PARAMETER = 0x05
    LEXICAL_BLOCK = 0x0B
    MEMBER = 0x0D
    POINTER = 0x0F
    REFERENCE = 0x10
    STRUCTURE = 0x13
    TYPEDEF = 0x16
    UNION = 0x17
    INHERITANCE = 0x1C
    INLINED = 0x1D
    SUBRANGE = 0x21
    BASE_TYPE = 0x24
    CONSTANT = 0x26
    FUNCTION = 0x2E
    VARIABLE = 0x34
    VOLATILE = 0x35
    RESTRICT = 0x37
    RVALUE_REFERENCE = 0x42


class Attribute(IntEnum):
    """What an entry says, of what is looked at."""

    LOCATION = 0x02
    NAME = 0x03
    BYTES = 0x0B
    LOW = 0x11
    HIGH = 0x12
    CONSTANT_VALUE = 0x1C
    UPPER_BOUND = 0x2F
    ORIGIN = 0x31
    ARTIFICIAL = 0x34
    COUNT = 0x37
    MEMBER_PLACE = 0x38
    LINE = 0x3B
    ENCODING = 0x3E
    DECLARATION = 0x3C
    EXTERNAL = 0x3F
    SPECIFICATION = 0x47
    TYPE = 0x49
    CALL_FILE = 0x58
    CALL_LINE = 0x59
    BIT_SIZE = 0x0D
    LINKAGE_NAME = 0x6E
    MIPS_LINKAGE_NAME = 0x2007


@dataclass(slots=True, eq=False)
class DebugEntry:
    """A tag with its attributes and the entries within it; `offset` is what others refer to it by."""

    tag: int
    offset: int
    attributes: dict[int, Value]
    children: list[DebugEntry] = field(default_factory=list)

    def number(self, attribute: Attribute) -> int | None:
        """A number; None where the entry has none there."""
        found = self.attributes.get(attribute)
        return found if isinstance(found, int) else None

    def word(self, attribute: Attribute) -> str:
        """A text; "" where the entry has none there."""
        found = self.attributes.get(attribute)
        return found if isinstance(found, str) else ""


@dataclass(frozen=True, slots=True)
class Entries:
    """The entries of a text: the outermost ones, and all by their offsets."""

    units: tuple[DebugEntry, ...]
    by_offset: Mapping[int, DebugEntry]

    def referred(self, entry: DebugEntry, attribute: Attribute) -> DebugEntry | None:
        """The entry that an attribute refers to.

        Raises:
            DebugInfoError: there is none at the offset it names.
        """
        offset = entry.number(attribute)
        if offset is None:
            return None
        if offset not in self.by_offset:
            raise DebugInfoError(f"the debug information refers to byte {offset}, where nothing begins")
        return self.by_offset[offset]


def read_entries(sections: Mapping[str, SectionBytes]) -> Entries:
    """All entries of the debug sections of a text; none where it has no debug information.

    Raises:
        DebugInfoError: they are damaged, or of a version that is not read.
    """
    info = sections.get(".debug_info")
    if info is None:
        return Entries((), {})
    known: dict[int, DebugEntry] = {}
    units: list[DebugEntry] = []
    reader = Reader(info)
    while not reader.is_done():
        begin = reader.at
        length = reader.number(4)
        end = reader.at + length
        if length >= 0xFFFFFFF0 or end > reader.end:
            raise DebugInfoError(f"a unit of the debug information claims {length} bytes")
        version = reader.number(2)
        if version not in _VERSIONS:
            raise DebugInfoError(f"the debug information has version {version}: 2 to 4 are read")
        place = reader.address(4)
        abbreviations = _abbreviations(sections, place.offset if isinstance(place, Symbol) else place)
        size = reader.number(1)
        if size not in (4, 8):
            raise DebugInfoError(f"the debug information has addresses of {size} bytes")
        unit = _Unit(Reader(info, reader.at, end), begin, size, abbreviations, sections, known)
        units += unit.read()
        reader.at = end
    return Entries(tuple(units), known)


@dataclass(frozen=True, slots=True)
class _Abbreviation:
    tag: int
    has_children: bool
    forms: tuple[tuple[int, int], ...]


def _abbreviations(sections: Mapping[str, SectionBytes], at: int) -> dict[int, _Abbreviation]:
    if ".debug_abbrev" not in sections:
        raise DebugInfoError("the section .debug_abbrev is missing")
    reader = Reader(sections[".debug_abbrev"], at)
    found: dict[int, _Abbreviation] = {}
    while not reader.is_done() and (code := reader.leb()):
        tag, has_children = reader.leb(), reader.number(1) != 0
        forms: list[tuple[int, int]] = []
        while (form := (reader.leb(), reader.leb())) != (0, 0):
            forms.append(form)
        found[code] = _Abbreviation(tag, has_children, tuple(forms))
    return found


@dataclass(slots=True)
class _Unit:
    """Reads the entries of one unit, which begins at `begin`."""

    reader: Reader
    begin: int
    address_bytes: int
    abbreviations: dict[int, _Abbreviation]
    sections: Mapping[str, SectionBytes]
    known: dict[int, DebugEntry]

    def read(self) -> list[DebugEntry]:
        outermost: list[DebugEntry] = []
        within: list[DebugEntry] = []
        while not self.reader.is_done():
            offset = self.reader.at - self.begin
            code = self.reader.leb()
            if not code:
                if within:
                    within.pop()
                continue
            form = self.abbreviations.get(code)
            if form is None:
                raise DebugInfoError(f"an entry of the debug information has the unknown form {code}")
            attributes = {name: self._value(kind) for name, kind in form.forms}
            entry = DebugEntry(form.tag, self.begin + offset, attributes)
            self.known[entry.offset] = entry
            (within[-1].children if within else outermost).append(entry)
            if form.has_children:
                within.append(entry)
            if len(within) > _DEEPEST:
                raise DebugInfoError(f"the debug information nests deeper than {_DEEPEST} entries")
        return outermost

    def _value(self, form: int) -> Value:
        reader = self.reader
        match form:
            case 0x01:  # DW_FORM_addr
                return reader.address(self.address_bytes)
            case 0x0B | 0x05 | 0x06 | 0x07:  # DW_FORM_data1, 2, 4, 8
                return reader.address({0x0B: 1, 0x05: 2, 0x06: 4, 0x07: 8}[form])
            case 0x17:  # DW_FORM_sec_offset
                return reader.address(4)
            case 0x0D:  # DW_FORM_sdata
                return reader.leb(is_signed=True)
            case 0x0F:  # DW_FORM_udata
                return reader.leb()
            case 0x08:  # DW_FORM_string
                return reader.word()
            case 0x0E:  # DW_FORM_strp
                place = reader.address(4)
                return Reader(self._strings(), place.offset if isinstance(place, Symbol) else place).word()
            case 0x0C:  # DW_FORM_flag
                return reader.number(1)
            case 0x19:  # DW_FORM_flag_present
                return 1
            case 0x0A | 0x03 | 0x04:  # DW_FORM_block1, 2, 4
                return reader.part(reader.number({0x0A: 1, 0x03: 2, 0x04: 4}[form]))
            case 0x09 | 0x18:  # DW_FORM_block, DW_FORM_exprloc
                return reader.part(reader.leb())
            case 0x11 | 0x12 | 0x13 | 0x14:  # DW_FORM_ref1, 2, 4, 8
                return self.begin + reader.number(1 << form - 0x11)
            case 0x15:  # DW_FORM_ref_udata
                return self.begin + reader.leb()
            case 0x10:  # DW_FORM_ref_addr
                place = reader.address(4)
                return place.offset if isinstance(place, Symbol) else place
        raise DebugInfoError(f"the debug information has an attribute of the unknown form {form:#x}")

    def _strings(self) -> SectionBytes:
        if ".debug_str" not in self.sections:
            raise DebugInfoError("the section .debug_str is missing")
        return self.sections[".debug_str"]

"""Reads numbers and words from the bytes of a debug section, and never beyond their end."""

from __future__ import annotations

from gemmviz.machine.debug_info.sections import DebugInfoError, SectionBytes, Symbol

_LONGEST = 10
"""Bytes of a number of 64 bits in LEB128."""


class Reader:
    """Reads a section from `at` on, up to `end`."""

    def __init__(self, section: SectionBytes, at: int = 0, end: int | None = None) -> None:
        self._section = section
        self.at = at
        self.end = len(section.data) if end is None else min(end, len(section.data))
        if not 0 <= at <= self.end:
            raise DebugInfoError(f"the debug information refers to byte {at} of a section of {self.end}")

    def is_done(self) -> bool:
        """Whether nothing is left."""
        return self.at >= self.end

    def take(self, nbytes: int) -> bytes:
        """So many bytes.

        Raises:
            DebugInfoError: the section ends before.
        """
        if nbytes > self.end - self.at:
            raise DebugInfoError("a debug section ends too early")
        found = bytes(self._section.data[self.at : self.at + nbytes])
        self.at += nbytes
        return found

    def number(self, nbytes: int) -> int:
        """An unsigned number, little-endian."""
        return int.from_bytes(self.take(nbytes), "little")

    def address(self, nbytes: int) -> int | Symbol:
        """A number, or the symbol in its place."""
        symbol = self._section.symbols.get(self.at)
        value = self.number(nbytes)
        return value if symbol is None else symbol

    def leb(self, *, is_signed: bool = False) -> int:
        """A number in LEB128."""
        value = 0
        for place in range(_LONGEST):
            byte = self.take(1)[0]
            value |= (byte & 0x7F) << 7 * place
            if not byte & 0x80:
                return value - (1 << 7 * (place + 1)) if is_signed and byte & 0x40 else value
        raise DebugInfoError(f"a number in the debug information has more than {_LONGEST} bytes")

    def word(self) -> str:
        """A text that ends with a zero byte."""
        end = self._section.data.find(0, self.at, self.end)
        if end < 0:
            raise DebugInfoError("a name in the debug information has no end")
        found = self._section.data[self.at : end].decode(errors="replace")
        self.at = end + 1
        return found

    def part(self, nbytes: int) -> SectionBytes:
        """So many bytes as a section of their own."""
        begin = self.at
        data = bytearray(self.take(nbytes))
        symbols = self._section.symbols
        return SectionBytes(data, {at - begin: symbols[at] for at in range(begin, begin + nbytes) if at in symbols})

"""Types in the names that compilers give to C++ functions (Itanium C++ ABI, section 5.1, "External Names")."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gemmviz.domain.kernels import parameter_types as types
from gemmviz.domain.kernels.parameter_types import ParameterType, ScalarType, Signature

_BUILTIN = {
    "v": types.VOID,
    "b": types.BOOL,
    "c": types.CHAR,
    "a": types.SIGNED_CHAR,
    "h": types.UNSIGNED_CHAR,
    "s": types.SHORT,
    "t": types.UNSIGNED_SHORT,
    "i": types.INT,
    "j": types.UNSIGNED,
    "l": types.LONG,
    "m": types.UNSIGNED_LONG,
    "x": types.LONG_LONG,
    "y": types.UNSIGNED_LONG_LONG,
    "f": types.FLOAT,
    "d": types.DOUBLE,
}
EMPTY_NAME = "gemmviz_empty"
"""Stands for a structure without members."""
_NAMED = {"__half": types.HALF, "__nv_bfloat16": types.BFLOAT16, EMPTY_NAME: types.EMPTY}
_MOST_LEVELS = 50


class MangledTypeError(ValueError):
    """A name with something in it that is not read here."""


def parameters_of_function(mangled: str, known: Sequence[str] = ()) -> Signature:
    """The parameters of a function type as it stands in a mangled name: "FvPKfiE" is `void (const float *, int)`.
    `known` are the names that stand before it there, and that may be named by their numbers.

    Raises:
        MangledTypeError: it is none, or has something in it that is not read.
    """
    reader = _Reader(mangled, [ParameterType(types.other_type(name)) for name in known])
    reader.expect("F")
    reader.type()
    found: list[ParameterType] = []
    while not reader.take("E"):
        found.append(reader.type())
    return () if [one.words for one in found] == ["void"] else tuple(found)


class _Reader:
    """Reads types one after the other; those that were read before may be named by their number."""

    def __init__(self, text: str, known: list[ParameterType]) -> None:
        self._text, self._at, self._levels = text, 0, 0
        self._known = known

    def take(self, word: str) -> bool:
        """Whether the text goes on with a word, which is then behind us."""
        if not self._text.startswith(word, self._at):
            return False
        self._at += len(word)
        return True

    def expect(self, word: str) -> None:
        """Go past a word that must be there."""
        if not self.take(word):
            raise MangledTypeError(f"{self._text!r} has no {word} at {self._at}")

    def type(self) -> ParameterType:
        """The next type."""
        self._levels += 1
        if self._levels > _MOST_LEVELS:
            raise MangledTypeError(f"{self._text!r} is nested too deeply")
        found = self._type()
        self._levels -= 1
        return found

    def _type(self) -> ParameterType:
        for letter in "PRO":
            if self.take(letter):
                inner = self.type()
                return self._remember(replace(inner, stars=inner.stars + 1))
        begin, is_const = self._at, False
        while self._text[self._at : self._at + 1] in ("r", "V", "K"):
            is_const |= self._text[self._at] == "K"
            self._at += 1
        if self._at > begin:
            inner = self.type()
            # A pointer that is itself constant points to what it pointed to before.
            return self._remember(inner if inner.is_pointer else replace(inner, is_const=is_const))
        if self._text.startswith("S", self._at) and not self._text.startswith("St", self._at):
            return self._substituted()
        letter = self._text[self._at : self._at + 1]
        if letter in _BUILTIN:
            self._at += 1
            return ParameterType(_BUILTIN[letter])
        if letter.isdigit() or letter == "N" or self._text.startswith("St", self._at):
            words = self._name()
            return self._remember(ParameterType(_NAMED.get(words, ScalarType(words, types.Kind.OTHER, 0))))
        raise MangledTypeError(f"{self._text!r} has a type at {self._at} that is not read")

    def _remember(self, one: ParameterType) -> ParameterType:
        self._known.append(one)
        return one

    def _substituted(self) -> ParameterType:
        """A type that stood there before: S_ is the first, S0_ the second."""
        end = self._text.find("_", self._at)
        digits = self._text[self._at + 1 : end]
        try:
            number = int(digits, 36) + 1 if digits else 0
            found = self._known[number]
        except (ValueError, IndexError) as error:
            raise MangledTypeError(f"{self._text!r} names a type at {self._at} that is not there") from error
        self._at = end + 1
        return found

    def _name(self) -> str:
        """A name without template arguments: `6__half`, or `N4mine4typeE`."""
        is_nested = self.take("N")
        parts = ["std"] if self.take("St") else []
        while self._text[self._at : self._at + 1].isdigit():
            end = self._at
            while self._text[end : end + 1].isdigit():
                end += 1
            length = int(self._text[self._at : end])
            parts.append(self._text[end : end + length])
            self._at = end + length
            if not is_nested:
                break
        if is_nested:
            self.expect("E")
            # Each part of a nested name can be named by a number; the last is the type itself.
            self._known += [ParameterType(types.other_type(part)) for part in parts[:-1]]
        if not parts or self._text.startswith("I", self._at):
            raise MangledTypeError(f"{self._text!r} has a name at {self._at} that is not read")
        return "::".join(parts)

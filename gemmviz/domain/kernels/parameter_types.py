"""The types that the parameters of a kernel have, as its compiled signature says."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from gemmviz.domain.terms import Element


class Kind(Enum):
    """What the bytes of a scalar mean."""

    SIGNED = "signed"
    UNSIGNED = "unsigned"
    FLOATING = "floating"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class ScalarType:
    """A type of C++ that is no pointer. `nbytes` is its size where the compiler says nothing else, 0 where that is not
    known.
    """

    words: str
    kind: Kind
    nbytes: int

    @property
    def element(self) -> Element | None:
        """The type of a matrix' elements that a pointer to this type points to; None where gemmviz makes none."""
        return _ELEMENTS.get(self.words)


@dataclass(frozen=True, slots=True)
class ParameterType:
    """A parameter as a kernel declares it, with `stars` levels of pointers: `const float *` has one."""

    scalar: ScalarType
    stars: int = 0
    is_const: bool = False
    """Whether what a pointer points to may not be changed through it."""

    @property
    def is_pointer(self) -> bool:
        return self.stars > 0

    @property
    def is_anything(self) -> bool:
        """Whether it may be a pointer as well as a number."""
        return self.scalar == ANY_64_BITS

    @property
    def words(self) -> str:
        """The type as C++ writes it: "const float *"."""
        const = "const " if self.is_const and self.is_pointer else ""
        return f"{const}{self.scalar.words}{' ' if self.stars else ''}{'*' * self.stars}"


Signature = tuple[ParameterType, ...]
"""The types of a kernel's parameters, in their order."""

BOOL = ScalarType("bool", Kind.UNSIGNED, 1)
CHAR = ScalarType("char", Kind.SIGNED, 1)
SIGNED_CHAR = ScalarType("signed char", Kind.SIGNED, 1)
UNSIGNED_CHAR = ScalarType("unsigned char", Kind.UNSIGNED, 1)
SHORT = ScalarType("short", Kind.SIGNED, 2)
UNSIGNED_SHORT = ScalarType("unsigned short", Kind.UNSIGNED, 2)
INT = ScalarType("int", Kind.SIGNED, 4)
UNSIGNED = ScalarType("unsigned int", Kind.UNSIGNED, 4)
LONG = ScalarType("long", Kind.SIGNED, 8)
UNSIGNED_LONG = ScalarType("unsigned long", Kind.UNSIGNED, 8)
LONG_LONG = ScalarType("long long", Kind.SIGNED, 8)
UNSIGNED_LONG_LONG = ScalarType("unsigned long long", Kind.UNSIGNED, 8)
HALF = ScalarType("half", Kind.FLOATING, 2)
BFLOAT16 = ScalarType("nv_bfloat16", Kind.FLOATING, 2)
FLOAT = ScalarType("float", Kind.FLOATING, 4)
DOUBLE = ScalarType("double", Kind.FLOATING, 8)
VOID = ScalarType("void", Kind.OTHER, 0)
ANY_64_BITS = ScalarType("64 bits", Kind.OTHER, 8)
"""Of a parameter that PTX says nothing of but its width: a pointer or a whole number."""

EMPTY = ScalarType("an empty structure", Kind.OTHER, 1)
"""Of a structure without members, such as a function object: whatever its byte is, it says nothing."""

_ELEMENTS = {
    HALF.words: Element.HALF,
    BFLOAT16.words: Element.BFLOAT16,
    FLOAT.words: Element.FLOAT32,
    DOUBLE.words: Element.DOUBLE,
    **dict.fromkeys(("half2", "__half2"), Element.HALF),
    **dict.fromkeys(("nv_bfloat162", "__nv_bfloat162"), Element.BFLOAT16),
    **dict.fromkeys(("float2", "float4"), Element.FLOAT32),
    **dict.fromkeys(("double2", "double4"), Element.DOUBLE),
}
"""By the words of a type; a vector holds elements of its components' type."""


def other_type(words: str) -> ScalarType:
    """A type that is none of `SCALARS`, such as a structure."""
    return ScalarType(words, Kind.OTHER, 0)

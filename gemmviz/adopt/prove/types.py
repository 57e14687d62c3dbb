"""The types of a kernel's parameters by the names that its source gives them."""

from __future__ import annotations

from collections.abc import Mapping

from gemmviz.adopt.source.kernels import SignatureParameter
from gemmviz.domain.kernels import parameter_types as types
from gemmviz.domain.kernels.parameter_types import ParameterType, ScalarType

_ALIASES: dict[str, ScalarType] = {
    "unsigned": types.UNSIGNED,
    "uint": types.UNSIGNED,
    "uint32_t": types.UNSIGNED,
    "int32_t": types.INT,
    "signed": types.INT,
    "signed int": types.INT,
    "long int": types.LONG,
    "int64_t": types.LONG_LONG,
    "uint64_t": types.UNSIGNED_LONG_LONG,
    "size_t": types.UNSIGNED_LONG,
    "ulong": types.UNSIGNED_LONG,
    "ptrdiff_t": types.LONG,
    "long long int": types.LONG_LONG,
    "unsigned long long int": types.UNSIGNED_LONG_LONG,
    "ushort": types.UNSIGNED_SHORT,
    "uint16_t": types.UNSIGNED_SHORT,
    "int16_t": types.SHORT,
    "uchar": types.UNSIGNED_CHAR,
    "uint8_t": types.UNSIGNED_CHAR,
    "int8_t": types.SIGNED_CHAR,
    "__half": types.HALF,
    "__nv_bfloat16": types.BFLOAT16,
    "bfloat16": types.BFLOAT16,
    "nv_bfloat16": types.BFLOAT16,
    "cl_float": types.FLOAT,
}
_PLAIN = (
    types.BOOL,
    types.CHAR,
    types.SIGNED_CHAR,
    types.UNSIGNED_CHAR,
    types.SHORT,
    types.UNSIGNED_SHORT,
    types.INT,
    types.UNSIGNED,
    types.LONG,
    types.UNSIGNED_LONG,
    types.LONG_LONG,
    types.UNSIGNED_LONG_LONG,
    types.HALF,
    types.BFLOAT16,
    types.FLOAT,
    types.DOUBLE,
    types.VOID,
)
_KNOWN = {**{one.words: one for one in _PLAIN}, **_ALIASES}


def parameter_type(parameter: SignatureParameter, template: Mapping[str, str]) -> ParameterType:
    """The type of a parameter; `template` has the arguments of the template by its parameters' names."""
    words = template.get(parameter.type, parameter.type)
    scalar = _KNOWN.get(words) or types.other_type(words)
    return ParameterType(scalar, int(parameter.is_pointer), parameter.is_const)


def is_plain_type(words: str) -> bool:
    """Whether a type is one of numbers, and no class of the file."""
    return words in _KNOWN

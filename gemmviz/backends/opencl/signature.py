"""The types of a kernel's parameters as an OpenCL driver tells them, with the typedefs of the source followed."""

from __future__ import annotations

import re
from typing import Any

from gemmviz.compiler.macros import macros_of
from gemmviz.domain.kernels import parameter_types as types
from gemmviz.domain.kernels.parameter_types import ParameterType, ScalarType, Signature, other_type

SIGNATURE_OPTION = "-cl-kernel-arg-info"
"""Makes a driver remember the types of parameters."""

_TYPEDEF = re.compile(r"\btypedef\s+(?P<of>[\w\s]+?)\s+(?P<name>\w+)\s*;")
_MOST_TYPEDEFS = 8
"""That stand for one another."""
_KNOWN: dict[str, ScalarType] = {
    "char": types.CHAR,
    "uchar": types.UNSIGNED_CHAR,
    "unsigned char": types.UNSIGNED_CHAR,
    "short": types.SHORT,
    "ushort": types.UNSIGNED_SHORT,
    "unsigned short": types.UNSIGNED_SHORT,
    "int": types.INT,
    "uint": types.UNSIGNED,
    "unsigned int": types.UNSIGNED,
    "unsigned": types.UNSIGNED,
    "long": types.LONG,
    "ulong": types.UNSIGNED_LONG,
    "unsigned long": types.UNSIGNED_LONG,
    "half": types.HALF,
    "float": types.FLOAT,
    "double": types.DOUBLE,
    "void": types.VOID,
}


def signature_of_kernel(kernel: Any, text: str) -> Signature | None:
    """The types of the parameters of a kernel that was built with SIGNATURE_OPTION; None where the driver tells none.
    `text` is its source.
    """
    import pyopencl as cl

    info = cl.kernel_arg_info
    aliases = {match["name"]: match["of"] for match in _TYPEDEF.finditer(text)}
    aliases |= {name: macro.text for name, macro in macros_of(text).items() if macro.parameters is None}
    found = []
    try:
        for place in range(kernel.num_args):
            words = kernel.get_arg_info(place, info.TYPE_NAME)
            is_const = bool(kernel.get_arg_info(place, info.TYPE_QUALIFIER) & cl.kernel_arg_type_qualifier.CONST)
            found.append(parameter_type(words, aliases, is_const=is_const))
    except cl.Error:
        return None
    return tuple(found)


def parameter_type(words: str, aliases: dict[str, str], *, is_const: bool) -> ParameterType:
    """The type of a parameter that a driver calls "real*"; `aliases` are what the source's own names stand for."""
    plain, stars = words.replace("*", "").strip(), words.count("*")
    for _ in range(_MOST_TYPEDEFS):
        if plain in _KNOWN or plain not in aliases:
            break
        plain = " ".join(aliases[plain].split())
    return ParameterType(_KNOWN.get(plain) or other_type(plain), stars, is_const)

"""Triton kernels: functions decorated with `triton.jit`, whose parameters are pointers, numbers and constants."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path

from gemmviz.catalogue.languages.python_functions import DecoratedFunction, function_called, functions_of
from gemmviz.catalogue.languages.row import LanguageError, LanguageRow, PreparedCall, Values
from gemmviz.domain.kernels.call import Call, CallArgument, MatrixArgument, NullArgument, NumberArgument
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Element, Language

_DECORATORS = ("triton.jit", "triton.runtime.jit.jit")
_CONSTANT = "constexpr"
_POINTERS = {Element.FLOAT32: "*fp32", Element.HALF: "*fp16", Element.BFLOAT16: "*bf16", Element.DOUBLE: "*fp64"}
DIVISOR = 16
"""Triton compiles a kernel anew for numbers that are multiples of it: see its `JITFunction`."""
MULTIPLE = f":{DIVISOR}"
"""Behind the type of such a number, and of a pointer: matrices begin at multiples of 256 bytes."""
NUM_STAGES = "NUM_STAGES"
"""The parameter of a description that Triton's compiler is told: the buffers of a pipelined loop."""


def kernels_of(text: str, path: Path | None = None) -> tuple[str, ...]:
    """The functions that `triton.jit` decorates."""
    del path
    return tuple(one.name for one in functions_of(text) if one.options_of(_DECORATORS) is not None)


def prepare(text: str, entry: str, call: Call, shape: Shape, values: Values) -> PreparedCall:
    """The call as Triton launches it: constants, and numbers that are 1, are part of the compiled kernel.

    Raises:
        LanguageError: there are other parameters than arguments, or a constant has no value.
    """
    del shape
    function = function_called(text, entry)
    given = iter(call.arguments)
    unspecialised = _unspecialised(function)
    types, arguments = [], []
    count = sum(not one.annotation.endswith(_CONSTANT) for one in function.parameters)
    if count != len(call.arguments):
        names = ", ".join(one.name for one in function.parameters if not one.annotation.endswith(_CONSTANT))
        raise LanguageError(
            f"{entry} takes {count} arguments besides its constants ({names}), but 'args' gives it "
            f"{len(call.arguments)}: write one for each, in their order"
        )
    for parameter in function.parameters:
        if parameter.annotation.endswith(_CONSTANT):
            types.append(_constant(entry, parameter.name, values, has_default=parameter.has_default))
            continue
        argument = next(given)
        kind = _type(argument, call, is_specialised=parameter.name not in unspecialised)
        types.append(kind)
        if not kind.startswith("="):
            arguments.append(argument)
    return PreparedCall(replace(call, arguments=tuple(arguments)), tuple(types))


def _constant(entry: str, name: str, values: Values, *, has_default: bool) -> str:
    if name in values:
        return f"={values[name]}"
    if has_default:
        return ""
    raise LanguageError(
        f"{entry} has a constant {name}, of which nothing is said: give it as a parameter, [params.{name}] with its "
        "choices, or compute it in [defines]"
    )


def _type(argument: CallArgument, call: Call, *, is_specialised: bool) -> str:
    match argument:
        case MatrixArgument(name):
            return _POINTERS[call.storage(name).element] + MULTIPLE
        case NullArgument():
            return "=None"
        case NumberArgument(value=int(value), factor=None):
            if is_specialised and value == 1:
                return "=1"
            kind = "i32" if -(2**31) <= value < 2**31 else "i64"
            return kind + (MULTIPLE if is_specialised and value % DIVISOR == 0 else "")
        case NumberArgument():
            return "fp32"
    raise LanguageError("local memory cannot be given to a Triton kernel")


def _unspecialised(function: DecoratedFunction) -> frozenset[str]:
    """The parameters that `do_not_specialize` of the decorator names."""
    words = (function.options_of(_DECORATORS) or {}).get("do_not_specialize")
    if words is None:
        return frozenset()
    try:
        named = ast.literal_eval(words)
    except ValueError as error:
        raise LanguageError("do_not_specialize has to be a list of names or places", words.lineno) from error
    order = [one.name for one in function.parameters]
    return frozenset(order[one] if isinstance(one, int) else str(one) for one in named)


def _four_warps(text: str, entry: str) -> tuple[str, ...]:
    """The block of a launch that says nothing of warps: four of them."""
    del text, entry
    return ("128",)


TRITON = LanguageRow(Language.TRITON, "a Triton kernel", kernels_of, block=_four_warps, prepare=prepare)

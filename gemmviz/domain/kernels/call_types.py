"""Whether what a kernel is given fits the types of its parameters; every fault is named before anything runs."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from gemmviz.domain.kernels.call import (
    TYPE_WORDS,
    Call,
    CallArgument,
    Factor,
    LocalArgument,
    MatrixArgument,
    NullArgument,
    NumberArgument,
)
from gemmviz.domain.kernels.parameter_types import EMPTY, Kind, ParameterType
from gemmviz.domain.terms import Element

ONLY_BUFFERS = (
    "images, samplers, pipes and queues of OpenCL are not supported, on any device, since gemmviz gives a kernel "
    "buffers and numbers only: use buffers"
)
_NO_BUFFER = re.compile(r"(?:const )?(?:image[123]d\w*_t|sampler_t|pipe\b.*)")


class CallTypeError(ValueError):
    """Arguments that do not fit a kernel's parameters; the message names the parameter, its type and the remedy."""


def fitted(call: Call, parameters: Sequence[ParameterType], entry: str) -> Call:
    """The call with its numbers as the parameters hold them: of a `float` alpha = 0.1 the nearest float32.

    Raises:
        CallTypeError: there are other parameters, or one is of another type than what it is given.
    """
    for number, parameter in enumerate(parameters, 1):
        if _NO_BUFFER.fullmatch(parameter.words):
            raise CallTypeError(f"parameter {number} of {entry}, `{parameter.words}`: {ONLY_BUFFERS}")
    if len(call.arguments) != len(parameters):
        taken = ", ".join(parameter.words for parameter in parameters) or "nothing"
        raise CallTypeError(
            f"{entry} takes {_count(len(parameters), 'parameter')} ({taken}), but 'args' gives it "
            f"{len(call.arguments)}: write one argument for each parameter, in their order"
        )
    held = tuple(
        _held(argument, parameter, call, f"parameter {number} of {entry}, `{parameter.words}`,")
        for number, (argument, parameter) in enumerate(zip(call.arguments, parameters, strict=True), 1)
    )
    factors = {one.factor: float(one.value) for one in held if isinstance(one, NumberArgument) and one.factor}
    alpha, beta = factors.get(Factor.ALPHA, call.alpha), factors.get(Factor.BETA, call.beta)
    return replace(call, arguments=held, alpha=alpha, beta=beta)


def _held(argument: CallArgument, parameter: ParameterType, call: Call, which: str) -> CallArgument:
    if parameter.is_anything and not isinstance(argument, NumberArgument):
        return argument
    match argument:
        case MatrixArgument(name):
            _check_matrix(name, parameter, call, which)
        case NumberArgument():
            return replace(argument, value=_number(argument, parameter, which))
        case NullArgument():
            if not parameter.is_pointer:
                raise CallTypeError(f"{which} is no pointer, but 'args' gives it null: give it a number")
        case LocalArgument():
            if not parameter.is_pointer:
                raise CallTypeError(f"{which} is no pointer, but 'args' gives it local memory: give it a number")
    return argument


def _check_matrix(name: str, parameter: ParameterType, call: Call, which: str) -> None:
    if not parameter.is_pointer:
        raise CallTypeError(f"{which} is no pointer, but 'args' gives it the matrix {name}: check the order of 'args'")
    wanted, given = parameter.scalar.element, call.storage(name).element
    is_anything = parameter.scalar.words == "void" and parameter.stars == 1
    if is_anything or (parameter.stars == 1 and wanted is given):
        pass
    elif parameter.stars > 1 or wanted is None:
        known = ", ".join(TYPE_WORDS.values())
        raise CallTypeError(
            f"{which} points to something else than the elements of a matrix, but 'args' gives it {name}: "
            f"matrices have elements of {known}"
        )
    else:
        raise CallTypeError(
            f"{which} points to {TYPE_WORDS[wanted]}, but the elements of {name} are {TYPE_WORDS[given]}: say "
            f'type = "{TYPE_WORDS[wanted]}" in [operands.{name}]'
        )
    if name == call.result and parameter.is_const:
        raise CallTypeError(
            f"{which} points to what it may not change, but 'args' gives it {name}, the result: check the order of "
            "'args'"
        )


def _number(argument: NumberArgument, parameter: ParameterType, which: str) -> int | float:
    scalar, value = parameter.scalar, argument.value
    given = argument.text if argument.text == str(value) else f"{argument.text} = {value}"
    if parameter.is_pointer:
        raise CallTypeError(f"{which} is a pointer, but 'args' gives it {given}: give it a matrix, or null")
    if scalar == EMPTY:
        if value:
            raise CallTypeError(f"{which} has no members, but 'args' gives it {given}: write 0")
        return 0
    if scalar.kind is Kind.OTHER and not parameter.is_anything:
        raise CallTypeError(f"{which} is of a type that gemmviz gives no values of")
    if scalar.kind is Kind.FLOATING:
        return _rounded(float(value), scalar.nbytes, scalar.element, f"{which} cannot hold {given}")
    if value != int(value) or (isinstance(value, float) and argument.factor is None):
        raise CallTypeError(f"{which} is a whole number, but 'args' gives it {given}: write a whole number")
    bits = 8 * scalar.nbytes
    is_bool = scalar.words == "bool"
    least = -(2 ** (bits - 1)) if scalar.kind is Kind.SIGNED else 0
    most = 1 if is_bool else 2 ** (bits - 1) - 1 if scalar.kind is Kind.SIGNED else 2**bits - 1
    if not least <= value <= most:
        raise CallTypeError(
            f"{which} holds {least} to {most}, but 'args' gives it {given}: correct 'args', or give the parameter a "
            "wider type"
        )
    return int(value)


def _rounded(value: float, nbytes: int, element: Element | None, fault: str) -> float:
    """The nearest number of a floating type.

    Raises:
        CallTypeError: it is too large for the type.
    """
    with np.errstate(over="ignore"):
        is_bfloat16 = element is Element.BFLOAT16
        rounded = as_bfloat16_value(value) if is_bfloat16 else float(np.dtype(f"f{nbytes}").type(value))
    if math.isfinite(value) and not math.isfinite(rounded):
        raise CallTypeError(f"{fault}: it is too large")
    return rounded


def as_bfloat16_value(value: float) -> float:
    """The bfloat16 number nearest to a value, ties to even."""
    bits = int(np.float32(value).view(np.uint32))
    upper = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16 << 16
    return float(np.uint32(upper & 0xFFFFFFFF).view(np.float32))


def _count(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"

"""What a launch is given, from a kernel's call and the buffers of its matrices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gemmviz.backends.base import Argument, Boxes, Buffer, Compiled, HasSignature, Local, Named
from gemmviz.catalogue.kernel import Plan, Refusal
from gemmviz.domain.call import Call, LocalArgument, MatrixArgument, NullArgument
from gemmviz.domain.call_types import CallTypeError, fitted
from gemmviz.domain.spec import TensorMap


def fitted_call(plan: Plan, compiled: Compiled, kernel_id: str) -> Call:
    """The call of a plan with its numbers as the compiled kernel's parameters hold them.

    Raises:
        Refusal: an argument does not fit the type of its parameter.
    """
    signature = compiled.signature if isinstance(compiled, HasSignature) else None
    if signature is None:
        return plan.call
    try:
        return fitted(plan.call, signature, plan.entry)
    except CallTypeError as error:
        raise Refusal(f"{kernel_id}: {error}", "arguments do not fit its parameters") from error


def launch_arguments(call: Call, buffers: Mapping[str, Buffer], maps: Sequence[TensorMap] = ()) -> tuple[Argument, ...]:
    """One argument for each parameter of the kernel, with a tensor map in the place of each pointer that the header
    asks one for. The buffers are told which matrix they hold.
    """
    for name, buffer in buffers.items():
        if isinstance(buffer, Named):
            buffer.name = name
    boxes = {one.matrix: Boxes(buffers[one.matrix], one) for one in maps}
    found: list[Argument] = []
    for argument in call.arguments:
        match argument:
            case MatrixArgument(name):
                found.append(boxes.get(name, buffers[name]))
            case NullArgument():
                found.append(None)
            case LocalArgument(nbytes):
                found.append(Local(nbytes))
            case _:
                found.append(argument.value)
    return tuple(found)

"""What a launch is given, from a kernel's call and the buffers of its matrices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gemmviz.backends.base import Argument, Boxes, Buffer, Compiled, HasSignature, Local, NamedBuffer, Source
from gemmviz.catalogue.kernel import Refusal
from gemmviz.catalogue.kernel_functions import line_of_kernel
from gemmviz.domain.kernels.call import Call, LocalArgument, MatrixArgument, NullArgument
from gemmviz.domain.kernels.call_types import CallTypeError, fitted
from gemmviz.domain.kernels.parameter_types import Signature
from gemmviz.domain.spec import TensorMap


class MisfitRefusal(Refusal):
    """What a description gives a kernel are not what its parameters take; the message names the line and the remedy."""


def fitted_call(call: Call, compiled: Compiled, source: Source) -> Call:
    """The call with its numbers as the parameters of the kernel hold them that `source` was compiled to.

    Raises:
        MisfitRefusal: an argument does not fit the type of its parameter; with the kernel's file and line.
    """
    return fitted_to(call, compiled.signature if isinstance(compiled, HasSignature) else None, source)


def fitted_to(call: Call, signature: Signature | None, source: Source) -> Call:
    """The call with its numbers as parameters of these types hold them; as it is where the types are not known.

    Raises:
        MisfitRefusal: as `fitted_call`.
    """
    if signature is None:
        return call
    try:
        return fitted(call, signature, source.entry)
    except CallTypeError as error:
        line = line_of_kernel(source.text, source.entry)
        place = f"{source.path}:{line}" if line else f"{source.path}"
        raise MisfitRefusal(f"{place}: {error}", "arguments do not fit its parameters") from error


def launch_arguments(call: Call, buffers: Mapping[str, Buffer], maps: Sequence[TensorMap] = ()) -> tuple[Argument, ...]:
    """One argument for each parameter of the kernel, with a tensor map in the place of each pointer that the header
    asks one for. The buffers are told which matrix they hold.
    """
    for name, buffer in buffers.items():
        if isinstance(buffer, NamedBuffer):
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

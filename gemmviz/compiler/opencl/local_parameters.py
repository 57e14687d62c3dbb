"""Local memory that an OpenCL launch gives to a parameter, as a shared array for a compiler of CUDA.

CUDA has no such parameters. The array is declared at the beginning of the kernel's body, under the parameter's name and
with the bytes that the launch gives; the parameter stays, without a name, and what it is given is not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from gemmviz.catalogue.kernel_functions import body_start, line_of_kernel, parameter_spans
from gemmviz.compiler.source import CompileError, Source
from gemmviz.domain.kernels.call import local_define

_LOCAL = re.compile(
    r"\s*(?:(?:const|volatile)\s+)*(?:__)?local\b(?P<type>[\w\s]*?)\*\s*(?:(?:const|volatile|restrict|__restrict)\s+)*"
    r"(?P<name>[A-Za-z_]\w*)\s*"
)
_QUALIFIER = re.compile(r"\b(?:const|volatile|restrict)\b")


@dataclass(frozen=True, slots=True)
class LocalParameter:
    """A parameter of a kernel that points to local memory: its place, counted from 1, the type that it points to, and
    where its name stands in the text.
    """

    number: int
    name: str
    type: str
    start: int
    end: int


def local_parameters(text: str, entry: str) -> Iterator[LocalParameter]:
    """The parameters of a kernel in OpenCL C that point to local memory, in their order."""
    for number, (start, end) in enumerate(parameter_spans(text, entry), 1):
        match = _LOCAL.fullmatch(text, start, end)
        if match is not None:
            kind = " ".join(_QUALIFIER.sub(" ", match["type"]).split())
            yield LocalParameter(number, match["name"], kind, *match.span("name"))


def with_local_arrays(source: Source) -> str:
    """The text of a source in OpenCL C in which each local parameter of its entry is an array of the kernel; one
    that is given 0 bytes stays a pointer. Every line stays in its place.

    Raises:
        CompileError: a local parameter is given no local memory, or another parameter is.
    """
    check_local_parameters(source)
    known = dict(source.defines)
    found = [*local_parameters(source.text, source.entry)]
    body = body_start(source.text, source.entry)
    text = source.text
    found = [one for one in found if known[local_define(one.number)]]
    arrays = "".join(_array(one, known[local_define(one.number)]) for one in found)
    text = f"{text[:body]}{arrays}{text[body:]}" if arrays else text
    for one in reversed(found):
        text = f"{text[: one.start]}{' ' * (one.end - one.start)}{text[one.end :]}"
    return text


def _array(one: LocalParameter, nbytes: int) -> str:
    size = f"sizeof({one.type})"
    return f" __shared__ __align__(16) {one.type} {one.name}[({nbytes} + {size} - 1) / {size}];"


def check_local_parameters(source: Source) -> None:
    """See that each local parameter of a source's entry is given local memory, and no other parameter is.

    Raises:
        CompileError: one is not, or another is; with the kernel's line.
    """
    known, found = dict(source.defines), [*local_parameters(source.text, source.entry)]
    numbers = {one.number for one in found}
    place = f"{source.path}:{line_of_kernel(source.text, source.entry)}"
    for one in found:
        if local_define(one.number) not in known:
            raise CompileError(
                f"{place}: parameter {one.number} of {source.entry}, '{one.name}', is local memory: give it "
                "local(BYTES) in 'args', with the bytes that a block needs"
            )
    for number in range(1, len(parameter_spans(source.text, source.entry)) + 1):
        if local_define(number) in known and number not in numbers:
            raise CompileError(
                f"{place}: parameter {number} of {source.entry} is given local memory in 'args', but is no "
                "`__local` pointer: give it what it takes"
            )

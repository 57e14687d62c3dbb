"""What stands in a PTX file: its kernels, as far as one has to know them before they are run."""

from __future__ import annotations

import re
from math import prod

from gemmviz.adopt.source.kernels import MOST_KERNELS, MOST_PARAMETERS, FoundKernel, SignatureParameter
from gemmviz.adopt.source.launches import FoundLaunch
from gemmviz.adopt.source.names import Names
from gemmviz.adopt.source.read import FoundSource
from gemmviz.adopt.source.tree import SourceError
from gemmviz.catalogue.languages.ptx import block_of, kernels_of, needs_block, plain
from gemmviz.compiler.ptx.types import pointed_to, signature_of_ptx
from gemmviz.domain.kernels.parameter_types import ParameterType

_UNENDED = re.compile(
    r"[^\s;{}:,(\[|](?P<end>)[ \t]*\n\s*"
    r"(?:[\w$%]+\s*:(?!:)|(?:@!?%?\w+\s+)?(?:[a-z]\w*\.[a-z]|(?:ret|exit|bra|call)\b))"
)
"""An instruction or a label on a line before which an instruction has not ended."""
_LINE_DIRECTIVE = re.compile(r"^[ \t]*\.(?:loc|file)\b[^\n]*", re.MULTILINE)
_DYNAMIC = re.compile(r"\.extern\s+\.shared\b[^;]*\[\s*\]")


def read_ptx(text: str) -> FoundSource:
    """The kernels of a PTX text. A block that the text asks for is told as a launch.

    Raises:
        SourceError: the text ends within a kernel, or an instruction of it does not end.
    """
    bare = plain(text)
    names = kernels_of(text)[:MOST_KERNELS]
    if names and bare.count("{") > bare.count("}"):
        lines = bare.rstrip().count("\n") + 1
        raise SourceError(f"line {lines}: the file ends within a kernel, {names[-1]}: it was cut off; copy all of it")
    for name in names:
        if line := _unended_line(bare, name):
            raise SourceError(f"line {line}: the instruction has no semicolon behind it: write one")
    launches = tuple(_launch(text, bare, name) for name in names if needs_block(text, name))
    return FoundSource(tuple(_kernel(text, bare, name) for name in names), launches, (), Names())


def _kernel(text: str, bare: str, name: str) -> FoundKernel:
    start, body = _body_of(bare, name)
    types, elements = signature_of_ptx(text, name), pointed_to(text, name)
    most = block_of(text, name)
    parameters = [_parameter(place, one, elements[place]) for place, one in enumerate(types)]
    return FoundKernel(
        name=name,
        line=bare.count("\n", 0, max(0, start)) + 1,
        template=(),
        parameters=tuple(parameters[:MOST_PARAMETERS]),
        bound=str(prod(map(int, most))) if most else "",
        threads=(),
        block_axes=_axes(body, "tid"),
        grid_axes=_axes(body, "ctaid"),
        uses_block_size="%ntid" in body,
        uses_grid_size="%nctaid" in body,
        dynamic_shared="float" if _DYNAMIC.search(bare) else "",
        constants=(),
        conditions=(),
    )


def _body_of(bare: str, name: str) -> tuple[int, str]:
    """Where a kernel begins in a text without comments, and its text from there."""
    found = re.search(rf"\.entry\s+{re.escape(name)}(?![\w$])", bare)
    start = found.start() if found is not None else 0
    following = bare.find(".entry", start + 1)
    return start, bare[start : following if following > 0 else len(bare)]


def _unended_line(bare: str, name: str) -> int:
    """The line of a kernel's first instruction without a semicolon behind it; 0 where all have one."""
    start, body = _body_of(bare, name)
    begin = body.find("{") + 1
    code = _LINE_DIRECTIVE.sub(lambda line: " " * len(line[0]), body[begin:])
    found = _UNENDED.search(code)
    return bare.count("\n", 0, start + begin + found.start("end")) + 1 if found is not None else 0


def _parameter(place: int, kind: ParameterType, pointed: tuple[str, bool]) -> SignatureParameter:
    element, is_stored = pointed
    words = element if kind.is_pointer else kind.scalar.words
    return SignatureParameter(f"parameter_{place}", kind.words, words, kind.is_pointer, not is_stored)


def _axes(body: str, register: str) -> str:
    return "".join(axis for axis in "xyz" if f"%{register}.{axis}" in body)


def _launch(text: str, bare: str, name: str) -> FoundLaunch:
    """The block that `.reqntid` asks for; nothing is known of the rest of a launch."""
    line = bare.count("\n", 0, bare.find(".reqntid", bare.find(f".entry {name}"))) + 1
    return FoundLaunch(name, line, "", (), block_of(text, name), (), "0", ())

"""An OpenCL C kernel in CUDA C's words, so that one parser reads both. Lines stay where they are."""

from __future__ import annotations

import re

from gemmviz.backends.dialect.bare_code import bare_code
from gemmviz.compiler.written import Piece, WrittenText, apart, as_written

_TOKEN = re.compile(
    r"""(?P<comment>/\*.*?\*/|//[^\n]*) | (?P<text>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')
    | (?P<query>\bget_(?:global_id|local_id|group_id|local_size|num_groups|global_size)\s*\(\s*[0-2]\s*\))
    | (?P<barrier>\bbarrier\s*\([^)]*\)) | (?P<attribute>\b__attribute__\s*\(\s*\((?:[^()]|\([^()]*\))*\)\s*\))
    | (?P<word>\b[A-Za-z_]\w*\b)""",
    re.VERBOSE | re.DOTALL,
)
_WORDS = {
    "__kernel": 'extern "C" __global__',
    "kernel": 'extern "C" __global__',
    "__global": "",
    "global": "",
    "__local": "__shared__",
    "local": "__shared__",
    "__private": "",
    "private": "",
    "__constant": "const",
    "constant": "const",
    "restrict": "__restrict__",
    "uint": "unsigned",
    "uchar": "unsigned char",
}
_QUERIES = {
    "global_id": "(blockIdx.{d} * blockDim.{d} + threadIdx.{d})",
    "local_id": "threadIdx.{d}",
    "group_id": "blockIdx.{d}",
    "local_size": "blockDim.{d}",
    "num_groups": "gridDim.{d}",
    "global_size": "(gridDim.{d} * blockDim.{d})",
}


def as_cuda(text: str) -> WrittenText:
    """The source with OpenCL's keywords, queries and barriers replaced; comments and strings are left alone.

    A `__local` pointer parameter becomes dynamic shared memory only if the kernel declares it inside; other OpenCL
    functions (vload, atomics) stay. The result knows the places of the original.
    """
    written = bare_code(as_written(text))
    source = written.text.decode("latin-1")  # so that offsets are those of bytes
    pieces: list[Piece] = []
    position = 0
    for match in _TOKEN.finditer(source):
        pieces.append((written.text[position : match.start()], position, match.start()))
        pieces.append((_replacement(match).encode("latin-1"), match.start(), match.end()))
        position = match.end()
    pieces.append((written.text[position:], position, len(source)))
    return written.rewritten(apart(written.text, pieces))


def _replacement(match: re.Match[str]) -> str:
    found = match[0]
    lines = "\n" * found.count("\n")
    if match["comment"] is not None or match["text"] is not None:
        return found
    if match["query"] is not None:
        name, dimension = (part.strip() for part in found.removeprefix("get_").rstrip().rstrip(")").split("("))
        return _QUERIES[name].format(d="xyz"[int(dimension)]) + lines
    if match["barrier"] is not None:
        return "__syncthreads()" + lines
    if match["attribute"] is not None:
        return lines
    return _WORDS.get(found, found)

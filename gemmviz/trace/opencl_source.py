"""An OpenCL C kernel in CUDA C's words, so that it is recorded through the same door. Lines stay where they are."""

from __future__ import annotations

import re

_TOKEN = re.compile(
    r"""(?P<comment>/\*.*?\*/|//[^\n]*) | (?P<text>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')
    | (?P<query>\bget_(?:global_id|local_id|group_id|local_size|num_groups|global_size)\s*\(\s*[0-2]\s*\))
    | (?P<barrier>\bbarrier\s*\([^)]*\)) | (?P<attribute>\b__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\))
    | (?P<word>\b[A-Za-z_]\w*\b)""",
    re.VERBOSE | re.DOTALL,
)
_WORDS = {
    "__kernel": 'extern "C" __global__', "kernel": 'extern "C" __global__', "__global": "", "global": "",
    "__local": "__shared__", "local": "__shared__", "__private": "", "private": "", "__constant": "const",
    "constant": "const", "restrict": "__restrict__", "uint": "unsigned", "uchar": "unsigned char",
}  # fmt: skip
_QUERIES = {
    "global_id": "(blockIdx.{d} * blockDim.{d} + threadIdx.{d})",
    "local_id": "threadIdx.{d}",
    "group_id": "blockIdx.{d}",
    "local_size": "blockDim.{d}",
    "num_groups": "gridDim.{d}",
    "global_size": "(gridDim.{d} * blockDim.{d})",
}


def as_cuda(text: str) -> str:
    """The source with OpenCL's keywords, queries and barriers replaced; comments and strings are left alone.

    A `__local` pointer parameter becomes dynamic shared memory only if the kernel declares it inside; other OpenCL
    functions (vload, atomics) stay and are named as not recorded.
    """
    return _TOKEN.sub(_replacement, text)


def _replacement(match: re.Match[str]) -> str:
    found = match[0]
    lines = "\n" * found.count("\n")
    if match["comment"] is not None or match["text"] is not None:
        return found
    if match["query"] is not None:
        name, dimension = found.removeprefix("get_").rstrip(") ").split("(")
        return _QUERIES[name.strip()].format(d="xyz"[int(dimension)]) + lines
    if match["barrier"] is not None:
        return "__syncthreads()" + lines
    if match["attribute"] is not None:
        return lines
    return _WORDS.get(found, found)

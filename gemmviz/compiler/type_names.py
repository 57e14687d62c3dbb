"""Types of 16 bits that a source uses and defines nowhere: its author's program brings them from another file.

Their names stand for one type each in NVIDIA's headers, in OpenCL C, and in the code of others. A source that gives one
of the names another meaning keeps it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from gemmviz.compiler.opencl.conversions import halves_for
from gemmviz.compiler.source import Source
from gemmviz.domain.terms import Language

_SILENT = re.compile(r"/\*.*?(?:\*/|\Z)|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"", re.DOTALL)
_WORD = re.compile(r"[A-Za-z_]\w*")
_FP16, _BF16 = "cuda_fp16.h", "cuda_bf16.h"
_OF_HEADER = {
    **dict.fromkeys(("half", "half2", "__half", "__half2"), _FP16),
    **dict.fromkeys(("nv_bfloat16", "nv_bfloat162", "__nv_bfloat16", "__nv_bfloat162"), _BF16),
}
"""Names of NVIDIA's headers, by their header."""
_SHORT_FOR = {
    **dict.fromkeys(("bf16", "bfloat16"), ("__nv_bfloat16", _BF16)),
    **dict.fromkeys(("fp16", "float16"), ("__half", _FP16)),
}
"""Names that programs give these types, and the header with the type."""


def declared_types(source: Source, included: Mapping[str, str]) -> str:
    """What is put in front of a source with these `included_files`, "" for nothing: the headers and names of the types
    that it uses undefined.
    """
    if source.language is Language.OPENCL:
        return f"#include <{_FP16}>\n" if halves_for(source.text, ()) else ""
    if not source.is_foreign or source.language is not Language.CUDA:
        return ""
    text = "\n".join(_SILENT.sub(" ", one) for one in (source.text, *included.values()))
    words = _words(text)
    used = [name for name in _OF_HEADER if name in words and not _is_defined(name, name, text)]
    short = [name for name in _SHORT_FOR if name in words and not _is_defined(name, _SHORT_FOR[name][0], text)]
    headers = {*(_SHORT_FOR[name][1] for name in short), *(_OF_HEADER[name] for name in used)}
    return "".join(
        f"{line}\n"
        for line in (
            *(f"#include <{name}>" for name in sorted(headers)),
            *(f"typedef {_SHORT_FOR[name][0]} {name};" for name in short),
        )
    )


def _words(text: str) -> set[str]:
    return set(_WORD.findall(_SILENT.sub(" ", text)))


def _is_defined(name: str, usual: str, text: str) -> bool:
    """Whether a text says itself what a name is: as another type than the usual one, as a variable, or as a macro.

    The same type under a condition is no other: a name may be declared twice for one type.
    """
    same = "|".join({usual, usual.removeprefix("__")})
    rest = re.sub(rf"\btypedef\s+(?:{same})\s+{name}\s*;|\busing\s+{name}\s*=\s*(?:{same})\s*;", " ", text)
    rest = re.sub(rf"#\s*define\s+{name}\s+(?:{same})[ \t]*(?=\n|\Z)", " ", rest)
    return bool(
        re.search(rf"\b(?:struct|class|union|enum|namespace|typename|using|define|concept)\s+{name}\b", rest)
        or re.search(rf"\btypedef\b[^;]*\b{name}\s*;", rest)
        or re.search(rf"\b(?:int|bool|auto|float|unsigned|size_t)\s+{name}\b", rest)
    )

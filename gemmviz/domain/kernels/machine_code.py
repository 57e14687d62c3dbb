"""What a compiler made of a kernel, for people to read."""

from __future__ import annotations

import re
from dataclasses import dataclass

from gemmviz.domain.session.field_ranges import SourceText

_ENCODING = re.compile(r"[ \t]*/\* 0x[0-9a-f]{16} \*/[ \t]*$", re.MULTILINE)

_MARGIN = re.compile(r"^ {8}(/\*[0-9a-f]{4,}\*/) {12}|^\s+(?=//## )")


@dataclass(frozen=True, slots=True)
class MachineCode:
    """PTX and SASS of a kernel for an architecture ("sm_90") of `gpu`; `build` says how it was made and what it takes.

    `gpus` are the ids of those in the list that the kernel can be compiled for.

    `sass` is "" where no disassembler was found. `ptx_lines` and `sass_lines` have for each line of code the line of
    `source` that it comes from, 0 for none.
    """

    kernel: str
    target: str
    build: str
    ptx: SourceText
    sass: SourceText
    gpu: str = ""
    gpus: tuple[str, ...] = ()
    source: SourceText = ""
    ptx_lines: tuple[int, ...] = ()
    sass_lines: tuple[int, ...] = ()


def without_encodings(sass: str) -> str:
    """Disassembled code without the bits of each instruction and the lines that hold only those: nobody reads them.

    The wide margin before each instruction goes too.
    """
    kept = []
    for line in sass.splitlines():
        words = _MARGIN.sub(lambda match: match[1] or "", _ENCODING.sub("", line))
        if words.strip() or not line.strip():
            kept.append(words.rstrip())
    return "\n".join(kept) + "\n" if kept else ""

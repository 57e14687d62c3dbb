"""PTX modules that run forms: one kernel for many forms, which loads every operand once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from conformance_record.form import Form
from conformance_record.operands import BITS, COUNT, INPUT_BYTES, OPERAND_OFFSETS, POSITIONS, column
from conformance_record.results import Results

ENTRY = "conformance"
THREADS = 128
BLOCK, GRID = (THREADS, 1, 1), (COUNT // THREADS, 1, 1)
CELL_BYTES = 64
_UNWRITTEN = 0xAB
"""Every byte of the results before a kernel runs."""
_HEAD = ".version 8.7\n.target sm_90a\n.address_size 64\n"


def contents(forms: Iterable[Form]) -> tuple[NDArray[np.uint8], ...]:
    """What operands, results and cells, the arrays that an entry takes, hold before it runs."""
    nbytes = sum(bits // 8 * COUNT for form in forms for bits in form.results)
    return _operands(), np.full(nbytes, _UNWRITTEN, np.uint8), np.zeros(COUNT * CELL_BYTES, np.uint8)


@cache
def _operands() -> NDArray[np.uint8]:
    made = np.zeros(INPUT_BYTES, np.uint8)
    for (kind, position), offset in OPERAND_OFFSETS.items():
        words = column(kind, position).view(np.uint8)
        made[offset : offset + words.size] = words
    return made


def split_results(forms: Iterable[Form], output: NDArray[np.uint8]) -> dict[str, Results]:
    """Each form's results by its name: one array of COUNT values for each of them."""
    found: dict[str, Results] = {}
    begin = 0
    for form in forms:
        parts = []
        for bits in form.results:
            end = begin + bits // 8 * COUNT
            parts.append(output[begin:end].view(f"u{bits // 8}"))
            begin = end
        found[form.name] = parts
    return found


def module_text(forms: Sequence[Form]) -> str:
    """A PTX module whose entry runs the forms; its parameters are operands, results, and cells of global memory."""
    lines = [
        ".reg .b64 %in, %out, %cell, %wide, %shared, %at2, %at4, %at8, %of2, %of4, %of8;",
        ".reg .b32 %thread, %lane, %block, %own, %mine;",
        "ld.param.u64 %in, [p_in]; ld.param.u64 %out, [p_out]; ld.param.u64 %cell, [p_cell];",
        "mov.u32 %lane, %laneid; mov.u32 %block, %ctaid.x; mov.u32 %own, %tid.x;",
        f"mad.lo.u32 %thread, %block, {THREADS}, %own;",
        f"mad.wide.u32 %cell, %thread, {CELL_BYTES}, %cell;",
        "mov.u32 %mine, cells; mad.lo.u32 %mine, %own, 16, %mine;",
        "mov.u64 %wide, cells; cvta.shared.u64 %wide, %wide; mad.wide.u32 %shared, %own, 16, %wide;",
    ]
    for name, base in (("at", "in"), ("of", "out")):
        lines += [f"mad.wide.u32 %{name}{size}, %thread, {size}, %{base};" for size in (2, 4, 8)]
    used = sorted({(kind, POSITIONS[place]) for form in forms for place, kind in enumerate(form.operands)})
    for kind, position in used:
        bits = BITS[kind]
        lines.append(f".reg .b{bits} %{kind}_{position};")
        lines.append(f"ld.global.b{bits} %{kind}_{position}, [%at{bits // 8}+{OPERAND_OFFSETS[kind, position]}];")
    begin = 0
    for number, form in enumerate(forms):
        text = form.text
        for place, kind in enumerate(form.operands):
            text = re.sub(rf"%{POSITIONS[place]}\b", f"%{kind}_{POSITIONS[place]}", text)
        text = text.replace("$", f"L{number}_")
        lines.append("{ " + " ".join(f".reg .b{bits} %{name};" for name, bits in zip("de", form.results, strict=False)))
        lines.append(text)
        for name, bits in zip("de", form.results, strict=False):
            lines.append(f"st.global.b{bits} [%of{bits // 8}+{begin}], %{name};")
            begin += bits // 8 * COUNT
        lines.append("}")
    body = "\n".join(lines)
    parameters = ", ".join(f".param .u64 p_{name}" for name in ("in", "out", "cell"))
    shared = f".shared .align 16 .b8 cells[{16 * THREADS}];\n.shared .align 16 .b8 common[64];\n"
    constant = ".const .align 8 .b64 table[2] = {0x8070605040302010, 0xF0E1D2C3B4A59687};\n"
    return f"{_HEAD}{shared}{constant}.visible .entry {ENTRY}({parameters})\n{{\n{body}\nret;\n}}\n"

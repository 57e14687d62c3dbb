"""Runs single PTX instructions on many operands, in one kernel for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gemmviz.machine.launch import MachineLaunch
from gemmviz.machine.memory import Array
from gemmviz.machine.program import compile_ptx

HEAD = ".version 8.0\n.target sm_90a\n.address_size 64\n"
_THREADS = 256


def kernel(body: str, parameters: str, declarations: str = "") -> str:
    """A PTX text with the entry `k`."""
    return f"{HEAD}{declarations}\n.visible .entry k({parameters})\n{{\n{body}\nret;\n}}\n"


def run_instructions(
    instructions: Sequence[str],
    operands: Sequence[NDArray[Any]],
    result: type[np.generic],
    declared: str = "",
    module: str = "",
) -> NDArray[Any]:
    """What each instruction makes of each row of operands, one row of results for each instruction.

    An instruction names its operands %a, %b, %c (of the arrays' widths) and its result %d. `declared` are further
    declarations of registers, `module` those of the text in front of the kernel.
    """
    count = len(operands[0])
    width = np.dtype(result).itemsize
    lines = [
        declared,
        ".reg .b32 %i, %t, %s; .reg .b64 %at, %base, %index; .reg .pred %in;",
        "mov.u32 %i, %ctaid.x; mov.u32 %t, %ntid.x; mad.lo.u32 %i, %i, %t, 0; mov.u32 %t, %tid.x;",
        f"add.u32 %i, %i, %t; setp.ge.u32 %in, %i, {count}; @%in exit; cvt.u64.u32 %index, %i;",
        f".reg .b{8 * width} %d;",
    ]
    for name, array in zip("abc", operands, strict=False):
        bits = 8 * array.dtype.itemsize
        lines += [
            f".reg .b{bits} %{name}; ld.param.u64 %base, [p_{name}];",
            f"mad.lo.u64 %at, %index, {bits // 8}, %base; ld.global.b{bits} %{name}, [%at];",
        ]
    lines.append("ld.param.u64 %base, [p_out];")
    for number, instruction in enumerate(instructions):
        store = f"mad.lo.u64 %at, %index, {width}, %base; st.global.b{8 * width} [%at+{number * count * width}], %d;"
        lines += [instruction + ";" if not instruction.endswith(";") else instruction, store]
    parameters = ", ".join(f".param .u64 p_{name}" for name in ["out", *"abc"[: len(operands)]])
    program = compile_ptx(kernel("\n".join(lines), parameters, module), "k", "none.cu")
    arrays = []
    for array in operands:
        made = Array(array.nbytes)
        made.view(array.dtype)[:] = array
        arrays.append(made)
    out = Array(len(instructions) * count * width)
    out.bytes[:] = 0xAB
    MachineLaunch(program, (-(-count // _THREADS), 1, 1), (_THREADS, 1, 1), [out, *arrays]).run(60)
    found: NDArray[Any] = out.view(result).reshape(len(instructions), count)
    return found


def run_kernel(
    text: str,
    arguments: Sequence[Any],
    grid: tuple[int, int, int] = (1, 1, 1),
    block: tuple[int, int, int] = (32, 1, 1),
    dynamic_shared_bytes: int = 0,
    limit_s: float = 60,
    level: int | None = None,
) -> Any:
    """Run the entry `k` of a text, optimised at a level as `compile_ptx` has it."""
    program = compile_ptx(text, "k", "k.cu", level=level)
    return MachineLaunch(program, grid, block, arguments, dynamic_shared_bytes=dynamic_shared_bytes).run(limit_s)

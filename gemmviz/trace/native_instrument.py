"""From a CUDA kernel's source to one that records itself where it runs: every edit of `instrument`, no thread loop.

Real threads wait at the barriers wherever these stand, so that nothing is recorded past them.
"""

from __future__ import annotations

from pathlib import Path

from gemmviz.backends.dialect.functions import Function
from gemmviz.backends.dialect.opencl_c import refuse_cudas_own_calls
from gemmviz.backends.dialect.spaces import PointerSpaces
from gemmviz.backends.dialect.tree import Edits, parse
from gemmviz.domain.access import LANES
from gemmviz.domain.spec import Launch
from gemmviz.trace.findings import ANY
from gemmviz.trace.instrument import KERNEL, Instrumented, in_macros
from gemmviz.trace.native_edits import NativeEdits
from gemmviz.trace.native_text import PRELUDE
from gemmviz.trace.native_translation import native_translation_of


def instrument_native(path: Path, text: str, entry: str, launch: Launch) -> Instrumented:
    """The recording source, in CUDA C++, of a CUDA C kernel for the block of `launch`.

    Raises:
        CompileError: the source is beyond the dialect that is recorded.
    """
    translation = native_translation_of(parse(path, text), entry)
    result = Instrumented("", past_barriers="")

    def write(function: Function, spaces: PointerSpaces, edits: Edits) -> str:
        NativeEdits(translation, function, spaces, edits, launch, result).write_kernel(KERNEL)
        return edits.render_node(function.node)

    def edit_helper(name: str, function: Function, spaces: PointerSpaces, edits: Edits) -> None:
        NativeEdits(translation, function, spaces, edits, launch, result).instrument_helper(name)

    translation.prelude = lambda: _prelude(result, launch)
    result.text = translation.render(write, edit_helper)
    refuse_cudas_own_calls(translation)
    unseen = in_macros(translation.tree)
    result.skipped += unseen
    if unseen:
        result.hidden.add(ANY)
    return result


def _prelude(result: Instrumented, launch: Launch) -> str:
    numbers = {
        "GV_OFFSETS": result.numbering.offsets, "GV_LOOPS": result.numbering.loops, "GV_ARRAYS": len(result.shared),
        "GV_WARPS": -(-launch.threads_per_block // LANES),
    }  # fmt: skip
    return "".join(f"#define {name} {number}\n" for name, number in numbers.items()) + PRELUDE

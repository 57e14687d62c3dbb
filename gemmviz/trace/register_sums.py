"""Which sums the compiler keeps in registers although their source line stores them, told from what was recorded."""

from __future__ import annotations

from gemmviz.compiler.nvidia.instructions import FUSED, GLOBAL_STORES
from gemmviz.domain import figures
from gemmviz.domain.recordings.access import AccessKind, Space
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.terms import CodeForm
from gemmviz.trace.model.rules import WORD_BYTES


def register_sums(run: TraceRun) -> tuple[str, ...]:
    """A sentence for each line that adds products up and stores single elements to global memory, but stores less often
    than it adds. () for a recording as written, where every store of the source is there.
    """
    if run.form is not CodeForm.AS_COMPILED:
        return ()
    counts = {(one.line, one.kind): one.instructions for one in run.executed}
    variables = {one.name for one in run.arrays if one.is_variable}
    stores = [
        site
        for site in run.sites
        if site.space is Space.GLOBAL and site.kind is AccessKind.STORE and site.array not in variables
    ]
    is_vector = {site.line for site in stores if site.width_bytes > WORD_BYTES}
    arrays = {site.line: site.array for site in stores if site.line not in is_vector}
    return tuple(
        f"Line {line}: the warps execute {figures.counted(added, 'multiply-add')} and "
        f"{figures.counted(stored, 'store')} to {array}, because the compiler keeps the sum in a register in between."
        for line, array in sorted(arrays.items())
        if 0 < (stored := counts.get((line, GLOBAL_STORES), 0)) < (added := counts.get((line, FUSED), 0))
    )

"""Whose code the figures of a setting's recorded block count: the PTX's or, where derived, the SASS's. No Qt."""

from __future__ import annotations

from collections.abc import Sequence

from gemmviz.domain.kernels.examined_sweep import BlockCounts
from gemmviz.domain.recordings.multiply_adds import multiply_adds_of
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.terms import COMPILED_NOTE, CodeForm
from gemmviz.explain.source.machine_words import differences, same_widths_words, why_no_cost
from gemmviz.explain.source.version_figures import Measured, instructions_of
from gemmviz.trace.explain import totals_of


def counts_of(trace: TraceRun) -> BlockCounts | None:
    """What is kept of a recording of a setting; None where it holds no block."""
    if not trace.blocks:
        return None
    found = totals_of(trace)
    return BlockCounts(
        trace.spec.shape,
        trace.blocks[0].block,
        trace.form,
        trace.warps_recorded,
        found.global_requests,
        found.global_sectors,
        found.shared_requests,
        found.wavefronts,
        found.excess_wavefronts,
        len(trace.hazards),
        multiply_adds_of(trace) or 0,
        instructions_of(trace),
        trace.machine,
    )


def block_of(measured: Measured) -> BlockCounts | None:
    """What is kept of the recorded block of a setting; None where none was recorded."""
    return counts_of(measured.trace) if measured.trace is not None else measured.block


def form_note(settings: Sequence[Measured]) -> str:
    """That blocks recorded as compiled count what the PTX says, and how SASS differs where that is known; "" where none
    is recorded so.
    """
    found = (block_of(one) for one in settings)
    blocks = [block for block in found if block is not None and block.form is CodeForm.AS_COMPILED]
    if not blocks:
        return ""
    machines = [block.machine for block in blocks if block.machine is not None]
    if not machines:
        general = COMPILED_NOTE.removesuffix(".")
        return f"{general}, so requests to shared memory and their wavefronts may differ on a GPU"
    differing = [machine for machine in machines if machine.differing]
    if not differing:
        return f"As compiled records the PTX; SASS has {same_widths_words(machines)}"
    words = differences((one for machine in differing for one in machine.differing), with_lines=len(settings) == 1)
    which = f" with {len(differing)} of {len(machines)} settings" if len(settings) > 1 else ""
    if len(machines) < len(settings):
        named = (
            next((one.gpu for one in settings if one.gpu and block_of(one) is not None), "")
            if len(machines) == 1
            else ""
        )
        which = f" for {named}, the only one compared," if named else f"{which} whose code was compared,"
    return (
        f"PTX and SASS differ{which} in {'; '.join(words)}. The figures of these accesses count the PTX: a GPU's "
        "requests and wavefronts differ"
    )


def why_not_derived(measured: Measured) -> str:
    """Why wavefronts in SASS are not known of a setting, in a sentence; "" where they are."""
    block = block_of(measured)
    if block is None:
        return "No block of this setting was recorded."
    if block.machine is None:
        return "The machine code (SASS) of this setting was not compared with its PTX."
    why = why_no_cost(block.machine)
    return f"Not derived: {why}." if why else ""

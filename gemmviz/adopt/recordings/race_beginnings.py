"""From which size on a described kernel shows a race or another fault, within a time limit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gemmviz.adopt.description import FoundHazard
from gemmviz.adopt.prove.search_log import SearchLog
from gemmviz.adopt.recordings.timed_recording import NOT_RECORDED, record_in_time
from gemmviz.catalogue.claims.claims import Claims, NoSizeError
from gemmviz.catalogue.claims.fault_beginnings import Choice, beginning_words
from gemmviz.catalogue.gpus import emulated
from gemmviz.catalogue.kernel import Kernel
from gemmviz.domain.kernels.compared_blocks import ComparedBlocks
from gemmviz.domain.processes.host_memory import available_memory_bytes
from gemmviz.domain.recordings.hazard import HazardKind
from gemmviz.domain.shape import Shape

BEGINNING_S = 15.0
"""For finding the size from which on there is a race: about a dozen recordings, of 0.2 s each without one, 2 s with
races in all blocks.
"""
_SHARE = 0.25
"""Of the time that is left."""


def claims_of(kernel: Kernel) -> Claims:
    """What a described kernel claims on the PTX machine."""
    return Claims(kernel, kernel.params({}), emulated("", available_memory_bytes() or 0))


def beginning_of(
    kind: HazardKind,
    claims: Claims,
    size: Shape,
    log: SearchLog,
    choices: Sequence[Choice],
    *,
    first_block_alone: bool,
    along_k_alone: bool = False,
) -> str:
    """Where a fault of this kind begins that was seen at a size in the last of the `choices` of blocks, as
    `beginning_words` has it, as far as BEGINNING_S suffice.
    """
    end = log.now() + min(BEGINNING_S, _SHARE * log.left_s)

    def has_fault(shape: Shape, choose: Choice) -> bool | None:
        left_s = end - log.now()
        if min(left_s, log.left_s) <= 0:
            return None
        try:
            one = record_in_time(
                claims.kernel, shape, log, first_block_alone=first_block_alone, choose=choose, within_s=left_s
            )
        except NOT_RECORDED:
            return None
        return any(hazard.kind is kind for hazard in one.faults(""))

    return beginning_words(claims, size, has_fault, choices, along_k_alone=along_k_alone)


def with_beginning(
    hazards: Sequence[FoundHazard], kernel: Kernel, size: Shape, log: SearchLog, *, first_block_alone: bool
) -> tuple[FoundHazard, ...]:
    """What is wrong with a kernel at the first size that was recorded, the gravest with the K at which it begins. A few
    blocks are recorded for that where they show it, too.
    """
    kind, choices = hazards[0].kind, (ComparedBlocks().few_of, None)
    try:
        claims = claims_of(kernel)
    except NoSizeError:
        return (*hazards,)
    words = beginning_of(kind, claims, size, log, choices, first_block_alone=first_block_alone, along_k_alone=True)
    where = f" ({words})" if words else ""
    return tuple(replace(one, detail=f"{one.detail}{where}") if one.kind is kind else one for one in hazards)

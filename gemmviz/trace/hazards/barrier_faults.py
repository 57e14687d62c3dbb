"""A barrier at fault, and how those of one block become hazards."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from gemmviz.domain.recordings.access import BarrierPlace, BlockTrace
from gemmviz.trace.hazards.findings import NAMED, Hazard, HazardKind


@dataclass(frozen=True, slots=True)
class BarrierFault:
    """A barrier of a block at fault: its slot in the trace, where it stands in the source, what is wrong with it in one
    sentence (`detail`), and the threads to name, ascending.
    """

    slot: int
    place: BarrierPlace
    detail: str
    threads: tuple[int, ...] = ()


def as_hazards(kind: HazardKind, trace: BlockTrace, faults: Iterable[BarrierFault]) -> tuple[Hazard, ...]:
    """One hazard per barrier of the source, the first time told; its count: how many times it was at fault."""
    found: dict[BarrierPlace, Hazard] = {}
    for fault in faults:
        first = found.get(fault.place)
        if first is not None:
            found[fault.place] = replace(first, count=first.count + 1)
            continue
        found[fault.place] = Hazard(
            kind=kind,
            line=fault.place.line,
            text=fault.place.text,
            block=trace.block,
            blocks=1,
            threads=fault.threads[:NAMED],
            epoch=int(trace.slot_epoch[fault.slot]),
            count=1,
            detail=fault.detail,
        )
    return tuple(found.values())

"""Which PTX instructions put threads in order, and what the machine writes down of them. Meanings: NVIDIA, PTX ISA,
"Memory Consistency Model".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.kernels.call import OPERANDS
from gemmviz.domain.recordings.access import INACTIVE, Space
from gemmviz.domain.recordings.repeated_waits import RepeatedWait
from gemmviz.domain.recordings.strong_steps import Does, StepKind
from gemmviz.domain.recordings.warp import LANES
from gemmviz.machine.log import NUMBER, SEQUENCED_SLOTS, WROTE, Sequenced
from gemmviz.machine.ptx.parse import Statement
from gemmviz.trace.ptx.decoding.log import WarpLog
from gemmviz.trace.ptx.probing.accesses import STRONG, What
from gemmviz.trace.ptx.probing.probes import Probe, Probed
from gemmviz.trace.ptx.probing.sites import Sites

OF_GRID = frozenset({"gl", "gpu", "sys", "volatile"})
_SCOPES = frozenset({"cta", "cluster"})
_INTEGERS = frozenset({"b32", "u32", "s32", "b64", "u64", "s64"})
_ORDERING = Does.FENCE | Does.ACQUIRES | Does.RELEASES


@dataclass(frozen=True, slots=True)
class StrongProbe:
    """An instruction whose steps are written down, in slots numbered from `sequenced.first` on. `is_recorded`: its
    requests are in the figures of a recording.
    """

    statement: Statement
    sequenced: Sequenced
    kind: StepKind
    is_recorded: bool = False

    @property
    def reads_global(self) -> bool:
        """Whether it reads what another block may have written."""
        return bool(self.kind.does & Does.READS) and "shared" not in self.statement.words


def is_strong(statement: Statement) -> bool:
    """Whether an access is strong: two strong accesses do not race with each other."""
    return statement.words[0] in ("atom", "red") or bool(set(statement.words) & STRONG)


def strong_probes(probed: Probed, sites: Sites) -> tuple[StrongProbe, ...]:
    """The strong accesses and fences of a kernel by which its threads may wait for each other; () where there are none.

    Accesses to the matrices are left out. So are atomic operations on shared memory, where nothing else says that they
    are more than sums.
    """
    probes = {probe.statement.start: number for number, probe in enumerate(probed.probes) if probe.statement}
    entry = probed.module.entry(probed.symbol)
    functions = (entry, *(one for one in probed.module.functions if not one.is_entry))
    variables = {one.name for one in sites.variables}
    found: list[tuple[Statement, Probe | None, Does]] = []
    for statement in (one for function in functions for one in function.statements):
        number = probes.get(statement.start)
        probe = None if number is None else probed.probes[number]
        if statement.words[0] in ("membar", "fence") and "proxy" not in statement.words:
            found.append((statement, None, Does.FENCE | _scope(statement)))
        elif probe is not None and number is not None and probe.found.what is What.ACCESS:
            parts = sites.of_part[number]
            is_signal = max(parts) < 0 or any(part >= 0 and sites.sites[part].array in variables for part in parts)
            if not all(_is_matrix(part, sites) for part in parts) and _counts(statement, is_signal):
                found.append((statement, probe, _does(statement)))
    if not _may_order(found, sites, probes):
        return ()
    first = sum(len(probe.found.values) for probe in probed.probes)
    return tuple(
        _probe(statement, probe, does, first + SEQUENCED_SLOTS * number, _is_recorded(statement, sites, probes))
        for number, (statement, probe, does) in enumerate(found)
    )


def _counts(statement: Statement, is_signal: bool) -> bool:
    """Whether an access takes part in the order of threads; `is_signal`: it may be to what they tell each other by."""
    return is_strong(statement) or (is_signal and statement.words[0] == "st")


def _is_matrix(part: int, sites: Sites) -> bool:
    if part < 0:
        return False
    site = sites.sites[part]
    return site.space is Space.GLOBAL and site.array in OPERANDS


def _may_order(found: Sequence[tuple[Statement, Probe | None, Does]], sites: Sites, probes: dict[int, int]) -> bool:
    is_ordered = any(does & _ORDERING for _, _, does in found)
    for statement, probe, does in found:
        if probe is None or not does & Does.STRONG:
            continue
        parts = sites.of_part[probes[statement.start]]
        is_shared = all(
            part >= 0 and part not in sites.in_global and sites.sites[part].space is Space.SHARED for part in parts
        )
        is_sum = statement.words[0] in ("atom", "red") and not {"cas", "exch"} & set(statement.words)
        if not is_shared or is_ordered or not is_sum:
            return True
    return False


def _scope(statement: Statement) -> Does:
    words = set(statement.words)
    is_atomic = statement.words[0] in ("atom", "red") and not words & _SCOPES
    return Does.OF_GRID if words & OF_GRID or is_atomic else Does(0)


def _does(statement: Statement) -> Does:
    words = set(statement.words)
    kind = statement.words[0]
    does = _scope(statement)
    does |= Does.STRONG if is_strong(statement) else Does(0)
    does |= Does.READS if kind != "st" else Does(0)
    does |= Does.WRITES if kind not in ("ld", "ldu") else Does(0)
    if words & {"acquire", "acq_rel"}:
        does |= Does.ACQUIRES
    if words & {"release", "acq_rel"}:
        does |= Does.RELEASES
    return does


def _is_recorded(statement: Statement, sites: Sites, probes: dict[int, int]) -> bool:
    number = probes.get(statement.start)
    return number is not None and max(sites.of_part[number]) >= 0


def repeated_waits_of(strong: Sequence[StrongProbe], left_out: NDArray[np.int64]) -> tuple[RepeatedWait, ...]:
    """The requests of loops that wait that were left out, in the order of the text; `left_out` counts them by probe."""
    return tuple(
        RepeatedWait(probe.kind.line, probe.kind.text, count)
        for probe, count in zip(strong, left_out.tolist(), strict=True)
        if count and probe.is_recorded
    )


def _probe(statement: Statement, probe: Probe | None, does: Does, first: int, is_recorded: bool) -> StrongProbe:
    kind = StepKind(statement.place.line, statement.opcode, does)
    if probe is None:
        return StrongProbe(statement, Sequenced(first, None), kind)
    has_target = statement.words[0] in ("ld", "ldu", "atom") and not statement.operands[0].startswith("{")
    target = statement.operands[0] if has_target and statement.operands[0] != "_" else ""
    compares = "cas" in statement.words and target != ""
    address = probe.found.values[0]
    compared = statement.operands[2] if compares else ""
    is_integer = statement.words[-1] in _INTEGERS and statement.words[0] == "atom" and target != ""
    operand = statement.operands[3 if compares else 2] if is_integer else ""
    sequenced = Sequenced(first, address, target, bool(does & Does.WRITES), compared, operand)
    return StrongProbe(statement, sequenced, kind, is_recorded)


@dataclass(frozen=True, slots=True, eq=False)
class WarpSteps:
    """The steps of a warp, columns of shape (n,) as those of `StrongSteps`."""

    kind: NDArray[np.int64]
    lane: NDArray[np.int64]
    event: NDArray[np.int64]
    address: NDArray[np.int64]
    order: NDArray[np.int64]
    wrote: NDArray[np.bool_]


def steps_of(log: WarpLog, strong: Sequence[StrongProbe]) -> WarpSteps:
    """The steps that a warp wrote down, in order."""
    first = strong[0].sequenced.first if strong else np.iinfo(np.int32).max
    at = np.flatnonzero((log.number >= first) & ((log.number - first) % SEQUENCED_SLOTS == 0))
    kind = (log.number[at].astype(np.int64) - first) // SEQUENCED_SLOTS
    address = log.lanes[at].reshape(-1)
    order = log.lanes[at + SEQUENCED_SLOTS - 1].reshape(-1)
    there = np.flatnonzero((address != INACTIVE) & (order != INACTIVE))
    row, lane = there // LANES, there % LANES
    wrote = (order[there] & WROTE) != 0
    return WarpSteps(kind[row], lane, at[row], address[there], order[there] // NUMBER, wrote)

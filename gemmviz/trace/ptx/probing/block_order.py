"""Whether a kernel has what one block can wait for another one with."""

from __future__ import annotations

from gemmviz.domain.kernels.call import OPERANDS
from gemmviz.domain.recordings.access import Space
from gemmviz.machine.ptx.parse import Statement
from gemmviz.trace.ptx.probing.accesses import What
from gemmviz.trace.ptx.probing.probes import Probe, Probed
from gemmviz.trace.ptx.probing.sites import Sites

_OF_GRID = frozenset({"gl", "gpu", "sys"})
_ORDERS = frozenset({"acquire", "release", "acq_rel"})
_SEEN_BY_OTHERS = frozenset({"volatile", "relaxed", *_ORDERS})


def may_order_blocks(probed: Probed, sites: Sites) -> bool:
    """Whether a kernel both has memory beside the matrices that blocks may tell each other something by (atomic
    operations on it, volatile or ordered accesses to it) and puts its accesses in order for other blocks (fences of the
    whole grid, ordered operations). Without either no block can wait for another one.
    """
    module = probed.module
    functions = (module.entry(probed.symbol), *(one for one in module.functions if not one.is_entry))
    is_ordered = any(_is_fence(one) for function in functions for one in function.statements)
    parts = zip(probed.probes, sites.of_part, strict=True)
    return is_ordered and any(_is_signal(probe) and _is_beside(here, sites) for probe, here in parts)


def _is_fence(statement: Statement) -> bool:
    """Whether accesses before a statement are seen by other blocks before those after it, or the other way round."""
    words = set(statement.words)
    if not words & _OF_GRID or "proxy" in words:
        return False
    return statement.words[0] in ("membar", "fence") or bool(words & _ORDERS)


def _is_signal(probe: Probe) -> bool:
    if probe.statement is None or probe.found.what is not What.ACCESS:
        return False
    return probe.statement.words[0] in ("atom", "red") or bool(set(probe.statement.words) & _SEEN_BY_OTHERS)


def _is_beside(parts: tuple[int, ...], sites: Sites) -> bool:
    """Whether an access may be to global memory that is no matrix."""
    known = [sites.sites[part] for part in parts if part >= 0]
    if not known:
        return True
    return any(
        site.array not in OPERANDS and (site.space is Space.GLOBAL or site.index in sites.in_global) for site in known
    )

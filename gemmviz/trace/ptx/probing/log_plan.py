"""What the machine writes down of a kernel while it is recorded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gemmviz.domain.recordings.access import Space
from gemmviz.machine.log import Logged, LogPlan
from gemmviz.trace.ptx.probing.accesses import What
from gemmviz.trace.ptx.probing.probes import Probed
from gemmviz.trace.ptx.probing.sites import Sites
from gemmviz.trace.ptx.probing.strong_accesses import StrongProbe


def log_plan(probed: Probed, sites: Sites, strong: Sequence[StrongProbe]) -> LogPlan:
    """What each probe says and the places of `strong` accesses; nothing of accesses to memory that is not recorded."""
    plan: dict[int, Logged] = {}
    for probe, parts in zip(probed.probes, sites.of_part, strict=True):
        if probe.statement is not None:
            is_left_out = probe.found.what is What.ACCESS and max(parts) < 0
            in_global = all(part >= 0 and sites.sites[part].space is Space.GLOBAL for part in parts)
            logged = replace(probe.logged, varies=in_global and probe.found.what is What.ACCESS)
            plan[probe.statement.start] = Logged(probe.first, (), is_left_out=True) if is_left_out else logged
    for one in strong:
        start = one.statement.start
        plan[start] = replace(plan.get(start, Logged(0, ())), sequenced=one.sequenced)
    return plan

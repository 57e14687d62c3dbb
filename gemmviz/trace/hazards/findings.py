"""How the same hazard of many blocks becomes one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from gemmviz.domain.recordings.access import Site, SkippedAccess, Space
from gemmviz.domain.recordings.hazard import Hazard, HazardKind

__all__ = ["Hazard", "HazardKind", "merged", "without_other_blocks_work"]


ANY = "*"
"""Any shared array."""
NAMED = 8
"""Threads that a finding names at most."""


def merged(findings: Iterable[Hazard]) -> tuple[Hazard, ...]:
    """One hazard per kind and sites of many blocks: the first of each, with their counts and blocks added."""
    found: dict[tuple[HazardKind, int, str, tuple[int, ...]], Hazard] = {}
    for hazard in findings:
        key = (hazard.kind, hazard.line, hazard.text, hazard.sites)
        first = found.get(key)
        found[key] = hazard if first is None else _both(first, hazard)
    return tuple(found.values())


def _both(first: Hazard, other: Hazard) -> Hazard:
    return replace(first, count=first.count + other.count, blocks=first.blocks + other.blocks)


def without_other_blocks_work(
    hazards: Sequence[Hazard],
    sites: Sequence[Site],
    skipped: Sequence[SkippedAccess],
    is_whole_grid: bool,
    is_handed_over: bool = False,
) -> tuple[Hazard, ...]:
    """The hazards without reads of C that another block may have written: where blocks race for it or hand it over
    (`is_handed_over`), where one reads what others set by an atomic exchange, and where they may wait for each other by
    atomic operations and some were not recorded.
    """
    kinds = {hazard.kind for hazard in hazards}
    sets_c = any(site.initialises and site.space is Space.GLOBAL and site.array in ("C", "D", "") for site in sites)
    races = any(hazard.kind.is_race_of_blocks and hazard.array in ("", "C", "D") for hazard in hazards)
    of_blocks = races or (HazardKind.PLAIN_READ in kinds and sets_c)
    waiting = any(site.is_atomic and site.space is Space.GLOBAL and site.array not in ("C", "D") for site in sites)
    may_wait = not is_whole_grid and (waiting or any(one.text.startswith(("atom.", "red.")) for one in skipped))
    if not (of_blocks or may_wait or is_handed_over):
        return tuple(hazards)
    return tuple(
        hazard
        for hazard in hazards
        if hazard.kind is not HazardKind.UNWRITTEN_READ or sites[hazard.sites[0]].space is not Space.GLOBAL
    )

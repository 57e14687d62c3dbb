"""How the same hazard of many blocks becomes one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from gemmviz.domain.access import Site
from gemmviz.domain.hazard import Hazard, HazardKind

__all__ = ["Hazard", "HazardKind", "merged", "without_doubtful"]

ANY = "*"
"""Any shared array."""


def merged(findings: Iterable[Hazard]) -> tuple[Hazard, ...]:
    """One hazard per kind and sites out of those of many blocks: the first of each, with all their counts added."""
    found: dict[tuple[HazardKind, int, str, tuple[int, ...]], Hazard] = {}
    for hazard in findings:
        key = (hazard.kind, hazard.line, hazard.text, hazard.sites)
        first = found.get(key)
        found[key] = hazard if first is None else replace(first, count=first.count + hazard.count)
    return tuple(found.values())


def without_doubtful(
    hazards: Iterable[Hazard], sites: Sequence[Site], unsure: Collection[int], hidden: Collection[str]
) -> tuple[Hazard, ...]:
    """The hazards without those that may only be there because something was not recorded, or recorded wrong.

    `unsure` are sites that may run or not; `hidden` names shared arrays (ANY: all) that something not recorded may
    store to: what is read there may have been written.
    """

    def is_doubtful(hazard: Hazard) -> bool:
        if any(site in unsure for site in hazard.sites):
            return True
        if hazard.kind is not HazardKind.UNWRITTEN_READ or not hidden:
            return False
        return ANY in hidden or any(sites[site].array in ("", *hidden) for site in hazard.sites)

    return tuple(hazard for hazard in hazards if not is_doubtful(hazard))

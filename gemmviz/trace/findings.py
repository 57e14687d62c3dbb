"""How the same hazard of many blocks becomes one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gemmviz.domain.hazard import Hazard, HazardKind

__all__ = ["Hazard", "HazardKind", "merged"]


def merged(findings: Iterable[Hazard]) -> tuple[Hazard, ...]:
    """One hazard per kind and sites out of those of many blocks: the first of each, with all their counts added."""
    found: dict[tuple[HazardKind, int, str, tuple[int, ...]], Hazard] = {}
    for hazard in findings:
        key = (hazard.kind, hazard.line, hazard.text, hazard.sites)
        first = found.get(key)
        found[key] = hazard if first is None else replace(first, count=first.count + hazard.count)
    return tuple(found.values())

"""Races at sizes just beyond the largest ones that a proven kernel takes: what makes it wrong there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from gemmviz.adopt.description import Description, FoundHazard, SizeRule
from gemmviz.adopt.prove.search_log import SearchLog
from gemmviz.adopt.recordings.race_beginnings import claims_of
from gemmviz.adopt.recordings.timed_recording import NOT_RECORDED, record_in_time
from gemmviz.adopt.sidecar import sidecar_text
from gemmviz.backends.machine.compared_values import blocks_compared_by
from gemmviz.catalogue.claims.claims import NoSizeError
from gemmviz.catalogue.header import HeaderError
from gemmviz.catalogue.loader import described_kernel
from gemmviz.domain.recordings.hazard import HazardKind
from gemmviz.domain.shape import Shape

LIMIT_S = 6.0
"""For the recording of a few blocks beyond one limit; most take 0.3 s."""
_SMALL = 40
"""About the size of the other dimensions: two tiles of 32, the second one with little work."""


def races_beyond_limits(path: Path, text: str, description: Description, log: SearchLog) -> tuple[FoundHazard, ...]:
    """The races beyond the first limit at which there are some, in a few blocks, each with the size; () where there are
    none. A kernel that leaves an array there is limited by that array, and what races then does so in its place.
    """
    for unlimited, shape in _beyond(description):
        try:
            kernel = described_kernel(path, text, sidecar_text(unlimited))
            compared = blocks_compared_by(kernel, (claims := claims_of(kernel)).params, claims.home)
            one = record_in_time(
                kernel, shape, log, first_block_alone=False, choose=compared.few_of, within_s=min(LIMIT_S, log.left_s)
            )
        except (*NOT_RECORDED, HeaderError, NoSizeError):
            continue
        found = one.faults(f" (at {shape}, not at {_limits_of(description)})")
        if any(each.is_race for each in found) and not any(each.kind is HazardKind.OUT_OF_BOUNDS for each in found):
            return tuple(each for each in found if each.is_race)
    return ()


def _beyond(description: Description) -> Iterator[tuple[Description, Shape]]:
    """For each limit the description without it, and the least size beyond it, the other dimensions small."""
    for rule in description.rules:
        if rule.most and rule.dimension in "MNK" and not description.equal and not description.fixed:
            sizes = {one.dimension: _small(one) for one in description.rules if one.dimension in "MNK"}
            sizes = {**dict.fromkeys("MNK", _SMALL), **sizes, rule.dimension: rule.most + rule.multiple}
            rules = tuple(replace(one, most=0) if one is rule else one for one in description.rules)
            yield replace(description, rules=rules), Shape(sizes["M"], sizes["N"], sizes["K"])


def _small(rule: SizeRule) -> int:
    return max(rule.least, -(-_SMALL // rule.multiple) * rule.multiple)


def _limits_of(description: Description) -> str:
    """The limits in words: "N of at most 1024"."""
    return " and ".join(f"{one.dimension} of at most {one.most}" for one in description.rules if one.most)

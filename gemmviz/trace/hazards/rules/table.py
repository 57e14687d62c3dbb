"""The rules of all kinds of hazards, one row each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from gemmviz.domain.recordings.access import MappedArray
from gemmviz.domain.recordings.hazard import Hazard, HazardKind
from gemmviz.trace.hazards.rules.between_blocks import BLOCK_RACE, EQUAL_BLOCK_WRITES, PLAIN_READ, POSSIBLE_RACE
from gemmviz.trace.hazards.rules.copy_in_flight import CopyInFlightRule
from gemmviz.trace.hazards.rules.divergent_barrier import DivergentBarrierRule
from gemmviz.trace.hazards.rules.misaligned import MisalignedRule
from gemmviz.trace.hazards.rules.out_of_bounds import OutOfBoundsRule
from gemmviz.trace.hazards.rules.race import EqualWritesRule, RaceRule
from gemmviz.trace.hazards.rules.rule import Concern, GridSearch, HazardRule
from gemmviz.trace.hazards.rules.unwritten_read import UnwrittenReadRule

_ROWS: tuple[HazardRule, ...] = (
    OutOfBoundsRule(),
    MisalignedRule(),
    RaceRule(),
    CopyInFlightRule(),
    DivergentBarrierRule(),
    UnwrittenReadRule(),
    BLOCK_RACE,
    POSSIBLE_RACE,
    PLAIN_READ,
    EqualWritesRule(),
    EQUAL_BLOCK_WRITES,
)


def table_of(rules: Sequence[HazardRule]) -> Mapping[HazardKind, HazardRule]:
    """The rules by their kind, in their order.

    Raises:
        ValueError: a kind has no rule, or two.
    """
    kinds = [rule.kind for rule in rules]
    for kind in HazardKind:
        if kinds.count(kind) != 1:
            raise ValueError(f"{kinds.count(kind)} rules for the hazard {kind.value}: give it one row in {__name__}")
    return MappingProxyType({rule.kind: rule for rule in rules})


RULES = table_of(_ROWS)
"""Hazards of one block and one epoch are told in this order."""


def concern_of(hazard: Hazard) -> Concern | None:
    """The question about a kernel that a hazard answers; None if the kernel is right in spite of it."""
    return RULES[hazard.kind].concern(hazard)


def faults_of(hazards: Iterable[Hazard]) -> tuple[Hazard, ...]:
    """Those that keep a kernel from being right, in their order."""
    return tuple(hazard for hazard in hazards if concern_of(hazard) is not None)


def grid_searches(result: MappedArray, *, follows_order: bool, may_order_blocks: bool) -> tuple[GridSearch, ...]:
    """New searches of all blocks, for every kind that takes two of them: see `HazardRule.grid_search`."""
    started = (
        rule.grid_search(result, follows_order=follows_order, may_order_blocks=may_order_blocks)
        for rule in RULES.values()
    )
    return tuple(search for search in started if search is not None)

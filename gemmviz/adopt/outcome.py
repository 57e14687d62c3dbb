"""What a look at a kernel came to. The verdict, `verified` in JSON and the exit code all follow from it."""

from __future__ import annotations

from enum import StrEnum

from gemmviz.adopt.description import Description


class AdoptOutcome(StrEnum):
    """What a look at a kernel came to; the values are those of JSON documents."""

    VERIFIED = "verified"
    """It is right, as exact as `run` asks, no recording shows a hazard, and host code launches it no other way that is
    wrong.
    """
    RIGHT_WITH_DOUBTS = "right with doubts"
    """It is right, but goes wrong at sizes that a guard of it is for, races were not looked for everywhere, nothing is
    known of a launch of its host code, results are less exact than `run` allows, an infinity makes more elements wrong
    than it should, or gaps between lines of a matrix are written to, reach the result or make it wrong.
    """
    RIGHT_IN_ANOTHER_LAUNCH = "right in another launch"
    """It is right in the launch that is described, and was not proven right in one of its host code."""
    HAZARD = "hazard"
    """Its results are right, and a recording shows a race or another hazard."""
    NOT_PROVEN = "not proven"
    """Nothing was proven."""


def outcome_of(description: Description) -> AdoptOutcome:
    """What a description amounts to: the gravest that is known of it."""
    if not description.is_proven:
        return AdoptOutcome.NOT_PROVEN
    if description.hazards:
        return AdoptOutcome.HAZARD
    if description.otherwise:
        return AdoptOutcome.RIGHT_IN_ANOTHER_LAUNCH
    is_inexact = description.is_coarse or bool(description.infinity)
    is_open = bool(description.open_launches or description.unsearched or description.doubtful_rules)
    if is_open or is_inexact or description.gaps:
        return AdoptOutcome.RIGHT_WITH_DOUBTS
    return AdoptOutcome.VERIFIED

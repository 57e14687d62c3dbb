"""Verdict, `verified` and exit code of a look at a kernel follow from one outcome."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from gemmviz.adopt.description import Description, FoundHazard, SizeRule
from gemmviz.adopt.finding import Findings, KernelFinding
from gemmviz.adopt.host_launch import OpenKind, OpenLaunch
from gemmviz.adopt.outcome import AdoptOutcome, outcome_of
from gemmviz.adopt.words import verdict_words
from gemmviz.cli.adopt.report import _CODES
from gemmviz.domain.kernels.call import Storage
from gemmviz.domain.recordings.hazard import HazardKind

RIGHT = Description("mm", (), (), ("A", "B", "C"), (Storage(), Storage(), Storage(), Storage()), ("16",), ("M",))
ANOTHER_LAUNCH = (AdoptOutcome.RIGHT_IN_ANOTHER_LAUNCH, "right, but not as its host code")
RACE = (FoundHazard(HazardKind.RACE, (8, 11), "a sentence"),)


@pytest.mark.parametrize(
    ("changes", "outcome", "words", "code"),
    [
        ({}, AdoptOutcome.VERIFIED, "verified", 0),
        ({"unsearched": "races were not looked for"}, AdoptOutcome.RIGHT_WITH_DOUBTS, "right, but races were not", 4),
        (
            {"rules": (SizeRule("M", 8, example="9x1x1", guarded=5),)},
            AdoptOutcome.RIGHT_WITH_DOUBTS,
            "right, but wrong at 9x1x1, though line 5 guards M as for sizes that are no multiples of 8",
            4,
        ),
        ({"rules": (SizeRule("M", 8, example="9x1x1", fault="line 7"),)}, AdoptOutcome.VERIFIED, "verified", 0),
        ({"is_coarse": True}, AdoptOutcome.RIGHT_WITH_DOUBTS, "right, but less exact", 4),
        ({"infinity": "an infinity goes wrong"}, AdoptOutcome.RIGHT_WITH_DOUBTS, "right, but an infinity goes", 4),
        ({"gaps": ("with ldc larger",)}, AdoptOutcome.RIGHT_WITH_DOUBTS, "right, but with ldc larger", 4),
        ({"otherwise": "line 9"}, *ANOTHER_LAUNCH, 3),
        (
            {"open_launches": (OpenLaunch(9, "within the time limit", "mm<8>", kind=OpenKind.UNTRIED),)},
            AdoptOutcome.RIGHT_WITH_DOUBTS,
            "right, but the launch in line 9 was not tried",
            4,
        ),
        (
            {"open_launches": (OpenLaunch(9, "its grid"), OpenLaunch(12, "its block"))},
            AdoptOutcome.RIGHT_WITH_DOUBTS,
            "right, but the launches in lines 9 and 12 were not compared with this one",
            4,
        ),
        ({"open_launches": (OpenLaunch(9, "its grid"),), "otherwise": "line 9"}, *ANOTHER_LAUNCH, 3),
        ({"hazards": RACE}, AdoptOutcome.HAZARD, "not verified: the kernel races in lines 8 and 11", 3),
        ({"hazards": RACE, "otherwise": "line 9"}, AdoptOutcome.HAZARD, "not verified: the kernel races", 3),
        ({"unproven": "taken from its host code"}, AdoptOutcome.NOT_PROVEN, "not verified: its results are wrong", 4),
    ],
)
def test_that_one_outcome_decides_verdict_and_exit_code(
    changes: dict[str, Any], outcome: AdoptOutcome, words: str, code: int
) -> None:
    description = replace(RIGHT, **changes)
    found = KernelFinding("mm", 1, description)
    assert outcome_of(description) is found.outcome is outcome
    assert verdict_words(description).startswith(words)
    assert found.is_verified == (verdict_words(description) == "verified") == (outcome is AdoptOutcome.VERIFIED)
    assert _CODES[outcome] == code
    assert Findings(("mm",), (found,)).outcome is outcome


def test_that_a_file_of_several_products_or_of_none_has_no_outcome_but_that() -> None:
    found = KernelFinding("mm", 1, RIGHT)
    assert Findings(("mm", "mn"), (found, found)).outcome is AdoptOutcome.NOT_PROVEN
    assert Findings(("mm",), (KernelFinding("mm", 1, None),)).outcome is AdoptOutcome.NOT_PROVEN
    assert {*_CODES} == {*AdoptOutcome}

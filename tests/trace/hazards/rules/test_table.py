"""Every kind of hazard has one rule, and a window can use the rules."""

from __future__ import annotations

import subprocess
import sys

import pytest

from gemmviz.domain.recordings.hazard import Hazard, HazardKind
from gemmviz.trace.hazards.rules.rule import Concern
from gemmviz.trace.hazards.rules.table import RULES, concern_of, table_of


def test_that_each_kind_has_a_rule() -> None:
    assert set(RULES) == set(HazardKind)
    assert all(rule.kind is kind for kind, rule in RULES.items())


@pytest.mark.parametrize("kind", HazardKind)
def test_that_a_kind_without_a_rule_or_with_two_is_refused(kind: HazardKind) -> None:
    others = [rule for rule in RULES.values() if rule.kind is not kind]
    with pytest.raises(ValueError, match=f"^0 rules for the hazard {kind.value}: give it one row in gemmviz"):
        table_of(others)
    with pytest.raises(ValueError, match=f"^2 rules for the hazard {kind.value}:"):
        table_of([*others, RULES[kind], RULES[kind]])


def test_that_only_reads_of_what_c_held_are_a_matter_of_its_beginning() -> None:
    def concern(kind: HazardKind, detail: str) -> Concern:
        return concern_of(Hazard(kind, 12, "C[i]", (0, 0, 0), (3,), 0, 1, detail))

    says_so = 'a kernel that adds to C says so in its header (`c_begins = "zero"`)'
    assert concern(HazardKind.UNWRITTEN_READ, says_so) is Concern.INITIAL_C
    assert concern(HazardKind.UNWRITTEN_READ, "no thread has written it") is Concern.INITIALISED
    bounds = {kind for kind in HazardKind if concern(kind, "") is Concern.BOUNDS}
    assert bounds == {HazardKind.OUT_OF_BOUNDS, HazardKind.MISALIGNED}
    assert concern(HazardKind.POSSIBLE_RACE, "") is Concern.UNDECIDED_ORDER


def test_that_rules_and_marks_load_no_numba() -> None:
    code = "import sys, gemmviz.trace.hazards.rules.hazard_marks; print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"

"""What a finding says of the lines at fault."""

from __future__ import annotations

from gemmviz.domain.runs.result import Mismatch
from gemmviz.referee.finding import Case, Finding, LineFault, Outcome
from gemmviz.referee.subject import _element_words


def of_cases(*cases: Case) -> Finding:
    return Finding("Free of races and barrier errors", "Is it?", Outcome.FAILED, "", cases)


def test_that_the_gravest_lines_at_fault_come_first() -> None:
    read, race = LineFault(9, "uninitialised read", "of As[0,0]", gravity=1), LineFault(12, "race", "of Bs[0,0]")
    assert of_cases(Case("written", "", failed=True, faults=(read, race))).faults == (race, read)


def test_that_a_later_case_adds_only_kinds_of_faults_that_a_line_did_not_have() -> None:
    first = (LineFault(9, "race", "of As[0,0]"), LineFault(9, "race", "of Bs[0,0]"))
    again, new = LineFault(9, "race", "of As[4,0]"), LineFault(9, "misaligned", "of As[4,0]")
    cases = Case("written", "", failed=True, faults=first), Case("compiled", "", failed=True, faults=(again, new))
    assert of_cases(*cases).faults == (*first, new)


def test_that_a_fault_of_no_known_line_has_no_place() -> None:
    assert LineFault(0, "divergent barrier", "…").place == ""


def test_that_a_zero_that_is_right_is_told_without_a_sign() -> None:
    assert _element_words("C", Mismatch(2, 3, 1.0, -0.0)) == "C[2,3] is 1 and should be 0"

"""What is told first of a kernel that fails: races and accesses outside arrays, not what follows from them."""

from __future__ import annotations

from dataclasses import replace

from gemmviz.backends.registry import find_device
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.referee import judge
from gemmviz.referee.examinations.answers import Answers
from gemmviz.referee.examinations.computes_in import UNEXPLAINED
from gemmviz.referee.finding import Case, Finding, LineFault, Outcome, Ruling
from gemmviz.referee.judge import EXAMINATIONS, causes_first, without_consequences
from gemmviz.referee.subject import Subject
from gemmviz.referee.words import rows_of

RACES, BOUNDS, ENDS, EXACT = (
    "Free of races and barrier errors",
    "Stays inside its arrays",
    "Runs to its end",
    "Exact for plain inputs",
)
INITIALISED = "Reads no uninitialised memory"


def findings(*failed: str) -> list[Finding]:
    return [
        Finding(one.name, one.asks, Outcome.FAILED if one.name in failed else Outcome.HELD, "") for one in EXAMINATIONS
    ]


def test_that_races_and_accesses_outside_arrays_lead_where_they_were_found() -> None:
    found = causes_first(findings(ENDS, BOUNDS, EXACT, INITIALISED, RACES))
    names = [one.name for one in found]
    assert names[:4] == [RACES, BOUNDS, INITIALISED, ENDS]
    assert sorted(names) == sorted(one.name for one in EXAMINATIONS)
    ruling = Ruling("mine", (), "", "", found)
    assert [one.name for one in ruling.failed] == [RACES, BOUNDS, INITIALISED, ENDS, EXACT]
    assert rows_of(ruling)[1]["examination"] == RACES


def test_that_the_order_of_the_examinations_stays_where_no_cause_was_found() -> None:
    assert [one.name for one in causes_first(findings(EXACT))] == [one.name for one in EXAMINATIONS]


def test_that_elements_that_are_constant_end_no_other_examination() -> None:
    kernel = load_catalogue().get("tiled")
    subject = Subject(kernel, kernel.params({}), find_device("machine"))
    finding = Finding(Answers().name, "?", Outcome.FAILED, "")
    assert judge.is_decisive(subject, finding)
    subject.follows_in_part = True
    assert not judge.is_decisive(subject, finding)


def test_that_an_error_that_no_arithmetic_explains_is_not_judged_where_a_race_was_found_later() -> None:
    case = Case("K = 1024", "too large", failed=True)
    grown = Finding("Computes in", "?", Outcome.FAILED, f"{UNEXPLAINED} At 1x1x1024: too large.", (case,))
    coarse = Finding("Computes in", "?", Outcome.FAILED, "It computes with sums in half.", (case,))
    assert without_consequences([grown, coarse], "") == [grown, coarse]
    (late, kept) = without_consequences([grown, coarse], "race in line 6")
    assert (late.outcome, late.reason) == (
        Outcome.NOT_EXAMINED,
        "Not judged: results follow from the race in line 6.",
    )
    assert not late.cases[0].failed
    assert kept == coarse


def recorded_at(shape: str, fault: LineFault, name: str = RACES) -> Finding:
    case = Case("a recording", "", shape, failed=True, faults=(fault,))
    return Finding(name, "?", Outcome.FAILED, "1 hazard.", (case,))


RACE, READ = LineFault(6, "race", "thread 0 …"), LineFault(19, "uninitialised read", "thread 80 …", 3)


def test_that_wrong_results_say_which_hazard_of_that_size_may_be_the_cause() -> None:
    case = Case("ones", "3 of 256 elements are wrong", "16x16x16", failed=True)
    wrong = Finding(EXACT, "?", Outcome.FAILED, "Ones at 16x16x16: 3 of 256 elements are wrong.", (case,))
    held = Finding(EXACT, "?", Outcome.HELD, "10 inputs, all exact.")
    (_, told, kept) = without_consequences([recorded_at("16x16x16", RACE), wrong, held], "race in line 6")
    assert (told.outcome, told.reason) == (Outcome.FAILED, f"{wrong.reason} The race in line 6 may be the cause.")
    assert kept == held
    assert without_consequences([wrong], "") == [wrong]
    faulted = replace(wrong, cases=(replace(case, failed=False, faulted=True),))
    assert without_consequences([recorded_at("16x16x16", RACE), faulted], "race in line 6")[1] == faulted
    (*_, told) = without_consequences([recorded_at("16x16x16", READ, INITIALISED), wrong], "")
    assert told.reason == f"{wrong.reason} The uninitialised read in line 19 may be the cause."


def test_that_no_hazard_of_another_size_or_value_is_called_the_cause() -> None:
    case = Case("ones", "1 of 1 element is wrong", "1x1x1", failed=True)
    wrong = Finding(EXACT, "?", Outcome.FAILED, "Ones at 1x1x1: 1 of 1 element is wrong.", (case,))
    elsewhere, with_other = recorded_at("37x41x67", RACE), recorded_at("1x1x1", RACE)
    with_other = replace(with_other, cases=(replace(with_other.cases[0], other_value="TILE = 8"),))
    for one in (elsewhere, with_other):
        assert without_consequences([one, wrong], "race in line 6")[1] == wrong

"""What is told first of a kernel that fails: races and accesses outside arrays, not what follows from them."""

from __future__ import annotations

from gemmviz.referee.finding import Finding, Outcome, Ruling
from gemmviz.referee.judge import EXAMINATIONS, causes_first
from gemmviz.referee.words import rows_of

RACES, BOUNDS, ENDS, EXACT = "Free of races", "Stays inside its arrays", "Runs to its end", "Exact for plain inputs"


def findings(*failed: str) -> list[Finding]:
    return [
        Finding(one.name, one.asks, Outcome.FAILED if one.name in failed else Outcome.HELD, "") for one in EXAMINATIONS
    ]


def test_that_races_and_accesses_outside_arrays_lead_where_they_were_found() -> None:
    found = causes_first(findings(ENDS, BOUNDS, EXACT, RACES))
    names = [one.name for one in found]
    assert names[:3] == [RACES, BOUNDS, ENDS]
    assert sorted(names) == sorted(one.name for one in EXAMINATIONS)
    ruling = Ruling("mine", (), "", "", found)
    assert [one.name for one in ruling.failed] == [RACES, BOUNDS, ENDS, EXACT]
    assert rows_of(ruling)[0]["examination"] == RACES


def test_that_the_order_of_the_examinations_stays_where_no_cause_was_found() -> None:
    assert [one.name for one in causes_first(findings(EXACT))] == [one.name for one in EXAMINATIONS]

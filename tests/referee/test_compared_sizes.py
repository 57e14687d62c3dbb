"""What is wrong at a size alone that the kernel's code names is seen, as wrong results and as a race."""

from __future__ import annotations

from pathlib import Path

import pytest
from broken_kernels import SUM, changed, findings_on, kernel_of

from gemmviz.backends.registry import find_device
from gemmviz.referee.examinations.bounds import Bounds
from gemmviz.referee.examinations.hazards import Hazards
from gemmviz.referee.examinations.sizes import ClaimedSizes
from gemmviz.referee.finding import Outcome
from gemmviz.referee.subject import Subject

WRITE = "C[row * N + col] = acc;"
RACE = "__shared__ volatile float last; if ({0}) last = acc; C[row * N + col] = acc;"


@pytest.mark.parametrize(
    ("where", "sizes"),
    [
        ("K == 77", {"37x41x77"}),
        ("M == 777", {"777x41x67"}),
        ("M == 83 && N == 91", {"83x91x67"}),
        ("M > 5000", {"5001x41x67"}),
        ("M * N > 2000", {"37x55x67"}),
    ],
)
def test_that_wrong_results_at_a_size_that_the_code_names_are_seen(tmp_path: Path, where: str, sizes: set[str]) -> None:
    body = changed(WRITE, f"C[row * N + col] = {where} ? 0.0f : acc;")
    (finding,) = findings_on(tmp_path, body, ClaimedSizes())
    assert finding.outcome is Outcome.FAILED
    assert sizes <= {case.shape for case in finding.cases if case.failed}


def test_that_an_access_outside_at_a_size_that_the_code_names_is_seen(tmp_path: Path) -> None:
    body = changed(WRITE, f"if (K == 77 && row == 0) C[M * N] = acc; {WRITE}")
    (finding,) = findings_on(tmp_path, body, Bounds())
    assert finding.outcome is Outcome.FAILED
    assert {case.shape for case in finding.cases if case.failed} == {"37x41x77"}


def test_that_a_race_at_a_size_that_the_code_names_is_seen(tmp_path: Path) -> None:
    (finding,) = findings_on(tmp_path, changed(WRITE, RACE.format("K == 96")), Hazards())
    assert finding.outcome is Outcome.FAILED
    assert {case.shape for case in finding.cases if case.failed} == {"37x41x96"}
    assert finding.reason.endswith(" It depends on the size: none at 37x41x95 and 37x41x97, but at 37x41x96.")


def test_that_the_beginning_of_a_race_of_the_first_recording_is_told(tmp_path: Path) -> None:
    (finding,) = findings_on(tmp_path, changed(WRITE, RACE.format("K > 64")), Hazards())
    assert finding.reason.endswith(" It depends on the size: none at 37x41x64, but at 37x41x65.")


def test_that_sizes_keep_to_the_rules_of_the_description(tmp_path: Path) -> None:
    body = changed(WRITE, f"if (K != 77 || M != 777) {WRITE}")
    keys = 'constraints = ["M == N", "K % 16 == 0"]'
    kernel = kernel_of(tmp_path, body, keys=keys)
    subject = Subject(kernel, kernel.params({}), find_device("machine"))
    shapes = {(one.m, one.n, one.k) for one in subject.compared_sizes}
    assert {(19, 19, 16), (777, 777, 16)} <= shapes
    assert all(m == n and k % 16 == 0 for m, n, k in shapes)


def test_that_a_right_kernel_stays_right(tmp_path: Path) -> None:
    sizes, races = findings_on(tmp_path, SUM, ClaimedSizes(), Hazards())
    assert (sizes.outcome, races.outcome) == (Outcome.HELD, Outcome.HELD)

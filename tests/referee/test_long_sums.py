"""Races of long sums, or of blocks far apart, are looked for in a few blocks where every block is too many."""

from __future__ import annotations

from pathlib import Path

import pytest
from broken_kernels import SUM, changed, kernel_of

from gemmviz.backends.registry import find_device
from gemmviz.catalogue.claims.large_sizes import long_sums
from gemmviz.referee import recordings
from gemmviz.referee.examinations.hazards import Hazards
from gemmviz.referee.finding import Outcome
from gemmviz.referee.subject import Subject


def subject_of(folder: Path, body: str, keys: str = "") -> Subject:
    return Subject(kernel_of(folder, body, keys=keys), (), find_device("machine"))


def test_that_a_race_of_long_sums_alone_is_found_in_one_block_where_all_are_too_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recordings, "LONG_SUM_S", 60.0)
    race = "C[row * N + col] = acc; if ((K ^ 1) > 4000 && row % 16 == 3) C[(row - 3) * N + col] = acc;"
    finding = Hazards().examine(subject_of(tmp_path, changed("C[row * N + col] = acc;", race)))
    assert finding.outcome is Outcome.FAILED
    assert [(case.tried, case.shape) for case in finding.cases if case.failed] == [
        ("recording as compiled, 1 of 4 blocks (2×2)", "32x32x4160")
    ]


def test_that_long_sums_that_take_too_long_are_halved(tmp_path: Path) -> None:
    claims = subject_of(tmp_path, SUM, 'constraints = ["K % 16 == 0"]').claims
    assert [str(one) for one in long_sums(claims, 520)] == ["32x32x4160", "32x32x2080", "32x32x1040"]


def test_that_a_race_of_one_block_that_the_kernel_names_is_found_beyond_the_large_sizes(tmp_path: Path) -> None:
    race = "C[row * N + col] = acc; if ({0}) C[(row - row % 16) * N + col] = acc;"
    where = "blockIdx.x == 45 && blockIdx.y == 5 && row % 16 == 3"
    finding = Hazards().examine(subject_of(tmp_path, changed("C[row * N + col] = acc;", race.format(where))))
    assert finding.outcome is Outcome.FAILED
    assert [(case.tried, case.shape) for case in finding.cases if case.failed] == [
        ("recording as compiled, 15 of 329 blocks (47×7)", "97x737x67")
    ]

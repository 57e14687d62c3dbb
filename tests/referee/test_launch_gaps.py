"""Sizes that no rule refuses and that have no launch are a fault of the description, and no claim."""

from __future__ import annotations

from pathlib import Path

import pytest
from broken_kernels import SUM, kernel_of

from gemmviz.backends.registry import find_device
from gemmviz.catalogue.claims.claims import Claims
from gemmviz.referee.finding import Judgement, Outcome
from gemmviz.referee.judge import judge
from gemmviz.referee.words import verdict_words

MACHINE = find_device("machine")
N_BLOCKS = '"ceil_div(N, 16)"'


def claims_of(folder: Path, rows: str, keys: str = "") -> Claims:
    kernel = kernel_of(folder, SUM, grid=f'[{N_BLOCKS}, "{rows}"]', keys=keys)
    claims = Claims(kernel, kernel.params({}), MACHINE)
    claims.borders()
    return claims


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ("ceil_div(M, 16) + 0 // (K % 2)", "no launch geometry for "),
        ("ceil_div(M, 16) + 0 // (M - 17)", "no launch geometry for 17x128x64"),
        ("max(1, M ** M ** M)", "too large for any size"),
        ("min(ceil_div(M, 16), 1000 - M)", "blocks in y"),
        ("M // 16", "a grid of 0 blocks in y"),
    ],
)
def test_that_a_size_without_a_launch_is_named_with_its_line(tmp_path: Path, rows: str, why: str) -> None:
    claims = claims_of(tmp_path, rows)
    assert why in claims.gap
    assert "mine.cu:" in claims.gap
    assert "; correct 'grid', or add a constraint that refuses such sizes" in claims.gap
    assert "multiples" not in claims.words
    assert "have no launch" in claims.words


@pytest.mark.parametrize(
    ("rows", "rule"), [("ceil_div(M, 16) + 0 // (K % 2)", "K % 2 == 1"), ("M // 16", "M % 16 == 0")]
)
def test_that_a_size_that_a_rule_refuses_needs_no_launch(tmp_path: Path, rows: str, rule: str) -> None:
    assert claims_of(tmp_path, rows, f'constraints = ["{rule}"]').gap == ""


def test_that_a_grid_that_is_too_large_for_the_device_is_a_limit(tmp_path: Path) -> None:
    assert claims_of(tmp_path, "M * 16").gap == ""


def test_that_a_rule_that_cannot_be_checked_is_a_gap(tmp_path: Path) -> None:
    assert "cannot be checked" in claims_of(tmp_path, "ceil_div(M, 16)", 'constraints = ["0 // (M - 17) == 0"]').gap


def test_that_a_kernel_with_such_sizes_is_not_called_right(tmp_path: Path) -> None:
    keys = 'constraints = ["N == 19", "K == 23"]'
    kernel = kernel_of(tmp_path, SUM, grid=f'[{N_BLOCKS}, "ceil_div(M, 16) + 0 // (M - 17)"]', keys=keys)
    ruling = judge(kernel, kernel.params({}), MACHINE)
    assert (ruling.judgement, ruling.failed) == (Judgement.NOT_EXAMINED, ())
    assert verdict_words(ruling) == "mine could not be examined in full"
    assert "no launch geometry for 17x" in ruling.fault
    (sizes,) = (one for one in ruling.findings if one.name == "Right at the sizes it claims")
    assert sizes.outcome is Outcome.NOT_EXAMINED
    assert "mine.cu:" in sizes.reason

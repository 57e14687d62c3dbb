"""Multiply-adds of recorded blocks: those of all blocks, one by one, are those of the product."""

from dataclasses import replace
from pathlib import Path

import pytest

from gemmviz.cli.app import run_app
from gemmviz.domain.recordings.multiply_adds import elements_of_c, multiply_adds_of
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.session.session import load_session


def recorded(tmp_path: Path, *words: str) -> TraceRun:
    path = tmp_path / "r.gemmviz"
    assert run_app(["trace", *words, "--out", str(path), "--force"]) == 0
    (run,) = load_session(path).traces
    return run


@pytest.mark.parametrize(
    ("kernel", "size", "blocks"),
    [
        ("tiled", "19x17x5", ["0,0", "1,0", "0,1", "1,1"]),
        ("vectorized", "5x7x3", ["0,0"]),
        ("global_accumulate", "17x4x3", ["0,0", "0,1"]),
        ("dot", "1x1x700", ["0,0", "1,0"]),
    ],
)
def test_that_the_blocks_of_a_grid_do_the_product_together(
    tmp_path: Path, kernel: str, size: str, blocks: list[str]
) -> None:
    m, n, k = map(int, size.split("x"))
    parts = [recorded(tmp_path, "--kernel", kernel, "--size", size, "--block", block) for block in blocks]
    whole = recorded(tmp_path, "--kernel", kernel, "--size", size, "--all-blocks")
    assert multiply_adds_of(whole) == m * n * k
    assert parts[0].blocks_in_grid == len(blocks)
    hidden = [replace(part, launch=replace(part.launch, grid=(2, 2, 2))) for part in parts]
    assert sum(multiply_adds_of(part) or 0 for part in hidden) == m * n * k
    assert sum(elements_of_c(part) or 0.0 for part in hidden) == pytest.approx(m * n)


def test_that_what_was_not_kept_is_not_known(tmp_path: Path) -> None:
    part = recorded(tmp_path, "--kernel", "tiled", "--size", "33x4x4", "--block", "0,1")
    assert multiply_adds_of(part) == 16 * 4 * 4
    assert multiply_adds_of(replace(part, blocks=())) is None
    assert elements_of_c(replace(part, blocks=())) is None

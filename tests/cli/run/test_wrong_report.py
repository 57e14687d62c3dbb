"""What `gemmviz run` says of a wrong result: its elements, where the reason is searched for, and a hint on beta."""

from __future__ import annotations

import io
import math
from dataclasses import replace

import pytest
from gpu_runs import gpu_run

from gemmviz.cli.run.report import READ_BEFORE_WRITTEN, experiments_of, print_runs
from gemmviz.cli.terminal import Terminal
from gemmviz.domain.runs.result import RunResult, WorstElement


def wrong(got: float, unwritten: int = 0) -> RunResult:
    """A run one of whose elements is off."""
    run = gpu_run("mine", (1.0,) * 4, params=())
    accuracy = replace(run.accuracy, passed=False, unwritten=unwritten)
    return replace(
        run, accuracy=accuracy, error_map=replace(run.error_map, worst=(WorstElement(0, 48, got, 14.9, math.nan),))
    )


def report(run: RunResult) -> str:
    text = io.StringIO()
    for experiment, runs in experiments_of([run]).items():
        print_runs(Terminal(file=text, width=1000, no_color=True), experiment, runs)
    return text.getvalue()


def test_that_beta_is_named_only_for_a_read_of_c_and_behind_where_the_reason_is_searched_for() -> None:
    lines = report(wrong(math.nan)).splitlines()
    (search,) = [place for place, line in enumerate(lines) if line.startswith("`gemmviz trace` searches")]
    assert lines[search - 1].strip().startswith("C[0,48] = nan")
    assert lines[search + 1].strip() == READ_BEFORE_WRITTEN
    assert READ_BEFORE_WRITTEN.startswith("If it finds that the kernel reads C before writing it")
    assert "beta" not in "".join(lines[: search + 1])


@pytest.mark.parametrize(("got", "unwritten"), [(15.5, 0), (math.nan, 3)])
def test_that_beta_is_not_named_for_other_wrong_results(got: float, unwritten: int) -> None:
    assert READ_BEFORE_WRITTEN not in report(wrong(got, unwritten))

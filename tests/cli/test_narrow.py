"""However narrow the terminal is, no figure and no name is cut."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain import figures
from gemmviz.domain.session.session import load_session

EXAMPLES = Path(__file__).parents[2] / "assets" / "examples"
WIDTHS = (20, 40, 60, 80)


def compact(text: str) -> str:
    return "".join(text.split())


@pytest.mark.parametrize("columns", WIDTHS)
def test_that_lists_are_whole(gemmviz: Any, monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    kernels, devices = gemmviz("kernels").out, gemmviz("devices").out
    for text in (kernels, devices):
        assert max(map(len, text.splitlines())) <= columns
        assert "…" not in text
    for kernel in load_catalogue().kernels:
        assert kernel.id in compact(kernels)
        assert compact(kernel.teaches) in compact(kernels)


@pytest.mark.parametrize("columns", WIDTHS)
@pytest.mark.parametrize("name", ["cpu-sweep", "cpu-four", "gpu-ladder", "gpu-waves"])
def test_that_reports_are_whole(gemmviz: Any, monkeypatch: pytest.MonkeyPatch, columns: int, name: str) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    path = EXAMPLES / f"{name}.gemmviz"
    text = gemmviz("report", str(path)).out
    assert max(map(len, text.splitlines())) <= columns
    assert "…" not in text
    session = load_session(path)
    unit = figures.time_unit(run.timing.kernel_ms.median for run in session.runs)
    for run in session.runs:
        assert run.spec.kernel in compact(text)
        assert compact(figures.milliseconds(run.timing.kernel_ms.median, unit)) in compact(text)
        assert figures.number(run.gflops) in text
    for trace in session.traces[:2]:
        assert compact(trace.source_text.splitlines()[-2]) in compact(text)


def test_that_figures_stand_below_each_other_where_they_do_not_fit_beside(
    gemmviz: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = EXAMPLES / "cpu-four.gemmviz"
    run = load_session(path).runs[0]
    monkeypatch.setenv("COLUMNS", "30")
    lines = [line.strip() for line in gemmviz("report", str(path)).out.splitlines()]
    assert f"median: {figures.milliseconds(run.timing.kernel_ms.median)}" in lines
    assert f"GFLOP/s: {figures.number(run.gflops)}" in lines

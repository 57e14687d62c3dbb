"""Rows as text for spreadsheets: figures in full, no tab and no line break inside a cell, nothing taken as HTML."""

from __future__ import annotations

from collections.abc import Callable
from html.parser import HTMLParser

from gemmviz.domain.runs.result import RunError, RunResult
from gemmviz.explain.runs.columns import COLUMNS
from gemmviz.explain.runs.rows import row_of
from gemmviz.gui.results.text import as_html, as_tabs

Make = Callable[..., RunResult]


class Cells(HTMLParser):
    """Collects the cells of a table, row by row."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del attrs
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_data(self, data: str) -> None:
        if self.rows and self.rows[-1]:
            self.rows[-1][-1] += data.strip("\n")


def test_that_copied_figures_read_back_as_the_same_numbers(make_result: Make) -> None:
    run = make_result(ms=(0.1 + 0.2, 1 / 3, 5e-324))
    head, line = (text.split("\t") for text in as_tabs([row_of(run)]).splitlines())
    cells = dict(zip(head, line, strict=True))
    assert float(cells["median (ms)"]) == run.timing.kernel_ms.median
    assert float(cells["GFLOP/s"]) == run.gflops
    assert cells["n"] == "3", "the number alone, without marks"
    assert cells["check"] == "passed"


def test_that_the_page_has_the_cells_of_the_text(make_result: Make) -> None:
    rows = [row_of(make_result('<b>&"\t\n')), row_of(RunError("naive", "naive: a < b\nand more"))]
    page = Cells()
    page.feed(as_html(rows))
    assert page.rows == [line.split("\t") for line in as_tabs(rows).splitlines()]
    assert page.rows[1][0] == '<b>&"'
    assert "did not run: a < b and more" in page.rows[2]


def test_that_no_rows_leave_the_heading() -> None:
    assert as_tabs([]) == "\t".join(column.heading for column in COLUMNS) + "\n"

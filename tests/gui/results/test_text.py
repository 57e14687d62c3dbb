"""Copied rows: as they are shown, with a source, no tab and no line break inside a cell, nothing taken as HTML."""

from __future__ import annotations

from collections.abc import Callable
from html.parser import HTMLParser

from gpu_runs import gauges, gpu_run

from gemmviz.domain.runs.doubts import THROTTLED
from gemmviz.domain.runs.result import RunError, RunResult
from gemmviz.domain.terms import Arithmetic
from gemmviz.explain.runs.columns import Key
from gemmviz.explain.runs.rows import row_of
from gemmviz.gui.results.compared import with_library
from gemmviz.gui.results.text import ERROR_NOTE, CopiedTable, as_html, as_tabs, copied, copied_words

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


def heads(table: CopiedTable) -> list[str]:
    return [column.title for column in table.columns]


def test_that_copied_figures_are_rounded_as_they_are_shown(make_result: Make) -> None:
    row = row_of(make_result(ms=(0.1 + 0.2, 1 / 3, 1 / 3)))
    table = copied([row])
    (line,) = table.lines
    cells = dict(zip(heads(table), line, strict=True))
    assert cells["median"] == "333 µs"
    assert cells["GFLOP/s"] == row.cell(Key.GFLOPS).text
    assert cells["check"] == "passed"


def test_that_the_source_names_device_driver_day_and_size_in_place_of_columns() -> None:
    table = copied([row_of(gpu_run("naive")), row_of(gpu_run("tiled"))])
    size, measured, error, *marks = table.source
    assert size.startswith("M×N×K = 4096×4096×4096 · cold caches · A and B: ")
    assert measured.startswith("Measured on GPU made by hand, ")
    assert measured.endswith("2025-01-02")
    assert error[1:] == ERROR_NOTE[1:]
    assert marks == []
    assert not {"size", "mode", "device", "fill", "seed", "finished"} & set(heads(table))
    other = copied([row_of(gpu_run("naive")), row_of(gpu_run("tiled", size="64x64x64"))])
    assert "size" in heads(other)
    assert "M×N×K" not in other.source[0]
    assert as_tabs(table).splitlines()[-3:] == [size, measured, error]
    assert as_html(table).endswith(f"<p>{size}</p>\n<p>{measured}</p>\n<p>{error}</p>")


def test_that_the_source_says_what_marks_mean() -> None:
    held = gpu_run("naive", told=gauges([1980.0, 1605.0, 1605.0, 1605.0], held=(1, 2, 3)))
    *_, mark, _ = copied([row_of(held)]).source
    assert mark == f"{THROTTLED} (naive in 3 of 4 samples)"


def test_that_the_page_has_the_cells_of_the_text(make_result: Make) -> None:
    rows = [row_of(make_result('<b>&"\t\n')), row_of(RunError("naive", "naive: a < b\nand more"))]
    page = Cells()
    table = copied(rows)
    page.feed(as_html(table).partition("<p>")[0])
    assert page.rows == [line.split("\t") for line in as_tabs(table).partition("\n\n")[0].splitlines()]
    assert page.rows[1][0] == '<b>&"\\t\\n', "as it is shown"
    assert "did not run: a < b and more" in page.rows[2]


def test_that_no_rows_leave_the_heading() -> None:
    assert as_tabs(copied([])) == "kernel\n"


def test_that_a_copied_kernel_has_its_title_and_an_unknown_one_none(make_result: Make) -> None:
    shown = [copied([row_of(make_result(kernel))]).lines[0][0] for kernel in ("tiled", "my_own")]
    assert shown == ["tiled · Shared-memory tiles", "my_own"]


def library(run: RunResult) -> RunResult:
    return gpu_run(f"cublas_{run.arithmetic.value}", params=())


def test_that_the_source_names_each_library_that_ratios_are_against() -> None:
    plain, tensor = gpu_run("tiled"), gpu_run("mma_tf32", arithmetic=Arithmetic.TF32)
    rows = [with_library(row_of(run), library(run)) for run in (plain, plain, tensor)]
    begin = "× library: how many times as fast as "
    (against,) = (line for line in copied(rows).source if "library" in line)
    assert against == f"{begin}cublas_fp32 (kernels in fp32); cublas_tf32 (kernels in tf32)"
    (against,) = (line for line in copied(rows[:2]).source if "library" in line)
    assert against == f"{begin}cublas_fp32"


def test_that_rows_and_columns_that_were_copied_are_counted() -> None:
    assert copied_words(3, 9, 23) == "3 rows copied, 9 of 23 columns"
    assert copied_words(1, 9, 9) == "1 row copied"

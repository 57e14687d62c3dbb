"""Where a kernel is at fault: read from the words of a compiler or the PTX machine, underlined in the source."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QLabel, QTableView
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.explain.source.source_fault import (
    SourceFault,
    compile_fault,
    compile_faults,
    faults_while_running,
    without_folder,
)
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.source.source_model import CODE
from gemmviz.gui.source.source_view import SourceView

PATH = Path("/home/a b/mine.cu")
FAULT = SourceFault(30, 9, "use of undeclared identifier 'x'")


@pytest.mark.parametrize(
    ("reason", "short"),
    [
        ("/home/a b/mine.cu:40:9: no such thing", "mine.cu:40:9: no such thing"),
        ("mine.cu:40:9: no such thing", "mine.cu:40:9: no such thing"),
        ("needs M = 1, but M is 4", "needs M = 1, but M is 4"),
        ("the result is wrong: /tmp/x:1", "the result is wrong: /tmp/x:1"),
    ],
)
def test_that_a_place_is_told_without_its_folder(reason: str, short: str) -> None:
    assert without_folder(reason) == short


@pytest.mark.parametrize(
    ("reason", "fault"),
    [
        ("mine TILE=16: /home/a b/mine.cu:40:9: no such thing", SourceFault(40, 9, "no such thing")),
        ("/home/a b/mine.cu:12: error: expected a ;", SourceFault(12, 0, "expected a ;")),
        ("does not compile\n  mine.cu:7:1: fatal error: no\n  other.cu:1:1: x", SourceFault(7, 1, "no")),
        ("/home/a b/mine.cu: the entry 'k' is not in the file", None),
        ("/home/a b/other.cu:12: error: expected a ;", None),
        ("it did not end within 5 s", None),
    ],
)
def test_that_the_place_is_read_from_the_compilers_words(reason: str, fault: SourceFault | None) -> None:
    assert compile_fault(reason, PATH) == fault


@pytest.mark.parametrize(
    ("reason", "lines", "begin"),
    [
        (
            "Not recorded: the kernel did not end within 0.5 s: in block (0, 0, 0) threads 0 to 31 wait at a barrier "
            "in line 40 or 47, threads 32 to 255 run in line 35. Choose a smaller size. line 3",
            [40, 47, 35],
            "the kernel did not end within 0.5 s: in block",
        ),
        (
            "Not checked: the kernel failed: line 47: deadlock: 240 of 256 threads wait at barrier 0: threads 0 to 15 "
            "wait at a barrier in line 40, threads 32 to 255 wait at a barrier in line 47 (block (0, 0, 0))",
            [47, 40],
            "deadlock: 240 of 256",
        ),
        ("Not checked: the kernel failed: line 36: ld.global.f32 outside every array", [36], "ld.global.f32"),
        ("it did not end within 5 s", [], ""),
        ("Not recorded: needs M = 1, but M is 4", [], ""),
    ],
)
def test_that_every_line_is_found_that_the_machine_names(reason: str, lines: list[int], begin: str) -> None:
    found = faults_while_running(reason)
    assert [fault.line for fault in found] == lines
    assert all(fault.words.startswith(begin) and fault.is_running for fault in found)
    assert not any("smaller size" in fault.words for fault in found)


@pytest.fixture
def kernel() -> Kernel:
    return load_catalogue().get("tiled")


@pytest.fixture
def view(qtbot: QtBot, kernel: Kernel) -> SourceView:
    made = SourceView()
    qtbot.addWidget(made)
    made.resize(500, 700)
    made.show_kernel(kernel)
    made.show()
    return made


def red_pixels(image: QImage) -> int:
    """Pixels near the colour of a hazard."""
    red = QColor(LIGHT.hazard)
    return sum(
        abs(here.red() - red.red()) + abs(here.green() - red.green()) + abs(here.blue() - red.blue()) < 100
        for here in (image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height()))
    )


def test_that_the_line_is_underlined_and_says_why(view: SourceView, kernel: Kernel) -> None:
    table = view.findChild(QTableView, "sourceLines")
    index = table.model().index(FAULT.line - 1, CODE)
    view.show_line(FAULT.line)
    assert not red_pixels(table.viewport().grab(table.visualRect(index)).toImage())
    view.show_fault(kernel.id, FAULT)
    assert view.show_line(FAULT.line)
    assert red_pixels(table.viewport().grab(table.visualRect(index)).toImage()) > 10
    assert FAULT.words in index.data(Qt.ItemDataRole.ToolTipRole).replace("&#x27;", "'")
    assert "does not compile" in index.data(Qt.ItemDataRole.AccessibleTextRole)
    assert view.findChild(QLabel, "sourceNote").text() == f"Line 30 does not compile: {FAULT.words}"


def test_that_the_file_is_shown_in_place_of_what_was_recorded(view: SourceView, kernel: Kernel, make_recording) -> None:
    view.show_trace(make_recording("tiled"))
    view.show_fault(kernel.id, FAULT)
    table = view.findChild(QTableView, "sourceLines")
    assert table.model().rowCount() == len(kernel.text.splitlines())
    view.show_fault(kernel.id, None)
    assert table.model().rowCount() < len(kernel.text.splitlines())
    assert "does not compile" not in view.findChild(QLabel, "sourceNote").text()


def test_that_the_line_stays_in_view_when_the_file_is_mended(view: SourceView, kernel: Kernel) -> None:
    view.resize(500, 300)
    view.show_fault(kernel.id, FAULT)
    assert view.show_line(FAULT.line)
    table = view.findChild(QTableView, "sourceLines")
    top = table.rowAt(0)
    assert top > 0
    view.show_kernel(replace(kernel, text=kernel.text.replace("acc +=", "acc = acc +")))
    view.show_fault(kernel.id, None)
    assert (table.rowAt(0), table.currentIndex().row()) == (top, FAULT.line - 1)
    view.show_kernel(load_catalogue().get("naive"))
    assert table.rowAt(0) < top, "another file begins where it matters"


def test_that_another_kernel_has_no_fault(view: SourceView, kernel: Kernel) -> None:
    view.show_fault(kernel.id, FAULT)
    view.show_kernel(replace(kernel, id="other"))
    assert "does not compile" not in view.findChild(QLabel, "sourceNote").text()


def test_that_a_kernel_that_failed_while_it_ran_is_not_said_not_to_compile(view: SourceView, kernel: Kernel) -> None:
    (fault,) = faults_while_running("tiled: line 30: the kernel may loop without end: 2 GiB")
    view.show_fault(kernel.id, fault)
    assert view.findChild(QLabel, "sourceNote").text() == "Line 30: the kernel may loop without end: 2 GiB"
    index = view.findChild(QTableView, "sourceLines").model().index(29, CODE)
    assert "failed while it ran" in index.data(Qt.ItemDataRole.AccessibleTextRole)
    assert "does not compile" not in index.data(Qt.ItemDataRole.AccessibleTextRole)


def test_that_no_line_of_a_changed_file_is_lit(view: SourceView, kernel: Kernel, make_recording) -> None:
    run = make_recording("tiled")
    view.show_trace(run)
    view.show_frame_lines((40,), run)
    assert view.lit_lines() == (40,)
    view.show_fault(kernel.id, FAULT)
    assert (view.trace, view.lit_lines()) == (None, ())
    view.show_fault(kernel.id, None)
    assert (view.trace, view.lit_lines()) == (run, (40,))


def test_that_the_source_of_another_recording_has_no_fault(view: SourceView, kernel: Kernel, make_recording) -> None:
    run = make_recording("naive")
    view.show_fault(kernel.id, FAULT)
    view.show_trace(run)
    assert view.trace is run
    assert "does not compile" not in view.findChild(QLabel, "sourceNote").text()


def test_that_both_lines_of_a_race_are_at_fault_also_where_a_reason_begins_with_one() -> None:
    race = "the kernel races: thread 32 reads Bs[0,0] (line 11) while thread 0 writes it (line 9) between barriers"
    found = compile_faults(f"/home/a/mine.cu:11: {race}. mm was not described", Path("/home/a/mine.cu"))
    assert [one.line for one in found] == [11, 9]
    assert [one.told.startswith("The kernel races: ") for one in found] == [True, True]
    more = compile_faults(
        f"mine.cu:11: {race} (2 more races, in lines 8, 11 and 14); separate the two", Path("mine.cu")
    )
    assert [one.line for one in more] == [11, 9, 8, 14]
    assert compile_faults("mine.cu:7:3: error: x is declared (at line 2)", Path("mine.cu"))[0].told.startswith(
        "Line 7: "
    )

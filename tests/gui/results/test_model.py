"""The models of the results table: they grow row by row, sort with missing values last, filter by words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from pace import limit_s, own_s
from PySide6.QtCore import QAbstractItemModel, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor, QFontInfo
from PySide6.QtTest import QAbstractItemModelTester

from gemmviz.catalogue.term_words import MOST_CHARACTERS
from gemmviz.domain.device import Device
from gemmviz.domain.runs.result import RunError, RunResult, Session
from gemmviz.explain.runs.columns import COLUMNS, PLACE, Key
from gemmviz.gui.looks.fonts import FIGURES
from gemmviz.gui.looks.theme import DARK, LIGHT
from gemmviz.gui.results.model import ResultRole, RunTableModel, SortedRuns

Make = Callable[..., RunResult]
FATAL = QAbstractItemModelTester.FailureReportingMode.Fatal
ASCENDING, DESCENDING = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder


@pytest.fixture
def empty(host: Device) -> Session:
    return Session("", "1", host, 0.0)


def column(model: QAbstractItemModel, key: Key) -> list[str]:
    return [model.index(row, PLACE[key]).data() for row in range(model.rowCount())]


def test_that_the_tooltip_of_no_head_is_longer_than_six_lines_of_text() -> None:
    tips = {column.key: column.head_tip for column in COLUMNS}
    assert {key: len(tip) for key, tip in tips.items() if len(tip) > MOST_CHARACTERS} == {}
    assert tips[Key.ERROR].endswith("\n\nGlossary: error / u·G, float32, bound")
    assert "\nIQR, the interquartile range, is the spread" in tips[Key.IQR], "a meaning that has room stands there"
    head = RunTableModel("cpu_ijk").headerData
    tip = head(PLACE[Key.ERROR], Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
    assert "Glossary: error / u·G" in tip


def test_that_the_models_keep_qts_rules_while_rows_come_and_go(make_result: Make, empty: Session) -> None:
    model = RunTableModel("cpu_ijk")
    tester, sorted_runs = QAbstractItemModelTester(model, FATAL), SortedRuns(model)
    proxy_tester = QAbstractItemModelTester(sorted_runs, FATAL)
    sorted_runs.sort(PLACE[Key.MEDIAN], DESCENDING)
    runs = tuple(make_result(f"k{number}", (float(number + 1),) * 2) for number in range(6))
    error = RunError("naive", "why")
    for session in (
        empty,
        replace(empty, runs=runs[:2]),
        replace(empty, runs=runs, errors=(error,)),
        replace(empty, runs=(runs[0], runs[3], runs[5])),
        replace(empty, runs=runs),
        replace(empty, runs=tuple(reversed(runs)), errors=(error,)),
        empty,
    ):
        model.set_session(session)
        assert [row.item for row in model.rows] == [*session.runs, *session.errors]
        sorted_runs.set_filter("k" if session.errors else "")
    assert tester.model() is model
    assert proxy_tester.model() is sorted_runs


def test_that_the_sorted_view_keeps_qts_rules_while_figures_change(make_result: Make, empty: Session) -> None:
    model = RunTableModel("cpu_ijk")
    view = SortedRuns(model)
    view.setDynamicSortFilter(True)
    testers = [QAbstractItemModelTester(one, FATAL) for one in (model, view)]
    view.sort(PLACE[Key.TIMES_CPU], DESCENDING)
    runs = tuple(make_result(f"k{number}", (float(number + 1),) * 2) for number in range(4))
    references = tuple(make_result("cpu_ijk", (ms,) * 2, backend="host") for ms in (80.0, 8.0))
    model.set_session(replace(empty, runs=runs))
    view.set_filter("k")
    for session in (
        replace(empty, runs=(*runs, references[0])),
        replace(empty, runs=(*runs, *references)),
        replace(empty, runs=(*runs[1:], references[0])),
        replace(empty, runs=runs[1:]),
    ):
        model.set_session(session)
        kernels = [run.spec.kernel for run in session.runs if run.spec.kernel != "cpu_ijk"]
        assert column(view, Key.KERNEL)[: len(kernels)] == kernels, "the fastest first, and these are the fastest"
        view.set_filter("k2")
        assert column(view, Key.KERNEL) == ["k2"]
        view.set_filter("")
    assert [tester.model() for tester in testers] == [model, view]


def test_that_rows_that_stay_are_not_touched(make_result: Make, empty: Session) -> None:
    model = RunTableModel()
    runs = tuple(make_result() for _ in range(5))
    model.set_session(replace(empty, runs=runs))
    kept = QPersistentModelIndex(model.index(3, 0))
    resets: list[int] = []
    model.modelReset.connect(lambda: resets.append(1))
    model.set_session(replace(empty, runs=(runs[1], runs[3], make_result(), make_result())))
    assert kept.isValid()
    assert kept.data(ResultRole.ITEM) is runs[3]
    assert kept.row() == 1
    assert not resets


def test_that_a_column_of_times_has_the_unit_of_its_greatest(make_result: Make, empty: Session) -> None:
    model = RunTableModel()
    short, middle, long = (make_result(ms=(ms, ms, 1.5 * ms, 1.5 * ms)) for ms in (0.004, 2.0, 2000.0))
    model.set_session(replace(empty, runs=(short, middle, long)))
    assert column(model, Key.MEDIAN) == ["0.00500 ms", "2.50 ms", "2\u202f500 ms"]
    assert column(model, Key.IQR) == ["0.00200 ms", "1.00 ms", "1\u202f000 ms"]
    model.set_session(replace(empty, runs=(middle,)))
    assert column(model, Key.MEDIAN) == ["2.50 ms"]
    model.set_session(replace(empty, runs=(short, middle)))
    assert column(model, Key.MEDIAN) == ["0.00500 ms", "2.50 ms"]
    near = make_result(ms=(24.0, 24.0, 24.0008, 24.0008))
    model.set_session(replace(empty, runs=(near,)))
    assert column(model, Key.IQR) == ["0.0008 ms"], "in the unit of its median: the two are read together"


def test_that_equal_runs_are_still_two(make_result: Make, empty: Session) -> None:
    model = RunTableModel()
    run, twin = make_result(), make_result()
    error, same_error = RunError("naive", "why"), RunError("naive", "why")
    model.set_session(replace(empty, runs=(run, twin), errors=(error, same_error)))
    model.set_session(replace(empty, runs=(twin,), errors=(same_error,)))
    assert model.rows[0].item is twin
    assert model.rows[1].item is same_error


def test_that_a_new_reference_changes_only_what_it_is_compared_with(make_result: Make, empty: Session) -> None:
    model = RunTableModel("cpu_ijk")
    runs = (make_result(ms=(2.0,) * 2), make_result(ms=(2.0,) * 2, shape="9x9x9"), make_result(ms=(4.0,) * 2))
    model.set_session(replace(empty, runs=runs))
    changes: list[tuple[int, int, int]] = []
    model.dataChanged.connect(lambda first, last: changes.append((first.row(), last.row(), first.column())))
    reference = make_result("cpu_ijk", (80.0,) * 2, backend="host")
    model.set_session(replace(empty, runs=(*runs, reference)))
    assert column(model, Key.TIMES_CPU) == ["40.0", "", "20.0", "1.00"]
    assert changes == [(0, 3, PLACE[Key.TIMES_CPU])]


def test_that_cells_have_words_tips_and_the_right_face(make_result: Make, empty: Session) -> None:
    model = RunTableModel()
    model.set_session(replace(empty, runs=(make_result(passed=False),)))
    median, check = model.index(0, PLACE[Key.MEDIAN]), model.index(0, PLACE[Key.PASSED])
    assert QFontInfo(median.data(Qt.ItemDataRole.FontRole)).family() == FIGURES
    assert median.data(Qt.ItemDataRole.TextAlignmentRole) & Qt.AlignmentFlag.AlignRight
    assert model.index(0, 0).data(Qt.ItemDataRole.TextAlignmentRole) & Qt.AlignmentFlag.AlignLeft
    assert check.data() == "WRONG"
    assert check.data(Qt.ItemDataRole.FontRole).bold() or check.data(Qt.ItemDataRole.FontRole).weight() >= 600
    assert check.data(Qt.ItemDataRole.AccessibleTextRole) == "check WRONG"
    assert "median 2.00 ms" in median.data(Qt.ItemDataRole.AccessibleDescriptionRole)
    assert "|C−R| / (u·|A|·|B|)" in check.data(Qt.ItemDataRole.ToolTipRole)
    for theme in (LIGHT, DARK):
        model.set_theme(theme)
        assert check.data(Qt.ItemDataRole.ForegroundRole) == QColor(theme.hazard)


def test_that_headings_explain_themselves() -> None:
    model = RunTableModel()
    for place, about in enumerate(COLUMNS):
        assert model.headerData(place, Qt.Orientation.Horizontal) == about.title
        assert about.meaning in model.headerData(place, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
    assert model.headerData(0, Qt.Orientation.Vertical) is None
    assert model.headerData(len(COLUMNS), Qt.Orientation.Horizontal) is None


def test_that_missing_values_come_last_in_either_direction(make_result: Make, empty: Session) -> None:
    model = RunTableModel()
    view = SortedRuns(model)
    runs = tuple(make_result(ms=(ms,) * 2) for ms in (10.0, 0.5, 9.0))
    model.set_session(replace(empty, runs=runs, errors=(RunError("a", "b"), RunError("c", "d"))))
    view.sort(PLACE[Key.MEDIAN], ASCENDING)
    assert column(view, Key.MEDIAN) == ["0.500 ms", "9.00 ms", "10.0 ms", "", ""]
    view.sort(PLACE[Key.MEDIAN], DESCENDING)
    assert column(view, Key.MEDIAN) == ["10.0 ms", "9.00 ms", "0.500 ms", "", ""]
    view.sort(-1, ASCENDING)
    assert column(view, Key.MEDIAN) == ["10.0 ms", "0.500 ms", "9.00 ms", "", ""]


def test_that_every_word_of_the_filter_must_be_there(make_result: Make, empty: Session) -> None:
    model = RunTableModel()
    view = SortedRuns(model)
    runs = (make_result("tiled"), make_result("tiled", shape="9x9x9"), make_result("naive", shape="9x9x9"))
    model.set_session(replace(empty, runs=runs, errors=(RunError("tiled", "too large", size="9x9x9"),)))
    view.set_filter(" TILED  9x9 ")
    assert column(view, Key.PASSED) == ["passed", "did not run"]
    view.set_filter("tiled naive")
    assert view.rowCount() == 0
    view.set_filter("")
    assert view.rowCount() == 4


def test_that_a_thousand_runs_stay_fluid(make_result: Make, empty: Session) -> None:
    model = RunTableModel("cpu_ijk")
    view = SortedRuns(model)
    runs = tuple(make_result(ms=(float(number * 7919 % 1000 + 1),) * 3) for number in range(1000))
    model.set_session(replace(empty, runs=runs))
    sort_s = min(
        own_s(lambda order=order: view.sort(PLACE[Key.MEDIAN], order)) for order in (ASCENDING, DESCENDING, ASCENDING)
    )
    adds = []
    for number in range(5):
        runs = (*runs, make_result(ms=(number + 0.5,) * 3))
        session = replace(empty, runs=runs)
        adds.append(own_s(lambda session=session: model.set_session(session)))
    # The aims are 10 ms and 200 ms.
    assert min(adds) < limit_s(0.02), adds
    assert sort_s < limit_s(0.3)


def test_that_the_kernel_of_a_wrong_result_has_a_sign_and_the_word(make_result: Make, empty: Session) -> None:
    model = RunTableModel()
    model.set_session(replace(empty, runs=(make_result(passed=False), make_result())))
    wrong, right = (model.index(row, PLACE[Key.KERNEL]) for row in (0, 1))
    assert (wrong.data(), right.data()) == ("WRONG · tiled", "tiled")
    assert not wrong.data(Qt.ItemDataRole.DecorationRole).isNull()
    assert right.data(Qt.ItemDataRole.DecorationRole) is None
    assert wrong.data(Qt.ItemDataRole.ForegroundRole) == QColor(LIGHT.hazard)
    assert right.data(Qt.ItemDataRole.ForegroundRole) is None


def test_that_a_wrong_result_is_nobodys_reference(make_result: Make, empty: Session) -> None:
    host = {"backend": "host", "params": ()}
    runs = make_result("cpu_ijk", (8.0,) * 3, **host), make_result("cpu_ijk", (1.0,) * 3, passed=False, **host)
    model = RunTableModel("cpu_ijk")
    model.set_session(replace(empty, runs=(*runs, make_result(ms=(2.0,) * 3))))
    assert column(model, Key.TIMES_CPU)[2] == "4.00"

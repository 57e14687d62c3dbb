"""The table of a thread's variables: what its rows say, and how it fits into a narrow column."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtGui import QFontMetrics
from pytestqt.qtbot import QtBot

from gemmviz.domain.recordings.access import AccessKind, BlockTrace, MappedArray, Site, Space
from gemmviz.domain.recordings.variables import AS_WRITTEN_ONLY, Scalar, Variable, VariableValues
from gemmviz.gui.inspector.variable_rows import NOTHING_YET, VariableRow, VariableTable, variable_table
from gemmviz.gui.inspector.variables_view import CHANGED, VariablesView
from gemmviz.gui.looks.theme import DARK, LIGHT, Theme
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.plan import FrameMode
from gemmviz.trace.frames.thread_variables import BlockVariables

A = MappedArray("A", Space.GLOBAL, 1 << 40, 2, 4)
VARIABLES = (
    Variable("i", "int", Scalar.SIGNED, 4, (), 0, 3),
    Variable("sums", "float[2][2]", Scalar.FLOAT, 4, (2, 2), 1, 4),
    Variable("from", "const float *", Scalar.POINTER, 8, (), 5, 2, "helper"),
    Variable("gone", "bool", Scalar.BOOLEAN, 1, (), 0, 5, "", "optimised out"),
)


def bits(*numbers: float) -> list[int]:
    return np.array(numbers, np.float32).view(np.uint32).tolist()


def values_of(rows: list[tuple[int, int, int]], slots: int) -> VariableValues:
    """Values of a block of one warp, the same in all lanes: rows of slot, scalar and bits."""
    slot, cell, value = np.array(rows, np.int64).T
    return VariableValues(
        VARIABLES,
        1,
        np.array([0, 4], np.int32),
        np.arange(4, dtype=np.int32),
        np.ones(slots, np.int32),
        np.ones(32, np.int32),
        np.zeros(len(rows), np.int32),
        slot.astype(np.int32),
        cell.astype(np.int32),
        np.full(len(rows), 2**32 - 1),
        np.repeat(value, 32),
        "",
    )


@pytest.fixture
def frames() -> Frames:
    """One warp that loads A[0][0] three times."""
    site = Site(0, 7, 1, "A[i]", Space.GLOBAL, AccessKind.LOAD, 4, "A")
    trace = BlockTrace(
        (0, 0, 0),
        32,
        (site,),
        (A,),
        np.zeros(3, np.int32),
        np.zeros(3, np.int32),
        np.full((1, 3, 32), A.base, np.int64),
    )
    return Frames(trace, FrameMode.REQUEST)


def table_at(frames: Frames, index: int) -> VariableTable:
    one, half, two = bits(1, 0.5, 2)
    rows = [(0, 0, -3 & 0xFFFFFFFF), (0, 1, one), (0, 2, half), (1, 0, 8), (1, 5, A.base + 20), (2, 3, two)]
    values = values_of(rows, 3)
    return variable_table(frames, index, BlockVariables(frames.trace, values, (8, 4, 1)), 11)


def test_that_rows_say_values_types_and_what_has_changed(frames: Frames) -> None:
    first, second, third = (table_at(frames, index) for index in range(3))
    assert first.title == "Variables of thread (3, 1)"
    assert first.where == "before the access in line 7"
    assert [(row.name, row.value, row.type, row.is_changed) for row in first.rows] == [
        ("i", "-3", "int", True),
        ("sums[0]", "1    0.5", "float[2][2]", True),
        ("gone", "not shown: optimised out", "bool", False),
    ]
    assert [(row.name, row.value, row.is_changed) for row in second.rows] == [
        ("i", "8", True),
        ("sums[0]", "1    0.5", False),
        ("helper: from", "&A[1][1]", True),
        ("gone", "not shown: optimised out", False),
    ]
    assert [(row.name, row.value, row.type, row.is_changed) for row in third.rows][1:3] == [
        ("sums[0]", "1    0.5", "float[2][2]", False),
        ("sums[1]", "2    —", "", True),
    ]
    assert third.rows[1].tip.startswith("float[2][2] sums = {{1, 0.5}, {2, —}}")


def test_that_a_thread_without_an_access_yet_and_one_without_values_say_so(frames: Frames) -> None:
    values = values_of([(0, 0, 1)], 3)
    trace = frames.trace
    trace.addresses[:, :2] = -1
    frames = Frames(trace, FrameMode.REQUEST)
    assert len(frames) == 1
    late = BlockVariables(trace, values, (32, 1, 1))
    assert variable_table(frames, 0, late, 4).title == "Variables of thread 4"
    trace.addresses[0, 2, 4] = -1
    trace.addresses[0, 2, 5] = A.base
    assert variable_table(Frames(trace, FrameMode.REQUEST), 0, BlockVariables(trace, values, (32, 1, 1)), 4).note == (
        NOTHING_YET
    )
    none = BlockVariables(trace, VariableValues(note=AS_WRITTEN_ONLY), (32, 1, 1))
    assert variable_table(frames, 0, none, 4) == VariableTable("Variables of thread 4", "", (), AS_WRITTEN_ONLY)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("width", [250, 460])
def test_that_no_text_is_cut(qtbot: QtBot, width: int, theme: Theme) -> None:
    rows = tuple(
        VariableRow(name, value, of_type, is_changed, "")
        for name, value, of_type, is_changed in (
            ("k0", "16", "int", True),
            ("block_row", "4194240", "const unsigned long long", False),
            ("acc[0]", "3.5351  3.2961  4.1522  3.8663  9.1212  0.0312  1.2e+12  -7.125", "float[8][8]", True),
        )
    )
    view = VariablesView(theme)
    qtbot.addWidget(view)
    view.show_table(VariableTable("Variables of thread (3, 1)", "at its end", rows))
    view.resize(width, 400)
    view.show()
    cells = view.cells
    assert [cells.item(row, 0).text() for row in range(3)] == [CHANGED, "", CHANGED]
    assert sum(cells.columnWidth(column) for column in range(4)) <= cells.viewport().width()
    for row in range(3):
        for column in (1, 2, 3):
            metrics = QFontMetrics(cells.item(row, column).font())
            room = cells.columnWidth(column) - 6
            assert all(metrics.horizontalAdvance(word) <= room for word in cells.item(row, column).text().split())
            around = cells.visualItemRect(cells.item(row, column)).adjusted(3, 0, -3, 0)
            needed = metrics.boundingRect(0, 0, around.width(), 10_000, 0x1000, cells.item(row, column).text())
            assert needed.height() <= around.height()
    assert cells.height() >= cells.verticalHeader().length() + cells.horizontalHeader().height()
    view.show_table(None)
    assert not view.isVisible()

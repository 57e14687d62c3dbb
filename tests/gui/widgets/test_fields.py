from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPalette, QWheelEvent
from PySide6.QtWidgets import (
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QScrollBar,
    QStyleOptionViewItem,
    QWidget,
)
from pytestqt.qtbot import QtBot
from shiboken6 import invalidate

from gemmviz.gui.export.dialog import ExportDialog
from gemmviz.gui.looks.style_sheet import style_sheet
from gemmviz.gui.looks.theme import DARK, LIGHT
from gemmviz.gui.widgets.fields import MOST_ROWS, SEPARATOR_HEIGHT, SHORT, ComboBox
from gemmviz.gui.window.main_window import MainWindow


def fields_of(root: QWidget) -> list[Any]:
    kinds = (QComboBox, QAbstractSpinBox, QAbstractSlider)
    return [each for kind in kinds for each in root.findChildren(kind) if not isinstance(each, QScrollBar)]


def value_of(control: Any) -> object:
    return control.currentIndex() if isinstance(control, QComboBox) else control.value()


def turn_wheel(control: QWidget, turned: int) -> None:
    event = QWheelEvent(
        QPointF(5, 5),
        QPointF(control.mapToGlobal(QPoint(5, 5))),
        QPoint(0, 0),
        QPoint(0, turned),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(control, event)


def turned_without_focus(root: QWidget) -> list[str]:
    """The names of the controls that the wheel changed, or would take the focus for."""
    for control in fields_of(root):
        control.setEnabled(True)
        if isinstance(control, QComboBox):
            control.blockSignals(True)
            control.addItems(["one", "two", "three"])
            control.setCurrentIndex(1)
        else:
            control.blockSignals(True)
            control.setRange(0, 10)
            control.setValue(5)
    found = []
    for control in fields_of(root):
        control.clearFocus()
        before = value_of(control)
        for turned in (120, -120, -120):
            turn_wheel(control, turned)
        takes_focus = Qt.FocusPolicy.WheelFocus.value & ~Qt.FocusPolicy.StrongFocus.value
        if value_of(control) != before or control.focusPolicy().value & takes_focus:
            found.append(control.objectName() or type(control).__name__)
    return found


def test_that_the_wheel_changes_no_value_without_the_focus(window: MainWindow) -> None:
    assert len(fields_of(window)) > 20
    assert turned_without_focus(window) == []


def test_that_the_wheel_changes_nothing_in_the_export_dialog(qtbot, tmp_path) -> None:
    dialog = ExportDialog([], tmp_path)
    qtbot.addWidget(dialog)
    assert fields_of(dialog)
    assert turned_without_focus(dialog) == []


@pytest.mark.qt_log_ignore("This plugin does not support")
@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("rows", [1, 2, 9, 40])
@pytest.mark.parametrize("is_low", [False, True], ids=["in the middle", "at the lower edge"])
def test_that_a_list_shows_whole_rows_within_the_screen(theme, rows: int, is_low: bool, qtbot) -> None:
    combo = ComboBox()
    qtbot.addWidget(combo)
    combo.setStyleSheet(style_sheet(theme))
    combo.addItems([f"Row {row} of a list with names" for row in range(rows)])
    combo.setCurrentIndex(rows - 1)
    screen = combo.screen().availableGeometry()
    combo.move(screen.left() + 20, screen.bottom() - 60 if is_low else screen.center().y() - 200)
    combo.resize(80, 30)
    combo.show()
    qtbot.waitExposed(combo)
    combo.showPopup()
    view = combo.view()
    popup = view.window().geometry()
    assert screen.contains(popup)
    assert not popup.intersects(combo.geometry())
    height = view.viewport().height()
    shown = [view.visualRect(combo.model().index(row, 0)) for row in range(rows)]
    inside = [area for area in shown if area.bottom() >= 0 and area.top() < height]
    assert all(area.top() >= 0 and area.bottom() < height for area in inside), "no row is cut"
    assert len(inside) == rows or len(inside) >= min(8, MOST_ROWS)
    assert inside[-1] == shown[-1], "the chosen row is in sight"
    assert view.sizeHintForColumn(0) <= view.viewport().width(), "no text is cut"
    combo.hidePopup()


def test_that_a_closed_box_shows_shorter_words_where_the_whole_does_not_fit(qtbot: QtBot) -> None:
    box = ComboBox()
    qtbot.addWidget(box)
    box.addItem("sectors per request · excess wavefronts")
    box.addItem("requests of every kind that a warp may make")
    box.setItemData(0, "sect/req", SHORT)
    box.resize(150, 30)
    assert box.shown_text() == "sect/req"
    box.resize(500, 30)
    assert box.shown_text() == "sectors per request · excess wavefronts"
    box.resize(150, 30)
    box.setCurrentIndex(1)
    assert box.shown_text() not in ("sect/req", box.currentText()), "it has no shorter words"
    assert box.shown_text().endswith("…")


def test_that_the_shorter_words_are_painted(qtbot: QtBot) -> None:
    pictures = []
    for text, short in (("sectors per request · excess wavefronts", "sect/req"), ("sect/req", "")):
        box = ComboBox()
        qtbot.addWidget(box)
        box.addItem(text)
        box.setItemData(0, short, SHORT)
        box.resize(150, 30)
        pictures.append(box.grab().toImage())
    assert pictures[0] == pictures[1]


def test_that_a_text_that_does_not_fit_ends_with_a_sign(qtbot: QtBot) -> None:
    box = ComboBox()
    qtbot.addWidget(box)
    box.addItem("Align by: barrier interval")
    box.resize(400, 30)
    assert box.shown_text() == "Align by: barrier interval"
    box.resize(140, 30)
    assert box.shown_text().endswith("…")
    assert "Align by: barrier interval".startswith(box.shown_text()[:-1])


def test_that_a_list_that_is_open_changes_once_it_is_closed(qtbot: QtBot) -> None:
    combo, chosen = ComboBox(), list[str]()
    qtbot.addWidget(combo)

    def offer(*words: str) -> None:
        combo.clear()
        combo.addItems(words)

    combo.textActivated.connect(chosen.append)
    combo.refill(lambda: offer("none", "tiled"))
    assert combo.count() == 2
    with qtbot.waitExposed(combo):
        combo.show()
    combo.showPopup()
    combo.refill(lambda: offer("devices"))
    combo.refill(lambda: offer("none", "naive", "tiled"))
    assert combo.count() == 2, "a person is choosing"
    qtbot.keyClick(combo.view(), Qt.Key.Key_Down)
    qtbot.keyClick(combo.view(), Qt.Key.Key_Return)
    assert chosen == ["tiled"]
    qtbot.waitUntil(lambda: combo.count() == 3)
    combo.showPopup()
    combo.refill(lambda: offer("none"))
    combo.view().window().close()
    qtbot.waitUntil(lambda: combo.count() == 1)


def test_that_a_list_changes_after_python_has_lost_what_showed_it(qtbot: QtBot) -> None:
    """PySide gives up its objects of Qt's own widgets at times; Qt's live on."""
    combo = ComboBox()
    qtbot.addWidget(combo)
    with qtbot.waitExposed(combo):
        combo.show()
    combo.showPopup()
    combo.hidePopup()
    invalidate(combo.view().window())
    combo.refill(lambda: combo.addItem("recorded later"))
    assert combo.itemText(combo.count() - 1) == "recorded later"
    combo.showPopup()
    combo.refill(combo.clear)
    assert combo.count()
    combo.hidePopup()
    qtbot.waitUntil(lambda: not combo.count())


def test_that_a_separator_is_a_line_and_no_empty_entry(qtbot: QtBot) -> None:
    combo = ComboBox()
    qtbot.addWidget(combo)
    combo.addItems(["one", "two"])
    combo.insertSeparator(1)
    view, option = combo.view(), QStyleOptionViewItem()
    heights = [view.itemDelegate().sizeHint(option, combo.model().index(row, 0)).height() for row in range(3)]
    assert heights[1] == SEPARATOR_HEIGHT < min(heights[0], heights[2])
    image = QImage(40, SEPARATOR_HEIGHT, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    option.rect = image.rect()
    option.palette.setColor(QPalette.ColorRole.Mid, QColor("red"))
    painter = QPainter(image)
    view.itemDelegate().paint(painter, option, combo.model().index(1, 0))
    painter.end()
    reds = {y for y in range(SEPARATOR_HEIGHT) if image.pixelColor(20, y) == QColor("red")}
    assert reds == {SEPARATOR_HEIGHT // 2}

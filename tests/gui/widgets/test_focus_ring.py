"""A frame around what has the focus of the keyboard."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from gemmviz.gui.widgets.focus_ring import FocusRing
from gemmviz.gui.widgets.on_screen import screen_only_parts_hidden

IN, OUT = QEvent.Type.FocusIn, QEvent.Type.FocusOut
REASON = Qt.FocusReason


@pytest.fixture
def around(qtbot: QtBot) -> QWidget:
    widget = QWidget()
    qtbot.addWidget(widget)
    FocusRing(widget)
    widget.resize(200, 100)
    widget.show()
    return widget


@pytest.mark.parametrize(
    ("steps", "is_shown"),
    [
        ([(IN, REASON.TabFocusReason)], True),
        ([(IN, REASON.ShortcutFocusReason)], True),
        ([(IN, REASON.OtherFocusReason)], False),
        ([(IN, REASON.MouseFocusReason)], False),
        ([(IN, REASON.TabFocusReason), (OUT, REASON.TabFocusReason)], False),
        ([(IN, REASON.TabFocusReason), (OUT, REASON.PopupFocusReason), (IN, REASON.PopupFocusReason)], True),
        (
            [
                (IN, REASON.MouseFocusReason),
                (OUT, REASON.ActiveWindowFocusReason),
                (IN, REASON.ActiveWindowFocusReason),
            ],
            0,
        ),
    ],
)
def test_that_the_frame_is_shown_where_keys_brought_the_focus(
    around: QWidget, steps: list[tuple[QEvent.Type, Qt.FocusReason]], is_shown: bool
) -> None:
    ring = around.findChild(FocusRing)
    for kind, reason in steps:
        QApplication.sendEvent(around, QFocusEvent(kind, reason))
    assert ring.isVisible() == is_shown


def test_that_a_click_takes_the_frame_away_and_reaches_the_widget(qtbot: QtBot, around: QWidget) -> None:
    QApplication.sendEvent(around, QFocusEvent(IN, REASON.TabFocusReason))
    ring = around.findChild(FocusRing)
    assert ring.isVisible()
    assert ring.testAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
    qtbot.mouseClick(around, Qt.MouseButton.LeftButton)
    assert not ring.isVisible()


def test_that_it_is_as_large_as_the_widget_and_no_part_of_its_pictures(around: QWidget) -> None:
    QApplication.sendEvent(around, QFocusEvent(IN, REASON.TabFocusReason))
    ring = around.findChild(FocusRing)
    around.resize(300, 150)
    assert ring.geometry() == around.rect()
    with screen_only_parts_hidden(around):
        assert ring.isHidden()
    assert not ring.isHidden()
    edge = around.grab().toImage().pixelColor(0, 75)
    assert edge == around.palette().highlight().color()

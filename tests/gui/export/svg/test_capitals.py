"""An SVG of a part of the window has the capitals that its font makes on the screen."""

from __future__ import annotations

import re
from html import unescape

from driving import act
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QDockWidget, QLabel, QMainWindow, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from gemmviz.gui.export.pictures.widget_svg import render_svg
from gemmviz.gui.window.main_window import MainWindow


def texts(widget: QWidget) -> list[str]:
    found = re.findall(r">([^<]*)</text>", render_svg(widget).decode())
    return [unescape(text) for text in found]


def in_capitals(label: QLabel) -> QLabel:
    font = QFont(label.font())
    font.setCapitalization(QFont.Capitalization.AllUppercase)
    label.setFont(font)
    return label


def test_that_capitals_are_written_where_the_font_makes_them_and_nowhere_else(qtbot: QtBot) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    column = QVBoxLayout(page)
    column.addWidget(in_capitals(QLabel("Tile edge & more")))
    column.addWidget(QLabel("Tile edge & more"))
    column.addWidget(in_capitals(QLabel("a < b")))
    page.resize(300, 120)
    page.show()
    assert texts(page) == ["TILE EDGE & MORE", "Tile edge & more", "A < B"]


def test_that_the_head_of_a_dock_is_in_capitals_and_its_inside_is_not(qtbot: QtBot) -> None:
    window, dock = QMainWindow(), QDockWidget("Experiment")
    qtbot.addWidget(window)
    window.setStyleSheet("QDockWidget { text-transform: uppercase; }")
    dock.setWidget(QLabel("grid 65 × 65"))
    window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, dock)
    window.resize(300, 200)
    window.show()
    assert [text for text in texts(window) if text.strip()] == ["EXPERIMENT", "grid 65 × 65"]


def test_that_the_heads_of_the_experiment_are_in_capitals_in_the_whole_window(window: MainWindow) -> None:
    window.resize(1280, 800)
    window.show()
    act(window, "tabTimingAction")
    found = texts(window)
    for head in ("Experiment", "Kernel", "Launch"):
        assert head.upper() in found
        assert head not in found

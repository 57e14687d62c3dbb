"""The style sheet: made from the theme alone, nothing forgotten, nothing that Qt cannot find or read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtGui import QFontMetricsF, QPalette
from PySide6.QtWidgets import QCheckBox, QLabel, QPushButton, QSpinBox
from pytestqt.qtbot import QtBot

from gemmviz.gui.looks.fonts import figures
from gemmviz.gui.looks.style_sheet import shades, style_sheet
from gemmviz.gui.looks.theme import DARK, LIGHT, Theme, contrast
from gemmviz.gui.widgets.key_focus import focus_by_keys
from gemmviz.gui.widgets.named import named

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")
THEMES = pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])


@THEMES
def test_that_only_the_themes_colours_and_their_shades_appear(theme: Theme) -> None:
    ours = {value for name in theme.__slots__ if isinstance(value := getattr(theme, name), str)}
    used = set(re.findall(r"#[0-9a-f]{6}", style_sheet(theme)))
    assert used - ours - set(shades(theme).values()) == set()
    assert len(used) > 15


@THEMES
def test_that_nothing_is_left_to_fill_in_and_every_brace_is_closed(theme: Theme) -> None:
    sheet = style_sheet(theme)
    assert "$" not in sheet
    assert sheet.count("{") == sheet.count("}") > 100


@THEMES
def test_that_every_picture_it_names_is_there_in_the_themes_colours(theme: Theme) -> None:
    paths = {Path(path) for path in re.findall(r'url\("([^"]+)"\)', style_sheet(theme))}
    assert len(paths) > 6
    assert [path for path in paths if not path.is_file()] == []
    colours = {colour for path in paths for colour in re.findall(r"#[0-9a-f]{6}", path.read_text(encoding="utf-8"))}
    assert colours == {theme.muted, theme.on_accent, theme.text}


@THEMES
def test_that_qt_reads_it_whole(qtbot: QtBot, theme: Theme) -> None:
    # a sheet that cannot be parsed is a warning, and a warning fails the test
    button = named(QPushButton("Run"), role="primary")
    qtbot.addWidget(button)
    button.setStyleSheet(style_sheet(theme))
    button.resize(120, 32)
    button.ensurePolished()
    assert button.grab().toImage().pixelColor(8, 8).name() == theme.accent


def test_that_numbers_stand_right_and_heads_in_capitals(qtbot: QtBot) -> None:
    spin, head = QSpinBox(), named(QLabel("Kernel"), role="head")
    for widget in (spin, head):
        qtbot.addWidget(widget)
        widget.setStyleSheet(style_sheet(LIGHT))
        widget.ensurePolished()
    assert spin.alignment().name == "AlignRight|AlignVCenter"
    assert spin.font().family() == "JetBrains Mono"
    assert head.font().capitalization().name == "AllUppercase"


@THEMES
def test_that_focus_is_seen(qtbot: QtBot, theme: Theme) -> None:
    for role in ("", "primary", "secondary", "segment", "quiet", "card"):
        button = named(QPushButton("Go"), role=role)
        qtbot.addWidget(button)
        button.setStyleSheet(style_sheet(theme))
        button.resize(120, 40)
        with qtbot.waitExposed(button):
            button.show()
        button.clearFocus()
        without = button.grab().toImage()
        button.activateWindow()
        focus_by_keys(button)
        qtbot.waitUntil(button.hasFocus)
        ring = button.grab().toImage().pixelColor(60, 1).name()
        assert ring == (theme.text if role in ("primary", "card") else theme.accent), role
        assert without.pixelColor(60, 1).name() != ring, role


@THEMES
def test_that_a_tick_is_seen_where_it_cannot_be_changed_now(qtbot: QtBot, theme: Theme) -> None:
    looks = []
    for is_ticked in (False, True):
        tick = QCheckBox()
        qtbot.addWidget(tick)
        tick.setStyleSheet(style_sheet(theme))
        tick.setChecked(is_ticked)
        tick.setEnabled(False)
        tick.resize(24, 24)
        image = tick.grab().toImage()
        looks.append([image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())])
    without, with_tick = looks
    assert theme.faint not in without
    assert with_tick.count(theme.faint) > 60


def test_that_thousands_of_figures_stand_as_close_as_those_of_words(qtbot: QtBot) -> None:
    row = QLabel("2\u202f048")
    qtbot.addWidget(row)
    row.setProperty("role", "figure")
    row.setStyleSheet(style_sheet(LIGHT))
    row.ensurePolished()
    for metrics in (QFontMetricsF(row.font()), QFontMetricsF(figures())):
        assert metrics.horizontalAdvance("2\u202f048") < 4.5 * metrics.horizontalAdvance("0")


@THEMES
def test_that_a_gap_that_was_tried_can_be_read(qtbot: QtBot, theme: Theme) -> None:
    gap = QPushButton("__syncthreads();")
    gap.setProperty("role", "gap")
    gap.setStyleSheet(style_sheet(theme))
    qtbot.addWidget(gap)
    gap.setEnabled(False)
    gap.ensurePolished()
    shown = gap.palette().color(QPalette.ColorGroup.Disabled, QPalette.ColorRole.ButtonText).name()
    assert contrast(shown, theme.panel) >= 4.5

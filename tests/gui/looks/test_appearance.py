"""One theme for everything, and the desktop's when a person leaves it to the desktop."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QPalette, QStyleHints
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from gemmviz.gui.looks.appearance import ThemeFollower, apply_theme, palette
from gemmviz.gui.looks.own_sheet import set_sheet
from gemmviz.gui.looks.theme import DARK, LIGHT, Theme, ThemeChoice


@pytest.fixture
def restored(qapp: QApplication) -> Iterator[QApplication]:
    colours = qapp.palette()
    yield qapp
    qapp.setPalette(colours)


def test_that_a_theme_reaches_palette_and_style_sheet_and_can_be_changed(restored: QApplication, qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    for theme in (LIGHT, DARK, LIGHT):
        apply_theme(restored, window, theme)
        assert restored.palette().color(QPalette.ColorRole.Window).name() == theme.window
        assert theme.field in window.styleSheet()
        assert restored.font().family() == "Inter"
    assert restored.style().name().casefold() == "fusion"


def test_that_another_theme_styles_each_widget_of_a_window_at_most_twice(restored: QApplication, qtbot: QtBot) -> None:
    """Qt would do it once for each parent, and a window of a thousand widgets would stand still for two seconds."""
    window = QWidget()
    qtbot.addWidget(window)
    apply_theme(restored, window, LIGHT)
    counted: list[CountingLabel] = []
    around: QWidget = window
    for _ in range(6):
        layout = QVBoxLayout(around)
        counted.append(CountingLabel("words"))
        counted[-1].setProperty("role", "muted")
        around = QWidget()
        layout.addWidget(counted[-1])
        layout.addWidget(around)
    window.show()
    qtbot.waitExposed(window)
    for theme in (DARK, LIGHT, DARK):
        for label in counted:
            label.styled = 0
        apply_theme(restored, window, theme)
        assert all(1 <= label.styled <= 2 for label in counted)
        assert all(label.palette().color(QPalette.ColorRole.WindowText).name() == theme.muted for label in counted)
    button = QPushButton("made later", around)
    button.ensurePolished()
    assert button.palette().color(QPalette.ColorRole.ButtonText).name() == DARK.text


def test_that_the_same_style_sheet_again_styles_nothing_anew(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    label = CountingLabel("words", window)
    window.show()
    qtbot.waitExposed(window)
    sheets = [f"QLabel {{ color: {colour}; }}" for colour in (LIGHT.muted, LIGHT.muted, LIGHT.faint)]
    counts: list[bool] = []
    for sheet in sheets:
        label.styled = 0
        set_sheet(window, sheet)
        counts.append(label.styled > 0)
    assert counts == [True, False, True]


class CountingLabel(QLabel):
    styled = 0

    def changeEvent(self, event: QEvent) -> None:
        self.styled += event.type() is QEvent.Type.StyleChange
        super().changeEvent(event)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_that_every_role_of_the_palette_is_ours(theme: Theme) -> None:
    made = palette(theme)
    left_out = [
        role.name
        for role in QPalette.ColorRole
        if role not in (QPalette.ColorRole.NoRole, QPalette.ColorRole.NColorRoles)
        and not made.isBrushSet(QPalette.ColorGroup.Active, role)
    ]
    assert left_out == []
    disabled = made.color(QPalette.ColorGroup.Disabled, QPalette.ColorRole.Text)
    assert disabled.name() == theme.faint


def desktop_becomes(hints: QStyleHints, scheme: Qt.ColorScheme) -> None:
    hints.colorSchemeChanged.emit(scheme)


def test_that_auto_follows_the_desktop(qtbot: QtBot, qapp: QApplication) -> None:
    follower = ThemeFollower(qapp.styleHints())
    assert follower.theme is LIGHT
    with qtbot.waitSignal(follower.theme_changed) as changed:
        desktop_becomes(qapp.styleHints(), Qt.ColorScheme.Dark)
    assert changed.args == [DARK]
    assert follower.theme is DARK
    with qtbot.assertNotEmitted(follower.theme_changed):
        desktop_becomes(qapp.styleHints(), Qt.ColorScheme.Dark)
    desktop_becomes(qapp.styleHints(), Qt.ColorScheme.Light)
    assert follower.theme is LIGHT


def test_that_a_choice_holds_whatever_the_desktop_does(qtbot: QtBot, qapp: QApplication) -> None:
    follower = ThemeFollower(qapp.styleHints(), ThemeChoice.LIGHT)
    with qtbot.assertNotEmitted(follower.theme_changed):
        desktop_becomes(qapp.styleHints(), Qt.ColorScheme.Dark)
    with qtbot.waitSignal(follower.theme_changed):
        follower.set_choice(ThemeChoice.AUTO)
    assert (follower.choice, follower.theme) == (ThemeChoice.AUTO, DARK)
    with qtbot.assertNotEmitted(follower.theme_changed):
        follower.set_choice(ThemeChoice.DARK)
    desktop_becomes(qapp.styleHints(), Qt.ColorScheme.Unknown)
    assert follower.theme is DARK


def test_that_a_follower_that_is_gone_is_not_told(qapp: QApplication) -> None:
    follower = ThemeFollower(qapp.styleHints())
    heard: list[Theme] = []
    follower.theme_changed.connect(heard.append)
    follower.deleteLater()
    QApplication.sendPostedEvents(follower, QEvent.Type.DeferredDelete)
    desktop_becomes(qapp.styleHints(), Qt.ColorScheme.Dark)
    assert heard == []

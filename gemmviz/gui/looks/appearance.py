"""Puts a theme on the application, and follows the desktop from light to dark."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QColor, QPalette, QStyleHints
from PySide6.QtWidgets import QApplication, QWidget

from gemmviz.gui.looks.fonts import NORMAL, words
from gemmviz.gui.looks.own_sheet import set_sheet
from gemmviz.gui.looks.style_sheet import style_sheet
from gemmviz.gui.looks.theme import Theme, ThemeChoice, blend, theme_for

STYLE = "Fusion"
"""The base every desktop has; the style sheet lies on it."""
_BASE = "gemmvizBaseStyle"


def apply_theme(app: QApplication, window: QWidget, theme: Theme) -> None:
    """Give a window and all that belongs to it a theme: style, font, palette, style sheet.

    The window has the style sheet, not the application: when the application's changes, Qt styles each widget once for
    every parent that has a style. What has no window, such as a chart that is exported, gets a style sheet of its own.
    Widgets that paint colours themselves are told by their own `set_theme`.
    """
    apply_basis(app, theme)
    set_sheet(window, style_sheet(theme))


def apply_basis(app: QApplication, theme: Theme) -> None:
    """What a theme has below its style sheet, for widgets that are to be made: style, font, palette.

    Under a style sheet Qt polishes a widget and all in it each time it gets another parent; a window that is put
    together without one, and then gets it, takes a fifth less time.
    """
    if app.property(_BASE) != STYLE:  # under a style sheet, style().name() says nothing
        app.setStyle(STYLE)
        app.setProperty(_BASE, STYLE)
    app.setFont(words(NORMAL))
    app.setPalette(palette(theme))


def palette(theme: Theme) -> QPalette:
    """The theme in Qt's colour roles, for what the style sheet does not reach."""
    role = QPalette.ColorRole
    colours = {
        role.Window: theme.window,
        role.WindowText: theme.text,
        role.Base: theme.panel,
        role.AlternateBase: blend(theme.panel, theme.field, 0.45),
        role.Text: theme.text,
        role.Button: theme.panel,
        role.ButtonText: theme.text,
        role.BrightText: theme.hazard,
        role.ToolTipBase: theme.panel,
        role.ToolTipText: theme.text,
        role.PlaceholderText: theme.muted,
        role.Highlight: theme.accent,
        role.HighlightedText: theme.on_accent,
        role.Accent: theme.accent,
        role.Link: theme.accent,
        role.LinkVisited: theme.host,
        role.Light: blend(theme.panel, theme.text, 0.02),
        role.Midlight: theme.field,
        role.Mid: theme.line,
        role.Dark: theme.faint,
        role.Shadow: theme.muted,
    }
    made = QPalette()
    for which, colour in colours.items():
        made.setColor(which, QColor(colour))
    for which in (role.WindowText, role.Text, role.ButtonText, role.HighlightedText):
        made.setColor(QPalette.ColorGroup.Disabled, which, QColor(theme.faint))
    made.setColor(QPalette.ColorGroup.Disabled, role.Highlight, QColor(theme.line))
    return made


class ThemeFollower(QObject):
    """Knows which theme is on: the one a person chose or, for AUTO, the desktop's, whenever that changes."""

    theme_changed = Signal(object)
    """The Theme that is on from now."""

    def __init__(self, hints: QStyleHints, choice: ThemeChoice = ThemeChoice.AUTO, parent: QObject | None = None):
        super().__init__(parent)
        self._desktop_is_dark = hints.colorScheme() is Qt.ColorScheme.Dark
        self._choice = choice
        self._theme = theme_for(choice, self._desktop_is_dark)
        hints.colorSchemeChanged.connect(self._on_desktop_changed)

    @property
    def choice(self) -> ThemeChoice:
        """What the person chose."""
        return self._choice

    @property
    def theme(self) -> Theme:
        """The theme that is on."""
        return self._theme

    def set_choice(self, choice: ThemeChoice) -> None:
        """Choose a theme; `theme_changed` follows if it differs from the one that is on."""
        self._choice = choice
        self._settle()

    @Slot(Qt.ColorScheme)
    def _on_desktop_changed(self, scheme: Qt.ColorScheme) -> None:
        self._desktop_is_dark = scheme is Qt.ColorScheme.Dark
        self._settle()

    def _settle(self) -> None:
        theme = theme_for(self._choice, self._desktop_is_dark)
        if theme is not self._theme:
            self._theme = theme
            self.theme_changed.emit(theme)

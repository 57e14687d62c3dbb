"""Menus and toolbar, made from the table of actions."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QMainWindow, QMenu, QSizePolicy, QToolBar, QWidget

from gemmviz.gui.commands.actions import Actions
from gemmviz.gui.layout.action_table import FILE, HELP, SECTIONS, VIEW
from gemmviz.gui.layout.layout import WindowLayout
from gemmviz.gui.looks.icons import icon
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.player.player_actions import PLAY

ON_TOOLBAR = (
    ("newAction", "openAction", "saveAction"),
    ("undoAction", "redoAction"),
    ("exportViewAction", "copyAction"),
    ("paletteAction",),
)


class Menus:
    """Fills the menu bar and the toolbar, `badge` at its end; others fill `recent`, the recent files, and
    `examples`."""

    def __init__(
        self, window: QMainWindow, actions: Actions, layout: WindowLayout, badge: QWidget, play: Actions
    ) -> None:
        self.recent = QMenu("Recent &files", window)
        self.recent.setObjectName("recentMenu")
        self.examples = QMenu("E&xamples", window)
        self.examples.setObjectName("examplesMenu")
        for section in SECTIONS:
            if section == HELP:
                self._fill(window.menuBar().addMenu(f"&{PLAY}"), PLAY, play, layout)
            self._fill(window.menuBar().addMenu(f"&{section}"), section, actions, layout)
        bar = QToolBar("Toolbar", window)
        bar.setObjectName("toolBar")
        bar.setMovable(False)
        bar.setIconSize(QSize(16, 16))
        bar.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        for number, names in enumerate(ON_TOOLBAR):
            if number:
                bar.addSeparator()
            for name in names:
                bar.addAction(actions[name])
        gap = QWidget()
        gap.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        bar.addWidget(gap)
        bar.addWidget(badge)
        window.addToolBar(bar)

    def set_theme(self, theme: Theme) -> None:
        """The icons of menus within a menu; actions bring their own."""
        self.recent.setIcon(icon("open", theme))
        self.examples.setIcon(icon("lesson", theme))

    def _fill(self, menu: QMenu, section: str, actions: Actions, layout: WindowLayout) -> None:
        menu.setToolTipsVisible(True)
        menu.setObjectName(f"menu{section}")
        for spec, action in actions.in_section(section):
            if spec.new_part:
                menu.addSeparator()
            menu.addAction(action)
            if section == FILE and spec.name == "openAction":
                menu.addMenu(self.recent)
                menu.addMenu(self.examples)
        if section == VIEW:
            menu.addSeparator()
            for dock in layout.docks.values():
                menu.addAction(dock.toggleViewAction())

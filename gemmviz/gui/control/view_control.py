"""How the window looks: which theme is on, and whether things move; from the View menu, and remembered."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtWidgets import QApplication, QStyle, QWidget

from gemmviz.gui.commands.actions import Actions
from gemmviz.gui.control.menus import Menus
from gemmviz.gui.layout.parts import Parts
from gemmviz.gui.looks.appearance import ThemeFollower, apply_theme
from gemmviz.gui.looks.icons import icon
from gemmviz.gui.looks.theme import Theme, ThemeChoice
from gemmviz.gui.preferences import Preferences

THEMES = {"themeLight": ThemeChoice.LIGHT, "themeDark": ThemeChoice.DARK, "themeAuto": ThemeChoice.AUTO}


class ViewControl(QObject):
    """Puts a theme on everything, and tells whether motion is reduced."""

    motion_reduced = Signal(bool)
    """Whether things are to jump to their places from now on."""

    def __init__(
        self,
        actions: Actions,
        follower: ThemeFollower,
        memory: Preferences,
        parts: Parts,
        menus: Menus,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._actions, self._follower, self._memory = actions, follower, memory
        self._parts, self._menus = parts, menus
        for name, choice in THEMES.items():
            actions[name].setChecked(choice is follower.choice)
            actions[name].triggered.connect(lambda _checked=False, choice=choice: self._choose_theme(choice))
        actions["reduceMotionAction"].triggered.connect(self._on_reduce_motion)
        follower.theme_changed.connect(self._show_theme)
        self.motion_reduced.connect(parts.memory_page.stages.set_reduced_motion)

    def show(self) -> None:
        """Everything as it is remembered, or else as the desktop has it."""
        self._show_theme(self._follower.theme)
        reduced = self._memory.reduced_motion(desktop_reduces_motion())
        self._actions["reduceMotionAction"].setChecked(reduced)
        self.motion_reduced.emit(reduced)

    def _choose_theme(self, choice: ThemeChoice) -> None:
        self._follower.set_choice(choice)
        self._memory.use_theme(choice)

    @Slot(bool)
    def _on_reduce_motion(self, reduced: bool) -> None:
        self._memory.use_reduced_motion(reduced)
        self.motion_reduced.emit(reduced)

    @Slot(object)
    def _show_theme(self, theme: Theme) -> None:
        """Change everything, and paint nothing before every part has its place again: layouts follow a new style."""
        self._window.setUpdatesEnabled(False)
        QTimer.singleShot(0, self._window, lambda: self._window.setUpdatesEnabled(True))
        application = QApplication.instance()
        if isinstance(application, QApplication):
            apply_theme(application, self._window, theme)
        self._parts.set_theme(theme)
        self._menus.set_theme(theme)
        for spec in self._actions.specs:
            if spec.icon:
                self._actions[spec.name].setIcon(icon(spec.icon, theme))


def desktop_reduces_motion() -> bool:
    """Whether the desktop wants no animations, as far as Qt tells: the style then gives them no time at all."""
    return QApplication.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration) <= 0

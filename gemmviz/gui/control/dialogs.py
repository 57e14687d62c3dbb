"""The dialogs that only show something."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QApplication, QDialog, QWidget

from gemmviz.catalogue.glossary import load_glossary
from gemmviz.domain.device import Device
from gemmviz.gui.about.dialog import AboutDialog
from gemmviz.gui.about.facts import about_facts, licences
from gemmviz.gui.about.glossary_dialog import GlossaryDialog
from gemmviz.gui.commands.actions import Actions
from gemmviz.gui.commands.commands import SectionedAction, commands_of
from gemmviz.gui.commands.entries import Entry, Maker, Provider, term_entries
from gemmviz.gui.commands.palette import CommandPalette
from gemmviz.gui.commands.picture_keys import LESSON, PRESENTATION, keys_beside
from gemmviz.gui.commands.shortcuts_dialog import ShortcutsDialog
from gemmviz.gui.looks.projector import dialog_scale
from gemmviz.gui.looks.theme import Theme


class Dialogs:
    """Opens them over the window."""

    def __init__(self, window: QWidget, actions: Actions) -> None:
        self._window, self._actions = window, actions
        self._more: list[SectionedAction] = []
        self._providers: list[Provider] = []
        self._makers: list[Maker] = []
        actions["glossaryAction"].triggered.connect(lambda: self.show_glossary())

    def add(self, actions: Sequence[SectionedAction]) -> None:
        """More actions, of a part of the window that has its own."""
        self._more += actions

    def find_too(self, *providers: Provider) -> None:
        """What the command palette finds besides actions; the providers are asked each time it opens."""
        self._providers += providers

    def find_also(self, maker: Maker) -> None:
        """What the command palette makes of what is typed."""
        self._makers.append(maker)

    @property
    def _over(self) -> QWidget:
        """The window that a dialog opens over: the presentation where there is one."""
        active = QApplication.activeWindow()
        return active if active is not None and active.isFullScreen() else self._window

    def show_palette(self, theme: Theme) -> None:
        entries = [entry for provider in self._providers for entry in provider()]
        entries += term_entries(load_glossary(), self.show_glossary)
        palette = CommandPalette(
            [*self._actions.by_section(), *self._more], theme, self._over, entries, self._made, dialog_scale(self._over)
        )
        palette.finished.connect(palette.deleteLater)
        palette.show()

    def _made(self, query: str) -> list[Entry]:
        return [entry for maker in self._makers for entry in maker(query)]

    def show_shortcuts(self) -> None:
        commands, over = commands_of([*self._actions.by_section(), *self._more]), self._over
        before, after = keys_beside(self._own_keys(over))
        self._show(ShortcutsDialog((*before, *commands, *after), over, factor=dialog_scale(over)))

    def _own_keys(self, over: QWidget) -> str:
        """Whose keys are asked for: those of the lesson or the presentation that is shown, "" for neither."""
        lesson = self._window.findChild(QWidget, "lessonPage")
        if over is not self._window:
            return PRESENTATION
        return LESSON if isinstance(lesson, QWidget) and lesson.isVisible() else ""

    def show_glossary(self, term: str = "") -> None:
        """The glossary, with a term looked up if one is given."""
        self._show(GlossaryDialog(load_glossary(), term, self._over))

    def show_about(self, devices: Sequence[Device]) -> None:
        self._show(AboutDialog(about_facts(devices), licences(), self._window))

    def _show(self, dialog: QDialog) -> None:
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

"""The dialogs that only show something."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from gemmviz.domain.device import Device
from gemmviz.domain.machine_code import MachineCode
from gemmviz.gui.about.dialog import AboutDialog
from gemmviz.gui.about.facts import about_facts, licences
from gemmviz.gui.commands.actions import Actions
from gemmviz.gui.commands.commands import SectionedAction, commands_of
from gemmviz.gui.commands.entries import Provider
from gemmviz.gui.commands.palette import CommandPalette
from gemmviz.gui.commands.shortcuts_dialog import ShortcutsDialog
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.machine_code.dialog import MachineCodeDialog


class Dialogs:
    """Opens them over the window."""

    def __init__(self, window: QWidget, actions: Actions) -> None:
        self._window, self._actions = window, actions
        self._more: list[SectionedAction] = []
        self._providers: list[Provider] = []

    def add(self, actions: Sequence[SectionedAction]) -> None:
        """More actions, of a part of the window that has its own."""
        self._more += actions

    def find_too(self, *providers: Provider) -> None:
        """What the command palette finds besides actions; the providers are asked each time it opens."""
        self._providers += providers

    def show_palette(self, theme: Theme) -> None:
        entries = [entry for provider in self._providers for entry in provider()]
        palette = CommandPalette([*self._actions.by_section(), *self._more], theme, self._window, entries)
        palette.finished.connect(palette.deleteLater)
        palette.open()

    def show_shortcuts(self) -> None:
        self._show(ShortcutsDialog(commands_of([*self._actions.by_section(), *self._more]), self._window))

    def show_about(self, devices: Sequence[Device]) -> None:
        self._show(AboutDialog(about_facts(devices), licences(), self._window))

    def show_machine_code(self, code: MachineCode, theme: Theme) -> None:
        dialog = MachineCodeDialog(code, theme, self._window)
        dialog.finished.connect(dialog.deleteLater)
        dialog.show()

    def _show(self, dialog: AboutDialog | ShortcutsDialog) -> None:
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

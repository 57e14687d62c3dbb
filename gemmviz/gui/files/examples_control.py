"""The example sessions in the menu and on the first page: each opens as a copy without a name."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from gemmviz.catalogue.examples import Example
from gemmviz.gui.commands.actions import FILE
from gemmviz.gui.commands.commands import SectionedAction
from gemmviz.gui.plain_text import plain_text
from gemmviz.gui.welcome.examples import ExamplesSection, measured_words


class ExamplesControl(QObject):
    """Fills the menu; what is chosen there or on the first page comes as one signal."""

    chosen = Signal(object)
    """An Example."""

    def __init__(
        self, examples: Sequence[Example], menu: QMenu, section: ExamplesSection, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._examples = {example.path: example for example in examples}
        section.asked.connect(self.chosen)
        menu.setToolTipsVisible(True)
        menu.setEnabled(bool(examples))
        self._actions = [self._action(menu, number, example) for number, example in enumerate(examples, 1)]

    def of(self, path: Path) -> Example | None:
        """The example that lies there."""
        return self._examples.get(path)

    def by_section(self) -> list[SectionedAction]:
        """Its actions, for the command palette."""
        return [(FILE, action) for action in self._actions]

    def _action(self, menu: QMenu, number: int, example: Example) -> QAction:
        key = f"&{number}  " if number <= 9 else ""
        words = f"{example.title}  —  {measured_words(example)}".replace("&", "&&")
        action = menu.addAction(f"{key}{words}")
        action.setObjectName(f"exampleAction_{example.id}")
        action.setToolTip(plain_text(f"{example.text}\n{example.look}."))
        action.triggered.connect(lambda _checked=False: self.chosen.emit(example))
        return action

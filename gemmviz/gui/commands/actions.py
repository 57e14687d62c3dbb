"""Commands as values, and the QActions made from them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QActionGroup, QKeySequence

from gemmviz.gui.commands.search_words import SEARCH_WORDS
from gemmviz.gui.widgets.allowed import allow_action
from gemmviz.gui.widgets.plain_text import plain_text


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """One action. `name` is its objectName, `section` its menu; `group` makes exclusive choices of one group.

    `checkable` is what is on or off by itself.
    """

    name: str
    section: str
    text: str
    keys: tuple[str, ...] = ()
    icon: str = ""
    tip: str = ""
    group: str = ""
    new_part: bool = False
    checkable: bool = False


KEYWORDS = "keywords"
"""The property of an action that has its keywords."""


class Actions:
    """The actions of a window, by name."""

    def __init__(self, owner: QObject, specs: Iterable[ActionSpec]) -> None:
        self.specs = tuple(specs)
        self._groups: dict[str, QActionGroup] = {}
        self._actions = {spec.name: self._make(owner, spec) for spec in self.specs}

    def __getitem__(self, name: str) -> QAction:
        return self._actions[name]

    def allow(self, name: str, refusal: str) -> None:
        """Enable an action, or disable it and say why in its tooltip and in the status bar; "" is no refusal."""
        allow_action(self._actions[name], refusal)

    def in_section(self, section: str) -> list[tuple[ActionSpec, QAction]]:
        """The actions of one menu in order."""
        return [(spec, self._actions[spec.name]) for spec in self.specs if spec.section == section]

    def by_section(self) -> list[tuple[str, QAction]]:
        """All actions, each with its section."""
        return [(spec.section, self._actions[spec.name]) for spec in self.specs]

    def _make(self, owner: QObject, spec: ActionSpec) -> QAction:
        action = QAction(spec.text, owner)
        action.setObjectName(spec.name)
        action.setShortcuts([QKeySequence(keys) for keys in spec.keys])
        action.setToolTip(plain_text(f"{spec.tip} ({spec.keys[0]})" if spec.keys else spec.tip))
        action.setStatusTip(plain_text(spec.tip))
        action.setCheckable(spec.checkable)
        action.setProperty(KEYWORDS, list(SEARCH_WORDS.get(spec.name, ())))
        if spec.group:
            group = self._groups.setdefault(spec.group, QActionGroup(owner))
            action.setCheckable(True)
            group.addAction(action)
        action.setIconVisibleInMenu(not action.isCheckable())  # there the mark of what is chosen has the icon's place
        return action

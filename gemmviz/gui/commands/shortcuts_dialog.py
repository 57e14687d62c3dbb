"""Every key the program listens to, by section, with a field to find one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from gemmviz.gui.commands.commands import Command
from gemmviz.gui.looks.dialog_buttons import dialog_buttons
from gemmviz.gui.looks.fonts import NORMAL
from gemmviz.gui.widgets.dialog_size import fit_screen
from gemmviz.gui.widgets.flow_layout import FlowLayout
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel


def with_keys(commands: Sequence[Command], query: str = "") -> tuple[tuple[str, tuple[Command, ...]], ...]:
    """The commands that have keys, by section in the given order; `query` may be part of a name, a section, a key."""
    wanted = query.casefold().split()
    found = [c for c in commands if c.keys and all(word in _said(c) for word in wanted)]
    order = list(dict.fromkeys(command.section for command in found))
    found.sort(key=lambda command: order.index(command.section))
    return tuple((section, tuple(group)) for section, group in groupby(found, key=lambda command: command.section))


class ShortcutsDialog(QDialog):
    """A list to read. It is given all commands (`commands_of(actions)`), and keys that are no action's beside them.

    `factor` says how many times as large as on a desk its type is, for an audience.
    """

    def __init__(self, commands: Sequence[Command], parent: QWidget | None = None, *, factor: float = 1.0) -> None:
        super().__init__(parent)
        self.setObjectName("shortcutsDialog")
        self.setWindowTitle("Keyboard shortcuts")
        self._commands = tuple(commands)
        find = "Find a key or a command"
        self._field = named(
            QLineEdit(placeholderText=find), "shortcutsField", "Part of a name, a section or a key", find
        )
        self._field.textChanged.connect(self._on_text_changed)
        self._area = named(QScrollArea(widgetResizable=True), "shortcutsList", says="Keyboard shortcuts")
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        buttons = dialog_buttons(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 24, 24, 16)
        column.setSpacing(12)
        for widget in (self._field, self._area, buttons):
            column.addWidget(widget)
        if factor > 1.0:
            points = NORMAL * factor
            self.setStyleSheet(f"QLabel, QLabel[role], QLineEdit, QPushButton {{ font-size: {points:g}pt; }}")
        fit_screen(self, QSize(520, 600) * factor)
        self._on_text_changed("")

    @Slot(str)
    def _on_text_changed(self, text: str) -> None:
        page = QWidget()
        grid = QGridLayout(page)
        grid.setContentsMargins(0, 0, 12, 0)
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(0, 1)
        row = 0
        for section, commands in with_keys(self._commands, text):
            head = named(PlainLabel(section), role="head")
            if row:
                grid.setRowMinimumHeight(row, 8)
            grid.addWidget(head, row + 1, 0)
            row += 2
            for command in commands:
                name = named(PlainLabel(command.name, wordWrap=True), tip=command.tip, says=command.name)
                grid.addWidget(name, row, 0)
                grid.addWidget(_caps(command.keys), row, 1, Qt.AlignmentFlag.AlignRight)
                row += 1
        if not row:
            words = f"No shortcut matches “{text.strip()}”" if text.strip() else "No command has a shortcut"
            grid.addWidget(named(PlainLabel(words), role="muted"), 0, 0)
        grid.setRowStretch(row + 1, 1)
        self._area.setWidget(page)


def _caps(keys: Sequence[str]) -> QWidget:
    """The keys as caps in a row, or in more where one has no room."""
    caps = QWidget()
    flow = FlowLayout(6, caps)
    flow.setContentsMargins(0, 0, 0, 0)
    for number, one in enumerate(keys):
        part = QWidget()
        row = QHBoxLayout(part)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        if number:
            row.addWidget(named(PlainLabel("or"), role="muted"))
        row.addWidget(named(PlainLabel(one), role="key"))
        flow.addWidget(part)
    return caps


def _said(command: Command) -> str:
    return f"{command.section} {command.name} {' '.join(command.keys)}".casefold()

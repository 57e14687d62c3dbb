"""Finds commands, kernels, presets, recordings and pages by a few letters, and runs or shows them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSize,
    Qt,
    QTimer,
    Signal,
    Slot,
)
from PySide6.QtGui import QAction, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QDialog, QFrame, QLineEdit, QListView, QVBoxLayout, QWidget

from gemmviz.gui.commands.commands import Command, SectionedAction, command_of, commands_of
from gemmviz.gui.commands.entries import Entry, Maker
from gemmviz.gui.commands.ranking import Match, rank
from gemmviz.gui.commands.row import CommandRow, CommandRowPainter
from gemmviz.gui.looks.fonts import NORMAL
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel

WIDTH, ROW, MOST_ROWS = 720, 36, 10
FIELD_PX = 20
"""The least height of a field's text in the style sheet, in pixels."""
FIND = "Find a command, control, kernel, lesson, preset, recording, page, example or term"
HINT = "↑ ↓ choose    Enter run or show    Esc close"
ROW_ROLE = int(Qt.ItemDataRole.UserRole)

Index = QModelIndex | QPersistentModelIndex


class CommandModel(QAbstractListModel):
    """The commands that fit the query, best first."""

    def __init__(self, commands: Sequence[Command], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._commands, self._count = tuple(commands), len(commands)
        self._matches: tuple[Match, ...] = rank("", self._commands)

    def set_query(self, query: str, made: Sequence[Command] = ()) -> None:
        """`made` are the commands that the query itself asks for: they stand first, with the places behind all."""
        self.beginResetModel()
        fixed = self._commands[: self._count]
        self._commands = (*fixed, *made)
        asked = (Match(self._count + number, 0.0, ()) for number in range(len(made)))
        self._matches = (*asked, *rank(query, fixed))
        self.endResetModel()

    def command(self, row: int) -> Command:
        """What stands in a row."""
        return self._commands[self._matches[row].place]

    def place(self, row: int) -> int:
        """Which command stands in a row."""
        return self._matches[row].place

    @property
    def is_first_offered(self) -> bool:
        """Whether Enter may do what stands first: a weak match sets up no other experiment unless it is chosen."""
        first = next(iter(self._matches), None)
        return first is not None and not (first.is_weak and self._commands[first.place].changes_settings)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self._matches)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or not 0 <= index.row() < len(self._matches):
            return None
        match, command = self._matches[index.row()], self.command(index.row())
        if role == Qt.ItemDataRole.DisplayRole:
            return command.name
        if role == ROW_ROLE:
            return CommandRow(command, match.letters)
        if role == Qt.ItemDataRole.ToolTipRole:
            return command.tip
        if role == Qt.ItemDataRole.AccessibleTextRole:
            state = "" if command.enabled else f", not now: {command.tip}"
            return f"{command.section}: {command.name} {' or '.join(command.keys) or command.detail}{state}"
        return None


class CommandPalette(QDialog):
    """A field and a list of actions and entries. Enter closes it and triggers the chosen action, or does what the entry
    says; an action that is disabled says why instead. Enter does nothing before something is typed, or chosen by the
    arrows. It is a popup: Qt hands it every key from the moment it opens, also those that the desktop still sends to
    the window below. A press beside it closes it.
    """

    chosen = Signal(QAction)
    """The action that was triggered, just before."""

    def __init__(
        self,
        actions: Sequence[SectionedAction],
        theme: Theme,
        parent: QWidget | None = None,
        entries: Sequence[Entry] = (),
        make: Maker = lambda _query: (),
        factor: float = 1.0,
    ) -> None:
        """`make` makes what a query itself asks for, beside `actions` and `entries`, which are found by their words.
        `factor` says how many times as large as on a desk it is, for an audience.
        """
        super().__init__(parent, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        self.setObjectName("commandPalette")
        self.setWindowTitle("Command palette")
        self.setAccessibleName("Command palette")
        self._actions, self._entries = tuple(action for _, action in actions), tuple(entries)
        self._make, self._made, self._factor = make, tuple[Entry, ...](), factor
        commands = (*commands_of(actions), *map(command_of, entries))
        self._model = CommandModel(commands, self)
        self._field = named(QLineEdit(placeholderText=FIND), "commandField", "A few letters of a name", FIND)
        self._list = named(QListView(uniformItemSizes=True), "commandList", says="Commands")
        self._list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._list.setMouseTracking(True)
        self._list.setModel(self._model)
        self._list.setItemDelegate(CommandRowPainter(theme, ROW_ROLE, ROW, self._list, factor=factor))
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._nothing = named(PlainLabel(parent=self._list, wordWrap=True), "commandNothing", role="lead")
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._hint = named(PlainLabel(HINT), "commandHint", role="muted")
        self._lay_out()
        self._field.installEventFilter(self)
        self._field.textChanged.connect(self._on_text_changed)
        self._list.clicked.connect(self._on_clicked)
        self._list.selectionModel().currentChanged.connect(self._on_current_changed)
        self._on_text_changed("")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._field and isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            return self._takes_key(Qt.Key(event.key()))
        return super().eventFilter(watched, event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._field.setFocus()
        parent = self.parentWidget()
        if parent is not None:
            over = parent.window().geometry()
            self.move(over.center().x() - self.width() // 2, over.top() + max(over.height() // 8, 24))

    def _lay_out(self) -> None:
        frame = named(QFrame(), role="popup")
        around = QVBoxLayout(self)
        around.setContentsMargins(0, 0, 0, 0)
        around.addWidget(frame)
        column = QVBoxLayout(frame)
        column.setContentsMargins(12, 12, 12, 8)
        column.setSpacing(8)
        for widget in (self._field, self._list, self._hint):
            column.addWidget(widget)
        rows = min(self._model.rowCount(), MOST_ROWS)
        self._list.setFixedHeight(max(rows, 1) * round(ROW * self._factor) + 6)
        over = QVBoxLayout(self._list)
        over.addWidget(self._nothing)
        self.setFixedWidth(round(WIDTH * self._factor))
        if self._factor > 1.0:
            points = NORMAL * self._factor
            field = f"QLineEdit {{ min-height: {FIELD_PX * self._factor:.0f}px; }}"
            self.setStyleSheet(f"QLabel, QLabel[role], QLineEdit {{ font-size: {points:g}pt; }} {field}")

    def _takes_key(self, key: Qt.Key) -> bool:
        rows = self._model.rowCount()
        steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: MOST_ROWS, Qt.Key.Key_PageUp: -MOST_ROWS}
        if key in steps:
            step, at = steps[key], self._list.currentIndex().row()
            to = (at + step) % rows if rows and at >= 0 and abs(step) == 1 else min(max(at + step, 0), rows - 1)
            self._choose(to)
            return True
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._run(self._list.currentIndex())
            return True
        return False

    def _choose(self, row: int) -> None:
        index = self._model.index(row, 0)
        self._list.setCurrentIndex(index)
        self._list.scrollTo(index, QListView.ScrollHint.EnsureVisible)

    def _run(self, index: QModelIndex) -> None:
        if not index.isValid():
            return
        place = self._model.place(index.row())
        if not self._model.command(index.row()).enabled:
            return  # the line below the list says why
        if place >= len(self._actions):
            self.accept()
            QTimer.singleShot(0, self.parent() or self, (*self._entries, *self._made)[place - len(self._actions)].do)
            return
        action = self._actions[place]
        self.accept()
        self.chosen.emit(action)
        QTimer.singleShot(0, action, action.trigger)  # once this dialog no longer takes the keys

    @Slot(str)
    def _on_text_changed(self, text: str) -> None:
        self._made = tuple(self._make(text))
        self._model.set_query(text, [command_of(entry) for entry in self._made])
        self._list.scrollToTop()
        if text.strip() and self._model.is_first_offered:
            self._choose(0)
        else:
            self._list.setCurrentIndex(QModelIndex())
            self._hint.setText(HINT)
        self._nothing.setText(f"Nothing matches “{text.strip()}”. Try another word.")
        self._nothing.setVisible(bool(text.strip()) and not self._model.rowCount())

    @Slot(QModelIndex, QModelIndex)
    def _on_current_changed(self, current: QModelIndex, _before: QModelIndex) -> None:
        command = self._model.command(current.row()) if current.isValid() else None
        unable = command is not None and not command.enabled
        self._hint.setText(f"Not now: {command.tip or command.name}" if command is not None and unable else HINT)

    @Slot(QModelIndex)
    def _on_clicked(self, index: QModelIndex) -> None:
        self._run(index)

    def sizeHint(self) -> QSize:
        return QSize(round(WIDTH * self._factor), super().sizeHint().height())

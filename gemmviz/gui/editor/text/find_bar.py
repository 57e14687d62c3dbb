"""Finds and replaces words in the editor, and goes to a line: a bar below the text, shown when it is asked for."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QKeyEvent, QTextCursor, QTextDocument
from PySide6.QtWidgets import QCheckBox, QFrame, QGridLayout, QHBoxLayout, QLineEdit, QPushButton, QWidget

from gemmviz.domain import figures
from gemmviz.gui.editor.text.code_edit import CodeEdit
from gemmviz.gui.widgets.fields import SpinBox
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel

Flag = QTextDocument.FindFlag


class FindBar(QFrame):
    """Finds as one types; Enter and F3 go on, Shift goes back, Esc closes."""

    def __init__(self, edit: CodeEdit, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("findBar")
        self._edit = edit
        self._what = named(QLineEdit(), "findText", "Text to find", "Find")
        self._with = named(QLineEdit(), "replaceText", "Replacement text", "Replace with")
        self._case = named(QCheckBox("Match case"), "findCase")
        self._count = named(PlainLabel(), "findCount", role="muted")
        self._replacing: list[QWidget] = [self._with]
        grid = QGridLayout(self)
        grid.setContentsMargins(12, 4, 12, 4)
        grid.setSpacing(4)
        self._what.setPlaceholderText("Find")
        self._with.setPlaceholderText("Replace with")
        grid.addWidget(self._what, 0, 0)
        grid.addWidget(self._with, 1, 0)
        for column, (name, words, tip, do) in enumerate(
            (
                (
                    "findBefore",
                    "Previous",
                    "Find the previous match (Shift+F3)",
                    lambda: self.find_text(is_forward=False),
                ),
                ("findNext", "Next", "Find the next match (F3)", self.find_text),
                ("findClose", "Close", "Close this bar (Esc)", self.leave),
            ),
            1,
        ):
            grid.addWidget(_button(name, words, tip, do), 0, column)
        for column, (name, words, tip, do) in enumerate(
            (
                ("replaceOne", "Replace", "Replace this match and find the next one", self.replace),
                ("replaceAll", "Replace all", "Replace every match; one Undo takes it back", self.replace_all),
            ),
            1,
        ):
            button = _button(name, words, tip, do)
            self._replacing.append(button)
            grid.addWidget(button, 1, column)
        below = QHBoxLayout()
        below.addWidget(self._case)
        below.addWidget(self._count, 1)
        grid.addLayout(below, 2, 0, 1, 4)
        self._what.textEdited.connect(self._on_typed)
        self._case.toggled.connect(self._on_typed)
        self._what.returnPressed.connect(self.find_text)
        self._with.returnPressed.connect(self.replace)
        self.hide()

    @Slot(bool)
    def open(self, replaces: bool) -> None:
        """Show the bar; what is selected is what is looked for."""
        for widget in self._replacing:
            widget.setVisible(replaces)
        chosen = self._edit.textCursor().selectedText()
        if chosen and "\u2029" not in chosen:
            self._what.setText(chosen)
        self.show()
        self._what.setFocus()
        self._what.selectAll()
        self._show_count()

    @Slot()
    def leave(self) -> None:
        """Hide the bar and go on in the text."""
        self.hide()
        self._edit.setFocus()

    def find_text(self, *, is_forward: bool = True, from_start: bool = False) -> bool:
        """Select the next place, or the one before; beyond the end it begins anew. Whether there is one."""
        words = self._what.text()
        if not words:
            return False
        flags = Flag(0) if is_forward else Flag.FindBackward
        if self._case.isChecked():
            flags |= Flag.FindCaseSensitively
        document, begin = self._edit.document(), self._edit.textCursor()
        if from_start:
            begin.setPosition(begin.selectionStart())
        found = document.find(words, begin, flags)
        if found.isNull():
            edge = QTextCursor(document)
            if not is_forward:
                edge.movePosition(QTextCursor.MoveOperation.End)
            found = document.find(words, edge, flags)
        if not found.isNull():
            self._edit.setTextCursor(found)
            self._edit.centerCursor()
        return not found.isNull()

    @Slot(bool)
    def find_again(self, is_forward: bool) -> None:
        """Find the next, or the one before; with nothing to look for the bar opens."""
        if not self._what.text():
            self.open(False)
        else:
            self.find_text(is_forward=is_forward)

    @Slot()
    def replace(self) -> None:
        """Replace what is selected, if it is what is looked for, and find the next."""
        cursor = self._edit.textCursor()
        if self._is_same(cursor.selectedText()):
            cursor.insertText(self._with.text())
        self.find_text()
        self._show_count()

    @Slot()
    def replace_all(self) -> None:
        """Replace all places, as one step that can be undone."""
        words, place = self._what.text(), QTextCursor(self._edit.document())
        if not words:
            return
        flags = Flag.FindCaseSensitively if self._case.isChecked() else Flag(0)
        place.beginEditBlock()
        count = 0
        found = self._edit.document().find(words, 0, flags)
        while not found.isNull():
            found.insertText(self._with.text())
            count += 1
            found = self._edit.document().find(words, found, flags)
        place.endEditBlock()
        self._count.setText(f"{figures.counted(count, 'place')} replaced")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.key() == Qt.Key.Key_Escape:
            self.leave()
        elif event.key() == Qt.Key.Key_F3:
            self.find_text(is_forward=not is_back)
        else:
            super().keyPressEvent(event)

    @Slot()
    def _on_typed(self) -> None:
        self.find_text(from_start=True)
        self._show_count()

    def _is_same(self, words: str) -> bool:
        what = self._what.text()
        return bool(what) and (words == what or (not self._case.isChecked() and words.lower() == what.lower()))

    def _show_count(self) -> None:
        what, text = self._what.text(), self._edit.text()
        if not self._case.isChecked():
            what, text = what.lower(), text.lower()
        self._count.setText(figures.counted(text.count(what), "place") if what else "")


class LineBar(QFrame):
    """Goes to a line by its number; Enter goes there, Esc closes."""

    def __init__(self, edit: CodeEdit, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("lineBar")
        self._edit = edit
        self._line = named(SpinBox(), "goToLine", "The number of the line", "Line")
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 4, 12, 4)
        row.addWidget(PlainLabel("Go to line"))
        row.addWidget(self._line)
        row.addWidget(_button("goToLineNow", "Go", "Put the cursor there (Enter)", self._go))
        row.addStretch(1)
        self.hide()

    @Slot()
    def open(self) -> None:
        """Show the bar with the line of the cursor."""
        self._line.setRange(1, self._edit.blockCount())
        self._line.setValue(self._edit.textCursor().blockNumber() + 1)
        self.show()
        self._line.setFocus()
        self._line.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._go()
        elif event.key() == Qt.Key.Key_Escape:
            self._leave()
        else:
            super().keyPressEvent(event)

    @Slot()
    def _go(self) -> None:
        self._line.interpretText()
        self._edit.go_to(self._line.value())
        self._leave()

    def _leave(self) -> None:
        self.hide()
        self._edit.setFocus()


def _button(name: str, words: str, tip: str, do: Callable[..., object]) -> QPushButton:
    button = named(QPushButton(words), name, tip, words, role="quiet")
    button.setAutoDefault(False)
    button.clicked.connect(lambda _checked=False: do())
    return button

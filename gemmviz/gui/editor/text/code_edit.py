"""The text of a kernel as it is edited: colours, line numbers, brackets, indentation, lines at fault, zoom."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QPoint, QRect, Qt, QTimer, Signal, Slot
from PySide6.QtGui import (
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QPaintEvent,
    QResizeEvent,
    QTextCursor,
    QWheelEvent,
)
from PySide6.QtWidgets import QPlainTextEdit, QToolTip, QWidget

from gemmviz.domain.terms import Language
from gemmviz.explain.source.changed_lines import changed_lines
from gemmviz.explain.source.source_fault import SourceFault
from gemmviz.gui.editor.text.code_marks import CodeMarks
from gemmviz.gui.editor.text.highlighter import CodeHighlighter
from gemmviz.gui.editor.text.indentation import WIDTH, after, indented, to_next_stop, unindented
from gemmviz.gui.editor.text.line_margin import BEFORE_EDITS, LineMargin
from gemmviz.gui.looks.theme import LIGHT, Theme
from gemmviz.gui.source.code_delegate import POINTS, code_font
from gemmviz.gui.widgets.plain_text import plain_text

LEAST_POINTS, MOST_POINTS = 6.0, 40.0
COMPARE_MS = 150
"""After the last key the lines that differ from the saved text are found."""
Key = Qt.Key
_CONTROL, _SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


class CodeEdit(QPlainTextEdit):
    """Edits one text. Keys of its own come before those of the window while it has the focus."""

    save_asked = Signal()
    find_asked = Signal(bool)
    """To find, and whether to replace as well."""
    find_again_asked = Signal(bool)
    """To find the next, or the one before."""
    line_asked = Signal()
    """To go to a line by its number."""
    compared = Signal()
    """The lines that differ from the saved text are known anew."""
    left = Signal()
    """Esc: the focus goes back."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("codeEdit")
        self.setAccessibleName("Source of the kernel")
        self.setProperty("role", "editor")
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self._theme, self._points = LIGHT, POINTS
        self._saved: tuple[str, ...] = ("",)
        self._changed: frozenset[int] = frozenset()
        self._highlighter = CodeHighlighter(self.document())
        self._is_place_seen = True
        """Whether the text was painted since a line was asked for: from then on it scrolls for a person only."""
        self._opening = ""
        """The signs behind which a line is indented."""
        self._marks = CodeMarks(self)
        self.margin = LineMargin(self, self)
        self._compare_later = QTimer(self, singleShot=True, interval=COMPARE_MS)
        self._compare_later.timeout.connect(self._compare)
        self.blockCountChanged.connect(lambda _: self.fit_margin())
        self.updateRequest.connect(self._on_update_request)
        self.cursorPositionChanged.connect(self._marks.show)
        self.textChanged.connect(self._compare_later.start)
        self._zoom_to(POINTS)

    def text(self) -> str:
        """The text, with \\n between lines and every other character as it was."""
        return self.document().toRawText().replace("\u2029", "\n")

    def show_text(self, text: str, language: Language) -> bool:
        """Edit a text; its history begins anew. False, and nothing to edit, where Qt would change its characters."""
        self._highlighter.set_language(language)
        self._opening = "([{:" if language is Language.PYTHON else "([{"
        self._marks.set_faults(())
        self.setPlainText(text)
        is_whole = self.text() == text
        if not is_whole:
            self.setPlainText("")
        self.set_saved_text(text if is_whole else "")
        self._marks.show()
        return is_whole

    def set_saved_text(self, text: str) -> None:
        """What the file holds: lines that differ get a mark."""
        self._saved = tuple(text.split("\n"))
        self._compare()

    @property
    def saved(self) -> tuple[str, ...]:
        """The lines that the file holds."""
        return self._saved

    def replace_text(self, text: str) -> None:
        """Put another text in the place of this one, as one step that can be undone; what both share stays."""
        now = self.text()
        head = next((at for at, (a, b) in enumerate(zip(now, text, strict=False)) if a != b), min(len(now), len(text)))
        most = min(len(now), len(text)) - head
        pairs = zip(reversed(now), reversed(text), strict=False)
        tail = next((at for at, (a, b) in enumerate(pairs) if a != b or at >= most), most)
        cursor = self.textCursor()
        cursor.setPosition(_units(now[:head]))
        cursor.setPosition(_units(now[: len(now) - tail]), QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(text[head : len(text) - tail])

    @property
    def changed(self) -> frozenset[int]:
        """The lines, from 1, that differ from the saved text."""
        return self._changed

    @property
    def faults(self) -> tuple[SourceFault, ...]:
        """What is wrong in the text, with the lines where it is by now."""
        return self._marks.faults

    @property
    def has_current_faults(self) -> bool:
        """Whether lines are at fault in this very text."""
        return bool(self.faults) and self._marks.is_current

    def show_faults(self, faults: Sequence[SourceFault], *, is_current: bool = True) -> None:
        """Underline lines at fault; nothing for none. `is_current`: found in this text, not in an earlier one."""
        self._marks.set_faults(faults, is_current=is_current)
        self._marks.show()
        self.margin.update()

    def fault_at(self, line: int) -> str:
        """What is wrong in a line; "" for nothing."""
        when = "" if self._marks.is_current else BEFORE_EDITS
        return "\n".join(f"{when}{fault.words}" for fault in self._marks.faults if fault.line == line)

    def go_to(self, line: int, column: int = 0) -> None:
        """Put the cursor into a line, from 1, and a column, from 1, 0 for its beginning."""
        block = self.document().findBlockByNumber(min(max(line, 1), self.blockCount()) - 1)
        cursor = QTextCursor(block)
        cursor.setPosition(block.position() + min(max(column - 1, 0), block.length() - 1))
        self.setTextCursor(cursor)
        self._is_place_seen = False
        self.centerCursor()

    @property
    def theme(self) -> Theme:
        """The colours."""
        return self._theme

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        self._highlighter.set_theme(theme)
        self._marks.set_theme(theme)
        self.margin.update()

    def fit_margin(self) -> None:
        """Give the margin the width that it needs."""
        self.setViewportMargins(self.margin.sizeHint().width(), 0, 0, 0)
        inside = self.contentsRect()
        self.margin.setGeometry(QRect(inside.left(), inside.top(), self.margin.sizeHint().width(), inside.height()))

    def lines_in_sight(self) -> list[tuple[int, QRect]]:
        """The numbers, from 1, of the lines in sight and where each is in the viewport."""
        found, block = [], self.firstVisibleBlock()
        top = round(self.blockBoundingGeometry(block).translated(self.contentOffset()).top())
        while block.isValid() and top <= self.viewport().height():
            height = round(self.blockBoundingRect(block).height())
            if block.isVisible():
                found.append((block.blockNumber() + 1, QRect(0, top, self.viewport().width(), height)))
            top += height
            block = block.next()
        return found

    def paintEvent(self, event: QPaintEvent) -> None:
        lines = self.viewport().height() // max(int(QFontMetricsF(self.font()).height()), 1)
        first = self.firstVisibleBlock()
        self._highlighter.show_lines(first, first.blockNumber() + lines + 1)
        super().paintEvent(event)
        self._is_place_seen = True

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit_margin()
        if not self._is_place_seen:  # it was asked for before the panel had its size
            self.centerCursor()

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & _CONTROL:
            self._zoom_to(self._points + (1 if event.angleDelta().y() > 0 else -1))
            event.accept()
        else:
            super().wheelEvent(event)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.ShortcutOverride and self._is_own(event):
            event.accept()
            return True
        return super().event(event)

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            self.show_tip(self.cursorForPosition(event.pos()).blockNumber() + 1, event.globalPos())
            return True
        return super().viewportEvent(event)

    def show_tip(self, line: int, place: QPoint, otherwise: str = "") -> None:
        """Say beside the pointer what is known of a line, `otherwise` this."""
        words = "\n".join(filter(None, (self.fault_at(line), self.margin.tip_of(line)))) or otherwise
        if words:
            QToolTip.showText(place, plain_text(words), self)
        else:
            QToolTip.hideText()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, mods = event.key(), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        match key, bool(mods & _CONTROL), bool(mods & _SHIFT):
            case (Key.Key_S, True, False):
                self.save_asked.emit()
            case (Key.Key_F | Key.Key_H, True, False):
                self.find_asked.emit(key == Key.Key_H)
            case (Key.Key_F8, False, is_back) if self.faults:
                self._go_to_fault(is_back=is_back)
            case (Key.Key_F3, False, is_back):
                self.find_again_asked.emit(not is_back)
            case (Key.Key_G, True, False):
                self.line_asked.emit()
            case (Key.Key_Plus | Key.Key_Equal, True, _):
                self._zoom_to(self._points + 1)
            case (Key.Key_Minus, True, _):
                self._zoom_to(self._points - 1)
            case (Key.Key_0, True, _):
                self._zoom_to(POINTS)
            case (Key.Key_Escape, False, False):
                self.left.emit()
            case (Key.Key_Tab, False, False):
                self._indent()
            case (Key.Key_Backtab, False, _) | (Key.Key_Tab, False, True):
                self._change_lines(unindented)
            case (Key.Key_Return | Key.Key_Enter, False, _):
                self._break_line()
            case _:
                self._type(event)

    def _go_to_fault(self, *, is_back: bool) -> None:
        """Put the cursor on the next fault, or the one before; from the last it goes to the first."""
        here = self.textCursor().blockNumber() + 1
        faults = sorted(self.faults, key=lambda fault: (fault.line, fault.column), reverse=is_back)
        there = next((one for one in faults if (one.line < here if is_back else one.line > here)), faults[0])
        self.go_to(there.line, there.column)

    def _is_own(self, event: QKeyEvent) -> bool:
        """Whether a key is the editor's while it has the focus, and not the window's."""
        control, key = bool(event.modifiers() & _CONTROL), event.key()
        if event.modifiers() & Qt.KeyboardModifier.AltModifier:
            return False
        if control:
            return key in (
                Key.Key_S,
                Key.Key_F,
                Key.Key_H,
                Key.Key_G,
                Key.Key_Plus,
                Key.Key_Equal,
                Key.Key_Minus,
                Key.Key_0,
                Key.Key_Z,
                Key.Key_Y,
                Key.Key_C,
                Key.Key_X,
                Key.Key_V,
                Key.Key_A,
            ) and not (key == Key.Key_S and event.modifiers() & _SHIFT)
        if key == Key.Key_F8:
            return bool(self.faults)
        return key in (Key.Key_Escape, Key.Key_F3) or bool(event.text().strip()) or key == Key.Key_Space

    def _type(self, event: QKeyEvent) -> None:
        """A closing brace on an otherwise empty line goes one step to the left; what is typed into an empty line begins
        below the line above.
        """
        cursor = self.textCursor()
        is_shortcut = bool(event.modifiers() & _CONTROL) and not event.modifiers() & Qt.KeyboardModifier.AltModifier
        is_sign = not is_shortcut and event.text().isprintable() and event.text().strip() not in ("", "#")
        if is_sign and not (cursor.block().text() or cursor.hasSelection()):
            cursor.insertText(after(self._line_above(cursor), opening=self._opening))
        before = cursor.block().text()[: cursor.positionInBlock()]
        if event.text() == "}" and before and not before.strip() and not cursor.hasSelection():
            cursor.movePosition(QTextCursor.MoveOperation.StartOfBlock, QTextCursor.MoveMode.KeepAnchor)
            (shorter,) = unindented([before])
            cursor.insertText(shorter + "}")
        else:
            super().keyPressEvent(event)

    def _break_line(self) -> None:
        cursor = self.textCursor()
        line, at = cursor.block().text(), cursor.positionInBlock()
        before = line[:at] if line else self._line_above(cursor)
        cursor.insertText("\n" + ("" if cursor.hasSelection() else after(before, line[at:], self._opening)))
        self.ensureCursorVisible()

    @staticmethod
    def _line_above(cursor: QTextCursor) -> str:
        """The nearest line above that of the cursor that is not empty; "" for none."""
        block = cursor.block().previous()
        while block.isValid() and not block.text().strip():
            block = block.previous()
        return block.text() if block.isValid() else ""

    def _indent(self) -> None:
        cursor = self.textCursor()
        if cursor.hasSelection():
            self._change_lines(indented)
        else:
            is_tab = cursor.block().text().startswith("\t")
            before = cursor.block().text()[: cursor.positionInBlock()]
            cursor.insertText("\t" if is_tab else to_next_stop(len(before.expandtabs(WIDTH))))

    def _change_lines(self, change: Callable[[Sequence[str]], list[str]]) -> None:
        """Change the lines of the selection, or the one of the cursor, as one step."""
        cursor = self.textCursor()
        start, end = sorted((cursor.anchor(), cursor.position()))
        first, last = self.document().findBlock(start), self.document().findBlock(end)
        if last.position() == end and last.blockNumber() > first.blockNumber():
            last = last.previous()
        lines, block = [], first
        while block.isValid() and block.blockNumber() <= last.blockNumber():
            lines.append(block.text())
            block = block.next()
        number = first.blockNumber()
        cursor.setPosition(first.position())
        cursor.setPosition(last.position() + last.length() - 1, QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText("\n".join(change(lines)))
        if start != end:
            end_block = self.document().findBlockByNumber(number + len(lines) - 1)
            cursor.setPosition(self.document().findBlockByNumber(number).position())
            cursor.setPosition(end_block.position() + end_block.length() - 1, QTextCursor.MoveMode.KeepAnchor)
            self.setTextCursor(cursor)

    def _zoom_to(self, points: float) -> None:
        self._points = min(max(points, LEAST_POINTS), MOST_POINTS)
        font = code_font()
        font.setPointSizeF(self._points)
        self.document().setDefaultFont(font)
        self.setStyleSheet(f"QPlainTextEdit {{ font-size: {self._points}pt; }}")
        self.setFont(font)
        self.setTabStopDistance(QFontMetricsF(font).horizontalAdvance(" ") * WIDTH)
        self.margin.set_font(font)
        self.fit_margin()

    @Slot()
    def _compare(self) -> None:
        self._compare_later.stop()
        self._changed = changed_lines(self._saved, self.text().split("\n"))
        self.margin.update()
        self.compared.emit()

    @Slot(QRect, int)
    def _on_update_request(self, rect: QRect, moved: int) -> None:
        if moved:
            self.margin.scroll(0, moved)
        else:
            self.margin.update(0, rect.y(), self.margin.width(), rect.height())


def _units(text: str) -> int:
    """The length of a text as Qt counts it: a character beyond 16 bits counts twice."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2

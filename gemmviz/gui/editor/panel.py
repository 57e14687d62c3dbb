"""The editor in the place of the source: name and buttons, messages, the text, and what a save changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QSplitter, QToolButton, QVBoxLayout, QWidget

from gemmviz.domain.terms import Language
from gemmviz.explain.source.changed_lines import has_same_code, same_lines
from gemmviz.explain.source.line_changes import LineChange
from gemmviz.explain.source.recorded_lines import opening_line
from gemmviz.explain.source.source_fault import SourceFault
from gemmviz.gui.editor.comparison_view import ComparisonView
from gemmviz.gui.editor.fault_button import FaultButton
from gemmviz.gui.editor.strip import EditorStrip
from gemmviz.gui.editor.text.code_edit import CodeEdit
from gemmviz.gui.editor.text.find_bar import FindBar, LineBar
from gemmviz.gui.editor.text.line_margin import BEFORE_EDITS
from gemmviz.gui.looks.icons import icon
from gemmviz.gui.looks.theme import LIGHT, Theme
from gemmviz.gui.widgets.elided_label import ElidedLabel
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.widgets.plain_text import action_text, plain_text

LOWER_HEIGHT = 290
"""Pixels of what a save changed."""
MOST_FAULTS = 20
"""Lines at fault that are underlined."""


class EditorPanel(QWidget):
    """Shows one file. What is done with it is up to `EditorControl`."""

    save_asked = Signal()
    save_as_asked = Signal()
    done_asked = Signal()
    """The source without an editor is wanted again."""
    examine_asked = Signal()
    follow_asked = Signal()
    """The kernel that is chosen in the list is to be edited in place of this file."""
    left = Signal()
    """Esc in the text."""
    edited = Signal()
    """The text is another one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("editorPanel")
        self.setAccessibleName("Editor")
        self._theme = LIGHT
        self._figures: tuple[tuple[str, ...], Mapping[int, LineChange]] = (), {}
        self._faults: tuple[tuple[SourceFault, ...], tuple[str, ...]] = (), ()
        self._problems: dict[tuple[int, str], SourceFault] = {}
        """What is wrong, also where it has no mark, being too many."""
        self._faulty: tuple[str, ...] = ()
        self._measured: tuple[str, ...] = ()
        """The text of the file in which the faults were found, and that the figures are of."""
        self.edit = CodeEdit()
        self.comparison = ComparisonView()
        self.strip = EditorStrip()
        self.find_bar, self.line_bar = FindBar(self.edit), LineBar(self.edit)
        self._name = named(ElidedLabel(), "editorName", role="strong")
        self._state = named(PlainLabel(), "editorState", role="evidence")
        self._save = named(QPushButton("Save"), "editorSave", "Save the file and examine it (Ctrl+S)", role="primary")
        self._done = named(QPushButton("Done"), "editorDone", "Leave the editor and show the source with its figures")
        self._more = named(QToolButton(), "editorMore", "Save as, find, replace, go to a line", "More about the editor")
        self.fault = named(FaultButton(), "editorFault", role="quiet")
        self._elsewhere = named(PlainLabel(wordWrap=True), "editorElsewhere", role="muted")
        self._elsewhere.setContentsMargins(0, 0, 0, 4)
        self._elsewhere.hide()
        self._follow = named(QPushButton(), "editorFollow", role="quiet")
        self._follow.setAutoDefault(False)
        self._follow.hide()
        self._follow.clicked.connect(self.follow_asked)
        self._is_picture_seen = True
        self._opened_at: tuple[int, int] | None = None
        """Where the cursor was when a file was opened of which no fault is known yet, and how far it was scrolled."""
        self._menu = QMenu(self)
        self._lay_out()
        self._connect()
        self.set_theme(LIGHT)

    def event(self, event: QEvent) -> bool:
        """Keys of the editor are its own wherever the focus is in the panel, also in a field below the text."""
        is_override = event.type() is QEvent.Type.ShortcutOverride
        if is_override or event.type() is QEvent.Type.KeyPress:
            asked = self._asked_by(event) if isinstance(event, QKeyEvent) else None
            if asked is not None:
                event.accept()
                if not is_override:
                    asked()
                return True
        return super().event(event)

    def _asked_by(self, event: QKeyEvent) -> Callable[[], object] | None:
        """What a key asks of the editor that the widget with the focus has no use for; None for nothing."""
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier != Qt.KeyboardModifier.ControlModifier:
            return None
        return {
            Qt.Key.Key_S: self.save_asked.emit,
            Qt.Key.Key_F: lambda: self.find_bar.open(False),
            Qt.Key.Key_H: lambda: self.find_bar.open(True),
            Qt.Key.Key_G: self.line_bar.open,
        }.get(Qt.Key(event.key()))

    def show_file(self, name: str, text: str, language: Language, entry: str = "") -> bool:
        """Edit a text under a name, from its kernel `entry` on; False where Qt would change its characters, so that it
        cannot be edited here.
        """
        self.strip.settle()
        self.find_bar.hide()
        self.line_bar.hide()
        self.show_faults(())
        self._name.show_text(name)
        is_whole = self.edit.show_text(text, language)
        self.edit.go_to(opening_line(text, entry))
        self._opened_at = self._place
        self.show_state()
        return is_whole

    @property
    def file_name(self) -> str:
        """The name of the file that is edited; "" for none."""
        return self._name.whole

    @property
    def is_edited(self) -> bool:
        """Whether the text is another one than the file's, as far as lines tell; `EditorControl` knows for sure."""
        return self.edit.document().isModified()

    @Slot()
    def show_state(self) -> None:
        """Say whether there is something to save."""
        self._state.setText("edited" if self.is_edited else "")

    def show_elsewhere(self, words: str) -> None:
        """Say that the picture shows something else than this file; "" where it does not."""
        self._elsewhere.setText(words)
        self._elsewhere.setVisible(bool(words) and self._is_picture_seen)

    def offer_to_follow(self, words: str, tip: str) -> None:
        """Offer to edit the kernel that is chosen in place of this file; "" for no offer."""
        self._follow.setText(action_text(words))
        self._follow.setToolTip(plain_text(tip))
        self._follow.setVisible(bool(words))

    def set_picture_seen(self, is_seen: bool) -> None:
        """Whether the picture is in front: what it shows is said only then."""
        self._is_picture_seen = is_seen
        self.show_elsewhere(self._elsewhere.text())

    @property
    def _place(self) -> tuple[int, int]:
        """Where the cursor is, and how far the text is scrolled."""
        return self.edit.textCursor().position(), self.edit.verticalScrollBar().value()

    def _go_to_first(self, fault: SourceFault) -> None:
        """Go to the first fault of a file that was just opened, if the cursor has not moved in it since."""
        is_there, self._opened_at = self._place == self._opened_at, None
        if is_there and not self.is_edited:
            self.edit.go_to(fault.line, fault.column)

    def show_faults(
        self,
        faults: Sequence[SourceFault],
        text: str | None = None,
        *,
        examined: str = "",
    ) -> None:
        """Underline lines at fault, and say the first below the text in words that lead there; nothing for none.

        `text` is what they were found in, if that is not the present one, and `examined` the whole file that it is part
        of. A line that is edited has no fault until it is as it was; where other lines differ, faults are shown as
        those of an earlier text.
        """
        text = self.edit.text() if text is None else text
        self._faults = tuple(faults[:MOST_FAULTS]), tuple(text.split("\n"))
        self._problems = {fault.problem: fault for fault in reversed(faults)}
        self._faulty = tuple((examined or text).split("\n"))
        self._place_faults()

    @Slot()
    def _place_faults(self) -> None:
        """Lines that stay have their faults, wherever they are by now."""
        faults, then = self._faults
        if not faults:
            if self.edit.faults:
                self.edit.show_faults(())
            self.fault.hide()
            return
        now = self.edit.text().split("\n")
        now_at = {was: line for line, was in same_lines(then, now).items()}
        lines = [min(max(fault.line, 1), len(then)) for fault in faults]
        here = [(fault, now_at[line]) for fault, line in zip(faults, lines, strict=True) if line in now_at]
        found = [replace(fault.moved(now_at), line=line) for fault, line in here]
        is_current = has_same_code(self._faulty, now)
        self.edit.show_faults(found, is_current=is_current)
        if found:
            self._go_to_first(found[0])
            gone = {fault.problem for fault in faults} - {fault.problem for fault, _ in here}
            others = [each for each in self._problems if each not in gone and each != here[0][0].problem]
            more = f" (and {len(others)} more)" if others else ""
            when = "" if is_current else BEFORE_EDITS
            told = [self._problems[each].moved(now_at).told for each in reversed(others)]
            self.fault.show_words(f"{when}{found[0].told}{more}", told)
        self.fault.setVisible(bool(found))

    def show_line_figures(self, text: str, changes: Mapping[int, LineChange]) -> None:
        """Show figures beside the lines of a text; lines that were edited since have none."""
        self._figures, self._measured = (tuple(text.split("\n")), changes), self.edit.saved
        self._place_figures()

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        self.edit.set_theme(theme)
        self.comparison.set_theme(theme)
        self.fault.setIcon(icon("error", theme, theme.hazard))

    def _lay_out(self) -> None:
        self._more.setText("⋯")
        self._more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        for button in (self._save, self._done, self.fault):
            button.setAutoDefault(False)
        self.fault.setProperty("fault", True)
        self.fault.hide()
        self._menu.setObjectName("editorMenu")
        head = QHBoxLayout()
        head.setContentsMargins(12, 8, 8, 4)
        head.setSpacing(8)
        for widget, stretch in (
            (self._name, 1),
            (self._state, 0),
            (self._save, 0),
            (self._done, 0),
            (self._more, 0),
        ):
            head.addWidget(widget, stretch)
        upper = QWidget()
        column = QVBoxLayout(upper)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.edit, 1)
        column.addWidget(self.strip)
        below = QVBoxLayout()  # no line of the text moves when they come or go
        below.setContentsMargins(12, 0, 12, 0)
        below.setSpacing(0)
        below.addWidget(self.fault)
        below.addWidget(self._follow, 0, Qt.AlignmentFlag.AlignLeft)
        below.addWidget(self._elsewhere)
        column.addLayout(below)
        column.addWidget(self.find_bar)
        column.addWidget(self.line_bar)
        split = QSplitter(Qt.Orientation.Vertical)
        split.setObjectName("editorSplitter")
        split.setChildrenCollapsible(False)
        split.addWidget(upper)
        split.addWidget(self.comparison)
        split.setStretchFactor(0, 1)
        split.setSizes([640, LOWER_HEIGHT])
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(split)

    def _connect(self) -> None:
        edit = self.edit
        edit.save_asked.connect(self.save_asked)
        edit.find_asked.connect(self.find_bar.open)
        edit.find_again_asked.connect(self.find_bar.find_again)
        edit.line_asked.connect(self.line_bar.open)
        edit.left.connect(self.left)
        edit.textChanged.connect(self.edited)
        edit.modificationChanged.connect(lambda _: self.show_state())
        edit.compared.connect(self._place_figures)
        edit.compared.connect(self._place_faults)
        self._save.clicked.connect(self.save_asked)
        self._done.clicked.connect(self.done_asked)
        self.fault.clicked.connect(self._on_fault)
        self.comparison.line_chosen.connect(edit.go_to)
        entries: tuple[tuple[str, str, Callable[[], object]], ...] = (
            ("editorSaveAs", "Save as…", self.save_as_asked.emit),
            ("editorExamine", "Examine again", self.examine_asked.emit),
            ("editorFind", "Find…\tCtrl+F", lambda: self.find_bar.open(False)),
            ("editorReplace", "Find and replace…\tCtrl+H", lambda: self.find_bar.open(True)),
            ("editorGoTo", "Go to line…\tCtrl+G", self.line_bar.open),
        )
        for name, words, do in entries:
            action = self._menu.addAction(words)
            action.setObjectName(name)
            action.triggered.connect(lambda _checked=False, do=do: do())
        self._more.setMenu(self._menu)

    @Slot()
    def _on_fault(self) -> None:
        fault = self.edit.faults[0]
        self.edit.go_to(fault.line, fault.column)
        self.edit.setFocus()

    @Slot()
    def _place_figures(self) -> None:
        """Lines that stay have their figures, wherever they are by now."""
        lines, changes = self._figures
        if not changes:
            if self.edit.margin.changes:
                self.edit.margin.show_changes({})
            return
        text = self.edit.text().split("\n")
        kept = {now: changes[then] for now, then in same_lines(lines, text).items() if then in changes}
        self.edit.margin.show_changes(kept, is_current=has_same_code(self._measured, text))

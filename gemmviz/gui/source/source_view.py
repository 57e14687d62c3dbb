"""The kernel's source beside the picture: figures in the margin, the lines that run lit, hazards where they are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from time import monotonic

from PySide6.QtCore import QPoint, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent, QStandardItemModel
from PySide6.QtWidgets import (
    QHBoxLayout,
    QMenu,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from gemmviz.catalogue.kernel import Kernel
from gemmviz.compiler.nvidia.unwritten import unwritten_words
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.terms import CodeForm
from gemmviz.explain.forms.comparison import compare_forms
from gemmviz.explain.runs.recorded_extent import blocks_words, counted_words
from gemmviz.explain.source.line_figures import FigureSet
from gemmviz.explain.source.machine_words import machine_note
from gemmviz.explain.source.recorded_lines import (
    FAILED,
    NOT_COMPILED,
    facts_of,
    opening_line,
    plain_lines,
    source_lines,
    why_no_forms,
)
from gemmviz.explain.source.source_fault import SourceFault
from gemmviz.explain.source.tokens import language_of
from gemmviz.gui.looks.icons import icon
from gemmviz.gui.looks.theme import LIGHT, Theme
from gemmviz.gui.source.code_table import CodeTable
from gemmviz.gui.source.figure_choice import FigureChoice
from gemmviz.gui.source.instrumented_dialog import InstrumentedDialog
from gemmviz.gui.source.stale_note import StaleNote
from gemmviz.gui.widgets.allowed import allow, allow_action, allow_entry
from gemmviz.gui.widgets.elided_label import ElidedLabel
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.widgets.plain_text import copy_text, plain_text
from gemmviz.gui.work.last_work import Asked, LastWork, WorkStage
from gemmviz.gui.work.words import words_aside
from gemmviz.trace.register_sums import register_sums

EMPTY = "Choose a kernel to see its source."
NO_RECORDING = "There is no recording of this kernel. Press Record first."
NO_SUCH_FIGURES = "This recording has no such figures."
UNRECORDED = "Nothing is recorded yet: press Record to see what each line costs."
ON_HOST = "Runs on the CPU as Python: no memory accesses are recorded."
MARGIN, GAP = 16, 8


class SourceView(QWidget):
    """Shows the source of the recording, or else of the kernel; `clock` gives seconds."""

    line_chosen = Signal(int)
    """The line that a person chose."""
    edit_asked = Signal(str)
    """The id of the kernel whose file is to be edited."""
    record_again_asked = Signal(object)
    """The TraceRun of an earlier version of a file, which is to be recorded as it is now."""

    def __init__(self, clock: Callable[[], float] = monotonic, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("sourceView")
        self._lit: tuple[int, ...] = ()
        self._running: tuple[tuple[int, ...], TraceRun | None] = (), None
        self.setAccessibleName("Source")
        self._theme = LIGHT
        self._trace: TraceRun | None = None
        self._other: TraceRun | None = None
        self._faults: dict[str, SourceFault] = {}
        self._kernel: Kernel | None = None
        self._doubt, self._is_open = "", False
        self._shown_name = ""
        self._last_work: LastWork | None = None
        self._dialog: InstrumentedDialog | None = None
        self._name = named(ElidedLabel(), "sourceName", role="strong")
        self._facts = named(PlainLabel(), "sourceFacts", role="evidence")
        self._more = named(QToolButton(), "sourceMore", "Copy, explain, recorded code", "More about the source")
        self._edit = named(QToolButton(), "sourceEdit", "Edit this file, or a copy of it", "Edit the source")
        self._fold = named(QToolButton(), "sourceHeader")
        self._figures = FigureChoice()
        self._table = CodeTable("sourceLines", clock)
        self._table.setToolTip("The kernel's source. Once it is recorded, each line shows its memory accesses")
        self._note, self._stale = PlainLabel(wordWrap=True), StaleNote(self)
        self._menu = QMenu(self)
        self._set_up()
        self._lay_out()
        self.set_theme(LIGHT)
        self._show_source()

    @property
    def trace(self) -> TraceRun | None:
        """The recording whose source is shown; None while it is that of a kernel."""
        return self._trace if self._fault is None else None  # what was recorded is an earlier text

    def show_trace(self, run: TraceRun | None, other: TraceRun | None = None) -> None:
        """Show the source that was recorded, with its figures; None: the kernel's, without. `other` is the recording of
        the other form, whose figures can be shown beside those of this one.
        """
        if run is not self._trace or other is not self._other:
            is_same = run is self._trace
            if run is not None:
                self._last_work = None  # what it brought has come
            self._trace, self._other = run, other
            self._show_source(keeps_place=is_same)

    def show_kernel(self, kernel: Kernel | None) -> None:
        """The kernel whose source to show as long as there is no recording to show; None: there is none."""
        if kernel is not self._kernel:
            self._kernel = kernel
            if self._trace is None:
                self._show_source(keeps_place=True)

    def show_fault(self, kernel_id: str, fault: SourceFault | None) -> None:
        """Underline the line of a kernel that does not compile or failed while it ran, in the text of its file; None:
        it may do both.
        """
        if self._faults.get(kernel_id) != fault:
            self._faults.pop(kernel_id, None)
            if fault is not None:
                self._faults[kernel_id] = fault
            self._show_source(keeps_place=True)

    @property
    def _fault(self) -> SourceFault | None:
        """That of the chosen kernel, unless a recording of another one is shown."""
        if self._kernel is None or (self._trace is not None and self._trace.spec.kernel != self._kernel.id):
            return None
        return self._faults.get(self._kernel.id)

    def lit_lines(self) -> tuple[int, ...]:
        """The lines that are lit."""
        return self._lit

    def show_work(self, last: LastWork | None) -> None:
        """Say what is going on while nothing is recorded."""
        has_come = self._trace is not None and last is not None and last.stage is WorkStage.DONE
        self._last_work = None if has_come else last
        self._show_note()

    def show_frame_lines(self, lines: Sequence[int], run: TraceRun) -> None:
        """Light the lines that run in a frame of a recording (`frame_lines.lines_of_frame`), as long as its source is
        the one that is shown; none: nothing runs.
        """
        self._running = tuple(lines), run
        self._light()

    def _light(self) -> None:
        lines, run = self._running
        self._lit = lines if run is not None and run is self.trace else ()
        self._table.show_running(self._lit)

    def show_line(self, number: int) -> bool:
        """Choose a line and bring it into view; False where it is not shown."""
        return self._table.show_line(number)

    def show_instrumented(self, text: str) -> None:
        """Show what was compiled to record this in a window of its own; "" if that is not known."""
        if self._trace is None:
            return
        if self._dialog is None:
            self._dialog = InstrumentedDialog(self)
        self._dialog.set_theme(self._theme)
        self._dialog.show_text(self._trace.source_name, text)

    def set_doubt(self, words: str) -> None:
        """Say that the file has changed, or may have, since the recording that is shown: as StaleNote does."""
        self._doubt = words
        self._stale.show_doubt(words if self._trace is not None else "")

    def set_busy(self, busy: bool) -> None:
        """Nothing can be recorded while something is at work."""
        self._stale.set_busy(busy)

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        self._table.set_theme(theme)
        self._show_fold()
        if self._dialog is not None:
            self._dialog.set_theme(theme)

    def _set_up(self) -> None:
        self._figures.currentIndexChanged.connect(self._on_figures)
        self._table.left_out_changed.connect(lambda: self._figures.show_left_out(self._table.left_out))
        self._fold.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._fold.clicked.connect(self._on_fold)
        self._table.line_chosen.connect(self.line_chosen)
        self._table.menu_asked.connect(self._on_menu)
        self._menu.setObjectName("sourceMenu")
        self._menu.setToolTipsVisible(True)
        for name, words, deed in (
            ("sourceCopyLine", "Copy line\tCtrl+C", self._on_copy_line),
            ("sourceCopyAll", "Copy all", self._on_copy_all),
            ("sourceCopyFigures", "Copy with figures", self._on_copy_figures),
            ("", "", None),
            ("sourceExplain", "Explain this figure\tShift+F1", self._on_explain),
            ("sourceInstrumented", "Recorded code…", self._on_instrumented),
        ):
            action = self._menu.addAction(words)
            action.setObjectName(name)
            action.setSeparator(deed is None)
            if deed is not None:
                action.triggered.connect(deed)
        self._edit.setText("Edit")
        self._edit.clicked.connect(self.ask_to_edit)
        self._stale.record_asked.connect(lambda: self.record_again_asked.emit(self._trace))
        self._more.setText("⋯")
        self._more.clicked.connect(self._on_more)

    def _lay_out(self) -> None:
        first, second = QHBoxLayout(), QHBoxLayout()
        first.setContentsMargins(MARGIN, 8, MARGIN - 8, 0)
        first.setSpacing(GAP)
        for widget, stretch in ((self._name, 1), (self._facts, 0), (self._edit, 0), (self._more, 0)):
            first.addWidget(widget, stretch)
        second.setContentsMargins(MARGIN - 4, 4, MARGIN, 4)
        second.setSpacing(8)
        second.addWidget(self._fold)
        second.addStretch(0)
        second.addWidget(self._figures)
        named(self._note, "sourceNote", role="muted").setContentsMargins(MARGIN, 4, MARGIN, 8)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(first)
        column.addLayout(second)
        column.addWidget(self._stale)
        column.addWidget(self._note)
        column.addWidget(self._table, 1)
        column.addStretch(0)  # for where there is no source

    def _show_source(self, *, keeps_place: bool = False) -> None:
        """Everything from the recording, or else from the kernel; `keeps_place`: another text of the same file is
        shown where the earlier one was.
        """
        kernel, fault, trace = self._kernel, self._fault, self.trace
        if trace is not None:
            comparison = compare_forms(trace, self._other) if self._other is not None else None
            name, lines, scope, begin = trace.source_name, source_lines(trace, comparison), blocks_words(trace), 0
        elif kernel is not None:
            name, lines, scope = kernel.shown.name, plain_lines(kernel.shown.text), ""
            begin = opening_line(kernel.shown.text, kernel.entry)
        else:
            name, lines, scope, begin = "", (), "", 0
        if fault is not None and 1 <= fault.line <= len(lines):
            marked = replace(
                lines[fault.line - 1],
                fault=fault.words,
                fault_column=fault.column,
                fault_kind=FAILED if fault.is_running else NOT_COMPILED,
            )
            lines = (*lines[: fault.line - 1], marked, *lines[fault.line :])
        place = self._table.place if keeps_place and name == self._shown_name else None
        self._shown_name = name
        self._name.show_text(name)
        self._facts.setText("recorded" if trace is not None else "")
        self._facts.setToolTip(plain_text(facts_of(trace) if trace is not None else ""))
        self._fit_name()
        self._show_note()
        self._is_open = self._is_open and place is not None
        self._table.set_folded(not self._is_open)
        counted, form = (counted_words(trace), trace.form) if trace is not None else ("", CodeForm.AS_WRITTEN)
        self._table.show_lines(lines, language_of(name), scope, counted, form, begin)
        if place is not None:
            self._table.return_to(place)
        self._light()
        self._fold.setVisible(self._table.header_lines > 0)
        self._show_fold()
        self._figures.setVisible(trace is not None)
        self._table.setVisible(bool(lines))
        self._enable()
        self.set_doubt(self._doubt)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_name()

    def _fit_name(self) -> None:
        """Show the whole name: where it has no room for more, that it is recorded stands in its tooltip alone."""
        beside = sum(each.sizeHint().width() + GAP for each in (self._facts, self._edit, self._more))
        has_room = self._name.sizeHint().width() + beside <= self.width() - 2 * MARGIN + 8
        self._facts.setVisible(has_room)
        told = facts_of(self.trace) if self.trace is not None and not has_room else ""
        self._name.setToolTip(plain_text("\n".join(filter(None, (self._name.whole, told)))))

    def _show_note(self) -> None:
        self._note.setText(self._note_text())
        self._note.setVisible(bool(self._note.text()))

    def _note_text(self) -> str:
        if (fault := self._fault) is not None:
            return fault.sentence
        if self._trace is not None:
            words = (machine_note(self._trace), unwritten_words(self._trace.source_text))
            of_ptx = words if self._trace.form is CodeForm.AS_COMPILED else ()
            return "\n".join(filter(None, (*of_ptx, *register_sums(self._trace))))
        if self._kernel is None:
            return EMPTY
        if self._kernel.runs_on_host:
            return ON_HOST
        return words_aside(UNRECORDED, self._last_work, {Asked.RECORDING}, self._kernel.id)

    def _enable(self) -> None:
        """Only what there is something of can be chosen."""
        model = self._figures.model()
        assert isinstance(model, QStandardItemModel)
        unrecorded = "" if self._trace is not None else NO_RECORDING
        for row, chosen in enumerate(FigureSet):
            why = "" if self._table.has_figures(chosen.figures) else unrecorded or NO_SUCH_FIGURES
            if chosen is FigureSet.FORMS:
                why = why and (unrecorded or why_no_forms(self._trace, self._other) or why)
            allow_entry(model.item(row), why)
        has_source = self._trace is not None or self._kernel is not None
        for action in self._menu.actions():
            needs_recording = action.objectName() in ("sourceCopyFigures", "sourceExplain", "sourceInstrumented")
            if not action.isSeparator():
                allow_action(action, unrecorded if needs_recording else "" if has_source else EMPTY)
        for button in (self._more, self._edit):
            allow(button, "" if has_source else EMPTY)

    def _show_fold(self) -> None:
        is_open, count = self._is_open, self._table.header_lines
        self._fold.setText("header")
        self._fold.setIcon(icon("chevron-down" if is_open else "chevron-right", self._theme, self._theme.muted))
        says = f"{'Hide' if is_open else 'Show'} the header, lines 1 to {count}"
        self._fold.setToolTip(plain_text(says))
        self._fold.setAccessibleName(says)

    @Slot()
    def ask_to_edit(self) -> None:
        """Ask to edit the kernel whose source is shown."""
        if self._trace is not None and self._fault is None:
            self.edit_asked.emit(self._trace.spec.kernel)
        elif self._kernel is not None:
            self.edit_asked.emit(self._kernel.id)

    @Slot()
    def _on_figures(self) -> None:
        self._table.show_figures(self._figures.chosen.figures)

    @Slot()
    def _on_fold(self) -> None:
        self._is_open = not self._is_open
        self._table.set_folded(not self._is_open)
        self._show_fold()

    @Slot(QPoint)
    def _on_menu(self, place: QPoint) -> None:
        self._menu.popup(place)

    @Slot()
    def _on_more(self) -> None:
        self._menu.popup(self._more.mapToGlobal(self._more.rect().bottomLeft()))

    @Slot()
    def _on_copy_line(self) -> None:
        copy_text(self._table.text())

    @Slot()
    def _on_copy_all(self) -> None:
        copy_text(self._table.text(whole=True))

    @Slot()
    def _on_copy_figures(self) -> None:
        copy_text(self._table.text(whole=True, with_figures=True))

    @Slot()
    def _on_explain(self) -> None:
        self._table.explain()

    @Slot()
    def _on_instrumented(self) -> None:
        if self._trace is not None:
            self.show_instrumented(self._trace.instrumented_text)

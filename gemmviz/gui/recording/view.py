"""What a recording found: the source with figures in the margin, the sums, the hazards."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QSizePolicy,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from gemmviz.domain.kernels.version_names import VersionNames
from gemmviz.domain.recordings.hazard import Hazard
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.forms.comparison import compare_forms, other_form, why_not_comparable
from gemmviz.explain.runs.recorded_extent import blocks_words, counted_words
from gemmviz.explain.source.line_figures import FigureSet, LineFigureKind
from gemmviz.explain.source.recorded_lines import (
    facts_of,
    source_lines,
)
from gemmviz.explain.source.tokens import language_of
from gemmviz.gui.looks.theme import LIGHT, Theme
from gemmviz.gui.recording.combo import RecordingCombo
from gemmviz.gui.recording.found_below import FoundBelow, Pair, stack_in
from gemmviz.gui.source.code_table import CodeTable
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.work.last_work import Asked, LastWork
from gemmviz.gui.work.words import words_for_empty

EMPTY = "Nothing is recorded yet.\nChoose a kernel and a small size, then press Record (F6)."
MOST_BELOW = 0.7
"""Of the height, for totals and hazards where nobody has divided it."""
LEAST_SOURCE, LEAST_LINES, LEAST_FACTS = 150, 96, 520
"""Pixels: what the source keeps before all hazards are seen, and in the lowest page; lines of facts beside the name."""
LINES_ABOVE = 3
"""Of the source, above the one that a picture is about."""
FIGURES = (
    LineFigureKind.GLOBAL_REQUESTS,
    LineFigureKind.SECTORS_PER_REQUEST,
    LineFigureKind.WAVEFRONTS,
    LineFigureKind.EXCESS,
)


class RecordingView(QWidget):
    """Shows one recording of several; going through the hazards with the arrow keys shows their lines."""

    trace_chosen = Signal(object)
    """The TraceRun that is shown from now, chosen by a person."""
    hazard_chosen = Signal(object, object)
    """The TraceRun that is shown and one of its hazards, which a person wants to see happen."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("recordingView")
        self._traces: tuple[TraceRun, ...] = ()
        self._version_names: VersionNames | None = None
        self._pair: Pair | None = None
        self._filled: tuple[object, ...] = (None, None, False, None, None, None)
        self._wants_both, self._is_divided = True, False
        self._combo = RecordingCombo("recordingCombo", "Which recording to show; the newest comes first")
        self._facts = named(PlainLabel(wordWrap=True), "recordingFacts", role="muted")
        policy = self._facts.sizePolicy()
        policy.setHorizontalPolicy(QSizePolicy.Policy.Ignored)
        self._facts.setSizePolicy(policy)
        self._source = CodeTable("recordingSource")
        self._source.setToolTip("The recorded source: each line with its memory requests")
        self._source.show_figures(FIGURES)
        self._source.setMinimumHeight(LEAST_LINES)
        self._findings = FoundBelow()
        self._empty = named(PlainLabel(), "recordingEmpty", role="muted")
        self._pages = QStackedWidget()
        self._lay_out()
        self._combo.currentIndexChanged.connect(self._on_chosen)
        self._findings.both_clicked.connect(self._on_both)
        self._findings.line_chosen.connect(self.show_line)
        self._findings.hazard_chosen.connect(self._on_hazard_chosen)
        self.set_theme(LIGHT)

    def show_traces(self, traces: Sequence[TraceRun], names: VersionNames | None = None) -> None:
        """Show the newest of these recordings, or go on showing the one that is shown if no newer one has come."""
        before, shown = self._traces, self.shown()
        are_same = len(before) == len(traces) and all(old is new for old, new in zip(before, traces, strict=True))
        if are_same and names == self._version_names:
            return
        self._traces, self._version_names = tuple(traces), names
        newest_first = tuple(reversed(self._traces))
        self._combo.show_recordings(newest_first, -1, names)
        has_newer = bool(newest_first) and all(newest_first[0] is not trace for trace in before)
        places = [place for place, trace in enumerate(newest_first) if trace is shown]
        self._show(0 if has_newer or not places else places[0])

    def show_work(self, last: LastWork | None) -> None:
        """Say what is going on while there is no recording."""
        self._empty.setText(words_for_empty(EMPTY, last, {Asked.RECORDING}))

    def show_trace(self, trace: TraceRun) -> None:
        """Show this recording, one of those that `show_traces` got."""
        places = [place for place, known in enumerate(reversed(self._traces)) if known is trace]
        if places:
            self._show(places[0])

    def show_pair(self, pair: Pair | None) -> None:
        """Show the totals and the hazards of both of these with either of them: the left one, and the right one. None
        for those of one recording alone.
        """
        self._pair = pair
        if self.isVisible():
            self._fill_up()

    @property
    def pair(self) -> Pair | None:
        """Both recordings whose totals are beside each other; None where those of one stand alone."""
        shown = self.shown()
        return self._pair if self._pair is not None and any(each is shown for each in self._pair) else None

    def shown(self) -> TraceRun | None:
        """The recording that is shown."""
        place = self._combo.currentIndex()
        return self._traces[len(self._traces) - 1 - place] if 0 <= place < len(self._traces) else None

    @property
    def compared(self) -> TraceRun | None:
        """The other form of what is shown, where both are beside each other."""
        return self._other_form if self._wants_both else None

    @property
    def _other_form(self) -> TraceRun | None:
        """The other form of what is shown: the one beside it where that is one, none beside another kernel."""
        trace, pair = self.shown(), self.pair
        if trace is None or pair is None:
            return other_form(trace, self._traces) if trace is not None else None
        other = pair[1] if trace is pair[0] else pair[0]
        return None if why_not_comparable(trace, other) else other

    def set_for_picture(self) -> None:
        """Show what was found and nothing that a person works it with; for a picture, and for good. Lines without
        figures and hazards are left out, where others have some.
        """
        self._fill_up()
        self._source.leave_out_plain_lines()
        self._is_divided = True
        self._split.setSizes([1 << 20, 1])
        for hidden in (self._combo, self._facts):
            hidden.hide()
        self._source.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._source.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._findings.set_for_picture()

    def picture_height(self) -> int:
        """The height at which a picture of this width shows every line of the source, all totals and all hazards."""
        lines = self._source.verticalHeader().length() + self._source.horizontalHeader().sizeHint().height()
        above = self._split.geometry().top() + self._split.handleWidth()
        return above + lines + self._findings.whole_height(self.width()) + self._source.fontMetrics().height()

    def divide_picture(self, height: int) -> None:
        """Be so high, of which totals and hazards get what they need, most of it at most, and the source the rest."""
        below = self._findings.fix_height(self.width(), int(MOST_BELOW * height))
        part: QWidget | None = self._split
        while part is not None and part is not self:
            part.updateGeometry()  # out of sight nobody else tells the layouts that it needs less height now
            part = part.parentWidget()
        if (whole := self.layout()) is not None:
            whole.activate()
        self.resize(self.width(), height)
        self._split.setSizes([max(height - below, 1), below])

    def begin_at(self, number: int) -> None:
        """Let the source begin a few lines above this one, not at the function."""
        self._source.begin_at(number - LINES_ABOVE)

    def show_line(self, number: int) -> bool:
        """Choose a line of the source; False where it is not shown."""
        self._fill_up()
        return self._source.show_line(number)

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._source.set_theme(theme)
        self._findings.set_theme(theme)

    def _lay_out(self) -> None:
        top = self._top = QHBoxLayout()
        top.setContentsMargins(16, 8, 16, 8)
        top.setSpacing(12)
        top.addWidget(self._combo)
        top.addWidget(self._facts, 1)
        split = self._split = QSplitter(Qt.Orientation.Vertical)
        split.setObjectName("recordingSplitter")
        split.setChildrenCollapsible(False)
        split.addWidget(self._source)
        split.addWidget(self._findings)
        split.setStretchFactor(0, 1)
        split.splitterMoved.connect(self._on_divided)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(top)
        column.addWidget(split, 1)
        self._empty.setText(EMPTY)
        self._empty.setWordWrap(True)
        self._empty.setMargin(16)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._pages.addWidget(self._empty)
        self._pages.addWidget(page)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._pages)

    def showEvent(self, event: QShowEvent) -> None:
        self._fill_up()
        super().showEvent(event)
        self._divide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._stack()
        self._divide()

    def _show(self, place: int) -> None:
        self._combo.show_place(place if self._traces else -1)
        self._pages.setCurrentIndex(0 if self.shown() is None else 1)
        if self.isVisible():
            self._fill_up()

    def _fill_up(self) -> None:
        """Fill the page with what is shown, once; a page that nobody looks at stays as it is until somebody does."""
        trace, other = self.shown(), self._other_form
        wanted = (trace, other, self._wants_both, *(self.pair or (None, None)), self._version_names)
        if any(new is not old for new, old in zip(wanted, self._filled, strict=True)):
            self._filled = wanted
            if trace is not None:
                self._fill(trace, other)
                self._stack()
                self._divide()

    def _fill(self, trace: TraceRun, other: TraceRun | None) -> None:
        comparison = compare_forms(trace, other) if other is not None and self._wants_both else None
        pair, names = self.pair if other is None else None, self._version_names or VersionNames(traces=self._traces)
        self._facts.setText(facts_of(trace))
        self._source.show_figures(FIGURES if comparison is None else FigureSet.FORMS.figures)
        self._source.show_lines(
            source_lines(trace, comparison),
            language_of(trace.source_name),
            blocks_words(trace),
            counted_words(trace),
            trace.form,
        )
        self._findings.show_findings(trace, other, comparison, pair, names)

    @Slot(int)
    def _on_chosen(self, place: int) -> None:
        self._show(place)
        if self.shown() is not None:
            self.trace_chosen.emit(self.shown())

    def _stack(self) -> None:
        """Put what was found below the totals, and what is known of the recording below its name, in a narrow page."""
        self._findings.stack(self.width())
        stack_in(self._top, self._combo.sizeHint().width() + LEAST_FACTS, self.width())

    def _divide(self) -> None:
        """Give the source all the height that totals and hazards do not need, unless a person has divided it."""
        whole = sum(self._split.sizes())
        if not self._is_divided and whole > 0:
            least, more = self._findings.needed(self.width())
            needed = max(least, min(least + more, round(whole * MOST_BELOW), whole - LEAST_SOURCE))
            needed = min(needed, max(whole - LEAST_LINES, whole // 2))
            self._split.setSizes([max(whole - needed, 1), needed])

    @Slot()
    def _on_divided(self) -> None:
        self._is_divided = True

    @Slot(bool)
    def _on_both(self, is_wanted: bool) -> None:
        self._wants_both = is_wanted
        self._fill_up()

    @Slot(object)
    def _on_hazard_chosen(self, hazard: Hazard) -> None:
        self.hazard_chosen.emit(self.shown(), hazard)

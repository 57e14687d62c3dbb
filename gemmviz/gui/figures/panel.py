"""The figures of a run and of the recording on the page, beside the picture."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtWidgets import QFrame, QScrollArea, QToolButton, QVBoxLayout, QWidget

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import RunResult, Session
from gemmviz.domain.runs.schedule import BlockSchedule
from gemmviz.gui.figures.gpu_section import gpu_section
from gemmviz.gui.figures.last_run import recording_section, run_of, run_section
from gemmviz.gui.figures.run_choice import LAST_RUN
from gemmviz.gui.figures.section import FiguresSection
from gemmviz.gui.looks.icons import icon
from gemmviz.gui.looks.theme import LIGHT, Theme
from gemmviz.gui.widgets.allowed import allow
from gemmviz.gui.widgets.focus_ring import FocusRing
from gemmviz.gui.widgets.plain_text import copy_text
from gemmviz.gui.work.last_work import LastWork

MARGIN = 16
NO_FIGURES = "There are no figures yet: press Run or Record"


class FiguresPanel(QWidget):
    """Sections of figures: a run, what a GPU told of it where it ran on one, the recording.

    `above`, if given, stands over them and takes half of the height.
    """

    def __init__(self, above: QWidget | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("figuresPanel")
        self.setAccessibleName("Figures")
        self._copy = QToolButton()
        self._copy.setObjectName("figuresCopy")
        self._copy.setAccessibleName("Copy the figures")
        self._copy.setToolTip("Copy these figures as text")
        self._copy.setIconSize(QSize(16, 16))
        self._copy.clicked.connect(self._on_copy)
        self._run, self._recording = FiguresSection("figuresRun", self._copy), FiguresSection("figuresRecording")
        self._gpu, self._gpu_rule = FiguresSection("figuresGpu"), _rule()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        if above is not None:
            layout.addWidget(above, 1)
            layout.addWidget(_rule())
        layout.addWidget(self._scrolled(), 1)
        self._trace: TraceRun | None = None
        self._newest: TraceRun | None = None
        self._followed: TraceRun | None = None
        self._run_given: RunResult | None = None
        self._shown: RunResult | None = None
        self._session: Session | None = None
        self._schedule: BlockSchedule | None = None
        self._is_chosen, self._head = False, LAST_RUN
        self._last: LastWork | None = None
        self._has_gpu = False
        self._recording.show_section(recording_section(None))
        self.show_run(None)
        self.set_theme(LIGHT)

    def show_run(
        self, run: RunResult | None, session: Session | None = None, *, is_chosen: bool = False, head: str = LAST_RUN
    ) -> None:
        """Show the figures of a run below a head, compared with the CPU runs of the session; None: say that there is
        none.

        While a schedule is in view, the run of its kernel is shown, unless a person has chosen (`is_chosen`) this one.
        """
        self._run_given, self._session, self._is_chosen, self._head = run, session, is_chosen, head
        self._show_run()

    def follow_schedule(self, schedule: BlockSchedule | None) -> None:
        """Show the run of the kernel whose schedule is in view; None: none is, show the run that was given."""
        if schedule is not self._schedule:
            self._schedule = schedule
            self._show_run()

    def _show_run(self) -> None:
        session, schedule = self._session, None if self._is_chosen else self._schedule
        run = self._run_given if schedule is None else run_of(schedule, session)
        self._shown = run
        self._run.show_section(run_section(run, session, self._last, schedule, self._head))
        told = gpu_section(run, session)
        for part in (self._gpu, self._gpu_rule):
            part.setVisible(told is not None)
        if told is not None:
            self._gpu.show_section(told)
        self._has_gpu = told is not None
        allow(self._copy, "" if self.text else NO_FIGURES)

    def show_trace(self, trace: TraceRun | None) -> None:
        """Show the figures of the newest recording while none is on the page; None: say that there is none."""
        self._newest = trace
        self._show_recording()

    @Slot(object)
    def follow_recording(self, trace: TraceRun | None) -> None:
        """Show the figures of the recording that the page of memory shows; None: it shows none."""
        self._followed = trace
        self._show_recording()

    def _show_recording(self) -> None:
        trace = self._newest if self._followed is None else self._followed
        version, session = "", self._session
        if trace is not None and session is not None:
            version = session.version_names.of_recording(trace)
        section = recording_section(trace, self._last, is_on_page=self._followed is not None, version=version)
        if trace is not self._trace or section != self._recording.section:
            self._trace = trace
            self._recording.show_section(section)
        allow(self._copy, "" if self.text else NO_FIGURES)

    def show_work(self, last: LastWork | None) -> None:
        """Say what is going on where there are no figures yet."""
        self._last = last
        if self._shown is None:
            schedule = None if self._is_chosen else self._schedule
            self._run.show_section(run_section(None, last=last, schedule=schedule))
        if self._trace is None:
            self._recording.show_section(recording_section(None, last))

    @property
    def text(self) -> str:
        """All figures as text, a line for each, its parts a tab apart; "" while there are none."""
        parts = (self._run, self._gpu, self._recording) if self._has_gpu else (self._run, self._recording)
        return "\n\n".join(part.section.text for part in parts if part.section.lines)

    def copy_text(self) -> str:
        """Put the figures on the clipboard as text; the text."""
        copy_text(self.text)
        return self.text

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        for section in (self._run, self._gpu, self._recording):
            section.set_theme(theme)
        self._copy.setIcon(icon("copy", theme, theme.muted))

    def _scrolled(self) -> QScrollArea:
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(MARGIN, 8, MARGIN, MARGIN)
        column.setSpacing(12)
        column.addWidget(self._run)
        column.addWidget(self._gpu_rule)
        column.addWidget(self._gpu)
        column.addWidget(_rule())
        column.addWidget(self._recording)
        column.addStretch(1)
        area = QScrollArea()
        area.setObjectName("figuresScroll")
        area.setAccessibleName("Figures")
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(inside)
        FocusRing(area)
        return area

    @Slot()
    def _on_copy(self) -> None:
        self.copy_text()


def _rule() -> QFrame:
    rule = QFrame()
    rule.setProperty("role", "rule")
    return rule

"""The page of memory: the animation of a recording with its player, or its totals and hazards."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from gemmviz.domain.trace_run import TraceRun
from gemmviz.gui.charts.segments import Segment, Segments
from gemmviz.gui.memory_view.heat_maps import HeatKind
from gemmviz.gui.memory_view.memory_view import MemoryView
from gemmviz.gui.named import named
from gemmviz.gui.player.player_bar import PlayerBar
from gemmviz.gui.recording_combo import RecordingCombo
from gemmviz.gui.recording_view import RecordingView
from gemmviz.gui.theme import LIGHT, Theme

_SEGMENTS = (
    Segment("memoryAnimation", "Animation", "The block at work, frame by frame"),
    Segment("memoryTotals", "Totals and hazards", "What each line cost, in all recorded blocks, and what is wrong"),
)


class MemoryPage(QWidget):
    """Shows one recording of several; `trace_chosen` has the TraceRun a person chose, `heat_chosen` a HeatKind."""

    trace_chosen = Signal(object)
    heat_chosen = Signal(object)

    def __init__(self, view: MemoryView, bar: PlayerBar, recording: RecordingView, parent: QWidget | None = None):
        super().__init__(parent)
        self.setObjectName("memoryPage")
        self._recording = recording
        self._traces: tuple[TraceRun, ...] = ()
        self._segments = Segments(_SEGMENTS, LIGHT)
        self._segments.setAccessibleName("What is shown of the recording")
        self._combo = RecordingCombo("memoryCombo", "Which recording is played; the newest comes first")
        self._heat = named(QComboBox(), "heatCombo", "What the colours stand for", "Heat")
        for kind in HeatKind:
            self._heat.addItem("roles" if kind is HeatKind.NONE else str(kind), kind)
        top = QHBoxLayout()
        top.setContentsMargins(16, 8, 16, 8)
        top.setSpacing(12)
        top.addWidget(self._segments)
        top.addStretch(1)
        top.addWidget(self._combo)
        top.addWidget(self._heat)
        animation = QWidget()
        column = QVBoxLayout(animation)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(view, 1)
        column.addWidget(bar)
        self._stack = QStackedWidget()
        self._stack.addWidget(animation)
        self._stack.addWidget(recording)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addLayout(top)
        whole.addWidget(self._stack, 1)
        self._segments.chosen.connect(self._on_page)
        self._combo.activated.connect(self._on_trace)
        self._heat.activated.connect(lambda _: self.heat_chosen.emit(HeatKind(self._heat.currentData())))
        recording.trace_chosen.connect(self._on_recording)

    def show_traces(self, traces: Sequence[TraceRun], shown: TraceRun | None) -> None:
        """Offer these recordings; `shown` is the one that is played."""
        self._traces = tuple(reversed(traces))
        self._recording.show_traces(traces)
        place = next((i for i, trace in enumerate(self._traces) if trace is shown), -1)
        self._combo.show_recordings(self._traces, place)
        if shown is not None:
            self._recording.show_trace(shown)
        self._combo.setVisible(len(self._traces) > 1)
        self._heat.setVisible(bool(self._traces) and self._stack.currentIndex() == 0)

    def set_theme(self, theme: Theme) -> None:
        self._segments.set_theme(theme)

    @Slot(int)
    def _on_page(self, place: int) -> None:
        self._stack.setCurrentIndex(place)
        self._heat.setVisible(place == 0 and bool(self._traces))

    @Slot(int)
    def _on_trace(self, place: int) -> None:
        self.trace_chosen.emit(self._traces[place])

    @Slot(object)
    def _on_recording(self, trace: TraceRun) -> None:
        self.trace_chosen.emit(trace)

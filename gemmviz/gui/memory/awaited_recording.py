"""What stands on the page of memory while a kernel is recorded that is not in view: no picture of another kernel."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.gui.looks.fonts import LARGE, words
from gemmviz.gui.memory.playing.offers import Offer
from gemmviz.gui.memory_view.text.labels import EMPTY
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.work.last_work import Asked, LastWork, WorkStage
from gemmviz.gui.work.words import PREPARING_PICTURE, doing_words, words_for_empty

MARGIN = 16


class AwaitedRecording(QStackedWidget):
    """Holds what shows the recordings in view, and words in its place while a recording is awaited that will take the
    place of the only picture. Pictures that stay stay in sight: two that are compared, one that gets another beside it,
    and one of the same kernel and size, of which another block is recorded. There a `note` says what is recorded.
    """

    changed = Signal()
    """Whether it covers what it holds, or its note, is another."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._awaited: LastWork | None = None
        self._in_view: tuple[tuple[str, str], ...] = ()
        """Kernel and size of each picture."""
        self._beside = ""
        """The kernel that was asked for to stand beside the picture; "" for none."""
        self._uncovered: int | None = None
        """The id of the request during which a person wanted to see a recording."""
        self._told = False, ""
        """What `changed` told last."""
        self._words = named(PlainLabel(wordWrap=True), "awaitedRecording")
        self._words.setFont(words(LARGE - 1.0))
        self._words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._words.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        held = QWidget()
        self.column = QVBoxLayout(held)
        """Takes what shows the recordings."""
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(0)
        self.addWidget(held)
        self.addWidget(self._words)

    @property
    def covers(self) -> bool:
        """Whether words stand in the place of what it holds."""
        return self.currentIndex() == 1

    @property
    def note(self) -> str:
        """What is recorded, where the pictures stay in sight meanwhile; "" for nothing."""
        is_told = self._is_other and not self.covers and self._awaited is not None and self._awaited.is_running
        return f"{doing_words(self._awaited)}…" if is_told and self._awaited is not None else ""

    def show_work(self, last: LastWork | None) -> None:
        """What was asked for last: once a recording is done, it is awaited until `show_played`."""
        if last is None or last.asked is not Asked.RECORDING:
            self._awaited = None
        elif last.is_running:
            self._awaited = last
        else:  # it failed, was cancelled, or is about to come into view
            is_to_come = self._awaited is not None and last.stage is WorkStage.DONE and last.results > 0
            self._awaited = last if is_to_come else None
        if self._awaited is None or self._awaited.kernels != (self._beside,):
            self._beside = ""
        self._show()

    def show_played(self, runs: Sequence[TraceRun]) -> None:
        """The recordings that are in view now."""
        self._in_view = tuple((run.spec.kernel, run.spec.shape.words) for run in runs)
        if self._awaited is not None and not self._awaited.is_running:
            self._awaited = None
        self._show()

    @Slot(object)
    def expect_beside(self, offer: Offer) -> None:
        """The recording that is asked for next is to stand beside the picture."""
        self._beside = offer.kernel

    @Slot()
    def uncover(self) -> None:
        """A person wants to see a recording that is there, whatever is awaited."""
        self._uncovered = self._awaited.id if self._awaited is not None else None
        self._show()

    @property
    def _is_other(self) -> bool:
        """Whether no picture is of the kernel and the size that are recorded."""
        last = self._awaited
        return last is not None and bool(self._in_view) and (*last.kernels, last.size) not in self._in_view

    def _show(self) -> None:
        last = self._awaited
        if last is not None:
            is_done = not last.is_running
            self._words.setText(PREPARING_PICTURE if is_done else words_for_empty(EMPTY, last, {Asked.RECORDING}))
        stays = len(self._in_view) != 1 or bool(self._beside) or (last is not None and last.id == self._uncovered)
        self.setCurrentIndex(int(self._is_other and not stays))
        if (self.covers, self.note) != self._told:
            self._told = self.covers, self.note
            self.changed.emit()

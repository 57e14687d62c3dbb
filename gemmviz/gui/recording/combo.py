"""A list of recordings to choose from, whose titles may be longer than it is wide."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import takewhile

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QSizePolicy, QStyle, QStyleOptionComboBox, QWidget

from gemmviz.domain.kernels.version_names import VersionNames
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.visible_text import visible
from gemmviz.explain.source.recorded_lines import SEPARATOR, facts_of
from gemmviz.explain.source.recording_titles import distinct_titles
from gemmviz.gui.recording.name_search import NameSearchList
from gemmviz.gui.widgets.fields import SHORT, ComboBox, EntryDelegate
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_text import plain_text

MOST_WIDTH = 440
LEAST_WIDTH = 96
MARGIN = 4
LEAST_LETTERS = 3
"""Of a kernel's name that is cut."""
_NO_KEY = Qt.KeyboardModifier.NoModifier
_SIZE = re.compile(r"\d+([x×]\d+){2}")


class RecordingCombo(ComboBox):
    """Offers recordings, as wide as the title of the chosen one. Where that does not fit its shorter words stand there,
    if it has such, or it loses its size, then a part of its kernel that others have, too; version, form or device
    stay. Its tooltip has all. A letter opens the list, and a name that is typed goes to its entry; Enter chooses that.
    """

    def __init__(self, name: str, tip: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setView(NameSearchList(self))
        self.setItemDelegate(EntryDelegate(self))  # that of a list of one's own
        named(self, name, tip, "Recording")
        self._tip = tip
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setMaximumWidth(MOST_WIDTH)
        self.currentIndexChanged.connect(self._on_changed)

    def show_recordings(self, traces: Iterable[TraceRun], shown: int, names: VersionNames | None = None) -> None:
        """Offer these, the newest first, and choose the one at place `shown` (-1: none), telling nobody."""
        traces = tuple(traces)
        self.show_titles(distinct_titles(traces, names), shown, [facts_of(trace) for trace in traces])

    def show_titles(self, titles: Iterable[str], shown: int, facts: Sequence[str] = ()) -> None:
        """Offer what has these titles and choose the one at place `shown` (-1: none), telling nobody. `facts` stand in
        tooltips below the titles: blocks, form, device.
        """
        with QSignalBlocker(self):
            self.clear()
            for place, title in enumerate(titles):
                self.addItem(visible(title))
                tip = "\n".join((title, *facts[place : place + 1]))
                self.setItemData(place, plain_text(tip), Qt.ItemDataRole.ToolTipRole)
        self.show_place(shown)

    def show_place(self, place: int) -> None:
        """Choose the recording at this place, telling nobody."""
        with QSignalBlocker(self):
            self.setCurrentIndex(place)
        self._on_changed()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        letters, held = event.text().strip(), event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier
        if letters.isprintable() and letters and held in (_NO_KEY, Qt.KeyboardModifier.KeypadModifier):
            self.showPopup()  # the first entry with that letter may begin a recording
            self.view().keyboardSearch(letters)
        else:
            super().keyPressEvent(event)

    def sizeHint(self) -> QSize:
        return QSize(self.width_for(self.currentText() or self.placeholderText()), super().sizeHint().height())

    def width_of_titles(self) -> int:
        """The width in pixels at which every title is whole; 0 if there is none."""
        return max((self.width_for(self.itemText(place)) for place in range(self.count())), default=0)

    def width_for(self, title: str) -> int:
        """The width in pixels at which this title is whole."""
        option = QStyleOptionComboBox()
        super().initStyleOption(option)
        metrics = self.fontMetrics()
        words = QSize(metrics.horizontalAdvance(title) + 2 * MARGIN, metrics.height())
        return self.style().sizeFromContents(QStyle.ContentsType.CT_ComboBox, option, words, self).width()

    def minimumSizeHint(self) -> QSize:
        return QSize(LEAST_WIDTH, super().minimumSizeHint().height())

    def shown_text(self) -> str:
        title, room = self.currentText() or self.placeholderText(), max(self.text_room() - MARGIN, 1)
        short = str(self.currentData(SHORT) or "")
        for each in filter(None, (title, short, without_size(short or title))):
            if self.fontMetrics().horizontalAdvance(each) <= room:
                return each
        return self._shortened(short or title, room)

    def _shortened(self, title: str, room: int) -> str:
        """A title in so many pixels: its kernel is cut, and what tells it from others stays whole, or else the last of
        that. The size goes first where something else tells it apart.
        """
        metrics = self.fontMetrics()
        kernel, *facts = title.split(SEPARATOR)
        facts = [fact for fact in facts if not _SIZE.fullmatch(fact)] or facts
        for kept in (facts, facts[-1:]):
            end = "".join(f"{SEPARATOR}{fact}" for fact in kept)
            left = room - metrics.horizontalAdvance(end)
            if left >= metrics.horizontalAdvance(f"{kernel[:LEAST_LETTERS]}…"):
                return metrics.elidedText(kernel, self._shared_part(kernel), left) + end
        return metrics.elidedText(title, Qt.TextElideMode.ElideMiddle, room)

    def _shared_part(self, kernel: str) -> Qt.TextElideMode:
        """Which part of a kernel's name goes first: of "sgemm_bad" beside "sgemm_v4" its begin; the middle where no
        other name is like it.
        """
        others = {self.itemText(place).split(SEPARATOR)[0] for place in range(self.count())} - {kernel, ""}
        begin = max((_same_letters(kernel, other) for other in others), default=0)
        end = max((_same_letters(kernel[::-1], other[::-1]) for other in others), default=0)
        if max(begin, end) < LEAST_LETTERS:
            return Qt.TextElideMode.ElideMiddle
        return Qt.TextElideMode.ElideLeft if begin >= end else Qt.TextElideMode.ElideRight

    @Slot()
    def _on_changed(self) -> None:
        self.updateGeometry()
        self.setToolTip(plain_text(f"{self.currentText()}\n{self._tip}".strip()))


def _same_letters(one: str, other: str) -> int:
    """With how many equal letters two names begin."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def without_size(title: str) -> str:
    """A title without the size of the product: "tiled TILE=2" of "tiled TILE=2  ·  4x4x4"."""
    return SEPARATOR.join(part for part in title.split(SEPARATOR) if not _SIZE.fullmatch(part))

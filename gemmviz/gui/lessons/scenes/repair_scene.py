"""A source with a barrier missing: the reader chooses where it goes, and sees both programs run."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QPushButton, QWidget

from gemmviz.catalogue.lesson_scenes import Repair
from gemmviz.gui.lessons.lesson_data import LessonData
from gemmviz.gui.lessons.question_row import MARKS, RIGHT, SHOWN, WRONG
from gemmviz.gui.lessons.scenes.pictures_scene import PicturePane
from gemmviz.gui.lessons.scenes.played_scene import PlayedScene
from gemmviz.gui.looks.own_sheet import set_sheet
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.memory_view.paired_view import PairedView
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.roomy_label import RoomyLabel
from gemmviz.trace.frames.plan import FrameMode

BARRIER = "__syncthreads();"
PUT = f"+ {BARRIER}"
TRIED = f"   {MARKS[WRONG]}"
"""Behind the words of a gap that was tried."""
LEAST_WIDTH, MARGIN = 180, 8


def repair_answers(wanted: Repair) -> tuple[str, ...]:
    """The longest that may be said of each gap."""
    return tuple(f"{SHOWN if number == wanted.right else WRONG} {gap.says}" for number, gap in enumerate(wanted.gaps))


class RepairScene(PlayedScene):
    """The picture at the left; at the right the source with a button in each gap where a barrier could go, what is said
    of the gap that was chosen, and what is stored in C.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        self.pane = PicturePane(theme, "lessonRepairView")
        beside = PairedView(theme)  # stays empty: one recording plays at a time
        super().__init__("lessonRepair", (self.pane.view, beside), theme, parent)
        beside.setParent(self)
        beside.hide()
        self._show = named(
            QPushButton("Show the answer"), "lessonShowGap", "Put the barrier where it belongs", role="quiet"
        )
        self._show.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._show.clicked.connect(lambda: self.reveal())
        self._show.setParent(self.code_area)  # the last lines are short: room for a reply below all of them
        self._reply = named(RoomyLabel(), "lessonGapReply", role="answer")
        self.put_below_code(self._reply)
        self._wanted: Repair | None = None
        self._data: LessonData | None = None
        self._gaps: list[QPushButton] = []
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(16)
        row.addWidget(self.pane, 3)
        row.addWidget(self.beside, 2)

    def show_repair(self, wanted: Repair, data: LessonData) -> None:
        """Show the broken program, with its gaps."""
        self._wanted, self._data = wanted, data
        for button in self._gaps:
            button.setObjectName("")
            button.hide()
            button.deleteLater()
        self._gaps = []
        run = data.traces[wanted.broken]
        below = [gap.line for gap in wanted.gaps]
        self.code.show_source(run.source_name, run.source_text, *wanted.code, gaps=below)
        self._show.show()
        self._reply.setText("")
        self._reply.keep_room_for(repair_answers(wanted))
        self.show_beside(has_code=True, has_result=True)
        self._gaps = [self._gap(number) for number in range(len(wanted.gaps))]
        self._place_gaps()
        self._play(wanted.broken, "Without the barrier")

    @property
    def gaps(self) -> tuple[QPushButton, ...]:
        """The buttons, in the order of the step's gaps."""
        return tuple(self._gaps)

    @property
    def choices(self) -> tuple[QAbstractButton, ...]:
        """The gaps that are still open or were tried, from the first line on; none when the barrier is back."""
        return tuple(button for button in sorted(self._gaps, key=QPushButton.y) if not button.isHidden())

    @property
    def tab_stops(self) -> tuple[QWidget, ...]:
        return *self.choices, self._show

    @property
    def controls(self) -> tuple[QWidget, ...]:
        return (self._show,)

    def reveal(self) -> None:
        """Put the barrier into the right gap."""
        if self._wanted is not None:
            self._put_right(SHOWN)

    def _share_height(self) -> None:
        super()._share_height()
        if self._gaps:  # lines may have come closer
            self._place_gaps()
        self._show.adjustSize()
        bar = self.code_area.verticalScrollBar()
        corner = self.code_area.rect().bottomRight() - QPoint(bar.width() if bar.isVisible() else 0, 0)
        self._show.move(corner - self._show.rect().bottomRight() - QPoint(MARGIN, MARGIN))

    def _gap(self, number: int) -> QPushButton:
        assert self._wanted is not None
        line = self._wanted.gaps[number].line
        key = 1 + sum(gap.line < line for gap in self._wanted.gaps)
        tip = f"Put a barrier below line {line} (key {key})"
        words = f"{key}   {PUT}"
        button = named(QPushButton(words, self.code), f"lessonGap{number}", tip, f"{key}: {PUT}", role="gap")
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # after a click the lesson still has the keys
        button.clicked.connect(partial(self._on_gap, number))
        button.show()
        return button

    def _place_gaps(self) -> None:
        """Each button in its row, in the type of the lines: rows have no room for the larger one of the page."""
        assert self._wanted is not None
        for button, gap in zip(self._gaps, self._wanted.gaps, strict=True):
            set_sheet(button, f"font-size: {self.code.type_pixels}px;")
            button.ensurePolished()
            top = self.code.top_of(gap.line) + self.code.line_height
            mark = button.fontMetrics().horizontalAdvance(TRIED) if button.isEnabled() else 0
            width = max(button.sizeHint().width() + mark, LEAST_WIDTH)
            button.setGeometry(round(self.code.text_left), round(top) + 1, width, round(self.code.line_height) - 2)

    def _on_gap(self, number: int) -> None:
        assert self._wanted is not None
        if number == self._wanted.right:
            self._put_right(RIGHT)
        else:
            button = self._gaps[number]
            button.setEnabled(False)
            button.setText(f"{button.text()}{TRIED}")
            button.setAccessibleName(f"{button.accessibleName()} {WRONG}")
            self._reply.setText(f"{WRONG} {self._wanted.gaps[number].says}")

    def _put_right(self, verdict: str) -> None:
        wanted, data = self._wanted, self._data
        assert wanted is not None
        assert data is not None
        gap, run = wanted.gaps[wanted.right], data.traces[wanted.fixed]
        for button in (*self._gaps, self._show):
            button.hide()
        first, last = wanted.code
        self.code.show_source(run.source_name, run.source_text, first, last + 1, added=gap.line + 1)
        self.show_beside(has_code=True, has_result=True)
        self._play(wanted.fixed, "With the barrier")
        self._reply.setText(f"{verdict} {gap.says}")
        self.answered.emit()

    def _play(self, name: str, title: str) -> None:
        assert self._wanted is not None
        assert self._data is not None
        self.pane.title.setText(title)
        self.pane.counters.show_counters(())
        self.player.show(
            [self._data.traces[name]], FrameMode(self._wanted.mode), start=self._wanted.start, speed=self._wanted.speed
        )

"""A source with a barrier missing: the reader chooses where it goes, and sees both programs run."""

from __future__ import annotations

from functools import partial

from PySide6.QtWidgets import QHBoxLayout, QPushButton, QScrollArea, QWidget

from gemmviz.catalogue.lessons import Repair
from gemmviz.gui.lessons.lesson_data import LessonData
from gemmviz.gui.lessons.scenes.code_excerpt import MARGIN, NUMBERS, CodeExcerpt
from gemmviz.gui.lessons.scenes.picture_player import PicturePlayer
from gemmviz.gui.lessons.scenes.pictures_scene import PicturePane
from gemmviz.gui.lessons.scenes.scene import LessonScene
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.named import named
from gemmviz.trace.frame_plan import FrameMode

BARRIER = "__syncthreads();"
PUT = f"+ {BARRIER}"
LEAST_WIDTH = 180


class RepairScene(LessonScene):
    """The picture at the left; at the right the source with a button in each gap where a barrier could go."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.setObjectName("lessonRepair")
        self._wanted: Repair | None = None
        self._data: LessonData | None = None
        self.pane = PicturePane(theme, "lessonRepairView")
        self._unused = PicturePane(theme, "lessonRepairUnused")
        self._unused.setParent(self)
        self._unused.hide()
        self.player = PicturePlayer((self.pane.view, self._unused.view), self)
        self._code = CodeExcerpt(theme)
        self._gaps: list[QPushButton] = []
        area = named(QScrollArea(), "lessonRepairCode")
        area.setWidgetResizable(True)
        area.setWidget(self._code)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(16)
        row.addWidget(self.pane, 1)
        row.addWidget(area, 1)
        self.player.frame_shown.connect(lambda _place, frame: self._code.light(frame.lines))
        self.player.playing_changed.connect(self.playing_changed)
        self.player.failed.connect(self.failed)

    def show_repair(self, wanted: Repair, data: LessonData) -> None:
        """Show the broken program, with its gaps."""
        self._wanted, self._data = wanted, data
        for button in self._gaps:
            button.setObjectName("")
            button.hide()
            button.deleteLater()
        run = data.traces[wanted.broken]
        below = [gap.line for gap in wanted.gaps]
        self._code.show_source(run.source_name, run.source_text, *wanted.code, gaps=below)
        self._gaps = [self._gap(number) for number in range(len(wanted.gaps))]
        self._place_gaps()
        self._play(wanted.broken, "Without the barrier")

    @property
    def gaps(self) -> tuple[QPushButton, ...]:
        """The buttons, in the order of the step's gaps."""
        return tuple(self._gaps)

    @property
    def can_play(self) -> bool:
        return True

    @property
    def is_playing(self) -> bool:
        return self.player.is_playing

    def replay(self) -> None:
        self.player.replay()

    def toggle(self) -> None:
        self.player.toggle()

    def step(self, frames: int) -> None:
        self.player.step(frames)

    def stop(self) -> None:
        self.player.stop()

    def set_reduced_motion(self, is_reduced: bool) -> None:
        self.player.set_reduced_motion(is_reduced)

    def set_theme(self, theme: Theme) -> None:
        self.pane.view.set_theme(theme)
        self._code.set_theme(theme)

    def _gap(self, number: int) -> QPushButton:
        assert self._wanted is not None
        line = self._wanted.gaps[number].line
        button = named(
            QPushButton(PUT, self._code), f"lessonGap{number}", f"Put a barrier below line {line}", role="gap"
        )
        button.clicked.connect(partial(self._on_gap, number))
        button.show()
        return button

    def _place_gaps(self) -> None:
        assert self._wanted is not None
        for button, gap in zip(self._gaps, self._wanted.gaps, strict=True):
            top = self._code.top_of(gap.line) + self._code.line_height
            width = max(button.sizeHint().width(), LEAST_WIDTH)
            button.setGeometry(round(NUMBERS + MARGIN), round(top) + 1, width, round(self._code.line_height) - 2)

    def _on_gap(self, number: int) -> None:
        wanted, data = self._wanted, self._data
        if wanted is None or data is None:
            return
        gap, run = wanted.gaps[number], data.traces[wanted.broken]
        if number != wanted.right:
            self._gaps[number].setEnabled(False)
            self.solved.emit(gap.says)
            return
        for button in self._gaps:
            button.hide()
        self._code.show_source(run.source_name, run.source_text, *wanted.code, inserted=(gap.line, BARRIER))
        self._play(wanted.fixed, "With the barrier")
        self.solved.emit(gap.says)

    def _play(self, name: str, title: str) -> None:
        assert self._wanted is not None
        assert self._data is not None
        self.pane.title.setText(title)
        self.pane.counters.show_counters(())
        self.player.show(
            [self._data.traces[name]], FrameMode(self._wanted.mode), start=self._wanted.start, speed=self._wanted.speed
        )

"""A scene that plays recordings, with source and result beside them: what it does when played, paused or left."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from gemmviz.gui.lessons.magnification import MOST_IN_WINDOW
from gemmviz.gui.lessons.scenes.code_excerpt import CodeExcerpt
from gemmviz.gui.lessons.scenes.picture_player import PicturePlayer
from gemmviz.gui.lessons.scenes.result_table import ResultTable, stored_elements
from gemmviz.gui.lessons.scenes.scene import LessonScene, SceneMoment
from gemmviz.gui.looks.projector import least_label, picture_magnification, words_magnification
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.memory_view.paired_view import PairedView
from gemmviz.gui.widgets.named import named
from gemmviz.trace.frames.values import Frame

SPACE, MOST = 12, 16_777_215
"""Pixels between source and result, and of what is not limited."""


class PlayedScene(LessonScene):
    """`views` show what `player` plays; `beside` holds the source, in `code_area`, and the first picture's result."""

    def __init__(self, name: str, views: tuple[PairedView, PairedView], theme: Theme, parent: QWidget | None) -> None:
        super().__init__(theme, parent)
        self.setObjectName(name)
        self.player = PicturePlayer(views, self)
        self.code = CodeExcerpt(theme)
        self.code_area = named(QScrollArea(), f"{name}Code")
        self.code_area.setWidgetResizable(True)
        self.code_area.setWidget(self.code)
        self.code_area.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # a click leaves the lesson its keys
        self.result = ResultTable(theme)
        self.beside = QWidget()
        column = QVBoxLayout(self.beside)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE)
        column.addWidget(self.code_area, 1)
        column.addWidget(self.result, 1)
        self._views = views
        self._below_code: QWidget | None = None
        for each in (self.beside, self.code):
            each.installEventFilter(self)
        self.player.frame_shown.connect(self._on_frame)
        self.player.playing_changed.connect(self.playing_changed)
        self.player.failed.connect(self.failed)

    def put_below_code(self, widget: QWidget) -> None:
        """Put a widget between the source and the result."""
        column = self.beside.layout()
        assert isinstance(column, QVBoxLayout)
        self._below_code = widget
        column.insertWidget(1, widget)

    def show_beside(self, *, has_code: bool, has_result: bool) -> None:
        """Which of source and result are there."""
        self.code_area.setVisible(has_code)
        self.result.setVisible(has_result)
        self.beside.setVisible(has_code or has_result)
        self._share_height()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_height()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Share the height anew when source and result have another width, which comes after that of the scene."""
        is_handled = super().eventFilter(watched, event)
        if event.type() == QEvent.Type.Resize:
            self._share_height()
        return is_handled

    def _share_height(self) -> None:
        """The source has all lines in view, and no more, before the result has what is left; where that is too little,
        its lines are closer. On the whole screen they are as large as they have room, and a source alone fills the
        height.
        """
        below = self._below_code
        taken = 0
        if below is not None and below.isVisibleTo(self):
            by_width = below.heightForWidth(self.beside.width())
            taken = (by_width if by_width >= 0 else below.sizeHint().height()) + SPACE
        least = self.result.minimumSizeHint().height() if self.result.isVisibleTo(self) else 0
        is_alone = not taken and not self.result.isVisibleTo(self)
        room = self.height() - (2 * self.code_area.frameWidth() if is_alone else taken + SPACE + least)
        is_full = self.window().isFullScreen()
        self.code.fit(room, grows=is_full, fills=is_alone and is_full)
        lines = self.code.sizeHint().height()
        policy = Qt.ScrollBarPolicy.ScrollBarAsNeeded if lines > room else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.code_area.setVerticalScrollBarPolicy(policy)
        left, has_code = self.height() - lines - taken - SPACE, self.code_area.isVisibleTo(self)
        self.code_area.setMaximumHeight(lines if self.result.isVisibleTo(self) else MOST)
        self.result.setMaximumHeight(max(left, self.result.minimumSizeHint().height()) if has_code else MOST)

    @property
    def can_play(self) -> bool:
        return True

    @property
    def is_playing(self) -> bool:
        return self.player.is_playing

    @property
    def seconds(self) -> float:
        return self.player.seconds

    @property
    def moment(self) -> SceneMoment:
        return SceneMoment(self.player.index)

    @property
    def has_ended(self) -> bool:
        return self.player.index >= self.player.end

    @property
    def rest(self) -> SceneMoment:
        return SceneMoment(self.player.rest)

    def moment_at(self, seconds: float) -> SceneMoment:
        return SceneMoment(*self.player.at(seconds))

    def show_moment(self, moment: SceneMoment) -> None:
        self.player.show_at(moment.place, moment.arrival)

    def keep_still(self) -> None:
        self.player.make_at_once()

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

    def set_magnification(self, factor: float) -> None:
        label, large = least_label(self, is_in_lesson=True), words_magnification(self, factor)
        in_window = min(factor, MOST_IN_WINDOW)
        of_pictures = max(in_window, picture_magnification(label))
        for view in self._views:
            view.present(bool(label), names_device=True)
            view.set_magnification(of_pictures, of_pictures / in_window)
        self.code.set_magnification(factor)
        self.result.set_magnification(large)
        self._share_height()

    def set_theme(self, theme: Theme) -> None:
        for view in self._views:
            view.set_theme(theme)
        self.code.set_theme(theme)
        self.result.set_theme(theme)

    def _on_frame(self, place: int, frame: Frame) -> None:
        if place:
            return
        self.code.light(frame.lines)
        scene = self._views[0].picture_state() if self.result.isVisibleTo(self) else None
        self.result.show_elements(stored_elements(scene) if scene is not None else ())

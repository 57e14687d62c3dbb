"""A scene that plays recordings, with source beside them: what it does when it is played, paused or left."""

from __future__ import annotations

from PySide6.QtWidgets import QScrollArea, QWidget

from gemmviz.gui.lessons.scenes.code_excerpt import CodeExcerpt
from gemmviz.gui.lessons.scenes.picture_player import PicturePlayer
from gemmviz.gui.lessons.scenes.scene import LessonScene
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.memory_view.memory_view import MemoryView
from gemmviz.gui.named import named


class PlayedScene(LessonScene):
    """`views` show what `player` plays; `code` lies in `code_area`."""

    def __init__(self, name: str, views: tuple[MemoryView, MemoryView], theme: Theme, parent: QWidget | None) -> None:
        super().__init__(theme, parent)
        self.setObjectName(name)
        self.player = PicturePlayer(views, self)
        self.code = CodeExcerpt(theme)
        self.code_area = named(QScrollArea(), f"{name}Code")
        self.code_area.setWidgetResizable(True)
        self.code_area.setWidget(self.code)
        self._views = views
        self.player.playing_changed.connect(self.playing_changed)
        self.player.failed.connect(self.failed)

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
        for view in self._views:
            view.set_theme(theme)
        self.code.set_theme(theme)

"""Counting beside the window, where only the newest question counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject

from gemmviz.gui.tasks.background import Background
from gemmviz.gui.tasks.one_shot_task import OneShotTask


class LatestOnly(QObject):
    """Runs a function on a thread of its own and forgets the one before, if that has not been delivered."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._background = Background(self, threads=1)
        self._work: OneShotTask | None = None

    def start(
        self,
        function: Callable[[], Any],
        on_done: Callable[[Any], None],
        on_error: Callable[[Exception], None],
    ) -> None:
        """Run `function` elsewhere, then one of the others here; it must not touch a widget."""
        self.forget()
        self._work = OneShotTask(function)
        self._background.start(self._work, on_done, on_error)

    def forget(self) -> None:
        """Deliver nothing of what was started."""
        self._background.cancel_all()
        if self._work is not None:
            self._work.forget()
            self._work = None

"""What is slow when it comes into sight for the first time is made ready before, in small steps."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Protocol, runtime_checkable

from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtWidgets import QDockWidget, QMainWindow, QTabWidget, QWidget

from gemmviz.gui.charts.plot.rehearsal import rehearse_plot
from gemmviz.gui.looks.theme import Theme

Step = Callable[[], object]

FIRST_MS, BETWEEN_MS = 100, 10
"""The window comes first; and between any two steps it paints and listens."""


@runtime_checkable
class Rehearses(Protocol):
    """A widget whose first contents would cost more than later ones: marks, labels, layouts."""

    def rehearsal(self) -> tuple[Step, ...]:
        """Steps, each under 30 ms, that leave it as it was; to be done while nobody sees it."""
        ...


class WarmUp(QObject):
    """Does steps one at a time, the window having its turn between. Fonts are loaded, styles found and layouts made
    by the first painting, wherever it goes: to the screen, or to a picture that nobody keeps.
    """

    def __init__(self, steps: Iterable[Step], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._steps = deque(steps)
        self._timer = QTimer(self, singleShot=True, interval=FIRST_MS)
        self._timer.timeout.connect(self._do_next)
        self._timer.start()

    @property
    def left(self) -> int:
        """How many steps are still to be done."""
        return len(self._steps)

    @Slot()
    def _do_next(self) -> None:
        if self._steps:
            self._steps.popleft()()
            self._timer.start(BETWEEN_MS)


def warm_up(window: QMainWindow, theme: Theme) -> WarmUp:
    """Make all of a window ready that it does not show yet; it belongs to the window."""
    return WarmUp((lambda: rehearse_plot(theme), *_rehearsals(window), *_first_sights(window)), window)


def _rehearsals(window: QMainWindow) -> Iterator[Step]:
    """Of a window's thousand widgets few rehearse: their classes are asked, because Python up to 3.11 takes long to
    tell whether an object has what a protocol wants.
    """
    widgets = window.findChildren(QWidget)
    rehearsing = tuple(kind for kind in {type(widget) for widget in widgets} if issubclass(kind, Rehearses))
    for widget in widgets:
        if isinstance(widget, rehearsing):
            for step in widget.rehearsal():
                yield _unseen(widget, step)


def _first_sights(window: QMainWindow) -> Iterator[Step]:
    """Panels and pages each for themselves: all at once they would take too long."""
    docks = [dock.widget() for dock in window.findChildren(QDockWidget)]
    pages = [tabs.widget(place) for tabs in window.findChildren(QTabWidget) for place in range(tabs.count())]
    for widget in (*docks, *pages):
        if widget is not None:
            yield _unseen(widget, widget.grab)
            yield _unseen(widget, partial(_come_and_go, widget))


def _come_and_go(widget: QWidget) -> None:
    """Show a widget and hide it again before anything is painted; what it lies in comes and goes with it."""
    hidden: list[QWidget] = []
    place: QWidget | None = widget
    while place is not None and not place.isVisible():
        if place.isHidden():
            hidden.append(place)
        place = place.parentWidget()
    for one in hidden:
        one.show()
    for one in hidden:
        one.hide()


def _unseen(widget: QWidget, step: Step) -> Step:
    """Nothing to be done where it is in sight already, or in a window that is not: one that was closed must stay so,
    because the program ends when no window is left.
    """
    return lambda: step() if widget.window().isVisible() and not widget.isVisible() else None

"""Keeps a presentation at the page, the view, the recording or the lesson that is chosen meanwhile."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, SignalInstance, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QStackedWidget, QTabWidget, QWidget

from gemmviz.gui.charts.notes_label import NotesLabel
from gemmviz.gui.memory.page import MEMORY
from gemmviz.gui.presentation.control import PresentationControl
from gemmviz.gui.presentation.picture_screen import PictureScreen
from gemmviz.gui.widgets.segments import Segments

LOOK_MS = 50
"""Between two looks at a view that is still being loaded."""


class PresentationFollower(QObject):
    """Presents anew once another page of `tabs`, another view of a page, another block of requests, or what `centre`
    has beside them, such as a lesson, is chosen during a presentation.

    `playing` presents what plays; `presented` hands on the screen of what does not play. `set_up` tells that another
    experiment was chosen. `present` begins the presentation of what is in front. `say` presents a title and words where
    nothing plays.
    """

    def __init__(
        self,
        centre: QStackedWidget,
        tabs: QTabWidget,
        playing: PresentationControl,
        presented: SignalInstance,
        set_up: SignalInstance,
        present: QAction,
        say: Callable[[str, str], None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._tabs, self._playing, self._present, self._say = tabs, playing, present, say
        presented.connect(self.follow)
        set_up.connect(self._leave_for_experiment)
        self._screen: PictureScreen | None = None
        self._shows_chart = False
        self._later = QTimer(self, singleShot=True)
        self._later.timeout.connect(self._present_anew)
        tabs.currentChanged.connect(self._on_chosen)
        playing.outdated.connect(self._on_chosen)
        centre.currentChanged.connect(self._on_chosen)
        for segments in tabs.findChildren(Segments):
            segments.chosen.connect(self._on_chosen)

    @Slot(object)
    def follow(self, screen: PictureScreen) -> None:
        """Take the screen of a chart, which shows the page in front."""
        self._shows_chart = True
        page = self._tabs.currentWidget()
        screen.set_can_turn(len(_enabled(views_of(page))) > 1)
        screen.set_notes(notes_of(page) if self._tabs.isVisible() else ())
        if screen is not self._screen:
            self._screen = screen
            screen.closed.connect(self._on_closed)
            screen.turned.connect(self.turn)

    @Slot(int)
    def turn(self, by: int) -> None:
        """Choose the view of the page that is so many further, past the last one the first."""
        segments = views_of(self._tabs.currentWidget())
        places = _enabled(segments)
        if segments is not None and segments.current in places:
            segments.choose(places[(places.index(segments.current) + by) % len(places)])

    @Slot()
    def end(self) -> None:
        """Leave the whole screen."""
        self._later.stop()
        self._playing.end()
        if self._screen is not None:
            self._screen.close()

    @Slot()
    def _leave_for_experiment(self) -> None:
        """Leave the whole screen, so that the experiment is seen; a presented request follows its kernel instead."""
        if self._is_presenting and not self._later.isActive():
            self.end()

    @Slot()
    @Slot(int)
    def _on_chosen(self, _place: int = 0) -> None:
        if self._is_presenting:
            self._later.start(0)  # once the page shows what was chosen

    @property
    def _is_presenting(self) -> bool:
        return self._screen is not None or self._playing.screen is not None

    @Slot()
    def _present_anew(self) -> None:
        """Present the page in front; while its requests are loaded what is presented stays, and so does the window of
        charts for the next one.
        """
        if self._is_presenting and self._playing.is_loading:
            self._later.start(LOOK_MS)
        elif self._is_presenting:
            self._playing.end()
            self._shows_chart = False
            if self._tabs.isVisible() or not self._tabs.window().isFullScreen():  # a lesson there has the screen
                self._present_page()
            if not self._shows_chart and self._screen is not None:
                self._screen.close()

    def _present_page(self) -> None:
        """Present the page in front; where nothing is recorded that is said, and the presentation goes on."""
        page = self._tabs.tabText(self._tabs.currentIndex())
        if self._tabs.isVisible() and page == MEMORY and self._playing.is_empty:
            self._say(page, self._playing.why_nothing)
        else:
            self._present.trigger()

    @Slot()
    def _on_closed(self) -> None:
        if self.sender() is self._screen:
            self._screen = None


def notes_of(page: QWidget | None) -> tuple[str, ...]:
    """The notes of the charts of a page that are in sight."""
    if page is None:
        return ()
    return tuple(note for label in page.findChildren(NotesLabel) if label.isVisibleTo(page) for note in label.notes)


def _enabled(segments: Segments | None) -> list[int]:
    """The places of the views that can be chosen."""
    buttons = segments.buttons if segments is not None else ()
    return [place for place, button in enumerate(buttons) if button.isEnabled()]


def views_of(page: QWidget | None) -> Segments | None:
    """The switch between the views of a page; None where it has one view alone."""
    if page is None:
        return None
    return next((segments for segments in page.findChildren(Segments) if segments.isVisibleTo(page)), None)

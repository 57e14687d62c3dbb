"""Where everything is: tabs in the centre, panels around them, as docks that remember their place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import QByteArray, QSize, Qt
from PySide6.QtWidgets import (
    QDockWidget,
    QMainWindow,
    QStackedWidget,
    QTabBar,
    QVBoxLayout,
    QWidget,
)

from gemmviz.gui.commands.actions import Actions
from gemmviz.gui.commands.commands import plain_words
from gemmviz.gui.commands.control_entries import control_entries
from gemmviz.gui.commands.entries import Entry, page_entries
from gemmviz.gui.layout.action_table import ACTIONS, TABS
from gemmviz.gui.layout.dock_choice import DockChoice
from gemmviz.gui.layout.dock_height import DockHeight, wants_height
from gemmviz.gui.layout.dock_strips import DockStrips
from gemmviz.gui.layout.dock_widths import (
    BOTH_SIDES_FROM,
    CENTRE_WIDTH,
    LEFT_WIDTH,
    RIGHT_WIDTH,
    editor_width,
    figures_width,
    source_width,
)
from gemmviz.gui.layout.page_tabs import PageTabs
from gemmviz.gui.layout.parts import Parts
from gemmviz.gui.layout.side_choice import SideChoice
from gemmviz.gui.layout.state_text import as_text, from_text
from gemmviz.gui.memory.page import MEMORY
from gemmviz.gui.notices.tip_guard import TipGuard
from gemmviz.gui.tasks.deferred import deferred

VERSION = 4
"""Raised when docks come or go, or get another width: an older state is then not restored."""

_MARK = "|"
"""Between the docks' state and what was chosen beside the picture; no letter of base64."""
_AREAS = Qt.DockWidgetArea
_AREA_OF = {"experimentDock": _AREAS.LeftDockWidgetArea, "resultsDock": _AREAS.BottomDockWidgetArea}
"""Where docks are at first; all others are at the right."""
_RIGHT = ("figuresDock", "sourceDock", "frameDock")
LEAST_CENTRE_WIDTH, LEAST_CENTRE_HEIGHT = 524, 300
"""The centre asks for no more: Qt would widen the window where what comes back is more than there is room for."""
LEAST_WINDOW = QSize(1000, 600)
"""The least size of the window. It is set once: left to Qt, it would follow the contents, and the window would grow
with them. Contents without room give way.
"""


class WindowLayout:
    """Places the parts in the window and knows how to put them back."""

    def __init__(self, window: QMainWindow, parts: Parts, actions: Actions | None = None) -> None:
        self._window = window
        window.setMinimumSize(LEAST_WINDOW)
        self._aside: QByteArray | None = None
        self._asked_widths, self._is_width_ours, self._has_own_kernel = {RIGHT_WIDTH}, True, False
        self.tabs = PageTabs(((MEMORY, parts.memory_page), *parts.pages.tabs))
        self.tabs.setObjectName("tabs")
        self.centre = QStackedWidget()
        for page in (parts.first_page, self.tabs, parts.lesson_page):
            self.centre.addWidget(page)
        self.centre.setMinimumSize(LEAST_CENTRE_WIDTH, LEAST_CENTRE_HEIGHT)
        middle = QWidget()
        column = QVBoxLayout(middle)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.centre, 1)
        window.setCentralWidget(middle)
        # Messages and progress share the status bar, which is always there: no page moves when they come or go.
        window.statusBar().addWidget(parts.notices)
        window.statusBar().addPermanentWidget(parts.progress, 1)
        TipGuard(window, parts.notices)
        window.setDockOptions(QMainWindow.DockOption.AnimatedDocks | QMainWindow.DockOption.AllowTabbedDocks)
        window.setCorner(Qt.Corner.BottomLeftCorner, _AREAS.LeftDockWidgetArea)
        window.setCorner(Qt.Corner.BottomRightCorner, _AREAS.RightDockWidgetArea)
        self.docks: Mapping[str, QDockWidget] = {
            name: _make_dock(window, name, title, widget, width)
            for name, title, widget, width in (
                ("experimentDock", "Experiment", parts.experiment, LEFT_WIDTH),
                ("figuresDock", "Figures", parts.figures, RIGHT_WIDTH),
                ("sourceDock", "Source", parts.source_place, RIGHT_WIDTH),
                ("frameDock", "This frame", parts.frame_panel, RIGHT_WIDTH),
                ("resultsDock", "Results", parts.results, 0),
            )
        }
        self.strips = DockStrips(window, self.docks, column, actions)
        self._fit_later = deferred(window, self.fit)
        self._fit_right_later = deferred(window, self._fit_right)
        for name in _RIGHT:  # one that comes back may have the width of a wider window
            self.docks[name].visibilityChanged.connect(partial(self._on_right_seen, self.docks[name]))
        self.docks["experimentDock"].visibilityChanged.connect(lambda _: self._fit_right_later.start())
        self._results = DockChoice(window, self.docks["resultsDock"], lambda: parts.results.is_empty)
        self._height = DockHeight(window, self.docks["resultsDock"], lambda: parts.results.whole_height)
        parts.results.filled.connect(self._fit_later.start)
        parts.results.counted.connect(self._height.fit)
        parts.timing.view_changed.connect(lambda _: self._share_room())
        self._sides = SideChoice(window, [self.docks[name] for name in _RIGHT], self.strips)
        self._left = SideChoice(window, [self.docks["experimentDock"]], self.strips, _AREAS.LeftDockWidgetArea)
        self._page, self._place, self._had_pictures = parts.memory_page, parts.source_place, 0
        parts.memory_page.pictures_changed.connect(self._give_way)
        parts.memory_page.turned.connect(lambda: self._raise_beside(self.tab))
        self.tabs.currentChanged.connect(lambda _: self._on_tab())
        parts.experiment.keys_left.connect(self._focus_page)
        self.reset()

    @property
    def window(self) -> QMainWindow:
        """The window that is laid out."""
        return self._window

    def show_first_page(self) -> None:
        """Nothing but the ways to begin: all docks stand aside as long."""
        self._show_alone(0)

    def show_lesson(self) -> None:
        """Nothing but the lesson."""
        self._show_alone(2)

    def _show_alone(self, page: int) -> None:
        self.centre.setCurrentIndex(page)
        if self._aside is None:
            self._sides.go(wants_room=False)
            shown = self._shown_at_right()
            self._is_width_ours |= shown is not None and self._is_given(shown)
            self._aside = self._window.saveState(VERSION)
            for dock in self.docks.values():
                self._window.removeDockWidget(dock)
            # Qt leaves the bar of their tabs where it was.
            for bar in self._window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly):
                bar.hide()
            self.strips.refresh()

    def entries(self) -> list[Entry]:
        """The views of the pages and the controls in sight, for the command palette."""
        pages = [(name, page) for place, name in enumerate(TABS) if (page := self.tabs.widget(place)) is not None]
        places: list[tuple[str, QWidget, Callable[[], object]]]
        places = [(name, page, partial(self.show_tab, name)) for name, page in pages]
        if self._aside is None:
            places += [
                (dock.windowTitle(), dock.widget(), dock.raise_) for dock in self.docks.values() if not dock.isHidden()
            ]
        commands = {plain_words(spec.text) for spec in ACTIONS}
        return [*page_entries(pages, self.show_tab), *control_entries(places, commands)]

    def show_tab(self, name: str) -> None:
        """Bring a tab to the front."""
        self._leave_first_page()
        self.tabs.setCurrentIndex(TABS.index(name))

    def show_source(self) -> None:
        """Bring the source to the front."""
        self._leave_first_page()
        self.docks["sourceDock"].show()
        self.docks["sourceDock"].raise_()

    def show_own_kernel(self) -> None:
        """Bring the source to the front beside the experiment, which says how an opened kernel runs, or the editor."""
        self._has_own_kernel = True
        self.show_source()
        if self.docks["experimentDock"].isHidden() and not self._place.is_edited:
            self.strips.unfold(self.docks["experimentDock"])

    def show_recorded(self) -> None:
        """The kernel that was opened has its picture, which wants the room of the experiment like any other."""
        self._has_own_kernel = False
        self._give_way()

    def show_editor(self, is_edited: bool) -> None:
        """Bring the editor to the front, in the place of the source, or the source again. In a narrow window the
        experiment makes room for the editor.
        """
        self._place.show_editor(is_edited)
        self.show_source()
        self._make_room_at_left()
        dock = self.docks["sourceDock"]
        if not dock.isFloating():
            self._ask_width(dock, self._wanted_width())

    def _make_room_at_left(self) -> None:
        """The experiment makes room for the editor and, in a narrow window without a kernel that was opened, for the
        centre; its keys go to the page.
        """
        had_keys = self.docks["experimentDock"].isAncestorOf(self._window.focusWidget() or self._window)
        is_narrow = not self._has_own_kernel and self._window.width() < BOTH_SIDES_FROM[self._pictures]
        self._left.go(self._place.is_edited or is_narrow)
        if had_keys and self._left.has_taken:
            self._focus_page()

    @property
    def _pictures(self) -> int:
        """How many pictures of memory want room in the centre."""
        return self._page.picture_count if self.tab == MEMORY else 0

    def _wanted_width(self) -> int:
        width = self._window.width()
        if self._place.is_edited:
            return editor_width(width, self._pictures)
        if self._shown_at_right() is not self.docks["sourceDock"]:
            return figures_width(width)
        is_left_shown = not self.docks["experimentDock"].isHidden()
        beside = self._pictures if self.tab in (MEMORY, "") else 1
        return source_width(width, beside, is_left_shown=is_left_shown)

    def show_new_experiment(self) -> None:
        """Show the page of times, and all panels where the experiment was folded."""
        self.show_tab("Timing")
        if self.docks["experimentDock"].isHidden() and not self._left.has_taken:
            self.strips.unfold_all()

    def show_experiment(self) -> None:
        """Leave the first page, or a lesson, for the page that was in front before."""
        if self.centre.currentWidget() is not self.tabs:
            self._leave_first_page()

    def _focus_page(self) -> None:
        """Give the keys to the page in front."""
        shown = self.centre.currentWidget()
        page = self.tabs.currentWidget() if shown is self.tabs else shown
        (page or self._window).setFocus(Qt.FocusReason.OtherFocusReason)

    def _leave_first_page(self) -> None:
        self.centre.setCurrentIndex(1)
        kept, self._aside = self._aside, None
        if kept is not None:
            self._window.restoreState(kept, VERSION)
            self.strips.refresh()
            self._fit_later.start()  # the window may have got another size meanwhile
        self._on_tab()

    def _on_tab(self) -> None:
        """What belongs beside the tab in front; the picture of memory wants the height that the results have."""
        self._raise_beside(self.tab)
        self._share_room()
        self._give_way()

    def _share_room(self) -> None:
        """The results have the height, and the experiment the width, that the page in front leaves them."""
        if self._aside is None:
            self._results.go(wants_height(self.tab, self.tabs.currentWidget(), self._window.height()))
            self.strips.tell_folded([self.docks["resultsDock"]], made_room=self._results.has_made_room)
            self._height.fit()
            self._make_room_at_left()

    def _give_way(self) -> None:
        """Pictures want the width that the docks at the sides have in a narrow window: one that of the experiment, two
        that of the docks at the right as well.
        """
        if self._aside is None:
            were_away = self._sides.has_taken
            self._sides.go(self._pictures == 2 and not self._place.is_edited)
            if self._had_pictures or self._pictures:
                self._make_room_at_left()
                self._fit_right_later.start()
            self._had_pictures = self._pictures
            if were_away and not self._sides.has_taken:
                self._fit_later.start()

    def _raise_beside(self, tab: str) -> None:
        """What belongs beside a tab: the source beside memory, figures beside charts and beside totals, which have the
        source themselves; where they share one place.
        """
        figures, source = self.docks["figuresDock"], self.docks["sourceDock"]
        if source in self._window.tabifiedDockWidgets(figures):
            wants_source = self._place.is_edited or (tab == MEMORY and not self._page.shows_source)
            (source if wants_source else figures).raise_()

    @property
    def tab(self) -> str:
        """The name of the tab in front; "" while the first page is shown."""
        return TABS[self.tabs.currentIndex()] if self.centre.currentIndex() == 1 else ""

    @property
    def last_tab(self) -> str:
        """The name of the tab in front, also while the first page or a lesson covers it."""
        return TABS[self.tabs.currentIndex()]

    def reset(self) -> None:
        """All docks where they were at first."""
        self._aside = None
        self._sides.forget()
        self._left.forget()
        self.strips.forget()
        window, docks = self._window, self.docks
        for name, dock in docks.items():
            dock.setFloating(False)
            window.addDockWidget(_AREA_OF.get(name, _AREAS.RightDockWidgetArea), dock)
            dock.show()
        window.tabifyDockWidget(docks["figuresDock"], docks["sourceDock"])
        window.tabifyDockWidget(docks["sourceDock"], docks["frameDock"])
        self._raise_beside(self.tab)
        window.resizeDocks([docks["experimentDock"]], [LEFT_WIDTH], Qt.Orientation.Horizontal)
        self._ask_width(docks["figuresDock"], self._wanted_width())
        self._height.reset()
        self._results.forget()
        self._give_way()

    def fit(self) -> None:
        """Another size of the window: the right side takes its share, unless a person gave it another width and the
        centre has room for that.

        Docks that have too little room beside the picture of memory give way, and come back once there is enough.
        """
        self._fit_right()
        self._fit_right_later.start()  # Qt may bring back an earlier state of the docks once more
        self._share_room()
        self._give_way()

    def fit_at_once(self) -> None:
        """Fit before the new size is painted: pictures would else be cut until the docks have gone."""
        self.fit()
        self.strips.refresh()
        self._place_docks()
        self._fit_right()  # as wide as the rest leaves room
        self._place_docks()

    def _place_docks(self) -> None:
        """Let Qt place the docks now; it else waits for its turn."""
        if (layout := self._window.layout()) is not None:
            layout.activate()

    def _fit_right(self) -> None:
        shown, wanted = self._shown_at_right(), self._wanted_width()
        if shown is None or shown.isFloating():
            return
        if shown.width() == wanted:
            self._is_width_ours = False  # from now on another width is a person's
            return
        room = self._window.width() - LEFT_WIDTH - CENTRE_WIDTH
        if self._is_width_ours or self._is_given(shown) or shown.width() > max(room, wanted):
            self._ask_width(shown, wanted)

    def _on_right_seen(self, dock: QDockWidget, is_seen: bool) -> None:
        """A dock that went with a width that was asked for may come back with another, which is Qt's."""
        self._is_width_ours |= not is_seen and dock.width() in self._asked_widths
        self._fit_right_later.start()

    def _shown_at_right(self) -> QDockWidget | None:
        """The dock in front of those at the right; None where none is in sight."""
        docks = [self.docks[name] for name in _RIGHT]
        return next((dock for dock in docks if dock.isVisible() and not dock.visibleRegion().isEmpty()), None)

    def _is_given(self, dock: QDockWidget) -> bool:
        """Whether a dock has a width that was asked for, or what the centre's least leaves it, and none of a person."""
        return dock.width() in self._asked_widths or self.centre.width() <= LEAST_CENTRE_WIDTH

    def _ask_width(self, dock: QDockWidget, width: int) -> None:
        """Ask for a width, which Qt gives where the centre has its least beside it; it is no person's choice."""
        self._asked_widths.add(width)
        self._window.resizeDocks([dock], [width], Qt.Orientation.Horizontal)

    def state(self) -> tuple[str, str]:
        """The window's geometry and the docks' state, as text; the state is that beside charts."""
        self._leave_first_page()
        self.strips.end_for_now()
        self._results.go(to_picture=False)
        self._sides.go(wants_room=False)
        self._left.go(wants_room=False)
        self._height.release()
        geometry, docks = as_text(self._window.saveGeometry()), as_text(self._window.saveState(VERSION))
        self._on_tab()
        return geometry, f"{docks}{_MARK}{self._results.text()}"

    def restore(self, geometry: str, docks: str) -> None:
        """What `state` gave; what is not understood is left. A window that ended on the whole screen is one again."""
        window = self._window
        window.restoreGeometry(from_text(geometry))
        shape = window.windowState() & ~Qt.WindowState.WindowFullScreen
        # Of a window that is to be as large as the screen Qt restores the docks once more when it is shown. The first
        # page takes them out before that, and Qt would use what is gone.
        window.setWindowState(Qt.WindowState.WindowNoState)
        state, _, choice = docks.partition(_MARK)
        if window.restoreState(from_text(state), VERSION):
            self._results.read(choice)
            self._is_width_ours = False
            self._height.forget()
        else:
            self.reset()
        window.setWindowState(shape)
        self.strips.refresh()


def _make_dock(window: QMainWindow, name: str, title: str, widget: QWidget, width: int) -> QDockWidget:
    dock = QDockWidget(title, window)
    dock.setObjectName(name)
    dock.setWidget(widget)
    widget.setMinimumWidth(width)
    window.addDockWidget(_AREA_OF.get(name, _AREAS.RightDockWidgetArea), dock)
    return dock

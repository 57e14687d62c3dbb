"""Docks that are folded away, as strips along the edges of the window: one button for each, which unfolds it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QSize, Qt, QTimer, Slot
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QDockWidget,
    QMainWindow,
    QStyle,
    QStyleOptionToolButton,
    QStylePainter,
    QTabBar,
    QToolBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from gemmviz.gui.commands.actions import Actions
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_text import plain_text

LEFT, RIGHT, BOTTOM = (
    Qt.DockWidgetArea.LeftDockWidgetArea,
    Qt.DockWidgetArea.RightDockWidgetArea,
    Qt.DockWidgetArea.BottomDockWidgetArea,
)
_EDGES = {
    LEFT: ("leftStrip", Qt.ToolBarArea.LeftToolBarArea),
    RIGHT: ("rightStrip", Qt.ToolBarArea.RightToolBarArea),
    BOTTOM: ("bottomStrip", None),
}
"""The strip of each edge, and the window's area for it; None: the strip lies below the centre, because the docks at the
bottom do, and those at the sides reach down past it.
"""
_TURNS = {LEFT: -90.0, RIGHT: 90.0, BOTTOM: 0.0}
"""Degrees by which the names in a strip are turned clockwise."""
_ARROWS = {LEFT: "▾", RIGHT: "▾", BOTTOM: "▴"}
"""Behind the name, so that it points to where the panel opens once name and arrow are turned."""
MADE_ROOM = "folded to make room. A click opens it, and it stays open"
"""Why the window folded a panel, behind the panel's name."""
FOLD = "Fold this panel to a strip at the edge of the window"
_ACTIONS = {"foldLeftAction": LEFT, "foldBottomAction": BOTTOM, "foldRightAction": RIGHT}


@dataclass(slots=True)
class _Edge:
    """A strip, its buttons by dock, the docks that were folded together and unfold together, and that of them which was
    in front.
    """

    strip: QToolBar
    buttons: dict[QDockWidget, QToolButton]
    folded: tuple[QDockWidget, ...] = ()
    front: QDockWidget | None = None


class DockStrips(QObject):
    """Keeps a button in a strip for every dock that does not show, at the edge at which the dock would be.

    `middle` is the column with the window's centre. No dock at the sides moves or changes its size where a dock at the
    bottom is folded or unfolded. The close button of a dock folds it and the docks that share its place. What is hidden
    is part of the window's state, so that folded docks are folded at the next start.
    """

    def __init__(
        self, window: QMainWindow, docks: Mapping[str, QDockWidget], middle: QVBoxLayout, actions: Actions | None = None
    ) -> None:
        super().__init__(window)
        self._window, self._docks, self._middle = window, tuple(docks.values()), middle
        self._all: tuple[QDockWidget, ...] = ()
        self._is_for_now = False
        """Whether those in `_all` are to show again without being asked for."""
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self.refresh)
        self._edges = {area: self._edge(area) for area in _EDGES}
        for dock in self._docks:
            dock.toggleViewAction().toggled.connect(self._later.start)
            dock.dockLocationChanged.connect(self._later.start)
            button = dock.findChild(QAbstractButton, "qt_dockwidget_closebutton")
            if isinstance(button, QAbstractButton):
                named(button, tip=FOLD, says=f"Fold {dock.windowTitle()}")
                button.clicked.connect(lambda _checked=False, dock=dock: self._fold_beside(dock))
        if actions is not None:
            for name, area in _ACTIONS.items():
                actions[name].triggered.connect(lambda _checked=False, area=area: self.toggle(area))
            actions["foldAllAction"].triggered.connect(self.toggle_all)

    @Slot()
    def refresh(self) -> None:
        """Show a button for each hidden dock; a strip without buttons takes no room."""
        for area, edge in self._edges.items():
            for dock, button in edge.buttons.items():
                is_folded = not dock.toggleViewAction().isChecked() and self._edge_of(dock) is area
                edge.strip.actions()[list(edge.buttons).index(dock)].setVisible(is_folded)
                button.setEnabled(is_folded)
            edge.strip.setVisible(any(button.isEnabled() for button in edge.buttons.values()))
        self._name_tab_bars()

    def tell_folded(self, docks: Iterable[QDockWidget], *, made_room: bool) -> None:
        """Say at the buttons of docks that the window folded them because something else needs their room, or no more
        so.
        """
        for dock in docks:
            tip = f"{dock.windowTitle()}: {MADE_ROOM}" if made_room else _unfold_words(dock)
            for edge in self._edges.values():
                edge.buttons[dock].setToolTip(plain_text(tip))

    def _name_tab_bars(self) -> None:
        """Bars of tabs of docks have a name to be read aloud; Qt keeps empty ones, which take no keyboard."""
        for bar in self._window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly):
            bar.setAccessibleName("Panels")
            bar.setFocusPolicy(Qt.FocusPolicy.TabFocus if bar.count() else Qt.FocusPolicy.NoFocus)

    def folded(self) -> tuple[str, ...]:
        """The titles of the docks that have a button now."""
        return tuple(
            dock.windowTitle()
            for edge in self._edges.values()
            for dock, button in edge.buttons.items()
            if button.isEnabled()
        )

    def toggle(self, area: Qt.DockWidgetArea) -> None:
        """Fold the docks at an edge; unfold those folded last if none shows there."""
        here = [dock for dock in self._docks if self._edge_of(dock) is area]
        shown = [dock for dock in here if not dock.isHidden()]
        if shown:
            self.fold(shown)
        else:
            self._unfold([dock for dock in self._edges[area].folded if dock in here] or here)

    @Slot()
    def toggle_all(self) -> None:
        """Fold the docks at every edge; unfold those folded last if none shows."""
        if not self.fold_all():
            self._unfold(self._all or self._docks)

    def fold_all(self) -> bool:
        """Fold the docks at every edge; whether any showed."""
        shown = self._shown()
        self._all = tuple(shown) or self._all
        self.fold(shown)
        return bool(shown)

    @property
    def are_folded_for_now(self) -> bool:
        """Whether `fold_for_now` folded docks, and none shows by now."""
        return self._is_for_now and not self._shown()

    @property
    def has_folded_for_now(self) -> bool:
        """Whether `fold_for_now` folded docks since the last `end_for_now`, whoever shows them by now."""
        return self._is_for_now

    def fold_for_now(self) -> None:
        """Fold the docks at every edge until `end_for_now`; those that came since the last time with the others."""
        before = self._all if self._is_for_now else ()
        self._is_for_now = self.fold_all() or self._is_for_now
        self._all = tuple(dict.fromkeys((*before, *self._all)))

    def end_for_now(self) -> None:
        """Show those again that are folded only for now, unless others show by now."""
        if self.are_folded_for_now:
            self._unfold(self._all)
        self._is_for_now = False

    def _shown(self) -> list[QDockWidget]:
        return [dock for dock in self._docks if not dock.isHidden() and self._edge_of(dock) is not None]

    def fold(self, docks: Iterable[QDockWidget]) -> None:
        """Fold these; those of one edge unfold together."""
        wanted = [dock for dock in docks if not dock.isHidden()]
        for area, edge in self._edges.items():
            here = tuple(dock for dock in wanted if self._edge_of(dock) is area)
            if here:
                edge.folded = here
                edge.front = next((dock for dock in here if not dock.visibleRegion().isEmpty()), None)
        for dock in wanted:
            dock.toggleViewAction().trigger()

    def unfold(self, dock: QDockWidget) -> None:
        """Show a dock again, in front, with those it was folded with."""
        area = self._edge_of(dock)
        together = self._edges[area].folded if area is not None else ()
        self._unfold(together if dock in together else (dock,))
        dock.raise_()

    def unfold_all(self) -> None:
        """Show every dock again."""
        self._unfold(self._docks)

    def forget(self) -> None:
        """As if nothing had been folded."""
        self._all, self._is_for_now = (), False
        for edge in self._edges.values():
            edge.folded, edge.front = (), None
        self._later.start()

    def _fold_beside(self, closed: QDockWidget) -> None:
        """The button that closes a dock folds the docks that share its place too."""
        beside = [dock for dock in self._window.tabifiedDockWidgets(closed) if not dock.isHidden()]
        self.fold(beside)
        area = self._edge_of(closed)
        if area is not None:
            self._edges[area].folded, self._edges[area].front = (closed, *beside), closed

    def _unfold(self, wanted: Sequence[QDockWidget]) -> None:
        docks = [dock for dock in wanted if self._edge_of(dock) is not None]  # the first page takes some away
        for dock in docks:
            area = self._edge_of(dock)
            if area is not None:
                self._edges[area].strip.hide()  # first, or the window would widen by it
        for dock in docks:
            if dock.isHidden():
                dock.toggleViewAction().trigger()
        for edge in self._edges.values():
            if edge.front in docks:
                edge.front.raise_()  # Qt has the one in front that was shown first
        self._later.start()

    def _edge_of(self, dock: QDockWidget) -> Qt.DockWidgetArea | None:
        """The edge a dock belongs to; None where the window has it nowhere."""
        area = self._window.dockWidgetArea(dock)
        return area if area in _EDGES else BOTTOM if area is Qt.DockWidgetArea.TopDockWidgetArea else None

    def _edge(self, area: Qt.DockWidgetArea) -> _Edge:
        name, place = _EDGES[area]
        strip = QToolBar("Folded panels", self._window)
        named(strip, name, says="Folded panels")
        strip.setProperty("role", "strip")
        strip.style().unpolish(strip)
        strip.style().polish(strip)
        QCoreApplication.sendEvent(strip, QEvent(QEvent.Type.StyleChange))  # it took its margins before it had a role
        strip.setMovable(False)
        strip.toggleViewAction().setVisible(False)
        buttons: dict[QDockWidget, QToolButton] = {}
        for dock in self._docks:
            button = StripButton(f"{dock.windowTitle()} {_ARROWS[area]}", _TURNS[area])
            named(button, f"{dock.objectName()}Unfold{name}", _unfold_words(dock))
            button.setCursor(Qt.CursorShape.PointingHandCursor)
            button.clicked.connect(lambda _checked=False, dock=dock: self.unfold(dock))
            strip.addWidget(button)
            buttons[dock] = button
        strip.hide()
        if place is None:
            self._middle.addWidget(strip)
        else:
            self._window.addToolBar(place, strip)
        return _Edge(strip, buttons)


def _unfold_words(dock: QDockWidget) -> str:
    return f"Unfold {dock.windowTitle()}"


class StripButton(QToolButton):
    """A button whose name is turned by `degrees`, -90, 0 or 90."""

    def __init__(self, text: str, degrees: float, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._degrees = degrees
        self.setText(text)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        return hint.transposed() if self._degrees else hint

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._degrees:
            super().paintEvent(event)
            return
        option = QStyleOptionToolButton()
        self.initStyleOption(option)
        painter = QStylePainter(self)
        painter.translate(self.width() / 2, self.height() / 2)
        painter.rotate(self._degrees)
        painter.translate(-self.height() / 2, -self.width() / 2)
        option.rect = option.rect.transposed()
        painter.drawComplexControl(QStyle.ComplexControl.CC_ToolButton, option)

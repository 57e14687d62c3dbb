"""Combo boxes, spin boxes and sliders as all of the window has them. No other module makes one of Qt's own.

Their value turns with the wheel only while they have the focus, and the list of a combo box is never cut.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QPoint, QRect, QSize, Qt, QTimer, Slot
from PySide6.QtGui import QGuiApplication, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import (
    QComboBox,
    QDoubleSpinBox,
    QSlider,
    QSpinBox,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionComboBox,
    QStyleOptionViewItem,
    QStylePainter,
    QWidget,
)

MOST_ROWS = 16
"""Rows of a list that show at once; a longer one scrolls."""
MOST_WIDTH = 720
"""Pixels of a list at most, however long its texts."""
_LOOKED_AT = 500
"""Rows whose widths are asked for; a list of all runs of a large session must open at once."""
_EDGE = 4
"""Pixels between a list and the edge of the screen."""


SEPARATOR_HEIGHT = 9
"""Pixels of a line between entries of a list."""


class WheelGuard(QObject):
    """Keeps the wheel from a control without the focus; what lies behind it scrolls instead."""

    def __init__(self, control: QWidget) -> None:
        super().__init__(control)
        self._control = control
        control.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # Qt's own lets the wheel bring the focus
        control.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Wheel and watched is self._control and not self._control.hasFocus():
            event.ignore()
            return True
        return super().eventFilter(watched, event)


SHORT = Qt.ItemDataRole.UserRole + 1
"""The role of an entry's shorter words, which the closed box shows where the whole does not fit; of several, separated
by ends of lines, the first that fit.
"""


class EntryDelegate(QStyledItemDelegate):
    """Paints entries of a list with the style sheet's padding, which a combo's own delegate does not take, and its
    separators as lines, which Qt's styled delegate paints as empty entries.
    """

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        if not _is_separator(index):
            super().paint(painter, option, index)
            return
        middle = option.rect.center().y()
        painter.setPen(option.palette.color(QPalette.ColorRole.Mid))
        painter.drawLine(option.rect.left(), middle, option.rect.right(), middle)

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        found = super().sizeHint(option, index)
        return QSize(found.width(), SEPARATOR_HEIGHT) if _is_separator(index) else found


def _is_separator(index: QModelIndex | QPersistentModelIndex) -> bool:
    """Whether an entry is one that `insertSeparator` made, which Qt marks so."""
    return bool(index.data(Qt.ItemDataRole.AccessibleDescriptionRole) == "separator")


class ComboBox(QComboBox):
    """A combo box whose list shows whole rows, wide enough to read, within the screen."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        WheelGuard(self)
        self.setMaxVisibleItems(MOST_ROWS)
        self.setItemDelegate(EntryDelegate(self))
        self._is_open = False
        """Whether the list is seen. PySide may give up its object of what shows it, so nothing here holds that."""
        self._fill: Callable[[], object] | None = None

    def place_of(self, data: object) -> int:
        """The place of an entry by its data; -1 where there is none. Qt's own `findData` finds no equal tuple."""
        return next((place for place in range(self.count()) if self.itemData(place) == data), -1)

    def ask_for(self, letters: int | None) -> None:
        """Ask for the width of so many letters, or with None for that of the longest entry."""
        policy = self.SizeAdjustPolicy
        self.setMinimumContentsLength(letters or 0)
        self.setSizeAdjustPolicy(
            policy.AdjustToContents if letters is None else policy.AdjustToMinimumContentsLengthWithIcon
        )

    def minimumSizeHint(self) -> QSize:
        """Qt remembers that of the longest entry where fewer letters are asked for later."""
        is_asked = self.sizeAdjustPolicy() is self.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        return self.sizeHint() if is_asked else super().minimumSizeHint()

    def width_for_letters(self, letters: int | None) -> int:
        """The pixels it wants where it asks for so many letters; see `ask_for`."""
        policy, least = self.sizeAdjustPolicy(), self.minimumContentsLength()
        self.ask_for(letters)
        wanted = self.sizeHint().width()
        self.setMinimumContentsLength(least)
        self.setSizeAdjustPolicy(policy)
        return wanted

    def shown_text(self) -> str:
        """What the closed box shows: the chosen entry, or where it does not fit its shorter words if it has such; what
        is still too long ends in "…".
        """
        metrics, room = self.fontMetrics(), self.text_room()
        texts = (self.currentText(), *str(self.currentData(SHORT) or "").splitlines())
        found = next((text for text in texts if metrics.horizontalAdvance(text) <= room), texts[-1])
        return metrics.elidedText(found, Qt.TextElideMode.ElideRight, room)

    def text_room(self) -> int:
        """The pixels that the closed box has for a text."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        part = QStyle.SubControl.SC_ComboBoxEditField
        return self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, self).width()

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter, option = QStylePainter(self), QStyleOptionComboBox()
        self.initStyleOption(option)
        option.currentText = self.shown_text()
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
        painter.end()

    def refill(self, fill: Callable[[], object]) -> None:
        """Call `fill`, which changes the entries: now, or once a person has closed the list, and chosen from it what
        stood there. Of several only the last is called.
        """
        self._fill = fill
        if not self._is_open:
            self._fill_now()

    @Slot()
    def _fill_now(self) -> None:
        fill, self._fill = self._fill, None
        if fill is not None:
            fill()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """What shows the list is all that is watched."""
        if event.type() is QEvent.Type.Hide:
            self._on_closed()
        return super().eventFilter(watched, event)

    @Slot()
    def _on_closed(self) -> None:
        self._is_open = False
        if self._fill is not None:
            QTimer.singleShot(0, self, self._fill_now)  # Qt tells what was chosen after it has closed the list

    def showPopup(self) -> None:
        super().showPopup()
        popup = self.view().window()
        popup.installEventFilter(self)
        popup.destroyed.connect(self._on_closed, Qt.ConnectionType.UniqueConnection)
        self._is_open = popup.isVisible()
        if self.count():
            self._fit_list()

    def _fit_list(self) -> None:
        """Qt counts rows without the style sheet's padding, and cuts the last one."""
        view = self.view()
        popup = view.window()
        heights = [view.sizeHintForRow(row) for row in range(min(self.count(), MOST_ROWS))]
        frame = popup.size() - view.viewport().size()
        bar = view.verticalScrollBar()
        frame_width = frame.width() - (bar.width() if bar.isVisible() else 0)
        here = QRect(self.mapToGlobal(QPoint(0, 0)), self.size())
        screen = QGuiApplication.screenAt(here.center()) or self.screen()
        room = screen.availableGeometry().adjusted(_EDGE, _EDGE, -_EDGE, -_EDGE)
        count = len(heights)
        below, above = room.bottom() - here.bottom(), here.top() - room.top()
        goes_up = sum(heights[:count]) + frame.height() > below and above > below
        while count > 1 and sum(heights[:count]) + frame.height() > max(below, above):
            count -= 1
        rows = {*range(min(self.count(), _LOOKED_AT)), max(self.currentIndex(), 0)}
        widest = max(view.sizeHintForIndex(self.model().index(row, self.modelColumn())).width() for row in rows)
        wanted = widest + frame_width + (bar.sizeHint().width() if count < self.count() else 0)
        width = min(max(wanted, here.width()), max(MOST_WIDTH, here.width()), room.width())
        height = sum(heights[:count]) + frame.height()
        left = max(min(here.left(), room.right() - width + 1), room.left())
        top = here.top() - height if goes_up else here.bottom() + 1
        popup.setGeometry(left, top, width, height)
        view.scrollTo(view.currentIndex())


class SpinBox(QSpinBox):
    """A spin box for whole numbers."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        WheelGuard(self)


class DoubleSpinBox(QDoubleSpinBox):
    """A spin box for numbers with decimals."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        WheelGuard(self)


class Slider(QSlider):
    """A slider."""

    def __init__(self, orientation: Qt.Orientation = Qt.Orientation.Horizontal, parent: QWidget | None = None) -> None:
        super().__init__(orientation, parent)
        WheelGuard(self)

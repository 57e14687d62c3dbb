"""The plain controls of the experiment panel: combo, spin boxes, a button with a menu, a section's head."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QSize, Qt
from PySide6.QtGui import (
    QFontMetrics,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPalette,
    QValidator,
)
from PySide6.QtWidgets import (
    QHBoxLayout,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from gemmviz.domain.visible_text import visible
from gemmviz.gui.looks.fonts import SMALL, figures, words
from gemmviz.gui.widgets.drawn_marks import draw_chevron
from gemmviz.gui.widgets.fields import ComboBox, DoubleSpinBox, SpinBox
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.widgets.plain_text import plain_text
from gemmviz.gui.widgets.wrapped_text import heading_font

FIELD_POINTS = 9.5
FIGURE_POINTS = 9.0


class ChoiceBox(ComboBox):
    """A combo with a drawn chevron."""

    def __init__(self, name: str, spoken: str, tooltip: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        _introduce(self, name, spoken, tooltip)
        self.setFont(words(FIELD_POINTS))
        self.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(6)

    def offer(self, text: str, data: object, tooltip: str = "") -> None:
        """Add an entry at the end."""
        self.addItem(visible(text), data)
        self.setItemData(self.count() - 1, plain_text(tooltip), Qt.ItemDataRole.ToolTipRole)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        _chevron(self)


class Whole(SpinBox):
    """A whole number that is typed; it changes when it is complete."""

    def __init__(
        self, name: str, spoken: str, tooltip: str, least: int, most: int, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        _introduce(self, name, spoken, tooltip)
        _as_field(self)
        self.setRange(least, most)

    def event(self, event: QEvent) -> bool:
        return _leaves_to_window(self, event) or super().event(event)

    def validate(self, text: str, place: int) -> tuple[QValidator.State, str, int]:
        """As Qt does, but with no marks between digits: it would read 1,5 as 15."""
        return (QValidator.State.Invalid, text, place) if "," in text else super().validate(text, place)

    def minimumSizeHint(self) -> QSize:
        widest = QFontMetrics(self.font()).horizontalAdvance(str(self.maximum()))
        return QSize(widest + 8, super().minimumSizeHint().height())


class Seconds(DoubleSpinBox):
    """A time in seconds, as `Whole`."""

    def __init__(
        self, name: str, spoken: str, tooltip: str, least: float, most: float, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        _introduce(self, name, spoken, tooltip)
        _as_field(self)
        self.setRange(least, most)
        self.setDecimals(1)
        self.setSuffix(" s")

    def event(self, event: QEvent) -> bool:
        return _leaves_to_window(self, event) or super().event(event)

    def validate(self, text: str, place: int) -> tuple[QValidator.State, str, int]:
        """As Qt does, but with no marks between digits: it would read 1,5 as 15."""
        return (QValidator.State.Invalid, text, place) if "," in text else super().validate(text, place)


class MenuButton(QToolButton):
    """A button that opens its menu, with a drawn chevron."""

    def __init__(self, name: str, text: str, tooltip: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        _introduce(self, name, text, tooltip)
        self.setText(text)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def sizeHint(self) -> QSize:
        return super().sizeHint() + QSize(16, 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        _chevron(self)


class SectionHead(QWidget):
    """A section's name in small capitals; at the right end a word about it."""

    def __init__(self, title: str, note: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title, self._note = PlainLabel(title), PlainLabel(note)
        self._title.setFont(heading_font())
        self._note.setFont(words(SMALL))
        for label in (self._title, self._note):
            label.setProperty("role", "muted")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self._title, 1)
        row.addWidget(self._note)

    def set_note(self, note: str) -> None:
        self._note.setText(note)


def _introduce(control: QWidget, name: str, spoken: str, tooltip: str) -> None:
    control.setObjectName(name)
    control.setAccessibleName(spoken)
    control.setToolTip(plain_text(tooltip))


def _as_field(spin: SpinBox | DoubleSpinBox) -> None:
    # WORKAROUND: with NoButtons and a border from a style sheet Qt 6.11 makes the editor one pixel wide. So the buttons
    # stay, and the style sheet gives them no width.
    spin.setFont(figures(FIGURE_POINTS))
    spin.lineEdit().setTextMargins(1, 0, 1, 0)
    spin.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    spin.setAlignment(Qt.AlignmentFlag.AlignRight)
    spin.setKeyboardTracking(False)
    spin.editingFinished.connect(lambda: _forget_typing(spin))


def _forget_typing(spin: SpinBox | DoubleSpinBox) -> None:
    """What was typed is an edit of the experiment from now; the editor alone has nothing to undo any more."""
    editor = spin.lineEdit()
    if editor.isUndoAvailable() or editor.isRedoAvailable():
        is_selected = editor.hasSelectedText()
        editor.setText(editor.text())  # which empties its history
        if is_selected:
            spin.selectAll()


def _leaves_to_window(spin: SpinBox | DoubleSpinBox, event: QEvent) -> bool:
    """True for the keys of undo and redo while the editor, which would take them, has nothing of the kind to do."""
    if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
        return False
    editor = spin.lineEdit()
    is_undo = event.matches(QKeySequence.StandardKey.Undo) and not editor.isUndoAvailable()
    is_redo = event.matches(QKeySequence.StandardKey.Redo) and not editor.isRedoAvailable()
    if is_undo or is_redo:
        event.ignore()
    return is_undo or is_redo


def _chevron(control: QWidget) -> None:
    painter = QPainter(control)
    group = QPalette.ColorGroup.Active if control.isEnabled() else QPalette.ColorGroup.Disabled
    colour = control.palette().color(group, QPalette.ColorRole.ButtonText)
    draw_chevron(painter, QPointF(control.width() - 12, control.height() / 2), colour)
    painter.end()

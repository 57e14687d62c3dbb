"""How the shared array is laid out: padding by a slider, swizzles by a switch."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QEvent, QSignalBlocker, QSize, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QSizePolicy, QWidget

from gemmviz.explain.requests.what_if import MOST_PADDING, NewLayout, Swizzle
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.stages.own_keys import Keys
from gemmviz.gui.stages.stage_words import padding_tip, padding_words, xor_tip
from gemmviz.gui.widgets.allowed import allow, refusal_of
from gemmviz.gui.widgets.fields import Slider
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.widgets.plain_text import plain_text
from gemmviz.gui.widgets.segments import Segment, Segments

LAYOUT_KEYS = "P or Shift+P  padding", "S  swizzle"
"""The keys as the presentation names them, among others."""
KEYS_SENTENCE = "Keys: P adds padding, Shift+P takes it away, S changes the swizzle"
"""The same where they stand alone."""
SLIDER_WIDTH = 112
"""Pixels of the slider at a magnification of 1."""
MOST = f"{MOST_PADDING} columns of padding are the most."
LEAST = "No padding is added that could be taken away."
PADDING_TIP = "Columns added to each row of the array, to see what the banks would do (P, Shift+P)"
_SWIZZLES = (
    (Swizzle.NONE, Segment("swizzleNone", "none", "No elements change places (S: the next swizzle)")),
    (Swizzle.COLUMN, Segment("swizzleColumn", "XOR row", xor_tip())),
    (Swizzle.PIECES_64, Segment("swizzle64", "64 B", "16-byte pieces change places within 64 bytes: Swizzle<2,4,3>")),
    (
        Swizzle.PIECES_128,
        Segment(
            "swizzle128",
            "128 B",
            "16-byte pieces change places within 128 bytes: Swizzle<3,4,3>, as tensor copies write for wgmma",
        ),
    ),
)


_BETWEEN = 16
"""Pixels between the two groups where they stand beside each other."""


class LayoutControls(QWidget):
    """Says how a person wants the array to lie."""

    changed = Signal(object)
    """The NewLayout a person chose."""
    refused = Signal(str)
    """Why a key changes nothing, as a sentence."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._in_source: int | None = 0
        self._padding = named(Slider(Qt.Orientation.Horizontal), "paddingSlider", PADDING_TIP, "Columns of padding")
        self._padding.setRange(0, MOST_PADDING)
        self._padding.setPageStep(1)
        self._padding.setFixedWidth(SLIDER_WIDTH)
        self._columns = named(PlainLabel(), "paddingWords")
        self._swizzles = Segments([segment for _, segment in _SWIZZLES], theme)
        self._swizzles.setObjectName("swizzleChoice")
        self._swizzles.setAccessibleName("Swizzle")
        self._swizzles.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._keys = named(PlainLabel(KEYS_SENTENCE), "layoutKeys", role="muted")
        self._keys.hide()
        self._groups = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._groups.setContentsMargins(0, 0, 0, 0)
        self._of_kind: list[QHBoxLayout] = []
        self._groups.setSpacing(_BETWEEN)
        for words, widgets in (
            ("Padding", (self._padding, self._columns)),
            ("Swizzle", (self._swizzles, self._keys)),
        ):
            label = PlainLabel(words)
            label.setBuddy(widgets[0])
            label.explain_terms()
            group = QHBoxLayout()
            group.setSpacing(8)
            for widget in (label, *widgets):
                group.addWidget(widget)
            group.addStretch(1)
            self._groups.addLayout(group)
            self._of_kind.append(group)
        self._groups.addStretch(1)
        self._padding.valueChanged.connect(self._on_change)
        self._swizzles.chosen.connect(self._on_change)
        self.show_layout(NewLayout())

    def minimumSizeHint(self) -> QSize:
        """As wide as the wider of the two groups, which then stand in two rows."""
        widths = [group.minimumSize().width() for group in self._of_kind]
        return QSize(max(widths), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._choose_direction()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:  # what stands in a group takes more or less room
            self._choose_direction()
        return super().event(event)

    def _choose_direction(self) -> None:
        """Put the groups beside each other where both have room."""
        widths = [group.sizeHint().width() for group in self._of_kind]
        has_room = sum(widths) + _BETWEEN <= self.width()
        way = QBoxLayout.Direction.LeftToRight if has_room else QBoxLayout.Direction.TopToBottom
        if way != self._groups.direction():
            self._groups.setDirection(way)
            self._groups.setSpacing(_BETWEEN if has_room else 6)

    @property
    def layout_chosen(self) -> NewLayout:
        """How the controls stand."""
        return NewLayout(self._padding.value(), _SWIZZLES[self._swizzles.current][0])

    def show_layout(self, layout: NewLayout) -> None:
        """Put the controls to a layout; nothing is emitted."""
        with QSignalBlocker(self._padding), QSignalBlocker(self._swizzles):
            self._padding.setValue(layout.padding)
            self._swizzles.choose([swizzle for swizzle, _ in _SWIZZLES].index(layout.swizzle))
        self._say_padding()

    @property
    def tab_stops(self) -> tuple[QWidget, ...]:
        """What Tab reaches, in its order."""
        return self._padding, *self._swizzles.buttons

    def name_keys(self) -> None:
        """Name the keys beside the controls, where no other line does; a click gives the slider no arrow keys."""
        self._keys.show()
        self._padding.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def set_magnification(self, factor: float) -> None:
        """Be so many times as wide; the style of the page says how large letters and handle are."""
        self._padding.setFixedWidth(round(SLIDER_WIDTH * factor))
        self._columns.ensurePolished()
        self._say_padding()

    @property
    def keys(self) -> Keys:
        """What keys change the layout; LAYOUT_KEYS names them."""
        key, step = Qt.Key, self.step_padding
        return {
            (key.Key_P, False): partial(step, 1),
            (key.Key_P, True): partial(step, -1),
            (key.Key_S, False): self.step_swizzle,
        }

    def step_padding(self, by: int) -> None:
        """Choose so many more columns of padding, within the slider's range; say why where there is no such choice."""
        wanted = self._padding.value() + by
        why = refusal_of(self._padding) or ("" if 0 <= wanted <= MOST_PADDING else MOST if by > 0 else LEAST)
        if why:
            self.refused.emit(why)
        else:
            self._padding.setValue(wanted)

    def step_swizzle(self) -> None:
        """Choose the next swizzle; after the last one comes none. Say why where the array has no other layout."""
        if why := refusal_of(self._padding):
            self.refused.emit(why)
        else:
            self._swizzles.choose((self._swizzles.current + 1) % len(_SWIZZLES))

    def set_possible(self, why_not: str, in_source: int | None = 0, piece: int = 1) -> None:
        """Whether the array can be laid out otherwise; `why_not` is "" where it can. `in_source`: columns of padding
        that it has as recorded, None where that is not known. XOR row moves so many elements together, a `piece`.
        """
        self._swizzles.set_tooltip([swizzle for swizzle, _ in _SWIZZLES].index(Swizzle.COLUMN), xor_tip(piece))
        self._in_source = in_source
        self._columns.setToolTip(plain_text(padding_tip(in_source)))
        self._say_padding()
        self._swizzles.setEnabled(not why_not)
        for place in range(len(_SWIZZLES)):
            self._swizzles.set_reason(place, why_not)
        allow(self._padding, why_not)

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._swizzles.set_theme(theme)

    def _say_padding(self) -> None:
        """Say how much is added, with room for what is said at either end."""
        metrics = self._columns.fontMetrics()
        ends = (padding_words(added, self._in_source) for added in (0, MOST_PADDING))
        self._columns.setMinimumWidth(max(map(metrics.horizontalAdvance, ends)) + 4)
        self._columns.setText(padding_words(self._padding.value(), self._in_source))

    @Slot()
    def _on_change(self) -> None:
        self._say_padding()
        self.changed.emit(self.layout_chosen)

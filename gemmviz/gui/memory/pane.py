"""A picture with what belongs to it: its caption, what is wrong in the frame, what is chosen, the totals so far."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from gemmviz.explain.block.running_totals import TotalsSoFar
from gemmviz.explain.requests.selection import Selection
from gemmviz.gui.inspector.element_card import ElementCard
from gemmviz.gui.looks.own_sheet import set_sheet
from gemmviz.gui.looks.theme import LIGHT, Theme
from gemmviz.gui.memory.hazard_sentences import hazard_head
from gemmviz.gui.memory.selection_line import SelectionLine
from gemmviz.gui.memory.totals_strip import TotalsStrip
from gemmviz.gui.memory_view.memory_view import MemoryView
from gemmviz.gui.memory_view.paint.looks import looks_of
from gemmviz.gui.memory_view.text.text_layer import foot_top
from gemmviz.gui.player.caption_label import CaptionLabel, split_caption
from gemmviz.gui.widgets.focus_ring import FocusRing
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.on_screen import only_on_screen
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.widgets.plain_text import action_text, plain_text

NARROW = 560
"""Pixels below which a caption is given a third line."""
NO_HAZARD = "No hazard in this frame"
FOLLOWED = "in focus"
MARGIN = 16
LEAST_LINES = 2
"""Of a hazard; a longer one takes more."""
EDGE = 8
"""Pixels that the frame of a hazard takes besides its margins."""
LOW_PICTURE = 240
"""Pixels of a picture's height below which the totals make room for it."""
LEAST_WIDTH, LEAST_HEIGHT = 240, 96
"""Of a picture: two stand beside each other in a window of 1280 x 800, and below their captions in the least window."""

_VIEW_PLACE = 2
"""Of the picture among what stands in a column: below the bar and the caption."""


class MemoryPane(QWidget):
    """Holds a view. Alone it shows little more; beside another one also its caption and totals, and who is followed."""

    focused = Signal()
    """A person has turned to this picture."""
    clear_asked = Signal()
    """Nothing shall be chosen any more."""
    lines_changed = Signal()
    """The sentence of a hazard takes more lines than any before: `hazard_lines`."""
    elsewhere_asked = Signal()
    """The hazard in another block is to be seen."""

    def __init__(self, view: MemoryView, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.view = view
        self.setMinimumWidth(LEAST_WIDTH)  # whatever it says: what is compared has equal room
        view.setMinimumSize(LEAST_WIDTH, LEAST_HEIGHT)
        self._theme = LIGHT
        self._hazards: tuple[str, ...] = ()
        self._look = ""
        self.hazard_lines = LEAST_LINES
        """How many lines the longest hazard so far takes."""
        self._bar = QFrame()
        self._bar.setFixedHeight(2)
        self._caption = named(CaptionLabel(lines=2, is_at_top=True), f"{name}Caption")
        explained = "The source and the panels show this picture; click the other picture to turn to it"
        self._sign = named(PlainLabel(FOLLOWED), f"{name}Sign", explained, role="evidence")
        policy = self._sign.sizePolicy()
        policy.setRetainSizeWhenHidden(True)  # captions of two pictures have the same width, so the same lines
        self._sign.setSizePolicy(policy)
        self._sign.hide()
        for part in (self._bar, self._sign):
            only_on_screen(part)
        self._hazard = named(CaptionLabel(lines=LEAST_LINES), f"{name}Hazard")
        self._line = SelectionLine(name, self)
        self._line.clear_asked.connect(self.clear_asked)
        self._line.height_changed.connect(self._cover_foot)
        self._elsewhere = named(
            QToolButton(), f"{name}Elsewhere", "Show the hazard where it happens", "Hazard in another block"
        )
        self._elsewhere.setProperty("role", "hazard")
        self._elsewhere.clicked.connect(self.elsewhere_asked)
        self.totals = TotalsStrip(f"{name}Totals")
        self._head, self._warning = QWidget(), QFrame()
        self._warning.setObjectName(f"{name}Warning")
        self._warning.setProperty("notice", "none")
        self._lay_out()
        view.installEventFilter(self)
        FocusRing(view)
        self.set_compared(False)
        self.show_elsewhere("")
        self.show_selection(Selection())
        self.keep_lines(hazards=False)

    def set_compared(self, compared: bool) -> None:
        """Whether another picture stands beside this one."""
        self._is_compared = compared
        for part in (self._bar, self._head):
            part.setVisible(compared)
        self._show_or_fold_totals()

    def set_active(self, followed: bool) -> None:
        """Whether the panels around show this one."""
        self._sign.setVisible(followed)
        colour = self._theme.accent if followed else self._theme.line
        set_sheet(self._bar, f"background: {colour}; border: none;")
        self._bar.setProperty("followed", followed)

    @property
    def is_active(self) -> bool:
        """Whether the sign says that the panels show this one."""
        return not self._sign.isHidden()

    def show_caption(self, caption: str) -> None:
        """A frame's caption; "" for none."""
        self._caption.show_caption(*split_caption(caption))

    def keep_lines(self, hazards: bool) -> None:
        """Whether there is room for hazards, be there any or not: so two pictures stay level."""
        self._warning.setVisible(hazards)
        if not hazards:
            self.hazard_lines = LEAST_LINES
            self._hazard.set_lines(LEAST_LINES)
        self._show_or_fold_totals()

    def show_hazards(self, words: Sequence[str], look: str = "") -> None:
        """What is wrong in the frame, a sentence each; the line stands out only where there is any. `look` says where
        else to look where there is none.
        """
        notice = "error" if words else "none"
        if self._warning.property("notice") != notice:
            self._warning.setProperty("notice", notice)
            self._warning.style().unpolish(self._warning)
            self._warning.style().polish(self._warning)
        self._hazards, self._look = tuple(words), look
        self._fit_hazards()

    def keep_hazard_lines(self, lines: int) -> None:
        """So many lines are kept for a hazard, as beside the other picture."""
        self._hazard.set_lines(lines)
        self._show_or_fold_totals()

    def _fit_hazards(self) -> None:
        """Show the first hazard whole, and the others where there is room; the tool tip has all of them."""
        words, width = self._hazards, max(self.width() - 2 * MARGIN - EDGE, 1)
        if not words:
            self._hazard.show_caption(NO_HAZARD, self._look)
            self._warning.setToolTip("")
            return
        head, every = hazard_head(words)
        _, first = hazard_head(words[:1])
        self._hazard.show_caption(head, first)
        needed = max(self._hazard.lines_at(width), LEAST_LINES)
        if needed > self.hazard_lines:
            self.hazard_lines = needed
            self.lines_changed.emit()
        self._hazard.show_caption(head, every)
        is_cut = self._hazard.lines_at(width) > self._hazard.lines
        if is_cut:
            self._hazard.show_caption(head, first)
        self._warning.setToolTip(plain_text("\n".join(words)) if is_cut else "")

    def show_elsewhere(self, words: str, tip: str = "") -> None:
        """What goes wrong in another block, as a button that leads there; "" for nothing."""
        self._elsewhere.setText(action_text(words))
        self._elsewhere.setToolTip(plain_text(tip))
        self._elsewhere.setAccessibleName(words)
        self._elsewhere.setVisible(bool(words))

    def show_selection(self, selection: Selection, card: ElementCard | None = None) -> None:
        """What is chosen, and what there is to say of it."""
        title = card.title if card is not None else selection.words
        self._line.show_selection(title, card.sentence if card is not None else "")
        self._give_room()

    def show_totals(self, totals: TotalsSoFar | None) -> None:
        """The totals of the frame; None while they are counted."""
        self.totals.show_totals(totals)
        self._give_room()

    def lend_view(self) -> MemoryView:
        """The picture, taken out to be shown elsewhere; `take_view_back` puts it in again."""
        self._column.removeWidget(self.view)
        self.view.cover_foot(0)
        return self.view

    def take_view_back(self) -> MemoryView:
        """The picture, in its place again."""
        self._column.insertWidget(_VIEW_PLACE, self.view, 1)
        self.view.setMinimumSize(LEAST_WIDTH, LEAST_HEIGHT)
        self.view.show()
        self._cover_foot()
        return self.view

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        for label in (self._caption, self._hazard, self._line):
            label.set_theme(theme)
        self.totals.set_theme(theme)
        self.set_active(self.is_active)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._caption.set_lines(3 if self.width() < NARROW else 2)
        self._fit_hazards()
        self._show_or_fold_totals()

    def _show_or_fold_totals(self) -> None:
        """The totals are below a picture that is compared, unless that would make it too low."""
        others = [part for part in (self._head, self._warning) if not part.isHidden()]
        taken = sum(part.sizeHint().height() for part in (*others, self.totals))
        self.totals.setVisible(self._is_compared and self.height() - taken >= LOW_PICTURE)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.MouseButtonPress):
            self.focused.emit()
        elif event.type() in (QEvent.Type.Resize, QEvent.Type.Move):
            self._give_room()
        return super().eventFilter(watched, event)

    def _give_room(self) -> None:
        """What is selected stands at the foot of the picture, below the captions; the last line and the legend give
        way to it. Where nothing is, no picture is composed to measure them: many sizes are never painted.
        """
        if self.view.parentWidget() is self and not self._line.isHidden():
            scene, most = self.view.picture_state(), 0.0
            if scene is not None:
                most = (scene.window.bottom - foot_top(scene, looks_of(self._theme))) * self.view.magnification
            self._line.give_room(self.view.geometry(), int(most))

    def _cover_foot(self) -> None:
        """The picture leaves out what the line covers."""
        self.view.cover_foot(self._line.taken)

    def _lay_out(self) -> None:
        row = QHBoxLayout(self._warning)
        row.setContentsMargins(MARGIN, 4, MARGIN, 4)
        row.setSpacing(8)
        row.addWidget(self._hazard, 1, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self._elsewhere, 0, Qt.AlignmentFlag.AlignVCenter)
        head = QHBoxLayout(self._head)
        head.setContentsMargins(MARGIN, 4, MARGIN, 4)
        head.setSpacing(8)
        head.addWidget(self._caption, 1)
        head.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignTop)
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget in (self._bar, self._head):
            column.addWidget(widget)
        column.insertWidget(_VIEW_PLACE, self.view, 1)
        for widget in (self._warning, self.totals):
            column.addWidget(widget)

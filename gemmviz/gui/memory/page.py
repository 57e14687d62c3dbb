"""The page of memory: one recording played, or two beside each other, with one player; or totals and hazards."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from gemmviz.domain.kernels.version_names import VersionNames
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.block.heat_maps import HeatKind
from gemmviz.gui.looks.theme import LIGHT, Theme
from gemmviz.gui.memory.awaited_recording import AwaitedRecording
from gemmviz.gui.memory.choices import FirstChoice, SecondChoice, names_of, pair_note
from gemmviz.gui.memory.chosen_note import ChosenNote
from gemmviz.gui.memory.even_splitter import EvenSplitter
from gemmviz.gui.memory.list_rows import SPACING, ListRows, rows_above_one, rows_above_two
from gemmviz.gui.memory.memory_views import MEMORY_VIEWS, SEGMENTS, SIDE_SEGMENTS
from gemmviz.gui.memory.pane import MemoryPane
from gemmviz.gui.memory.picture_options import PictureOptions
from gemmviz.gui.memory.playing.offers import Offer
from gemmviz.gui.memory.stage_pages import StagePages
from gemmviz.gui.memory.tab_order import order_tabs
from gemmviz.gui.memory_view.memory_view import MemoryView
from gemmviz.gui.player.player import Player
from gemmviz.gui.player.player_bar import PlayerBar
from gemmviz.gui.player.player_wiring import Steps
from gemmviz.gui.recording.block_names import picture_names
from gemmviz.gui.recording.grids import Grid, Playable
from gemmviz.gui.recording.view import RecordingView
from gemmviz.gui.tasks.deferred import deferred
from gemmviz.gui.widgets.elided_label import ElidedLabel
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.widgets.rows import fill_row, wanted_width
from gemmviz.gui.widgets.segments import Segments
from gemmviz.gui.widgets.tab_stops import tab_stops
from gemmviz.gui.work.last_work import LastWork

MEMORY = "Memory"
"""The title of its tab; all others are pages of figures."""
MARGIN = 16
NARROW_WIDTH = 1060
"""Pixels below which the lists that are above two pictures ask for less."""


class MemoryPage(QWidget):
    """Shows what it is told to and says what a person chooses; the pictures are given to it."""

    playable_chosen = Signal(int, object)
    """0 for the first picture or 1 for the one beside it, and the Playable; None for nothing beside."""
    trace_chosen = Signal(object)
    """The TraceRun a person chose among the totals."""
    hazard_chosen = Signal(object, object)
    """A TraceRun and one of its hazards, to be seen where it happens."""
    offer_chosen = Signal(object)
    """The Offer of a kernel that is to be recorded to stand beside."""
    side_chosen = Signal(int)
    """Which of two pictures a person turns to where only one of them is shown: 0 the left one, 1 the right one."""
    turned = Signal()
    """The animation, or the totals, came to the front."""
    pictures_changed = Signal()
    """More or fewer pictures play than before: `picture_count`."""

    def __init__(
        self,
        view: MemoryView,
        beside: MemoryView,
        bar: PlayerBar,
        recording: RecordingView,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("memoryPage")
        self._recording, self._bar = recording, bar
        self._grids: tuple[Grid, ...] = ()
        self._names, self._pair_note, self._waiting = tuple[str, ...](), "", ""
        self._runs = tuple[TraceRun, ...]()
        self.titles = tuple[str, ...]()
        """What stands above each of two pictures, so that it tells them apart; nothing for one."""
        self.picture_count = 0
        """How many recordings play: none, one, or two beside each other."""
        self._is_compared, self._is_narrow, self._rows = False, False, ListRows(1)
        self._order_later = deferred(self, self._order_in_sight)  # once for all that is arranged at a time
        self.stages = StagePages(LIGHT, self)
        self.panes = MemoryPane(view, "memoryPane"), MemoryPane(beside, "memoryPaneBeside")
        self.chosen_note, self._awaited = ChosenNote(self), AwaitedRecording(self)
        self.first, self.second = FirstChoice(self), SecondChoice(self)
        self._segments = Segments(SEGMENTS, LIGHT)
        self._segments.setAccessibleName("Which view of the recording is shown")
        self._sides = Segments(SIDE_SEGMENTS, LIGHT, self)
        self._sides.setAccessibleName("Which of the two recordings is shown")
        self.options = PictureOptions(self)
        self._note = named(PlainLabel(), "compareNote", role="muted")
        self._title = named(ElidedLabel(self), "memoryTitle", role="strong")
        self._stack, self._splitter = QStackedWidget(), EvenSplitter("memorySplitter")
        self._top, self._below = QHBoxLayout(), QHBoxLayout()
        self._heads, self._halves = QHBoxLayout(), (QHBoxLayout(), QHBoxLayout())
        self._lay_out()
        self._connect()
        self._arrange()

    def show_recordings(
        self,
        traces: Sequence[TraceRun],
        grids: Sequence[Grid],
        played: Sequence[Playable | None],
        offers: Sequence[Offer] = (),
        names: VersionNames | None = None,
    ) -> None:
        """Offer these. `played` is what the two pictures play; `offers` are kernels that could be recorded."""
        self._grids = tuple(grids)
        first, second = played
        both = picture_names(first, second, names or VersionNames(traces=tuple(traces))) if first and second else None
        self.titles = tuple(name.title for name in both or ())
        self._names = names_of(traces, played, both)
        self._title.show_text(self._names[0] if self._names else "")
        self._recording.show_traces(traces, names)
        self._runs = tuple(each.run for each in (first, second) if each is not None)
        self._recording.show_pair((self._runs[0], self._runs[1]) if first and second else None)
        self._show_run()
        self.first.show_grids(grids, first, names)
        self.second.show_grids(grids, first, second, offers, names)
        self.stages.show_played(tuple(played))
        for place, side in enumerate(SIDE_SEGMENTS):
            self._sides.set_words(place, f"{side.words}: {both[place].short}" if both is not None else side.words)
        before, self.picture_count = self.picture_count, sum(each is not None for each in played)
        self._is_compared = second is not None
        self._awaited.show_played(self._runs)
        for pane in self.panes:
            pane.set_compared(self._is_compared)
        self.panes[1].setVisible(self._is_compared)
        self._pair_note = pair_note(first, second)
        self._waiting = self._waiting if self._is_compared else ""
        self._bar.set_alone(not self._is_compared)
        self._arrange()
        if before != self.picture_count:
            self._splitter.even_out()
            self.pictures_changed.emit()

    @property
    def shown(self) -> QWidget:
        """The part that is in front."""
        return self._stack.currentWidget() or self

    @property
    def shows_source(self) -> bool:
        """Whether the source stands in this page, beside its totals."""
        return self._stack.currentWidget() is self._recording

    @property
    def presents_itself(self) -> bool:
        """Whether those who play present the page, or say why not; totals do not play, and are presented as charts."""
        return self.isVisible() and (not self.shows_source or self._recording.shown() is None)

    def in_sight(self, player: Player) -> Steps | None:
        """What the keys to play and to step work on: `player` where its pictures are in sight, else a request."""
        if not self.isVisibleTo(self.window()):
            return None
        return player if self._stack.currentIndex() == 0 else self.stages.in_front

    @property
    def is_compared(self) -> bool:
        """Whether two recordings are beside each other."""
        return self._is_compared

    @property
    def pictures(self) -> QWidget:
        """Both pictures, side by side as they are seen, each with its caption and its totals."""
        return self._splitter

    @property
    def named_panes(self) -> tuple[tuple[MemoryPane, str], ...]:
        """Each picture and the name of what it plays: kernel, parameters, size and block."""
        return tuple(zip(self.panes, self._names, strict=False))

    def show_waiting(self, words: str) -> None:
        """That one of the two has nothing to go on with; "" where both have."""
        self._waiting = words
        self._show_note()

    def show_work(self, last: LastWork | None) -> None:
        """Show no picture of another kernel as if it were of the one that is recorded."""
        self._awaited.show_work(last)

    def show_again(self, kind: HeatKind, view: str) -> None:
        """What the colours stand for, of which nothing is emitted, and which of MEMORY_VIEWS is in front; none of them:
        the one that is.
        """
        self.options.show_heat(kind)
        if view in MEMORY_VIEWS:
            self._segments.choose(MEMORY_VIEWS.index(view))

    def show_active(self, place: int) -> None:
        """Which picture the panels around show."""
        for number, pane in enumerate(self.panes):
            pane.set_active(number == place)
        self.stages.follow(place)
        with QSignalBlocker(self._sides):
            self._sides.choose(place)
        self._show_run()
        if self._stack.currentIndex() != 0:
            self._arrange()

    @Slot()
    def show_other_side(self) -> None:
        """Show the requests of the other one of two recordings."""
        self._sides.choose(1 - self._sides.current)

    @property
    def view_in_front(self) -> str:
        """One of MEMORY_VIEWS."""
        return MEMORY_VIEWS[self._segments.current]

    def show_animation(self) -> None:
        """Bring the pictures to the front, not the totals."""
        self.show_view(MEMORY_VIEWS[0])

    def show_view(self, view: str) -> None:
        """Bring one of MEMORY_VIEWS to the front."""
        self._segments.choose(MEMORY_VIEWS.index(view))

    def bring_playable(self) -> None:
        """Bring the pictures to the front in place of totals, which cannot be played."""
        if self.isVisibleTo(self.window()) and self.shows_source:
            self.show_animation()

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._segments.set_theme(theme)
        self._sides.set_theme(theme)
        self.stages.set_theme(theme)
        for pane in self.panes:
            pane.set_theme(theme)

    def _lay_out(self) -> None:
        for segments in (self._segments, self._sides):
            segments.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        for pane in self.panes:
            self._splitter.addWidget(pane)
        self._heads.setSpacing(0)
        for half in self._halves:
            half.setSpacing(SPACING)
            self._heads.addLayout(half, 1)
        self._top.setSpacing(SPACING)
        self._below.setSpacing(SPACING)
        self._top.setContentsMargins(MARGIN, 8, MARGIN, 8)
        self._note.setContentsMargins(MARGIN, 0, MARGIN, 8)
        self._note.setWordWrap(True)
        animation = QWidget()
        column = QVBoxLayout(animation)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._splitter, 1)
        column.addWidget(self._bar)
        for widget in (animation, *self.stages.stages, self._recording):
            self._stack.addWidget(widget)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addLayout(self._top)
        whole.addLayout(self._below)
        whole.addLayout(self._heads)
        whole.addWidget(self._awaited, 1)
        for widget in (self.chosen_note, self._note):
            self._awaited.column.addWidget(widget)
        self._awaited.column.addWidget(self._stack, 1)

    def _connect(self) -> None:
        self._segments.chosen.connect(self._on_page)
        self.stages.banks.sectors_asked.connect(lambda: self._segments.choose(2))
        self._sides.chosen.connect(self.side_chosen)
        self.first.chosen.connect(lambda playable: self.playable_chosen.emit(0, playable))
        self.first.chosen.connect(lambda _: self.side_chosen.emit(0))
        self.second.chosen.connect(lambda playable: self.playable_chosen.emit(1, playable))
        self.second.offer_chosen.connect(self._awaited.expect_beside)
        self.second.offer_chosen.connect(self.offer_chosen)
        for wanted in (self.playable_chosen, self.trace_chosen, self.hazard_chosen):
            wanted.connect(self._awaited.uncover)
        self._awaited.changed.connect(self._arrange)
        self._splitter.splitterMoved.connect(lambda *_: self._align_heads())
        self._recording.trace_chosen.connect(self.trace_chosen)
        self._recording.hazard_chosen.connect(self.hazard_chosen)

    def _arrange(self) -> None:
        """One row above a single picture, two or three where fewer would cut words; above two each has its own lists.

        A page that shows one of two has the lists of that one, and a switch to the other. The lists go from row to row
        and stay children of this page, so that none loses the focus.
        """
        shown, compared = self._stack.currentIndex() == 0 and bool(self._grids), self._is_compared
        of_block = self._stack.currentWidget() is not self._recording and bool(self._grids)
        one_of_two = compared and not shown and bool(self._grids)
        is_left = not (one_of_two and self._sides.current)
        self.first.show(of_block and is_left, is_covered=self._awaited.covers)
        self.second.show(shown or (of_block and not is_left))
        self._sides.setVisible(one_of_two)
        is_alone = len(self._grids) == 1 and self.first.blocks.count() < 2 and not compared
        self._title.setVisible(of_block and is_alone and not self._awaited.covers)
        if is_left and (self.first.blocks.count() > 1 or compared):  # there the lists are the names of the pictures
            self.first.grids.setVisible(of_block)
        options = self.options
        for widget in (options.step, options.link, options.swap):
            widget.setVisible(shown and compared)
        options.heat.setVisible(shown)
        self._rows = self._needed_rows
        options.give_letters(self._rows.colour_letters, is_narrow=compared and self._is_narrow)
        first, second = (self._title, self.first.grids, self.first.blocks), (self.second.grids, self.second.blocks)
        two_rows, is_stacked = self._rows.rows > 1, self._rows.rows > 2
        self._heads.setDirection(QBoxLayout.Direction.TopToBottom if is_stacked else QBoxLayout.Direction.LeftToRight)
        inner = MARGIN if is_stacked else 4
        for half, left, right in zip(
            self._halves, (MARGIN, MARGIN if compared else inner), (inner, MARGIN), strict=True
        ):
            half.setContentsMargins(left, 0, right, 8) if two_rows else half.setContentsMargins(0, 0, 0, 0)
        if one_of_two:
            fill_row(self._halves[0], (self._sides, *first, *second), ())
            fill_row(self._halves[1], (), ())
        else:
            fill_row(self._halves[0], first if two_rows else (), (options.swap,) if compared else ())
            apart = () if compared or not two_rows else (options.heat,) if is_stacked else second
            fill_row(self._halves[1], second if compared or is_stacked else (), apart)
        beside = [options.step, options.link] if compared else [] if two_rows else [*first, *second]
        beside, below = beside if is_stacked else [*beside, options.heat], MARGIN if self._rows.is_apart else 0
        self._below.setContentsMargins(below, 0, below, below // 2)
        fill_row(self._top, [self._segments], () if self._rows.is_apart else beside)
        fill_row(self._below, beside if self._rows.is_apart else (), ())
        shares = (1, 0) if one_of_two else (1, 1) if compared else (wanted_width(first), wanted_width(second))
        for number, share in enumerate(shares):
            self._heads.setStretch(number, share)
        self._align_heads()
        self._show_note()
        self._order_later.start()

    @property
    def _needed_rows(self) -> ListRows:
        """How many rows the lists need: two above two pictures, and above one as many as cut no words."""
        if self._is_compared:
            options = self.options.step, self.options.link, self.options.heat
            return rows_above_two(self._segments, options, self.width() - 2 * MARGIN)
        lists = self._title, self.first.grids, self.first.blocks, self.second.grids, self.second.blocks
        return rows_above_one(self._segments, lists, self.options.heat, self.width() - 2 * MARGIN)

    def order_tabs(self) -> None:
        """Let Tab go through the page as it is read."""
        first, second = (self.first.grids, self.first.blocks), (self.second.grids, self.second.blocks)
        options = self.options
        lists = [*first, options.swap, *second, options.step, options.link, options.heat]
        others = [*self._bar.controls, *tab_stops(*self.stages.stages, self._recording)]
        order_tabs(self, (*self._segments.buttons, *self._sides.buttons, *lists), self.panes, others)

    def _order_in_sight(self) -> None:
        """Order what is in sight alone: a window has a thousand controls to go through."""
        if self.isVisible():
            self.order_tabs()

    def _show_run(self) -> None:
        """Of two recordings show the totals of the one that a person has turned to."""
        if self._runs:
            self._recording.show_trace(self._runs[self._sides.current if len(self._runs) > 1 else 0])

    def _show_note(self) -> None:
        self._note.setText(" ".join(filter(None, (self._pair_note, self._waiting, self._awaited.note))))
        self._note.setVisible(self._stack.currentIndex() == 0 and bool(self._note.text()))

    def _align_heads(self) -> None:
        """The lists stand above their pictures, wherever the line between these is."""
        sizes = self._splitter.sizes()
        if self._is_compared and self._stack.currentIndex() == 0 and all(sizes):
            for number, size in enumerate(sizes):
                self._heads.setStretch(number, size)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows that the part with the focus has no use for step through the frames."""
        steps = {Qt.Key.Key_Left: self._bar.step_back_asked, Qt.Key.Key_Right: self._bar.step_forward_asked}
        asked = steps.get(Qt.Key(event.key())) if event.key() in steps else None
        if asked is None or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            super().keyPressEvent(event)
        else:
            asked.emit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._order_later.start()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_narrow = event.size().width() < NARROW_WIDTH
        if (is_narrow, self._needed_rows) != (self._is_narrow, self._rows):
            self._is_narrow = is_narrow
            self._arrange()

    @Slot(int)
    def _on_page(self, place: int) -> None:
        self._stack.setCurrentIndex(place)
        self.stages.show_front(self._stack.currentWidget())
        self._arrange()
        self.turned.emit()

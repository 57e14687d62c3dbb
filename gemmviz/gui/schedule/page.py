"""The page of block schedules: a sentence, the grid in waves and the timeline of SMs in step."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QSplitter, QVBoxLayout, QWidget

from gemmviz.domain.runs.schedule import BlockSchedule
from gemmviz.domain.visible_text import visible
from gemmviz.explain.figures.figure import PlotTable
from gemmviz.explain.runs.block_schedule import (
    EMPTY,
    EVIDENCE,
    NO_BLOCK,
    NONE_RECORDED,
    ColourBy,
    ScheduleFigure,
    name_of,
    newest_of,
    schedule_table,
)
from gemmviz.gui.charts.page import Page
from gemmviz.gui.charts.page_spec import ChartSpec
from gemmviz.gui.charts.plot_table import Plot
from gemmviz.gui.looks.fonts import NORMAL, SMALL, figures, words
from gemmviz.gui.looks.theme import LIGHT, Theme
from gemmviz.gui.schedule.grid_view import GridView
from gemmviz.gui.schedule.legend import ScheduleLegend
from gemmviz.gui.schedule.timeline_view import TimelineView
from gemmviz.gui.widgets.fields import ComboBox
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.on_screen import only_on_screen
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.widgets.plain_text import plain_text
from gemmviz.gui.widgets.segments import Segment, Segments
from gemmviz.gui.work.last_work import Asked

_SEGMENTS = (
    Segment("scheduleColourWave", "Waves", "Colour blocks by wave: how many blocks had their slot before them"),
    Segment("scheduleColourUnit", "SMs", "Colour blocks by the multiprocessor that ran them"),
)
_TIP = "Record which multiprocessor runs which block of the chosen kernel, and when"
_HINT = (
    "Point at a block to find it in both pictures. Ctrl+wheel zooms the time, Shift+wheel the rows; drag to pan, "
    "double-click to see all of it."
)
_EMPTY_HEIGHT, _AROUND, _HEADING = 240, 148, 44
_LEAST_PICTURE = 300
"""Pixels of the timeline in a picture in which rows are as low as they must be."""


class SchedulePage(Page):
    """Shows one of several schedules, chosen in a combo.

    Signals:
        record_asked(): the button was pressed.
        newer_shown(): a schedule came that is newer than those before.
        presence_changed(): there is something to show now, or no longer.
    """

    filled_by = frozenset({Asked.SCHEDULE})
    record_asked = Signal()
    newer_shown = Signal()
    presence_changed = Signal()
    in_view = Signal(object)
    """The BlockSchedule that a person sees now; None for none."""

    def __init__(self, theme: Theme = LIGHT, parent: QWidget | None = None) -> None:
        super().__init__("scheduleView", "Block schedule", theme, parent)
        self._schedules: tuple[BlockSchedule, ...] = ()
        self._shown: BlockSchedule | None = None
        self._figure: ScheduleFigure | None = None
        self._for_picture = self._is_large = self._is_bare = False
        self._make_widgets()
        self._lay_out()
        self._wire()
        self.set_readiness("")
        self.renew()

    @property
    def figure(self) -> ScheduleFigure | None:
        """What is shown, brought up to date."""
        self.refresh()
        return self._figure

    @property
    def colour_by(self) -> ColourBy:
        """What colours stand for."""
        return ColourBy(self.colour.current)

    @property
    def is_blank(self) -> bool:
        return not self._schedules

    def show_schedules(self, schedules: Sequence[BlockSchedule]) -> None:
        """Offer these; the one shown stays, unless newer ones came: then the newest is shown."""
        if len(schedules) == len(self._schedules) and all(map(_is_same, schedules, self._schedules)):
            return
        was_blank = self.is_blank
        has_newer = bool(schedules) and (not self._schedules or schedules[-1] is not self._schedules[-1])
        self._schedules = tuple(schedules)
        place = len(schedules) - 1 if has_newer else newest_of(schedules, self._shown)
        self.combo.blockSignals(True)
        self.combo.clear()
        self.combo.addItems([f"{place}   {visible(name_of(one))}" for place, one in enumerate(self._schedules, 1)])
        self.combo.setCurrentIndex(place)
        self.combo.blockSignals(False)
        self._show(self._schedules[place] if place >= 0 else None)
        if self.is_blank != was_blank:
            self.presence_changed.emit()
        if has_newer:
            self.newer_shown.emit()

    def show_schedule(self, schedule: BlockSchedule | None) -> None:
        """Show one and offer no other."""
        self.show_schedules(() if schedule is None else (schedule,))

    def set_readiness(self, reason: str) -> None:
        """Whether the button can be pressed; `reason` is why not, or ""."""
        self.record.setEnabled(not reason)
        self.record.setToolTip(plain_text(f"{_TIP}\n{reason}" if reason else _TIP))
        self.record.setAccessibleDescription(reason or _TIP)

    def tables(self) -> tuple[PlotTable, ...]:
        """Every block of what is shown."""
        return (schedule_table(self._shown, "schedule"),) if self._shown is not None else ()

    def set_bare(self, wanted: bool) -> None:
        """Leave the controls out, as where a lesson has chosen what is shown."""
        self._is_bare = wanted
        self.controls.setVisible(not wanted and not self._for_picture)

    def set_for_picture(self, wanted: bool, width: int = 0, *, large: bool = False) -> None:
        """Leave controls out and show every row; a picture is `width` pixels wide. In a `large` one rows are as low as
        they must be.
        """
        self._for_picture, self._is_large = wanted, wanted and large
        self.refresh()
        self._say_empty()
        self.controls.setVisible(not wanted and not self._is_bare)
        self.pointed_words.setVisible(not wanted and self._figure is not None)
        policy = Qt.ScrollBarPolicy.ScrollBarAlwaysOff if wanted else Qt.ScrollBarPolicy.ScrollBarAsNeeded
        self.timeline.setVerticalScrollBarPolicy(policy)
        if wanted:
            self._light(NO_BLOCK)
            self.timeline.show_every_row(large)
            inner = width - 48
            for label in (self.sentence, self._notes):
                label.setFixedHeight(max(0, label.heightForWidth(inner)) if label.text() else 0)
            self.splitter.setSizes([round(inner * 0.3), round(inner * 0.7)])
        else:
            self.timeline.show_every_row(False)
            for label in (self.sentence, self._notes):
                label.setMinimumHeight(0)
                label.setMaximumHeight(16_777_215)

    def picture_height(self, width: int) -> int:
        """The height that a picture of a width needs to show every SM."""
        if self.figure is None:
            return _EMPTY_HEIGHT
        inner = width - 48
        text = sum(max(0, label.heightForWidth(inner)) for label in (self.sentence, self._notes))
        if self._is_large:
            return _LEAST_PICTURE + text + _AROUND - _HEADING
        return self.timeline.natural_height() + text + _AROUND

    def restyle(self, theme: Theme) -> None:
        super().restyle(theme)
        for label, colour in ((self.sentence, theme.text), (self.pointed_words, theme.text)):
            label.set_colour(colour)
        self.splitter.setStyleSheet("QSplitter { background: transparent; } QSplitter::handle { background: none; }")
        for part in (self.colour, self.legend, self.grid, self.timeline):
            part.set_theme(theme)

    def fill(self) -> None:
        if self._figure is None or self._figure.schedule is not self._shown:
            self._figure = ScheduleFigure(self._shown) if self._shown is not None else None
        figure = self._figure
        self._say_empty()
        self._empty.setVisible(figure is None)
        self.write_title(figure.title if figure is not None else "Block schedule")
        self.write_subtitle(figure.subtitle if figure is not None else "")
        self.write_evidence(EVIDENCE.value)
        self.sentence.setText(figure.sentence if figure is not None else "")
        self.sentence.explain_terms()
        self.write_notes((". ".join(map(_capital, figure.notes)),) if figure is not None else ())
        self.setAccessibleDescription(figure.description if figure is not None else EMPTY)
        self.combo.setVisible(len(self._schedules) > 1)
        parts: tuple[QWidget, ...] = (
            self.splitter,
            self.legend,
            self.sentence,
            self._notes,
            self._evidence,
            self.colour,
            self.record,  # an empty page has its button, and the reason, in its middle
        )
        for part in parts:
            part.setVisible(figure is not None)
        self.pointed_words.setVisible(figure is not None and not self._for_picture)
        for picture in (self.legend, self.grid, self.timeline):
            picture.show_figure(figure, self.colour_by)
        self._light(NO_BLOCK)

    def _say_empty(self) -> None:
        """Say what to do to get a schedule; those who look at a picture of the page can do nothing."""
        self._empty.words.setText(NONE_RECORDED if self._for_picture else self.words_for_empty(EMPTY))

    def _show(self, schedule: BlockSchedule | None) -> None:
        self._shown = schedule
        self.renew()
        if self.isVisible():
            self.in_view.emit(schedule)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.in_view.emit(self._shown)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.in_view.emit(None)

    def _make_widgets(self) -> None:
        theme = self._theme
        self.controls = QWidget()
        only_on_screen(self.controls)
        self.combo = named(ComboBox(), "scheduleCombo", "Which recorded schedule to show", "Schedule that is shown")
        self.combo.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToContents)
        self.combo.setMinimumWidth(160)
        self.combo.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.colour = Segments(_SEGMENTS, theme)
        self.colour.setObjectName("scheduleColour")
        self.colour.setAccessibleName("What colours stand for")
        self.colour.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.record = named(QPushButton("Record schedule"), "scheduleButton", role="outlined")
        self.record.setAccessibleName("Record schedule")
        self.record.setAutoDefault(False)
        self.sentence = named(PlainLabel(), "scheduleSentence")
        self.sentence.setFont(words(NORMAL))
        self.sentence.setWordWrap(True)
        self.legend = ScheduleLegend(theme)
        self.grid, self.timeline = GridView(theme), TimelineView(theme)
        self.grid.setStatusTip("The grid of blocks, x across, y down. Arrow keys go from block to block.")
        self.timeline.setStatusTip(_HINT)
        self.pointed_words = named(PlainLabel(" "), "schedulePointed")
        self.pointed_words.setFont(figures(SMALL))
        only_on_screen(self.pointed_words)

    def _lay_out(self) -> None:
        row = QHBoxLayout(self.controls)
        row.setContentsMargins(0, 0, 0, 4)
        row.setSpacing(12)
        row.addWidget(self.combo)
        row.addWidget(self.colour)
        row.addStretch(1)
        row.addWidget(self.record)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setHandleWidth(16)
        self.splitter.addWidget(self.grid)
        self.splitter.addWidget(self.timeline)
        self.splitter.setStretchFactor(0, 3)
        self.splitter.setStretchFactor(1, 7)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 16, 24, 12)
        layout.setSpacing(6)
        layout.addWidget(self.controls)
        layout.addLayout(self.heading()[0])
        layout.addWidget(self.sentence)
        layout.addWidget(self.legend)
        layout.addWidget(self.splitter, 100)
        layout.addWidget(self.pointed_words)
        layout.addWidget(self._notes)
        layout.addWidget(self._empty, 100)
        order: tuple[QWidget, ...] = (self.combo, *self.colour.buttons, self.record, self.grid, self.timeline)
        for before, behind in pairwise(order):
            QWidget.setTabOrder(before, behind)

    def _wire(self) -> None:
        self.combo.currentIndexChanged.connect(self._on_chosen)
        self.colour.chosen.connect(self._on_colour)
        self.record.clicked.connect(self.record_asked)
        self.grid.pointed.connect(self._light)
        self.timeline.pointed.connect(self._light)

    @Slot(int)
    def _light(self, block: int) -> None:
        """Light a block in both pictures and say what it is."""
        for picture in (self.grid, self.timeline):
            picture.set_lit(block)
        figure = self._figure
        self.pointed_words.setText(figure.words_at(block) if figure is not None and block != NO_BLOCK else " ")

    @Slot(int)
    def _on_chosen(self, place: int) -> None:
        if 0 <= place < len(self._schedules):
            self._show(self._schedules[place])

    @Slot(int)
    def _on_colour(self, place: int) -> None:
        del place
        for picture in (self.legend, self.grid, self.timeline):
            picture.show_figure(self._figure, self.colour_by)


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _is_same(one: object, other: object) -> bool:
    return one is other


SCHEDULE_CHART = ChartSpec(
    SchedulePage,
    lambda page, session, _charted: page.show_schedules(session.schedules),
    {Plot.SCHEDULE: None},
    show_number=lambda page, session, place: page.show_schedule(session.schedules[place]),
)

"""What every chart has beside what a page has: controls, legend, plot, and how it becomes a picture."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QCoreApplication, QEvent, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QSpacerItem, QVBoxLayout, QWidget

from gemmviz.catalogue.term_words import with_terms
from gemmviz.explain.figures.circumstances import without_caches
from gemmviz.explain.figures.figure import Figure
from gemmviz.gui.charts.figure_words import in_words, words_of
from gemmviz.gui.charts.newest_runs import with_newest
from gemmviz.gui.charts.notes_label import FIRST, rank
from gemmviz.gui.charts.page import Page
from gemmviz.gui.charts.picture_notes import note_sizes, picture_notes
from gemmviz.gui.charts.plot.crowding import (
    CROWDED_NOTE_LINES,
    NOTE_LINE,
    ROOMY,
    Crowding,
    crowding,
    crowding_of_columns,
    legible_height,
)
from gemmviz.gui.charts.plot.fonts import SMALL_ON_SCREEN
from gemmviz.gui.charts.plot.layout import AXIS_DENSE, HEAD, ROOMY_ROW, has_space
from gemmviz.gui.charts.plot.legend import Legend
from gemmviz.gui.charts.plot.view import PlotView
from gemmviz.gui.looks.fonts import SMALL, words
from gemmviz.gui.looks.theme import LIGHT, Theme
from gemmviz.gui.widgets.on_screen import only_on_screen

MOST_ROWS = 60
"""Rows of a picture, at most."""

_HINT = "Drag to pan, Ctrl+wheel to zoom, double-click to see the whole axis"
_EMPTY_HEIGHT = 240
LARGE_WIDTH, _LEAST_LARGE_WIDTH = 820, 640
"""Units that a chart on the whole screen is wide where it fits, so that capitals have 20 of 1080 pixels; and what
a chart with few rows is wide at least.
"""
_MARGINS, _SMALL_MARGINS = (24, 16, 24, 16), (16, 10, 16, 6)
_MAX_HEIGHT = 16_777_215
_MOST_TIMES = 3
"""So often is a page of one size laid out anew for its notes."""
_STRETCH = 100
"""The plot takes so many times as much of the room as what stays empty below the notes."""


class Chart(Page):
    """A page with a plot. Subclasses make the figure and add controls."""

    def __init__(self, object_name: str, accessible_name: str, theme: Theme = LIGHT, parent: QWidget | None = None):
        super().__init__(object_name, accessible_name, theme, parent)
        self._figure: Figure | None = None
        self._picture_size = 0, 0
        self._for_picture = self._is_dense_picture = self._is_large = self._is_low = self._is_bare = False
        self._is_toggled = False
        self._laid_out_for, self._times_laid_out = QSize(), 0
        self.controls = QWidget()
        only_on_screen(self.controls)
        self.controls_layout = QHBoxLayout(self.controls)
        self.controls_layout.setContentsMargins(0, 0, 0, 4)
        self.controls_layout.setSpacing(12)
        self._legend = Legend(theme)
        self.plot = PlotView(theme)
        self.plot.setObjectName(f"{object_name}Plot")
        self._lay_out()

    @property
    def figure(self) -> Figure | None:
        """What is shown, brought up to date."""
        self.refresh()
        return self._figure

    @property
    def shows_plot(self) -> bool:
        """Whether the figure is shown by `plot`; else by what a subclass has put into `body`."""
        return True

    def make_figure(self) -> Figure:
        """The figure of what was given to be shown."""
        raise NotImplementedError

    def fill(self) -> None:
        figure = self.make_figure()
        if self._is_bare:
            rows = tuple(replace(row, detail="") for row in figure.rows)
            figure = replace(figure, rows=rows, subtitle=without_caches(figure.subtitle))
        figure = figure if self._for_picture else with_newest(figure, self._newest, is_repeatable=self.is_repeatable)
        self._show(replace(figure, empty=self.words_for_empty(figure.empty)))

    def restyle(self, theme: Theme) -> None:
        super().restyle(theme)
        self._legend.set_theme(theme)
        self.plot.set_theme(theme)

    @property
    def short_title(self) -> str:
        """What stands above the figure where its title has no room, since a control beside it says the rest."""
        return ""

    @property
    def wants_controls(self) -> bool:
        """Whether there is anything to choose now."""
        return True

    def set_bare(self, wanted: bool) -> None:
        """Leave the controls out, as where a lesson has chosen what is shown, and what no lesson speaks of: caches,
        parameters, the kind of evidence.
        """
        self._is_bare = wanted
        self._show_controls()

    def _show_controls(self) -> None:
        self.controls.setVisible(self.wants_controls and not self._for_picture and not self._is_bare)

    @property
    def is_crowded_picture(self) -> bool:
        """Whether it is a picture for the whole screen that has not room for everything in large type."""
        return self._for_picture and self._is_dense_picture and self._is_large

    @property
    def has_picture_height(self) -> bool:
        """Whether it is a picture of a height that was given."""
        return self._for_picture and self._picture_size[1] > 0

    def set_for_picture(
        self, wanted: bool, width: int = 0, *, dense: bool = False, large: bool = False, height: int = 0
    ) -> None:
        """Leave the controls out and show every row up to MOST_ROWS, of one line each where it is to be `dense`.

        A picture is `width` pixels wide; where a `height` is given, a plane may be low. A `large` one is for the whole
        screen: where it is dense, rows are as low as they can be; the gravest notes have two lines at most.
        """
        self._picture_size = width, height
        self._for_picture, self._is_dense_picture, self._is_large = wanted, dense, large
        self.set_large(wanted and large)
        self.refresh()
        self._show_controls()
        is_crowded = self.is_crowded_picture
        self._layout.setContentsMargins(*(_SMALL_MARGINS if is_crowded else _MARGINS))
        self._layout.setSpacing(4 if is_crowded else 8)
        fills_screen = wanted and large  # as much stays empty above as below
        policy = QSizePolicy.Policy.Expanding if fills_screen else QSizePolicy.Policy.Fixed
        self._above.changeSize(0, 0, QSizePolicy.Policy.Minimum, policy)
        self._layout.setStretch(0, int(fills_screen))
        self.plot.show_rows_for_picture(MOST_ROWS if wanted else None, dense=dense, low=large)
        self._fill_notes()
        self._share_out()
        self._notes.setMinimumHeight(0)  # else it is never lower than in the last picture
        if wanted:
            inner = self._inner(width)
            self._notes.setFixedHeight(self._notes.whole_height(inner))
            # Else it claims the lines that it took in the last width.
            self._legend.resize(inner, self._legend.heightForWidth(inner))
        else:
            self._notes.setMaximumHeight(_MAX_HEIGHT)
        # Out of sight nobody tells the layout that a part was hidden: it would keep the height of the last picture.
        self.body.invalidate()
        self._layout.invalidate()

    def set_large(self, wanted: bool) -> None:
        """Have larger small words, as for the whole screen."""
        self._notes.setFont(words(SMALL_ON_SCREEN if wanted else SMALL))
        self._legend.set_large(wanted)

    def least_width_of_picture(self) -> int:
        """The units that a picture for the whole screen is wide at least, so that it cuts no words of its rows."""
        figure = self._figure
        if figure is None or not figure.rows or figure.upright or not self.shows_plot:
            return LARGE_WIDTH
        margins = self._layout.contentsMargins()
        needed = self.plot.text.least_width + margins.left() + margins.right()
        return min(max(math.ceil(needed), _LEAST_LARGE_WIDTH), LARGE_WIDTH)

    def picture_height(self, width: int) -> int:
        """The height that a picture of a width needs to show all rows up to MOST_ROWS."""
        if self._figure is None or not self._figure.rows:
            return _EMPTY_HEIGHT
        return math.ceil(self.height_without_notes(width) + self._notes.whole_height(self._inner(width)))

    def _inner(self, width: int) -> int:
        """The width between the margins."""
        margins = self._layout.contentsMargins()
        return width - margins.left() - margins.right()

    def height_without_notes(self, width: int) -> float:
        """The height that all but the notes of a picture of a width needs."""
        margins, inner = self._layout.contentsMargins(), self._inner(width)
        parts = (
            self._title.sizeHint().height() if self._title.isVisibleTo(self) else 0,
            self._subtitle.text_height(inner) if self._subtitle.isVisibleTo(self) else 0,
            self._legend.heightForWidth(inner),
            self.plot.natural_height(MOST_ROWS),
        )
        gaps = 1 + sum(height > 0 for height in parts)
        return sum(parts) + gaps * self._layout.spacing() + margins.top() + margins.bottom()

    def least_height(self, width: int, row: float = ROOMY_ROW) -> int:
        """The height that a width needs to show every row, in a line `row` pixels high, and its notes on the screen."""
        if self._figure is None or self._figure.upright or not self.shows_plot:
            return self.picture_height(width)
        natural = self.plot.natural_height(MOST_ROWS)
        rows = math.ceil(HEAD + AXIS_DENSE + row * len(self._figure.rows))
        notes = self._notes.whole_height(self._inner(width))
        spared = notes - min(notes, math.ceil(CROWDED_NOTE_LINES * NOTE_LINE))
        return self.picture_height(width) - natural + min(rows, natural) - spared

    def set_tab_order(self, *controls: QWidget) -> None:
        """From control to control with Tab, then to the plot and to notes of which not all are seen."""
        order: list[QWidget] = [*controls, self.plot, *self._notes.stops]
        for before, behind in itertools.pairwise(order):
            QWidget.setTabOrder(before, behind)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_out()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self._share_out()
        return bool(super().event(event))

    def _lay_out(self) -> None:
        body = self.body = QHBoxLayout()
        body.setSpacing(4)
        body.addWidget(self.plot, 1)
        body.addWidget(self.plot.scroll_bar)
        body.addWidget(self._empty, 1)
        layout = self._layout = QVBoxLayout(self)
        layout.setContentsMargins(*_MARGINS)
        layout.setSpacing(8)
        self._above = QSpacerItem(0, 0, QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
        layout.addItem(self._above)
        layout.addWidget(self._verdict)
        layout.addWidget(self.controls)
        self._heading, self.head_layout = self.heading()
        layout.addLayout(self._heading)
        layout.addWidget(self._legend)
        layout.addLayout(body, _STRETCH)
        layout.addWidget(self._notes)
        layout.addStretch(1)

    def _show(self, figure: Figure) -> None:
        self._figure, self._times_laid_out = figure, 0
        has_rows = bool(figure.rows)
        self.setAccessibleName(figure.title)
        self.write_title(figure.title, self.short_title, *words_of(figure))
        self.write_subtitle(figure.subtitle if has_rows else "")
        self.write_evidence(figure.evidence.value)
        self._evidence.setVisible(has_rows and not self._is_bare)
        self._legend.show_series(figure.series)
        self.plot.setVisible(has_rows and self.shows_plot)
        self.plot.setAccessibleName(figure.title)
        self.plot.tip = with_terms(_HINT, *words_of(figure))
        self.plot.setAccessibleDescription(in_words(figure))
        self._empty.words.setText(figure.empty)
        self._empty.setVisible(not has_rows)
        self._fill_notes()
        self.plot.show_figure(figure)
        if self._for_picture:
            self.plot.show_rows_for_picture(MOST_ROWS, dense=self._is_dense_picture, low=self._is_large)
        self._share_out()

    def crowding_of(self, figure: Figure, room: float, notes: float) -> Crowding:
        """How `room` pixels are shared by the plot and its notes, which would take `notes`."""
        return crowding_of_columns(room, notes) if figure.upright else crowding(room, len(figure.rows), notes)

    def on_notes_toggled(self) -> None:
        self._is_toggled, self._times_laid_out = True, 0
        self._share_out()

    def _share_out(self) -> None:
        """Give rows and notes the lines there is room for; in pictures, where all is whole, as many as it takes."""
        figure, margins = self._figure, self._layout.contentsMargins()
        width = self.width() - margins.left() - margins.right()
        crowded, is_low = ROOMY, False
        is_large = not self._is_bare and has_space(self.width(), self.height(), len(figure.rows) if figure else 0)
        if is_large != self.plot.text.is_large and not self._for_picture:
            self.set_large(is_large)
            self.plot.show_rows_for_picture(None, low=is_large)
        if figure is not None and figure.rows and not self._for_picture:
            share = partial(self.crowding_of, figure)
            # Asked of the room that a subtitle below leaves, wherever it stands: the answer moves it, and must stay.
            is_low = share(self._room(width, is_low=False), self._notes.whole_height(width)).is_low
            is_low = is_low and self._has_room_beside(width)
            room, legible = self._room(width, is_low=is_low), legible_height(len(figure.rows))
            crowded = self.share_with_notes(room, width, share, legible)
        is_changed = self._notes.set_brief(crowded.note_lines) or self._is_toggled
        self._is_toggled = False
        if self._laid_out_for != self.size():
            self._laid_out_for, self._times_laid_out = self.size(), 0
        if is_changed and not self._for_picture and self._times_laid_out < _MOST_TIMES:
            self._times_laid_out += 1
            # While the layout is at work it drops what its labels ask for, and notes would keep their old height.
            self._layout.invalidate()
            QCoreApplication.postEvent(self, QEvent(QEvent.Type.LayoutRequest))
        self.plot.show_dense(crowded.is_dense)
        self._show_low(is_low)
        # A layout's minimum leaves out the further lines of wrapped words; the plot would pay for them.
        self._subtitle.setMinimumHeight(self._subtitle.text_height(self._width_beside(width) if is_low else width))

    def _show_low(self, wanted: bool) -> None:
        """Put the subtitle beside the title, or below it."""
        if wanted == self._is_low:
            return
        self._is_low = wanted
        policy = QSizePolicy.Policy.Preferred if wanted else QSizePolicy.Policy.Ignored
        self._title.setSizePolicy(policy, QSizePolicy.Policy.Fixed)
        self.head_layout.setStretch(0, int(not wanted))
        if wanted:
            self.head_layout.insertWidget(1, self._subtitle, 1, Qt.AlignmentFlag.AlignBottom)
        else:
            self._heading.addWidget(self._subtitle)

    def _has_room_beside(self, width: int) -> bool:
        """Whether the subtitle takes no more lines beside the title than below it."""
        return self._subtitle.text_height(self._width_beside(width)) <= self._subtitle.text_height(width)

    def _width_beside(self, width: int) -> int:
        """What title, controls and evidence leave of so many pixels."""
        wanted = [_wanted(one).width() for one in self._head_parts() if one is not self._title]
        return width - self._title.sizeHint().width() - sum(wanted) - self.head_layout.spacing() * (len(wanted) + 1)

    def _room(self, width: int, *, is_low: bool) -> int:
        """The height for plot and notes: what the parts above them leave, with the subtitle beside the title or not."""
        beside = self._subtitle.text_height(self._width_beside(width)) if is_low else 0
        above = [max([*(_wanted(one).height() for one in self._head_parts()), beside])]
        if self.controls.isVisibleTo(self):
            above.append(self.controls.sizeHint().height())
        if self._verdict.isVisibleTo(self):
            above.append(self._verdict.heightForWidth(width))
        if self._subtitle.isVisibleTo(self) and not is_low:
            above.append(self._subtitle.text_height(width))
        if self._legend.has_entries:
            above.append(self._legend.heightForWidth(width))
        below = 1 if self._notes.isVisibleTo(self) else 0
        margins, spacing = self._layout.contentsMargins(), self._layout.spacing() * (len(above) + below)
        room = self.height() - margins.top() - margins.bottom() - sum(above) - spacing
        return room - math.ceil(max(0, room) / (_STRETCH + 1))

    def _head_parts(self) -> list[QWidget]:
        """The title and all beside it, but the subtitle."""
        inside = (one for one in self.children() if isinstance(one, QWidget) and self.head_layout.indexOf(one) >= 0)
        return [one for one in inside if not one.isHidden() and one is not self._subtitle]

    def _fill_notes(self) -> None:
        figure = self._figure
        leaves_notes = self._is_bare and not self._for_picture  # what is around it shows them
        notes = figure.notes if figure is not None and figure.rows and not leaves_notes else ()
        if figure is not None and self._for_picture and len(figure.rows) > MOST_ROWS:
            notes = (f"this picture has rows 1 to {MOST_ROWS} of {len(figure.rows)}; the table has all", *notes)
        if figure is not None and self._for_picture and self._is_large:
            # Without the names of runs.
            doubts = [first for first in FIRST if any(note.startswith(first) for note in notes)]
            others = sorted((note for note in notes if not note.startswith(FIRST)), key=rank)
            notes = self._large_notes((*doubts, *others), (*doubts, *figure.essential))
        self.write_notes(notes)
        self._notes.setVisible(bool(notes))

    @property
    def _wanted_by_low_rows(self) -> float:
        """Pixels that rows as low as they can be lack to be roomy."""
        rows = min(len(self._figure.rows), MOST_ROWS) if self._figure is not None and self._is_dense_picture else 0
        return max(HEAD + AXIS_DENSE + ROOMY_ROW * rows - self.plot.natural_height(MOST_ROWS), 0.0)

    def _large_notes(self, notes: tuple[str, ...], needed: tuple[str, ...]) -> tuple[str, ...]:
        """What is written of the notes of a picture for the whole screen, in the largest type that holds all of them;
        in the smallest, what has room.
        """
        width, height = self._picture_size
        inner, room = self._inner(width), height - self.height_without_notes(width)
        said: tuple[str, ...] = ()
        for points in note_sizes(SMALL_ON_SCREEN, width / LARGE_WIDTH if height else 1.0):
            self._notes.setFont(words(points))
            two_lines = CROWDED_NOTE_LINES * self._notes.fontMetrics().lineSpacing()
            # A plane fills what rows leave empty; low rows grow before notes get more than two lines.
            most = max(two_lines, room - self._wanted_by_low_rows) if self.shows_plot else two_lines
            said = picture_notes(
                notes, needed, lambda lines: self._notes.height_of(lines, inner), room, most, self.notes_key
            )
            if said == notes:
                break
        return said


def _wanted(widget: QWidget) -> QSize:
    """What a layout asks for a widget. Its item is not asked: PySide keeps what `itemAt` returns after the layout has
    deleted it, and gives it out again in place of a widget at the same address.
    """
    hint = widget.sizeHint().expandedTo(widget.minimumSizeHint())
    hint = hint.boundedTo(widget.maximumSize()).expandedTo(widget.minimumSize())
    return QSize(0, hint.height()) if widget.sizePolicy().horizontalPolicy() is QSizePolicy.Policy.Ignored else hint

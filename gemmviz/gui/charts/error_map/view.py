"""The error map of C: where it errs, and its worst elements beside it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QItemSelection, QModelIndex, Signal, Slot
from PySide6.QtGui import QFont, QResizeEvent
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QVBoxLayout,
    QWidget,
)

from gemmviz.domain.runs.result import RunResult
from gemmviz.domain.spec import format_params
from gemmviz.domain.visible_text import visible
from gemmviz.explain.figures.error_map import (
    EVIDENCE,
    ErrorPicture,
    error_map_tables,
    error_picture,
    first_with_map,
)
from gemmviz.explain.figures.figure import PlotTable
from gemmviz.explain.figures.run_facts import facts_of
from gemmviz.gui.charts.error_map.image import ErrorImage
from gemmviz.gui.charts.error_map.legend import ErrorLegend
from gemmviz.gui.charts.error_map.worst_model import WorstModel
from gemmviz.gui.charts.error_map.worst_table import WorstTable
from gemmviz.gui.charts.page import Page
from gemmviz.gui.charts.page_spec import ChartSpec
from gemmviz.gui.charts.plot.crowding import ROOMY, crowding_of_plane
from gemmviz.gui.charts.plot_table import Plot
from gemmviz.gui.looks.fonts import SMALL, words
from gemmviz.gui.looks.scroll_style import scroll_bar_style
from gemmviz.gui.looks.theme import LIGHT, Theme
from gemmviz.gui.widgets.fields import ComboBox
from gemmviz.gui.widgets.on_screen import only_on_screen
from gemmviz.gui.widgets.plain_label import PlainLabel

_BESIDE, _AROUND = 152, 194
"""What surrounds the picture of C, in pixels: beside it the numbers and gaps, above and below the words."""

_LEAST_HEIGHT, _LEAST_LARGE, _EMPTY_HEIGHT = 600, 500, 240
"""The worst elements need as much; a sentence does."""


class ErrorMapView(Page):
    """Shows the error map of one run, chosen in a combo among several.

    Signals:
        element_chosen(int, int): row and column of an element of C that a person clicked or activated.
        run_chosen(object): the run a person chose in the combo.
    """

    element_chosen = Signal(int, int)
    run_chosen = Signal(object)

    def __init__(self, theme: Theme = LIGHT, parent: QWidget | None = None) -> None:
        super().__init__("errorMap", "Error map of C", theme, parent)
        self._runs: tuple[RunResult, ...] = ()
        self._run: RunResult | None = None
        self._for_picture = self._is_large = self._is_low = False
        self._make_widgets()
        self._lay_out()
        self._combo.currentIndexChanged.connect(self._on_run_chosen)
        self._image.element_chosen.connect(self.element_chosen)
        self._image.hovered.connect(self._on_hovered)
        self._table.activated.connect(self._on_activated)
        self._table.selectionModel().selectionChanged.connect(self._on_selected)
        self.show_runs(())
        self.refresh()

    @property
    def run(self) -> RunResult | None:
        """The run whose map is shown."""
        return self._run

    @property
    def picture(self) -> ErrorPicture:
        """What is shown, brought up to date."""
        self.refresh()
        return self._picture

    @property
    def image(self) -> ErrorImage:
        """The picture itself."""
        self.refresh()
        return self._image

    def show_runs(self, runs: Sequence[RunResult]) -> None:
        """Offer these runs; the one shown stays if it is among them, else the first wrong or the newest is taken."""
        self._runs = tuple(runs)
        place = next((at for at, run in enumerate(self._runs) if run is self._run), None)
        if place is None:
            place = first_with_map(self._runs)
        if place is None and self._runs:
            place = len(self._runs) - 1
        self._combo.blockSignals(True)
        self._combo.clear()
        for fact in facts_of(self._runs):
            spec = fact.run.spec
            words = " · ".join(part for part in (fact.name, format_params(spec.params), spec.shape.words) if part)
            self._combo.addItem(visible(words) + ("" if fact.run.accuracy.passed else "   WRONG"))
        self._combo.setCurrentIndex(-1 if place is None else place)
        self._combo.blockSignals(False)
        self._combo.setVisible(len(self._runs) > 1 and not self._for_picture)
        self._show(None if place is None else self._runs[place])

    def show_run(self, run: RunResult | None) -> None:
        """Show the map of a run, of those offered or of another."""
        place = next((at for at, one in enumerate(self._runs) if one is run), None)
        if run is not None and place is None:
            self._run = run
            self.show_runs((*self._runs, run))
            self.refresh()
            return
        self._combo.blockSignals(True)
        self._combo.setCurrentIndex(-1 if place is None else place)
        self._combo.blockSignals(False)
        self._show(run)
        self.refresh()

    @property
    def is_blank(self) -> bool:
        return self._run is None

    def tables(self) -> tuple[PlotTable, ...]:
        """The cells and the worst elements."""
        return error_map_tables(self._run)

    def set_for_picture(self, wanted: bool, width: int = 0, *, large: bool = False) -> None:
        """Leave the controls out; in a `large` picture the map may be small."""
        del width
        self._for_picture, self._is_large = wanted, wanted and large
        self.refresh()
        self._combo.setVisible(len(self._runs) > 1 and not wanted)
        self._share_out()
        self._cell.setVisible(not wanted and self._picture.has_map and not self._is_low)
        self._table.show_whole_rows(wanted)

    def picture_height(self, width: int) -> int:
        """The height that a picture of a width needs to show everything."""
        picture = self.picture
        if not picture.has_map:
            return _EMPTY_HEIGHT
        margins = self.contentsMargins()
        beside = width - self._table.width() - _BESIDE - margins.left() - margins.right()
        shown = beside * picture.height / picture.width
        least = _LEAST_LARGE if self._is_large else _LEAST_HEIGHT
        return round(min(max(shown + _AROUND, least), least if self._is_large else width * 0.8))

    def restyle(self, theme: Theme) -> None:
        super().restyle(theme)
        self._legend.set_theme(theme)
        self._image.set_theme(theme)
        for label, colour in ((self._cell, theme.text), (self._worst_title, theme.muted)):
            label.set_colour(colour)
        self._table.setStyleSheet(
            f"QTableView {{ background: transparent; color: {theme.text}; border: none; outline: none;"
            f" selection-background-color: {theme.selected}; selection-color: {theme.text}; }}"
            f"QTableView::item {{ border-bottom: 1px solid {theme.line}; padding: 0 4px; }}"
            f"QTableView::item:selected {{ background: {theme.selected}; color: {theme.text}; }}"
            f"QHeaderView {{ background: transparent; }}"
            f"QHeaderView::section {{ background: transparent; color: {theme.muted}; border: none;"
            f" border-bottom: 1px solid {theme.line}; padding: 2px 4px; }}"
        )
        for bar in (self._table.verticalScrollBar(), self._table.horizontalScrollBar()):
            bar.setStyleSheet(scroll_bar_style(theme))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_out()
        self._fit_image()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self._share_out()
        return bool(super().event(event))

    def _make_widgets(self) -> None:
        self._picture = error_picture(None)
        self._combo = ComboBox()
        self._combo.setObjectName("errorMapCombo")
        self._combo.setAccessibleName("Run whose error map is shown")
        self._combo.setToolTip("Which run's error map to show")
        self._combo.setMinimumWidth(240)
        only_on_screen(self._combo)
        self.write_evidence(EVIDENCE.value)
        self._cell, self._worst_title = PlainLabel(), PlainLabel("WORST ELEMENTS")
        self._cell.setFont(words(SMALL))
        self._worst_title.setFont(words(SMALL - 0.5, QFont.Weight.DemiBold))
        self._legend = ErrorLegend(self._theme)
        self._image = ErrorImage(self._theme)
        self._image.setObjectName("errorMapImage")
        self._image.setToolTip("Click a cell to go to its element")
        only_on_screen(self._cell)
        self._model = WorstModel()
        self._table = WorstTable(self._model)

    def _lay_out(self) -> None:
        body = self._body = QGridLayout()
        body.setHorizontalSpacing(24)
        body.setVerticalSpacing(4)
        body.addWidget(self._image, 0, 0, 2, 1)
        body.addWidget(self._worst_title, 0, 1)
        body.addWidget(self._table, 1, 1)
        body.setColumnStretch(0, 1000)
        body.setColumnStretch(2, 1)  # what the picture cannot use lies behind the table, not between
        body.setRowStretch(1, 1)
        chooser = self._chooser = QHBoxLayout()
        chooser.addWidget(self._combo)
        chooser.addStretch(1)
        layout = self._layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 16, 24, 16)
        layout.setSpacing(8)
        self._heading, self._head = self.heading()
        self._head.insertStretch(1, 0)
        layout.addLayout(chooser)
        layout.addLayout(self._heading)
        layout.addWidget(self._legend)
        layout.addLayout(body, 1)
        layout.addWidget(self._cell)
        layout.addWidget(self._notes)
        layout.addWidget(self._empty, 1)

    def _show(self, run: RunResult | None) -> None:
        self._run = run
        self.renew()

    def fill(self) -> None:
        self._picture = error_picture(self._run)
        has_map = self._picture.has_map
        self.write_title(self._picture.title)
        self.write_subtitle(self._picture.subtitle if has_map else "")
        self._empty.words.setText(self.words_for_empty(self._picture.empty))
        self._empty.setVisible(not has_map)
        self.write_notes(self._picture.notes)
        self._cell.setText(" ")
        self._model.show(self._picture.worst)
        self._table.fit()
        parts: tuple[QWidget, ...] = (self._image, self._legend, self._notes, self._evidence)
        for part in parts:
            part.setVisible(has_map)
        self._cell.setVisible(has_map and not self._for_picture and not self._is_low)
        self._table.setVisible(has_map and bool(self._picture.worst))
        self._worst_title.setVisible(has_map and bool(self._picture.worst) and not self._is_low)
        self._share_out()
        if has_map:
            self._legend.show_scale(self._picture.scale, self._picture.no_number)
            self._image.show_picture(self._picture)
            self._fit_image()
            self._image.setAccessibleName(f"{self._picture.title}. {' '.join(self._picture.notes)}")

    def on_notes_toggled(self) -> None:
        self._share_out()

    def _share_out(self) -> None:
        """Let the notes, then the words around the map give way to it; in pictures, which are high enough, nothing."""
        crowded, margins = ROOMY, self._layout.contentsMargins()
        if self._picture.has_map and not self._for_picture:
            width = self.width() - margins.left() - margins.right()
            above = [self._title, self._subtitle, self._legend, self._cell]
            if len(self._runs) > 1:
                above.append(self._combo)
            taken = sum(part.sizeHint().height() + self._layout.spacing() for part in above)
            room = self.height() - margins.top() - margins.bottom() - taken - self._layout.spacing()
            crowded = self.share_with_notes(room, width, crowding_of_plane)
        self._notes.set_brief(crowded.note_lines)
        self._show_low(crowded.is_low)

    def _show_low(self, wanted: bool) -> None:
        """Put the legend beside the map and the combo, which names the same run, in the title's place."""
        names_run = wanted and len(self._runs) > 1
        self._title.setVisible(not names_run)
        if names_run != (self._head.indexOf(self._combo) >= 0):
            if names_run:
                self._head.insertWidget(0, self._combo)
            else:
                self._chooser.insertWidget(0, self._combo)
        if wanted == self._is_low:
            return
        self._is_low = wanted
        if wanted:
            self._body.addWidget(self._legend, 0, 1, 1, 2)
        else:
            self._layout.insertWidget(self._layout.indexOf(self._heading) + 1, self._legend)
        has_map = self._picture.has_map
        self._worst_title.setVisible(has_map and bool(self._picture.worst) and not wanted)
        self._cell.setVisible(has_map and not self._for_picture and not wanted)

    def _fit_image(self) -> None:
        """No wider than it can use, so that the table stands beside it."""
        if self._picture.has_map:
            self._image.setMaximumWidth(max(self._image.minimumWidth(), self._image.wanted_width(self._image.height())))

    @Slot(int)
    def _on_run_chosen(self, place: int) -> None:
        if 0 <= place < len(self._runs):
            self._show(self._runs[place])
            self.run_chosen.emit(self._runs[place])

    @Slot(str)
    def _on_hovered(self, text: str) -> None:
        self._cell.setText(text or " ")

    @Slot(QModelIndex)
    def _on_activated(self, index: QModelIndex) -> None:
        element = self._model.element(index.row())
        self._image.mark(element.row, element.column)
        self.element_chosen.emit(element.row, element.column)

    @Slot(QItemSelection, QItemSelection)
    def _on_selected(self, chosen: QItemSelection, before: QItemSelection) -> None:
        del before
        if chosen.indexes():
            element = self._model.element(chosen.indexes()[0].row())
            self._image.mark(element.row, element.column)


ERROR_MAP_CHART = ChartSpec(
    ErrorMapView,
    lambda chart, _session, charted: chart.show_runs(charted.runs),
    {Plot.ERROR_MAP: None},
    show_number=lambda chart, session, place: chart.show_run(session.runs[place]),
)

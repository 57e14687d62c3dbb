"""The warps of one SM, few and many, or of different kernels: a sentence, and the timelines under each other."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gemmviz.domain.runs.warp_timeline import WarpTimeline
from gemmviz.explain.figures.figure import PlotTable
from gemmviz.explain.runs.warp_timeline import EMPTY, EVIDENCE, WarpsFigure, warps_table
from gemmviz.gui.charts.page import Page
from gemmviz.gui.charts.page_spec import ChartSpec
from gemmviz.gui.charts.plot.fonts import SMALL_ON_SCREEN
from gemmviz.gui.charts.plot_table import Plot
from gemmviz.gui.looks.fonts import NORMAL, SMALL, words
from gemmviz.gui.looks.theme import LIGHT, Theme
from gemmviz.gui.schedule.warps_view import WarpsView, panels_of
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel

_EMPTY_HEIGHT, _AROUND, _AROUND_LARGE = 240, 120, 26
_MARGIN = 24


class WarpsPage(Page):
    """Shows all timelines of a session."""

    filled_by = frozenset()
    presence_changed = Signal()
    """There is something to show now, or no longer."""

    def __init__(self, theme: Theme = LIGHT, parent: QWidget | None = None) -> None:
        super().__init__("warpsPage", "Warps of one SM", theme, parent)
        self._timelines: tuple[WarpTimeline, ...] = ()
        self.sentence = named(PlainLabel(wordWrap=True), "warpsSentence")
        self.sentence.setFont(words(NORMAL))
        self.view = named(WarpsView(theme), "warpsView", says="Warps of one SM, one row each; time runs to the right")
        self._is_large = False
        layout = self._layout = QVBoxLayout(self)
        layout.setContentsMargins(_MARGIN, 16, _MARGIN, 12)
        layout.setSpacing(6)
        layout.addLayout(self.heading()[0])
        for widget in (self.sentence, self.view, self._notes, self._empty):
            layout.addWidget(widget, 100 if widget in (self.view, self._empty) else 0)
        self.renew()

    @property
    def is_blank(self) -> bool:
        return not self._timelines

    def show_timelines(self, timelines: Sequence[WarpTimeline]) -> None:
        """Show these."""
        was_blank, self._timelines = self.is_blank, tuple(timelines)
        self.renew()
        if self.is_blank != was_blank:
            self.presence_changed.emit()

    def tables(self) -> tuple[PlotTable, ...]:
        return (warps_table(self._timelines, "warps"),) if self._timelines else ()

    def set_for_picture(self, wanted: bool, width: int = 0, *, large: bool = False) -> None:
        """It has no controls. In a `large` one, whose heading stands above it, rows are as low as they must be, so that
        words are as large as those of other charts.
        """
        del width
        self._is_large = wanted and large
        self.refresh()
        self._notes.setFont(words(SMALL_ON_SCREEN if self._is_large else SMALL))
        self._layout.setContentsMargins(_MARGIN, *((4, _MARGIN, 4) if self._is_large else (16, _MARGIN, 12)))

    def picture_height(self, width: int) -> int:
        self.refresh()
        if self.is_blank:
            return _EMPTY_HEIGHT
        text = sum(max(0, label.heightForWidth(width - 2 * _MARGIN)) for label in (self.sentence, self._notes))
        if self._is_large:
            return self.view.least_height + text + _AROUND_LARGE
        return self.view.good_height() + text + _AROUND

    def restyle(self, theme: Theme) -> None:
        super().restyle(theme)
        self.sentence.set_colour(theme.text)
        self.view.set_theme(theme)

    def fill(self) -> None:
        figure = WarpsFigure(self._timelines) if self._timelines else None
        self._empty.words.setText(self.words_for_empty(EMPTY))
        self._empty.setVisible(figure is None)
        self.write_title(figure.title if figure is not None else "Warps of one SM")
        self.write_subtitle(figure.subtitle if figure is not None else "")
        self.write_evidence(EVIDENCE.value)
        self.sentence.setText(figure.sentence if figure is not None else "")
        self.sentence.explain_terms()
        self.write_notes(figure.notes if figure is not None else ())
        self.setAccessibleDescription(figure.description if figure is not None else EMPTY)
        for part in (self.sentence, self.view, self._notes, self._evidence):
            part.setVisible(figure is not None)
        self.view.show_panels(panels_of(figure) if figure is not None else ())


WARPS_CHART = ChartSpec(
    WarpsPage, lambda page, session, _charted: page.show_timelines(session.warp_timelines), {Plot.WARPS: None}
)

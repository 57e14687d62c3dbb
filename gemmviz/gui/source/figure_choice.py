"""Which figures stand beside the lines of a source, as a list to choose from; it says which of them have no room."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSizePolicy

from gemmviz.domain.listing import listed
from gemmviz.explain.source.line_figures import MEANINGS, FigureSet, LineFigureKind
from gemmviz.explain.source.recorded_lines import FORMS_TIP
from gemmviz.gui.widgets.allowed import set_tip
from gemmviz.gui.widgets.fields import SHORT, ComboBox
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_text import plain_text

_TIP = "Figures beside the lines. A bar shows the line's share of the kernel's total"
_LEAST_WIDTH = 96
_BETWEEN = " · "


class FigureChoice(ComboBox):
    """Offers every FigureSet. A figure of the chosen one that the panel is too narrow for is named behind the others:
    "excess · no room: sect/req"; "…" stands in its place where there is no room for that.
    """

    def __init__(self) -> None:
        super().__init__()
        named(self, "sourceFigures", _TIP, "Figures beside the lines")
        self._left_out = tuple[LineFigureKind, ...]()
        for chosen in FigureSet:
            self.addItem(chosen.value, chosen)
            self.setItemData(self.count() - 1, chosen.short, SHORT)
        forms = list(FigureSet).index(FigureSet.FORMS)
        self.setItemData(forms, plain_text(FORMS_TIP), Qt.ItemDataRole.ToolTipRole)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToContents)
        self.setMinimumWidth(_LEAST_WIDTH)

    @property
    def chosen(self) -> FigureSet:
        """The figures that a person wants."""
        return FigureSet(self.currentData())

    def show_left_out(self, figures: Sequence[LineFigureKind]) -> None:
        """Say of these figures of the chosen set that they have no room."""
        self._left_out = tuple(figures)
        names = [MEANINGS[figure].name for figure in figures]
        set_tip(self, f"{_TIP}. No room here for {listed(names)}: make the panel wider" if figures else _TIP)
        self.update()

    def shown_text(self) -> str:
        if not self._left_out:
            return super().shown_text()
        shown = [figure not in self._left_out for figure in self.chosen.figures]
        metrics, room = self.fontMetrics(), self.text_room()
        lacks = f"no room: {', '.join(self._left_out)}"
        for end in (lacks, "…"):
            for words in (self.chosen.value, self.chosen.short):
                parts = words.split(_BETWEEN)
                if len(parts) == len(shown):  # one part for each figure
                    parts = [part for part, is_shown in zip(parts, shown, strict=True) if is_shown]
                text = _BETWEEN.join((*parts, end))
                if metrics.horizontalAdvance(text) <= room:
                    return text
        return metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)

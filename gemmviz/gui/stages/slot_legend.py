"""The legend of the array beside the banks: the colours that are painted, in the room that all of them would take."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QWidget

from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.stages.array_map import padding_colour, slot_colours
from gemmviz.gui.stages.bank_canvas import bank_shades
from gemmviz.gui.stages.slot_banks import SlotUse
from gemmviz.gui.stages.stage_words import BANK_SHADES, PADDING_COLUMNS, rows_words, slots_words
from gemmviz.gui.widgets.plain_label import RichLabel
from gemmviz.trace.model.rules import BANKS

_SHADES_APART = 10


class SlotLegend(RichLabel):
    """Nothing beside it moves when it has fewer lines than it may come to have."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWordWrap(True)
        self.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self._longest = ""

    def show_uses(
        self,
        uses: Collection[SlotUse],
        marked: int,
        rows: tuple[int, int] | None,
        theme: Theme,
        *,
        has_padding: bool = False,
    ) -> None:
        """Explain the colours of these slots, the outline of a padding and the shades of the banks; `marked` is the
        bank that stands out, `rows` are the first and the last row shown, None for all.
        """
        inset = self.fontMetrics().horizontalAdvance("■ ")
        self._longest = _html(SlotUse, BANKS - 1, rows, theme, inset, has_padding=True)
        shown = [use for use in SlotUse if use in uses]
        self.setText(_html(shown, marked, rows, theme, inset, has_padding=has_padding))

    def heightForWidth(self, width: int) -> int:
        """The height in pixels that the legend of all colours needs at a width."""
        document = QTextDocument()
        document.setDefaultFont(self.font())
        document.setDocumentMargin(0)
        document.setHtml(self._longest)
        document.setTextWidth(max(width, 1))
        return max(super().heightForWidth(width), round(document.size().height()))


def _html(
    uses: Iterable[SlotUse], marked: int, rows: tuple[int, int] | None, theme: Theme, inset: int, *, has_padding: bool
) -> str:
    """The lines of the legend; what does not fit into one goes on below its words, `inset` pixels from the left."""
    words, colours = slots_words(marked), slot_colours(theme)
    lines = [f"{_squares([colours[use]])}&nbsp;{words[use]}" for use in uses]
    shades = f"{_squares(bank_shades(theme)[::_SHADES_APART])}&nbsp;{_unbroken(BANK_SHADES)}"
    padding = (
        f"&nbsp; {_squares([padding_colour(theme)], '□')}&nbsp;{_unbroken(PADDING_COLUMNS)}" if has_padding else ""
    )
    lines += [f"{shades}{padding}", rows_words(rows)]
    style = f"margin-top: 0; margin-bottom: 0; margin-left: {inset}px; text-indent: -{inset}px"
    return "".join(f'<p style="{style}">{line}</p>' for line in lines if line)


def _squares(colours: Iterable[str], square: str = "■") -> str:
    """A small square of each colour."""
    return "".join(f'<span style="color: {colour}">{square}</span>' for colour in colours)


def _unbroken(words: str) -> str:
    """The same words, in one line."""
    return words.replace(" ", "&nbsp;")

"""The ticks of the export dialog: what is exported, and in which formats."""

from __future__ import annotations

from PySide6.QtWidgets import QCheckBox

from gemmviz.gui.export.choice import CSV, PDF, PNG, SVG, ExportItem
from gemmviz.gui.widgets.plain_text import plain_text

_TIPS = {
    PNG: "A picture in pixels",
    SVG: "A drawing that stays sharp at any size",
    PDF: "A page for print and papers, its text as text",
    CSV: "The plotted values, for other programs",
}


def item_tick(item: ExportItem, is_chosen: bool) -> QCheckBox:
    """Whether something is exported."""
    tick = QCheckBox(item.title)
    tick.setObjectName(f"exportItem_{item.object_name}")
    tick.setChecked(is_chosen)
    tick.setToolTip(plain_text(item.file_words()))
    return tick


def format_tick(form: str) -> QCheckBox:
    """Whether it is exported in a format; at first that is PNG."""
    tick = QCheckBox(form.upper())
    tick.setObjectName(f"export{form.capitalize()}")
    tick.setChecked(form == PNG)
    tick.setToolTip(plain_text(_TIPS[form]))
    return tick

"""The page of a ruling as a file where there is no window and no display."""

from __future__ import annotations

from pathlib import Path

from gemmviz.gui.export.offscreen import application
from gemmviz.gui.export.steps import export_widget
from gemmviz.gui.looks.theme import LIGHT, Theme
from gemmviz.gui.referee.page import RefereePage
from gemmviz.referee.finding import Ruling

WIDTH = 1067
_SCALE = 1.8
"""A picture is then as wide as a screen of 1920 pixels."""


def export_ruling(ruling: Ruling, path: Path, theme: Theme = LIGHT, *, may_replace: bool = True) -> None:
    """Write the page of a ruling; the suffix decides: .png, .svg or .pdf.

    Raises:
        ExportError: the file cannot be written.
    """
    application()
    page = RefereePage(theme)
    page.show_ruling(ruling)
    page.set_for_picture(True, WIDTH)
    page.resize(WIDTH, page.picture_height(WIDTH))
    try:
        export_widget(page, path, _SCALE if path.suffix == ".png" else 1.0, may_replace=may_replace)
    finally:
        page.deleteLater()

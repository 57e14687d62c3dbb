"""An export where there is no window and no display."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterator
from pathlib import Path

from PySide6.QtWidgets import QApplication

from gemmviz.domain.result import Session
from gemmviz.gui.export import ExportStep, export_steps
from gemmviz.gui.fonts import NORMAL, load_fonts, words
from gemmviz.gui.theme import Theme


def export_offscreen(
    session: Session, folder: Path, formats: Collection[str], scale: float, theme: Theme, names: Collection[str] | None
) -> Iterator[ExportStep]:
    """The same as `export_steps`, in a process that has no application yet; it gets one that needs no display.

    Raises:
        ExportError, ValueError: as `export_steps`.
    """
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    app = QApplication.instance() or QApplication(sys.argv[:1])
    if isinstance(app, QApplication):
        load_fonts()
        app.setStyle("Fusion")
        app.setFont(words(NORMAL))
    yield from export_steps(session, folder, formats, scale, theme=theme, names=names)

"""An export where there is no window and no display."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterator
from pathlib import Path

from PySide6.QtWidgets import QApplication

from gemmviz.domain.runs.result import Session
from gemmviz.gui.export.pictures.still_choice import EVERY_BLOCK, StillChoice
from gemmviz.gui.export.steps import ExportStep, Size, export_steps
from gemmviz.gui.looks.fonts import NORMAL, load_fonts, words
from gemmviz.gui.looks.theme import Theme


def application() -> None:
    """Have an application; a process that has none yet gets one that needs no display."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    app = QApplication.instance() or QApplication(sys.argv[:1])
    if isinstance(app, QApplication):
        load_fonts()
        app.setStyle("Fusion")
        app.setFont(words(NORMAL))


def export_offscreen(
    session: Session,
    folder: Path,
    formats: Collection[str],
    scale: float,
    theme: Theme,
    names: Collection[str] | None,
    size: Size | None = None,
    still: StillChoice = EVERY_BLOCK,
    may_replace: bool = True,
    fixed: Collection[str] | None = None,
) -> Iterator[ExportStep]:
    """The same as `export_steps`, in a process that has no application yet.

    Raises:
        ExportError, ValueError: as `export_steps`.
    """
    application()
    yield from export_steps(session, folder, formats, scale, size, theme, names, still, may_replace, fixed)

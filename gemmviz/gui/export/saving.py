"""Asks for the name of one file, and writes it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QWidget

from gemmviz.domain.runs.tables import ExportError
from gemmviz.gui.export.files import export_errors, write_file
from gemmviz.gui.files.file_dialog import FileDialog
from gemmviz.gui.files.replacing import with_suffix_asked


def save_asked(
    parent: QWidget, title: str, proposed: Path, data: Callable[[], bytes], tell: Callable[[str, str], object]
) -> Path | None:
    """Ask where `data` is to be written, proposing a file with its suffix, and write it: the file, None where it was
    not written. `tell` gets a sentence on how it went, and the role of its label.
    """
    suffix = proposed.suffix
    name = FileDialog.name_to_save(parent, title, str(proposed), f"{suffix[1:].upper()} (*{suffix})")
    path = with_suffix_asked(parent, name, suffix) if name else None
    if path is None:
        return None
    try:
        with export_errors(path):
            write_file(path, data())
    except ExportError as error:
        tell(str(error), "refusal")
        return None
    tell(f"Saved {path}", "muted")
    return path

"""Saves a copy of a lesson's kernel where its reader can edit it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QWidget

from gemmviz.domain.files.atomic import write_atomically
from gemmviz.gui.files.file_dialog import FileDialog
from gemmviz.gui.files.replacing import with_suffix_asked

FILTER = "CUDA kernel (*.cu)"


def save_copy(window: QWidget, source: Path, folder: Path) -> Path | None:
    """Ask for a file, in `folder` at first, and write what `source` holds to it; None where that is cancelled.

    Raises:
        OSError: `source` cannot be read, or the file cannot be written.
    """
    text = source.read_bytes()
    name = FileDialog.name_to_save(window, "Save the kernel", str(folder / source.name), FILTER)
    path = with_suffix_asked(window, name, source.suffix) if name else None
    if path is None:
        return None
    path = path.absolute()
    write_atomically(path, lambda file: file.write(text))
    return path

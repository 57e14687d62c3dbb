"""Asks under which name a kernel file is to be saved."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QWidget

from gemmviz.catalogue.loader import KERNEL_SUFFIXES
from gemmviz.gui.files.file_dialog import FileDialog

FILTER = f"Kernel files ({' '.join(f'*{suffix}' for suffix in KERNEL_SUFFIXES)});;All files (*)"


def asked_path(window: QWidget, title: str, proposed: Path) -> Path | None:
    """The path that a person names, with the suffix of the proposed one if it has none of a kernel; None for none."""
    name = FileDialog.name_to_save(window, title, str(proposed), FILTER)
    if not name:
        return None
    path = Path(name)
    return path if path.suffix in KERNEL_SUFFIXES else path.with_name(path.name + proposed.suffix)

"""The catalogue of the window: the kernels gemmviz brings and a person's own files, kept up to date."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from gemmviz.catalogue.header import HeaderError
from gemmviz.catalogue.loader import Catalogue, load_user_kernel
from gemmviz.gui.kernels.watch import KernelWatch


class KernelShelf(QObject):
    """Adds, reloads and removes kernel files."""

    changed = Signal(object)
    """The Catalogue from now."""
    told = Signal(str)
    """Something a person should know, one sentence."""
    failed = Signal(str)
    """Why a file was not taken, with file, line and reason."""

    def __init__(self, catalogue: Catalogue, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._brought = catalogue
        self._own: dict[str, Path] = {}
        self._catalogue = catalogue
        self._watch = KernelWatch(self)
        self._watch.changed.connect(self._on_changed)
        self._watch.vanished.connect(self._on_vanished)

    @property
    def catalogue(self) -> Catalogue:
        return self._catalogue

    def add(self, path: Path) -> str:
        """Take a file in, or take it in again: the kernel's id, "" if it was refused and `failed` says why."""
        path = path.absolute()
        try:
            kernel = load_user_kernel(path)
        except HeaderError as error:
            self.failed.emit(str(error))
            return ""
        taken = any(known.id == kernel.id for known in self._brought.kernels)
        if taken or self._own.get(kernel.id, path) != path:
            self.failed.emit(f"{path.name}: there is a kernel {kernel.id!r} already: give the file another name")
            return ""
        self._own[kernel.id] = path
        self._watch.watch(self._own.values())
        self._catalogue = self._catalogue.with_kernel(kernel)
        self.changed.emit(self._catalogue)
        return kernel.id

    @Slot(str)
    def remove(self, kernel_id: str) -> None:
        """Take a file of a person's own off the list; the file stays."""
        if self._own.pop(kernel_id, None) is None:
            return
        self._watch.watch(self._own.values())
        self._catalogue = Catalogue(tuple(k for k in self._catalogue.kernels if k.id != kernel_id))
        self.changed.emit(self._catalogue)

    @Slot(object)
    def _on_changed(self, path: Path) -> None:
        if self.add(path):
            self.told.emit(f"{path.name} was changed on disk and read again")

    @Slot(object)
    def _on_vanished(self, path: Path) -> None:
        self.told.emit(f"{path.name} is not there any more; its last contents are still used")

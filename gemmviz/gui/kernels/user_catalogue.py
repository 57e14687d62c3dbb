"""The catalogue of the window: the kernels gemmviz brings and a person's own files, kept up to date."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from gemmviz.catalogue.header import HeaderError
from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.loader import Catalogue
from gemmviz.engine.own_kernel_file import load_own_kernel
from gemmviz.gui.kernels.python_question import may_run_python
from gemmviz.gui.kernels.watch import FileLook, KernelWatch, look_at
from gemmviz.gui.tasks.file_questions import FileQuestions


@dataclass(frozen=True, slots=True)
class _Own:
    """A kernel file of a person's own as it was when it was read."""

    path: Path
    look: FileLook


@dataclass(frozen=True, slots=True)
class _Read:
    """What came of reading a file: its kernel, or why there is none; `number` counts what was asked for."""

    own: _Own
    kernel: Kernel | None
    reason: str
    number: int
    is_adoptable: bool = False


class UserCatalogue(QObject):
    """Adds, reloads and removes kernel files. Files are read on threads of their own."""

    changed = Signal(object)
    """The Catalogue from now."""
    added = Signal(str)
    """The id of a kernel that was asked for and is in the catalogue now."""
    notified = Signal(str, str)
    """Something a person should know, one sentence, and its details or ""."""
    reread = Signal(str, str)
    """The path of a file that was changed on disk and read again, and the id of its kernel."""
    failed = Signal(str, str, bool)
    """The path of a file that was not taken, why, with file and line, and whether it only lacks a description."""
    refused = Signal(str, str, bool)
    """Of `failed` a file that was opened or was to be described: its source wants to be seen."""
    raced = Signal(str)
    """Behind `failed`: the path of a file that was not described since a kernel of it races."""
    file_texts_changed = Signal()
    """The text of a file is another one, or is not known any more."""
    taken = Signal(str, str)
    """The path of a file that was read and taken, anew or again, and the id of its kernel."""

    def __init__(self, catalogue: Catalogue, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._brought = catalogue
        self._own: dict[str, _Own] = {}
        self._unread: set[Path] = set()
        """Of these files an earlier text is used: they are gone, or what they have now is no kernel."""
        self._refused: _Own | None = None
        """The file that was asked for last and is no kernel: it is read again once it, or its description, changes."""
        self._allowed: set[Path] = set()
        """The Python files that a person lets be run."""
        self._catalogue = catalogue
        self._newest: dict[Path, int] = {}
        self._asked = 0
        self._questions = FileQuestions(self)
        self.busy_changed = self._questions.busy_changed
        self._watch = KernelWatch(self)
        self._watch.changed.connect(self._on_changed)
        self._watch.vanished.connect(self._on_vanished)

    @property
    def catalogue(self) -> Catalogue:
        return self._catalogue

    @property
    def file_texts(self) -> tuple[tuple[str, str], ...]:
        """The kernels of a person's own files by their ids, and the text of each file, where it is known."""
        known = [name for name, own in self._own.items() if own.path not in self._unread]
        return tuple((kernel.id, kernel.file_text) for kernel in self._catalogue.kernels if kernel.id in known)

    def add(self, paths: Sequence[Path]) -> None:
        """Take files in, or take them in again: `added` or `failed` comes for each."""
        for path in paths:
            self._read(path.absolute(), is_asked_for=True)

    def read_saved(self, path: Path) -> None:
        """Read a file that was saved in this window: `taken` or `failed` comes."""
        self._read(path.absolute(), is_asked_for=False, is_announced=False)

    def take_described(self, path: Path, *, is_chosen: bool) -> None:
        """Take in a file whose description was written; `is_chosen`: its kernel is set up."""
        self._read(path, is_asked_for=is_chosen, is_announced=False)

    @Slot(str, str, bool)
    def refuse(self, path: str, why: str, is_racing: bool) -> None:
        """Say that a file was not described, why, and whether it is that a kernel of it races."""
        self.failed.emit(path, why, False)
        if is_racing:
            self.raced.emit(path)
        self.refused.emit(path, why, False)

    @Slot(str)
    def remove(self, kernel_id: str) -> None:
        """Take a file of a person's own off the list; the file stays."""
        if self._own.pop(kernel_id, None) is None:
            return
        self._follow()
        self._catalogue = Catalogue(tuple(k for k in self._catalogue.kernels if k.id != kernel_id))
        self.changed.emit(self._catalogue)  # first: what is set up has to be a kernel of the catalogue
        self.file_texts_changed.emit()

    def _read(self, path: Path, *, is_asked_for: bool, is_announced: bool = True) -> None:
        self._asked += 1
        number = self._newest[path] = self._asked
        on_saved: Callable[[_Read], object] = self._on_read_again if is_announced else self._take
        on_read = self._on_asked_for if is_asked_for else on_saved
        self._questions.ask(partial(_read, path, number), on_read, f"reading {path.name}")

    def _on_asked_for(self, read: _Read) -> None:
        if self._take(read) and read.kernel is not None:
            self.added.emit(read.kernel.id)
        elif read.kernel is None and self._newest.get(read.own.path) == read.number:
            self._refused = read.own
            self._follow()
            self._watch.expect(read.own.path, read.own.look)
            self.refused.emit(str(read.own.path), read.reason, read.is_adoptable)

    def _on_read_again(self, read: _Read) -> None:
        is_own = any(own.path == read.own.path for own in self._own.values())
        if is_own and self._take(read) and read.kernel is not None:
            self.reread.emit(str(read.own.path), read.kernel.id)

    def _take(self, read: _Read) -> bool:
        """Put a kernel into the catalogue; whether it is there. Of two readings of a file the later one counts."""
        path = read.own.path
        if self._newest.get(path) != read.number:
            return False
        if read.kernel is None:
            self._watch.expect(path, read.own.look)
            self._forget_text(path)
            self.failed.emit(str(path), read.reason, read.is_adoptable)
            return False
        if read.kernel.language.is_python_to_compile and not self.may_run(path):
            self.notified.emit(
                f"{path.name} was not opened: its kernel cannot be compiled without running Python code", ""
            )
            return False
        kernel_id = read.kernel.id
        taken = any(known.id == kernel_id for known in self._brought.kernels)
        if taken or (kernel_id in self._own and self._own[kernel_id].path != path):
            self.failed.emit(
                str(path), f"{path.name}: there is a kernel {kernel_id!r} already. Give the file another name", False
            )
            return False
        self._own[kernel_id] = read.own
        self._unread.discard(path)
        if self._is_refused(path):
            self._refused = None
        self._follow()
        self._watch.expect(path, read.own.look)
        self._catalogue = self._catalogue.with_kernel(read.kernel)
        self.file_texts_changed.emit()
        self.changed.emit(self._catalogue)
        self.taken.emit(str(path), kernel_id)
        return True

    def may_run(self, path: Path) -> bool:
        """Whether a Python file may be run; asked once for each file."""
        if path not in self._allowed:
            window = self.parent()
            if not may_run_python(window if isinstance(window, QWidget) else None, path):
                return False
            self._allowed.add(path)
        return True

    def _follow(self) -> None:
        refused = () if self._refused is None else (self._refused,)
        self._watch.watch({own.path: own.look for own in (*refused, *self._own.values())})

    @Slot(object)
    def _on_changed(self, path: Path) -> None:
        self._read(path, is_asked_for=False, is_announced=not self._is_refused(path))

    @Slot(object)
    def _on_vanished(self, path: Path) -> None:
        self._forget_text(path)
        if not self._is_refused(path):
            self.notified.emit(f"{path.name} no longer exists; its last contents are still used", "")

    def _forget_text(self, path: Path) -> None:
        self._unread.add(path)
        self.file_texts_changed.emit()

    def _is_refused(self, path: Path) -> bool:
        return self._refused is not None and self._refused.path == path


def _read(path: Path, number: int) -> _Read:
    own = _Own(path, look_at(path))  # before it is read: what is written meanwhile is noticed
    try:
        return _Read(own, load_own_kernel(path), "", number)
    except HeaderError as error:
        return _Read(own, None, str(error), number, error.is_adoptable)

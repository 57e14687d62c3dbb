"""New, open, save and close, with the question about unsaved work; dialogs stand here and nowhere else."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from gemmviz.catalogue.loader import KERNEL_SUFFIXES, WHAT_KERNEL_FILES_END_IN
from gemmviz.domain.figures import counted
from gemmviz.domain.recordings.launches import launches_of
from gemmviz.domain.runs.result import RESULT_FIELDS, Session
from gemmviz.domain.session.session import session_fault
from gemmviz.gui.files.document import SessionDocument
from gemmviz.gui.files.file_dialog import FileDialog
from gemmviz.gui.files.replacing import may_replace_foreign, with_suffix_asked
from gemmviz.gui.tasks.file_questions import FileQuestions
from gemmviz.gui.widgets.question import Answer, Question

KERNEL_FILES = " ".join(f"*{suffix}" for suffix in KERNEL_SUFFIXES)
SAVE_FILTER = "gemmviz session (*.gemmviz)"
SESSION_FILTER = f"Sessions and kernel files (*.gemmviz {KERNEL_FILES});;All files (*)"
KERNEL_FILTER = f"Kernel files ({KERNEL_FILES});;All files (*)"
SUFFIX = ".gemmviz"
OWN_SESSION = "The kernel file that you open begins a session of its own and closes this one of lessons."
OWN_WORK = "What you start begins a session of its own and closes this one of lessons."
"""Why a session of lessons is closed."""
_NOT_IN_NAMES = re.compile(r'[\x00-\x1f<>:"/\\|?*]')


def file_name_for(document: SessionDocument) -> str:
    """What to call the file of a session that has none: after the session's name, without what no file can be called
    on any system.
    """
    words = " ".join(_NOT_IN_NAMES.sub(" ", document.name).split()).strip(". ") if document.has_name else ""
    return f"{words or 'session'}{SUFFIX}"


class SessionControl(QObject):
    """What a person does with session files, and which kernel files to take in.

    `opened` and `saved` tell the path, for the list of recent files.
    """

    folder_used = Signal(Path)
    kernels_chosen = Signal(object)
    may_close = Signal()
    began = Signal()
    """An empty session was begun."""
    experiment_began = Signal()
    """It was begun for a new experiment."""

    def __init__(self, window: QWidget, document: SessionDocument, folder: Path) -> None:
        super().__init__(window)
        self._window, self._document, self._folder = window, document, folder
        self._questions = FileQuestions(self)
        self._after_save: Callable[[], None] | None = None
        self._once_written: Callable[[], None] | None = None
        """What waits for a save that was begun already, however it ends."""
        self.leave_text: Callable[[], bool] = lambda: True
        """Asks about text of a kernel that is not saved, and closes it; False where a person cancels that."""
        document.saved.connect(self._on_saved)
        document.failed.connect(self._on_failed)
        document.foreign.connect(self._on_foreign)

    @property
    def document(self) -> SessionDocument:
        """What is saved and opened."""
        return self._document

    @Slot()
    def new(self) -> None:
        """Start an empty session."""
        self.once_safe(self._begin)

    @Slot()
    def new_experiment(self) -> None:
        """Start an empty session with the experiment that a new user finds."""
        self._replace(self._begin_experiment)

    @Slot()
    def open(self) -> None:
        """Ask for a file and open it."""
        name = FileDialog.name_to_open(self._window, "Open", str(self._folder), SESSION_FILTER)
        if name:
            self.open_path(Path(name))

    def open_path(self, path: Path) -> None:
        """Open a session, or ask for a kernel file to be taken in; by the file's suffix."""
        self._use(path)
        if path.suffix in KERNEL_SUFFIXES:
            self._take_kernels((path,))
            return
        if path.suffix == SUFFIX and not self._document.modified:
            self._replace(lambda: self._document.open(path))
            return
        self._questions.ask(partial(session_fault, path), partial(self._open_sound, path), patience_s=0.0)

    def _open_sound(self, path: Path, fault: str) -> None:
        """Open a session once what is open is safe; one with a `fault` takes the place of nothing."""
        if fault:
            kernels = f". Kernel files end in {WHAT_KERNEL_FILES_END_IN}" if path.suffix != SUFFIX else ""
            self._document.failed.emit(f"{fault}{kernels}")
        else:
            self._replace(lambda: self._document.open(path))

    def open_copy(self, path: Path, title: str) -> None:
        """Open a file as a copy that has no file yet."""
        self._replace(lambda: self._document.open_copy(path, title))

    def _replace(self, work: Callable[[], None]) -> None:
        """Put another session in the place of this one once all is safe: nothing is closed before the last question has
        been answered.
        """
        self.once_safe(lambda: work() if self.leave_text() else None)

    @Slot()
    def open_kernels(self) -> None:
        """Ask for kernel files."""
        names = FileDialog.names_to_open(self._window, "Open kernel file", str(self._folder), KERNEL_FILTER)
        if names:
            self._use(Path(names[0]))
            self._take_kernels(tuple(Path(name) for name in names))

    @Slot(object)
    def open_dropped(self, paths: tuple[Path, ...]) -> None:
        """Take in the kernel files among dropped ones, and open the first of the others."""
        kernels = tuple(path for path in paths if path.suffix in KERNEL_SUFFIXES)
        if kernels:
            self._take_kernels(kernels)
        others = [path for path in paths if path not in kernels]
        if others:
            self.open_path(others[0])

    @Slot()
    def save(self) -> None:
        """Save under the session's name, or ask for one."""
        if self._document.path is None:
            self.save_as()
        else:
            self._document.save(self._document.path)

    @Slot()
    def save_as(self) -> None:
        """Ask for a name and save."""
        proposed = self._document.path or self._folder / file_name_for(self._document)
        name = FileDialog.name_to_save(self._window, "Save session", str(proposed), SAVE_FILTER)
        if not name:
            self._after_save = None
            return
        path = with_suffix_asked(self._window, name, SUFFIX)
        if path is None:
            self._after_save = None
            return
        self._document.save(path, anyway=True)  # the dialog has asked

    def ask_to_close(self) -> bool:
        """Whether the window may close now; False also when `may_close` comes later, once the session is saved."""
        if not self._document.modified:
            return True
        if self._document.is_saving:
            self._once_written = self._close_again
            return False
        match self._question():
            case Answer.SAVE:
                self._after_save = self.may_close.emit
                self.save()
                return False
            case Answer.DISCARD:
                return True
        return False

    def once_safe(
        self, action: Callable[[], None], why: str = "", otherwise: Callable[[], None] = lambda: None
    ) -> None:
        """Do what would lose unsaved work only once it is saved or given up; `otherwise` where that is cancelled. `why`
        is a sentence that tells why the session is closed, where the action's name does not. While all of it is being
        saved it waits for that.
        """
        if not self._document.modified:
            action()
            return
        if self._document.is_saving:
            self._once_written = lambda: self.once_safe(action, why, otherwise)
            return
        match self._question(why):
            case Answer.SAVE:
                self._after_save = action
                self.save()
            case Answer.DISCARD:
                action()
            case _:
                otherwise()

    def _close_again(self) -> None:
        if self.ask_to_close():
            self.may_close.emit()

    def _take_kernels(self, paths: tuple[Path, ...]) -> None:
        """Ask for kernel files to be taken in: into a person's own session, or a new one in the place of an example or
        of one of lessons, once that is safe.
        """
        self._document.leave_example()
        self.in_own_session(partial(self.kernels_chosen.emit, paths), OWN_SESSION)

    def in_own_session(self, work: Callable[[], None], why: str) -> None:
        """Do a person's own work: where lessons began the session in a new one, once that is safe. `why` as for
        `once_safe`.
        """
        if self._document.is_of_lessons:
            self.once_safe(partial(self._begin_with, work), why)
        else:
            work()

    def _begin_with(self, work: Callable[[], None]) -> None:
        self._begin()
        work()

    def _begin(self) -> None:
        self._document.new()
        self.began.emit()

    def _begin_experiment(self) -> None:
        self._begin()
        self.experiment_began.emit()

    def _question(self, why: str = "") -> Answer:
        words = " ".join(filter(None, (unsaved_words(self._document), why)))
        answers = (Answer.DISCARD, Answer.CANCEL, Answer.SAVE)
        return Question.ask(self._window, "Save the session?", words, answers, Answer.SAVE)

    def _use(self, path: Path) -> None:
        self._folder = path.absolute().parent
        self.folder_used.emit(self._folder)

    @Slot(Path)
    def _on_saved(self, path: Path) -> None:
        self._use(path)
        action, self._after_save = self._after_save, None
        if action is not None:
            action()
        self._go_on()

    @Slot(Path)
    def _on_foreign(self, path: Path) -> None:
        if may_replace_foreign(self._window, path):
            self._document.save(path, anyway=True)
        else:
            self._after_save = None
            self._go_on()

    @Slot(str)
    def _on_failed(self, reason: str) -> None:
        del reason
        self._after_save = None
        self._go_on()

    def _go_on(self) -> None:
        """Do what has waited for the end of a save: where that failed, it asks."""
        waiting, self._once_written = self._once_written, None
        if waiting is not None:
            waiting()


def unsaved_words(document: SessionDocument) -> str:
    """What a person is asked about: "tiles.gemmviz holds 2 unsaved runs and 1 unsaved recording.", by its name."""
    what = contents_words(document.session, document.kept, "unsaved ")
    name = f"“{document.name}”" if document.has_name else "This session"
    return f"{name} holds {what or 'unsaved changes'}."


def contents_words(session: Session, kept: Session | None = None, adjective: str = "") -> str:
    """What a session holds that `kept` does not: "2 runs and 1 recording"; "" for nothing."""
    before = {id(one) for field in RESULT_FIELDS for one in getattr(kept, field, ())}
    alone: tuple[tuple[str, tuple[object, ...]], ...] = (
        ("device roof", session.roofs),
        ("block schedule", session.schedules),
        ("warp timeline", session.warp_timelines),
        ("kernel version", session.versions),
        ("settings sweep", session.sweeps),
    )
    groups: list[tuple[str, list[tuple[object, ...]]]] = [
        ("run", [(run,) for run in session.runs]),
        ("recording", [*launches_of(session.traces)]),  # as Memory lists them
    ]
    groups += [(noun, [(one,) for one in ones]) for noun, ones in alone]
    counts = ((noun, sum(any(id(one) not in before for one in group) for group in each)) for noun, each in groups)
    found = [counted(number, f"{adjective}{noun}") for noun, number in counts if number]
    return " and ".join((", ".join(found[:-1]), found[-1])) if len(found) > 1 else "".join(found)

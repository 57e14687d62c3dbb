"""Opens kernel files in the editor and saves them; what is not saved is asked for and kept."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.loader import WHAT_KERNEL_FILES_END_IN, is_shipped
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.source.tokens import language_of
from gemmviz.gui.control.experiment_control import ExperimentControl
from gemmviz.gui.control.version_control import VersionControl
from gemmviz.gui.editor.drafts import Draft, Drafts, discard_draft, find_drafts
from gemmviz.gui.editor.kernel_file import (
    ChangedOutsideError,
    FileError,
    KernelFile,
    read_kernel_file,
    save_kernel_file,
    save_kernel_file_as,
)
from gemmviz.gui.editor.panel import EditorPanel
from gemmviz.gui.editor.refusal import show_refusal
from gemmviz.gui.editor.save_name import asked_path
from gemmviz.gui.kernels.user_catalogue import UserCatalogue
from gemmviz.gui.notices.notice import NoticeAction, NoticeKind
from gemmviz.gui.tasks.file_questions import FileQuestions
from gemmviz.gui.widgets.question import Answer, Question

COPY_TITLE = "Save a copy to edit; the catalogue's own file stays as it is"
NOT_EDITABLE = "cannot be edited here: it holds characters that the editor would change. Use another editor"


class EditorControl(QObject):
    """One file at a time. `folder` is where copies are proposed, `root` where text that is not saved is kept."""

    notified = Signal(object, str, str)
    """A NoticeKind, a sentence, and details or ""."""
    offered = Signal(str, object)
    """A sentence that may wait, and its NoticeActions."""
    shown = Signal(bool)
    """Whether a file is edited, or the source is shown again."""
    folder_used = Signal(Path)
    told = Signal(str)
    """The path of a file that has what is wrong with it beside its text."""

    def __init__(
        self,
        window: QWidget,
        panel: EditorPanel,
        set_up: ExperimentControl,
        user_catalogue: UserCatalogue,
        versions: VersionControl,
        root: Path,
        folder: Callable[[], Path],
    ) -> None:
        super().__init__(window)
        self._window, self._panel, self._set_up, self._user_catalogue = window, panel, set_up, user_catalogue
        self._versions, self._root, self._folder = versions, root, folder
        self._file: KernelFile | None = None
        self._kernel_id = self._played = ""
        self._is_refused = False  # whether the file is here because it is no kernel yet: nobody asked to edit it
        self._drafts = Drafts(root, self)
        self._questions = FileQuestions(self)
        self._drafts.failed.connect(lambda words: self.notified.emit(NoticeKind.WARNING, words, ""))
        versions.notified.connect(self.notified)
        panel.save_asked.connect(self.save)
        panel.save_as_asked.connect(self.save_as)
        panel.done_asked.connect(self.leave)
        panel.examine_asked.connect(self._examine)
        panel.edited.connect(self._on_edited)
        user_catalogue.taken.connect(self._on_taken)
        user_catalogue.failed.connect(self._on_failed)
        user_catalogue.refused.connect(self._on_refused)
        user_catalogue.added.connect(self._on_added)

    @property
    def path(self) -> Path | None:
        """The file that is edited; None for none."""
        return self._file.path if self._file is not None else None

    @Slot(object)
    def follow_recording(self, run: TraceRun | None) -> None:
        """Say where the picture shows a recording (None: none) of another kernel than the one that is edited."""
        self._played = run.spec.kernel if run is not None else ""
        self._show_played()

    def _show_played(self) -> None:
        is_other = bool(self._played and self._kernel_id) and self._played != self._kernel_id
        name = self._file.path.name if self._file is not None else ""
        self._panel.show_elsewhere(
            f"The picture shows {self._played}, not {name}. Record {self._kernel_id} to see it." if is_other else ""
        )

    @property
    def is_modified(self) -> bool:
        """Whether the text is another one than the file's."""
        return self._file is not None and self._panel.edit.text() != self._file.text

    @Slot(str)
    def edit(self, kernel_id: str) -> None:
        """Edit the file of a kernel; of one that gemmviz brings a copy, which a person names."""
        kernel = self._set_up.known(kernel_id)
        if kernel is None:
            return
        if not kernel.language.runs_on_devices:
            words = (
                f"{kernel.path.name} is not edited here: it runs on the CPU or calls a library. The editor takes "
                f"kernels for GPUs, in files that end in {WHAT_KERNEL_FILES_END_IN}"
            )
            self.notified.emit(NoticeKind.WARNING, words, "")
        elif is_shipped(kernel):
            self._copy(kernel)
        else:
            self.open(kernel.path)

    def open(self, path: Path) -> bool:
        """Edit a file; whether it is edited now."""
        if self.path == path:
            self._show()
            return True
        if not self._may_leave():
            return False
        try:
            return self._begin(read_kernel_file(path))
        except FileError as error:
            self.notified.emit(NoticeKind.ERROR, str(error), "")
            return False

    def _begin(self, file: KernelFile, *, is_refused: bool = False) -> bool:
        """Show a file; `is_refused`: it was read just now, and is no kernel yet."""
        path = file.path
        self._drafts.settle()
        kernel = self._kernel_of(path)
        entry = kernel.entry if kernel is not None else ""
        if not self._panel.show_file(path.name, file.text, language_of(path.name), entry):
            self._panel.show_file("", "", language_of(""))
            self.notified.emit(NoticeKind.ERROR, f"{path} {NOT_EDITABLE}", "")
            return False
        self._file, self._is_refused = file, False
        self._kernel_id = kernel.id if kernel is not None else ""
        self._show_played()
        self._versions.begin(kernel)
        self._show()
        if is_refused:
            self._is_refused = True
        elif kernel is None:
            self._user_catalogue.add((path,))
        elif kernel.file_text == file.text:
            self._versions.examine(kernel)
        else:
            self._user_catalogue.read_saved(path)
        return True

    @Slot()
    def save(self) -> bool:
        """Save and examine; whether the file holds the text now."""
        file, text = self._file, self._panel.edit.text()
        if file is None:
            return True
        try:
            self._file = save_kernel_file(file, text)
        except ChangedOutsideError:
            words = (
                f"Another program has changed {file.path.name} since it was opened or saved here. Replace what is in "
                "it now?\n\nSave as… in the menu ⋯ keeps both."
            )
            if not self._is_answered("Replace the changed file?", words):
                return False
            try:
                self._file = save_kernel_file(file, text, anyway=True)
            except FileError as error:
                return self._refuse(error)
        except FileError as error:
            return self._refuse(error)
        self._on_saved()
        self._user_catalogue.read_saved(file.path)
        return True

    @Slot()
    def save_as(self) -> bool:
        """Ask for a name and save there; whether that was done."""
        if self._file is None:
            return True
        path = self._asked_path("Save the kernel as", self._file.path)
        if path is None:
            return False
        try:
            self._file = save_kernel_file_as(self._file, self._panel.edit.text(), path, may_replace=True)
        except FileError as error:
            return self._refuse(error)
        self._panel.show_file(path.name, self._file.text, language_of(path.name))
        self._kernel_id = ""
        self._on_saved()
        self._user_catalogue.add((path,))
        return True

    @Slot()
    def leave(self) -> None:
        """Show the source again, once the text is saved or given up."""
        if self._file is not None and self._may_leave():
            self._forget()
            self.shown.emit(False)

    def ask_to_close(self) -> bool:
        """Whether the window may close now: asks about text that is not saved."""
        return self._may_leave()

    def give_up(self) -> None:
        """The window closes, and nobody wants what is not saved."""
        self._drafts.settle()

    def keep(self) -> None:
        """Keep what is not saved for the next start; for the end of the window without a question."""
        self._drafts.flush()

    def close(self) -> None:
        """End what is examined, and what is found out about files."""
        self._versions.close()
        self._set_up.stop()

    def look(self) -> None:
        """Offer what windows left that did not end well."""
        self._questions.ask(lambda: find_drafts(self._root), self._offer, patience_s=0.0)

    def _offer(self, found: tuple[Draft, ...]) -> None:
        for draft in found:
            words = f"Recover the text of {draft.path.name} that was not saved?"
            actions = (
                NoticeAction("Recover", partial(self._recover, draft), "Put it into the editor, unsaved"),
                NoticeAction("Discard", partial(discard_draft, draft), "Remove it"),
                NoticeAction("Later", lambda: None, "Ask again at the next start"),
            )
            self.offered.emit(words, actions)

    def _recover(self, draft: Draft) -> None:
        is_open = self.open(draft.path) if draft.path.exists() else self._begin(KernelFile(draft.path, b"", "", ("",)))
        if is_open:
            self._panel.edit.replace_text(draft.text)
            discard_draft(draft)
        else:
            self._offer((draft,))

    def _copy(self, kernel: Kernel) -> None:
        path = self._asked_path(COPY_TITLE, self._folder() / f"my_{kernel.path.name}")
        if path is None or not self._may_leave():
            return
        try:
            save_kernel_file_as(read_kernel_file(kernel.path), kernel.file_text, path, may_replace=True)
        except FileError as error:
            self.notified.emit(NoticeKind.ERROR, str(error), "")
            return
        self._forget()
        self.open(path)

    def _asked_path(self, title: str, proposed: Path) -> Path | None:
        path = asked_path(self._window, title, proposed)
        if path is not None:
            self.folder_used.emit(path.absolute().parent)
        return path

    def _may_leave(self) -> bool:
        """Whether the text is saved, or given up."""
        if not self.is_modified or self._file is None:
            return True
        words = f"The text of {self._file.path.name} has changes that are not saved."
        answers = (Answer.DISCARD, Answer.CANCEL, Answer.SAVE)
        match Question.ask(self._window, "Save the kernel?", words, answers, Answer.SAVE):
            case Answer.SAVE:
                return self.save()
            case Answer.DISCARD:
                return True
        return False

    def _is_answered(self, title: str, words: str) -> bool:
        answers = (Answer.CANCEL, Answer.REPLACE)
        return Question.ask(self._window, title, words, answers, Answer.CANCEL) is Answer.REPLACE

    def _forget(self) -> None:
        self._drafts.settle()
        self._file, self._kernel_id = None, ""
        self._versions.begin(None)
        self._panel.show_file("", "", language_of(""))

    def _show(self) -> None:
        self.shown.emit(True)
        self._panel.edit.setFocus()

    def _refuse(self, error: FileError) -> bool:
        again = NoticeAction("Save as…", partial(self.save_as), "Save under another name or in another folder")
        self._panel.strip.show_message(f"Not saved: {error}", (again,))
        return False

    def _on_saved(self) -> None:
        assert self._file is not None
        self._panel.edit.set_saved_text(self._file.text)
        self._panel.edit.document().setModified(False)
        self._panel.strip.settle()
        self._panel.show_state()
        self._drafts.settle()

    def _kernel_of(self, path: Path) -> Kernel | None:
        """The kernel that a file was taken in as."""
        return next((one for one in self._set_up.catalogue.kernels if one.path.absolute() == path.absolute()), None)

    @Slot()
    def _examine(self) -> None:
        """Examine what is saved again, with what is set up by now."""
        if self._file is not None:
            self._user_catalogue.read_saved(self._file.path)

    @Slot()
    def _on_edited(self) -> None:
        if self._file is None:
            return
        text = self._panel.edit.text()
        if text == self._file.text:
            self._drafts.settle()
        else:
            self._drafts.keep(self._file.path.absolute(), text)

    @Slot(str, str)
    def _on_taken(self, path: str, kernel_id: str) -> None:
        """The file was read, after a save here or elsewhere."""
        if self._file is None or Path(path) != self._file.path.absolute():
            return
        kernel = self._set_up.catalogue.get(kernel_id)
        self._panel.show_faults(())
        if kernel.file_text != self._file.text and not self._take_outside():
            return
        if not self._kernel_id:
            self._versions.begin(kernel)
        self._kernel_id = kernel_id
        self._show_played()
        if kernel.file_text == self._file.text:
            self._versions.examine(kernel)

    @Slot(str, str, bool)
    def _on_failed(self, path: str, why: str, is_adoptable: bool) -> None:
        """Say why the file is no kernel, beside its text."""
        if self._file is None or Path(path) != self._file.path.absolute():
            return
        show_refusal(self._panel, self._file.path, why, is_adoptable=is_adoptable)
        if self._panel.isVisible():
            self.told.emit(path)

    @Slot(str, str, bool)
    def _on_refused(self, path: str, why: str, is_adoptable: bool) -> None:
        """Show the source of a file that is no kernel yet, with the faulty line, unless unsaved text is here."""
        if self._file is None or Path(path) != self._file.path.absolute():
            try:
                if self.is_modified or not self._begin(read_kernel_file(Path(path)), is_refused=True):
                    return
            except FileError:
                return  # the message says it already
        self._show()
        self._on_failed(path, why, is_adoptable)
        if faults := self._panel.edit.faults:
            self._panel.edit.go_to(faults[0].line, faults[0].column)

    @Slot(str)
    def _on_added(self, kernel_id: str) -> None:
        """A kernel was opened: its source is shown in the place of the editor, where that is not at work on it."""
        kernel = self._set_up.known(kernel_id)
        is_asked_for = kernel is not None and self.path is not None and not self._is_refused
        if self._file is None or self.is_modified or (is_asked_for and self._kernel_of(self._file.path) is kernel):
            return
        self._forget()
        self.shown.emit(False)

    def _take_outside(self) -> bool:
        """Another program has written the file: show its text, unless there is text here that is not saved."""
        file = self._file
        assert file is not None
        try:
            found = read_kernel_file(file.path)
        except FileError as error:
            self._panel.strip.show_message(str(error))
            return False
        if self.is_modified:
            words = f"Another program has changed {file.path.name}. The text here has changes that are not saved."
            load = NoticeAction("Load the file", lambda: self._load(found), "Replace the text here; it can be undone")
            keep = NoticeAction("Keep this text", lambda: None, "Keep editing. Save asks before it replaces the file")
            self._panel.strip.show_message(words, (load, keep))
            return False
        self._load(found)
        return True

    def _load(self, found: KernelFile) -> None:
        self._file = found
        self._panel.edit.replace_text(found.text)
        self._on_saved()
        kernel = self._kernel_of(found.path)
        if kernel is not None and kernel.file_text != found.text:
            self._user_catalogue.read_saved(found.path)

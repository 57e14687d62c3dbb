"""The session a person works on: what is in it, where it is kept, and whether that is up to date."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from gemmviz import __version__
from gemmviz.domain.clock import timestamp, utc_now
from gemmviz.domain.device import Device
from gemmviz.domain.kernels.examined_sweep import ExaminedSweep, with_sweep
from gemmviz.domain.kernels.kernel_version import KernelVersion
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import RunError, RunResult, Session
from gemmviz.domain.runs.roof import Roofs
from gemmviz.domain.runs.schedule import BlockSchedule
from gemmviz.domain.session.session import load_session, save_session
from gemmviz.domain.session.shown import Shown
from gemmviz.domain.session.versions import with_own_recording, with_recording_replaced, with_version
from gemmviz.gui.files.document_io import FileOutcome, Load, Save, SessionFiles
from gemmviz.gui.files.edits import (
    NO_DEVICE,
    Item,
    Removed,
    bytes_of,
    with_error,
    with_restored,
    with_roofs,
    with_run,
    with_schedule,
    with_trace,
    without,
)

Now = Callable[[], datetime]
TellShown = Callable[[], Shown | None]


LESSONS = "Runs of lessons"
"""The name of a session that lessons began, until it is saved."""
_OPENING = "opening "


def _name_of(trace: TraceRun) -> tuple[str, str]:
    return trace.spec.kernel, trace.finished


class SessionDocument(QObject):
    """Holds an immutable Session and replaces it at every change; files are read and written off the GUI's thread.

    `now` gives the time of a new session, `load` and `save` read and write files.
    """

    changed = Signal()
    """The session is another one than before."""
    replaced = Signal(str)
    """Another session was opened, recovered or begun in the place of the one of that name; `changed` follows."""
    saved = Signal(Path)
    opened = Signal(Path)
    failed = Signal(str)
    """Why a file was not opened or saved, one sentence; the document is as it was."""
    foreign = Signal(Path)
    """A file was not saved, because another program has changed it; the document is as it was."""
    example_left = Signal(str)
    """An example has become a person's own copy, because something in it was changed; its title before."""
    example_closed = Signal(Path, str)
    """The file and the title of an example that was closed for an experiment of a person's own."""
    busy_changed = Signal(str)
    """What is being done with a file, "" when nothing is."""

    def __init__(
        self,
        now: Now = utc_now,
        load: Load = load_session,
        save: Save = save_session,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._now = now
        self._files = SessionFiles(load, save, self)
        self._files.read.connect(self._on_read)
        self._files.written.connect(self._on_written)
        self._files.broke.connect(self._on_broke)
        self._ticket = self._newest_open = self._generation = 0
        self._orders: dict[int, tuple[int, str]] = {}
        self._saving: dict[int, tuple[Session, int]] = {}
        self._layouts = self._kept_layouts = 0
        self._tell_shown: TellShown = lambda: None
        self._sweeps = 0
        self._file_texts: tuple[tuple[str, str], ...] = ()
        self._recorded: set[str] = set()
        self._asked_for: set[tuple[str, str]] = set()
        """Recordings that a person asked for: those of versions are replaced when one is examined again."""
        self._path: Path | None = None
        self._copy_of: dict[int, str] = {}
        self._title, self._is_of_lessons = "", False
        self._example: Path | None = None
        """The file of the example that is shown unchanged."""
        self._session = self._kept = self._opened_over = self._empty(NO_DEVICE)

    @property
    def session(self) -> Session:
        """The session as it is now."""
        return self._session

    @property
    def recorded(self) -> Collection[str]:
        """The sources that were recorded here, and so were a person's own: what a file brings may be anybody's."""
        return frozenset(self._recorded)

    @property
    def path(self) -> Path | None:
        """The file it was opened from or saved to last; None for one that has none."""
        return self._path

    @property
    def name(self) -> str:
        """What it is called: its file's name, the title of the example it is a copy of, or "New session"."""
        return self._path.name if self._path is not None else self._title or "New session"

    @property
    def has_name(self) -> bool:
        """Whether a person, or an example, has given it a name."""
        return self._path is not None or bool(self._title)

    @property
    def is_for_lessons(self) -> bool:
        """Whether a lesson's run may go into it: lessons began it, or nothing and nobody has anything in it yet."""
        return self._is_of_lessons or (self._path is None and not self._has_content)

    @property
    def is_of_lessons(self) -> bool:
        """Whether lessons began it: a person's own work does not go there."""
        return self._is_of_lessons

    @property
    def shown(self) -> Shown | None:
        """What is shown of the session now."""
        return self._tell_shown()

    @property
    def kept(self) -> Session:
        """The session as its file has it; one without results where there is no file."""
        return self._kept

    @property
    def modified(self) -> bool:
        """Whether there is something that the file does not have: a result, or a layout of shared arrays."""
        has_layouts = self._path is None or self._layouts == self._kept_layouts
        return self._session is not self._kept or not has_layouts

    @property
    def busy(self) -> str:
        """What is being done with a file: "opening NAME", "saving NAME", or ""."""
        return next(reversed(self._orders.values()))[1] if self._orders else ""

    @property
    def is_saving(self) -> bool:
        """Whether all that is in it now is being written to its file."""
        return any(each == (self._session, self._layouts) for each in self._saving.values())

    @property
    def opens(self) -> str:
        """The name of the file that is being read, "" while none is."""
        return self.busy.removeprefix(_OPENING) if self.busy.startswith(_OPENING) else ""

    @property
    def memory_bytes(self) -> int:
        """Bytes of all columns: samples, error maps, recordings."""
        return bytes_of(self._session)

    def new(self, device: Device | None = None) -> None:
        """Start an empty session, of the device of the old one if none is given."""
        self._replace(self._empty(device or self._session.device), None)
        self.changed.emit()

    def leave_example(self) -> None:
        """Start an empty session in the place of an example that nobody has changed; any other session stays."""
        if self._example is not None:
            path, title = self._example, self._title
            self.new()
            self.example_closed.emit(path, title)

    def begin_lessons(self) -> None:
        """Have a session that lessons began: one that `is_for_lessons` becomes or stays it, any other is replaced."""
        if not self.is_for_lessons:
            self._replace(self._empty(self._session.device), None)
        if not self._is_of_lessons:
            self._title, self._is_of_lessons = LESSONS, True
            self.changed.emit()

    def set_device(self, device: Device) -> None:
        """Name the device of a session in which nothing has run yet; any other keeps its own."""
        session = self._session
        if not self._has_content and session.device != device:
            self._session = replace(session, device=device)
            # A device is nothing a person made: it neither needs saving nor keeps a file from being opened.
            self._kept = self._session if self._kept is session else self._kept
            self._opened_over = self._session if self._opened_over is session else self._opened_over
            self.changed.emit()

    def add_run(self, result: RunResult, init_ms: float) -> None:
        """Take in a finished run; `init_ms` is how long A and B took to make."""
        self._change(with_run(self._session, result, init_ms))

    def add_error(self, error: RunError) -> None:
        """Take in a kernel that did not run."""
        self._change(with_error(self._session, error))

    def add_trace(self, trace: TraceRun) -> None:
        """Take in a recording that a person asked for; it takes the place of the same one."""
        self._recorded.add(trace.source_text)
        self._asked_for.add(_name_of(trace))
        self._change(with_trace(with_recording_replaced(self._session, trace), trace))

    def add_roofs(self, roofs: Roofs) -> None:
        """Take in the roofs of a device."""
        self._change(with_roofs(self._session, roofs))

    def add_schedule(self, schedule: BlockSchedule) -> None:
        """Take in a block schedule."""
        self._change(with_schedule(self._session, schedule))

    def add_sweep(self, sweep: ExaminedSweep) -> None:
        """Take in settings that were examined without a GPU."""
        self._change(replace(self._session, sweeps=with_sweep(self._session.sweeps, sweep)))

    def add_version(
        self, version: KernelVersion, trace: TraceRun | None, *, is_newest: bool = True
    ) -> tuple[KernelVersion, ...]:
        """Take in a version of a kernel and its recording; those that were dropped for it, with their recordings. Only
        the recording of one that `is_newest` comes last in the session, and is shown. Where a person has the same
        recording already, that one is the version's.
        """
        session, dropped = with_version(self._session, version, lambda each: _name_of(each) in self._asked_for)
        if trace is not None:
            session, known = with_own_recording(session, version, trace)
            trace = trace if known is None else None
            self._asked_for |= {_name_of(known)} if known is not None else set()
        session = with_trace(session, trace) if trace is not None else session
        if trace is not None and not is_newest:
            *others, earlier = session.traces
            session = replace(session, traces=(*others[:-1], earlier, *others[-1:]))
        self._change(session)
        return dropped

    def use_file_texts(self, texts: tuple[tuple[str, str], ...]) -> None:
        """The files of these kernels have these texts now, which says what version of each is the current one. It is no
        change that a file of the session would have.
        """
        self._file_texts = texts
        if self._session.file_texts != texts:
            is_kept, session = self._session is self._kept, replace(self._session, file_texts=texts)
            self._session, self._kept = session, session if is_kept else self._kept
            self.changed.emit()

    def remove(self, items: Iterable[Item]) -> Removed:
        """Take these very objects out; what `restore` needs to put them back."""
        session, removed = without(self._session, items)
        if removed.count:
            self._change(session)
        return removed

    def restore(self, removed: Removed) -> None:
        """Put back what `remove` took out."""
        if removed.count:
            self._change(with_restored(self._session, removed))

    def next_sweep(self) -> int:
        """A number that no sweep of this session has yet; another one at each call."""
        self._sweeps = max(self._sweeps, *(run.sweep for run in self._session.runs), 0) + 1
        return self._sweeps

    def open(self, path: Path) -> None:
        """Read a file in the background; `opened` or `failed` comes. Of two orders the later one counts."""
        self._opened_over = self._session
        self._newest_open = self._order(f"{_OPENING}{path.name}")
        self._files.begin_read(self._newest_open, path)

    def open_copy(self, path: Path, title: str) -> None:
        """As `open`, but as a copy that has no file yet: nothing ever writes to `path`, and a save asks where."""
        self.open(path)
        self._copy_of[self._newest_open] = title

    def take_recovered(self, session: Session, title: str) -> None:
        """Go on with a session that was never saved: it has no file yet, and there is something to save."""
        self._replace(session, None, title)
        self._kept = self._empty(session.device)
        self.changed.emit()

    def keep_shown(self, tell: TellShown) -> None:
        """Ask this at each save what is shown of the session: that goes into the file, and is no change of it, but for
        `change_layout`.
        """
        self._tell_shown = tell

    def change_layout(self) -> None:
        """A person tries another layout of a shared array, which a session's file keeps."""
        self._layouts += 1

    def save(self, path: Path, *, anyway: bool = False) -> None:
        """Write the session as it is now in the background; `saved`, `failed` or `foreign` comes. Saves wait for each
        other. What another program has changed since it was opened or saved here is replaced only `anyway`.
        """
        ticket = self._order(f"saving {path.name}")
        self._saving[ticket] = self._session, self._layouts
        self._files.begin_write(ticket, replace(self._session, shown=self.shown), path, anyway=anyway)

    def wait(self, within_s: float | None = None) -> None:
        """Return when no file is being read or written any more, or after so many seconds."""
        self._files.wait(within_s)

    @property
    def _has_content(self) -> bool:
        return self._session.has_results

    def _empty(self, device: Device) -> Session:
        return Session(timestamp(self._now()), __version__, device, 0.0)

    def _change(self, session: Session) -> None:
        self._session = session
        title, was_example, self._example = self._title, self._example is not None, None
        if was_example:
            self._title = f"Copy of {title}"
        self.changed.emit()
        if was_example:
            self.example_left.emit(title)

    def _replace(self, session: Session, path: Path | None, title: str = "") -> None:
        self._generation += 1
        former = self.name
        if session.file_texts != self._file_texts:
            session = replace(session, file_texts=self._file_texts)
        self._session = self._kept = session
        self._kept_layouts = self._layouts
        self._path, self._title = path, title
        self._example, self._is_of_lessons = None, False
        self._sweeps = 0
        self.replaced.emit(former)

    def _order(self, words: str) -> int:
        self._ticket += 1
        self._orders[self._ticket] = (self._generation, words)
        self.busy_changed.emit(self.busy)
        return self._ticket

    def _is_current(self, outcome: FileOutcome) -> bool:
        """Whether the document is still the one the order was about."""
        generation, _ = self._orders.pop(outcome.ticket)
        return generation == self._generation

    @Slot(object)
    def _on_read(self, outcome: FileOutcome) -> None:
        is_current, title = self._is_current(outcome), self._copy_of.pop(outcome.ticket, "")
        if is_current and outcome.ticket == self._newest_open:
            self._take(outcome, title)
        self.busy_changed.emit(self.busy)  # once it is shown: no page says for a moment that it has nothing to show

    def _take(self, outcome: FileOutcome, title: str) -> None:
        """Have the session that was read, or say why not."""
        if outcome.session is None:
            self.failed.emit(outcome.reason)
        elif self._session is not self._opened_over:
            self.failed.emit(
                f"{outcome.path} was not opened: new results came in meanwhile. Save them, then open it again"
            )
        else:
            self._replace(outcome.session, None if title else outcome.path, title)
            self._example = outcome.path if title else None
            self._files.take_over(outcome)
            self.changed.emit()
            self.opened.emit(outcome.path)

    @Slot(object)
    def _on_broke(self, error: BaseException) -> None:
        self._orders.clear()
        self._saving.clear()
        self.busy_changed.emit("")
        raise error

    @Slot(object)
    def _on_written(self, outcome: FileOutcome) -> None:
        is_current, (session, layouts) = self._is_current(outcome), self._saving.pop(outcome.ticket)
        self.busy_changed.emit(self.busy)
        if outcome.is_foreign:
            self.foreign.emit(outcome.path)
            return
        if outcome.session is None:
            self.failed.emit(outcome.reason)
            return
        if is_current:
            self._path, self._kept, self._kept_layouts = outcome.path, session, layouts
            self._example = None
        self.saved.emit(outcome.path)

"""The folder in which PoCL keeps what it compiled: one of gemmviz' own, looked through before PoCL reads it.

PoCL trusts its cache: a file that a full disk or a crash left damaged breaks the same kernel at every later start, and
the message blames the kernel. So every entry (a folder with the files of one program) gets a list of checksums once
its kernel has run; a process that is about to load PoCL removes the entries that do not agree with theirs. It reads
those that changed since such a look, or all if nobody has looked since the computer was started: to read hundreds
takes a third of a second. An entry without checksums of which a process died is removed as well; one whose build fails
for no reason in the source is removed and built anew.

PoCL ends the process whose files are removed under it. So every process holds a lock on a file in the folder, and what
another one may have begun to build since it came is left alone.
"""

from __future__ import annotations

import atexit
import importlib.metadata
import math
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path

from gemmviz import __version__
from gemmviz.backends.opencl.pocl_entry import (
    USED,
    age_s,
    files_of,
    is_sealed,
    is_unchanged,
    is_whole,
    sums_of,
    used_s,
    write_sums,
)
from gemmviz.domain.files.bounded_read import read_text
from gemmviz.domain.files.last_look import look
from gemmviz.domain.files.leftovers import folder_until_the_end
from gemmviz.domain.recovery.lock import FileLock, LockedError
from gemmviz.resources import cache_folder

FOLDER_VARIABLE = "POCL_CACHE_DIR"
_LOOKED = "looked-through"
_MARK = "at-work-"
_PRESENCE = "in-use-"
_TEMPORARY = "gemmviz-"
_MOST_ENTRIES = 500
_MOST_BYTES = 2**10
_PROBE_BYTES = 2**16
_LEAST_FREE_BYTES = 2**24
_BEFORE_LAUNCH_S = 30.0
"""A kernel was built or taken from the cache at most so long before its first launch, or is looked at next time."""
_WRITING_S = 5.0
"""A file that was changed so long ago is whole."""
_STALE_S = 600.0
_STALE_IDLE_S = 30.0
"""Where no process says that it is at work: small kernels are compiled without a word."""
_OLD_S = 30 * 86400.0


class CompilerCache:
    """A cache folder. In one that the user chose (`is_own` false) nothing is removed and no file is added."""

    def __init__(self, folder: Path, is_own: bool = True) -> None:
        self.folder = folder
        self.is_own = is_own
        self._presence: FileLock | None = None

    def enter(self) -> None:
        """Let other processes know, until this one ends, that it uses the folder."""
        for _ in range(3 if self.is_own and self._presence is None else 0):
            self.make()
            with suppress(OSError):
                lock = FileLock(self.folder / f"{_PRESENCE}{os.getpid()}-{time.monotonic_ns()}")
                if lock.path.exists():  # else another process took it for one of the dead
                    self._presence = lock
                    return
                lock.release()

    def leave(self) -> None:
        """This process uses the folder no more."""
        if self._presence is not None:
            self._presence.release(remove=True)
            self._presence = None

    def others_came_s(self) -> float:
        """When the first of the other processes came that use the folder now, as time.time(); infinity without one."""
        found = math.inf
        for path in self.folder.glob(f"{_PRESENCE}*"):
            if self._presence is None or path != self._presence.path:
                with suppress(OSError):
                    came_s = path.stat().st_mtime
                    try:
                        FileLock(path).release(remove=True)
                    except LockedError:
                        found = min(found, came_s)
        return found

    def entries(self) -> list[Path]:
        """The folders of single programs."""
        with suppress(OSError):
            return [used.parent for used in self.folder.glob(f"*/*/{USED}")]
        return []

    def look_through(self) -> int:
        """Remove damaged entries and what dead processes left; the number of damaged entries, removed or not."""
        others_came_s = self.others_came_s() if self.is_own else math.inf
        with look(self.folder / _LOOKED) if self.is_own else nullcontext(0) as since_ns:
            damaged = [
                entry
                for entry in self.entries()
                if not is_unchanged(entry, since_ns) and not is_whole(entry, is_in_use=used_s(entry) >= others_came_s)
            ]
        if self.is_own:
            for entry in damaged:
                shutil.rmtree(entry, ignore_errors=True)
            self._remove_what_dead_processes_left(others_came_s)
            self._remove_the_oldest()
        return len(damaged)

    def seal(self) -> None:
        """Note the checksums of entries with files that have none yet; not of those that others may be writing."""
        is_alone = self.is_own and self.others_came_s() == math.inf
        for entry in self.entries() if self.is_own else ():
            known = sums_of(entry)
            files = files_of(entry)
            if not is_alone:
                old = {name for name, path in files.items() if age_s(path) > _WRITING_S}
                files = {name: path for name, path in files.items() if name in old or name in (known or {})}
            if known is None or known.keys() != files.keys():
                write_sums(entry, known or {}, files)

    def clear(self, since_s: float = 0.0) -> bool:
        """Remove all entries; where others use the folder, the damaged ones and those used since. Whether any were."""
        is_alone = self.is_own and self.others_came_s() == math.inf
        entries = self.entries() if self.is_own else []
        if not is_alone:
            entries = [one for one in entries if used_s(one) >= since_s or not is_whole(one, is_in_use=False)]
        for entry in entries:
            shutil.rmtree(entry, ignore_errors=True)
        return bool(entries)

    def make(self) -> None:
        """Make the folder where somebody removed it."""
        with suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)

    @contextmanager
    def at_work(self, launching: bool = False) -> Iterator[None]:
        """While PoCL builds a kernel, or begins one (`launching`): if the process dies, the next one clears the cache.

        Of a launch, which may have died of the kernel, only what was used shortly before.
        """
        mark = self.folder / f"{_MARK}{os.getpid()}-{time.monotonic_ns()}"
        if self.is_own:
            self.make()
            with suppress(OSError):
                mark.write_text(repr(time.time() - _BEFORE_LAUNCH_S if launching else 0.0), encoding="ascii")
        try:
            yield
        finally:
            if self.is_own:
                with suppress(OSError):
                    mark.unlink(missing_ok=True)

    def fault(self) -> str:
        """Why the folder cannot be written to; "" if it can."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=self.folder) as file:
                file.write(bytes(_PROBE_BYTES))
                file.flush()
            free_bytes = shutil.disk_usage(self.folder).free
            if free_bytes < _LEAST_FREE_BYTES:  # PoCL ends the process that it cannot write for
                return f"only {free_bytes / 2**20:.1f} MiB are free there"
        except (OSError, RuntimeError) as error:
            return str(getattr(error, "strerror", None) or error)
        return ""

    def _remove_what_dead_processes_left(self, others_came_s: float) -> None:
        with suppress(OSError):
            for mark in self.folder.glob(f"{_MARK}*"):
                if _is_alive(mark.name.removeprefix(_MARK).partition("-")[0]):
                    continue
                began_s = _number_in(mark)
                until_s = mark.stat().st_mtime + _BEFORE_LAUNCH_S
                for entry in self.entries():
                    used_at_s = used_s(entry)
                    if began_s <= used_at_s <= until_s and used_at_s < others_came_s and not is_sealed(entry):
                        shutil.rmtree(entry, ignore_errors=True)
                if until_s < others_came_s:
                    mark.unlink(missing_ok=True)
            is_idle = not any(self.folder.glob(f"{_MARK}*"))  # all that are left are of processes that live
            stale_s = _STALE_IDLE_S if is_idle else _STALE_S
            for left in self.folder.glob("tempfile_*"):
                if time.time() - left.lstat().st_mtime > stale_s and not left.is_dir():
                    left.unlink(missing_ok=True)

    def _remove_the_oldest(self) -> None:
        entries = self.entries()
        if len(entries) > _MOST_ENTRIES:
            for entry in sorted(entries, key=used_s)[: len(entries) - _MOST_ENTRIES * 3 // 4]:
                shutil.rmtree(entry, ignore_errors=True)


_in_use: list[CompilerCache] = []
"""The cache of this process: PoCL reads the name of its folder once."""
_notes: list[str] = []


def compiler_cache() -> CompilerCache:
    """The cache of this process, looked through; to be asked for before PoCL is loaded."""
    if not _in_use:
        _in_use.append(_prepared())
    return _in_use[0]


def note(words: str) -> None:
    """Keep a sentence for the person; each is told once."""
    if words not in _notes:
        _notes.append(words)


def take_notes() -> list[str]:
    """The sentences that nobody has told the person yet."""
    found = _notes.copy()
    _notes.clear()
    return found


def own_folder() -> Path:
    """Where PoCL's cache lies if nothing speaks against it; another version of PoCL or gemmviz has another."""
    try:
        pocl = importlib.metadata.version("pocl_binary_distribution")
    except importlib.metadata.PackageNotFoundError:
        pocl = "of-the-system"
    return cache_folder(f"pocl-{pocl}-gemmviz-{__version__}")


def _prepared() -> CompilerCache:
    chosen = os.environ.get(FOLDER_VARIABLE, "")
    cache = CompilerCache(Path(chosen) if chosen else own_folder())
    if chosen:
        cache.is_own = cache.folder == own_folder() or cache.folder.name.startswith(_TEMPORARY)
    fault = cache.fault()
    if fault:
        temporary = folder_until_the_end()
        note(
            f"The compiler's cache {cache.folder} cannot be written ({fault}): kernels are compiled again at each "
            f"start; free some space, or name another folder in {FOLDER_VARIABLE}."
        )
        cache = CompilerCache(temporary)
        os.environ["XDG_CACHE_HOME"] = str(temporary)
    os.environ[FOLDER_VARIABLE] = str(cache.folder)
    cache.enter()
    atexit.register(cache.leave)
    damaged = cache.look_through()
    if damaged and cache.is_own:
        note(f"The compiler's cache was damaged: {_some(damaged)} removed, and kernels are compiled again.")
    elif damaged:
        note(f"The compiler's cache {cache.folder} is damaged: empty that folder, which {FOLDER_VARIABLE} names.")
    _remove_old_versions(cache.folder)
    return cache


def _some(entries: int) -> str:
    return "one entry was" if entries == 1 else f"{entries} entries were"


def _remove_old_versions(folder: Path) -> None:
    """Caches of other versions that nobody has used for a month."""
    with suppress(OSError):
        for other in own_folder().parent.glob("pocl-*-gemmviz-*"):
            if other != folder and time.time() - other.stat().st_mtime > _OLD_S:
                shutil.rmtree(other, ignore_errors=True)


def _number_in(mark: Path) -> float:
    try:
        return float(read_text(mark, _MOST_BYTES, "ascii"))
    except (OSError, ValueError):
        return 0.0


def _is_alive(process: str) -> bool:
    if not (process.isascii() and process.isdecimal()):
        return False
    if os.name == "nt":  # where signal 0 is Ctrl-C
        return True
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True

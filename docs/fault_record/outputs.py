"""Places to write to that cannot be written, or hold what must not be overwritten."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from fault_record.case import CannotTryError, Case, LostError
from fault_record.scratch import Scratch, check_refused, check_works

_RUN = ("run", "--kernel", "naive", "--size", "8x8x8", "--budget", "0.02")
_TRACE = ("trace", "--kernel", "naive", "--size", "8x8x8")
_KEPT = "somebody's only copy\n"

Prepare = Callable[[Scratch], Path]
"""Makes what stands at the target; the target."""


def cases(sound: Path) -> Iterator[Case]:
    """Every bad place, for every command that writes."""
    commands: dict[str, tuple[str, ...]] = {
        "run": (*_RUN, "--out"),
        "trace": (*_TRACE, "--out"),
        "roofs": ("roofs", "--into"),
    }
    for command, words in commands.items():
        for what, (prepare, codes) in _PLACES.items():
            yield Case("outputs", f"{command}: {what}", _refused(words, prepare, codes))
        for what, prepare in _OCCUPIED.items():
            yield Case("outputs", f"{command} over {what}", _kept(words, prepare))
            if command != "roofs":
                forced = _forced((words[0], "--force", *words[1:]), prepare)
                yield Case("outputs", f"{command} --force over {what}", forced)
    export = ("export", str(sound), "--format", "csv,svg", "--out")
    for what, (prepare, codes) in _FOLDERS.items():
        yield Case("outputs", f"export: {what}", _refused(export, prepare, codes))
    yield Case("outputs", "export over its own files", _export_twice(sound))
    for which in ("first", "last"):
        yield Case("outputs", f"export --force: its {which} target is a link", _export_over_link(sound, which))
    printing = {"run": _RUN, "trace": _TRACE, "report": ("report", str(sound)), "kernels": ("kernels",)}
    for what, words in printing.items():
        yield Case("outputs", f"{what}: standard output is full", _full(words))
        yield Case("outputs", f"{what}: the reader leaves", _closed(words))
        for columns in (1, 20, 40, 60, 80):
            yield Case("outputs", f"{what}: {columns} columns", _narrow(words, columns))
    for what, words in {"run": _RUN, "trace": _TRACE}.items():
        yield Case("outputs", f"{what}: no more than 4 KiB can be written", _limited(words))


def _file(scratch: Scratch) -> Path:
    path = scratch.work / "there.gemmviz"
    path.write_text(_KEPT, encoding="utf-8")
    return path


def _link(scratch: Scratch) -> Path:
    (scratch.work / "far.gemmviz").write_text(_KEPT, encoding="utf-8")
    path = scratch.work / "there.gemmviz"
    path.symlink_to("far.gemmviz")
    return path


def _dangling(scratch: Scratch) -> Path:
    path = scratch.work / "there.gemmviz"
    path.symlink_to("nowhere.gemmviz")
    return path


def _folder(scratch: Scratch) -> Path:
    path = scratch.work / "there.gemmviz"
    path.mkdir()
    return path


def _pipe(scratch: Scratch) -> Path:
    path = scratch.work / "there.gemmviz"
    os.mkfifo(path)
    return path


def _read_only_folder(scratch: Scratch) -> Path:
    if os.geteuid() == 0:
        raise CannotTryError("root may write to any folder")
    folder = scratch.work / "kept"
    folder.mkdir(mode=0o500)
    return folder / "there.gemmviz"


_PLACES: dict[str, tuple[Prepare, tuple[int, ...]]] = {
    "a folder": (_folder, (1, 2)),
    "a folder that is not there": (lambda scratch: scratch.work / "no" / "there.gemmviz", (1, 2)),
    "below a file": (lambda scratch: _file(scratch) / "there.gemmviz", (1, 2)),
    "in /proc": (lambda _: Path("/proc/nowhere/there.gemmviz"), (1, 2)),
    "/dev/full": (lambda _: Path("/dev/full"), (1, 2)),
    "a pipe": (_pipe, (1, 2)),
    "a read-only folder": (_read_only_folder, (1, 2)),
    "a name of 300 characters": (lambda scratch: scratch.work / ("x" * 300 + ".gemmviz"), (1, 2)),
    "no name": (lambda _: Path(), (1, 2)),
}
_OCCUPIED: dict[str, Prepare] = {"a file": _file, "a link": _link, "a dangling link": _dangling}


def _in_export(make: Callable[[Path], object]) -> Prepare:
    def prepare(scratch: Scratch) -> Path:
        path = scratch.work / "exported"
        make(path)
        return path

    return prepare


_FOLDERS: dict[str, tuple[Prepare, tuple[int, ...]]] = {
    "over a file": (_in_export(lambda path: path.write_text(_KEPT, encoding="utf-8")), (1, 2)),
    "into a pipe": (_in_export(os.mkfifo), (1, 2)),
    "a dangling link": (_in_export(lambda path: path.symlink_to("nowhere")), (1, 2)),
    "in /proc": (lambda _: Path("/proc/nowhere/exported"), (1, 2)),
    "below a file": (lambda scratch: _file(scratch) / "exported", (1, 2)),
    "a name of 300 characters": (lambda scratch: scratch.work / ("x" * 300), (1, 2)),
}


def _refused(words: tuple[str, ...], prepare: Prepare, codes: tuple[int, ...]) -> Callable[[Scratch], None]:
    def attempt(scratch: Scratch) -> None:
        target = prepare(scratch)
        check_refused(scratch.run(*words, target), codes, ".")
        scratch.check_nothing_left()

    return attempt


def _kept(words: tuple[str, ...], prepare: Prepare) -> Callable[[Scratch], None]:
    """What stands there stays."""

    def attempt(scratch: Scratch) -> None:
        before = _state(prepare(scratch).parent)
        check_refused(scratch.run(*words, scratch.work / "there.gemmviz"), (1, 2), ".")
        if _state(scratch.work) != before:
            raise LostError("a file was overwritten in silence")
        scratch.check_nothing_left()

    return attempt


def _forced(words: tuple[str, ...], prepare: Prepare) -> Callable[[Scratch], None]:
    """--force replaces a file, and never goes through a link."""

    def attempt(scratch: Scratch) -> None:
        target = prepare(scratch)
        before = _state(scratch.work)
        ended = scratch.run(*words, target)
        if not target.is_symlink():
            check_works(ended)
            if _state(scratch.work) == before:
                raise LostError("--force did not replace the file")
        else:
            check_refused(ended, (1, 2), "link")
            if _state(scratch.work) != before:
                raise LostError("it was written through a link")
        scratch.check_nothing_left()

    return attempt


def _state(folder: Path) -> dict[str, bytes]:
    """Names and contents of all files, and where links lead."""
    return {
        str(path.relative_to(folder)): bytes(path.readlink()) if path.is_symlink() else path.read_bytes()
        for path in folder.rglob("*")
        if path.is_symlink() or path.is_file()
    }


def _export_twice(sound: Path) -> Callable[[Scratch], None]:
    def attempt(scratch: Scratch) -> None:
        words = ("export", str(sound), "--format", "csv", "--out", "exported")
        check_works(scratch.run(*words))
        first = min((scratch.work / "exported").rglob("*.csv"))
        first.write_text(_KEPT, encoding="utf-8")
        before = _state(scratch.work)
        check_refused(scratch.run(*words), (1, 2), "--force")
        if _state(scratch.work) != before:
            raise LostError("a file was overwritten in silence")
        check_works(scratch.run(*words, "--force"))
        if first.read_text(encoding="utf-8") == _KEPT:
            raise LostError("--force did not replace the file")
        scratch.check_nothing_left()

    return attempt


def _export_over_link(sound: Path, which: str) -> Callable[[Scratch], None]:
    def attempt(scratch: Scratch) -> None:
        words = ("export", str(sound), "--format", "csv", "--out", "exported", "--force")
        check_works(scratch.run(*words))
        files = sorted((scratch.work / "exported").rglob("*.csv"))
        target = files[0] if which == "first" else files[-1]
        for path in files:
            path.write_text(_KEPT, encoding="utf-8")
        (scratch.work / "far.csv").write_text(_KEPT, encoding="utf-8")
        target.unlink()
        target.symlink_to("../far.csv")
        before = _state(scratch.work)
        check_refused(scratch.run(*words), (1, 2), "link")
        if _state(scratch.work) != before:
            raise LostError("some files were replaced before the link was met")
        scratch.check_nothing_left()

    return attempt


def _full(words: tuple[str, ...]) -> Callable[[Scratch], None]:
    def attempt(scratch: Scratch) -> None:
        with Path("/dev/full").open("wb") as full:
            check_refused(scratch.run(*words, stdout=full.fileno()), (1,), "cannot write the output")
        scratch.check_nothing_left()

    return attempt


def _closed(words: tuple[str, ...]) -> Callable[[Scratch], None]:
    def attempt(scratch: Scratch) -> None:
        process = scratch.start(words)
        assert process.stdout is not None
        process.stdout.close()
        process.stdout = None
        ended = scratch.end(process, 60.0)
        if ended.code not in (0, 1, 141, -13) or "Traceback" in ended.err:
            raise LostError(f"exit code {ended.code}: {ended.err.strip()[-200:]}")
        scratch.check_nothing_left()

    return attempt


def _narrow(words: tuple[str, ...], columns: int) -> Callable[[Scratch], None]:
    """Nothing is cut in silence: names are whole (perhaps over lines), or it is said that there is no room."""

    def attempt(scratch: Scratch) -> None:
        ended = scratch.run(*words, environment={"COLUMNS": str(columns)})
        check_works(ended)
        if "…" in ended.out and "narrow" not in ended.out + ended.err:
            raise LostError("something was cut, and it is not said")

    return attempt


def _limited(words: tuple[str, ...]) -> Callable[[Scratch], None]:
    """The disk is full: a limit on the size of files stands for it."""

    def attempt(scratch: Scratch) -> None:
        warm = scratch.run(*words)
        check_works(warm)
        ended = scratch.run_by_shell(f"ulimit -f 4; gemmviz {' '.join(words)} --out kept.gemmviz")
        if ended.code == 0:
            return
        check_refused(ended, (1, 2), ".")
        if (scratch.work / "kept.gemmviz").exists() and scratch.run("report", "kept.gemmviz").code != 0:
            raise LostError("half a session stands under the name asked for")
        scratch.check_nothing_left(folders=False)

    return attempt

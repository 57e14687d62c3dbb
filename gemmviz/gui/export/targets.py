"""Which files an export writes, known before it begins, so that none is replaced that was not to be. No Qt."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from gemmviz.domain.files.atomic import WriteError, check_target
from gemmviz.domain.files.csv_files import ExportError
from gemmviz.domain.recordings.trace_tables import TRACE_TABLES, tables_of
from gemmviz.domain.runs.result import Session
from gemmviz.domain.runs.tables import RUNS_CSV, SAMPLES_CSV
from gemmviz.gui.charts.plot_table import Plot
from gemmviz.gui.export.film.folder import PATTERN
from gemmviz.gui.export.pictures.still_choice import EVERY_BLOCK, StillChoice
from gemmviz.gui.export.plan import Planned, planned, planned_tables
from gemmviz.gui.recording.block_names import table_prefix

CSV = "csv"
RUN_FILES = RUNS_CSV, SAMPLES_CSV
TRACE_FILES = tuple(table.file for table in TRACE_TABLES)


def wanted_pictures(
    session: Session, names: Collection[str] | None, still: StillChoice = EVERY_BLOCK
) -> tuple[Planned, ...]:
    """The pictures of an export: of the charts in `names` or of all, of memory those that `still` says."""
    stems = still.stems
    found = planned(session, names)
    return tuple(one for one in found if one.plot is not Plot.MEMORY or stems is None or one.name in stems)


def fixed_tables(
    session: Session, files: Collection[str] | None = None, formats: Collection[str] = (CSV,)
) -> tuple[str, ...]:
    """The tables of all runs and recordings that an export writes: those of `files`, which are CSV whatever `formats`
    charts have; without `files` all of them where CSV is a format.
    """
    if files is None and CSV not in formats:
        return ()
    found = *RUN_FILES, *(table.file for table in tables_of(session.traces))
    return tuple(file for file in found if files is None or file in files)


def export_targets(
    session: Session,
    folder: Path,
    formats: Collection[str],
    names: Collection[str] | None = None,
    still: StillChoice = EVERY_BLOCK,
    tables: Collection[str] | None = None,
) -> tuple[Path, ...]:
    """The pictures and tables that `export_steps` writes, each once."""
    suffixes = [form for form in formats if form != CSV]
    pictures = wanted_pictures(session, names, still) if suffixes else ()
    names_of_files = [still.file_of(one.name) if one.plot is Plot.MEMORY else one.name for one in pictures]
    files = [f"{name}.{suffix}" for name in names_of_files for suffix in suffixes]
    prefix = table_prefix(session.traces)
    files += (f"{prefix if file in TRACE_FILES else ''}{file}" for file in fixed_tables(session, tables, formats))
    if CSV in formats:
        files += [f"{table.name}.{CSV}" for table in planned_tables(session, names)]
    return tuple(folder / file for file in dict.fromkeys(files))


def check_targets(paths: Iterable[Path], *, may_replace: bool) -> None:
    """See that every file, and every folder of PNG frames, can be written, before the first one is.

    Raises:
        ExportError: one cannot, or is there and `may_replace` is False.
    """
    for path in paths:
        if not path.suffix:
            check_folder(path, may_replace=may_replace)
            continue
        try:
            check_target(path, may_replace=may_replace)
        except WriteError as error:
            raise ExportError(str(error)) from error


def check_folder(path: Path, *, may_replace: bool) -> None:
    """See that a folder of PNG frames can get this name.

    Raises:
        ExportError: it is a link or a file, holds other files, or is there and `may_replace` is False.
    """
    if path.is_symlink():
        raise ExportError(f"cannot replace {path}: it is a link. Move it or choose another folder")
    if not path.exists():
        return
    if not path.is_dir():
        raise ExportError(f"cannot replace {path}: it is a file. Move it or choose another folder")
    strangers = sorted(set(path.iterdir()) - set(path.glob(PATTERN)))
    if strangers:
        raise ExportError(f"cannot replace {path}: it holds {strangers[0].name}. Move that or choose another folder")
    if not may_replace:
        raise ExportError(f"cannot replace {path}: it already exists. Move it or choose another folder")


def existing(paths: Iterable[Path]) -> tuple[Path, ...]:
    """Those whose name is taken, by a link that leads nowhere too."""
    return tuple(path for path in paths if path.is_symlink() or path.exists())


State = tuple[int, int, int]
"""Modification time in ns, size in bytes, number of the file on its disk."""


def states(paths: Iterable[Path]) -> dict[Path, State]:
    """What there is of files, those in folders of PNG frames too, before an export or after it."""
    found: dict[Path, State] = {}
    for path in paths:
        for file in sorted(path.glob(PATTERN)) if path.is_dir() else (path,):
            with suppress(OSError):
                told = file.lstat()
                found[file] = told.st_mtime_ns, told.st_size, told.st_ino
    return found


def files_written(paths: Iterable[Path], before: Mapping[Path, State]) -> tuple[Path, ...]:
    """Which files of an export are another than `before` it: those that it has written by now."""
    return tuple(path for path, state in states(paths).items() if before.get(path) != state)


def taken_words(paths: Sequence[Path], most: int = 3) -> str:
    """Which files are there, some by name: "kernel_time.png, rate.png and 7 more"."""
    more = f" and {len(paths) - most} more" if len(paths) > most else ""
    return f"{', '.join(path.name for path in paths[:most])}{more}"

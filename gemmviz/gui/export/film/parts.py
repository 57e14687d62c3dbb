"""Temporary places beside the final ones: a film is there whole or not at all."""

from __future__ import annotations

import errno
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from gemmviz.domain.atomic import describe_write_fault
from gemmviz.domain.csv_files import ExportError
from gemmviz.gui.export.film.folder import PATTERN
from gemmviz.gui.export.film.mp4 import NoFfmpegError


@contextmanager
def part_of_file(path: Path) -> Iterator[Path]:
    """A name beside `path` to write to; the file gets its own name at the end, or goes if anything goes wrong.

    Raises:
        ExportError: for every OSError, with the reason and the remedy.
    """
    part = _beside(path)
    try:
        with faults_told(path):
            if path.is_dir():
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            yield part
            part.replace(path)
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


@contextmanager
def part_of_folder(path: Path) -> Iterator[Path]:
    """A new folder beside `path` to write to, which takes its place at the end, or goes if anything goes wrong.

    A folder of that name goes if it holds numbered pictures and nothing else.

    Raises:
        ExportError: there are other files in it; or for every OSError, with the reason and the remedy.
    """
    part, old = _beside(path), _beside(path)
    try:
        with faults_told(path):
            _check_replaceable(path)
            part.mkdir()
            yield part
            if path.exists():
                path.rename(old)
            part.rename(path)
    finally:
        shutil.rmtree(part, ignore_errors=True)
        if old.exists() and not path.exists():  # the new one did not get its name
            old.rename(path)
        shutil.rmtree(old, ignore_errors=True)


def _check_replaceable(path: Path) -> None:
    if not path.exists():
        return
    if not path.is_dir():
        raise ExportError(f"cannot replace {path}: it is a file: move it or choose another folder")
    strangers = sorted(set(path.iterdir()) - set(path.glob(PATTERN)))
    if strangers:
        raise ExportError(f"cannot replace {path}: it holds {strangers[0].name}: move that or choose another folder")


def _beside(path: Path) -> Path:
    return path.parent / f".gemmviz-{secrets.token_hex(8)}.part{path.suffix}"


@contextmanager
def faults_told(path: Path) -> Iterator[None]:
    """Whatever keeps a film from being made, as an ExportError that names its file."""
    try:
        yield
    except NoFfmpegError:
        raise
    except ExportError as error:
        raise ExportError(_with_path(path, str(error))) from error
    except MemoryError as error:
        raise ExportError(f"cannot write {path}: {error} do not fit in memory: choose a smaller size") from error
    except OSError as error:
        raise ExportError(describe_write_fault(path, error)) from error


def _with_path(path: Path, words: str) -> str:
    return words if words.startswith("cannot ") else f"cannot write {path}: {words}"

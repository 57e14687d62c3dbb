"""Temporary places beside the final ones: a film is there whole or not at all."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gemmviz.domain.files.atomic import WriteError, describe_write_fault, replacement_of
from gemmviz.domain.files.csv_files import ExportError
from gemmviz.domain.files.leftovers import part_beside, removed_in_the_end
from gemmviz.gui.export.film.mp4 import NoFfmpegError
from gemmviz.gui.export.targets import check_folder


@contextmanager
def temporary_file(path: Path, may_replace: bool = True) -> Iterator[Path]:
    """A name beside `path` to write to; the file gets its own name at the end, or goes if anything goes wrong.

    Raises:
        ExportError: for every OSError, with the reason and the remedy.
    """
    with film_export_errors(path), replacement_of(path, may_replace=may_replace) as part:
        yield part


@contextmanager
def temporary_folder(path: Path, may_replace: bool = True) -> Iterator[Path]:
    """A new folder beside `path` to write to, which takes its place at the end, or goes if anything goes wrong.

    A folder of that name goes if it holds numbered pictures and nothing else.

    Raises:
        ExportError: there are other files in it; or for every OSError, with the reason and the remedy.
    """
    part = part_beside(path)
    old = path.with_name(f".{path.name}-{secrets.token_hex(4)}.old")  # a person's own, which no later start removes
    try:
        with removed_in_the_end(part), film_export_errors(path):
            check_folder(path, may_replace=may_replace)
            part.mkdir()
            yield part
            check_folder(path, may_replace=may_replace)
            if path.exists():
                path.rename(old)
            part.rename(path)
    finally:
        if old.exists() and not path.exists():  # the new one did not get its name
            old.rename(path)
        shutil.rmtree(old, ignore_errors=True)


@contextmanager
def film_export_errors(path: Path) -> Iterator[None]:
    """Whatever keeps a film from being made, as an ExportError that names its file."""
    try:
        yield
    except NoFfmpegError:
        raise
    except ExportError as error:
        raise ExportError(_with_path(path, str(error))) from error
    except MemoryError as error:
        raise ExportError(f"cannot write {path}: {error} do not fit in memory. Choose a smaller size") from error
    except WriteError as error:
        raise ExportError(str(error)) from error
    except OSError as error:
        raise ExportError(describe_write_fault(path, error)) from error


def _with_path(path: Path, words: str) -> str:
    return words if words.startswith("cannot ") else f"cannot write {path}: {words}"

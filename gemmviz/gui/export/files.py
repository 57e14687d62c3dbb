"""What all exports share: bytes as a whole file, faults in words, waiting for a thread without standing still."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, TypeVar

from gemmviz.domain.files.atomic import WriteError, write_atomically
from gemmviz.domain.runs.tables import ExportError
from gemmviz.gui.widgets.widget_image import PictureTooLargeError

_WAIT_S = 0.01

T = TypeVar("T")


def awaited(work: Future[T]) -> Iterator[None]:
    """Yields until the work is done; then raises what it raised."""
    while not wait((work,), _WAIT_S).done:
        yield
    work.result()


@contextmanager
def export_errors(path: Path) -> Iterator[None]:
    """Whatever keeps a picture from being made, as an ExportError."""
    try:
        yield
    except PictureTooLargeError as error:
        raise ExportError(f"cannot write {path}: {error}") from error
    except (OSError, MemoryError) as error:
        raise ExportError(
            f"cannot write {path}: {error or 'it does not fit in memory'}. Choose a smaller scale"
        ) from error


def write_file(path: Path, data: bytes, *, may_replace: bool = True) -> None:
    """Write a file, whole or not at all.

    Raises:
        ExportError: the folder or the file cannot be written.
    """

    def put(file: BinaryIO) -> None:
        file.write(data)

    try:
        write_atomically(path, put, may_replace=may_replace)
    except WriteError as error:
        raise ExportError(str(error)) from error

"""Saving a session to one file and opening it again.

A .gemmviz file is a zip of `manifest.json` and one `arrays/NAME.npy` for each column the manifest names.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from gemmviz.domain.files.atomic import ExistsError, WriteError, write_atomically
from gemmviz.domain.files.bounded_read import ReadError
from gemmviz.domain.runs.result import Session
from gemmviz.domain.session.archive import ArchiveError, ArchiveReader, open_archive, write_archive
from gemmviz.domain.session.arrays import Array, ArrayError, pack_array, unpack_array
from gemmviz.domain.session.checks import faults_of
from gemmviz.domain.session.codec import CodecError, decode, encode
from gemmviz.domain.session.manifest import (
    ColumnFacts,
    ManifestError,
    column_facts,
    read_manifest,
    write_manifest,
)
from gemmviz.domain.session.upgrade import upgrade

__all__ = ["MANIFEST", "MAX_MANIFEST_BYTES", "Session", "SessionError", "TakenError", "load_session", "save_session"]

MANIFEST = "manifest.json"
MAX_MANIFEST_BYTES = 2**28
MOST_PLAIN_RUNS = 1000
"""A session of more runs is packed: each of its columns as an entry of its own would make a slow and large file."""

_REMEDY = "Copy it again, or repeat the runs"


class SessionError(ValueError):
    """A session file that cannot be written or opened; one line names the file, the fault and the remedy."""


class TakenError(SessionError):
    """A file that was not to be replaced is there."""


FILE_TEXTS = "file_texts"
"""The field of a Session that is of this machine's files, and in no file of a session."""


def save_session(session: Session, path: Path, *, may_replace: bool = True, quickly: bool = False) -> None:
    """Write the session to `path`; the same session gives the same bytes. `quickly` neither packs it nor waits for the
    disk.

    A file that is there is replaced at once or, where anything goes wrong, left as it was; a link never is. What
    could not be opened again is not written.

    Raises:
        TakenError: a file is there, and `may_replace` is False.
        SessionError: the folder or file cannot be written, or the session holds what no file can.
    """
    try:
        tree, columns = encode(session, packed=len(session.runs) > MOST_PLAIN_RUNS)
        del tree[FILE_TEXTS]
        manifest = write_manifest(tree, columns)
        if len(manifest) > MAX_MANIFEST_BYTES:
            raise ArchiveError(f"it says more than {MAX_MANIFEST_BYTES} bytes about its runs. Save fewer in one file")
        _build_session(tree, columns)
        entries = {MANIFEST: manifest}
        entries.update((_entry(name), pack_array(column)) for name, column in columns.items())
        write_atomically(
            path,
            lambda file: write_archive(file, entries, packed=not quickly),
            may_replace=may_replace,
            sync=not quickly,
        )
    except ExistsError as error:
        raise TakenError(_one_line(error)) from error
    except WriteError as error:
        raise SessionError(_one_line(error)) from error
    except (ArchiveError, ArrayError, CodecError, ManifestError) as error:
        raise SessionError(f"cannot save {path}: {_one_line(error)}") from error


def session_fault(path: Path) -> str:
    """Why a file is none that `load_session` opens, told without reading what is in it; "" if it may be one."""
    try:
        with open_archive(path):
            return ""
    except ReadError as error:
        return f"cannot open {path}: {error.reason}"
    except (ArchiveError, OSError, ValueError) as error:
        return f"cannot open {path}: {_one_line(error)}"


def load_session(path: Path) -> Session:
    """Open what `save_session` wrote. Its columns are read-only. Nothing is unpacked to the disk or executed.

    Raises:
        SessionError: the file is not there or not readable, cut off, another program's, made by a newer
            gemmviz, or holds anything besides a sound session.
    """
    try:
        with open_archive(path) as archive:
            manifest = read_manifest(archive.read(MANIFEST, MAX_MANIFEST_BYTES))
            columns = _read_columns(archive, manifest.columns)
            upgrade(manifest.tree, columns, manifest.version)
            return _build_session(manifest.tree, columns, is_older=manifest.is_older)
    except (ArchiveError, ManifestError) as error:
        raise SessionError(f"cannot open {path}: {_one_line(error)}") from error
    except (ArrayError, CodecError) as error:
        raise SessionError(f"cannot open {path}: {_one_line(error)}. {_REMEDY}") from error
    except ReadError as error:
        raise SessionError(f"cannot open {path}: {error.reason}") from error
    except (OSError, ValueError) as error:
        raise SessionError(f"cannot open {path}: {_one_line(error)}. Check the name and the disk") from error
    except MemoryError as error:
        raise SessionError(f"cannot open {path}: it does not fit in memory. Close other programs") from error


def _entry(column: str) -> str:
    return f"arrays/{column}.npy"


def _read_columns(archive: ArchiveReader, stated: Mapping[str, ColumnFacts]) -> dict[str, Array]:
    entries = {_entry(name): name for name in stated}
    unknown = archive.names - entries.keys() - {MANIFEST}
    if unknown:
        raise ArrayError(f"it holds {min(unknown)!r}, which its manifest does not name")
    missing = entries.keys() - archive.names
    if missing:
        raise ArrayError(f"its {min(missing)!r} is missing")
    return {name: _read_column(archive, entry, stated[name]) for entry, name in entries.items()}


def _read_column(archive: ArchiveReader, entry: str, stated: ColumnFacts) -> Array:
    try:
        column = unpack_array(archive.read(entry))
    except ArrayError as error:
        raise ArrayError(f"its {entry!r} {error}") from error
    facts = column_facts(column)
    if facts != stated:
        raise ArrayError(
            f"its {entry!r} holds {facts.dtype} of shape {facts.shape}, "
            f"its manifest says {stated.dtype!r} of shape {stated.shape}"
        )
    return column


def _build_session(tree: object, columns: Mapping[str, Array], *, is_older: bool = False) -> Session:
    """The session, if its runs are such that views and tables can be made from them."""
    if isinstance(tree, dict):
        tree = {**tree, FILE_TEXTS: []}
    session = decode(tree, columns, Session, is_older=is_older)
    for fault in faults_of(session):
        raise CodecError(fault)
    return session


def _one_line(error: BaseException) -> str:
    text = " ".join(str(error).split())
    return text if len(text) <= 400 else text[:400] + " …"

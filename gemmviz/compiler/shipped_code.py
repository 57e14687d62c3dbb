"""PTX of the catalogue that comes along, for systems that NVIDIA's compiler does not exist for."""

from __future__ import annotations

import zipfile
from contextlib import suppress
from pathlib import Path

from gemmviz.compiler.code_cache import MOST_MADE_BYTES, Made
from gemmviz.resources import resource_folder

TARGET = "sm_90a"
"""The only architecture that it was compiled for."""
RELEASE = "release"
"""The file of the archive that has the compiler's release."""


def archive_path() -> Path:
    """Where the archive is, or is to be."""
    return resource_folder("assets") / "ptx.zip"


def is_there() -> bool:
    return archive_path().is_file()


def shipped_code(key: str) -> tuple[str, Made] | None:
    """The compiler's release, and the PTX and log of what has that key; None if it does not come along."""
    with suppress(OSError, KeyError, zipfile.BadZipFile), zipfile.ZipFile(archive_path()) as archive:
        ptx, log = (_text(archive, f"{key}.{kind}") for kind in ("ptx", "log"))
        return _text(archive, RELEASE), (b"", ptx, log)
    return None


def _text(archive: zipfile.ZipFile, name: str) -> str:
    with archive.open(name) as file:
        return file.read(MOST_MADE_BYTES).decode()

"""Files that a Python file reads its kernel's source from: those in its folder and below."""

from __future__ import annotations

import os
from pathlib import Path

from gemmviz.catalogue.languages.row import LanguageError
from gemmviz.domain.files.bounded_read import ReadError, read_text

_MOST_BYTES = 2**21


def text_beside(file: Path, named: Path, line: int) -> tuple[Path, str]:
    """The path and the text of a file that a Python file names in this line; a relative path begins in its folder.

    Raises:
        LanguageError: it is not in the folder or below, or cannot be read.
    """
    folder = Path(os.path.realpath(file.parent))
    path = Path(os.path.realpath(folder / named))
    if not path.is_relative_to(folder):
        raise LanguageError(
            f"it reads its source from {str(named)!r}, which is not in the folder of {file.name} or below: put it "
            "there",
            line,
        )
    try:
        return path, read_text(path, _MOST_BYTES, "utf-8-sig")
    except ReadError as error:
        raise LanguageError(f"it reads its source from {str(named)!r}: {error.reason}", line) from error

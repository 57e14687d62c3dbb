"""`gemmviz export`: a saved session's figures as files."""

from __future__ import annotations

from pathlib import Path

from gemmviz.cli.faults import BadInputError
from gemmviz.domain.session import SessionError, load_session
from gemmviz.domain.tables import ExportError, export_csv

FORMATS = ("csv",)


def export_and_print(session: Path, out: Path, formats: str) -> int:
    """Write every format asked for and print the names of the files.

    Raises:
        BadInputError: an unknown format, a file that is no session, a folder that cannot be written to.
    """
    wanted = [word.strip() for word in formats.split(",")]
    for word in wanted:
        if word not in FORMATS:
            raise BadInputError(f"--format {word}: choose from {', '.join(FORMATS)}")
    try:
        written = export_csv(load_session(session), out)
    except SessionError as error:
        raise BadInputError(str(error)) from error
    except ExportError as error:
        raise BadInputError(f"--out {out}: {error}") from error
    for path in written:
        print(path)
    return 0

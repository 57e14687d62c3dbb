"""No file that is there is replaced without --force, none through a link; both are found out before the work starts."""

from __future__ import annotations

import tempfile
from pathlib import Path

from gemmviz.cli.faults import FAILED, BadInputError, complain
from gemmviz.domain.files.atomic import ExistsError, WriteError, check_target
from gemmviz.domain.session.session import Session, SessionError, TakenError, save_session

_MOST_TRIES = 1000
REMEDY = "Choose another name, or replace it with --force"


def checked_out(out: Path | None, force: bool, option: str = "--out") -> Path | None:
    """The file that a session is to be saved to, once it is clear that it can be.

    Raises:
        BadInputError: it is there and `force` is False, or is a link, a folder or a device, or cannot be written.
    """
    if out is None:
        return None
    folder = out.parent
    try:
        if out.is_dir() and not out.is_symlink():
            raise BadInputError(f"{option} {out}: this is a folder. Give a file name")
        if not folder.is_dir():
            raise BadInputError(f"{option} {out}: the folder {folder} does not exist. Create it first")
        check_target(out, may_replace=force)
        with tempfile.NamedTemporaryFile(dir=folder, prefix=".gemmviz-", suffix=".part"):
            pass
    except ExistsError as error:
        raise BadInputError(f"{option} {out}: the file already exists. {REMEDY}") from error
    except WriteError as error:
        raise BadInputError(f"{option} {str(error).removeprefix('cannot write ')}") from error
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise BadInputError(
            f"{option} {out}: cannot write to the folder {folder} ({reason or error}). Choose another one"
        ) from error
    return out


def save_if_asked(session: Session, path: Path | None, option: str = "--out", *, may_replace: bool = False) -> int:
    """Save a session where `option` names a file; the exit code. What stands in the way is told.

    A file that came there while the work went on is left as it is: the session gets a name beside it.
    """
    if path is None:
        return 0
    try:
        save_session(session, path, may_replace=may_replace)
    except TakenError:
        return _save_beside(session, path, option)
    except SessionError as error:
        complain(f"{option} {path}: {error}")
        return FAILED
    return 0


def _save_beside(session: Session, path: Path, option: str) -> int:
    for number in range(2, _MOST_TRIES):
        other = path.with_stem(f"{path.stem}-{number}")
        try:
            save_session(session, other, may_replace=False)
        except TakenError:
            continue
        except SessionError as error:
            complain(f"{option} {path}: {error}")
            return FAILED
        complain(f"{option} {path}: another file appeared under this name and was not replaced; saved {other} instead")
        return FAILED
    complain(f"{option} {path}: another file appeared under this name and was not replaced; nothing was saved")
    return FAILED

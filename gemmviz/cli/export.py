"""`gemmviz export`: a saved session's figures as files, with no display."""

from __future__ import annotations

import sys
from pathlib import Path

from gemmviz.cli.faults import FAILED, BadInputError, complain
from gemmviz.cli.progress import Progress
from gemmviz.domain.result import Session
from gemmviz.domain.session import SessionError, load_session
from gemmviz.domain.tables import ExportError
from gemmviz.gui.display_check import display_fault
from gemmviz.gui.export_plan import FORMATS, Plot, left_out
from gemmviz.gui.export_tables import export_tables
from gemmviz.gui.theme import ThemeChoice, theme_for

MOST_SCALE = 8.0


def export_and_print(
    session: Path, out: Path, formats: str, scale: float = 1.0, theme: str = "light", plots: str | None = None
) -> int:
    """Write every format asked for and print the names of the files; the exit code.

    Raises:
        BadInputError: an unknown format, theme or chart, a scale out of range, a file that is no session, a folder that
            cannot be written to.
    """
    wanted = _words("--format", formats, FORMATS)
    names = None if plots is None else _words("--plot", plots, tuple(Plot))
    if theme not in ("light", "dark"):
        raise BadInputError(f"--theme {theme}: choose light or dark")
    if not 0.1 <= scale <= MOST_SCALE:
        raise BadInputError(f"--scale {scale:g}: give a number from 0.1 to {MOST_SCALE:g}")
    try:
        loaded = load_session(session)
    except SessionError as error:
        raise BadInputError(str(error)) from error
    try:
        if set(wanted) == {"csv"}:  # nothing of Qt is needed, nor imported
            written = export_tables(loaded, out, names)
        else:
            fault = display_fault({"QT_QPA_PLATFORM": "offscreen"})
            if fault is not None:
                complain(f"--format {formats}: {fault.split(';')[0]}; --format csv works without")
                return FAILED
            written = _draw(loaded, out, wanted, scale, ThemeChoice(theme), names)
    except ExportError as error:
        raise BadInputError(f"--out {out}: {error}") from error
    for path in written:
        print(path)
    if set(wanted) != {"csv"} and (names is None or Plot.ERROR_MAP in names) and left_out(loaded):
        print(f"gemmviz: {left_out(loaded)}", file=sys.stderr)
    if not written:
        complain(f"{session} has nothing to draw{' of these charts' if names else ': it holds no runs or recordings'}")
        return FAILED
    return 0


def _words(option: str, given: str, known: tuple[str, ...]) -> list[str]:
    words = list(dict.fromkeys(word.strip() for word in given.split(",")))
    for word in words:
        if word not in known:
            raise BadInputError(f"{option} {word}: choose from {', '.join(known)}")
    return words


def _draw(
    session: Session, out: Path, formats: list[str], scale: float, theme: ThemeChoice, names: list[str] | None
) -> list[Path]:
    from gemmviz.gui.export_offscreen import export_offscreen

    written = []
    with Progress(1) as progress:
        progress.next()
        for step in export_offscreen(session, out, formats, scale, theme_for(theme, False), names):
            if step.path is not None:
                progress.say(step.path.name)
                progress.advance(step.done / max(step.total, 1))
                written.append(step.path)
    return written

"""Messages about the file of the session."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from gemmviz.gui.files.document import SessionDocument
from gemmviz.gui.files.session_control import SessionControl
from gemmviz.gui.notices.bar import NoticeBar
from gemmviz.gui.notices.notice import HAZARDS, NoticeAction, NoticeKind

FILE, COPY = "file", "copy"
"""The causes of messages about the session's file, and of the one that an example has become a person's own copy."""
EXAMPLE = "example"
"""The cause of the message that says where to look in an example."""
CLOSED = "closed"
"""The cause of the message that an example was closed for a session in which there is nothing yet."""


def follow_document(notices: NoticeBar, document: SessionDocument, files: SessionControl) -> None:
    """Tell what becomes of the file of the session, and take back what is true no more."""
    document.replaced.connect(lambda: _settle(notices, FILE, COPY, CLOSED, EXAMPLE, HAZARDS))
    document.saved.connect(lambda: _settle(notices, FILE, COPY, CLOSED))
    document.changed.connect(lambda: _settle(notices, *((CLOSED,) if document.session.has_results else ())))
    document.failed.connect(lambda why: notices.show_notice(NoticeKind.ERROR, why, cause=FILE))
    document.example_left.connect(partial(tell_example_left, notices, files.save_as))
    document.example_closed.connect(partial(tell_example_closed, notices, files.open_copy))


def _settle(notices: NoticeBar, *causes: str) -> None:
    for cause in causes:
        notices.settle(cause)


def tell_example_left(notices: NoticeBar, save_as: Callable[[], None], title: str) -> None:
    """An example has become a person's own copy."""
    words = f"This is your own copy of “{title}” now; the example stays as it is. Save the copy to keep it."
    save = NoticeAction("Save copy…", save_as, "Ask for a name and save the copy")
    notices.show_notice(NoticeKind.HINT, words, actions=(save,), cause=COPY)


def tell_example_closed(notices: NoticeBar, open_again: Callable[[Path, str], None], path: Path, title: str) -> None:
    """Say that an example was closed for a kernel file that was opened, unless a person dismissed that before."""
    words = f"The file that you opened begins a new session. The example “{title}” is closed and stays as it is."
    again = NoticeAction("Open the example again", lambda: open_again(path, title), f"Open “{title}” again")
    notices.show_notice(NoticeKind.HINT, words, actions=(again,), cause=CLOSED, until_dismissed=str(path))


def tell_session_left(notices: NoticeBar, name: str, go_back: Callable[[], None] | None) -> None:
    """The session of that name was closed for one that lessons began; `go_back` opens its file, where it has one."""
    words = f"Runs and recordings of lessons are in a session of their own. “{name}” is closed and stays as it is."
    back = NoticeAction(f"Open {name}", go_back, "Open the file of the session that was closed") if go_back else None
    notices.show_notice(NoticeKind.HINT, words, actions=(back,) if back is not None else (), cause=COPY)

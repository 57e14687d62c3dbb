"""What a session shows once it is opened: where it was saved, or where the card of its example leads; and which of its
kernels are not here.
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction, QUndoStack

from gemmviz.domain.listing import listed
from gemmviz.domain.runs.session_kernels import kernels_of
from gemmviz.explain.block.heat_maps import HeatKind
from gemmviz.gui.control.examples_control import ExamplesControl, about_words, look_words
from gemmviz.gui.control.experiment_control import ExperimentControl
from gemmviz.gui.control.recent_control import RecentControl
from gemmviz.gui.files.document import SessionDocument
from gemmviz.gui.files.file_notices import EXAMPLE
from gemmviz.gui.layout.layout import WindowLayout
from gemmviz.gui.layout.parts import Parts
from gemmviz.gui.memory.memory_views import MEMORY_VIEWS
from gemmviz.gui.notices.notice import NoticeAction, NoticeKind
from gemmviz.gui.window.session_views import baseline_chosen, runs_chosen, saved_tab, tab_for

MISSING = "missing kernels"
"""The cause of the message that kernels of the session are not in the list."""


class OpenedSessions(QObject):
    """Brings an opened session into view, sets up what it shows, says of an example what to look at, and offers
    `open_files` for kernels that are not in the list.
    """

    def __init__(
        self,
        parts: Parts,
        layout: WindowLayout,
        document: SessionDocument,
        set_up: ExperimentControl,
        examples: ExamplesControl,
        recent: RecentControl,
        undo: QUndoStack,
        open_files: QAction,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._parts, self._layout, self._document = parts, layout, document
        self._set_up, self._examples, self._recent, self._undo = set_up, examples, recent, undo
        self._open_files, self._missing = open_files, tuple[str, ...]()
        set_up.changed.connect(self._renew_missing)
        document.replaced.connect(parts.results.forget_order)
        document.replaced.connect(self._begin_anew)
        document.opened.connect(self._on_opened)

    @Slot()
    def show(self) -> None:
        """Show the tab that the session was saved on, or the one to begin with, the plot that this tab showed, the runs
        that were chosen, and what they were compared with.
        """
        session, saved = self._document.session, self._document.session.shown
        shows_all = saved is not None and saved.shows_all
        self._parts.timing.choose(baseline_chosen(session), shows_all=shows_all)
        self._parts.results.select(runs_chosen(session))
        self._layout.show_tab(tab_for(session))
        if saved_tab(session) and saved is not None:
            self._parts.pages.show_plot(saved.tab, saved.plot)

    @Slot()
    def _begin_anew(self) -> None:
        """Bring every page to the view that a new window begins with: what a session does not say is not taken from the
        one before, nor put back what was taken out there.
        """
        self._undo.clear()
        self._missing = ()
        self._parts.notices.settle(MISSING)
        page = self._parts.memory_page
        page.show_again(HeatKind.NONE, MEMORY_VIEWS[0])
        page.options.heat_chosen.emit(HeatKind.NONE)
        page.options.step_chosen.emit(None)
        self._parts.pages.reset_views()

    @Slot(Path)
    def _on_opened(self, path: Path) -> None:
        session, example = self._document.session, self._examples.of(path)
        is_copy = example is not None and self._document.path is None
        if not is_copy:
            self._recent.use(path)
        if example is not None and not saved_tab(session):
            self._layout.show_tab(example.tab)
        else:
            self.show()
        self._set_up.use_session(session)
        self._missing = self._not_here()
        self._tell_missing()
        if example is not None and is_copy:
            about = about_words(example, session)
            self._parts.notices.show_notice(NoticeKind.HINT, look_words(example, session), about, cause=EXAMPLE)

    def _not_here(self) -> tuple[str, ...]:
        """The kernels of the session that are not in the list."""
        known = {kernel.id for kernel in self._set_up.catalogue.kernels}
        return tuple(name for name in kernels_of(self._document.session) if name not in known)

    @property
    def _missing_words(self) -> str:
        are, files, them = ("is", "its file", "it") if len(self._missing) == 1 else ("are", "their files", "them")
        return f"{listed(self._missing)} {are} not in the list of kernels: open {files} to run or record {them} again."

    def _tell_missing(self) -> None:
        """Say which kernels are not here, with a button that opens files."""
        if self._missing:
            what = "file" if len(self._missing) == 1 else "files"
            tip = "Choose a kernel file; what the session has of its kernel is set up"
            action = NoticeAction(f"Open kernel {what}…", self._open_files.trigger, tip, keeps=True)
            self._parts.notices.show_notice(
                NoticeKind.HINT, self._missing_words, actions=[action], cause=MISSING, waits_for_lessons=True
            )

    @Slot()
    def _renew_missing(self) -> None:
        """A kernel may have come that was not here: say it of the others alone, unless that was dismissed."""
        here = self._not_here()
        left = tuple(name for name in self._missing if name in here)
        if left == self._missing:
            return
        is_told = self._missing_words in self._parts.notices.texts()
        self._parts.notices.settle(MISSING)
        self._missing = left
        if is_told:
            self._tell_missing()

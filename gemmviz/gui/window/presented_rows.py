"""Chooses the rows of a chart that is presented: the same runs as are chosen in the results table."""

from __future__ import annotations

from PySide6.QtCore import QObject, SignalInstance, Slot
from PySide6.QtGui import QAction

from gemmviz.domain.runs.result import RunResult
from gemmviz.explain.figures.timing.ladder import shown_first
from gemmviz.gui.export.on_screen import charted_on_screen
from gemmviz.gui.files.document import SessionDocument
from gemmviz.gui.layout.layout import WindowLayout
from gemmviz.gui.layout.parts import Parts
from gemmviz.gui.looks.projector import dialog_scale
from gemmviz.gui.pages.table import PAGES
from gemmviz.gui.presentation.picture_screen import PictureScreen
from gemmviz.gui.presentation.rows_dialog import RowsDialog
from gemmviz.gui.tasks.deferred import deferred

Runs = tuple[RunResult, ...]


class PresentedRows(QObject):
    """Lets a key of the screens that `presented` hands on open a RowsDialog where the page in front compares runs, and
    presents anew by `present` what is chosen.
    """

    def __init__(
        self,
        presented: SignalInstance,
        parts: Parts,
        layout: WindowLayout,
        document: SessionDocument,
        present: QAction,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._parts, self._layout, self._document = parts, layout, document
        self._screen: PictureScreen | None = None
        self._later = deferred(self, lambda: present.trigger() if self._screen is not None else None)
        presented.connect(self._take)

    @Slot(object)
    def _take(self, screen: PictureScreen) -> None:
        compares = any(page.title == self._layout.tab and page.compares_chosen for page in PAGES)
        screen.set_has_rows(compares and len(self._parts.pages.charted(self._document.session, ()).runs) > 1)
        if screen is not self._screen:
            self._screen = screen
            screen.rows_asked.connect(self._ask)
            screen.closed.connect(self._on_closed)

    @Slot()
    def _ask(self) -> None:
        screen, session = self._screen, self._document.session
        if screen is None:
            return
        all_runs = self._parts.pages.charted(session, ()).runs
        chosen = self._parts.results.selected()
        main = shown_first(all_runs, self._parts.timing.baseline)
        shown = chosen or charted_on_screen(self._parts, session).timed
        factor = dialog_scale(screen)
        known = {id(run) for run in all_runs}
        runs = (*all_runs, *(run for run in chosen if id(run) not in known))
        dialog = RowsDialog(runs, shown, main, screen, factor=factor)
        dialog.accepted.connect(lambda: self._choose(dialog.ticked, all_runs, main))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _choose(self, ticked: Runs, all_runs: Runs, main: Runs) -> None:
        """Choose rows in the table, or none where the charts show these runs by themselves."""
        wanted = {id(run) for run in ticked}
        timing, results = self._parts.timing, self._parts.results
        is_all, is_main = (wanted == {id(run) for run in runs} for runs in (all_runs, main))
        runs = [run for run in self._document.session.runs if id(run) in wanted]
        results.select(() if is_all or is_main else runs)
        if is_all or is_main:
            timing.choose(timing.wanted_baseline, shows_all=is_all)
        self._later.start()

    @Slot()
    def _on_closed(self) -> None:
        if self.sender() is self._screen:
            self._screen = None

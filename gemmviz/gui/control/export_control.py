"""Exports from the window: the dialog, the steps of the work between which the window goes on, the clipboard."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtWidgets import QWidget

from gemmviz.domain.runs.result import Session
from gemmviz.domain.runs.tables import RUN_COLUMNS, ExportError, run_rows, write_csv
from gemmviz.gui.control.film_control import FilmControl
from gemmviz.gui.control.lessons.lesson_control import LessonControl
from gemmviz.gui.export.choice import ExportChoice
from gemmviz.gui.export.copy_shown import copy_shown
from gemmviz.gui.export.dialog import ExportDialog
from gemmviz.gui.export.drawn_view import ViewOnScreen, view_bytes
from gemmviz.gui.export.files import export_errors, write_file
from gemmviz.gui.export.film.choice import SLIDE_SIZE
from gemmviz.gui.export.film.progress_window import BUSY
from gemmviz.gui.export.film.request import FilmRequest
from gemmviz.gui.export.film.step_choice import StepFilmChoice
from gemmviz.gui.export.film_source import counted
from gemmviz.gui.export.handout.asked import NOTHING_FOR_HANDOUT, handout_asked
from gemmviz.gui.export.handout.dialog import HandoutDialog
from gemmviz.gui.export.items import WINDOW, charts_of, fixed_of, on_screen_of, targets_of
from gemmviz.gui.export.lesson.whole_lesson import whole_lesson_steps
from gemmviz.gui.export.offer import ExportOffer, export_offer
from gemmviz.gui.export.on_screen import view_on_screen
from gemmviz.gui.export.paused_behind import PausedBehind
from gemmviz.gui.export.presented import presented_on_screen, words_view
from gemmviz.gui.export.steps import ExportStep, export_steps, export_widget
from gemmviz.gui.export.targets import State, check_targets, existing, files_written, states
from gemmviz.gui.export.view_dialog import ViewExportDialog
from gemmviz.gui.files.document import SessionDocument
from gemmviz.gui.files.file_dialog import FileDialog
from gemmviz.gui.files.replacing import may_replace, with_suffix_asked
from gemmviz.gui.layout.layout import WindowLayout
from gemmviz.gui.layout.parts import Parts
from gemmviz.gui.looks.theme import Theme, ThemeChoice, theme_for
from gemmviz.gui.memory.page import MEMORY
from gemmviz.gui.notices.notice import NoticeKind
from gemmviz.gui.preferences import Preferences
from gemmviz.gui.presentation.picture_screen import NOT_HERE, ChartPresentation
from gemmviz.gui.recording.block_names import Beside, BlockName, Watched, recorded_block_names, watched_block_name
from gemmviz.gui.tasks.background import Background
from gemmviz.trace.frames.plan import FrameMode


class ExportControl(QObject):
    """Writes files and the clipboard for the window."""

    notified = Signal(object, str, str)
    """A NoticeKind, a sentence, and details or ""."""
    folder_used = Signal(Path)
    again_asked = Signal()
    """Ask once more what to export."""
    presented = Signal(object)
    """The PictureScreen that presents what is in front."""

    def __init__(
        self,
        window: QWidget,
        parts: Parts,
        layout: WindowLayout,
        memory: Preferences,
        document: SessionDocument,
        lessons: LessonControl,
    ) -> None:
        super().__init__(window)
        self._window, self._parts, self._layout, self._folder = window, parts, layout, memory.folder("export")
        self._document, self._lessons = document, lessons
        self._charts = ChartPresentation(window, self.presented.emit)
        layout.centre.currentChanged.connect(lambda _: parts.notices.settle(NOT_HERE))
        self._dialog: ExportDialog | None = None
        self._steps: Iterator[ExportStep] | None = None
        self._targets: tuple[Path, ...] = ()
        self._before: dict[Path, State] = {}
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._on_step)
        self._film: Callable[[], None] | None = None
        self._last: ExportChoice | None = None
        self._counting = Background(self, threads=1)
        self._films = FilmControl(window)
        self._films.again_asked.connect(self.again_asked)

    @property
    def asks(self) -> Mapping[str, Callable[[Session, Theme, Watched | None], None]]:
        """What actions ask for, by their names."""
        return {
            "exportAction": self.ask,
            "exportViewAction": self.ask_view,
            "handoutAction": self.ask_handout,
            "presentAction": self.present,
        }

    def ask_handout(self, session: Session, theme: Theme, watched: Watched | None = None) -> None:
        """Open the dialog that makes a handout of a session, or of the step of a lesson."""
        del theme  # paper is white
        asked = handout_asked(self._parts, self._layout.tab, self._shown(), session, watched, self._document.name)
        if asked is None:
            self.notified.emit(NoticeKind.INFO, NOTHING_FOR_HANDOUT, "")
            return
        behind = PausedBehind(self._window)
        dialog = HandoutDialog(*asked, self._folder, self._counting, self._window)
        dialog.folder_used.connect(self._use)
        behind.open(dialog)

    def ask_view(self, session: Session, theme: Theme, watched: Watched | None = None) -> None:
        """Open the dialog that exports what is on the screen, unless that is still opening."""
        if opens := self._opens:
            self.notified.emit(NoticeKind.INFO, f"{opens} is still opening. Export this view when it is shown", "")
            return
        behind = PausedBehind(self._window)
        dialog = ViewExportDialog(self._view(session, watched), theme, self._folder, self._window, self._counting)
        dialog.folder_used.connect(self._use)
        dialog.more_asked.connect(partial(self.ask, session, theme, watched))
        behind.open(dialog)

    def present(self, session: Session, theme: Theme, watched: Watched | None = None) -> None:
        """Show the lesson, or what the tab in front has, on the whole screen; those who play present what plays."""
        if self._parts.lesson_page.isVisible():
            self._lessons.toggle_full_screen()
            return
        if not (tab := self._layout.tab):
            self._parts.notices.show_notice(NoticeKind.INFO, NOT_HERE, cause=NOT_HERE)
        elif tab != MEMORY or not self._parts.memory_page.presents_itself:
            view, live = self._view(session, watched), self._parts.pages.in_front(tab)
            chosen = self._parts.results.selected()
            self._present(presented_on_screen(view, live, tab, self._parts.pages.compared(session), chosen), theme)

    def present_words(self, title: str, words: str) -> None:
        """Show words alone on the whole screen."""
        self._present(words_view(title, words), self._parts.memory.theme)

    def _present(self, view: ViewOnScreen, theme: Theme) -> None:
        paint = view.paint_large or view.paint
        self._charts.show_picture(lambda size: paint(view.prepare(), size, theme, view.title), view.title, theme)

    def _view(self, session: Session, watched: Watched | None) -> ViewOnScreen:
        chosen = self._parts.results.selected()
        return view_on_screen(
            self._shown(), self._parts, self._layout.tab, self._parts.pages.compared(session), chosen, watched
        )

    @property
    def _opens(self) -> str:
        """What will be shown in a moment in place of what is; "" for nothing."""
        if name := self._document.opens or self._lessons.opens:
            return name
        return "The recording" if self._parts.memory.isVisible() and self._parts.player_bar.is_opening else ""

    def _shown(self) -> QWidget:
        """What stands in the middle of the window where there is no tab: the first page, a lesson."""
        return self._layout.centre.currentWidget() or self._window

    def ask(
        self,
        session: Session,
        theme: Theme,
        watched: Watched | None,
        colours: ThemeChoice | None = None,
        is_slide: bool | None = None,
    ) -> None:
        """Open the dialog for a session, or the step of a lesson, with the choices of last time, but for those given;
        `watched` is what plays. What is on the screen is ticked; charts compare what they compare there.
        """
        if self._films.busy:
            self._films.raise_window()
            self.notified.emit(NoticeKind.INFO, BUSY, "")
            return
        self._films.hide_window()
        behind = PausedBehind(self._window)
        offer = export_offer(self._parts, self._layout.tab, self._shown(), session, watched)
        session, watched = offer.session, offer.watched
        dialog = ExportDialog(
            offer.items,
            self._folder,
            offer.ticked,
            self._window,
            recorded_block_names(session) if offer.step is None else (),
            lambda choice: targets_of(session, choice),
            offer.about,
            offer.step_film,
        )
        if self._last is not None:
            dialog.use(self._last)
        if colours is not None:
            dialog.use(replace(dialog.choice(), theme=colours))
        if is_slide is not None:
            dialog.film.slide.setChecked(is_slide)
        name = watched_block_name(session, watched) if watched is not None else None
        if watched is not None and name is not None:
            shown = watched.mode, watched.heat, watched.selection, watched.beside
            dialog.film.look_at(name, watched.index + 1, watched.count, *shown)
        dialog.export_asked.connect(lambda choice: self._begin(offer, choice, theme))
        dialog.cancel_asked.connect(self._stop_files)
        dialog.film.frames_asked.connect(lambda *asked: self._count(session, *asked))
        dialog.finished.connect(self._on_closed)
        self._dialog = dialog
        dialog.film.ask()
        behind.open(dialog)

    def copy(self, tab: str) -> None:
        """Put the chart of a tab on the clipboard, as a picture and as data; without a tab the whole window.

        Of memory the picture is copied, or both if two are beside each other, or the request that is in front. Of a
        lesson it is the text that is selected, else its picture with the step's text below.
        """
        copy_shown(self._parts, tab, self._shown(), self._document.session, self._window)
        self.notified.emit(NoticeKind.INFO, "Copied to the clipboard", "")

    def write_runs(self, session: Session) -> None:
        """Ask for a name and write the runs of a session as CSV."""
        name = FileDialog.name_to_save(self._window, "Write runs as CSV", str(self._folder / "runs.csv"), "CSV (*.csv)")
        if not name:
            return
        if (path := with_suffix_asked(self._window, name, ".csv")) is None:
            return
        self._use(path.parent)
        try:
            write_csv(run_rows(session), path, RUN_COLUMNS)
        except ExportError as error:
            self.notified.emit(NoticeKind.ERROR, str(error), "")
        else:
            self.notified.emit(NoticeKind.INFO, f"Wrote {path}", "")

    def stop(self) -> None:
        """Give up the export that is going on; whole files stay."""
        self._stop_files()
        self._films.stop()

    def wait(self, within_s: float) -> None:
        """Return when the animation that was given up has removed its files, or after so many seconds."""
        self._films.wait(within_s)

    @Slot()
    def _stop_files(self) -> None:
        self._timer.stop()
        steps, self._steps, self._film = self._steps, None, None
        if steps is None:
            return
        if (close := getattr(steps, "close", None)) is not None:
            close()
        if self._dialog is not None:
            self._dialog.show_cancelled(len(self._written()))

    def _written(self) -> tuple[Path, ...]:
        return files_written(self._targets, self._before)

    def _count(self, session: Session, name: BlockName, mode: FrameMode | None, beside: Beside | None) -> None:
        """Find out which frames a block has, and tell the dialog that asked."""
        dialog, run = self._dialog, session.traces[name.recording]

        def tell(found: tuple[FrameMode, int, int]) -> None:
            if self._dialog is dialog and dialog is not None and dialog.film.block_name == name:
                dialog.film.show_frames(*found)

        self._counting.cancel_all()
        self._counting.start(lambda: counted(run, name.place, mode, beside), tell, self._fail_at_counting)

    def _begin(self, offer: ExportOffer, choice: ExportChoice, theme: Theme) -> None:
        session = offer.session
        targets = targets_of(session, choice)
        try:
            check_targets(targets, may_replace=True)
        except ExportError as error:
            self._fail(error)
            return
        taken = existing(targets)
        if not may_replace(self._dialog or self._window, taken):
            return
        replaces = bool(taken)
        self._use(choice.folder)
        self._targets, self._before = targets, states(targets)
        names, fixed = charts_of(choice), fixed_of(choice)
        self._last = choice
        wanted = theme if choice.theme.value == "auto" else theme_for(choice.theme, desktop_is_dark=False)
        try:
            for item, form, name in on_screen_of(choice):
                choice.folder.mkdir(parents=True, exist_ok=True)
                path = choice.folder / name
                if item == WINDOW:
                    export_widget(self._window, path, choice.scale, may_replace=replaces)
                else:
                    with export_errors(path):
                        data = view_bytes(offer.views[item.name], form, choice.size or SLIDE_SIZE, choice.scale, wanted)
                    write_file(path, data, may_replace=replaces)
        except (ExportError, OSError) as error:
            self._fail(error)
            return
        asked = choice.formats, choice.png_scale, choice.size, wanted, names, choice.still, replaces, fixed
        steps = export_steps(session, choice.folder, *asked, offer.charted) if names or fixed else iter(())
        if offer.step is not None:
            steps = chain(steps, whole_lesson_steps(offer.step.data, choice, wanted, may_replace=replaces))
        self._steps = steps
        self._film = self._film_of(offer, choice, wanted, replaces)
        self._timer.start()

    def _film_of(
        self, offer: ExportOffer, choice: ExportChoice, theme: Theme, replaces: bool
    ) -> Callable[[], None] | None:
        """What makes the animation of a choice; None for none."""
        film, folder = choice.film, choice.folder
        written = partial(files_written, self._targets, self._before)
        if isinstance(film, FilmRequest):
            run = offer.session.traces[film.block_name.recording]
            return lambda: self._films.start(run, film, folder, theme, replaces, written)
        step = offer.step
        if isinstance(film, StepFilmChoice) and step is not None:
            return lambda: self._films.start_step(step, film, folder, theme, written)
        return None

    @Slot()
    def _on_step(self) -> None:
        if self._steps is None:
            self._timer.stop()
            return
        try:
            step = next(self._steps, None)
        except (ExportError, ValueError) as error:
            self._fail(error)
            return
        if step is None:
            self._timer.stop()
            self._steps = None
            self._go_on()
        elif step.path is not None and self._dialog is not None:
            self._dialog.show_progress(step.done, step.total, step.path.name)

    def _go_on(self) -> None:
        """After the files comes the animation, in a window of its own: this one can then be used again."""
        film, self._film = self._film, None
        if self._dialog is not None and film is None:
            self._dialog.show_done(self._written())
        elif self._dialog is not None:
            self._dialog.accept()
        if film is not None:
            film()

    @Slot(str)
    def _fail(self, error: Exception | str) -> None:
        self._timer.stop()
        self._steps = self._film = None
        if self._dialog is not None:
            self._dialog.show_failure(str(error))

    def _fail_at_counting(self, error: Exception) -> None:
        self._fail(f"the frames of the recording cannot be counted: {error}")

    @Slot()
    def _on_closed(self) -> None:
        self._stop_files()
        self._counting.cancel_all()
        self._dialog = None

    @Slot(Path)
    def _use(self, folder: Path) -> None:
        self._folder = folder
        self.folder_used.emit(folder)

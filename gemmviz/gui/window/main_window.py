"""The window: builds the parts and wires them. Nothing else knows more than itself."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import Slot
from PySide6.QtGui import QCloseEvent, QResizeEvent, QUndoStack
from PySide6.QtWidgets import QApplication

from gemmviz.catalogue.examples import load_examples
from gemmviz.catalogue.lessons import load_lessons
from gemmviz.catalogue.loader import Catalogue
from gemmviz.catalogue.presets import Preset
from gemmviz.domain.device import Device
from gemmviz.domain.elements import element_name
from gemmviz.domain.runs.result import RunResult
from gemmviz.domain.visible_text import visible
from gemmviz.engine.client import Client
from gemmviz.gui.commands.actions import Actions
from gemmviz.gui.control.allowed_actions import AllowedActions
from gemmviz.gui.control.dialogs import Dialogs
from gemmviz.gui.control.editor_wiring import kept_table, make_editor, take_recovered
from gemmviz.gui.control.examples_control import ExamplesControl
from gemmviz.gui.control.experiment_control import ExperimentControl
from gemmviz.gui.control.export_control import ExportControl
from gemmviz.gui.control.form_actions import FormActions
from gemmviz.gui.control.history import Removal
from gemmviz.gui.control.lessons.lesson_control import LessonControl
from gemmviz.gui.control.memory_control import MemoryControl
from gemmviz.gui.control.menus import Menus
from gemmviz.gui.control.recent_control import RecentControl
from gemmviz.gui.control.referee_control import RefereeControl
from gemmviz.gui.control.requests.machine_code_control import MachineCodeControl
from gemmviz.gui.control.requests.roofs_control import RoofsControl
from gemmviz.gui.control.requests.schedule_control import ScheduleControl
from gemmviz.gui.control.run_control import RunControl
from gemmviz.gui.control.settings_control import SettingsControl
from gemmviz.gui.control.start_control import StartControl
from gemmviz.gui.control.view_control import ViewControl
from gemmviz.gui.export.items import only
from gemmviz.gui.files.autosave import Autosave
from gemmviz.gui.files.document import SessionDocument
from gemmviz.gui.files.edits import Item
from gemmviz.gui.files.file_drops import DropWindow
from gemmviz.gui.files.file_notices import follow_document
from gemmviz.gui.files.recovery import Recovery
from gemmviz.gui.files.session_control import SessionControl
from gemmviz.gui.kernels.user_catalogue import UserCatalogue
from gemmviz.gui.layout.action_table import ACTIONS, TABS
from gemmviz.gui.layout.layout import WindowLayout
from gemmviz.gui.layout.parts import make_parts
from gemmviz.gui.looks.appearance import ThemeFollower
from gemmviz.gui.notices.notice import NoticeKind
from gemmviz.gui.player.key_guard import KeyGuard
from gemmviz.gui.player.player import Player
from gemmviz.gui.preferences import Preferences
from gemmviz.gui.presentation.follower import PresentationFollower
from gemmviz.gui.tasks.deferred import deferred
from gemmviz.gui.widgets.plain_text import title_text
from gemmviz.gui.widgets.tab_stops import to_next_in_sight
from gemmviz.gui.window.first_size import FirstSize
from gemmviz.gui.window.opened_sessions import OpenedSessions
from gemmviz.gui.window.presented_rows import PresentedRows
from gemmviz.gui.window.session_views import keep_shown, show_chosen, show_figures, show_session, tab_for
from gemmviz.gui.window.source_choice import SourceChoice
from gemmviz.gui.window.window_end import WindowEnd
from gemmviz.gui.work.device_status import DeviceState
from gemmviz.gui.work.experiment import Experiment


class MainWindow(DropWindow):
    """gemmviz. It owns the experiment, the session, and the client that runs kernels in another process."""

    def __init__(
        self,
        catalogue: Catalogue,
        presets: tuple[Preset, ...],
        memory: Preferences,
        client: Client,
        follower: ThemeFollower,
    ) -> None:
        super().__init__()
        self.setObjectName("mainWindow")
        self._memory, self._follower = memory, follower
        self._document = SessionDocument(parent=self)
        self._run = RunControl(client, self._document, self)
        self._undo, self._actions = QUndoStack(self), Actions(self, ACTIONS)
        self._dialogs = Dialogs(self, self._actions)
        start, kernels = memory.experiment(catalogue, presets), UserCatalogue(catalogue, self)
        examples, lessons = load_examples(), load_lessons()
        self._parts = make_parts(catalogue, presets, start, follower.theme, examples, lessons)
        self._set_up = ExperimentControl(start, kernels, presets, self._parts.experiment, self._undo, self)
        self._parts.pages.offer(self._actions.__getitem__)
        self._parts.memory.empty.offer(self._actions["recordAction"])
        self._player = MemoryControl(self._parts, self, self._actions["presentAction"])
        self._player_later = deferred(self, lambda: self._player.show_session(self._document.session))
        self._layout = WindowLayout(self, self._parts, self._actions)
        keep_shown(self._document, self._parts, self._player, self._set_up, self._layout, self._show_title)
        self._source = SourceChoice(self._parts, self._player, self._document, self._set_up, self._layout, self)
        self._lessons = LessonControl(lessons, self._parts, self._layout, memory, self._actions, self)
        self._fit_later = deferred(self, self._layout.fit)
        self._menus = Menus(self, self._actions, self._layout, self._parts.badge, self._parts.player_bar.play_actions)
        self._view = ViewControl(self._actions, follower, memory, self._parts, self._menus, self)
        self.installEventFilter(KeyGuard(self))
        self._recent = RecentControl(memory, self._menus.recent, self._parts.first_page, self)
        self._examples = ExamplesControl(examples, self._menus.examples, self._parts.first_page.examples, self)
        shown = self._document, self._set_up, self._examples, self._recent, self._undo
        self._opened = OpenedSessions(self._parts, self._layout, *shown, self._actions["openKernelAction"], self)
        self._dialogs.add(self._parts.player_bar.by_section())
        layout, player = self._layout, self._player
        self._dialogs.find_too(self._lessons.entries, self._set_up.entries, layout.entries, self._examples.entries)
        self._dialogs.find_too(lambda: player.entries(layout.show_tab), self._parts.first_page.entries)
        self._dialogs.find_also(self._set_up.entries_for)
        self._files = SessionControl(self, self._document, memory.folder("open"))
        self._exports = ExportControl(self, self._parts, self._layout, memory, self._document, self._lessons)
        self._autosave = Autosave(self._document, lambda: kept_table(self._set_up, self._editor), memory.recovery, self)
        self._recovery = Recovery(self._parts.notices, self._document, self._files, self._autosave, self)
        edited = memory, self._files, self._set_up, kernels, self._player, self._run.busy_changed
        self._editor = make_editor(self, self._parts, self._layout, self._actions, *edited)
        controls = self._run, self._document, self._files, self._exports, self._autosave, self._recovery, self._editor
        self.end = WindowEnd(*controls, self._keep_settings, self)
        works = self._run, self._set_up, self._parts.experiment
        self._schedules = ScheduleControl(self._parts.schedule, self._actions["scheduleAction"], *works, self)
        self._code = MachineCodeControl(self._run, self._set_up, lambda: follower.theme, self)
        RoofsControl(self._parts.timing, self._actions["roofsAction"], self._run, self._set_up, self)
        beside = player, self._parts.notices, self._parts.source
        self._start = StartControl(*works, *beside, self._files, layout.show_source, layout.show_tab, self)
        self._set_up.opened.connect(layout.show_own_kernel)
        self._start.source_asked.connect(self._source.show_chosen)
        self._start.map_asked.connect(self._parts.accuracy_page.show_map_of)
        self._parts.memory_page.chosen_note.record_asked.connect(self._start.record_now)
        asked = layout.show_tab, self._start.record_now, self._start.go_to, self.end.ended
        self._referee = RefereeControl(self._parts, self._actions, self._set_up, *asked, self._document)
        wired = self._parts, self._actions, self._set_up, layout.show_tab, self.end.ended, self._document
        self._settings = SettingsControl(self, *wired)
        FormActions(self._actions, self._parts.experiment, self._run, self)
        self._wire_parts()
        self._wire_actions()
        self._view.show()
        self._on_experiment_changed()
        self._show_session()
        self._show_state(DeviceState.LOOKING)
        FirstSize(self)
        self._layout.restore(*memory.layout) if memory.layout[1] else self._layout.reset()
        self._parts.results.restore(memory.results)
        self._layout.show_first_page()
        for words in memory.notices:
            self._tell(NoticeKind.WARNING, words)
        self._recovery.look()

    @property
    def document(self) -> SessionDocument:
        """The session that is worked on."""
        return self._document

    @property
    def work(self) -> RunControl:
        """What is run, on which devices, in which process."""
        return self._run

    @property
    def player(self) -> Player:
        """The clock of the animation."""
        return self._player.player

    @property
    def experiment(self) -> Experiment:
        """What is set up to run."""
        return self._set_up.experiment

    @Slot(object)
    def set_experiment(self, experiment: Experiment) -> None:
        """Set something else up; can be undone."""
        self._set_up.set_experiment(experiment)

    def open_path(self, path: Path) -> None:
        """Open a session, or take a kernel file in; by the file's suffix."""
        self._files.open_path(path)

    def open_lesson(self, lesson_id: str) -> None:
        """Show a lesson; an id that is not there is left alone."""
        self._lessons.open(lesson_id)

    # What widgets say

    def _wire_parts(self) -> None:
        parts = self._parts
        parts.progress.cancel_asked.connect(self._run.cancel)
        parts.results.selection_changed.connect(self._on_selection_changed)
        parts.results.pointed.connect(parts.timing.light)
        for page in (parts.results, parts.sweep_page):
            page.delete_asked.connect(self._on_delete)
        parts.results.settings_asked.connect(self._set_up.use_settings_of)
        parts.results.rows_copied.connect(self._tell_briefly)
        parts.results.csv_asked.connect(lambda runs: self._exports.write_runs(only(self._document.session, runs)))
        parts.error_map.element_chosen.connect(lambda row, column: self._tell_briefly(element_name("C", row, column)))
        parts.first_page.open_asked.connect(self._files.open)
        parts.first_page.kernel_asked.connect(self._files.open_kernels)
        self._files.began.connect(self._layout.show_first_page)
        for anew in (self._editor.leave, self._set_up.begin_anew, self._layout.show_new_experiment):
            self._files.experiment_began.connect(anew)
        parts.first_page.experiment_asked.connect(self._files.new_experiment)
        parts.first_page.session_asked.connect(lambda: self._layout.show_tab(tab_for(self._document.session)))
        self._lessons.connect_window(self.end.ended, self._view.motion_reduced, self._run.busy_changed, self._files)
        self._lessons.attempts.asked.connect(self._start.attempt)
        self._lessons.attempts.recordings_asked.connect(self._player.play_one_of)
        self._lessons.attempts.compared_changed.connect(self._show_session)
        self._lessons.connect_kernels(self._set_up, self._run, self._editor)
        parts.lesson_page.step_shown.connect(self._show_title)
        self._layout.centre.currentChanged.connect(self._show_title)
        self._recent.connect_files(self._files)
        self._examples.chosen.connect(lambda example: self._files.open_copy(example.path, example.title))
        self._run.started.connect(self._layout.show_tab)
        self._run.busy_changed.connect(self._on_busy_changed)
        self._run.progressed.connect(parts.progress.show_progress)
        self._run.work_changed.connect(parts.show_work)
        self._run.work_changed.connect(self._player.presentation.show_work)
        self._run.made.connect(parts.pages.add_newest)
        self._run.devices_found.connect(self._on_devices_found)
        self._run.state_changed.connect(self._show_state)
        self._recovery.recovered.connect(partial(take_recovered, self._set_up, self._editor))
        self._recovery.recovered.connect(self._opened.show)
        self.end.ended.connect(self._player.stop)
        controls = self._set_up, self._run, self._player, self._exports, self._schedules, self._autosave, self._lessons
        for control in (*controls, self._code, self._referee, self._settings, self._editor):
            control.notified.connect(self._tell)
        self._view.motion_reduced.connect(self.player.set_reduced_motion)
        follow_document(parts.notices, self._document, self._files)
        self._document.replaced.connect(self._start.forget_failures)
        self._document.changed.connect(self._show_session)
        self._player.run_shown.connect(self._parts.pages.follow_recording)
        self._document.opened.connect(lambda _: self._player.show_session(self._document.session))
        self._document.saved.connect(self._on_saved)
        self._document.example_closed.connect(self._name_device)
        for files in (self._document, self._set_up):
            files.busy_changed.connect(self._on_file_busy)
        self._set_up.changed.connect(self._on_experiment_changed)
        self._set_up.offered.connect(parts.notices.offer)
        self._set_up.chosen.connect(self._layout.show_experiment)
        self._files.folder_used.connect(lambda folder: self._memory.use_folder("open", folder))
        self.dropped.connect(self._files.open_dropped)
        self._files.kernels_chosen.connect(self._set_up.add_kernels)
        self._files.may_close.connect(self.close)
        self._exports.again_asked.connect(lambda: self._export(self._exports.ask))
        self._exports.folder_used.connect(lambda folder: self._memory.use_folder("export", folder))

    def _wire_actions(self) -> None:
        actions = self._actions
        does: dict[str, Callable[..., object]] = {
            "newAction": self._files.new,
            "openAction": self._files.open,
            "openKernelAction": self._files.open_kernels,
            "saveAction": self._files.save,
            "saveAsAction": self._files.save_as,
            "quitAction": self.close,
            **{name: partial(self._export, ask) for name, ask in self._exports.asks.items()},
            "undoAction": self._undo.undo,
            "redoAction": self._undo.redo,
            "copyAction": self._on_copy,
            "deleteAction": lambda: self._on_delete(self._parts.results.selected()),
            "runAction": self.run_chosen,
            "clearChosenAction": self._player.clear_chosen,
            "ladderAction": self._start.run_ladder,
            "recordAction": self._start.record_now,
            "sweepAction": self._start.sweep_all,
            "machineCodeAction": lambda: self._code.show(next(iter(self._parts.results.selected()), None)),
            "cancelAction": self._run.cancel,
            "firstPageAction": self._layout.show_first_page,
            "lessonsAction": self._lessons.leave,
            "resetLayoutAction": self._layout.reset,
            "paletteAction": lambda: self._dialogs.show_palette(self._follower.theme),
            "shortcutsAction": self._dialogs.show_shortcuts,
            "aboutAction": lambda: self._dialogs.show_about(self._run.devices),
        }
        for name, do in does.items():
            actions[name].triggered.connect(lambda _checked=False, do=do: do())
        for name in TABS:
            actions[f"tab{name}Action"].triggered.connect(lambda _checked=False, tab=name: self._layout.show_tab(tab))
        # Also where the menus are hidden, as on the whole screen; the windows of presentations take these over.
        taken = "paletteAction", "shortcutsAction", *(f"tab{name}Action" for name in TABS)
        self.addActions([actions[name] for name in taken])
        playing, exports, layout = self._player.presentation, self._exports, self._layout
        present, say, set_up = actions["presentAction"], exports.present_words, self._set_up.chosen
        exports.presented.connect(self._lessons.offer_way_back)
        self._lessons.slide_asked.connect(say)
        PresentedRows(exports.presented, self._parts, layout, self._document, present, self)
        PresentationFollower(layout.centre, layout.tabs, playing, exports.presented, set_up, present, say, self)
        allowed = AllowedActions(actions, self._run, self._player, self._parts, self._undo, self)
        allowed.refused.connect(self._run.was_busy)

    # What is run

    @Slot()
    def run_chosen(self) -> None:
        """What the Run button does."""
        self._start.run_chosen()

    @Slot(object, str)
    def _on_devices_found(self, devices: tuple[Device, ...], advice: str) -> None:
        self._parts.experiment.set_devices(devices, advice)
        self._name_device()

    def _name_device(self) -> None:
        """Name the chosen device in a session in which nothing has run."""
        if (device := self._run.device_of(self._set_up.experiment)) is not None:
            self._document.set_device(device)

    @Slot(bool)
    def _on_busy_changed(self, busy: bool) -> None:
        parts = self._parts.experiment, self._parts.memory_page.chosen_note, self._parts.source
        for part in parts if busy else parts[::-1]:  # the keyboard goes to Cancel and back while neither is grey
            part.set_busy(busy)
        self._parts.progress.clear_progress(self._run.longest_s if busy else 0.0)

    @Slot(object)
    def _show_state(self, state: DeviceState) -> None:
        device = self._run.device_shown(self._set_up.experiment)
        self._parts.badge.show_state(device.name if device else "", state)

    # The experiment, and what is played

    @Slot()
    def _on_experiment_changed(self) -> None:
        show_figures(self._parts, self._document.session, self._parts.results.selected(), self._set_up.kernel)
        if not self._run.busy and self._run.devices:
            self._show_state(DeviceState.READY)

    # The session

    @Slot()
    def _show_session(self) -> None:
        show_session(self._parts, self._document.session, self._set_up.kernel)
        self._player_later.start()
        self._show_title()

    @Slot()
    def _show_title(self) -> None:
        """The title of the lesson that is shown, or of the session."""
        lesson = self._parts.lesson_page.lesson
        self.setWindowTitle(f"{title_text(lesson.title if lesson else self._document.name)}[*] — gemmviz")
        self.setWindowModified(self._document.modified and not lesson)

    @Slot(object)
    def _on_selection_changed(self, chosen: tuple[RunResult, ...]) -> None:
        show_chosen(self._parts, self._document.session, chosen, self._set_up.kernel)

    @Slot(object)
    def _on_delete(self, items: tuple[Item, ...]) -> None:
        self._undo.push(Removal(self._document, items))

    def _export(self, ask: Callable[..., object]) -> None:
        ask(self._document.session, self._follower.theme, self._player.watched)

    @Slot(Path)
    def _on_saved(self, path: Path) -> None:
        self._recent.use(path)
        self._tell_briefly(f"Saved {path}")
        self._show_session()

    @Slot(str)
    def _on_file_busy(self, words: str) -> None:
        self.statusBar().showMessage(f"{visible(words)} …" if words else "")

    def _on_copy(self) -> None:
        if self._parts.results.isAncestorOf(QApplication.focusWidget() or self):
            self._parts.results.copy_rows()
        else:
            self._exports.copy(self._layout.tab)

    @Slot(object, str, str)
    def _tell(self, kind: NoticeKind, words: str, details: str = "") -> None:
        if not self.end.is_over:
            self._parts.notices.show_notice(kind, words, details)

    def tell_fault(self, words: str, details: str) -> None:
        """Show that the program itself failed at something."""
        self._tell(NoticeKind.ERROR, f"An internal error occurred; gemmviz keeps running. {words}", details)

    def _tell_briefly(self, words: str) -> None:
        self.statusBar().showMessage(visible(words), 4000)

    # The window itself

    def focusNextPrevChild(self, forwards: bool) -> bool:
        return to_next_in_sight(partial(super().focusNextPrevChild, forwards), self.focusWidget)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.isVisible():
            self._layout.fit_at_once()
        self._fit_later.start()

    def closeEvent(self, event: QCloseEvent) -> None:
        event.setAccepted(self.end.may_close())

    def _keep_settings(self) -> str:
        return self._memory.keep(self._set_up.own, self._layout.state(), self._parts.results.state())

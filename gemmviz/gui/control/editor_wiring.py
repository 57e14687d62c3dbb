"""Puts the editor into the window, and lets it follow the kernel that is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Qt, SignalInstance, Slot
from PySide6.QtWidgets import QWidget

from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.loader import is_shipped
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.recovery.lost import Recovered
from gemmviz.engine.client import Client
from gemmviz.gui.commands.actions import Actions
from gemmviz.gui.control.editor_control import EditorControl
from gemmviz.gui.control.experiment_control import ExperimentControl
from gemmviz.gui.control.memory_control import MemoryControl
from gemmviz.gui.control.version_control import VersionControl
from gemmviz.gui.editor.description_retry import DescriptionRetry
from gemmviz.gui.editor.examination import SetUp
from gemmviz.gui.editor.examiner import Examiner
from gemmviz.gui.editor.panel import EditorPanel
from gemmviz.gui.experiment.panel import ExperimentPanel
from gemmviz.gui.files.session_control import SessionControl
from gemmviz.gui.kernels.user_catalogue import UserCatalogue
from gemmviz.gui.layout.action_table import TABS
from gemmviz.gui.layout.layout import WindowLayout
from gemmviz.gui.layout.parts import Parts
from gemmviz.gui.layout.place_in_window import place_in_window
from gemmviz.gui.notices.notice import SHOW_IT, NoticeAction, NoticeKind
from gemmviz.gui.preferences import Preferences
from gemmviz.gui.recording.grids import FIRST, SECOND, Playable, to_show
from gemmviz.gui.widgets.plain_text import action_text

_FILES, _EDITED = "files", "edited"
"""Names in recovery data."""
_MOST_FILES = 50


def make_editor(
    window: QWidget,
    parts: Parts,
    layout: WindowLayout,
    actions: Actions,
    memory: Preferences,
    files: SessionControl,
    set_up: ExperimentControl,
    user_catalogue: UserCatalogue,
    player: MemoryControl,
    busy_changed: SignalInstance,
) -> EditorControl:
    """The editor's control, connected; its worker starts with the first file that is edited. `busy_changed` says
    whether something runs in the window.
    """
    panel, document = parts.editor, files.document

    def examined() -> SetUp:
        shown = player.played[FIRST]
        return SetUp(set_up.experiment, shown.block if shown is not None else (0, 0, 0))

    def place() -> object:
        return place_in_window(parts, layout, player.played)

    def place_of(path: Path | None) -> object:
        return place() if path is None else set_up.place_before(path)

    def offer_recording(words: str, trace: TraceRun) -> None:
        def show() -> None:
            layout.show_tab(TABS[0])
            parts.memory_page.show_animation()
            place, playable = to_show(trace, *player.played)
            player.play(trace, playable.number, place)

        tip = "Show its recording in place of one of the same kernel, or else at the left"
        parts.notices.show_notice(NoticeKind.OFFER, words, actions=[NoticeAction(SHOW_IT, show, tip)])

    def make_client() -> Client:
        return Client(window, devices=())  # it needs the PTX machine alone, which is no device of the system

    def show_pictures(before: TraceRun, after: TraceRun) -> None:
        layout.show_tab(TABS[0])
        page = parts.memory_page
        page.show_animation()
        page.playable_chosen.emit(SECOND, None)
        page.playable_chosen.emit(FIRST, Playable(before))
        page.playable_chosen.emit(SECOND, Playable(after))

    def offer(words: str, actions: Sequence[NoticeAction], kernel: str = "") -> None:
        parts.notices.show_notice(NoticeKind.OFFER, words, actions=actions, kernel=kernel)

    def describe() -> None:
        if control.path is not None:
            set_up.describe(control.path)

    def leave_text() -> bool:
        if control.is_modified:
            control.leave()
        return not control.is_modified

    def show_recorded(run: TraceRun | None) -> None:
        if run is not None and run.spec.kernel == set_up.experiment.kernel:
            layout.show_recorded()

    def focus_page() -> None:
        """The keyboard goes to the page in front; the button that is next in order begins the editing anew."""
        (layout.tabs.currentWidget() or window).setFocus()

    examiner = Examiner(make_client, window)
    user_catalogue.file_texts_changed.connect(lambda: document.use_file_texts(user_catalogue.file_texts))
    set_up.place = place
    versions = VersionControl(panel, document, examiner, examined, place_of)
    versions.ended_elsewhere.connect(offer_recording)
    control = EditorControl(
        window, panel, set_up, user_catalogue, versions, memory.recovery.parent, lambda: memory.folder("open")
    )
    control.shown.connect(layout.show_editor)
    EditorFollow(control, panel, set_up, parts.experiment)
    player.run_shown.connect(control.follow_recording)
    player.run_shown.connect(show_recorded)
    layout.tabs.currentChanged.connect(lambda place: panel.set_picture_seen(place == 0))
    control.offered.connect(offer)
    control.told.connect(parts.notices.settle)
    panel.comparison.describe_asked.connect(describe)
    retry = DescriptionRetry(lambda: (control.path, panel.edit.saved), partial(set_up.describe, replaces=True), control)
    user_catalogue.failed.connect(retry.follow_failure)
    user_catalogue.raced.connect(retry.follow_race)
    examiner.ended.connect(retry.follow_examined)
    retry.offered.connect(offer)
    control.folder_used.connect(lambda folder: memory.use_folder("open", folder))
    versions.pictures_asked.connect(show_pictures)
    panel.comparison.pictures_asked.connect(player.focus.hand_on)  # once they are shown: Space plays them
    files.leave_text = leave_text
    document.opened.connect(control.leave, Qt.ConnectionType.QueuedConnection)  # later: the session is shown first
    busy_changed.connect(versions.set_device_busy)
    set_up.changed.connect(versions.follow_target)
    panel.left.connect(focus_page)
    panel.done_asked.connect(lambda: focus_page() if control.path is None else None)
    parts.source.edit_asked.connect(control.edit)

    def name_chosen() -> None:
        actions["editKernelAction"].setText(f"&Edit {action_text(set_up.experiment.kernel)}")

    actions["editKernelAction"].triggered.connect(lambda _checked=False: control.edit(set_up.experiment.kernel))
    set_up.changed.connect(name_chosen)
    name_chosen()
    control.look()
    return control


def kept_table(set_up: ExperimentControl, editor: EditorControl) -> dict[str, Any]:
    """What recovery data keep beside the session: what is set up, the files of a person's own kernels, and the one that
    is edited.
    """
    own = [str(kernel.path.absolute()) for kernel in set_up.catalogue.kernels if not is_shipped(kernel)]
    edited = str(editor.path.absolute()) if editor.path is not None else ""
    return set_up.as_table() | {_FILES: own, _EDITED: edited}


def take_recovered(set_up: ExperimentControl, editor: EditorControl, found: Recovered) -> None:
    """Set up what was set up when a session was lost: at once what gemmviz brings, and once they are read the kernels
    of a person's own files that are still there; then the file that was edited is in the editor again.
    """
    set_up.take_recovered(found)
    files, edited = found.experiment.get(_FILES), found.experiment.get(_EDITED)
    named = (
        [Path(file) for file in files if isinstance(file, str) and "\0" not in file] if isinstance(files, list) else []
    )
    paths = tuple(path for path in named[:_MOST_FILES] if path.is_file())
    awaited = set(map(str, paths))

    def settle(path: str, *_: object) -> None:
        if path not in awaited:
            return
        awaited.discard(path)
        if awaited:
            return
        set_up.file_taken.disconnect(settle)
        set_up.file_failed.disconnect(settle)
        set_up.take_recovered(found)
        if edited in [str(path) for path in paths]:
            editor.open(Path(str(edited)))

    if paths:
        set_up.file_taken.connect(settle)
        set_up.file_failed.connect(settle)
    for path in paths:
        set_up.read_again(path)


class EditorFollow(QObject):
    """Opens a person's own kernel in the editor once it is chosen, where the editor is seen and holds no text that is
    not saved. Else, and for a kernel that gemmviz brings, a button offers it, unless a file that is no kernel yet is
    chosen.
    """

    def __init__(
        self, control: EditorControl, panel: EditorPanel, set_up: ExperimentControl, experiment: ExperimentPanel
    ) -> None:
        super().__init__(control)
        self._control, self._panel, self._set_up, self._experiment = control, panel, set_up, experiment
        self._chosen = set_up.experiment.kernel
        set_up.changed.connect(self._on_changed)
        control.shown.connect(self._offer)
        experiment.refusal_settled.connect(self._offer)
        panel.follow_asked.connect(lambda: control.edit(set_up.experiment.kernel))

    @Slot()
    def _on_changed(self) -> None:
        kernel, was = self._set_up.kernel, self._chosen
        self._chosen = kernel.id
        if kernel.id != was and self._is_elsewhere(kernel) and self._can_follow(kernel):
            self._control.open(kernel.path)
        self._offer()

    def _is_elsewhere(self, kernel: Kernel) -> bool:
        """Whether the editor holds another file than that of a kernel that could be edited."""
        path = self._control.path
        return path is not None and path != kernel.path and kernel.language.runs_on_devices

    def _can_follow(self, kernel: Kernel) -> bool:
        return self._panel.isVisible() and not self._control.is_modified and not is_shipped(kernel)

    @Slot()
    def _offer(self) -> None:
        kernel = self._set_up.kernel
        if not self._is_elsewhere(kernel) or self._experiment.file is not None:
            self._panel.offer_to_follow("", "")
            return
        what = "a copy of " if is_shipped(kernel) else ""
        asks = ". You are asked about what is not saved first" if self._control.is_modified else ""
        self._panel.offer_to_follow(
            f"Edit {what}{kernel.id}, the chosen kernel", f"The editor shows another file than {kernel.id}{asks}"
        )

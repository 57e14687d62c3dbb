"""The controls of the player: one sentence, a slider, buttons."""

from __future__ import annotations

from collections.abc import Collection
from itertools import pairwise

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal, Slot
from PySide6.QtGui import QAction, QResizeEvent, QStandardItemModel
from PySide6.QtWidgets import (
    QHBoxLayout,
    QProgressBar,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from gemmviz.catalogue.term_words import with_terms
from gemmviz.domain.terms import Evidence
from gemmviz.explain.requests.frame_facts import NO_MARKS, FrameMarks
from gemmviz.gui.commands.actions import Actions
from gemmviz.gui.looks.icons import icon
from gemmviz.gui.looks.theme import LIGHT, Theme
from gemmviz.gui.memory_view.text.labels import PREPARING
from gemmviz.gui.player.caption_label import CaptionLabel, split_caption
from gemmviz.gui.player.frame_slider import TIP, FrameSlider
from gemmviz.gui.player.key_guard import KeyGuard
from gemmviz.gui.player.player_actions import PLAY_ACTIONS
from gemmviz.gui.player.player_icons import end_icon
from gemmviz.gui.player.schedule import SPEEDS, speed_words
from gemmviz.gui.widgets.allowed import allow, allow_entry
from gemmviz.gui.widgets.fields import SHORT, ComboBox
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.widgets.plain_text import plain_text
from gemmviz.gui.work.last_work import Asked, LastWork, WorkStage
from gemmviz.gui.work.words import words_for_empty
from gemmviz.trace.frames.plan import FrameMode

MODES = (
    (
        FrameMode.PHASE,
        "By barrier interval",
        "One frame from each barrier to the next: interval 1 lies between barriers 0, the start, and 1",
    ),
    (FrameMode.STEP, "By step", "One frame for a few iterations of the loop"),
    (FrameMode.REQUEST, "By warp request", "One frame for each memory access of a warp"),
)
NOTHING = "Nothing to play: record a block first"
IDLE_BLOCK = "Nothing to play: this block accesses no memory"
MARGIN = 16
LEAST_LIST = 92
"""Pixels of a list where there is hardly any room."""
CAPTION_LINES, NARROW = 2, 640
"""Lines of the caption, one more where the bar has fewer pixels than that: between two panels of a small window."""
ONE_ROW_WIDTH = 820
"""Pixels that slider, buttons and lists need beside each other."""
_BUTTON_PADDING = 5
_BUTTONS = (
    ("firstButton", "firstFrameAction", "First frame"),
    ("stepBackButton", "stepBackAction", "Step back"),
    ("playButton", "playAction", "Play"),
    ("stepForwardButton", "stepForwardAction", "Step forward"),
    ("lastButton", "lastFrameAction", "Last frame"),
)


class PlayerBar(QWidget):
    """Shows where the player is and says what a person asks of it. It holds no frames and no clock."""

    play_asked = Signal()
    """Play, or pause."""
    step_back_asked = Signal()
    step_forward_asked = Signal()
    first_asked = Signal()
    last_asked = Signal()
    seek_asked = Signal(int)
    hold_asked = Signal()
    """The slider is taken in hand …"""
    release_asked = Signal()
    """… and let go."""
    speed_chosen = Signal(float)
    loop_chosen = Signal(bool)
    mode_chosen = Signal(object)
    """A FrameMode."""

    def __init__(self, theme: Theme = LIGHT, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("playerBar")
        self.setAccessibleName("Player")
        self._count, self._playing, self._is_alone = 0, False, True
        self._idle = self._nothing = NOTHING
        self._is_recording = self._is_opening = self._is_play_wanted = False
        self._told = NOTHING, ""
        self._actions = Actions(self, PLAY_ACTIONS)
        self._actions["loopAction"].setCheckable(True)
        self.addActions([action for _, action in self._actions.by_section()])
        self._caption = named(CaptionLabel(lines=CAPTION_LINES), "frameCaption")
        self._evidence = named(
            PlainLabel(str(Evidence.RECORDED)),
            "frameEvidence",
            role="evidence",
            tip="From the addresses of the kernel's own accesses",
        )
        self._slider = named(FrameSlider(), "frameSlider", TIP)
        self._progress = named(QProgressBar(), "playerBusy", says="Preparing frames")
        self._progress.setRange(0, 0)
        self._slot, self._line = QStackedWidget(), QWidget()
        self._middle, self._row = QHBoxLayout(), QHBoxLayout()
        self._speed = named(ComboBox(), "speedCombo", "Speed of the animation", "Speed")
        tip = with_terms("What one frame is", *(words for _, words, _ in MODES))
        self._mode = named(ComboBox(), "modeCombo", tip, "Frames")
        self._buttons = {name: self._button(name, action, says) for name, action, says in _BUTTONS}
        self._loop = self._button("loopButton", "loopAction", "Loop")
        self._fill()
        self._arrange()
        self._connect()
        self._guard = KeyGuard(self)
        self.installEventFilter(self._guard)
        self.set_theme(theme)
        self.set_count(0)

    def by_section(self) -> list[tuple[str, QAction]]:
        """The actions, each with its section; `actions()` has them alone."""
        return self._actions.by_section()

    @property
    def play_actions(self) -> Actions:
        """The actions by name, as menus take them; their section is PLAY."""
        return self._actions

    @property
    def controls(self) -> tuple[QWidget, ...]:
        """Its controls in the order Tab goes through them."""
        return self._slider, *self._buttons.values(), self._loop, self._speed, self._mode

    @property
    def is_opening(self) -> bool:
        """Whether frames are being made that nobody has seen yet."""
        return self._is_opening

    def set_count(self, count: int, *, is_recorded: bool = False) -> None:
        """There are so many frames; 0: there is nothing to play, of a block that `is_recorded` or of none."""
        self._idle = self._nothing = IDLE_BLOCK if is_recorded else NOTHING
        plays_now = self._is_play_wanted and count > 1
        self._count = count
        self._is_recording = self._is_opening = self._is_play_wanted = False
        with QSignalBlocker(self._slider):
            self._slider.set_count(count)
        refusal = "" if count else self._idle
        for spec in self._actions.specs:
            self._actions.allow(spec.name, refusal)
        self._draw_play()
        if not count:
            self.set_marks(NO_MARKS)
            self._tell(self._said_of_nothing, "")
        for widget in (self._slider, self._speed, self._mode):
            allow(widget, refusal)
        if plays_now:
            self.play_asked.emit()

    def expect_frames(self) -> None:
        """Frames are being made, `set_count` will tell how many: Play begins as soon as they are there."""
        self._is_opening = True
        if self._is_alone:
            self._tell(PREPARING, "")  # not the caption of what was played before
        self._show_expected()

    @Slot()
    def expect_nothing(self) -> None:
        """No frames will come of what was asked for."""
        if self._is_opening:
            self._tell("", "")
        self._is_recording = self._is_opening = False
        self._show_expected()

    def show_work(self, last: LastWork | None) -> None:
        """Say what is going on while there is nothing to play."""
        self._nothing = words_for_empty(self._idle, last, {Asked.RECORDING})
        stage = last.stage if last is not None and last.asked is Asked.RECORDING else None
        self._is_recording = stage is WorkStage.RUNNING or (self._is_recording and stage is WorkStage.DONE)
        self._show_expected()

    def set_marks(self, marks: FrameMarks) -> None:
        """Mark the frames at barriers and those with hazards on the slider."""
        self._slider.set_marks(marks)

    def set_mode(self, mode: FrameMode, available: Collection[FrameMode]) -> None:
        """Show the mode and which ones can be chosen; nothing is emitted."""
        model = self._mode.model()
        assert isinstance(model, QStandardItemModel)
        with QSignalBlocker(self._mode):
            for place, (each, _, _) in enumerate(MODES):
                allow_entry(model.item(place), "" if each in available else "This recording has no such frames.")
                if each is mode:
                    self._mode.setCurrentIndex(place)

    def show_index(self, index: int) -> None:
        """Move the slider there, unless it is in a person's hand; the frame itself may come later."""
        if not self._slider.isSliderDown():
            with QSignalBlocker(self._slider):
                self._slider.setValue(index)

    def show_caption(self, caption: str, evidence: Evidence = Evidence.RECORDED) -> None:
        """Say what a frame does: `Frame.caption`, and whether that is recorded or derived."""
        self._evidence.setText(evidence)
        self._tell(*split_caption(caption))

    def set_alone(self, alone: bool) -> None:
        """Whether one picture is played; of two each has its sentence above it, and here is none but while it waits."""
        self._is_alone = alone
        self._show_line()

    def show_playing(self, playing: bool) -> None:
        """Whether it plays."""
        self._playing = playing
        self._draw_play()

    def show_speed(self, speed: float) -> None:
        """The speed, one of SPEEDS; nothing is emitted."""
        with QSignalBlocker(self._speed):
            self._speed.setCurrentIndex(SPEEDS.index(speed))

    def show_loop(self, loop: bool) -> None:
        """Whether it loops; nothing is emitted."""
        self._actions["loopAction"].setChecked(loop)

    def set_busy(self, busy: bool, words: str = PREPARING, part: float | None = None) -> None:
        """Say that frames are being prepared, in place of the slider; `part` (0 to 1) of it is done, None: unknown."""
        self._progress.setRange(0, 0 if part is None else 1000)
        self._progress.setValue(-1 if part is None else round(1000 * part))
        self._slot.setCurrentIndex(1 if busy else 0)
        self._caption.show_caption(words) if busy else self._caption.show_caption(*self._told)
        self._evidence.setVisible(bool(self._told[1]) and not busy)
        self._show_line()

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        self._caption.set_theme(theme)
        self._slider.set_theme(theme)
        for spec in PLAY_ACTIONS:
            if spec.icon:
                self._actions[spec.name].setIcon(icon(spec.icon, theme))
        self._actions["firstFrameAction"].setIcon(end_icon(theme, last=False))
        self._actions["lastFrameAction"].setIcon(end_icon(theme, last=True))
        self._draw_play()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is width enough the slider stands between the buttons and the lists, which leaves the picture a
        row more."""
        super().resizeEvent(event)
        self._caption.set_lines(CAPTION_LINES + (event.size().width() < NARROW))
        is_wide = event.size().width() >= ONE_ROW_WIDTH
        if is_wide == (self._row.indexOf(self._slot) >= 0):
            return
        if is_wide:
            self._row.insertWidget(self._row.indexOf(self._loop) + 2, self._slot, 1000)
        else:
            self._middle.addWidget(self._slot)

    @property
    def _said_of_nothing(self) -> str:
        """What stands here while there is nothing to play: nothing during a recording, of which the picture tells."""
        return "" if self._is_recording else self._nothing

    def _show_expected(self) -> None:
        """Let Play be asked for while frames are on their way, and forget that it was when none will come."""
        self._is_play_wanted = self._is_play_wanted and self._is_opening
        self._actions["playAction"].setEnabled(self._is_opening or self._count > 0)
        self._draw_play()
        if not self._count:
            is_made = self._is_opening or (self._is_recording and self._nothing == self._idle)
            self._tell(PREPARING if is_made else self._said_of_nothing, "")

    def _tell(self, head: str, sentence: str) -> None:
        self._told = head, sentence
        if self._slot.currentIndex() == 0:
            self._caption.show_caption(head, sentence)
            self._evidence.setVisible(bool(sentence))
        self._show_line()

    def _show_line(self) -> None:
        self._line.setVisible(self._is_alone or self._slot.currentIndex() == 1 or not self._told[1])

    def _draw_play(self) -> None:
        action = self._actions["playAction"]
        plays = self._playing or self._is_play_wanted
        does = "Pause" if plays else "Play"
        action.setIcon(icon("pause" if plays else "run", self._theme, self._theme.accent))
        action.setToolTip(plain_text(f"{does} (Space)" if action.isEnabled() else f"{does} (Space)\n{self._nothing}"))
        self._buttons["playButton"].setAccessibleName(does)

    def _button(self, name: str, action: str, says: str) -> QToolButton:
        button = QToolButton()
        button.setDefaultAction(self._actions[action])
        button.setIconSize(QSize(20, 20) if name == "playButton" else QSize(16, 16))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return named(button, name, says=says)

    def _fill(self) -> None:
        for speed in SPEEDS:
            self._speed.addItem(speed_words(speed), speed)
            self._speed.setItemData(self._speed.count() - 1, f"{speed:g}×", SHORT)
        self._speed.setCurrentIndex(SPEEDS.index(1.0))
        for place, (mode, words, tip) in enumerate(MODES):
            self._mode.addItem(words, mode)
            what = words.removeprefix("By ")
            self._mode.setItemData(place, f"{what[:1].upper()}{what[1:]}\n{what.split()[-1]}", SHORT)
            self._mode.setItemData(place, plain_text(with_terms(tip, words)), Qt.ItemDataRole.ToolTipRole)
        for combo in (self._speed, self._mode):
            combo.setMinimumWidth(LEAST_LIST)
            combo.view().setMinimumWidth(combo.sizeHint().width())

    def _arrange(self) -> None:
        top = QHBoxLayout(self._line)
        top.setSpacing(16)
        top.addWidget(self._caption, 1)
        top.addWidget(self._evidence)
        waiting = QWidget()
        thin = QVBoxLayout(waiting)
        thin.setContentsMargins(2, 0, 2, 0)
        thin.addWidget(self._progress)
        self._slot.addWidget(self._slider)
        self._slot.addWidget(waiting)
        self._slot.setFixedHeight(self._slider.sizeHint().height())
        self._middle.addWidget(self._slot)
        for above in (top, self._middle):
            above.setContentsMargins(_BUTTON_PADDING, 0, 0, 0)
        row = self._row
        row.setSpacing(4)
        for button in self._buttons.values():
            row.addWidget(button)
        row.addSpacing(8)
        row.addWidget(self._loop)
        row.addSpacing(8)
        row.addStretch(1)
        row.addSpacing(8)
        row.addWidget(self._speed)
        row.addSpacing(4)
        row.addWidget(self._mode)
        column = QVBoxLayout(self)
        column.setContentsMargins(MARGIN - _BUTTON_PADDING, 8, MARGIN, 8)  # so that icons begin below the words
        column.setSpacing(0)
        column.addWidget(self._line)
        column.addLayout(self._middle)
        column.addLayout(row)
        for before, after in pairwise(self.controls):
            QWidget.setTabOrder(before, after)

    def _connect(self) -> None:
        for name, signal in (
            ("playAction", self._on_play),
            ("stepBackAction", self.step_back_asked),
            ("stepForwardAction", self.step_forward_asked),
            ("firstFrameAction", self.first_asked),
            ("lastFrameAction", self.last_asked),
        ):
            self._actions[name].triggered.connect(signal)
        self._actions["loopAction"].triggered.connect(self.loop_chosen)
        self._slider.valueChanged.connect(self.seek_asked)
        self._slider.sliderPressed.connect(self.hold_asked)
        self._slider.sliderReleased.connect(self.release_asked)
        self._speed.currentIndexChanged.connect(self._on_speed)
        self._mode.currentIndexChanged.connect(self._on_mode)

    @Slot()
    def _on_play(self) -> None:
        if self._is_opening:
            self._is_play_wanted = not self._is_play_wanted
            self._draw_play()
        else:
            self.play_asked.emit()

    @Slot(int)
    def _on_speed(self, place: int) -> None:
        self.speed_chosen.emit(SPEEDS[place])

    @Slot(int)
    def _on_mode(self, place: int) -> None:
        self.mode_chosen.emit(MODES[place][0])

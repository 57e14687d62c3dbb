"""The part of the export dialog about recorded blocks: the frame of a picture, and the whole of an animation."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Signal, Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gemmviz.domain.figures import count as count_words
from gemmviz.explain.block.heat_maps import HeatKind
from gemmviz.explain.requests.selection import NOTHING, Selection
from gemmviz.gui.export.film import controls
from gemmviz.gui.export.film.choice import FILM_SIZES, SLIDE_SIZE, FilmChoice, FilmFaults, film_faults
from gemmviz.gui.export.film.column import FilmColumn
from gemmviz.gui.export.film.estimate import range_words, seconds_words
from gemmviz.gui.export.film.formats import FilmFormat
from gemmviz.gui.export.film.plan import FilmRange, short_range
from gemmviz.gui.export.film.request import FilmRequest
from gemmviz.gui.export.form import LABEL_WIDTH, fault_label, field_label, line, row, show_in_turn
from gemmviz.gui.export.pictures.still_choice import StillChoice
from gemmviz.gui.recording.block_names import Beside, BlockName, counted_word
from gemmviz.gui.recording.combo import RecordingCombo
from gemmviz.gui.widgets.allowed import allow
from gemmviz.gui.widgets.plain_text import plain_text
from gemmviz.trace.frames.plan import FrameMode

_NO_LIMIT = (1 << 24) - 1
"""Qt's own greatest width of a widget, in pixels."""
BESIDE_TIP = "The picture it is compared with, in step"
_FAULTS = ("size", "frames", "fps", "length")


class FilmForm(FilmColumn):
    """Asks for a FilmRequest and a StillChoice. `show_frames` tells it which frames there are."""

    frames_asked = Signal(object, object, object)
    """A BlockName, the FrameMode in which its frames are to be counted, None for the natural one, and the Beside whose
    moments with it are counted instead; None for its frames alone."""

    def __init__(self, block_names: Sequence[BlockName], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("exportFilm")
        self._block_names, self._count, self._is_own = tuple(block_names), 0, False
        self._before: FilmRequest | None = None
        self._watched: tuple[str, int, FrameMode, int] | None = None
        self._selected = NOTHING
        self._blocks = RecordingCombo("exportRecording", "The recorded block that is shown")
        self._blocks.setMaximumWidth(_NO_LIMIT)
        self._blocks.show_titles([block_name.title for block_name in self._block_names], len(self._block_names) - 1)
        self._mode, self._heat = controls.mode_combo(), controls.heat_combo()
        self._still = controls.frame_spin("exportStill", "The frame of the memory view that becomes PNG, SVG or PDF")
        self._formats = controls.format_ticks()
        self._size = controls.size_combo()
        self._width = controls.side_spin("exportFilmWidth", "Width in pixels", 0, SLIDE_SIZE[0])
        self._height = controls.side_spin("exportFilmHeight", "Height in pixels", 1, SLIDE_SIZE[1])
        self._first = controls.frame_spin("exportFrom", "The first frame of the animation")
        self._last = controls.frame_spin("exportTo", "The last frame of the animation")
        self._speed, self._fps = controls.speed_combo(), controls.rate_combo()
        self._animate = controls.tick(
            "exportAnimate", "Animate tiles", "Move tiles smoothly; otherwise they jump", True
        )
        tip = "Write a PNG for every video frame, with the motion of tiles; otherwise one for each recorded frame"
        self._every = controls.tick("exportEveryPicture", "PNG of every video frame", tip)
        self._loop = controls.loop_tick()
        tip = "Titles, pictures and charts in large type, as the presentation (F11) shows them; each is 1920 × 1080"
        self.slide = controls.tick("exportSlide", "As a presentation", tip)
        self.slide.setParent(self)  # whoever shows charts, too, puts it beside their choices
        self._with_beside = controls.tick("exportBeside", "Both pictures", BESIDE_TIP)
        self._why_alone = field_label("", "muted")
        self._why_alone.setObjectName("exportWhyAlone")
        self._row_beside = QWidget()
        self._beside: Beside | None = None
        self._wants_both = False
        self._counted_beside: Beside | None = None
        self._what, self._range_of = field_label("", ""), field_label("", "")
        self._of = tuple(field_label("", "muted") for _ in range(2))
        self._faults = {name: fault_label(f"exportFilmFault_{name}") for name in _FAULTS}
        self._estimate = field_label("", "muted")
        self._estimate.setObjectName("exportEstimate")
        self._estimate.setMinimumHeight(2 * self._estimate.fontMetrics().lineSpacing())  # of its longest text
        self._lay_out()
        self._connect()
        self._check()

    @property
    def block_name(self) -> BlockName | None:
        """The recorded block that is chosen."""
        return self._block_names[self._blocks.currentIndex()] if self._block_names else None

    @property
    def is_offered(self) -> bool:
        return bool(self._block_names)

    @property
    def counted(self) -> bool:
        """Whether it is known which frames there are."""
        return self._count > 0

    @property
    def still_words(self) -> str:
        """Which frame becomes a picture: "frame 3 of 66", of two "moment 7 of 9"; "" while they are counted."""
        what = counted_word(self._counted_beside)
        return f"{what} {count_words(self._still.value())} of {count_words(self._count)}" if self.counted else ""

    @property
    def still_file(self) -> str:
        """The name of that picture's file without suffix; "" where there is no recording."""
        return self.still().file_of(self.block_name.stem) if self.block_name is not None else ""

    def width_of_titles(self) -> int:
        return LABEL_WIDTH + 8 + self._blocks.width_of_titles()

    def request(self) -> FilmRequest | None:
        formats = tuple(form for form, tick in self._formats.items() if tick.isChecked())
        if self.block_name is None or not formats:
            return None
        size = self._size.currentData()
        choice = FilmChoice(
            formats,
            self._first.value(),
            self._last.value(),
            float(self._speed.currentData()),
            int(self._fps.currentData()),
            (self._width.value(), self._height.value()) if size == controls.OWN else size,
            FrameMode(self._mode.currentData()),
            HeatKind(self._heat.currentData()),
            self._animate.isChecked(),
            self._loop.isChecked(),
            self._selection,
            self._every.isChecked(),
            self.slide.isChecked(),
            self._chosen_beside,
        )
        return FilmRequest(self.block_name, choice, self._is_own)

    def still(self) -> StillChoice:
        """How the picture of the memory view is made: of the recorded block that is chosen."""
        heat = HeatKind(self._heat.currentData())
        stems = (self.block_name.stem,) if self.block_name is not None else None
        if self.block_name is None or not self.counted:
            return StillChoice(heat=heat, stems=stems, is_slide=self.slide.isChecked())
        mode, frame = FrameMode(self._mode.currentData()), (self.block_name.stem, self._still.value())
        slide, beside = self.slide.isChecked(), self._chosen_beside
        return StillChoice(
            mode, heat, stems=stems, frame=frame, selection=self._selection, is_slide=slide, beside=beside
        )

    @property
    def _selection(self) -> Selection:
        """What is chosen in the block that is chosen: what the person looks at, else nothing."""
        return self._selected if self._is_watched else NOTHING

    @property
    def _is_watched(self) -> bool:
        """Whether the person looks at the block that is chosen."""
        return self._watched is not None and self.block_name is not None and self._watched[0] == self.block_name.stem

    @property
    def _chosen_beside(self) -> Beside | None:
        """What stands beside the block on its slides; None for nothing."""
        return self._beside if not self._why_no_beside and self._wants_both else None

    @property
    def _why_no_beside(self) -> str:
        """Why both pictures cannot be had; "" where they can."""
        if not self._is_watched:
            return "Only the recording on the screen has a picture beside it."
        return "" if self.slide.isChecked() else "Tick As a presentation to have both."

    def faults(self) -> FilmFaults:
        request = self.request()
        if request is None:
            return FilmFaults()
        if not self.counted:
            return FilmFaults(frames="the frames are still being counted")
        return film_faults(request.choice, self._count)

    def room_for_faults(self, height: int) -> int:
        return max(height - self._estimate.minimumHeight(), 0)

    def ask(self) -> None:
        """Ask which frames the chosen block has: in the mode it is looked at, that of last time, or its natural one."""
        if self.block_name is not None and self._watched is not None and self._watched[0] == self.block_name.stem:
            self._ask(self._watched[2])
        elif self.block_name is not None:
            is_same = self._before is not None and self._before.block_name.stem == self.block_name.stem
            self._ask(self._before.choice.mode if is_same and self._before is not None else None)

    def look_at(
        self,
        block_name: BlockName,
        frame: int,
        count: int,
        mode: FrameMode,
        heat: HeatKind,
        selection: Selection = NOTHING,
        beside: Beside | None = None,
    ) -> None:
        """Propose what a person looks at: the block, the frame, counted from 1 of `count`, the mode and the heat.

        What is chosen in the block is so in its pictures, too. `beside` is what the block is compared with.
        """
        self._beside = beside
        self._wants_both = beside is not None
        self._watched, self._selected = (block_name.stem, frame, mode, count), selection
        self._blocks.show_place(self._block_names.index(block_name))
        self._heat.setCurrentIndex(self._heat.findData(heat))

    def show_frames(self, mode: FrameMode, count: int, telling: int) -> None:
        """The chosen block has `count` frames, with one beside it moments; for a picture the one looked at is proposed,
        else `telling`, from 1.
        """
        self._count, beside, watched = count, self._counted_beside, self._watched
        if watched is not None and self.block_name is not None:
            frame, of = (watched[1], watched[3]) if beside is None else (beside.moment + 1, beside.moments)
            telling = frame if (watched[0], watched[2], of) == (self.block_name.stem, mode, count) else telling
        with QSignalBlocker(self._mode):
            self._mode.setCurrentIndex(self._mode.findData(mode))
        for spin in (self._still, self._first, self._last):
            with QSignalBlocker(spin):
                spin.setRange(1, max(count, 1))
        with QSignalBlocker(self._still):
            self._still.setValue(telling)
        self._propose(mode)
        self._check()
        self.changed.emit()

    def use(self, request: FilmRequest) -> None:
        """Take over how an animation was made before, but order none.

        Frames and speed are taken only if they were a person's choice for this block.
        """
        choice, self._before = request.choice, request
        place = next(
            (i for i, block_name in enumerate(self._block_names) if block_name.stem == request.block_name.stem), -1
        )
        if place >= 0:
            self._blocks.show_place(place)
        found = self._size.place_of(choice.size)
        self._size.setCurrentIndex(found if found >= 0 else self._size.place_of(controls.OWN))
        self._width.setValue(choice.size[0])
        self._height.setValue(choice.size[1])
        self._fps.setCurrentIndex(max(self._fps.findData(choice.fps), 0))
        self._heat.setCurrentIndex(self._heat.findData(choice.heat))
        self._animate.setChecked(choice.is_animated)
        self._loop.setChecked(choice.loop)
        self._every.setChecked(choice.every_picture)
        self.slide.setChecked(choice.is_slide)

    def _ask(self, mode: FrameMode | None) -> None:
        self._count, self._counted_beside = 0, self._chosen_beside
        self._check()
        if self.block_name is not None:
            self.frames_asked.emit(self.block_name, mode, self._counted_beside)

    def _propose(self, mode: FrameMode) -> None:
        """The range of last time, if a person chose it for this block; else one that makes a short film."""
        own = self._own_range(mode)
        proposed = own if own is not None else short_range(self._count)
        for control, value in ((self._first, proposed.first), (self._last, proposed.last)):
            with QSignalBlocker(control):
                control.setValue(value)
        with QSignalBlocker(self._speed):
            self._speed.setCurrentIndex(self._speed.findData(proposed.speed))
        self._is_own = own is not None

    def _own_range(self, mode: FrameMode) -> FilmRange | None:
        before, block_name = self._before, self.block_name
        if before is None or block_name is None or not before.is_own or before.block_name.stem != block_name.stem:
            return None
        choice = before.choice
        if choice.mode is not mode or choice.last > self._count:
            return None
        return FilmRange(choice.first, choice.last, self._count, choice.speed)

    def _check(self) -> None:
        """Say what is wrong beside the controls, and what the animation will be."""
        faults = self.faults()
        if not self.counted:
            faults = FilmFaults()
        said = {"size": faults.size, "frames": faults.frames, "fps": faults.fps, "length": faults.length}
        for name, label in self._faults.items():
            label.setText(said[name])
        shown: dict[QWidget, bool] = {label: bool(said[name]) for name, label in self._faults.items()}
        show_in_turn({self._estimate: not any(shown.values()), **shown})  # what is wrong takes its room
        of = f"of {count_words(self._count)}" if self.counted else "…"
        for label in self._of:
            label.setText(of)
        self._what.setText(counted_word(self._counted_beside))
        self._range_of.setText(f"{counted_word(self._counted_beside)}s")
        own = self._size.currentData() == controls.OWN
        self._width.setVisible(own)
        self._height.setVisible(own)
        self._row_beside.setVisible(self._beside is not None)
        why = self._why_no_beside
        self._with_beside.setEnabled(not why)
        with QSignalBlocker(self._with_beside):
            self._with_beside.setChecked(self._wants_both and not why)  # a tick is in force
        self._with_beside.setToolTip(plain_text(f"{BESIDE_TIP}. {why}" if why else BESIDE_TIP))
        if why:
            self._why_alone.setText(why)
        kept = self._why_alone.sizePolicy()
        kept.setRetainSizeWhenHidden(self._beside is not None)  # the rows below stay where they are
        self._why_alone.setSizePolicy(kept)
        self._why_alone.setVisible(bool(why) and self._beside is not None)
        allow(self._loop, "" if self._formats[FilmFormat.GIF].isChecked() else "Tick GIF first.")
        allow(self._every, "" if self._formats[FilmFormat.FRAMES].isChecked() else "Tick PNG frames first.")
        self._estimate.setText(self._estimated(faults))

    def _estimated(self, faults: FilmFaults) -> str:
        request = self.request()
        if not self.counted:
            return "Counting the frames…"
        if request is None or faults.any:
            return ""
        choice = request.choice
        taken = choice.last - choice.first + 1
        noun = f"{counted_word(self._counted_beside)}s"
        what = f"All {count_words(taken)} {noun}"
        if taken < self._count:
            what = f"{count_words(taken)} of {count_words(self._count)} {noun}"
        files = "1 PNG file" if choice.files == 1 else f"{count_words(choice.files)} PNG files"
        names = {form: files if form is FilmFormat.FRAMES else form.words for form in choice.formats}
        sizes = ", ".join(f"{name} {range_words(choice.bytes_of(form))}" for form, name in names.items())
        if choice.is_frames_alone:
            return f"{what}: {sizes}"
        return f"{what}, {seconds_words(choice.seconds)}, {count_words(choice.pictures)} video frames: {sizes}"

    def _lay_out(self) -> None:
        for label in self._of:
            label.setWordWrap(False)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(16)
        column.addWidget(field_label("Memory view", "head"))
        column.addLayout(row("Recording", line(self._blocks)))
        column.addLayout(row("One frame is", line(self._mode)))
        column.addLayout(row("Colours", line(self._heat)))
        beside = row("Beside it", line(self._with_beside), self._why_alone)
        beside.setContentsMargins(0, 0, 0, 0)
        self._row_beside.setLayout(beside)
        column.addWidget(self._row_beside)
        column.addLayout(row("Picture of", line(self._what, self._still, self._of[0])))
        column.addWidget(field_label("Animation", "head"))
        column.addLayout(row("Format", line(*self._formats.values(), spacing=16)))
        column.addLayout(row("Size", line(self._size, self._width, self._height), self._faults["size"]))
        between = (self._first, field_label("to", ""), self._last, self._of[1])
        column.addLayout(row("Range", line(self._range_of, *between), self._faults["frames"]))
        column.addLayout(row("Speed", line(self._speed, self._fps), self._faults["fps"]))
        column.addLayout(row("Motion", line(self._animate, self._loop, spacing=16)))
        column.addLayout(row("", line(self._every)))
        column.addLayout(row("", QVBoxLayout(), self._estimate, self._faults["length"]))
        column.addStretch(1)

    def _connect(self) -> None:
        self._blocks.activated.connect(lambda _: self.ask())
        self._mode.activated.connect(lambda _: self._ask(FrameMode(self._mode.currentData())))
        self.slide.clicked.connect(self._on_slide)
        for ticked in (*self._formats.values(), self._animate, self._loop, self._every, self.slide):
            ticked.toggled.connect(self._on_changed)
        self._with_beside.toggled.connect(self._on_both)
        for chosen in (self._heat, self._size, self._fps):
            chosen.currentIndexChanged.connect(self._on_changed)
        for spin in (self._still, self._width, self._height):
            spin.valueChanged.connect(self._on_changed)
        for own in (self._first.valueChanged, self._last.valueChanged, self._speed.currentIndexChanged):
            own.connect(self._on_own)

    @Slot(bool)
    def _on_slide(self, is_slide: bool) -> None:
        """A presentation is as large as a screen for one, unless a person chooses otherwise."""
        if is_slide:
            self._size.setCurrentIndex(FILM_SIZES.index(SLIDE_SIZE))

    @Slot(bool)
    def _on_both(self, is_ticked: bool) -> None:
        self._wants_both = is_ticked
        self._on_changed()

    @Slot()
    def _on_changed(self) -> None:
        if self.counted and self._chosen_beside is not self._counted_beside:
            self._ask(FrameMode(self._mode.currentData()))  # two pictures have moments, one has frames
        self._check()
        self.changed.emit()

    @Slot()
    def _on_own(self) -> None:
        self._is_own = True
        self._on_changed()

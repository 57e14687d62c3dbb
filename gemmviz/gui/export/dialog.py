"""The dialog that asks what to export, how and where to, and shows how it goes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QCloseEvent, QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from gemmviz.gui.charts.plot_table import Plot
from gemmviz.gui.export.choice import (
    FORMATS,
    PNG,
    SCALES,
    ExportChoice,
    ExportItem,
    faults_of,
    overwrite_words,
    typed_folder,
)
from gemmviz.gui.export.film.column import FilmColumn
from gemmviz.gui.export.film.form import FilmForm
from gemmviz.gui.export.film.request import FilmRequest
from gemmviz.gui.export.film.step_choice import StepFilmChoice
from gemmviz.gui.export.film.step_form import StepFilmForm
from gemmviz.gui.export.form import FAULT_SPACING, fault_label, field_label, line, named_row, row, show_in_turn
from gemmviz.gui.export.size_fields import OWN, side_field, size_choice
from gemmviz.gui.export.status import EXPORTING, ExportStatus
from gemmviz.gui.export.targets import existing
from gemmviz.gui.export.ticks import format_tick, item_tick
from gemmviz.gui.files.file_dialog import FileDialog
from gemmviz.gui.looks.theme import ThemeChoice
from gemmviz.gui.recording.block_names import BlockName
from gemmviz.gui.widgets.allowed import allow
from gemmviz.gui.widgets.dialog_size import ScrolledContents, fit_screen, room_on_screen
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.widgets.plain_text import action_text, plain_text

Targets = Callable[[ExportChoice], Sequence[Path]]
"""The files that a choice makes."""
_FILM_WIDTH, _MOST_FILM_WIDTH, _REST_WIDTH, _LEAST_WIDTH = 440, 700, 520, 640
"""Pixels of the right column, so that the two stay where they are whatever is chosen, as far as titles have room; of
all else; and of a dialog of one column.
"""
_SPACING, _CLOSE = 16, 8
"""Pixels between two rows, and on a screen that is too low for that."""
THEMES = ((ThemeChoice.AUTO, "as on screen"), (ThemeChoice.LIGHT, "light"), (ThemeChoice.DARK, "dark"))


class ExportDialog(QDialog):
    """Asks for an ExportChoice. `items` are what can be exported, those of `chosen` names ticked at first (None: all);
    `block_names` the recorded blocks that can be animated, or `step_film` asks for the film of a lesson's step; `about`
    is a sentence on whose contents these are, "" for none.

    It stays open while files are written: `show_progress`, then `show_done` or `show_failure`. An animation is made
    after it has closed.
    """

    export_asked = Signal(object)
    """The ExportChoice."""
    cancel_asked = Signal()
    """Stop the export that is going on."""

    def __init__(
        self,
        items: Sequence[ExportItem],
        folder: Path,
        chosen: Sequence[str] | None = None,
        parent: QWidget | None = None,
        block_names: Sequence[BlockName] = (),
        targets: Targets = lambda choice: choice.paths,
        about: str = "",
        step_film: StepFilmForm | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("exportDialog")
        self.setWindowTitle("Export")
        self._items = tuple(items)
        self._targets, self._busy = targets, False
        self._is_own, self._has_film = chosen is not None and Plot.MEMORY not in chosen, False
        self._ticks = [item_tick(item, chosen is None or item.name in chosen) for item in self._items]
        self._all = named(QPushButton("All"), "exportAll", "Tick every picture and table", "Tick all", "quiet")
        self._none = named(QPushButton("None"), "exportNone", "Untick every picture and table", "Tick none", "quiet")
        self._formats = {form: format_tick(form) for form in FORMATS}
        self._scale = named_row("exportScale", [(str(scale), f"{scale} ×") for scale in SCALES], "2", "Scale of PNG")
        self._size = size_choice()
        self._width, self._height = side_field("exportWidth", 1200), side_field("exportHeight", 750)
        self._theme = named_row("exportTheme", [(str(t), words) for t, words in THEMES], "auto", "Colours")
        self.film = FilmForm(block_names)
        self._moving: FilmColumn = step_film or self.film
        self._about = named(PlainLabel(about, wordWrap=True), "exportAbout", role="muted")
        self._sides = QWidget()
        self._folder = QLineEdit(str(folder))
        self._browse = QPushButton("Browse…")
        self._fault = fault_label("exportFault")
        self._note = field_label("", "muted")
        self._note.setObjectName("exportNote")
        for label in (self._note, self._fault):  # one takes the place of the other, so that nothing moves
            label.setMinimumHeight(2 * label.fontMetrics().lineSpacing())
            label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self._status = ExportStatus("export", "Files written so far")
        self._ok, self._cancel = QPushButton("Export"), QPushButton("Close")
        self._name_controls()
        self._lay_out()
        self._connect()
        self._check()

    def choice(self) -> ExportChoice:
        """What is chosen now, sound or not."""
        items = tuple(item for item, tick in zip(self._items, self._ticks, strict=True) if tick.isChecked())
        size = self._size.currentData()
        return ExportChoice(
            items=items,
            formats=tuple(form for form, tick in self._formats.items() if tick.isChecked()),
            scale=int(self._scale.value),
            size=(self._width.value(), self._height.value()) if size == OWN else size,
            theme=ThemeChoice(self._theme.value),
            folder=typed_folder(self._folder.text()),
            film=self._moving.request(),
            still=self.film.still(),
        )

    def use(self, choice: ExportChoice) -> None:
        """Take over how something was exported before; what is exported and the folder are what they are."""
        for form, tick in self._formats.items():
            tick.setChecked(form in choice.formats)
        self._scale.choose_name(str(choice.scale))
        self._theme.choose_name(str(choice.theme))
        place = self._size.place_of(choice.size)
        self._size.setCurrentIndex(place if place >= 0 else self._size.place_of(OWN))
        if choice.size is not None:
            self._width.setValue(choice.size[0])
            self._height.setValue(choice.size[1])
        self.film.slide.setChecked(choice.still.is_slide)
        if isinstance(choice.film, FilmRequest):
            self.film.use(choice.film)
        elif isinstance(choice.film, StepFilmChoice) and isinstance(self._moving, StepFilmForm):
            self._moving.use(choice.film)

    def show_progress(self, done: int, total: int, name: str) -> None:
        """An export is going on: `done` of `total` files are written, `name` is the last one."""
        self._set_busy(True)
        self._status.fill(done, total)
        self._status.tell(f"{done} of {total}: {name}", "muted")

    def show_failure(self, text: str) -> None:
        """The export ended for the reason in `text`."""
        self._set_busy(False)
        self._status.tell(text, "refusal")

    def show_done(self, paths: Sequence[Path]) -> None:
        """The export is through; these files were written."""
        self._set_busy(False)
        self._check()
        # The files are there because they were just written; that needs no warning.
        self._note.setText("")
        self._status.tell_written(paths)

    def show_cancelled(self, written: int) -> None:
        """The export was stopped; the files `written` until then stay."""
        self._set_busy(False)
        self._status.tell_stopped(written)

    def reject(self) -> None:
        """Escape and Close: stop a running export first, close at the second time."""
        if self._busy:
            self.cancel_asked.emit()
        else:
            super().reject()

    def closeEvent(self, event: QCloseEvent) -> None:
        if self._busy:
            event.ignore()
            self.cancel_asked.emit()
        else:
            super().closeEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        """Keep room for what may be wrong, in the type that the dialog has now: the buttons are not to move. The dialog
        is as high as that; on a low screen its rows lie closer together, and scroll where that does not do.
        """
        film = min(max(self._moving.width_of_titles(), _FILM_WIDTH), _MOST_FILM_WIDTH)
        self._moving.setMinimumWidth(_FILM_WIDTH)
        self.setMinimumWidth(_REST_WIDTH + film if self._moving.is_offered else _LEAST_WIDTH)
        self._space_rows(_SPACING)
        if self.sizeHint().height() > room_on_screen(self).height():
            self._space_rows(_CLOSE)
        fit_screen(self, self.sizeHint().expandedTo(self.size()))
        super().showEvent(event)

    def _space_rows(self, spacing: int) -> None:
        """Lay the rows so far apart, with room below them for what may be wrong."""
        for column in (self.layout(), self._pictures_column, self._moving.layout()):
            if column is not None:
                column.setSpacing(spacing)
        fault = 2 * (self.fontMetrics().lineSpacing() + FAULT_SPACING)
        left, right = self._pictures_column.sizeHint().height(), self._moving.sizeHint().height()
        kept = left, right + self._moving.room_for_faults(fault)
        self._sides.setMinimumHeight(max(kept if self._moving.is_offered else kept[:1]))
        self._scrolled.updateGeometry()

    def _name_controls(self) -> None:
        for control, name, words, tip in (
            (self._size, "exportSize", "Size", "Size of a picture before it is scaled"),
            (self._folder, "exportFolder", "Folder", "Folder of the files; it is created if it does not exist"),
            (self._browse, "exportBrowse", "Browse for a folder", "Choose a folder"),
            (self._ok, "exportOk", "Export", "Write the files"),
            (self._cancel, "exportCancel", "Close", "Close, or stop the running export (Esc)"),
        ):
            control.setObjectName(name)
            control.setAccessibleName(words)
            control.setToolTip(plain_text(tip))
        self._ok.setProperty("role", "primary")
        self._ok.setDefault(True)
        self._browse.setAutoDefault(False)
        self._cancel.setAutoDefault(False)

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 16, 24, 16)
        column.addWidget(self._about)
        self._about.setVisible(bool(self._about.text()))
        sides = QHBoxLayout(self._sides)
        sides.setContentsMargins(0, 0, 0, 0)
        sides.setSpacing(40)
        self._pictures_column = self._pictures()
        sides.addLayout(self._pictures_column, 1)
        sides.addWidget(self._moving, 1)
        self._scrolled = ScrolledContents(self._sides)
        column.addWidget(self._scrolled, 1)
        self._moving.setVisible(self._moving.is_offered)  # not before it has a parent
        folder = QHBoxLayout()
        folder.setSpacing(8)
        folder.addWidget(self._folder, 1)
        folder.addWidget(self._browse)
        column.addLayout(row("Folder", folder, self._fault, self._note))
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self._status, 1)
        for button in (self._cancel, self._ok):
            buttons.addWidget(button, 0, Qt.AlignmentFlag.AlignBottom)
        column.addLayout(buttons)
        self._set_busy(False)

    def _pictures(self) -> QVBoxLayout:
        column = QVBoxLayout()
        if self._moving.is_offered:
            column.addWidget(field_label("Pictures and tables", "head"))
        what = QVBoxLayout()
        what.setSpacing(0)
        choose = QHBoxLayout()
        choose.setSpacing(4)
        for button in (self._all, self._none):
            choose.addWidget(button)
        choose.addStretch(1)
        what.addLayout(choose)
        for tick in self._ticks:
            what.addWidget(tick)
        column.addLayout(row("What", what))
        column.addLayout(row("Format", line(*self._formats.values(), spacing=16)))
        column.addLayout(row("Form", line(self.film.slide)))
        column.addLayout(row("Scale of PNG", line(self._scale)))
        column.addLayout(row("Size", line(self._size, self._width, self._height)))
        column.addLayout(row("Colours", line(self._theme)))
        column.addStretch(1)
        return column

    def _connect(self) -> None:
        for tick in (*self._ticks, *self._formats.values()):
            tick.toggled.connect(self._on_changed)
            tick.clicked.connect(self._on_own)
        for button, is_ticked in ((self._all, True), (self._none, False)):
            button.setAutoDefault(False)
            button.clicked.connect(partial(self._tick_every, is_ticked))
        self._scale.chosen.connect(self._on_changed)
        self._theme.chosen.connect(self._on_changed)
        self._size.currentIndexChanged.connect(self._on_changed)
        for side in (self._width, self._height):
            side.valueChanged.connect(self._on_changed)
        self._folder.textChanged.connect(self._on_changed)
        self._browse.clicked.connect(self._on_browse)
        self._ok.clicked.connect(self._on_ok)
        for film in dict.fromkeys((self.film, self._moving)):
            film.changed.connect(self._on_film)
        self._cancel.clicked.connect(self.reject)

    def _tick_every(self, is_ticked: bool, _checked: bool = False) -> None:
        self._on_own()
        for tick in self._ticks:
            tick.setChecked(is_ticked)

    def _check(self) -> None:
        """Say above the buttons what is wrong, or which files would be replaced."""
        self._name_memory()
        choice = self.choice()
        faults = faults_of(choice, self._folder.text())
        self._fault.setText(faults.sentence)
        show_in_turn({self._note: not faults.any, self._fault: faults.any})
        wrong = "true" if faults.folder else "false"
        if self._folder.property("wrong") != wrong:
            self._folder.setProperty("wrong", wrong)
            self._folder.style().polish(self._folder)
        taken = () if faults.any or self._busy else existing(self._targets(choice))
        self._note.setText(overwrite_words(taken))
        self._note.setToolTip(plain_text("\n".join(str(path) for path in taken[:20])))
        for field in (self._width, self._height):
            field.setVisible(self._size.currentData() == OWN)
        of_slides = "A presentation is 1920 × 1080." if self.film.slide.isChecked() else ""
        for control in (self._size, self._width, self._height):
            allow(control, EXPORTING if self._busy else of_slides)
        of_scale = of_slides if PNG in choice.formats else "Tick PNG first."
        allow(self._scale, EXPORTING if self._busy else of_scale)
        allow(self._ok, EXPORTING if self._busy else faults.sentence or self._moving.faults().sentence)

    def _name_memory(self) -> None:
        """The memory view says which frame it is, and its tooltip in which file."""
        for item, tick in zip(self._items, self._ticks, strict=True):
            if item.name == Plot.MEMORY and self.film.still_words:
                without = ", left out beside the animation" if self._has_film and not self._is_own else ""
                tick.setText(action_text(f"{item.title}, {self.film.still_words}{without}"))
                tick.setToolTip(plain_text(item.file_words(self.film.still_file)))

    def _set_busy(self, busy: bool) -> None:
        if busy != self._busy:
            self._busy = busy
            for control in (
                *self._ticks,
                self._all,
                self._none,
                *self._formats.values(),
                self._scale,
                self._theme,
                self.film.slide,
                self._folder,
                self._browse,
                self._moving,
            ):
                allow(control, EXPORTING if busy else "")
            self._cancel.setText("Stop" if busy else "Close")
            self._cancel.setAccessibleName(self._cancel.text())
            self._check()
        self._status.set_busy(busy)

    @Slot()
    def _on_changed(self) -> None:
        self._status.tell("", "")
        self._check()

    @Slot()
    def _on_own(self) -> None:
        """From now on a person says which pictures there are to be, also beside an animation."""
        self._is_own = True

    @Slot()
    def _on_film(self) -> None:
        """An animation takes the place of the picture of the memory view that was only proposed."""
        has_film = self._moving.request() is not None
        if has_film is not self._has_film and not self._is_own:
            for item, tick in zip(self._items, self._ticks, strict=True):
                if item.name == Plot.MEMORY and tick.isChecked() is has_film:
                    tick.setChecked(not has_film)
        self._has_film = has_film
        self._on_changed()

    @Slot()
    def _on_browse(self) -> None:
        name = FileDialog.folder_name(self, "Export to", self._folder.text())
        if name:
            self._folder.setText(name)

    @Slot()
    def _on_ok(self) -> None:
        self._check()
        if self._ok.isEnabled():
            self.export_asked.emit(self.choice())

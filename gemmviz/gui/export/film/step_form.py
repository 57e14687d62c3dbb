"""The part of the export dialog in a lesson: the film of its step."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from gemmviz.domain.figures import count as count_words
from gemmviz.gui.export.film import controls
from gemmviz.gui.export.film.choice import FILM_SIZES, FilmFaults
from gemmviz.gui.export.film.column import FilmColumn
from gemmviz.gui.export.film.estimate import range_words, seconds_words
from gemmviz.gui.export.film.formats import FilmFormat
from gemmviz.gui.export.film.step_choice import SPEEDS, StepFilmChoice, step_film_faults
from gemmviz.gui.export.form import fault_label, field_label, line, row, show_in_turn
from gemmviz.gui.widgets.allowed import allow

WHAT = "This step as the whole screen shows it, from its beginning to its end."
_FAULTS = "size", "fps", "length"


class StepFilmForm(FilmColumn):
    """Asks for a film of the step that is called `stem` and takes so many seconds; 0 for one that does not play."""

    def __init__(self, stem: str, step_seconds: float, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("exportStepFilm")
        self._stem, self._step_seconds = stem, step_seconds
        self._formats = controls.format_ticks()
        self._size, self._fps = controls.size_combo(FILM_SIZES), controls.rate_combo()
        self._speed, self._loop = controls.times_combo(SPEEDS), controls.loop_tick()
        self._faults = {name: fault_label(f"exportStepFault_{name}") for name in _FAULTS}
        self._estimate = field_label("", "muted")
        self._estimate.setObjectName("exportEstimate")
        self._estimate.setMinimumHeight(2 * self._estimate.fontMetrics().lineSpacing())  # of its longest text
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(16)
        column.addWidget(field_label("Animation", "head"))
        column.addWidget(field_label(WHAT, "muted"))
        column.addLayout(row("Format", line(*self._formats.values(), spacing=16)))
        column.addLayout(row("Size", line(self._size), self._faults["size"]))
        column.addLayout(row("Speed", line(self._speed, self._fps), self._faults["fps"]))
        column.addLayout(row("Motion", line(self._loop)))
        column.addLayout(row("", QVBoxLayout(), self._estimate, self._faults["length"]))
        column.addStretch(1)
        for tick in (*self._formats.values(), self._loop):
            tick.toggled.connect(self._on_changed)
        for combo in (self._size, self._speed, self._fps):
            combo.currentIndexChanged.connect(self._on_changed)
        self._check()

    @property
    def is_offered(self) -> bool:
        return self._step_seconds > 0.0

    def request(self) -> StepFilmChoice | None:
        formats = tuple(form for form, tick in self._formats.items() if tick.isChecked())
        if not formats or not self.is_offered:
            return None
        return StepFilmChoice(
            self._stem,
            self._step_seconds,
            formats,
            float(self._speed.currentData()),
            int(self._fps.currentData()),
            self._size.currentData(),
            self._loop.isChecked(),
        )

    def use(self, choice: StepFilmChoice) -> None:
        """Take over how a film was made before, but order none."""
        for combo, value in ((self._size, choice.size), (self._speed, choice.speed), (self._fps, choice.fps)):
            combo.setCurrentIndex(max(combo.place_of(value), 0))
        self._loop.setChecked(choice.loop)

    def faults(self) -> FilmFaults:
        request = self.request()
        return step_film_faults(request) if request is not None else FilmFaults()

    def width_of_titles(self) -> int:
        return 0

    def room_for_faults(self, height: int) -> int:
        return max(height - self._estimate.minimumHeight(), 0)

    def _on_changed(self) -> None:
        self._check()
        self.changed.emit()

    def _check(self) -> None:
        """Say what is wrong beside the controls, and what the film will be."""
        faults, request = self.faults(), self.request()
        for name, words in zip(_FAULTS, (faults.size, faults.fps, faults.length), strict=True):
            self._faults[name].setText(words)
        shown: dict[QWidget, bool] = {label: bool(label.text()) for label in self._faults.values()}
        show_in_turn({self._estimate: not any(shown.values()), **shown})  # what is wrong takes its room
        allow(self._loop, "" if self._formats[FilmFormat.GIF].isChecked() else "Tick GIF first.")
        self._estimate.setText("" if request is None or faults.any else _estimated(request))


def _estimated(choice: StepFilmChoice) -> str:
    """How long the film is, and how large its files."""
    sizes = ", ".join(f"{form.words} {range_words(choice.bytes_of(form))}" for form in choice.formats)
    return f"{seconds_words(choice.seconds)}, {count_words(choice.pictures)} video frames: {sizes}"

"""The controls of the form that asks for an animation, each with its names and its tooltip."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from PySide6.QtWidgets import QCheckBox

from gemmviz.explain.block.heat_maps import HeatKind, colour_words
from gemmviz.gui.export.film.choice import FILM_SIZES, LARGEST, RATES, SLIDE_SIZE, SMALLEST
from gemmviz.gui.export.film.formats import FilmFormat
from gemmviz.gui.player.schedule import SPEEDS, speed_words
from gemmviz.gui.widgets.fields import ComboBox, SpinBox
from gemmviz.gui.widgets.named import named
from gemmviz.trace.frames.plan import FrameMode

OWN = (0, 0)
"""The size that is typed."""
_SIDE_WIDTH = 88
_FORMATS = {
    FilmFormat.GIF: ("exportGif", "GIF", "Plays anywhere, also in a README; 256 colours"),
    FilmFormat.MP4: ("exportMp4", "MP4", "H.264: plays in browsers and on slides"),
    FilmFormat.FRAMES: ("exportFrames", "PNG frames", "A folder of numbered pictures, for other programs"),
}
_MODES = (
    (FrameMode.PHASE, "a barrier interval"),
    (FrameMode.STEP, "a step: a few iterations of the loop"),
    (FrameMode.REQUEST, "a warp request"),
)


def format_ticks() -> dict[FilmFormat, QCheckBox]:
    return {form: tick(*words) for form, words in _FORMATS.items()}


def mode_combo() -> ComboBox:
    return _combo("exportFilmMode", "What one frame is", ((words, mode) for mode, words in _MODES))


def heat_combo() -> ComboBox:
    kinds = ((colour_words(kind), kind) for kind in HeatKind)
    return _combo("exportFilmHeat", "What the colours mean", kinds)


def size_combo(sizes: Sequence[tuple[int, int]] = (*FILM_SIZES, OWN)) -> ComboBox:
    """The sizes of an animation, at first that of a slide; OWN is one that is typed."""
    entries = ((f"{size[0]} × {size[1]}" if size != OWN else "custom", size) for size in sizes)
    made = _combo("exportFilmSize", "Size of the animation in pixels", entries)
    made.setCurrentIndex(sizes.index(SLIDE_SIZE))
    return made


def times_combo(speeds: Sequence[float]) -> ComboBox:
    """How many times as fast as where it is seen; at first just as fast."""
    tip = "Speed of the animation, against that of the lesson"
    made = _combo("exportFilmSpeed", tip, ((f"{speed:g}×", speed) for speed in speeds))
    made.setCurrentIndex(speeds.index(1.0))
    return made


def loop_tick() -> QCheckBox:
    """Whether a GIF begins again."""
    tip = "Play the GIF again and again; without this it stops at the last frame"
    return tick("exportLoop", "Loop the GIF", tip, True)


def speed_combo() -> ComboBox:
    tip = "Speed of the animation, as in the player"
    made = _combo("exportFilmSpeed", tip, ((speed_words(speed), speed) for speed in SPEEDS))
    made.setCurrentIndex(SPEEDS.index(1.0))
    return made


def rate_combo() -> ComboBox:
    made = _combo("exportFps", "Video frames per second (fps)", ((f"{rate} fps", rate) for rate in RATES))
    made.setCurrentIndex(RATES.index(25))
    return made


def frame_spin(name: str, tip: str) -> SpinBox:
    """A frame, counted from 1."""
    made = SpinBox()
    made.setRange(1, 1)
    return named(made, name, tip)


def side_spin(name: str, tip: str, side: int, pixels: int) -> SpinBox:
    """A side of a picture; `side` is 0 for its width and 1 for its height."""
    made = SpinBox()
    made.setRange(SMALLEST[side], LARGEST[side])
    made.setSingleStep(2)
    made.setValue(pixels)
    made.setSuffix(" px")
    made.setMaximumWidth(_SIDE_WIDTH)
    return named(made, name, tip)


def tick(name: str, words: str, tip: str, is_ticked: bool = False) -> QCheckBox:
    made = QCheckBox(words)
    made.setChecked(is_ticked)
    return named(made, name, tip, words)


def _combo(name: str, tip: str, entries: Iterable[tuple[str, Any]]) -> ComboBox:
    made = ComboBox()
    for words, data in entries:
        made.addItem(words, data)
    return named(made, name, tip)

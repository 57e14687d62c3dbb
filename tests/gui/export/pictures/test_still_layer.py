"""Pictures of a film keep what stands still while tiles move, and look as if all were painted anew."""

from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtGui import QPainter

from gemmviz.domain.runs.result import Session
from gemmviz.gui.export.film_source import FilmSource, film_source_of
from gemmviz.gui.export.pictures import memory_picture
from gemmviz.gui.export.pictures.memory_picture import MemoryPicture, unit_of
from gemmviz.gui.export.pictures.slide_picture import SlidePicture
from gemmviz.gui.export.pictures.still_layer import Canvas
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.memory_view.paint.device_pixels import pixels_of_unit
from gemmviz.gui.memory_view.paint.painter import paint_still
from gemmviz.trace.frames.plan import FrameMode

SIZE = (642, 362)
ARRIVALS = (0.0, 0.1, 0.29, 0.31, 0.45, 0.55, 0.62, 0.9, 1.0)
"""Between all places at which something changes while tiles move."""

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.mark.parametrize(
    ("place", "mode"),
    [
        (0, None),
        *(
            pytest.param(*each, marks=pytest.mark.slow)
            for each in [(0, FrameMode.STEP), (1, None), (1, FrameMode.STEP)]
        ),
    ],
)
def test_that_a_kept_picture_is_the_one_that_is_painted_anew(
    recorded: Session, place: int, mode: FrameMode | None
) -> None:
    source = film_source_of(recorded.traces[place], mode=mode)
    picture, slide = MemoryPicture(source, *SIZE, LIGHT), SlidePicture(source, *SIZE, LIGHT)
    last = len(source.frames) - 1
    for frame in (0, 1, last):
        for arrival in ARRIVALS:
            for painted, canvas in (
                (picture, Canvas(*SIZE)),
                (slide, Canvas(SIZE[0] / slide.scale, SIZE[1] / slide.scale, slide.scale)),
            ):
                anew = canvas.blank()
                canvas.paint(anew, partial(painted.draw, index=frame, arrival=arrival))
                assert painted.image(frame, arrival, canvas.scale) == anew, (frame, arrival)


def test_that_what_stands_still_is_not_painted_for_every_picture(
    film_source: FilmSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While tiles of a frame move: where they begin, on the way, at the end."""
    painted = []

    def counted(*args: object) -> object:
        painted.append(args)
        return paint_still(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(memory_picture, "paint_still", counted)
    picture = MemoryPicture(film_source, *SIZE, LIGHT)
    for arrival in ARRIVALS:
        picture.image(0, arrival)
    assert len(painted) == 3


def test_that_large_units_have_room_for_numbers_and_fine_pixels_have_not() -> None:
    """A film of 1920×1080 is seen as large as that; a picture for a fine screen is not larger for it."""
    canvas, found = Canvas(100.0, 50.0, 1.8, 2.0), []

    def draw(painter: QPainter) -> None:
        found.append(pixels_of_unit(painter))

    image = canvas.blank()
    canvas.paint(image, draw)
    assert (image.width(), image.height()) == (360, 180)
    assert found == [pytest.approx(1.8)]


def test_that_a_film_writes_numbers_in_tiles_of_8_by_8(recorded_in_tiles_of_8: FilmSource) -> None:
    """In a picture of 1920×1080, which is laid out in fewer units, each several pixels large."""
    film = (1920, 1080)
    unit = unit_of(film)
    source = recorded_in_tiles_of_8
    picture = MemoryPicture(source, film[0] / unit, film[1] / unit, LIGHT)
    image = picture.image(len(source.frames) // 2, 1.0, unit)
    cell = picture.scene(len(source.frames) // 2).cell("As", 3, 3)
    assert cell is not None
    across = range(round((cell.x + 2) * unit), round((cell.right - 2) * unit))
    down = range(round((cell.y + 2) * unit), round((cell.bottom - 2) * unit))
    assert len({image.pixel(x, y) for x in across for y in down}) > 1

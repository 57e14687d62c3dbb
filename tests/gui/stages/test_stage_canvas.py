"""Rows have titles, the legend has what is painted and nothing else, and type grows on the whole screen."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter
from pytestqt.qtbot import QtBot

from gemmviz.domain.recordings.access import Space
from gemmviz.explain.requests.request_choice import LaneRequest
from gemmviz.gui.looks.fonts import NORMAL, SMALL, figures, words
from gemmviz.gui.looks.projector import USUAL_HEIGHT
from gemmviz.gui.looks.theme import DARK, LIGHT, Theme, contrast
from gemmviz.gui.memory_view.memory_view import MemoryView
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.stages.bank_canvas import BankCanvas
from gemmviz.gui.stages.bank_geometry import LABELS
from gemmviz.gui.stages.lane_row import EVERY_LANE_FROM, lane_boxes, number_points, numbered_lanes
from gemmviz.gui.stages.sector_canvas import SectorCanvas
from gemmviz.gui.stages.stage_canvas import (
    COUNT_HEIGHT,
    MARGIN,
    POINTS_OF_A_PIXEL,
    WAY_CONTRAST,
    StageCanvas,
    way_colour,
)
from gemmviz.gui.stages.stage_words import captions_of
from gemmviz.trace.model.sectors import global_cost
from gemmviz.trace.model.wavefronts import shared_cost

Requests = Callable[..., LaneRequest]
LANES = np.arange(32, dtype=np.int64)
HALF = np.where(LANES < 16, LANES, -1)
ONE_BANK = LANES * 128


def banks(request_of: Requests, places: np.ndarray, done: float = 99.0) -> BankCanvas:
    made, request = BankCanvas(LIGHT), request_of(places)
    made.show_request(request, shared_cost(request.addresses, 4, request.site.kind))
    made.set_progress(done)
    return made


def sectors(request_of: Requests, places: np.ndarray, done: float = 99.0) -> SectorCanvas:
    made, request = SectorCanvas(LIGHT), request_of(places, Space.GLOBAL, name="A")
    made.show_request(request, global_cost(request.addresses, 4))
    made.set_progress(done)
    return made


def legend(canvas: StageCanvas) -> list[str]:
    return [item.short for item in canvas.legend_items]


@pytest.mark.parametrize("width", [900, 420])
@pytest.mark.parametrize(
    ("make", "titles"),
    [
        (banks, ["lanes 0 to 31", "banks 0 to 31", "wavefronts"]),
        (sectors, ["lanes 0 to 31", "32-byte sectors", "128-byte lines"]),
    ],
)
def test_that_rows_have_titles_inside_the_picture(
    qtbot: QtBot,
    request_of: Requests,
    make: Callable[..., StageCanvas],
    titles: list[str],
    width: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said: list[str] = []
    places: list[float] = []

    def title(_self: StageCanvas, _painter: QPainter, says: str, right: float, middle_y: float) -> None:
        said.append(says)
        places.extend((right + _self.area.x, middle_y))

    monkeypatch.setattr(StageCanvas, "title", title)
    monkeypatch.setattr(StageCanvas, "upright_title", lambda _self, _painter, says, *_: said.append(says))
    canvas = make(request_of, ONE_BANK)
    qtbot.addWidget(canvas)
    canvas.resize(width, 460)
    canvas.grab()
    assert said == [title.removesuffix(" 0 to 31") if width < 600 else title for title in titles]
    assert all(0 < place < canvas.width() for place in places)


@pytest.mark.parametrize("make", [banks, sectors])
def test_that_lines_of_larger_type_have_room_between_the_card_and_the_rows(
    qtbot: QtBot, request_of: Requests, make: Callable[..., StageCanvas]
) -> None:
    canvas = make(request_of, ONE_BANK)
    qtbot.addWidget(canvas)
    canvas.resize(960, 620)
    before = canvas.area
    canvas.set_magnification(1.05, 16.3)
    letters, area = QFontMetricsF(words(canvas.words_points(NORMAL))), canvas.area
    assert canvas.line >= letters.height() > before.y - COUNT_HEIGHT - 5
    assert area.y >= COUNT_HEIGHT + letters.height()
    assert canvas.height() / canvas.scale - area.bottom - 10 >= letters.height() - 1, "the legend is whole"
    title = QFontMetricsF(words(canvas.words_points(SMALL))).horizontalAdvance(canvas.longest_title)
    assert canvas.gutter + MARGIN / 2 + canvas.title_inset >= title, "each title is one line"


def test_that_the_legend_says_what_is_painted_and_nothing_else(qapp: object, request_of: Requests) -> None:
    assert qapp is not None
    assert legend(banks(request_of, LANES * 4)) == ["served at once"]
    assert legend(banks(request_of, ONE_BANK)) == ["served at once", "waited", "conflict"]
    low = legend(banks(request_of, ONE_BANK, 3.0))
    assert low == ["served at once", "waited", "conflict", "served lane"], "too low for outlines"
    two_words = banks(request_of, LANES * 8, 1.0)
    assert legend(two_words) == ["served at once", "waited", "conflict", "not yet", "served lane"]
    by_name = {item.short: item.colour for item in two_words.legend_items}
    assert by_name["not yet"] == by_name["conflict"], "it lies in a bank with a conflict"
    assert legend(banks(request_of, np.where(HALF >= 0, HALF * 4, -1))) == ["served at once", "inactive"]
    assert legend(sectors(request_of, LANES * 4)) == ["used"]
    assert legend(sectors(request_of, LANES * 8)) == ["used", "fetched, not used"]
    assert legend(sectors(request_of, ONE_BANK)) == ["used", "fetched, not used", "untouched: narrower"]
    assert legend(sectors(request_of, LANES * 4, 1.0)) == ["used", "not yet", "served lane"]


@pytest.mark.parametrize("magnification", [1.0, 1.35, 1.5])
def test_that_the_title_of_the_wavefronts_stands_clear_of_their_numbers(
    qtbot: QtBot, request_of: Requests, magnification: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[float] = []

    def upright(_self: StageCanvas, _painter: QPainter, _says: str, x: float, *_: float) -> None:
        found.append(x)

    monkeypatch.setattr(StageCanvas, "upright_title", upright)
    canvas = banks(request_of, ONE_BANK)
    qtbot.addWidget(canvas)
    canvas.set_magnification(magnification, 16.0 * magnification)
    canvas.resize(round(900 * magnification), round(460 * magnification))
    canvas.grab()
    (x,) = found
    numbers = QFontMetricsF(figures(canvas.points(7.0))).horizontalAdvance("32")
    letters = QFontMetricsF(words(canvas.words_points(SMALL)))
    assert x + letters.ascent() / 2 + 8.0 <= canvas.geometry_now().banks[0].x - 6.0 - numbers + 0.01
    assert x - letters.height() / 2 > -canvas.area.x, "inside the picture"


@pytest.mark.parametrize(
    ("make", "places", "said"), [(banks, LANES * 4, "word served at once"), (sectors, ONE_BANK, "used")]
)
def test_that_the_legend_speaks_of_numbers_only_where_they_are_painted(
    qtbot: QtBot, request_of: Requests, make: Callable[..., StageCanvas], places: np.ndarray, said: str
) -> None:
    canvas = make(request_of, places)
    qtbot.addWidget(canvas)
    canvas.resize(1900, 460)
    assert canvas.legend_items[0].words == f"{said} (number: lane)"
    canvas.resize(420, 460)
    assert canvas.legend_items[0].words == said


def test_that_the_legend_tells_a_number_of_lanes_from_that_of_a_lane(qtbot: QtBot, request_of: Requests) -> None:
    for places, numbers in (
        (LANES // 2 * 4, " (×: how many lanes)"),
        (np.maximum(LANES - 1, 0) * 4, " (number: lane, ×: how many lanes)"),
    ):
        canvas = sectors(request_of, places)
        qtbot.addWidget(canvas)
        canvas.resize(1400, 460)
        assert canvas.legend_items[0].words == f"used{numbers}"


@pytest.mark.parametrize("width", [14.0, 16.0, 20.0, 30.0])
def test_that_numbers_in_boxes_leave_room_at_their_sides(qapp: object, width: float) -> None:
    assert qapp is not None
    points = number_points(Box(0.0, 0.0, width, 60.0), "27")
    assert points > 0
    assert QFontMetricsF(figures(points)).horizontalAdvance("27") <= width - max(3.0, 0.2 * width)
    assert number_points(Box(0.0, 0.0, 11.0, 60.0), "27") == 0.0


@pytest.mark.parametrize("make", [lambda: BankCanvas(LIGHT), lambda: SectorCanvas(LIGHT)])
def test_that_a_stage_grows_its_type_on_the_whole_screen_and_when_told(
    qtbot: QtBot, make: Callable[[], StageCanvas]
) -> None:
    canvas = make()
    qtbot.addWidget(canvas)
    canvas.resize(1900, 1000)
    assert canvas.scale == 1.0
    canvas.showFullScreen()
    assert 1.0 < canvas.scale == pytest.approx(canvas.height() / USUAL_HEIGHT)
    assert canvas.place_at(QPointF(canvas.area.x, canvas.area.y) * canvas.scale) == pytest.approx((0.0, 0.0))
    canvas.showNormal()
    canvas.resize(1920, 1080)
    canvas.set_magnification(2.0)
    assert canvas.scale == 2.0
    assert canvas.area.width == pytest.approx(960 - 2 * 16 - canvas.gutters[0])
    with pytest.raises(ValueError, match="positive"):
        canvas.set_magnification(0.0)


def test_that_small_type_has_capitals_of_14_pixels_on_a_whole_screen_of_1080(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    canvas = BankCanvas(LIGHT)
    qtbot.addWidget(canvas)
    canvas.resize(1920, 1080)
    assert canvas.points(7.0) == 7.0
    monkeypatch.setattr(canvas, "isFullScreen", lambda: True, raising=False)
    capitals = QFontMetricsF(figures(720.0)).capHeight() / 720.0
    for magnification in (None, 1.55, 1.8):
        canvas.set_magnification(magnification)
        assert canvas.points(7.0) * canvas.scale * capitals >= 14.0


@pytest.mark.parametrize("make", [lambda: BankCanvas(LIGHT), lambda: SectorCanvas(LIGHT)])
def test_that_words_on_a_slide_are_larger_than_its_figures_and_have_room_left_of_their_rows(
    qtbot: QtBot, make: Callable[[], StageCanvas]
) -> None:
    canvas = make()
    qtbot.addWidget(canvas)
    canvas.resize(1920, 820)
    canvas.set_magnification(1.8)
    assert canvas.words_points(8.5) == canvas.points(8.5) == 8.5
    canvas.set_magnification(1.8, 22.0)
    capitals = QFontMetricsF(words(720.0)).capHeight() / 720.0 * canvas.scale / POINTS_OF_A_PIXEL
    assert canvas.points(8.5) * capitals >= 15.9
    assert canvas.words_points(8.5) * capitals >= 18.0
    title = QFontMetricsF(words(canvas.words_points(8.5))).horizontalAdvance("lanes 0 to 31")
    numbers = LABELS if isinstance(canvas, BankCanvas) else 0.0
    assert title <= canvas.gutter + MARGIN / 2 - 10 + numbers


def test_that_the_memory_picture_does_so_too(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    view = MemoryView(LIGHT)
    qtbot.addWidget(view)
    view.resize(1920, 1080)
    assert view.magnification == 1.0
    monkeypatch.setattr(view, "isFullScreen", lambda: True)
    assert view.magnification == 1.5
    assert view.canvas_size == (1280.0, 720.0)


def test_that_a_caption_takes_two_lines_before_it_is_cut(qapp: object, request_of: Requests) -> None:
    assert qapp is not None
    metrics, request = QFontMetricsF(words(SMALL)), request_of(ONE_BANK)
    assert len(StageCanvas.caption_lines(request, metrics, 900.0)) == 1
    lines = StageCanvas.caption_lines(request, metrics, 260.0)
    assert " ".join(lines) == captions_of(request)[0]
    assert len(lines) == 2
    assert StageCanvas.caption_lines(request, metrics, 60.0)[1].endswith("…")


@pytest.mark.parametrize("room", [160.0, 180.0, 200.0])
def test_that_a_caption_says_less_before_it_is_cut(qapp: object, request_of: Requests, room: float) -> None:
    """Beside "32 wavefronts" in a page of a window 1440 pixels wide."""
    assert qapp is not None
    request = request_of(ONE_BANK)
    lines = StageCanvas.caption_lines(request, QFontMetricsF(words(NORMAL)), room)
    assert len(lines) <= 2
    assert " ".join(lines) in captions_of(request)[1:]


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_that_the_number_of_a_narrow_lane_stands_on_the_colour_of_its_lane(qapp: object, theme: Theme) -> None:
    assert qapp is not None
    canvas, lanes = BankCanvas(theme), lane_boxes(0.0, 2.0, 340.0, 22.0)
    image = QImage(340, 30, QImage.Format.Format_RGB32)
    image.fill(QColor(theme.panel))
    with QPainter(image) as painter:
        canvas.paint_lanes(painter, lanes, [(theme.accent, theme.accent)] * len(lanes))  # the number itself is not seen
    wide = QFontMetricsF(figures(6.5)).horizontalAdvance("12")
    box = lanes[12]
    assert wide > box.width, "it reaches over the gaps"
    across = range(round(box.middle_x - wide / 2) + 1, round(box.middle_x + wide / 2) - 1)
    assert {image.pixelColor(x, 13).name() for x in across} == {theme.accent}


def test_that_sectors_that_are_sent_more_than_once_are_explained(qapp: object, request_of: Requests) -> None:
    assert qapp is not None
    request = request_of(LANES * 16, Space.GLOBAL, width=16, name="A", targets=16 * LANES + 16)
    canvas = SectorCanvas(LIGHT)
    canvas.show_request(request, global_cost(request.addresses, 16, request.targets))
    most = max(sector.sent for sector in canvas.cost.sectors)
    assert most > 1
    canvas.set_progress(99.0)
    assert legend(canvas) == ["used", f"×{most}: times sent"]


@pytest.mark.parametrize("width", [300.0, 352.0, 384.0, 448.0, 1000.0])
def test_that_the_numbers_of_narrow_lanes_do_not_run_into_each_other(width: float) -> None:
    lanes = lane_boxes(0.0, 0.0, width, 22.0)
    shown = numbered_lanes(lanes)
    wide = QFontMetricsF(figures(6.5)).horizontalAdvance("31")
    assert {0, 31} <= set(shown)
    assert (len(shown) == 32) == (lanes[0].width >= EVERY_LANE_FROM)
    assert all(lanes[after].middle_x - lanes[lane].middle_x > wide for lane, after in pairwise(shown))


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_that_ways_that_are_not_of_the_past_can_be_seen(theme: Theme) -> None:
    for colour in (theme.accent, theme.hazard, theme.a, theme.b, theme.c):
        for strength in (0.42, 0.5):
            assert contrast(way_colour(theme, colour, strength), theme.panel) >= WAY_CONTRAST
        past = contrast(way_colour(theme, colour, 0.16), theme.panel)
        assert 1.0 < past < WAY_CONTRAST

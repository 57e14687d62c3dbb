"""Which numbers a picture shows, and that it is magnified no more than leaves room for them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.gui.export.film_source import film_source_of
from gemmviz.gui.export.pictures.memory_picture import SourceScenes
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.memory_view.connectors import leads
from gemmviz.gui.memory_view.paint.looks import Face, looks_of
from gemmviz.gui.memory_view.shown_values import (
    LEAST_SHARE,
    OF_THREAD,
    OF_TREE,
    ShownValues,
    magnification_with_values,
)
from gemmviz.gui.memory_view.text.text_layer import text_layer

pytestmark = pytest.mark.usefixtures("qapp")
Record = Callable[..., TraceRun]


def shown(run: TraceRun, width: float, height: float) -> ShownValues:
    return SourceScenes(film_source_of(run), 640, 480).shown_values(width, height, looks_of(LIGHT))


def test_that_numbers_go_where_a_picture_gets_small(recorded: Record) -> None:
    run = recorded("tiled", "8x8x8", (0, 0), TILE=4)
    large, small, tiny = (shown(run, *size) for size in ((1600, 800), (640, 360), (320, 200)))
    assert large.keys() == {"A", "B", "C", "As", "Bs", "C on chip", OF_THREAD}
    assert small.keys() < large.keys()
    assert not tiny
    assert all(large[name] > small[name] for name in small.keys() - {OF_THREAD})


def test_that_a_tree_with_its_numbers_counts(recorded: Record) -> None:
    run = recorded("dot", "1x1x16", (0, 0), THREADS=8)
    assert OF_TREE in shown(run, 1600, 900)
    assert OF_TREE not in shown(run, 320, 200)


def test_that_numbers_that_fit_at_no_size_change_nothing() -> None:
    assert magnification_with_values(lambda _factor: [{}, {}], 1.8) == 1.8
    assert magnification_with_values(lambda _factor: [], 1.8) == 1.8


def test_that_a_picture_smaller_than_its_own_size_keeps_it() -> None:
    def never(_factor: float) -> list[ShownValues]:
        raise AssertionError

    assert magnification_with_values(never, 0.9) == 0.9
    assert magnification_with_values(never, 1.0) == 1.0


@pytest.mark.parametrize("limit", [1.45, 1.6, 1.7])
def test_that_no_picture_loses_a_number_that_any_of_them_shows_where_its_words_are_smallest(limit: float) -> None:
    def found(factor: float) -> list[ShownValues]:
        return [{"A": 12.0}, {"A": 12.0, "As": 12.0} if factor <= limit else {"A": 12.0}]

    factor = magnification_with_values(found, 1.8)
    assert limit - 0.1 < factor <= limit  # cells keep their size: the largest words are best


def test_that_values_that_grow_more_than_words_shrink_are_preferred() -> None:
    assert magnification_with_values(lambda factor: [{"A": 20.0 / factor**2}], 2.0) == LEAST_SHARE * 2.0
    assert magnification_with_values(lambda factor: [{"A": 20.0 / factor}], 2.0) == 2.0


def test_that_numbers_too_small_to_read_when_projected_do_not_make_words_smaller() -> None:
    def found(factor: float) -> list[ShownValues]:
        return [{"A": 6.5} if factor < 1.5 else {}]

    assert magnification_with_values(found, 1.8) == 1.8
    assert magnification_with_values(lambda factor: [{OF_THREAD: 6.5} if factor < 1.5 else {}], 1.8) < 1.5


def test_that_no_number_makes_words_smaller_than_is_read_from_afar() -> None:
    """A legend of 16 pixels on a screen of 1920 x 1080, whose type is 1.8 times as large as in a window."""
    factor = magnification_with_values(lambda factor: [{"A": 30.0, OF_THREAD: 11.0} if factor < 1.2 else {}], 1.8)
    assert factor == 1.8, "numbers that have room only beside smaller words are left to the window"
    least = magnification_with_values(lambda factor: [{"A": 30.0} if factor < 1.42 else {}], 1.8)
    assert looks_of(LIGHT).faces[Face.SMALL].pointSizeF() * 96 / 72 * least >= 15.9


def test_that_a_presented_picture_uses_the_width_and_keeps_its_matrices_as_large(recorded: Record) -> None:
    source = film_source_of(recorded("tiled", "8x8x8", (0, 0), TILE=4))
    plain, wide = (SourceScenes(source, 1152, 506, is_presented=each).scene(2) for each in (False, True))
    assert wide.onchip.factors[0].width > 1.3 * plain.onchip.factors[0].width
    assert wide.layout.a.width >= 0.97 * plain.layout.a.width
    assert wide.layout.onchip.right < wide.layout.a.x
    sums = text_layer(wide, looks_of(LIGHT)).sums
    assert sums is not None
    assert wide.layout.corner is not None
    assert sums.box.bottom <= wide.layout.corner.bottom
    assert {lead.matrix for lead in leads(wide)} == {"A"}  # that of B would cross the sum

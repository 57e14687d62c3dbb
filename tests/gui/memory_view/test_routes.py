"""Tiles go from one place to another past the arrays between them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.gui.memory_view.memory_view import MemoryView
from gemmviz.gui.memory_view.motion_paths import motion_paths
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.memory_view.routes import route, travelled
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.trace.frames.frames import Frames

Record = Callable[..., TraceRun]
Show = Callable[..., tuple[MemoryView, Frames]]
PARTS = [step / 50 for step in range(51)]


def crossed_arrays(scene: Scene, matrix: str) -> set[str]:
    """The arrays that tiles of a matrix cross on their way."""
    seen = {place.array.name: scene.camera.seen(place.box) for place in scene.places}
    seen |= {name: scene.camera.seen(box) for name, box in scene.layout.places.items()}
    return {
        name
        for path in motion_paths(scene)
        if path.matrix == matrix
        for name, box in seen.items()
        if any(travelled(path.source, path.target, part, path.by).meets(box) for part in PARTS)
    }


def test_that_a_tile_starts_at_its_source_and_arrives() -> None:
    source, target = Box(0, 100, 20, 20), Box(200, 0, 40, 40)
    assert travelled(source, target, -1.0) == travelled(source, target, 0.0) == source
    assert travelled(source, target, 1.0) == travelled(source, target, 7.0) == target
    middle = travelled(source, target, 0.5)
    assert (middle.x, middle.y, middle.width) == pytest.approx((50, 25, 30))
    xs = [travelled(source, target, step / 10).x for step in range(11)]
    assert xs == sorted(xs)


def test_that_a_tile_leaves_as_its_arrow_points() -> None:
    """Up from A, to the left from B."""
    from_a = travelled(Box(300, 200, 20, 20), Box(100, 50, 20, 20), 0.2)
    assert 300 - from_a.x < (200 - from_a.y) / 10
    from_b = travelled(Box(300, 100, 20, 20), Box(100, 50, 20, 60), 0.2)
    assert 100 - from_b.y < (300 - from_b.x) / 10


def test_that_a_tile_with_nothing_in_its_way_needs_no_other_places() -> None:
    source, target, aside = Box(200, 200, 20, 20), Box(0, 0, 60, 60), Box(300, 0, 60, 60)
    assert route(source, target, ()) == route(source, target, (aside,)) == ()


@pytest.mark.parametrize(
    ("source", "target", "other"),
    [
        (Box(120, 120, 20, 20), Box(0, 0, 80, 80), Box(100, 0, 80, 80)),  # up from A, past Bs to As
        (Box(200, 30, 20, 20), Box(0, 0, 80, 80), Box(100, 0, 80, 80)),  # to the left, all the way behind it
        (Box(0, 200, 20, 20), Box(0, 0, 80, 80), Box(0, 100, 80, 80)),  # straight up, with an array between
    ],
)
def test_that_a_tile_goes_round_an_array_and_arrives(source: Box, target: Box, other: Box) -> None:
    assert any(travelled(source, target, part).meets(other) for part in PARTS)
    by = route(source, target, (other,))
    places = [travelled(source, target, part, by) for part in PARTS]
    assert places[0] == source
    assert places[-1] == target
    assert not any(place.meets(other) for place in places)
    steps = [abs(then.x - now.x) + abs(then.y - now.y) for now, then in pairwise(places)]
    assert max(steps) < 40, "no jump"


def test_that_a_tile_gets_smaller_where_it_has_no_room_else() -> None:
    source, target, other = Box(120, 100, 20, 20), Box(0, 0, 80, 80), Box(100, 0, 80, 80)
    wall = Box(0, 95, 110, 60)  # below the target: a lane of 15 pixels is left
    by = route(source, target, (other, wall))
    assert max(place.height for place in by) == 10
    assert not any(travelled(source, target, part, by).meets(box) for part in PARTS for box in (other, wall))


def test_that_of_ways_that_all_cross_something_one_is_taken() -> None:
    source, target = Box(100, 100, 20, 20), Box(0, 0, 20, 20)
    assert travelled(source, target, 1.0, route(source, target, (Box(-500, 40, 2000, 20),))) == target


@pytest.mark.parametrize("size", [(980, 560), (600, 300), (1400, 700), (500, 480)])
def test_that_no_tile_crosses_the_other_array(show: Show, recorded: Record, size: tuple[int, int]) -> None:
    """Neither where As and Bs are beside each other above A, nor one below the other to the left of it."""
    view, frames = show(recorded("tiled", "64x64x64", (1, 2)), 2)
    view.resize(*size)
    for index, arrays in ((2, ({"A", "As"}, {"B", "Bs"})), (3, ({"As"}, {"Bs"}))):
        view.show_frame(frames.frame(index))
        scene = view.picture_state()
        assert scene is not None
        assert tuple(crossed_arrays(scene, matrix) for matrix in "AB") == arrays


def test_that_no_way_leaves_the_picture() -> None:
    """Past an array near the upper edge a tile goes smaller; without an edge it keeps its size."""
    source, target, other = Box(300, 60, 100, 100), Box(0, 60, 100, 100), Box(150, 60, 100, 200)
    picture = Box(0, 0, 450, 300)
    free, inside = route(source, target, (other,)), route(source, target, (other,), picture)
    assert any(not picture.encloses(place) for place in free)
    assert inside
    assert all(picture.encloses(travelled(source, target, part, inside)) for part in PARTS)
    assert not any(travelled(source, target, part, inside).meets(other) for part in PARTS)


def test_that_a_tile_goes_round_a_text_where_that_is_not_far() -> None:
    source, target, text = Box(200, 200, 20, 20), Box(0, 200, 20, 20), Box(60, 205, 80, 12)
    by = route(source, target, (), None, (text,))
    assert not any(travelled(source, target, part, by).meets(text) for part in PARTS)
    assert min(place.height for place in by) >= 10, "its numbers are read"


def test_that_a_tile_crosses_a_text_that_is_in_its_way_everywhere() -> None:
    source, target, text = Box(200, 200, 20, 20), Box(0, 200, 20, 20), Box(60, -900, 80, 2000)
    assert route(source, target, (), None, (text,)) == ()


def test_that_a_tile_passes_an_array_before_it_passes_a_text() -> None:
    source, target, array = Box(200, 200, 20, 20), Box(0, 200, 20, 20), Box(60, 150, 80, 100)
    texts = tuple(Box(60, y, 80, 8) for y in (20, 60, 100, 140, 252, 290, 330))
    by = route(source, target, (array,), None, texts)
    assert not any(travelled(source, target, part, by).meets(array) for part in PARTS)

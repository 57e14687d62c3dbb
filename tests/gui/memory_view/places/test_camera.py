"""Zooming and moving."""

from __future__ import annotations

import pytest

from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.memory_view.places.camera import Camera


def test_that_the_point_under_the_pointer_stays_where_it_is() -> None:
    camera = Camera().zoomed(2.0, 100, 50, 8).zoomed(1.5, 300, 200, 8)
    before = camera.looked_at(Box(77, 33, 0, 0))
    after = camera.zoomed(1.7, 77, 33, 8).looked_at(Box(77, 33, 0, 0))
    assert (after.x, after.y) == pytest.approx((before.x, before.y))


def test_that_what_is_seen_is_what_is_looked_at() -> None:
    camera, box = Camera(3.0, -40.0, 12.0), Box(10, 20, 30, 40)
    assert camera.looked_at(camera.seen(box)) == box


@pytest.mark.parametrize(("factor", "zoom"), [(0.1, 1.0), (100.0, 8.0), (2.0, 2.0)])
def test_that_zoom_has_its_limits(factor: float, zoom: float) -> None:
    assert Camera().zoomed(factor, 10, 10, 8.0).zoom == zoom


def test_that_the_stage_is_never_lost_from_sight() -> None:
    assert Camera(2.0, 50.0, -900.0).within(400, 300) == Camera(2.0, 0.0, -300.0)
    assert Camera().moved(30, 30).within(400, 300) == Camera()


def test_that_a_point_comes_to_the_middle_as_far_as_the_stage_reaches() -> None:
    assert Camera(4.0).centred_on(200, 150, 400, 300) == Camera(4.0, -600.0, -450.0)
    assert Camera(4.0).centred_on(0, 0, 400, 300) == Camera(4.0, 0.0, 0.0)

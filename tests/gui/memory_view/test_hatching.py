"""The hatching of hazards is seen on the colours of every matrix, in both themes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage, QPainter

from gemmviz.domain.recordings.hazard import HazardKind
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.gui.looks.theme import DARK, LIGHT, Theme, blend
from gemmviz.gui.memory_view.memory_view import MemoryView
from gemmviz.gui.memory_view.paint.looks import looks_of
from gemmviz.gui.memory_view.paint.over import GROUND, draw_hazards
from gemmviz.gui.memory_view.places.hazard_places import mark_boxes
from gemmviz.trace.hazards.rules.mark import HazardMark

Show = Callable[..., tuple[MemoryView, object]]


def luminance(colour: QColor) -> float:
    values = np.array([colour.redF(), colour.greenF(), colour.blueF()])
    linear = np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def contrast(one: QColor, other: QColor) -> float:
    """WCAG 2.2."""
    low, high = sorted(map(luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", [LIGHT, DARK])
@pytest.mark.parametrize("matrix", ["a", "b", "c"])
def test_that_the_hatching_of_small_elements_stands_out_from_what_is_behind_it(
    show: Show, recorded: Callable[..., TraceRun], theme: Theme, matrix: str
) -> None:
    view, _ = show(recorded("tiled", "64x64x64", (1, 2)), 1)
    view.resize(960, 540)
    scene = view.picture_state()
    assert scene is not None
    assert scene.picture is not None
    array = scene.places[0].array
    mark = HazardMark(HazardKind.RACE, array, np.array([0, 1]), np.array([0, 1]), (0, 1), "race")
    scene = replace(scene, picture=replace(scene.picture, hazards=(mark,)))
    below = QColor(getattr(theme, matrix))
    image = QImage(view.size(), QImage.Format.Format_RGB32)
    image.fill(below)
    with QPainter(image) as painter:
        draw_hazards(painter, scene, looks_of(theme))
    box = mark_boxes(scene, mark)[0]
    inside = {
        image.pixelColor(x, y).name()
        for x in range(int(box.x) + 3, int(box.right) - 2)
        for y in range(int(box.y) + 3, int(box.bottom) - 2)
    }
    ground = QColor(blend(getattr(theme, matrix), theme.panel, GROUND))
    assert QColor(theme.hazard).name() in inside
    assert below.name() not in inside
    near = [QColor(name) for name in inside if contrast(QColor(name), ground) < 1.03]
    assert near, "the ground is between element and hatching"
    assert contrast(QColor(theme.hazard), ground) > 2.1

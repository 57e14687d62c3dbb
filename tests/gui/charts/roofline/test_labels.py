"""The words of roofs: apart from each other, off marks, lines and ridges; and lines that are seen across them."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest
from gpu_runs import gpu_run, made_roofs
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.examples import load_examples
from gemmviz.domain.session.session import load_session
from gemmviz.explain.figures.roofline.roofline import roofline_of
from gemmviz.gui.charts.roofline.labels import Label, boxes_along, crosses, words_of_roofs
from gemmviz.gui.charts.roofline.names import columns_placed
from gemmviz.gui.charts.roofline.painted_words import lit_places
from gemmviz.gui.charts.roofline.plane_text import Written
from gemmviz.gui.charts.roofline.plot import RooflinePlot
from gemmviz.gui.looks.theme import DARK, LIGHT, Theme

AREA = (0.0, 0.0, 400.0, 300.0)
ROOFS = (made_roofs(),)


def mark(name: str, x: float, y: float) -> Label:
    return Label(name, x, y, 7.0 * len(name))


def test_that_words_of_near_roofs_are_apart_and_off_marks_and_lines() -> None:
    roofs = [mark("bf16 tensor", 150.0, 30.0), mark("TF32 tensor", 120.0, 39.0), mark("fp32 FMA", 60.0, 66.0)]
    marks = [(x - 6, y - 6, x + 6, y + 6) for x, y in ((240.0, 42.0), (270.0, 31.0), (240.0, 70.0))]
    lines = [box for one in roofs for box in boxes_along((one.x, one.y), (400.0, one.y), 1.0)]
    placed = words_of_roofs(roofs, AREA, marks, lines)
    assert [label.words for label, _ in placed] == ["bf16 tensor", "TF32 tensor", "fp32 FMA"]
    boxes = [box for _, box in placed]
    assert not any(crosses(one, [two]) for one, two in combinations(boxes, 2))
    assert not any(crosses(box, [*marks, *lines]) for box in boxes)


def test_that_words_without_room_leave_the_ridges_of_other_roofs_free() -> None:
    """Where every place lies on some line, the place at which another roof begins stays in sight."""
    roofs = [mark("bf16 tensor", 150.0, 30.0), mark("TF32 tensor", 120.0, 44.0)]
    lines, below = [(0.0, 0.0, 400.0, 300.0)], [(0.0, 46.0, 400.0, 300.0)]
    ridges = [(one.x - 2, one.y - 2, one.x + 2, one.y + 2) for one in roofs]
    assert any(crosses(box, ridges) for _, box in words_of_roofs(roofs, AREA, below, lines))
    placed = words_of_roofs(roofs, AREA, below, lines, ridges)
    assert len(placed) == len(roofs)
    assert not any(crosses(box, ridges) for _, box in placed)


def test_that_words_before_a_roof_are_level_with_it() -> None:
    """Elsewhere they would read as those of another roof."""
    roofs = [mark("TF32 tensor", 220.0, 60.0), mark("1/3 of TF32", 195.0, 110.0), mark("fp32 FMA", 170.0, 160.0)]
    beyond_ridges = [(one.x, one.y - 24.0, 400.0, one.y + 24.0) for one in roofs]
    placed = words_of_roofs(roofs, AREA, beyond_ridges)
    assert len(placed) == len(roofs)
    for roof, (_, top, right, bottom) in placed:
        assert abs((top + bottom) / 2 - roof.y) <= 4.0
        assert right < roof.x


@pytest.mark.parametrize("size", [(626, 235), (626, 250), (900, 300)])
def test_that_the_words_of_a_slope_give_way_to_those_of_roofs_and_cross_no_line(
    qtbot: QtBot, size: tuple[int, int]
) -> None:
    session = load_session(next(each.path for each in load_examples() if each.id == "gpu-ladder"))
    shown, plot = roofline_of(session.runs, session.roofs, session.traces), RooflinePlot(LIGHT)
    qtbot.addWidget(plot)
    plot.resize(*size)
    plot.show_roofline(shown)
    written = plot.written
    (slope,) = written.slopes
    assert {label.words for label, _ in written.roofs} == {line.words for line in shown.lines}
    assert not any(crosses(box, [one for _, one in written.roofs]) for box in slope.covered)
    for line in shown.lines:
        start, end = (plot.place_of(x, line.gflops).toTuple() for x in (line.ridge, shown.x.high))
        assert not any(crosses(box, slope.covered) for box in boxes_along(start, end, 0.5))


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_that_lines_are_seen_across_the_words_of_roofs(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, theme: Theme
) -> None:
    shown, plot = roofline_of([gpu_run(ms=(2.8,) * 3)], ROOFS), RooflinePlot(theme)
    qtbot.addWidget(plot)
    plot.resize(800, 500)
    plot.show_roofline(shown)
    line = shown.lines[0]
    at = plot.place_of(10 * line.ridge, line.gflops).toPoint()
    written = plot.written
    covering = (float(at.x() - 60), float(at.y() - 7), float(at.x() + 60), float(at.y() + 7))
    moved = replace(written, roofs=((replace(written.roofs[0][0], words=""), covering),))
    before = plot.grab().toImage().pixelColor(at)
    monkeypatch.setattr(RooflinePlot, "written", moved)
    assert plot.grab().toImage().pixelColor(at) == before


def test_that_the_name_of_a_mark_that_stands_out_covers_no_number_and_no_roof() -> None:
    number, roof = Label("(1)", 100.0, 60.0, 20.0), mark("fp32 FMA 63.9 TFLOP/s", 104.0, 44.0)
    written = Written(((roof, (104.0, 44.0, 251.0, 58.0)),), (), ((number, (112.0, 60.0)),))
    taken = [written.roofs[0][1], number.box_at(112.0, 60.0)]
    one, two = lit_places([((100.0, 60.0), 70.0), ((100.0, 64.0), 90.0)], written, AREA)
    assert not crosses(one, [*taken, two])
    assert not crosses(two, taken)
    low = (0.0, 0.0, 300.0, 16.0)
    assert lit_places([((150.0, 8.0), 70.0)], written, low)[0][1:4:2] == (0.0, 16.0), "within the room"
    (crowded,) = lit_places([((280.0, 8.0), 500.0)], written, low)
    assert crowded[2] - crowded[0] == 500.0, "a name without room is still said"


def test_that_a_line_to_a_name_crosses_a_roof_only_where_there_is_no_other_place() -> None:
    label, area = Label("fast", 200.0, 100.0, 50.0), (0.0, 0.0, 400.0, 200.0)
    slope = boxes_along((182.0, 0.0), (178.0, 200.0), 1.0)
    ((_, (x, _)),) = columns_placed([label], area, [(226.0, 50.0, 400.0, 130.0)], slope, with_lines=True)
    assert x > label.x, "at the mark's side of the slope, although the place is farther off"
    ((_, (x, _)),) = columns_placed([label], area, [(226.0, 50.0, 400.0, 160.0)], slope, with_lines=True)
    assert x < label.x, "rather than without a name"

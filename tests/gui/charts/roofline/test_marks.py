"""Marks of a roofline stay legible where many runs have the same operations per byte."""

from __future__ import annotations

import itertools

import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QImage, QPainter
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.examples import load_examples
from gemmviz.domain.session.session import load_session
from gemmviz.explain.figures.figure import Look
from gemmviz.explain.figures.roofline.roofline import RooflinePoint, roofline_of
from gemmviz.gui.charts.roofline.labels import crosses
from gemmviz.gui.charts.roofline.marks import paint_arrow, paint_main, part_of_size
from gemmviz.gui.charts.roofline.number_badge import is_number
from gemmviz.gui.charts.roofline.plot import RooflinePlot
from gemmviz.gui.looks.theme import LIGHT


def test_that_marks_are_smaller_only_where_many_cover_each_other() -> None:
    pile = [(100.0, 50.0 + 5 * n) for n in range(4)]
    assert part_of_size(pile) < 1.0
    assert part_of_size(pile[:3]) == 1.0
    assert part_of_size([(100.0, 50.0)] * 9) == 1.0, "smaller marks at one place show no more"
    assert part_of_size([(100.0, 50.0 + 9 * n) for n in range(9)]) == 1.0


def test_that_the_mark_at_the_ideal_bytes_is_smaller_than_the_one_at_those_that_are_moved() -> None:
    point = RooflinePoint("one", 100.0, 1000.0, Look.GPU, "", moved=1.0)

    def painted_rows(column: range, *, with_main: bool) -> int:
        image = QImage(200, 40, QImage.Format.Format_RGB32)
        image.fill(QColor(LIGHT.canvas))
        painter = QPainter(image)
        start, end = QPointF(150.0, 20.0), QPointF(40.0, 20.0)
        if with_main:
            paint_main(painter, point, end, 1.0, LIGHT)
        else:
            paint_arrow(painter, point, start, end, LIGHT)
        painter.end()
        ground = QColor(LIGHT.canvas).rgb()
        return sum(any(image.pixel(x, y) != ground for x in column) for y in range(image.height()))

    ideal = painted_rows(range(146, 155), with_main=False)
    main = painted_rows(range(30, 50), with_main=True)
    assert 0 < ideal <= 0.7 * main


@pytest.mark.parametrize("size", [(652, 230), (780, 300), (994, 445)])
def test_that_no_number_covers_another_or_a_mark(qtbot: QtBot, size: tuple[int, int]) -> None:
    session = load_session(next(each.path for each in load_examples() if each.id == "gpu-ladder"))
    plot = RooflinePlot(LIGHT)
    qtbot.addWidget(plot)
    plot.resize(*size)
    shown = roofline_of(session.runs, session.roofs, session.traces)
    plot.show_roofline(shown)
    boxes = [label.box_at(*at) for label, at in plot.written.names if is_number(label)]
    assert boxes
    assert not any(crosses(one, [other]) for one, other in itertools.combinations(boxes, 2))
    places = [plot.place_of(point.stand, point.gflops).toTuple() for point in shown.points]
    assert not any(crosses(box, [(x - 4, y - 4, x + 4, y + 4)]) for box in boxes for x, y in places)

"""A plot that nobody sees: what the first figure of all needs (fonts, pens, code to load) is there afterwards."""

from __future__ import annotations

from gemmviz.domain.terms import Evidence
from gemmviz.explain.figures.figure import Axis, Edge, Figure, Form, Look, Quantity, Row
from gemmviz.explain.figures.marks import SeriesMarks
from gemmviz.gui.charts.plot.view import PlotView
from gemmviz.gui.looks.theme import Theme

_SIZE = (640, 160)


def rehearse_plot(theme: Theme) -> None:
    """Paint one row with the marks of runs to a picture, and forget both."""
    plot = PlotView(theme)
    plot.resize(*_SIZE)
    plot.show_figure(_figure())
    plot.grab()
    plot.deleteLater()


def _figure() -> Figure:
    edges: list[Edge] = []
    marks = [SeriesMarks(look, str(look), True, edges) for look in (Look.GPU, Look.GPU_WAITED)]
    for one in marks:
        one.add(0, 2.0, 1.0, 4.0)
    return Figure(
        title="",
        evidence=Evidence.DERIVED,
        empty="",
        axis=Axis("", Quantity.TIME, 1.0, 4.0, is_log=True),
        rows=(Row("name", "detail", "2.00 ms", "IQR 1.00 ms"),),
        series=(marks[0].series(Form.BARS), marks[1].series()),
        heads=("kernel", "median"),
    )

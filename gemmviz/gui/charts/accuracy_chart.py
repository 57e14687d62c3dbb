"""The chart of accuracy: the largest error against its bound, and the relative error."""

from __future__ import annotations

from gemmviz.explain.figures.accuracy import accuracy_table, bound_figure, relative_figure
from gemmviz.gui.charts.plot_table import Plot
from gemmviz.gui.charts.runs_chart import RunsPlot, runs_chart
from gemmviz.gui.widgets.segments import Segment

ACCURACY_CHART = runs_chart(
    "accuracyChart",
    "Accuracy of the runs",
    RunsPlot(
        Plot.ERROR_BOUND,
        bound_figure,
        accuracy_table,
        Segment(
            "accuracyViewBound",
            "Against the bound",
            "error / u·G, the largest |C−R| / (u·|A|·|B|), which a correct kernel keeps below K",
        ),
    ),
    RunsPlot(
        Plot.RELATIVE_ERROR,
        relative_figure,
        accuracy_table,
        Segment("accuracyViewRelative", "Relative error", "‖C−R‖ / ‖R‖ in Frobenius norms"),
    ),
)

"""The words above the results table on which runs the charts show."""

from __future__ import annotations

from collections.abc import Callable

from pytestqt.qtbot import QtBot

from gemmviz.catalogue.examples import load_examples
from gemmviz.domain.runs.result import RunResult
from gemmviz.domain.session.session import load_session
from gemmviz.gui.results.chosen_runs import comparable_runs
from gemmviz.gui.results.heading import ResultsHeading, caption
from gemmviz.gui.widgets.elided_label import ElidedLabel


def test_that_the_caption_says_which_of_repeated_runs_the_charts_show(make_result: Callable[..., RunResult]) -> None:
    runs = [make_result("tiled", finished=str(place)) for place in range(3)]
    size = runs[0].spec.shape.words
    words = caption(3, 0, 3, 0, comparable_runs(runs))
    assert words == f"3 runs, charts show 1: the newest of each kernel and setting at {size}"
    assert caption(3, 0, 3, 2, comparable_runs(runs)) == "3 runs, 2 chosen for the charts"


def test_that_the_caption_says_where_charts_of_times_leave_some_of_many_runs_out() -> None:
    runs = load_session(next(one.path for one in load_examples() if one.id == "gpu-ladder")).runs
    assert caption(len(runs), 0, len(runs), 0, comparable_runs(runs)).endswith("charts of times show a selection")


def test_that_a_narrow_caption_says_how_many_runs_the_charts_show_and_is_not_cut(qtbot: QtBot) -> None:
    heading = ResultsHeading()
    qtbot.addWidget(heading)
    whole = "11 runs, charts show 3: the newest of each kernel and setting at 512×512×512"
    label = heading.findChild(ElidedLabel, "resultsCaption")
    for width, shown in ((1200, whole), (300, "11 runs, charts show 3")):
        heading.resize(width, 60)
        heading.show_caption(whole)
        heading.grab()
        assert label.text() == shown
    assert whole in label.toolTip()
    heading.resize(190, 60)
    heading.show_caption("27 runs, 17 chosen for the charts")
    heading.grab()
    assert label.text() == "27 runs, 17 chosen"
    heading.show_caption("1 run, in the charts")
    heading.grab()
    assert label.text() == "1 run, in the charts"

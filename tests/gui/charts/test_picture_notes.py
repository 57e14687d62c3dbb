"""Notes below a chart on the whole screen: as many as have room, and how many were left out."""

from __future__ import annotations

import math
from collections.abc import Sequence

from pytestqt.qtbot import QtBot

from gemmviz.catalogue.examples import load_examples
from gemmviz.domain.session.session import load_session
from gemmviz.gui.charts.picture_notes import picture_notes
from gemmviz.gui.charts.timing_chart import TimingChart, TimingView
from gemmviz.gui.looks.theme import LIGHT

ASKED = "asked: distinct bytes"
NOTES = ("doubtful", "bars are medians", f"{ASKED} of each request; moved: sectors", "circles are means", "a GPU")
NEEDED = ("doubtful", ASKED)


def height_of(lines: Sequence[str]) -> float:
    """Of lines of 60 letters."""
    return sum(math.ceil(len(line) / 60) for line in lines)


def test_that_all_notes_have_a_line_each_where_there_is_room() -> None:
    assert picture_notes(NOTES, NEEDED, height_of, 5, 5) == NOTES
    assert picture_notes((), (), height_of, 5, 5) == ()


def test_that_notes_share_lines_before_any_is_left_out_and_the_rest_is_counted() -> None:
    assert picture_notes(NOTES, NEEDED, height_of, 2, 2) == (
        "doubtful. Asked: distinct bytes. Bars are medians. Circles are means. A GPU",
    )
    long = (*NOTES, "b" * 50, "c" * 90)
    assert picture_notes(long, NEEDED, height_of, 2, 2) == (
        "doubtful. Asked: distinct bytes. Bars are medians. Circles are means. A GPU. 2 more notes in gemmviz",
    )
    assert picture_notes(("It is higher.", "b" * 90), (), height_of, 1, 2) == ("It is higher. 1 more note in gemmviz",)


def test_that_what_is_needed_is_said_in_a_small_room_but_in_no_more_lines_than_there_may_be() -> None:
    needed = "a" * 60, "b" * 60
    longer = (*needed, "c" * 90)
    assert picture_notes(longer, needed, height_of, 1, 3) == (needed[0], f"{needed[1]}. 1 more note in gemmviz")
    (words,) = picture_notes(longer, needed, height_of, 1, 2)
    assert words == f"{needed[0]}. 2 more notes in gemmviz", "the gravest comes first"
    assert picture_notes(("a" * 90, "b" * 70), (), height_of, 1, 1) == ("2 notes in gemmviz",)


def test_that_a_chart_without_room_says_how_many_notes_it_left_out(qtbot: QtBot) -> None:
    session = load_session(next(each.path for each in load_examples() if each.id == "gpu-ladder"))
    chart = TimingChart(LIGHT)
    qtbot.addWidget(chart)
    chart.show_runs(session.runs, session.roofs, session.traces)
    chart.set_view(TimingView.SPEEDUP)
    chart.set_for_picture(True, 1009, dense=True, large=True)
    least = chart.picture_height(1009)
    chart.set_for_picture(True, 1009, dense=True, large=True, height=least)
    assert chart._notes.text().endswith("6 more notes in gemmviz.")
    chart.notes_key = "N"
    chart.set_for_picture(True, 1009, dense=True, large=True, height=least)
    assert chart._notes.text().endswith(". N: 6 more notes."), "on the screen, where a key lists them"
    chart.notes_key = ""
    chart.set_for_picture(True, 1009, dense=True, large=True, height=least)
    assert chart.picture_height(1009) == least
    chart.set_view(TimingView.KERNEL)
    # A slide names no throttled runs, and the driver goes first.
    assert "! clock throttled: the kernel can be faster." in chart._notes.text()
    assert "measured on " not in chart._notes.text().casefold()

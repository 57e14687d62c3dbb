"""The list of recordings: long titles end in …, the tooltip has them whole."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from gemmviz.domain.kernels.version_names import time_words
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.gui.recording.combo import MOST_WIDTH, RecordingCombo

Record = Callable[..., TraceRun]


@pytest.fixture
def combo(qtbot: QtBot) -> RecordingCombo:
    combo = RecordingCombo("recordings", "Which recording to show")
    qtbot.addWidget(combo)
    return combo


def test_that_a_long_title_is_cut_with_a_sign_and_told_whole(combo: RecordingCombo, make_recording: Record) -> None:
    long = "a_kernel_with_a_very_long_name_that_does_not_fit_anywhere"
    combo.show_recordings([make_recording(long), make_recording("dot")], 0)
    combo.resize(MOST_WIDTH, 28)
    assert combo.currentText().startswith(long)
    begin, end = combo.shown_text().split("…")
    assert combo.currentText().startswith(begin)
    assert combo.currentText().endswith(end)
    assert end.endswith("4×3×2"), "the size is seen"
    assert combo.toolTip() == f"{combo.currentText()}\nWhich recording to show"
    name, facts = combo.itemData(0, Qt.ItemDataRole.ToolTipRole).split("\n")
    assert name == combo.currentText()
    assert facts.startswith("all 4 blocks"), "what was recorded, and how"
    combo.setCurrentIndex(1)
    assert combo.shown_text() == combo.currentText()
    assert combo.toolTip().startswith("dot")


def test_that_showing_tells_nobody_and_no_recording_leaves_the_tip(
    combo: RecordingCombo, make_recording: Record, qtbot: QtBot
) -> None:
    with qtbot.assertNotEmitted(combo.currentIndexChanged):
        combo.show_recordings([make_recording(), make_recording("dot")], 1)
        assert combo.currentIndex() == 1
        combo.show_recordings([], -1)
    assert combo.toolTip() == "Which recording to show"


def test_that_a_title_loses_its_size_before_its_name_is_cut(combo: RecordingCombo, make_recording: Record) -> None:
    combo.show_recordings([make_recording("tiled_global_accumulate")], 0)
    whole = combo.currentText()
    combo.resize(combo.width_for(whole), 28)
    assert combo.shown_text() == whole
    combo.resize(combo.width_for(whole) - 20, 28)
    assert combo.shown_text() == whole.partition("  ·  ")[0]


@pytest.mark.parametrize(
    ("kernels", "shown"),
    [(("sgemm_bad", "sgemm_v4"), "…bad"), (("fast_sgemm", "slow_sgemm"), "fast…"), (("dot_serial", "naive"), "do…al")],
)
def test_that_what_tells_two_names_apart_is_cut_last(
    combo: RecordingCombo, kernels: tuple[str, ...], shown: str
) -> None:
    combo.show_titles([f"{kernel}  ·  as written" for kernel in kernels], 0)
    combo.resize(combo.width_for(f"{shown}  ·  as written") - 2, 28)
    begin, end = shown.split("…")
    cut = combo.shown_text().removesuffix("  ·  as written").split("…")
    assert [bool(cut[0]), bool(cut[1])] == [bool(begin), bool(end)]


def test_that_recordings_of_one_title_say_version_and_time(combo: RecordingCombo, make_recording: Record) -> None:
    edited = make_recording(source="\n// edited", finished="2026-01-01T10:00:00+00:00")
    older = [make_recording(finished=f"2026-01-01T0{hour}:00:00+00:00") for hour in (9, 8)]
    combo.show_recordings([edited, make_recording("dot"), *older], 0)
    titles = [combo.itemText(place) for place in range(4)]
    assert len(set(titles)) == 4
    assert titles[0] == "tiled TILE=2  ·  4×3×2  ·  version 2"
    assert titles[1] == "dot TILE=2  ·  4×3×2"
    previous = "tiled TILE=2  ·  4×3×2  ·  version 1  ·  recorded "
    assert [title.removeprefix(previous) for title in titles[2:]] == [time_words(each.finished) for each in older]


def test_that_a_cut_title_keeps_the_version_whole(combo: RecordingCombo, make_recording: Record) -> None:
    long = "a_kernel_with_a_very_long_name_that_does_not_fit_anywhere"
    pair = [
        make_recording(long, source=f"// {number}", finished=f"2026-01-01T1{number}:00:00+00:00") for number in (2, 1)
    ]
    for place, version in enumerate(("version 2", "version 1")):
        combo.show_recordings(pair, place)
        combo.resize(MOST_WIDTH, 28)
        kernel, _, told = combo.shown_text().rpartition("  ·  ")
        assert told == version
        assert kernel.startswith("a_k")
        assert "…" in kernel

"""Two recordings beside each other have the names that their versions have in the session."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.gpus import emulated
from gemmviz.domain.kernels.kernel_version import KernelVersion
from gemmviz.domain.kernels.version_names import VersionNames
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.source.recordings_beside import names_beside, titles_together
from gemmviz.gui.recording.block_names import file_title
from gemmviz.gui.recording.grids import grids_of, titles_of
from gemmviz.gui.recording.totals_beside import TotalsBeside
from gemmviz.gui.recording.view import RecordingView

Record = Callable[..., TraceRun]


def session_of(make_recording: Record, count: int) -> tuple[tuple[TraceRun, ...], VersionNames]:
    """A recording of each of so many versions, the oldest first, and their names."""
    runs = tuple(
        make_recording(source=f"// {number}", finished=f"2026-01-01T10:00:0{number}+00:00")
        for number in range(1, count + 1)
    )
    saved = tuple(
        KernelVersion("tiled", number, run.source_name, run.source_text, run.finished)
        for number, run in enumerate(runs, 1)
    )
    return runs, VersionNames(saved, runs, (("tiled", runs[-1].source_text),))


@pytest.mark.parametrize(
    ("count", "left", "right", "wanted"),
    [
        (2, 1, 2, ["version 1 (previous)", "version 2 (current)"]),
        (2, 2, 1, ["version 2 (current)", "version 1 (previous)"]),
        (3, 2, 3, ["version 2 (previous)", "version 3 (current)"]),
        (3, 1, 3, ["version 1", "version 3 (current)"]),
    ],
)
def test_that_lists_pictures_totals_and_hazards_name_the_same_versions(
    qtbot: QtBot, make_recording: Record, count: int, left: int, right: int, wanted: list[str]
) -> None:
    runs, names = session_of(make_recording, count)
    pair = runs[left - 1], runs[right - 1]
    view = RecordingView()
    qtbot.addWidget(view)
    view.show()
    view.show_traces(runs, names)
    view.show_pair(pair)
    view.show_trace(pair[0])
    totals, clean = view.findChild(TotalsBeside), view.findChild(QLabel, "recordingClean")
    assert totals is not None
    assert clean is not None
    assert [head.text().splitlines()[-1] for head in totals._heads[1:4:2]] == wanted
    paragraphs = [line.partition(":")[0] for line in clean.text().split("\n\n")]
    assert [line.split("  ·  ")[-1] for line in paragraphs] == wanted
    grids = grids_of(runs)
    titles = dict(zip((grid.runs[0].source_text for grid in grids), titles_of(grids, names), strict=True))
    assert [titles[run.source_text].split("  ·  ")[-1] for run in pair] == wanted
    assert [name.short for name in names_beside(*pair, names)] == wanted, "as pictures and files are named"


def test_that_all_that_differs_is_in_both_names(make_recording: Record) -> None:
    run = make_recording()
    other = replace(
        run,
        spec=replace(run.spec, seed=run.spec.seed + 1),
        device=emulated("sm_80"),
    )
    left, right = names_beside(run, other, VersionNames())
    assert left.kernel == right.kernel == "tiled TILE=2"
    assert right.facts[-1] == "PTX machine, sm_80"
    assert len(left.facts) == len(right.facts) == 2
    assert all(one != two for one, two in zip(left.facts, right.facts, strict=True))


def test_that_other_kernels_and_parameters_are_named_without_more(make_recording: Record) -> None:
    run, dot = make_recording(), make_recording("dot")
    assert [name.title for name in names_beside(run, dot, VersionNames())] == ["tiled TILE=2", "dot TILE=2"]
    assert [name.short for name in names_beside(run, dot, VersionNames())] == ["tiled", "dot"]
    larger = replace(run, spec=replace(run.spec, params=(("TILE", 4),)))
    assert [name.short for name in names_beside(run, larger, VersionNames())] == ["TILE=2", "TILE=4"]


def test_that_different_forms_of_two_kernels_are_named(make_recording: Record) -> None:
    run = make_recording()
    dot = replace(make_recording("dot"), instrumented_text=".target sm_90a\n")
    names = names_beside(run, dot, VersionNames())
    assert [name.title for name in names] == ["tiled TILE=2  ·  as written", "dot TILE=2  ·  as compiled"]
    assert [name.short for name in names] == ["tiled", "dot"]
    assert file_title(run, names, "banks") == f"tiled_and_dot_{run.spec.shape}_banks"


def test_that_a_title_of_both_says_the_kernel_once(make_recording: Record) -> None:
    (first, second), names = session_of(make_recording, 2)
    assert titles_together(names_beside(first, second, names)) == (
        "tiled TILE=2  ·  version 1 (previous) and version 2 (current)"
    )
    assert titles_together(names_beside(first, make_recording("dot"), names)) == "tiled TILE=2 and dot TILE=2"

"""What recordings are called in the chart of traffic: by what tells them apart."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from gemmviz.domain.kernels.kernel_version import KernelVersion
from gemmviz.domain.kernels.version_names import VersionNames
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import Session
from gemmviz.explain.figures.traffic.traffic import traffic_figure
from gemmviz.explain.figures.traffic.traffic_table import traffic_table
from gemmviz.gui.charts.plot_table import Charted, Plot


def test_that_equal_recordings_say_which_block_else_when_each_was_made(traces: tuple[TraceRun, TraceRun]) -> None:
    whole, part = traces
    assert [row.name for row in traffic_figure(traces).rows] == ["tiled", "tiled"], "rows say how many blocks each has"
    (stored,) = part.blocks
    elsewhere = replace(part, blocks=(replace(stored, block=(2, 1, 0)),))
    assert [row.name for row in traffic_figure([part, elsewhere]).rows] == ["tiled · block 0,0", "tiled · block 2,1"]
    times = [datetime.fromisoformat(f"2026-11-30T10:0{minute}:00").astimezone() for minute in (1, 5)]
    twice = [replace(whole, finished=time.isoformat()) for time in times]
    figure = traffic_figure(twice)
    assert [row.name for row in figure.rows] == ["tiled · 10:01:00", "tiled · 10:05:00"]
    assert any(note.startswith("fewest bytes moved: tiled · 10:01:00 or ") for note in figure.notes)


def test_that_a_sentence_names_recordings_of_one_kernel_by_what_tells_them_apart(
    traces: tuple[TraceRun, TraceRun],
) -> None:
    other = replace(traces[0], spec=replace(traces[0].spec, params=(("TILE", 8),)))
    figure = traffic_figure([traces[0], other])
    assert [row.name for row in figure.rows] == ["tiled", "tiled"]
    assert any("tiled · TILE=16 or tiled · TILE=8" in note for note in figure.notes)


def test_that_recordings_of_other_texts_of_a_kernel_say_which_version_they_are_of(
    traces: tuple[TraceRun, TraceRun],
) -> None:
    old, new = (replace(traces[0], source_text=text) for text in ("old", "new"))
    names = ["tiled · version 1", "tiled · version 2"]
    assert [row.name for row in traffic_figure([old, new]).rows] == names
    assert [row["version"] for row in traffic_table([old, new, traces[0]]).rows] == ["1", "2", "3"]
    assert [row["version"] for row in traffic_table(traces).rows] == ["", ""]


def test_that_a_saved_version_has_its_number_in_the_chart_also_where_it_is_alone(
    traces: tuple[TraceRun, TraceRun],
) -> None:
    saved = tuple(
        KernelVersion("tiled", number, "tiled.cu", text, saved=f"2026-11-2{number}T10:00:00+00:00")
        for number, text in ((1, "old"), (2, "new"))
    )
    alone = replace(traces[0], source_text="old")
    session = Session("2026-11-23T10:00:00+00:00", "1", alone.device, 1.0, traces=(alone,), versions=saved)
    assert traffic_figure([alone], names=VersionNames(saved, (alone,))).rows[0].name == "tiled · version 1"
    (table,) = Plot.TRAFFIC.spec.tables(session, Charted((), (alone,)))
    assert table.make().rows[0]["version"] == "1"

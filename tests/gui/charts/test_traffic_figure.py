import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.examples import load_examples
from gemmviz.cli.app import run_app
from gemmviz.domain import figures
from gemmviz.domain.device import DeviceKind
from gemmviz.domain.places import place_words
from gemmviz.domain.recordings.access import AccessKind, AccessPath, Space
from gemmviz.domain.recordings.hazard import Hazard, HazardKind
from gemmviz.domain.recordings.multiply_adds import multiply_adds_of
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import Session
from gemmviz.domain.session.session import load_session
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Evidence
from gemmviz.explain.figures.figure import Form, Look, Tone
from gemmviz.explain.figures.ticks import ticks_of
from gemmviz.explain.figures.traffic.fewest_bytes import fewest_bytes_words
from gemmviz.explain.figures.traffic.others import others_words
from gemmviz.explain.figures.traffic.result_share import result_share
from gemmviz.explain.figures.traffic.traffic import NOT_KNOWN, _shifts, traffic_figure
from gemmviz.explain.figures.traffic.traffic_table import traffic_table
from gemmviz.explain.figures.traffic.units import Per, why_no_bytes
from gemmviz.gui.charts.traffic_chart import TrafficChart
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.pages.pages import Pages
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.trace.explain import totals_of


def test_that_bars_are_the_totals_of_the_recording(traces: tuple[TraceRun, TraceRun]) -> None:
    figure = traffic_figure(traces[:1], Per.RECORDING)
    totals = totals_of(traces[0])
    bars = {one.look: one.values.tolist() for one in figure.series}
    assert bars == {
        Look.ASKED: [totals.bytes_asked],
        Look.MOVED: [totals.bytes_moved],
        Look.IDEAL: [totals.bytes_ideal],
    }
    assert figure.evidence is Evidence.RECORDED
    assert figure.axis.low == 0.0
    assert [one.shifts.tolist() for one in figure.series] == [[-0.26], [0.0], [0.26]]


def test_that_a_tick_with_words_stands_at_the_end_of_the_bars_or_behind_it(traces: tuple[TraceRun, TraceRun]) -> None:
    for shown in (traces, traces[:1], traces[1:]):
        figure = traffic_figure(shown)
        axis, most = figure.axis, max(max(series.values) for series in figure.series)
        for count in (2, 3, 5):
            last = max(tick.value for tick in ticks_of(axis, axis.low, axis.high, count) if tick.words)
            assert most <= last <= 1.5 * most


def test_that_a_sentence_names_the_recording_that_moves_the_fewest_bytes(traces: tuple[TraceRun, TraceRun]) -> None:
    first, second = traces[0], replace(traces[0], spec=replace(traces[0].spec, kernel="mine"))
    (words,) = fewest_bytes_words([("tiled", first, 2.0), ("naive", second, 8.0)], Per.MULTIPLY_ADD)
    assert words == "fewest bytes moved: tiled, 2.00 B per multiply-add"
    assert any(note.startswith("fewest bytes moved: tiled or mine, ") for note in traffic_figure([first, second]).notes)
    (tied,) = fewest_bytes_words([("tiled", first, 64.0), ("mine", second, 64.0)], Per.RECORDING)
    assert tied == "fewest bytes moved: tiled or mine, 64 bytes"
    assert fewest_bytes_words([("tiled", first, 2.0), ("part", traces[1], 8.0)], Per.ELEMENT) == ()
    assert fewest_bytes_words([("tiled", first, 2.0), ("mine", second, math.nan)], Per.ELEMENT) == ()
    assert fewest_bytes_words([("tiled", first, 2.0)], Per.ELEMENT) == ()


def test_that_bars_without_an_ideal_stand_around_the_middle_of_their_row(traces: tuple[TraceRun, TraceRun]) -> None:
    figure = traffic_figure(traces[1:])
    assert [one.shifts.tolist() for one in figure.series] == [[-0.13], [0.13]]


def test_that_dots_stand_in_the_middle_of_their_row_unless_they_would_cover_each_other() -> None:
    axis = (0.1, 1000.0)
    assert _shifts((1.0, 10.0, 100.0), axis, is_log=True) == [0.0, 0.0, 0.0]
    assert _shifts((1.0, 1.01, 100.0), axis, is_log=True) == [-0.13, 0.13, 0.0]
    assert _shifts((1.0, 1.0, 1.0), axis, is_log=True) == [-0.26, 0.0, 0.26]
    first, second, third = _shifts((2.0, 2.0, math.nan), axis, is_log=True)
    assert (first, second, math.isnan(third)) == (-0.13, 0.13, True)


def test_that_a_recording_with_a_race_is_marked_and_one_that_may_be_right_is_not(
    traces: tuple[TraceRun, TraceRun],
) -> None:
    race = Hazard(HazardKind.RACE, 42, "As[0]", (0, 0, 0), (0, 33), 0, 1, "thread 0 writes, thread 33 reads")
    racing, warp = (replace(traces[0], hazards=(replace(race, threads=threads),)) for threads in ((0, 33), (0, 1)))
    sound, marked, open_ = traffic_figure([traces[0], racing, warp]).rows
    assert (sound.flag, marked.flag, open_.flag) == ("", "race", "")
    assert (sound.tone, marked.tone, open_.tone) == (Tone.PLAIN, Tone.WRONG, Tone.PLAIN)
    assert marked.note.startswith("race · ")
    assert all("1 hazard: race (recorded)" in row.tooltip for row in (marked, open_))
    assert [row["fault"] for row in traffic_table([traces[0], racing, warp]).rows] == ["", "race", ""]


def test_that_a_part_is_called_that_and_not_held_against_the_ideal(traces: tuple[TraceRun, TraceRun]) -> None:
    figure = traffic_figure(traces)
    assert [row.flag for row in figure.rows] == ["all 9 blocks", "1 of 9 blocks"]
    assert [row.note.split(" · ")[0] for row in figure.rows] == ["all 9 blocks", "1 of 9 blocks"]
    assert traffic_figure(traces[:1]).rows[0].flag == "", "all are of whole grids"
    assert "no ideal: it covers the whole product" in figure.rows[1].tooltip
    assert "times the ideal" in figure.rows[0].tooltip
    (ideal,) = [one for one in figure.series if one.look is Look.IDEAL]
    assert ideal.places.tolist() == [0]


def test_that_a_row_says_how_much_of_what_is_moved_is_used(traces: tuple[TraceRun, TraceRun]) -> None:
    totals = totals_of(traces[0])
    share = 100 * totals.bytes_asked / totals.bytes_moved
    assert 0 < share < 100
    assert traffic_figure(traces[:1]).rows[0].note.endswith(f" sectors/request · {share:.0f} % used")


def test_that_sectors_per_request_are_compared_only_where_requests_ask_for_about_equally_many_bytes() -> None:
    session = load_session(next(each.path for each in load_examples() if each.id == "cpu-ladder"))
    recorded = {trace.spec.kernel: trace for trace in session.traces}
    alike = traffic_figure([recorded["naive"], recorded["naive_uncoalesced"]])
    assert [row.note.split(" · ")[1] for row in alike.rows] == ["2.03 sectors/request", "8.62 sectors/request"]
    assert alike.essential[-2].startswith("fewer sectors/request are better")
    # tiled has more sectors per request, and wastes nothing.
    other = traffic_figure([recorded["naive"], recorded["tiled"]])
    assert [row.note for row in other.rows] == ["1 of 4 blocks · 58 % used", "1 of 4 blocks · 100 % used"]
    assert other.essential[-2].startswith("more % used is better")
    same = traffic_figure([recorded["naive"], recorded["naive"]])
    assert not any("better" in note for note in same.notes)


def test_that_a_note_says_that_the_bars_hold_stores_too(traces: tuple[TraceRun, TraceRun]) -> None:
    totals = totals_of(traces[0])
    assert totals.bytes_moved == 32 * (totals.global_load_sectors + totals.global_store_sectors)
    assert any("32 bytes for each sector read or written" in note for note in traffic_figure(traces).notes)


def test_that_the_table_has_requests_and_sectors(traces: tuple[TraceRun, TraceRun]) -> None:
    whole, part = traffic_table(traces).rows
    totals = totals_of(traces[0])
    assert whole["load_requests"] == totals.global_load_requests
    assert whole["store_sectors"] == totals.global_store_sectors
    assert whole["bytes_ideal"] == totals.bytes_ideal
    assert (part["bytes_ideal"], part["ideal_per_element_of_c"]) == ("", "")
    requests = totals.global_load_requests + totals.global_store_requests
    assert whole["sectors_per_request"] == pytest.approx(totals.bytes_moved / 32 / requests)


def test_that_asynchronous_copies_are_requests_like_the_loads_they_stand_for(traces: tuple[TraceRun, TraceRun]) -> None:
    by_load, totals = traces[0], totals_of(traces[0])
    sites = tuple(
        replace(site, path=AccessPath.ASYNC_COPY)
        if (site.space, site.kind) == (Space.GLOBAL, AccessKind.LOAD)
        else site
        for site in by_load.sites
    )
    by_copy = replace(by_load, sites=sites)
    one, other = traffic_table([by_load]).rows[0], traffic_table([by_copy]).rows[0]
    assert other["sectors_per_request"] == one["sectors_per_request"]
    assert (other["load_requests"], other["async_copy_requests"]) == (0, totals.global_load_requests)
    assert other["async_copy_sectors"] == totals.global_load_sectors
    row, loaded = traffic_figure([by_copy]).rows[0], traffic_figure([by_load]).rows[0]
    assert row.note == loaded.note
    requests, sectors = figures.count(totals.global_load_requests), figures.count(totals.global_load_sectors)
    assert f"asynchronous copies: {requests} requests, {sectors} sectors" in row.tooltip
    assert "asynchronous" not in loaded.tooltip


def test_that_what_the_copy_engine_reads_is_said_to_make_no_requests(traces: tuple[TraceRun, TraceRun]) -> None:
    sites = tuple(
        replace(site, path=AccessPath.COPY_ENGINE)
        if (site.space, site.kind) == (Space.GLOBAL, AccessKind.LOAD)
        else site
        for site in traces[0].sites
    )
    figure = traffic_figure([replace(traces[0], sites=sites)])
    assert "TMA: " in figure.rows[0].tooltip
    assert any("TMA" in note and "no warp requests" in note for note in figure.notes)
    assert not any("TMA" in note for note in traffic_figure(traces).notes)


def test_that_a_size_and_a_device_that_all_share_are_named_once(traces: tuple[TraceRun, TraceRun]) -> None:
    figure = traffic_figure(traces)
    assert f"recorded on {place_words(traces[0].device, traces[0].finished)}" in figure.notes
    assert figure.subtitle.startswith("M×N×K = 33×37×29  ·  ")
    assert all("33×37×29" not in row.detail for row in figure.rows)


def test_that_each_row_names_the_size_and_the_device_that_differ(
    traces: tuple[TraceRun, TraceRun], tmp_path: Path
) -> None:
    first, second = traces
    path = tmp_path / "other.gemmviz"
    assert run_app(["trace", "--kernel", "tiled", "--size", "16x16x16", "--out", str(path)]) == 0
    figure = traffic_figure([first, *load_session(path).traces])
    assert [row.detail.split(" · ")[0] for row in figure.rows] == ["33×37×29", "16×16×16"]
    assert f"recorded on {place_words(first.device, first.finished)}" in figure.notes
    elsewhere = replace(
        second, device=replace(second.device, id="cuda:1", backend="cuda", name="A GPU", kind=DeviceKind.GPU)
    )
    figure = traffic_figure([first, elsewhere])
    assert [row.detail.split(" · ")[-1] for row in figure.rows] == ["PTX machine", "A GPU"]
    here, there = (place_words(one.device, one.finished) for one in (first, elsewhere))
    assert f"recorded on {here}; on {there}" in figure.notes
    twin = replace(elsewhere, device=replace(elsewhere.device, id="cuda:2"))
    figure = traffic_figure([elsewhere, twin])
    assert [row.detail.split(" · ")[-1] for row in figure.rows] == ["A GPU (cuda:1)", "A GPU (cuda:2)"]


def test_that_the_table_names_device_driver_and_time(traces: tuple[TraceRun, TraceRun]) -> None:
    row, first = traffic_table(traces).rows[0], traces[0]
    place = {"device_name": first.device.place_name, "driver": first.device.driver, "finished": first.finished}
    assert list(row.items())[-3:] == list(place.items())
    assert first.finished.startswith("20")


def test_that_without_a_recording_it_says_what_to_do() -> None:
    assert "Record" in traffic_figure([]).empty
    assert traffic_figure([]).rows == ()


def test_that_a_part_and_a_whole_are_compared_per_multiply_add(traces: tuple[TraceRun, TraceRun]) -> None:
    figure = traffic_figure(traces)
    moved = next(one for one in figure.series if one.look is Look.MOVED)
    terms = [33 * 37 * 29, multiply_adds_of(traces[1])]
    assert moved.values.tolist() == pytest.approx(
        [totals_of(run).bytes_moved / count for run, count in zip(traces, terms, strict=True) if count]
    )
    assert figure.axis.words == "bytes per multiply-add, reads and writes"
    assert figure.rows[0].value.endswith(" B")
    (said,) = (note for note in figure.notes if note.startswith("figures in grey are of some blocks, "))
    assert "only per multiply-add" in said
    assert said in figure.essential, "a slide says it, too"


def test_that_bytes_are_not_compared_between_a_part_and_a_whole_or_between_sizes(
    traces: tuple[TraceRun, TraceRun],
) -> None:
    whole, part = traces
    other = replace(whole, spec=replace(whole.spec, shape=Shape(957, 1073, 1)))
    assert why_no_bytes([whole, whole]) == ""
    assert "1 of 2 hold only some blocks" in why_no_bytes(traces)
    assert "this one holds only some blocks" in why_no_bytes([part])
    assert "these have 2 sizes" in why_no_bytes([whole, other])
    for shown in (traces, [whole, other]):
        assert traffic_figure(shown, Per.RECORDING).axis.words == traffic_figure(shown).axis.words
    assert traffic_figure([whole], Per.RECORDING).axis.words != traffic_figure([whole]).axis.words


def test_that_bytes_per_element_are_those_per_multiply_add_k_times(traces: tuple[TraceRun, TraceRun]) -> None:
    for row in traffic_table(traces).rows:
        assert row["moved_per_element_of_c"] == pytest.approx(29 * row["moved_per_multiply_add"])
        assert row["elements_of_c"] == pytest.approx(row["multiply_adds"] / 29)  # type: ignore[operator]


def test_that_a_recording_that_does_not_tell_its_multiply_adds_says_so(traces: tuple[TraceRun, TraceRun]) -> None:
    figure = traffic_figure([traces[0], replace(traces[1], blocks=())])
    assert [(edge.place, edge.words) for edge in figure.edges] == [(1, NOT_KNOWN)]
    assert figure.rows[1].value == ""


def test_that_recordings_far_apart_are_dots_on_a_logarithmic_axis(traces: tuple[TraceRun, TraceRun]) -> None:
    whole = traces[0]
    wasteful = replace(whole, counts=replace(whole.counts, sent=90 * whole.counts.sectors_sent))
    figure = traffic_figure([whole, wasteful])
    assert figure.axis.is_log
    assert {one.form for one in figure.series} == {Form.DOTS}
    assert not traffic_figure([whole]).axis.is_log


def test_that_the_switch_for_bytes_says_why_it_is_off(traces: tuple[TraceRun, TraceRun], qtbot: QtBot) -> None:
    chart = TrafficChart()
    qtbot.addWidget(chart)
    button = chart.findChild(QPushButton, "trafficBytes")
    assert button is not None
    chart.show_traces(traces[:1])
    button.click()
    assert button.isEnabled()
    assert chart.per is Per.RECORDING
    chart.show_traces(traces)
    assert not button.isEnabled()
    assert why_no_bytes(traces) in button.toolTip()
    assert any(why_no_bytes(traces) == label.text() for label in chart.findChildren(PlainLabel))
    assert chart.per is Per.MULTIPLY_ADD
    button.click()
    assert chart.per is Per.MULTIPLY_ADD


def test_that_recordings_of_other_sizes_are_counted_and_can_be_included(
    traces: tuple[TraceRun, TraceRun], qtbot: QtBot
) -> None:
    one, shape = traces[0], traces[0].spec.shape
    turned = replace(one.spec, shape=Shape(shape.n, shape.m, shape.k))
    other = replace(one, spec=turned, a_loads=one.b_loads, b_loads=one.a_loads)
    assert other.spec.shape != shape
    chart = TrafficChart()
    qtbot.addWidget(chart)
    chart.show_traces([one], [other, one])
    chart.show()
    words, button = chart.findChild(QLabel, "trafficOtherSizesWords"), chart.findChild(QPushButton, "trafficOtherSizes")
    assert (words.text(), button.text()) == ("1 recording of another size is not shown.", "Show it")
    assert (len(chart.figure.rows), chart.traces) == (1, (one,))
    said = "1 recording of another size is not shown"
    assert said not in chart.figure.notes, "it stands beside the button"
    chart.set_bare(True)
    chart.show_traces([one], [other, one])
    assert said in chart.figure.notes, "which a picture has not"
    chart.set_bare(False)
    button.click()
    assert (words.text(), button.text()) == ("1 recording of another size is shown too.", "Hide it")
    assert (len(chart.figure.rows), chart.traces) == (2, (other, one))
    assert not any("not shown" in note for note in chart.figure.notes)
    chart.show_traces([one], [replace(one), other, one])
    button.click()
    assert words.text() == "2 recordings of other lessons or sizes are not shown."
    chart.show_traces([one])
    assert not words.isVisible()
    assert not button.isVisible()


def test_that_recordings_of_another_lesson_are_counted_and_can_be_included(
    traces: tuple[TraceRun, TraceRun], qtbot: QtBot
) -> None:
    before, now = traces[0], replace(traces[0], spec=replace(traces[0].spec, kernel="naive"))
    session = Session("2026-11-23T10:00:00+00:00", "1", before.device, 1.0, traces=(before, now))
    pages = Pages(LIGHT)
    for _, widget in pages.tabs:
        qtbot.addWidget(widget)
    pages.leave_out((before,))
    charted = pages.charted(session, ())
    assert (charted.traces, charted.all_traces) == ((now,), (before, now))
    assert others_words(charted.traces, charted.all_traces) == "1 recording of another lesson is"
    again = replace(before)
    assert pages.charted(replace(session, traces=(before, again)), ()).all_traces == (again,), (
        "the lesson's own stands for both"
    )


def test_that_an_ideal_that_is_not_drawn_is_not_explained(traces: tuple[TraceRun, TraceRun]) -> None:
    whole, part = traces
    assert any(note.startswith("ideal: ") for note in traffic_figure([whole]).notes)
    assert not any(note.startswith("ideal: ") for note in traffic_figure([part]).notes)


def test_that_rows_say_their_form_where_one_is_as_compiled(traces: tuple[TraceRun, TraceRun]) -> None:
    whole, _ = traces
    compiled = replace(whole, instrumented_text=".version 8.0\n.target sm_90a\n")
    assert [row.beside for row in traffic_figure([whole, whole]).rows] == ["", ""]
    assert [row.beside for row in traffic_figure([whole, compiled]).rows] == ["as written", "as compiled"]
    assert [row.beside for row in traffic_figure([compiled]).rows] == ["as compiled"]


def test_that_an_ideal_reached_because_one_block_makes_all_of_c_is_marked_and_said(
    recorded: Callable[..., TraceRun],
) -> None:
    one, four = recorded("register_1d", "32x32x32"), recorded("tiled", "32x32x32", TILE=16)
    figure = traffic_figure((four, one))
    assert [row.flag for row in figure.rows] == ["", "C in one block"]
    assert figure.rows[1].note.startswith("C in one block · ")
    said = (
        "C in one block: one block makes all of C, so bytes are ideal; larger products have more blocks and move more"
    )
    assert said in figure.notes
    assert figure.essential[0] == said, "also on a slide"
    again = traffic_figure((recorded("naive", "16x16x16"),))
    assert again.rows[0].flag == "", "one block that reads A and B again and again moves more"
    assert said not in again.notes


def test_that_a_note_says_so_where_c_is_over_a_third_of_what_is_moved(traces: tuple[TraceRun, TraceRun]) -> None:
    trace = traces[0]
    sites = [site for site in trace.sites if site.space is Space.GLOBAL and site.is_counted]
    share = sum(trace.counts.of(site).bytes_moved for site in sites if site.array == "C") / sum(
        trace.counts.of(site).bytes_moved for site in sites
    )
    assert 0 < share < 1 / 3
    assert not any(note.startswith("C makes up") for note in traffic_figure([trace]).notes)
    stored = next(site.index for site in sites if site.array == "C")
    sent = trace.counts.sectors_sent.copy()
    sent[stored] = sum(sent[site.index] for site in sites if site.array != "C")
    half = replace(trace, counts=replace(trace.counts, sent=sent))
    assert result_share(half) == pytest.approx(0.5)
    (said,) = (note for note in traffic_figure([half]).notes if note.startswith("C makes up"))
    assert said.startswith("C makes up 50 % of ")
    again = replace(half, counts=replace(half.counts, accesses=2 * half.counts.accesses))
    assert math.isnan(result_share(again)), "sums that grow in memory are no matter of K"

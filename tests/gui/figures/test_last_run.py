"""The figures beside the picture: every one with its evidence, compared with the right CPU runs."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from gemmviz.catalogue.gpus import find_gpu
from gemmviz.domain.device import Device, DeviceKind
from gemmviz.domain.kernels.examined_sweep import digest_of
from gemmviz.domain.kernels.kernel_version import KernelVersion
from gemmviz.domain.kernels.resources import Resources
from gemmviz.domain.recordings.access import AccessPath
from gemmviz.domain.recordings.hazard import Hazard, HazardKind
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.recordings.trace_tables import element_loads
from gemmviz.domain.runs.doubts import NOISY, TIME_RAN_OUT
from gemmviz.domain.runs.result import RunResult, Session
from gemmviz.domain.runs.whole_runs import WholeRun, whole_runs_of
from gemmviz.domain.runs.whole_words import why_whole_is_shorter
from gemmviz.domain.spec import Launch
from gemmviz.domain.terms import Evidence, StopReason
from gemmviz.explain.figures.traffic.traffic_table import traffic_table
from gemmviz.explain.runs.figure_lines import Section, ValueTone
from gemmviz.explain.runs.recorded_extent import blocks_words
from gemmviz.gui.figures.last_run import NO_RUN, recording_of, recording_section, run_section, where_it_ran
from gemmviz.gui.recording.outcome import outcome_of

Make = Callable[..., RunResult]
Record = Callable[..., TraceRun]
WIDE = Launch((8, 8, 1), (256, 1, 1), 8192)


def values(section: Section) -> dict[str, str]:
    return {line.words: line.value for line in section.lines}


def test_that_a_run_shows_its_times_its_speed_up_and_its_error(make_result: Make, host: Device) -> None:
    slow = make_result("cpu_ijk", (80.0,) * 3, backend="host", params=())
    old = make_result("cpu_blas", (9.0,) * 3, backend="host", params=())
    fast = make_result("cpu_blas", (1.0,) * 3, backend="host", params=())
    middle = make_result("cpu_blocked", (5.0,) * 3, backend="host", params=())
    other_size = make_result("cpu_ikj", (0.1,) * 3, backend="host", shape="9x9x9")
    run = make_result(ms=(2.0,) * 3)
    session = Session("", "1", host, 0.0, (slow, old, fast, middle, other_size, run))
    section = run_section(run, session)
    found = values(section)
    assert section.title == "tiled TILE=16"
    assert section.detail == "Shared-memory tiles · 64×48×32 · cold caches · pocl"
    assert found["kernel"] == "2.00 ms"
    assert found["waited"] == "2.50 ms"
    assert found["cpu_blas"] == "1.00 ms"
    assert found["× cpu_blas"] == "0.500"
    assert found["× cpu_ijk"] == "40.0"
    assert "cpu_blocked" not in found
    assert "cpu_ikj" not in found
    assert found["relative error"] == "1.0·10⁻⁷"
    assert found["error / bound"] == "7.8 %"
    assert found["check"] == "passed"


def test_that_the_parts_of_a_whole_run_stand_below_it_and_add_up(make_result: Make) -> None:
    run = make_result(ms=(2.0,) * 3)
    found = {line.words: line for line in run_section(run).lines}
    whole = run.timing.whole
    assert found["end to end"].value == "4.00 ms"
    assert not [words for words in found if "IQR" in words], "three samples and three runs have none"
    parts = "A and B in", "kernel part", "launching and waiting", "C out"
    assert [found[words].value for words in parts] == [
        "250 µs",
        "1.00 ms",
        "2.63 ms",
        "125 µs",
    ]
    assert sum(whole.parts) == pytest.approx(4.0)
    assert "1.00 ms in the end-to-end run but 2.00 ms in samples of the kernel alone" in found["kernel part"].tip


def test_that_a_whole_of_an_earlier_version_is_an_estimate_in_its_parts(make_result: Make) -> None:
    run = make_result(ms=(2.0,) * 3)

    def section(whole_ms: float) -> dict[str, Evidence | None]:
        runs = whole_runs_of([WholeRun(0.25, math.nan, 0.125, whole_ms)])
        earlier = replace(run, timing=replace(run.timing, whole_runs=runs))
        return {line.words: line.evidence for line in run_section(earlier).lines}

    assert section(4.0)["kernel part"] is section(4.0)["launching and waiting"] is Evidence.DERIVED
    assert section(4.0)["end to end"] is section(4.0)["C out"] is Evidence.MEASURED
    assert not any(words.startswith("IQR of") for words in section(4.0))
    parts = {"A and B in", "kernel part", "launching and waiting", "C out"}
    assert parts <= section(4.0).keys()
    assert not parts & section(2.3).keys(), "2.375 ms together"
    assert section(2.3)["parts"] is None, "what is not known is neither measured nor derived"
    told = run_section(
        replace(run, timing=replace(run.timing, whole_runs=whole_runs_of([WholeRun(0.25, math.nan, 0.125, 2.3)])))
    ).text
    assert "parts\tunknown\t" in told.split("\n")


def test_that_every_figure_carries_its_evidence(make_result: Make, make_recording: Record) -> None:
    run = {line.words: line.evidence for line in run_section(make_result(ms=(2.0,) * 4)).lines}
    assert {run[words] for words in ("kernel", "IQR", "waited", "end to end")} == {Evidence.MEASURED}
    assert {run[words] for words in ("rate", "relative error", "check")} == {Evidence.DERIVED}
    recorded = {line.words: line.evidence for line in recording_section(make_recording()).lines}
    assert recorded.pop("bytes ideal") is Evidence.DERIVED
    assert set(recorded.values()) == {Evidence.RECORDED}


def test_that_what_a_kernel_printed_stands_below_the_figures_and_is_copied_with_them(
    make_result: Make, make_recording: Record
) -> None:
    printed = "".join(f"row {number}\x1b[31m\n" for number in range(14))
    recording = replace(make_recording(), printed=printed)
    for section in (run_section(replace(make_result(), printed=printed)), recording_section(recording)):
        assert "The kernel printed 14 lines:\nrow 0\\x1b[31m\nrow 1" in section.text
        assert section.text.endswith("row 11\\x1b[31m\n… and 2 more lines")
    assert "The kernel printed 14 lines." in outcome_of(recording)
    assert "printed" not in outcome_of(make_recording()) + recording_section(make_recording()).text


def test_that_a_run_is_not_compared_with_itself(make_result: Make, host: Device) -> None:
    only = make_result("cpu_ijk", backend="host", params=())
    found = values(run_section(only, Session("", "1", host, 0.0, (only,))))
    assert "CPU kernel" in found
    assert not any(words.startswith("×") for words in found)
    assert run_section(only).note == "", "a CPU kernel's times are what they say"


def test_that_a_kernel_on_a_gpu_is_called_one(make_result: Make) -> None:
    run = make_result(kind=DeviceKind.GPU)
    assert "GPU kernel" in values(run_section(run))
    assert run_section(run).note == ""
    assert where_it_ran(make_result().device) == ("PoCL on the CPU: times of GPU kernels on a CPU are not GPU times.")


def test_that_noise_and_a_spent_budget_are_marked(make_result: Make) -> None:
    section = run_section(make_result(ms=(1.0, 2.0, 9.0), stopped_by=StopReason.TIME_LIMIT))
    first = section.lines[0]
    assert first.words == "kernel ~*"
    assert "noisy" in first.tip
    assert "time limit reached" in first.tip


def test_that_a_doubtful_baseline_marks_its_time_and_the_ratio(make_result: Make, host: Device) -> None:
    noisy = make_result("cpu_blas", (1.0, 2.0, 9.0), backend="host", params=())
    limited = make_result("cpu_ijk", (80.0,) * 3, backend="host", params=(), stopped_by=StopReason.TIME_LIMIT)
    run = make_result()
    section = run_section(run, Session("", "1", host, 0.0, (noisy, limited, run)))
    found = {line.words: line.tip for line in section.lines}
    assert {"kernel", "cpu_blas ~", "× cpu_blas ~", "cpu_ijk *", "× cpu_ijk *"} <= set(found)
    assert NOISY in found["× cpu_blas ~"]
    assert TIME_RAN_OUT in found["× cpu_ijk *"]
    assert section.note.split("\n")[:2] == [f"{NOISY}.", f"{TIME_RAN_OUT}."]


def test_that_a_doubtful_run_marks_its_ratio(make_result: Make, host: Device) -> None:
    steady = make_result("cpu_blas", (1.0,) * 3, backend="host", params=())
    run = make_result(ms=(1.0, 2.0, 9.0), stopped_by=StopReason.TIME_LIMIT)
    found = values(run_section(run, Session("", "1", host, 0.0, (steady, run))))
    assert {"kernel ~*", "cpu_blas", "× cpu_blas ~*"} <= set(found)
    assert NOISY not in run_section(steady).note


def test_that_a_wrong_result_shows(make_result: Make) -> None:
    wrong = make_result(passed=False, max_error_over_ug=math.nan, unwritten=1200)
    section = run_section(replace(wrong, accuracy=replace(wrong.accuracy, relative_frobenius=math.nan)))
    check = section.lines[-1]
    assert (check.words, check.value, check.tone) == ("check", "WRONG", ValueTone.WRONG)
    assert "Never written: 1\N{NARROW NO-BREAK SPACE}200 elements of C" in check.tip
    assert {values(section)[name] for name in ("relative error", "error / bound")} == {"not a number"}


def test_that_a_recording_shows_what_it_asks_of_memory(make_recording: Record) -> None:
    trace = make_recording()
    section = recording_section(trace)
    found = values(section)
    assert section.detail == "Shared-memory tiles · 4×3×2 · all 4 blocks · as written"
    assert found["global requests"] == "10"
    assert found["sectors / request"] == "5.70"
    assert found["bytes asked"] == "900 bytes"
    assert found["bytes moved"] == "1.78 KiB"
    assert found["excess wavefronts"] == "15"
    assert (trace.b_loads == 0).any(), "an element that no block needs"
    for line, loads in zip(section.lines[-3:-1], (trace.a_loads, trace.b_loads), strict=True):
        counted = element_loads(loads)
        assert line.tip.endswith(f"\n{counted.median:g} {counted.median_words}")
        assert line.value.split()[0] == f"{counted.median:g}"
        assert "0" not in line.value.split()
    assert found["hazards"] == "none"


def test_that_asynchronous_copies_count_as_in_the_traffic_table(make_recording: Record) -> None:
    trace = make_recording()
    by_copy = replace(trace, sites=tuple(replace(site, path=AccessPath.ASYNC_COPY) for site in trace.sites))
    found, row = values(recording_section(by_copy)), traffic_table([by_copy]).rows[0]
    assert found["global requests"] == str(row["async_copy_requests"]) == "10"
    assert found["sectors / request"] == f"{row['sectors_per_request']:.2f}" == "5.70"
    assert found["excess wavefronts"] == "15"


def test_that_a_part_of_the_grid_has_no_ideal(make_recording: Record) -> None:
    part = recording_section(make_recording(blocks_recorded=1))
    assert part.detail.endswith("1 of 4 blocks · as written")
    assert "bytes ideal" not in values(part)
    assert "bytes moved" in values(part)


def test_that_hazards_are_counted_by_kind_and_marked_by_a_sign(make_recording: Record) -> None:
    race = Hazard(HazardKind.RACE, 6, "As[i]", (0, 0, 0), (0, 1), 0, 8, "two threads")
    outside = Hazard(HazardKind.OUT_OF_BOUNDS, 5, "A[i]", (0, 0, 0), (3,), 0, 1, "past the end")
    lines = recording_section(make_recording(hazards=(race, race, outside))).lines[-2:]
    assert [(line.words, line.value, line.tone) for line in lines] == [
        ("out of bounds", "! 1", ValueTone.WRONG),
        ("race", "! 2", ValueTone.WRONG),
    ], "the gravest first"
    assert "line 5: past the end" in lines[0].tip
    equal = recording_section(make_recording(hazards=(replace(race, kind=HazardKind.EQUAL_WRITES),))).lines[-1]
    assert (equal.words, equal.value, equal.tone) == ("writes of equal values", "1", ValueTone.PLAIN), "no fault"


def test_that_one_block_is_said_in_words(make_recording: Record) -> None:
    trace = make_recording()
    one = make_recording(launch=type(trace.launch)((1, 1, 1), (2, 2, 1)), blocks_recorded=1)
    assert blocks_words(one) == "its only block"


def test_that_the_newest_recording_of_a_kernel_is_found(make_recording: Record, host: Device) -> None:
    traces = (make_recording(), make_recording("naive"), make_recording())
    session = Session("", "1", host, 0.0, traces=traces)
    assert recording_of("tiled", session) is traces[2]
    assert recording_of("vectorized", session) is None


def test_that_the_text_has_a_line_for_each_figure(make_result: Make) -> None:
    section = run_section(make_result())
    lines = section.text.splitlines()
    assert lines[:2] == ["Last run", "tiled TILE=16\tShared-memory tiles · 64×48×32 · cold caches · pocl"]
    assert "kernel\t2.00 ms\tmeasured" in lines
    assert lines[-1].startswith("PoCL on the CPU")


def test_that_nothing_is_said_to_be_nothing() -> None:
    assert run_section(None).lines == ()
    assert run_section(None).note == NO_RUN
    assert recording_section(None).note.startswith("Nothing is recorded yet.")


def test_that_a_whole_run_shorter_than_its_kernel_is_explained_below(make_result: Make) -> None:
    """The whole of 4 ms has a kernel of 1 ms, the kernel's own samples take 20 ms."""
    cold = make_result(ms=(20.0, 20.0, 20.0))
    said = why_whole_is_shorter(cold.timing)
    assert said.startswith("The kernel takes 1.00 ms in the end-to-end run but 20.0 ms in samples of the kernel alone")
    assert said in run_section(cold).note.split("\n")
    usual = make_result(ms=(2.0, 2.0, 2.0))
    assert "end-to-end run but" not in run_section(usual).note
    busy = replace(usual, timing=replace(usual.timing, host_samples_ms=np.full(3, 9.0)))
    section = run_section(busy)
    assert "copies included, but launching the kernel alone and waiting for it 9.00 ms" in section.note
    assert any(line.words == "waited" and "copies included" in line.tip for line in section.lines)


def test_that_figures_name_the_version_of_the_kernel(make_result: Make, make_recording: Record, host: Device) -> None:
    assert "version" not in recording_section(make_recording()).detail
    named = recording_section(make_recording(), version="version 2 (current)")
    assert "version 2 (current)" in named.detail.split(" · ")
    assert "version 2 (current)" in named.text
    run = make_result(finished="2026-01-01T10:00:05+00:00")
    versions = tuple(
        KernelVersion("tiled", number, "tiled.cu", f"text {number}", f"2026-01-01T10:00:0{second}+00:00")
        for number, second in ((1, 1), (2, 4), (3, 9))
    )
    session = Session("", "1", host, 0.0, (run,))
    assert "saved" not in run_section(run, replace(session, versions=versions[:2])).note
    older = run_section(run, replace(session, versions=versions)).note
    assert older.endswith("It ran before version 3 was saved.")
    restored = replace(session, versions=(*versions[:2], replace(versions[2], text="text 2")))
    assert "saved" not in run_section(replace(run, source_digest=digest_of("text 2")), restored).note
    assert "saved" in run_section(replace(run, source_digest=digest_of("text 1")), restored).note


def test_that_a_recording_shows_what_its_kernel_takes_and_what_limits_its_blocks(make_recording: Record) -> None:
    trace = make_recording()
    before = recording_section(trace)
    known = replace(
        trace, device=find_gpu("H100"), resources=Resources(115), compiler="NVRTC 13.5 for sm_90", launch=WIDE
    )
    section = recording_section(known)
    found = values(section)
    assert {"registers", "shared", "occupancy", "limited by", "blocks / SM"}.isdisjoint(values(before))
    assert (found["registers"], found["spills"], found["shared"]) == ("115", "none", "8 KiB")
    assert (found["occupancy"], found["limited by"], found["blocks / SM"]) == ("25 %", "registers", "2")
    assert "waves" not in found
    assert "Registers and occupancy: as optimised for a run, NVRTC 13.5 for sm_90." in section.note
    assert "No more blocks fit by registers: 115 per thread" in section.note

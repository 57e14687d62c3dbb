"""The tables of a handout say what window and command line say."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gemmviz.domain import figures
from gemmviz.domain.device import GpuFacts
from gemmviz.domain.kernels.examined_sweep import digest_of
from gemmviz.domain.kernels.resources import Resources
from gemmviz.domain.recordings.machine_accesses import (
    AccessSort,
    LineAccesses,
    MachineAccesses,
    MergedRequests,
    WidthCount,
)
from gemmviz.domain.runs.result import RunResult, Session
from gemmviz.domain.session.session import load_session
from gemmviz.domain.spec import format_params
from gemmviz.explain.source.recorded_lines import totals_rows
from gemmviz.gui.export.handout.tables import PrintedTable, has_resources, requests_table, resources_table
from gemmviz.gui.figures.gpu_section import gpu_section
from gemmviz.resources import resource_folder


@pytest.fixture(scope="module")
def ladder() -> Session:
    return load_session(resource_folder("assets") / "examples" / "gpu-ladder.gemmviz")


def column(table: PrintedTable, head: str) -> list[str]:
    place = table.heads.index(head)
    return [line[place] for line in table.lines]


def test_that_resources_are_the_lines_of_figures(ladder: Session) -> None:
    known = [run for run in ladder.runs if run.resources.are_known]
    table = resources_table(ladder)
    assert column(table, "kernel") == [f"{run.spec.kernel} {format_params(run.spec.params)}" for run in known]
    for words in ("registers", "spills", "shared", "occupancy", "limited by", "blocks / SM"):
        told = []
        for run in known:
            section = gpu_section(run)
            assert section is not None
            told += [line.value for line in section.lines if line.words == words]
        assert column(table, words) == told
    assert table.notes[0] == "Compiled for: H200"


def test_that_equal_resources_are_told_once_and_others_again(ladder: Session) -> None:
    run = next(run for run in ladder.runs if run.resources.are_known)
    spilling = replace(run, resources=replace(run.resources, spill_store_bytes=64, spill_load_bytes=64))
    table = resources_table(replace(ladder, runs=(run, run, spilling), traces=()))
    assert column(table, "spills") == ["none", "64 bytes"]


def test_that_resources_of_versions_are_told_apart_by_their_names(ladder: Session) -> None:
    run = next(run for run in ladder.runs if run.resources.are_known)
    recorded = next(trace for trace in ladder.traces if trace.spec.kernel == run.spec.kernel)
    texts = recorded.source_text, f"{recorded.source_text}// mended"
    traces = tuple(replace(recorded, source_text=text) for text in texts)
    runs = tuple(
        replace(run, source_digest=digest_of(text), resources=replace(run.resources, registers=registers))
        for text, registers in zip(texts, (31, 47), strict=True)
    )
    table = resources_table(replace(ladder, runs=runs, traces=traces, versions=(), file_texts=()))
    found = dict(zip(column(table, "registers"), column(table, "kernel"), strict=True))
    for registers, version in (("31", "version 1"), ("47", "version 2")):
        assert found[registers] == f"{run.spec.kernel} · {version} {format_params(run.spec.params)}".rstrip()


def test_that_occupancy_that_is_not_known_is_left_empty(ladder: Session) -> None:
    run = next(run for run in ladder.runs if run.resources.are_known)
    bare = replace(run, device=replace(run.device, gpu_facts=GpuFacts(), id="other"), resources=Resources(registers=7))
    table = resources_table(replace(ladder, runs=(run, bare), traces=()))
    assert column(table, "registers")[1] == "7"
    assert column(table, "occupancy")[1] == ""


def test_that_a_session_without_a_gpu_has_no_resources(ladder: Session, make_result) -> None:
    run: RunResult = make_result("naive")
    assert not has_resources(replace(ladder, runs=(replace(run, resources=Resources()),), traces=()))
    assert has_resources(ladder)


def test_that_requests_are_the_sums_of_totals_and_hazards(ladder: Session) -> None:
    table = requests_table(ladder)
    rows = [totals_rows(trace) for trace in ladder.traces]

    def sums(name: str, *, of: str) -> list[str]:
        cells = [[getattr(row, name) for row in each if row.name.startswith((of, "async"))] for each in rows]
        return [figures.count(sum(int("".join(filter(str.isdigit, cell))) for cell in each if cell)) for each in cells]

    assert column(table, "global requests") == sums("requests", of="global")
    assert column(table, "sectors") == sums("sectors", of="")
    assert column(table, "wavefronts") == sums("wavefronts", of="")
    assert column(table, "excess") == sums("excess", of="")
    assert "112" in column(table, "excess")  # the bank conflicts of tiled_transposed
    assert table.notes[0] == "M×N×K: 32×32×32; recorded: as written"


def test_that_what_differs_between_recordings_stands_in_a_column(ladder: Session) -> None:
    first, second, *_ = ladder.traces
    other = replace(
        second,
        spec=replace(second.spec, shape=replace(second.spec.shape, n=16), kernel="other"),
        b_loads=second.b_loads[:512],
    )
    table = requests_table(replace(ladder, traces=(first, other)))
    assert column(table, "M×N×K") == ["32×32×32", "32×16×32"]
    assert table.notes[0] == "Recorded: as written; blocks: 1 of 4 blocks"


@pytest.mark.parametrize(("saved", "said"), [(5, "107"), (None, "not derived")])
def test_that_excess_in_sass_has_a_column_where_it_differs(ladder: Session, saved: int | None, said: str) -> None:
    transposed = next(trace for trace in ladder.traces if trace.spec.kernel == "tiled_transposed")
    narrow, wide = (WidthCount(4, 64),), (WidthCount(16, 16),)
    lines = (LineAccesses(transposed.sites[0].line, AccessSort.SHARED_LOADS, narrow, wide),)
    cost = MergedRequests((lines[0].line,), AccessSort.SHARED_LOADS, 1, 4, 4, 4, 4 + (saved or 0), 4)
    machine = MachineAccesses("sm_90a", "NVRTC 13.5", lines, (cost,) if saved else ())
    table = requests_table(replace(ladder, traces=(replace(transposed, machine=machine),)))
    assert (column(table, "excess"), column(table, "excess in SASS")) == (["112"], [said])
    assert any("SASS has other accesses" in note for note in table.notes) is (not saved)


def test_that_bytes_that_move_without_requests_are_told_below() -> None:
    session = load_session(resource_folder("assets") / "examples" / "gpu-feeding.gemmviz")
    assert "excess in SASS" not in requests_table(session).heads
    assert (
        "wgmma_bf16 BN=256 STAGES=4 CLUSTER=2, without requests: TMA, from global 128 KiB; TMA, into shared 192 KiB; "
        "tensor cores, from shared 320 KiB"
    ) in requests_table(session).notes

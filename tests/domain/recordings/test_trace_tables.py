"""The tables of recordings, against sums made another way."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gemmviz.domain.device import Device
from gemmviz.domain.kernels.kernel_version import KernelVersion
from gemmviz.domain.recordings.access import AccessKind, MappedArray, Site, SkippedAccess, Space
from gemmviz.domain.recordings.hazard import Hazard, HazardKind
from gemmviz.domain.recordings.machine_accesses import (
    AccessSort,
    LineAccesses,
    MachineAccesses,
    MergedRequests,
    WidthCount,
)
from gemmviz.domain.recordings.sass_cells import SHARED_IN_SASS, SITE_IN_SASS
from gemmviz.domain.recordings.trace_run import SiteCounts, TraceRun
from gemmviz.domain.recordings.trace_tables import TRACE_TABLES, element_loads, site_rows, total_rows
from gemmviz.domain.runs.result import Session
from gemmviz.domain.runs.tables import RUN_COLUMNS, export_csv
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Launch, RunSpec
from gemmviz.gui.export.targets import fixed_tables
from gemmviz.trace.explain import totals_of


def read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, strict=True))


WHEN = "2026-11-22T12:00:29+00:00"


@pytest.fixture
def recording(session: Session) -> TraceRun:
    device: Device = session.device
    sites = tuple(
        Site(i, 10 + i, 3, f"{array}[{i}]", space, kind, 4, array)
        for i, (array, space, kind) in enumerate(
            [
                ("A", Space.GLOBAL, AccessKind.LOAD),
                ("B", Space.GLOBAL, AccessKind.LOAD),
                ("C", Space.GLOBAL, AccessKind.STORE),
                ("As", Space.SHARED, AccessKind.STORE),
                ("As", Space.SHARED, AccessKind.LOAD),
                ("p", Space.PRIVATE, AccessKind.LOAD),
            ]
        )
    )
    columns = [np.array([prime * (i + 1) for i in range(6)], np.int64) for prime in (2, 3, 5, 7, 11, 13, 17)]
    hazard = Hazard(HazardKind.RACE, 14, 'As[1, "x"]', (0, 2, 0), (1, 0), 3, 9, "thread 1 reads, thread 0 writes")
    return TraceRun(
        spec=RunSpec("tiled", Shape(2, 3, 4), (("TILE", 2), ("F", 1)), "pocl"),
        device=device,
        launch=Launch((2, 1, 1), (2, 2, 1)),
        source_name="tiled.cu",
        source_text="",
        sites=sites,
        skipped=(SkippedAccess(7, "A[0]", "an access inside a macro"),),
        arrays=(MappedArray("A", Space.GLOBAL, 1 << 40, 2, 4),),
        counts=SiteCounts(*columns),
        hazards=(hazard,),
        a_loads=np.array([0, 0, 0, 0, 1, 2, 2, 9], np.int64),
        b_loads=np.zeros(12, np.int64),
        blocks_recorded=1,
        accesses=123,
        seconds=0.5,
        blocks=(),
        blocks_searched=1,
    )


def test_that_totals_are_those_of_the_report(recording: TraceRun) -> None:
    (row,) = total_rows([recording])
    told = {name: "" if figure is None else figure for name, figure in totals_of(recording).as_dict().items()}
    assert {name: row[name] for name in told} == told
    behind = len(SHARED_IN_SASS)
    assert list(row)[-len(told) - behind : -behind] == list(told)
    assert [row[name] for name in SHARED_IN_SASS] == ["", "", ""], "nobody knows its machine code"


def test_that_tables_have_what_is_derived_for_the_machine_code(recording: TraceRun) -> None:
    store, load = recording.sites[3], recording.sites[4]
    lines = (
        LineAccesses(store.line, AccessSort.SHARED_STORES, (WidthCount(4, 1),), (WidthCount(4, 1),)),
        LineAccesses(load.line, AccessSort.SHARED_LOADS, (WidthCount(4, 4),), (WidthCount(16, 1),)),
    )
    before = recording.counts.of(load)
    cost = MergedRequests(
        (load.line,), AccessSort.SHARED_LOADS, 2, 7, 3, before.requests, before.wavefronts, before.ideal_wavefronts
    )
    known = replace(recording, machine=MachineAccesses("sm_90a", "NVRTC 13.5", lines, (cost,)))
    own = recording.counts.of(store)
    (row,) = total_rows([known])
    excess = own.wavefronts - own.ideal_wavefronts
    assert [row[name] for name in SHARED_IN_SASS] == [own.requests + 2, own.wavefronts + 7, excess + 4]
    rows = {site["line"]: [site[name] for name in SITE_IN_SASS] for site in site_rows([known])}
    assert rows[load.line] == ["widened", str(load.line), 2, 7, 4]
    assert rows[store.line] == ["none", "", own.requests, own.wavefronts, excess]
    assert rows[recording.sites[0].line] == ["", "", "", "", ""]
    unknown = replace(known, machine=MachineAccesses("sm_90a", "NVRTC 13.5", lines))
    assert [total_rows([unknown])[0][name] for name in SHARED_IN_SASS] == ["", "", ""]


def test_that_a_recording_names_device_driver_and_time_as_a_run_does(recording: TraceRun) -> None:
    (row,) = total_rows([replace(recording, finished=WHEN)])
    place = ("device_name", "driver", "finished")
    assert tuple(row[name] for name in place) == (recording.device.name, recording.device.driver, WHEN)
    assert [name for name in row if name in place] == [name for name in RUN_COLUMNS if name in place]
    assert (row["hazards"], row["skipped"]) == (1, 1)


def test_that_an_export_has_every_table_of_the_recordings(
    session: Session, recording: TraceRun, tmp_path: Path
) -> None:
    paths = export_csv(replace(session, traces=(recording, recording)), tmp_path)
    names = ["runs.csv", "samples.csv", "sites.csv", "totals.csv", "reuse.csv", "hazards.csv", "skipped.csv"]
    assert [path.name for path in paths] == names
    for table in TRACE_TABLES:
        rows = read(tmp_path / table.file)
        assert rows
        assert all(tuple(row) == table.columns for row in rows)
        assert {row["params"] for row in rows} == {"TILE=2 F=1"}
        assert {row["device_name"] for row in rows} == {recording.device.name}
    assert [row["trace"] for row in read(tmp_path / "totals.csv")] == ["0", "1"]
    assert [(row["text"], row["requests"]) for row in read(tmp_path / "sites.csv")][:2] == [
        ("A[0]", "2"),
        ("B[1]", "4"),
    ]


def test_that_no_table_says_what_was_skipped_where_nothing_was(
    session: Session, recording: TraceRun, tmp_path: Path
) -> None:
    whole = replace(session, traces=(replace(recording, skipped=()),))
    written = {path.name for path in export_csv(whole, tmp_path)}
    assert written == {"runs.csv", "samples.csv", "sites.csv", "totals.csv", "reuse.csv", "hazards.csv"}
    assert not (tmp_path / "skipped.csv").exists()
    assert set(fixed_tables(whole)) == written, "the window tells beforehand what it will write"


def test_that_every_table_of_recordings_names_the_version_of_the_kernel(
    session: Session, recording: TraceRun, tmp_path: Path
) -> None:
    edited = replace(recording, source_text="another text")
    texts = recording.source_text, edited.source_text
    saved = tuple(
        KernelVersion(recording.spec.kernel, number, recording.source_name, text, f"2026-01-01T10:00:0{number}+00:00")
        for number, text in enumerate(texts, 1)
    )
    export_csv(replace(session, traces=(recording, edited), versions=saved), tmp_path)
    for table in TRACE_TABLES:
        named = list(dict.fromkeys(row["version"] for row in read(tmp_path / table.file)))
        assert named == ["1", "2"], "the age of a version changes with the next save"
    export_csv(replace(session, traces=(recording,)), tmp_path)
    assert {row["version"] for row in read(tmp_path / "totals.csv")} == {""}


def test_that_hazards_and_what_was_skipped_read_back(session: Session, recording: TraceRun, tmp_path: Path) -> None:
    export_csv(replace(session, traces=(recording,)), tmp_path)
    (hazard,) = read(tmp_path / "hazards.csv")
    names = ("kind", "line", "text", "block", "threads", "epoch", "count", "detail")
    assert {name: hazard[name] for name in names} == {
        "kind": "race",
        "line": "14",
        "text": 'As[1, "x"]',
        "block": "0,2,0",
        "threads": "1 0",
        "epoch": "3",
        "count": "9",
        "detail": "thread 1 reads, thread 0 writes",
    }
    (skipped,) = read(tmp_path / "skipped.csv")
    assert (skipped["line"], skipped["text"], skipped["reason"]) == ("7", "A[0]", "an access inside a macro")


def test_that_loads_are_of_the_elements_that_were_loaded(session: Session, recording: TraceRun, tmp_path: Path) -> None:
    export_csv(replace(session, traces=(recording,)), tmp_path)
    a, b = read(tmp_path / "reuse.csv")
    columns = ("matrix", "elements", "elements_loaded", "min_loads", "median_loads", "max_loads", "loads")
    assert [a[name] for name in columns] == ["A", "8", "4", "1", "2.0", "9", "14"]
    assert [b[name] for name in columns] == ["B", "12", "0", "0", "0.0", "0", "0"]


def test_that_loads_of_every_element_are_summed() -> None:
    found = element_loads(np.array([3, 1, 2], np.int64))
    assert (found.elements, found.loaded, found.min, found.median, found.max, found.total) == (3, 3, 1, 2.0, 3, 6)
    assert found.median_words == "median; 1 to 3"


@pytest.mark.parametrize("most", [9, 1_000_000])
def test_that_few_and_many_loads_of_an_element_have_one_median(most: int) -> None:
    loads = np.array([0, most, 3, 0, 2, 2, 5, 0], np.int64)
    found, there = element_loads(loads), loads[loads > 0]
    assert (found.elements, found.loaded, found.min, found.max) == (8, 5, 2, most)
    assert (found.median, found.total) == (np.median(there), there.sum())
    assert element_loads(np.append(loads, 4)).median == 3.5


def test_that_elements_that_were_never_loaded_are_left_out_of_the_words() -> None:
    loads = np.zeros(3840, np.int64)
    loads[:512] = 1
    found = element_loads(loads)
    assert found.median_words == "median; 1 to 1; of 512 of 3\N{NARROW NO-BREAK SPACE}840 elements"

import csv
import math
from dataclasses import replace
from pathlib import Path

import pytest

from gemmviz.domain.kernels.resources import Resources
from gemmviz.domain.runs.gauges import Reading, gauges_of
from gemmviz.domain.runs.result import Session
from gemmviz.domain.runs.tables import RUN_COLUMNS, ExportError, export_csv, run_rows, sample_rows, write_csv
from gemmviz.domain.runs.whole_words import PINNED_COLUMNS, WHOLE_COLUMNS


def read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, strict=True))


def test_that_a_run_is_one_row_with_every_figure_in_its_column(session: Session) -> None:
    row = run_rows(session)[0]
    assert math.isnan(float(row.pop("max_error_over_ug")))
    assert list(row) == [name for name in RUN_COLUMNS if name != "max_error_over_ug"]
    assert row == {
        "kernel": "tiled",
        "params": "TILE=16 F=2",
        "m": 33,
        "n": 17,
        "k": 5,
        "fill": "integers",
        "seed": 7,
        "device": "pocl",
        "arithmetic": "fp32",
        "build": "PoCL workitemrepl",
        "grid": "3x2x1",
        "block": "16x16x1",
        "shared_bytes": 2048,
        "mode": "hot",
        "median_ms": 0.2,
        "iqr_ms": "",
        "min_ms": 0.1,
        "samples": 3,
        "discarded": 1,
        "stopped_by": "steady noise",
        "host_clock_ms": 1.2,
        **dict.fromkeys(WHOLE_COLUMNS, ""),
        "in_ms": 0.25,
        "out_ms": 0.125,
        "end_to_end_ms": 2.5,
        "first_launch_ms": 12.5,
        "compile_ms": 0.001,
        "gflops": pytest.approx(2 * 33 * 17 * 5 / 0.2e-3 / 1e9),
        "relative_frobenius": 1 / 3,
        "bound": 5.0,
        "passed": "false",
        "exact_matches": 560,
        "exact_reference": session.runs[0].accuracy.exact_reference,
        "elements": 561,
        **dict.fromkeys(PINNED_COLUMNS, ""),
        "registers": "",
        "local_bytes": "",
        "spill_store_bytes": "",
        "spill_load_bytes": "",
        "throttled": 0,
        "emulated": "false",
        "device_name": 'Prozessor Größe 1, "best" (PoCL)',
        "driver": "line one\nline two",
        "finished": "2025-01-02T03:04:05Z",
    }


def test_that_a_gpus_gauges_stand_beside_its_samples(session: Session) -> None:
    run, other = session.runs
    gauges = gauges_of([Reading(1980.0, 3201.0, 40.0 + i, 600.0, 4 * (i == 1)) for i in range(3)])
    seen = replace(run, timing=replace(run.timing, gauges=gauges), resources=Resources(128, 8, 4, 4, 0))
    rows = sample_rows(replace(session, runs=(seen, other)))
    assert [row["temperature_c"] for row in rows] == [40.0, 41.0, 42.0, "", ""]
    assert [row["throttled"] for row in rows] == ["false", "true", "false", "", ""]
    row = run_rows(replace(session, runs=(seen,)))[0]
    assert (row["registers"], row["spill_load_bytes"], row["throttled"]) == (128, 4, 1)


def test_that_the_launch_of_a_library_is_empty(session: Session) -> None:
    run = session.runs[0]
    library = replace(run, device=replace(run.device, gpu_facts=replace(run.device.gpu_facts, architecture="sm_90")))
    row = run_rows(replace(session, runs=(library,)))[0]
    assert {row[name] for name in ("grid", "block", "shared_bytes", "registers")} == {""}
    compiled = replace(library, resources=Resources(128, 8, 4, 4, 0))
    assert run_rows(replace(session, runs=(compiled,)))[0]["grid"] == "3x2x1"


def test_that_every_sample_is_a_row_in_order(session: Session) -> None:
    rows = sample_rows(session)
    assert [(row["run"], row["sample"]) for row in rows] == [(1, 0), (1, 1), (1, 2), (2, 0), (2, 1)]
    assert [row["kernel_ms"] for row in rows] == [0.3, 0.1, 0.2, 5e-324, 0.1 + 0.2]
    assert [row["host_clock_ms"] for row in rows[:3]] == [1.3, 1.1, 1.2]
    assert {row["kernel"] for row in rows[3:]} == {'naïve, "mine"\n'}


def test_that_a_float_reads_back_as_the_same_number(tmp_path: Path) -> None:
    values = [0.1 + 0.2, 1 / 3, 5e-324, 1.7976931348623157e308, -0.0, math.inf, math.nan]
    write_csv([{"x": value} for value in values], tmp_path / "x.csv")
    back = [float(row["x"]) for row in read(tmp_path / "x.csv")]
    assert list(map(repr, back)) == list(map(repr, values))


def test_that_a_text_with_commas_quotes_and_line_ends_reads_back(tmp_path: Path) -> None:
    texts = ['a,"b"', "line\r\nend", "Größe ‖C‖", "", " spaced "]
    write_csv([{"x": text, "y": 1} for text in texts], tmp_path / "x.csv")
    assert [row["x"] for row in read(tmp_path / "x.csv")] == texts


def test_that_lines_end_as_rfc_4180_says(tmp_path: Path) -> None:
    write_csv([{"a": 1, "b": "x,y"}], tmp_path / "x.csv")
    assert (tmp_path / "x.csv").read_bytes() == b'a,b\r\n1,"x,y"\r\n'


def test_that_a_table_without_rows_keeps_its_heading(tmp_path: Path) -> None:
    write_csv([], tmp_path / "x.csv", ("a", "b"))
    assert (tmp_path / "x.csv").read_bytes() == b"a,b\r\n"
    write_csv([], tmp_path / "y.csv")
    assert (tmp_path / "y.csv").read_bytes() == b""


@pytest.mark.parametrize("odd", [{"a": 1}, {"a": 1, "b": 2, "c": 3}, {"a": 1, "c": 2}])
def test_that_a_row_with_other_columns_is_an_error_and_nothing_is_written(tmp_path: Path, odd: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="does not fit a, b"):
        write_csv([{"a": 1, "b": 2}, dict(odd)], tmp_path / "x.csv")
    assert list(tmp_path.iterdir()) == []


def test_that_a_name_that_utf8_cannot_hold_is_written_all_the_same(tmp_path: Path) -> None:
    write_csv([{"kernel": "k\udcff"}], tmp_path / "x.csv")
    assert read(tmp_path / "x.csv") == [{"kernel": "k\\udcff"}]


def test_that_an_export_writes_both_tables_into_a_new_folder(session: Session, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    assert export_csv(session, folder) == [folder / "runs.csv", folder / "samples.csv"]
    assert sorted(path.name for path in folder.iterdir()) == ["runs.csv", "samples.csv"]
    runs, samples = read(folder / "runs.csv"), read(folder / "samples.csv")
    assert [row["kernel"] for row in runs] == ["tiled", 'naïve, "mine"\n']
    assert float(runs[0]["relative_frobenius"]) == 1 / 3
    assert [float(row["kernel_ms"]) for row in samples] == [0.3, 0.1, 0.2, 5e-324, 0.1 + 0.2]


def test_that_an_export_into_a_folder_that_is_there_replaces_its_tables(session: Session, tmp_path: Path) -> None:
    (tmp_path / "runs.csv").write_text("older")
    (tmp_path / "mine.txt").write_text("kept")
    export_csv(session, tmp_path)
    assert len(read(tmp_path / "runs.csv")) == 2
    assert (tmp_path / "mine.txt").read_text() == "kept"


def test_that_a_file_in_the_place_of_the_folder_is_named(session: Session, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.write_text("a file")
    with pytest.raises(ExportError, match=r"folder: it is not a folder. Choose another name"):
        export_csv(session, folder)
    with pytest.raises(ExportError, match=r"is not a folder. Choose another"):
        export_csv(session, folder / "deeper")
    assert folder.read_text() == "a file"


def test_that_a_table_that_cannot_be_written_is_named(session: Session, tmp_path: Path) -> None:
    (tmp_path / "samples.csv").mkdir()
    with pytest.raises(ExportError, match=r"cannot write .*samples\.csv: it is not an ordinary file"):
        export_csv(session, tmp_path)

"""`gemmviz report`: what was saved, printed as it was when it was found out."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from scheduling import gpu
from settings_figures import make_setting, make_sweep
from warps import warp_timeline

from gemmviz.domain.runs.result import Session
from gemmviz.domain.session.session import load_session, save_session

QUICK = ("--budget", "0.05", "--mode", "hot")
RUN = ("run", "--kernel", "naive,cpu_ijk", "--size", "9x7x5", *QUICK)
TRACE = ("trace", "--kernel", "tiled", "--param", "TILE=4", "--size", "9x7x5", "--block", "1,2")
FAULTY = Path(__file__).parents[2] / "data" / "faulty" / "no_second_barrier.cu"


def test_that_runs_are_reported_as_when_they_were_made(gemmviz: Any, tmp_path: Path) -> None:
    path = tmp_path / "s.gemmviz"
    made = gemmviz(*RUN, "--out", str(path))
    read = gemmviz("report", str(path))
    assert (read.code, read.err) == (0, "")
    for title, most in (("Kernel time", 4), ("Around the kernel", 5), ("End-to-end time", 5), ("Accuracy", 6)):
        tables = [text[text.index(title) :].split("\n\n")[0].splitlines()[:most] for text in (made.out, read.out)]
        assert len(tables[0]) >= 4
        assert tables[0] == tables[1]


def test_that_a_recording_is_reported_as_when_it_was_made(gemmviz: Any, tmp_path: Path) -> None:
    path = tmp_path / "s.gemmviz"
    made = gemmviz(*TRACE, "--out", str(path))
    read = gemmviz("report", str(path))
    assert read.code == 0
    assert read.out.split("\n\n", 1)[1] == made.out


def test_that_the_documents_are_those_of_run_and_trace(gemmviz: Any, tmp_path: Path) -> None:
    runs_at, trace_at, both = (tmp_path / f"{name}.gemmviz" for name in ("runs", "trace", "both"))
    run = gemmviz(*RUN, "--json", "--out", str(runs_at)).document
    trace = gemmviz(*TRACE, "--json", "--out", str(trace_at)).document
    first, second = load_session(runs_at), load_session(trace_at)
    save_session(replace(first, traces=second.traces), both)
    document = gemmviz("report", str(both), "--json").document
    assert document["format"] == 1
    assert document["traces"] == [trace]
    assert len(document["runs"]) == len(run["runs"]) == 2
    for told, made in zip(document["runs"], run["runs"], strict=True):
        assert {name: told[name] for name in made} == made
        assert (told["shape"], told["fill"], told["seed"]) == (run["shape"], run["fill"], run["seed"])


def test_that_hazards_of_a_saved_recording_can_be_read_back(gemmviz: Any, tmp_path: Path) -> None:
    path = tmp_path / "s.gemmviz"
    gemmviz("trace", "--kernel-file", str(FAULTY), "--size", "20x19x21", "--all-blocks", "--out", str(path))
    assert "race line" in gemmviz("report", str(path)).out
    (trace,) = gemmviz("report", str(path), "--json").document["traces"]
    assert trace["hazards"][0]["kind"] == "race"


def test_that_experiments_of_different_sizes_stand_apart(gemmviz: Any, tmp_path: Path) -> None:
    paths = [tmp_path / f"{size}.gemmviz" for size in ("4x4x4", "5x6x7")]
    for path in paths:
        words = ("--kernel", "cpu_ikj,cpu_ijk", "--size", path.stem, *QUICK, "--out", str(path))
        assert gemmviz("run", *words).code == 0
    first, second = map(load_session, paths)
    save_session(replace(first, runs=(*first.runs, *second.runs)), tmp_path / "both.gemmviz")
    answer = gemmviz("report", str(tmp_path / "both.gemmviz"))
    assert answer.out.index("C[4,4] = A[4,4]") < answer.out.index("C[5,6] = A[5,7]")
    assert answer.out.count("Kernel time, measured") == 2
    runs = gemmviz("report", str(tmp_path / "both.gemmviz"), "--json").document["runs"]
    assert [run["shape"]["k"] for run in runs] == [4, 4, 7, 7]
    assert all(set(run["speedup"]) == {"cpu_ikj", "cpu_ijk"} for run in runs)


def test_that_what_did_not_run_is_reported(gemmviz: Any, tmp_path: Path) -> None:
    path = tmp_path / "s.gemmviz"
    gemmviz("run", "--kernel", "dot", "--size", "2x2x2", "--out", str(path))
    answer = gemmviz("report", str(path))
    assert answer.code == 0
    assert "dot THREADS=512 2x2x2 did not run: " in answer.out


def test_that_no_device_is_needed(gemmviz: Any, tmp_path: Path) -> None:
    path = tmp_path / "s.gemmviz"
    gemmviz(*TRACE, "--out", str(path))
    code = (
        "import sys; from gemmviz.cli.app import run_app; code = run_app(sys.argv[1:]); "
        "print(*sys.modules, file=sys.stderr); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "report", str(path), "--json"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "OCL_ICD_VENDORS": str(tmp_path)},
    )
    assert json.loads(done.stdout)["traces"][0]["kernel"] == "tiled"
    assert not {"pyopencl", "PySide6", "numba"} & set(done.stderr.split())


@pytest.mark.parametrize("content", [None, b"", b"PK nothing of ours"])
def test_that_what_is_no_session_is_refused(gemmviz: Any, tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "s.gemmviz"
    if content is not None:
        path.write_bytes(content)
    answer = gemmviz("report", str(path), "--json")
    assert (answer.code, answer.out) == (2, "")
    assert "s.gemmviz" in answer.complaint


def test_that_settings_without_a_gpu_are_reported_with_their_digest(gemmviz: Any, tmp_path: Path) -> None:
    path = tmp_path / "s.gemmviz"
    gemmviz(*TRACE, "--out", str(path))
    sweep = make_sweep(make_setting(8, sectors=250), make_setting(16, passed=False), missing=2)
    save_session(replace(load_session(path), sweeps=(sweep,)), path)
    read = gemmviz("report", str(path))
    assert "mine 2 settings, examined without a GPU" in read.out
    assert "Cancelled: 2 settings not examined." in read.out
    (entry,) = json.loads(gemmviz("report", str(path), "--json").out)["sweeps"]
    assert (entry["kernel"], entry["source_sha256"], entry["not_examined"]) == ("mine", sweep.digest, 2)
    assert [one["params"] for one in entry["settings"]] == [{"BM": 8}, {"BM": 16}]


def test_that_the_warps_of_an_sm_are_reported_in_one_sentence(gemmviz: Any, tmp_path: Path) -> None:
    path = tmp_path / "s.gemmviz"
    save_session(Session("", "", gpu(), 0.0, warp_timelines=(warp_timeline(),)), path)
    assert "With 2 warps, at least one computes in 40 % of the whole launch." in gemmviz("report", str(path)).out
    (entry,) = json.loads(gemmviz("report", str(path), "--json").out)["warp_timelines"]
    assert (entry["kernel"], entry["warps"], entry["computing_share"], entry["kernel_ms"]) == ("tiled", 2, 0.4, 2.0)

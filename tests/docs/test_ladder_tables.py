"""The ladder's record: verdicts on goals, tables, and the file that keeps every sample."""

from __future__ import annotations

import json
import math
import subprocess
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import record_gpu
from gpu_record.goals import Goal, goal_rows, goals_first
from gpu_record.measured import Measured, NotMeasured, as_found
from gpu_record.tables import GOAL_COLUMNS, LADDER_COLUMNS, ladder_row, ladder_tables, markdown

from gemmviz.backends.registry import devices_for
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.terms import Language

CUBE = "4096x4096x4096"
GOAL = Goal("fast", ("quick", "quicker"), CUBE, "lib", 1.03)
ONE = Measured(
    kernel="quick",
    size=CUBE,
    arithmetic="fp32",
    params="BM=128",
    against="lib",
    build="nvcc 13.0 for sm_90",
    kernel_ms=np.array([2.0, 2.1, 2.2]),
    library_ms=np.array([2.1, 2.2, 2.3]),
    ratio=1.04,
    low=1.035,
    high=1.05,
    clock_mhz=np.array([1980.0, 1980.0, 1755.0]),
    throttled=np.array([0.0, 0.0, 1.0]),
    registers=128,
    occupancy="25 % (registers)",
    error=73.9,
    bound=4096.0,
    passed=True,
    method="float64",
    tried=11,
)


@pytest.mark.parametrize(
    ("ratio", "low", "high", "words"),
    [
        (1.04, 1.035, 1.05, "reached"),
        (1.04, 1.01, 1.05, "reached by the median; the interval goes below"),
        (1.02, 1.01, 1.04, "not reached by the median; the interval goes above"),
        (1.02, 1.01, 1.025, "not reached"),
    ],
)
def test_that_a_verdict_says_how_sure_it_is(ratio: float, low: float, high: float, words: str) -> None:
    ((*_, verdict),) = goal_rows([replace(ONE, ratio=ratio, low=low, high=high)], [GOAL])
    assert verdict == words


def test_that_the_fastest_right_kernel_counts_and_a_wrong_one_does_not() -> None:
    wrong = replace(ONE, kernel="quicker", ratio=2.0, passed=False)
    ((*_, by, verdict),) = goal_rows([ONE, wrong], [GOAL])
    assert (by, verdict) == ("`quick` BM=128", "reached")
    ((*_, reached, by, verdict),) = goal_rows([wrong], [GOAL])
    assert (reached, by, verdict) == ("not measured", "", "unknown")


def test_that_kernels_with_a_goal_at_a_size_are_measured_first() -> None:
    ids = ["slow", "lib", "quick", "slower", "quicker"]
    assert goals_first(ids, CUBE, [GOAL]) == ["lib", "quick", "quicker", "slow", "slower"]
    assert goals_first(ids, "1x1x1", [GOAL]) == ids


def test_that_a_ratio_that_is_no_number_and_a_size_that_was_not_measured_reach_nothing() -> None:
    ((*_, verdict),) = goal_rows([replace(ONE, ratio=math.nan)], [GOAL])
    assert verdict == "unknown"
    assert goal_rows([replace(ONE, size="1x1x1")], [GOAL]) == []


def test_that_a_row_says_everything_that_was_asked_for() -> None:
    row = dict(zip(LADDER_COLUMNS, ladder_row(ONE), strict=True))
    assert row["kernel"] == "`quick` BM=128 (of 11 tried)"
    assert row["median, IQR"] == "2.10 ms, –", "three samples have no quartiles"
    many = dict(
        zip(LADDER_COLUMNS, ladder_row(replace(ONE, kernel_ms=np.array([2.0, 2.0, 2.1, 2.2, 2.2]))), strict=True)
    )
    assert many["median, IQR"] == "2.10 ms, 0.20 ms", "in the unit of the median, and with its decimals"
    assert row["TFLOP/s"] == "65.4"
    assert row["times the speed of"] == "lib 1.040 (1.035 to 1.050)"
    assert (row["clock"], row["held down"]) == ("1980 MHz", "33 %")
    assert (row["error, bound"], row["passed"]) == ("73.9 of 4\N{NARROW NO-BREAK SPACE}096", "yes")


def test_that_tables_are_markdown_and_name_what_was_left_out() -> None:
    text = ladder_tables([ONE, NotMeasured("slow", CUBE, "left out: a launch would take about 9 s")])
    assert text.startswith(f"### {CUBE}\n\n| kernel |")
    assert text.endswith("- `slow`: left out: a launch would take about 9 s")
    lines = markdown(GOAL_COLUMNS, [("a|b", "", "", "", "", "")]).splitlines()
    assert lines[-1] == "| a\\|b |  |  |  |  |  |"


def test_that_a_small_ladder_is_measured_on_the_cpu_and_every_sample_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "kept.json"
    words = ["--device", "pocl", "--sizes", "17x9x5", "--kernels", "naive,sgemm_best", "--budget", "8"]
    assert record_gpu.main([*words, "--json", str(file)]) == 0
    printed = capsys.readouterr().out
    assert "| `naive` THREAD=16 |" in printed
    assert "- `sgemm_best`: needs an NVIDIA GPU" in printed
    document = json.loads(file.read_text(encoding="utf-8"))
    naive, best = document["measured"]
    assert naive["passed"] is True
    assert len(naive["kernel_ms"]) == len(naive["library_ms"]) >= 8
    assert naive["against"] == "cpu_blas"
    assert best["reason"].startswith("needs an NVIDIA GPU")
    assert document["facts"]["device"] in printed
    more = ["--device", "pocl", "--sizes", "17x9x5,4x4x4", "--kernels", "naive", "--json", str(file)]
    assert record_gpu.main([*more, "--add", "--budget", "8"]) == 0
    again = json.loads(file.read_text(encoding="utf-8"))["measured"]
    assert again[:2] == document["measured"]
    assert [(one["kernel"], one["size"]) for one in again[2:]] == [("naive", "4x4x4")]


def test_that_without_time_nothing_is_measured_and_what_cannot_run_is_still_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--device", "pocl", "--sizes", "17x9x5", "--kernels", "naive,sgemm_best", "--budget", "0"]
    assert record_gpu.main([*words, "--json", str(tmp_path / "kept.json"), "--inside"]) == 0
    document = json.loads((tmp_path / "kept.json").read_text(encoding="utf-8"))
    assert [one["kernel"] for one in document["measured"]] == ["sgemm_best"]
    assert "naive: the time is over" in capsys.readouterr().err


def test_that_a_kernel_whose_library_is_missing_is_timed_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    catalogue = load_catalogue()
    broken = catalogue.get("cublas_fp32"), devices_for(Language.CUDA)[0]
    monkeypatch.setattr(record_gpu, "library_for", lambda *_: broken)
    file = tmp_path / "kept.json"
    words = ["--device", "pocl", "--sizes", "17x9x5", "--kernels", "naive", "--budget", "8", "--json", str(file)]
    assert record_gpu.main([*words, "--inside"]) == 0
    assert "without a library: cublas_fp32: needs an NVIDIA GPU" in capsys.readouterr().err
    (naive,) = json.loads(file.read_text(encoding="utf-8"))["measured"]
    assert (naive["against"], naive["library_ms"], naive["ratio"]) == ("", [], None)
    assert naive["kernel_ms"]


def test_that_what_is_kept_is_read_again_as_it_was() -> None:
    for one in (ONE, replace(ONE, ratio=math.nan, library_ms=np.zeros(0))):
        again = as_found(json.loads(json.dumps(one.as_dict(), allow_nan=False)))
        assert isinstance(again, Measured)
        assert again.as_dict() == one.as_dict()
        assert ladder_row(again) == ladder_row(one)
    left_out = NotMeasured("slow", CUBE, "why")
    assert as_found(asdict(left_out)) == left_out


def test_that_behind_a_kernel_that_broke_the_device_another_process_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file, run, codes = tmp_path / "kept.json", subprocess.run, []

    def lost_at_first(command: list[str], *, check: bool) -> Any:
        if not codes:
            lost = {"kernel": "naive", "size": "17x9x5", "reason": "the device was lost: it hangs"}
            file.write_text(json.dumps({"facts": {}, "measured": [lost]}), encoding="utf-8")
            done = subprocess.CompletedProcess(command, record_gpu.LOST)
        else:
            done = run(command, check=check)
        codes.append(done.returncode)
        return done

    monkeypatch.setattr(subprocess, "run", lost_at_first)
    words = ["--device", "pocl", "--sizes", "17x9x5", "--kernels", "naive,tiled", "--budget", "2", "--json", str(file)]
    assert record_gpu.main(words) == 0
    assert codes == [record_gpu.LOST, 0]
    printed = capsys.readouterr().out
    assert "- `naive`: the device was lost: it hangs" in printed
    assert "| `tiled` TILE=16 |" in printed

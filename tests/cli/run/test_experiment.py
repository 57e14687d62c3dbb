"""`gemmviz run`: the document, the report, the ladder, sessions."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gemmviz.backends.registry import all_devices
from gemmviz.catalogue.loader import Catalogue, load_catalogue
from gemmviz.cli.run import request, sweeps
from gemmviz.domain.memory import MemoryRefusal
from gemmviz.domain.runs.whole_words import WHOLE_COLUMNS
from gemmviz.domain.session.session import load_session

QUICK = ("--budget", "0.1", "--mode", "hot")


def test_that_the_document_has_every_field_of_format_1(gemmviz: Any) -> None:
    answer = gemmviz("run", "--kernel", "tiled,cpu_ijk", "--size", "33x17x9", *QUICK, "--json")
    assert (answer.code, answer.err) == (0, "")
    document = answer.document
    assert document["format"] == 1
    assert document["shape"] == {"m": 33, "n": 17, "k": 9}
    assert (document["fill"], document["seed"], document["errors"]) == ("uniform", 0, [])
    assert document["init_ms"] > 0
    tiled, ijk = document["runs"]
    assert (tiled["kernel"], tiled["params"], tiled["arithmetic"]) == ("tiled", {"TILE": 16}, "fp32")
    assert tiled["launch"]["grid"] == [2, 3, 1]
    assert tiled["launch"]["block"] == [16, 16, 1]
    assert tiled["launch"]["shared_bytes"] == 2 * 16 * 16 * 4
    kernel_ms = tiled["timing"]["kernel_ms"]
    assert set(kernel_ms) == {"median", "iqr", "min", "n", "discarded", "stopped_by"}
    assert 0 < kernel_ms["min"] <= kernel_ms["median"]
    for name in ("host_clock_ms", "first_launch_ms", "gflops"):
        assert tiled["timing"][name] > 0
    whole = tiled["timing"]["end_to_end"]
    assert set(whole) == {*WHOLE_COLUMNS}
    parts = [whole[name] for name in ("in_ms", "end_to_end_kernel_ms", "waiting_ms", "out_ms")]
    assert min(parts) >= 0
    assert sum(parts) == pytest.approx(whole["end_to_end_ms"])
    assert whole["end_to_end_runs"] % 2 == 1
    assert tiled["timing"]["end_to_end_pinned"] is None, "PoCL has no page-locked memory"
    accuracy = tiled["accuracy"]
    assert accuracy["passed"] is True
    assert accuracy["bound"] == 9
    assert accuracy["elements"] == 33 * 17
    assert accuracy["max_error_over_ug"] <= 9
    assert accuracy["ulp_of"] == "float32"
    assert set(tiled["speedup"]) == {"cpu_ijk"}
    expected = ijk["timing"]["kernel_ms"]["median"] / kernel_ms["median"]
    assert tiled["speedup"]["cpu_ijk"] == pytest.approx(expected)
    assert ijk["speedup"]["cpu_ijk"] == 1


def test_that_gflops_follow_from_the_median(gemmviz: Any) -> None:
    document = gemmviz("run", "--kernel", "cpu_ikj", "--size", "64x32x16", *QUICK, "--json").document
    timing = document["runs"][0]["timing"]
    assert timing["gflops"] == pytest.approx(2 * 64 * 32 * 16 / (timing["kernel_ms"]["median"] * 1e6))


def test_that_runs_keep_the_order_they_were_asked_for_in(gemmviz: Any) -> None:
    document = gemmviz("run", "--kernel", "tiled,naive,cpu_ijk", "--size", "4x4x4", *QUICK, "--json").document
    assert [run["kernel"] for run in document["runs"]] == ["tiled", "naive", "cpu_ijk"]


def test_that_elements_are_compared_with_the_three_loops_where_they_ran(gemmviz: Any) -> None:
    document = gemmviz("run", "--kernel", "tiled,cpu_ijk", "--size", "9x9x9", *QUICK, "--json").document
    assert document["runs"][0]["accuracy"]["exact_reference"] == "cpu_ijk"


def test_that_integers_are_exact_in_every_order_of_summation(gemmviz: Any) -> None:
    answer = gemmviz(
        "run", "--kernel", "naive,tiled,cpu_blas,cpu_ijk", "--size", "33x17x65", "--fill", "integers", *QUICK, "--json"
    )
    for run in answer.document["runs"]:
        assert run["accuracy"]["exact_matches"] == run["accuracy"]["elements"] == 33 * 17
        assert run["accuracy"]["relative_frobenius"] == 0


def test_that_the_tutorials_dot_product_is_1047552(gemmviz: Any) -> None:
    answer = gemmviz("run", "--preset", "dot-1024", "--kernel", "dot", *QUICK, "--json")
    assert answer.document["runs"][0]["accuracy"]["exact_matches"] == 1
    small = gemmviz("run", "--kernel", "dot", "--size", "1x1x5", "--fill", "index_twos", *QUICK)
    assert "20" in small.out.split("C by dot THREADS=512")[1]


def test_that_a_parameter_with_several_values_sweeps_them(gemmviz: Any) -> None:
    answer = gemmviz("run", "--kernel", "tiled", "--size", "20x20x20", "--param", "TILE=2,4,8", *QUICK, "--json")
    assert [run["params"]["TILE"] for run in answer.document["runs"]] == [2, 4, 8]


def test_that_a_sweep_is_judged_against_its_best(gemmviz: Any, tmp_path: Path) -> None:
    path = tmp_path / "s.gemmviz"
    long_enough = ("--budget", "0.8", "--mode", "hot")  # for six pairs also where others want the cores
    words = ("run", "--kernel", "tiled,cpu_ijk", "--size", "64x64x64", "--param", "TILE=2,8,32", *long_enough)
    document = gemmviz(*words, "--json", "--out", str(path)).document
    *swept, alone = document["runs"]
    assert alone["sweep"] is None
    assert [run["sweep"]["number"] for run in swept] == [1, 1, 1]
    best = min(swept, key=lambda run: run["timing"]["kernel_ms"]["median"])
    assert best["sweep"]["verdict"] in ("fastest", "lowest median")  # the latter where another could be the best
    assert best["sweep"] | {"verdict": ""} == {"number": 1, "verdict": "", "ratio": 1, "low": 1, "high": 1}
    verdicts = {run["params"]["TILE"]: run["sweep"]["verdict"] for run in swept}
    assert verdicts[2] == "slower"  # 4 threads a block
    assert set(verdicts.values()) <= {"fastest", "lowest median", "as fast, within 2 %", "cannot be ranked", "slower"}
    assert all(run["accuracy"]["exact_reference"] == "cpu_ijk" for run in swept)
    assert all(set(run["speedup"]) == {"cpu_ijk"} for run in swept)
    shown = gemmviz("report", str(path)).out
    assert next(line.split()[-1] for line in shown.splitlines() if line.startswith("tiled TILE=2 ")) == "slower"
    assert "in turn: the settings of one sweep" in " ".join(shown.split())


def test_that_a_choice_that_cannot_run_costs_the_others_nothing(gemmviz: Any) -> None:
    words = ("run", "--kernel", "row_shared", "--size", "1x1x2000", "--param", "THREADS=32,64", *QUICK, "--json")
    assert gemmviz(*words).code == 0
    answer = gemmviz("run", "--kernel", "dot,naive", "--size", "4x4x4", "--param", "THREADS=64,128", *QUICK, "--json")
    assert answer.code == 2
    document = answer.document
    assert [run["kernel"] for run in document["runs"]] == ["naive"]
    assert [error["kernel"] for error in document["errors"]] == ["dot", "dot"]


def test_that_choices_that_do_not_fit_together_run_one_after_the_other(
    gemmviz: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> Any:
        raise MemoryRefusal("2 choices at once")
        yield

    monkeypatch.setattr(sweeps, "sweep", refuse)
    document = gemmviz("run", "--kernel", "tiled", "--size", "9x9x9", "--param", "TILE=2,4", *QUICK, "--json").document
    assert [(run["params"]["TILE"], run["sweep"]) for run in document["runs"]] == [(2, None), (4, None)]


def test_that_a_sweep_of_a_users_kernel_is_made_in_turn_too(gemmviz: Any, tmp_path: Path) -> None:
    path = tmp_path / "mine.cu"
    tiled = load_catalogue().get("tiled").path
    path.write_text(tiled.read_text(encoding="utf-8"), encoding="utf-8")
    words = ("run", "--kernel-file", str(path), "--kernel", "tiled", "--size", "20x20x20", "--param", "TILE=8,16")
    runs = gemmviz(*words, *QUICK, "--json").document["runs"]
    assert [(run["kernel"], run["params"]["TILE"]) for run in runs] == [
        ("mine", 8),
        ("mine", 16),
        ("tiled", 8),
        ("tiled", 16),
    ]
    numbers = [run["sweep"]["number"] for run in runs]
    assert numbers[0] == numbers[1] != numbers[2] == numbers[3]


def test_that_a_choice_that_crashes_costs_only_itself(gemmviz: Any, kernel_file: Any) -> None:
    path = kernel_file("[launch]", "[params.FAR]\nchoices = [0, 1]\n[launch]")
    path.write_text(path.read_text().replace("C[row * N + col] =", "C[row * N + col + FAR * 1000000000] ="))
    words = ("run", "--kernel-file", str(path), "--size", "4x4x4", "--param", "FAR=0,1", *QUICK, "--json")
    answer = gemmviz(*words)
    assert answer.code == 1
    assert [run["params"]["FAR"] for run in answer.document["runs"]] == [0]
    assert "outside its arrays" in answer.document["errors"][0]["reason"]


@pytest.mark.parametrize("chosen", [("naive", "dot", "cpu_ijk", "dot_serial", "tiled", "wgmma_tf32"), ()])
def test_that_the_ladder_goes_on_after_a_kernel_that_refuses(
    gemmviz: Any, monkeypatch: pytest.MonkeyPatch, chosen: tuple[str, ...]
) -> None:
    monkeypatch.setenv("POCL_WORK_GROUP_METHOD", "workitemloops")  # else each kernel is tried in every way first
    catalogue = load_catalogue()
    if chosen:
        catalogue = Catalogue(tuple(kernel for kernel in catalogue.kernels if kernel.id in chosen))
        monkeypatch.setattr(request, "load_catalogue", lambda: catalogue)
    answer = gemmviz("run", "--kernel", "all", "--size", "5x6x7", *QUICK, "--json")
    assert answer.code == 0
    document = answer.document
    refused = {error["kernel"]: error["reason"] for error in document["errors"]}
    has_cuda = any(device.backend == "cuda" for device in all_devices())
    unable = {kernel.id for kernel in catalogue.kernels if kernel.needs_cuda and not has_cuda}
    assert set(refused) == {"dot", "dot_serial"} | unable
    assert all("needs an NVIDIA GPU" in reason for name, reason in refused.items() if not name.startswith("dot"))
    assert "needs M = 1, but M is 5" in refused["dot"]
    ran = [run["kernel"] for run in document["runs"]]
    assert ran == [kernel.id for kernel in catalogue.kernels if kernel.id not in refused]
    assert all(run["accuracy"]["passed"] for run in document["runs"])


def test_that_speed_ups_are_given_against_every_cpu_kernel_of_the_run(gemmviz: Any) -> None:
    answer = gemmviz("run", "--kernel", "naive,cpu_ijk,cpu_ikj", "--size", "16x16x16", *QUICK, "--json")
    assert set(answer.document["runs"][0]["speedup"]) == {"cpu_ijk", "cpu_ikj"}


def test_that_a_report_shows_small_matrices_in_full(gemmviz: Any) -> None:
    answer = gemmviz("run", "--preset", "four", "--kernel", "tiled_global_accumulate", *QUICK)
    assert answer.code == 0
    counted = np.arange(1, 17).reshape(4, 4)
    result = answer.out.split("C by tiled_global_accumulate TILE=2")[1].split()[:16]
    assert [float(word) for word in result] == (counted @ counted).ravel().tolist()


def test_that_a_report_says_that_cpu_times_are_not_gpu_times(gemmviz: Any) -> None:
    assert "not GPU times" in gemmviz("run", "--kernel", "naive", "--size", "4x4x4", *QUICK).out


def test_that_a_saved_session_holds_what_the_document_said(gemmviz: Any, tmp_path: Path) -> None:
    path = tmp_path / "s.gemmviz"
    document = gemmviz("run", "--kernel", "tiled", "--size", "17x5x3", *QUICK, "--out", str(path), "--json").document
    session = load_session(path)
    timing = session.runs[0].timing
    told = document["runs"][0]["timing"]["kernel_ms"]
    assert timing.kernel_ms.median == told["median"]
    assert timing.kernel_samples_ms.size == told["n"]
    assert session.runs[0].accuracy.exact_matches == document["runs"][0]["accuracy"]["exact_matches"]


def test_that_an_exported_session_re_reads_to_the_same_numbers(gemmviz: Any, tmp_path: Path) -> None:
    path = tmp_path / "s.gemmviz"
    gemmviz("run", "--kernel", "naive,cpu_ikj", "--size", "17x5x3", *QUICK, "--out", str(path))
    answer = gemmviz("export", str(path), "--out", str(tmp_path / "figures"))
    assert answer.code == 0
    with (tmp_path / "figures" / "runs.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    session = load_session(path)
    assert [row["kernel"] for row in rows] == ["naive", "cpu_ikj"]
    assert [float(row["median_ms"]) for row in rows] == [run.timing.kernel_ms.median for run in session.runs]


def test_that_hot_mode_is_labelled_and_batches_launches(gemmviz: Any) -> None:
    answer = gemmviz("run", "--kernel", "cpu_ikj", "--size", "8x8x8", "--mode", "hot", *QUICK, "--json")
    timing = answer.document["runs"][0]["timing"]
    assert timing["mode"] == "hot"
    assert timing["launches_per_sample"] > 1


def test_that_a_kernel_file_of_the_users_runs(gemmviz: Any, kernel_file: Any) -> None:
    answer = gemmviz("run", "--kernel-file", str(kernel_file()), "--size", "33x17x9", *QUICK, "--json")
    assert answer.code == 0
    run = answer.document["runs"][0]
    assert run["kernel"] == "mine"
    assert run["accuracy"]["passed"]


def test_that_an_exported_recording_has_a_row_for_each_site(gemmviz: Any, tmp_path: Path) -> None:
    path = tmp_path / "s.gemmviz"
    words = ("trace", "--kernel", "tiled", "--size", "33x17x9", "--all-blocks", "--out", str(path), "--json")
    told = gemmviz(*words).document["sites"]
    assert gemmviz("export", str(path), "--out", str(tmp_path)).code == 0
    with (tmp_path / "tiled-sites.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [(row["text"], int(row["requests"]), int(row["sectors"])) for row in rows] == [
        (site["text"], site["requests"], site["sectors"]) for site in told
    ]


def test_that_a_kernel_that_adds_to_an_undefined_c_is_told_of_the_header_s_word(gemmviz: Any, kernel_file: Any) -> None:
    path = kernel_file("= acc;", "+= acc;")
    answer = gemmviz("run", "--kernel-file", str(path), "--size", "8x9x5", "--budget", "0.05")
    assert 'in its header that `c_begins = "zero"`' in " ".join(answer.out.split())


def test_that_a_kernel_that_leaves_its_matrices_is_told_with_its_file_and_with_what_may_be_wrong(
    gemmviz: Any, tmp_path: Path
) -> None:
    path, described = tmp_path / "mine.cu", tmp_path / "mine.cu.toml"
    body = (
        "int c = threadIdx.x, r = blockIdx.x;\nfor (int k = 0; k < K; k++) C[r * N + c] += A[r * K + k] * B[k * N + c];"
    )
    path.write_text(f"__global__ void mine(float *A, float *B, float *C, int M, int N, int K) {{ {body} }}")
    described.write_text('args = ["B", "A", "C", "M", "N", "K"]\n[launch]\nblock = ["N"]\ngrid = ["M"]\n')
    answer = gemmviz("run", "--kernel-file", path, "--size", "32x48x16", "--device", "machine")
    assert answer.code == 1
    assert "the kernel failed: mine.cu:2: ld.global.f32 " in answer.err
    assert f"; where the kernel is right, correct 'args', 'block' or 'grid' of {described}" in answer.err

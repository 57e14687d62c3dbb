"""`gemmviz sweep`: the figures of each setting, of the catalogue's kernels and of a person's own."""

from __future__ import annotations

import csv
import json
import signal
from pathlib import Path

import pytest
from settings_figures import make_setting

from gemmviz.cli.app import run_app
from gemmviz.cli.faults import BAD_INPUT
from gemmviz.cli.signals import Signalled
from gemmviz.cli.sweep import report
from gemmviz.cli.sweep.request import read_sweep_request
from gemmviz.cli.sweep.settings_report import print_settings
from gemmviz.cli.terminal import report_terminal
from gemmviz.engine.examination import CHECKED, PROVING
from gemmviz.explain.source.version_figures import Measured

OWN = """#define TILE 16
__global__ void sgemm(int M, int N, int K, float alpha, const float *A, const float *B, float beta, float *C) {
    int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
    if (row >= M || col >= N) return;
    __shared__ float unused[TILE];
    unused[threadIdx.x] = 1.0f;
    float acc = 0.0f;
    for (int k = 0; k < K; ++k) acc += A[row * K + k] * B[k * N + col];
    C[row * N + col] = alpha * acc + beta * C[row * N + col];
}
"""
TOML = """args = ["M", "N", "K", "alpha", "A", "B", "beta", "C"]
alpha = 1.5
beta = 0.5
replaces = ["#define TILE"]
constraints = ["M * N * K <= 400000"]
[params.TILE]
choices = [8, 16]
[launch]
block = ["TILE", "TILE"]
grid = ["ceil_div(N, TILE)", "ceil_div(M, TILE)"]
"""


@pytest.mark.usefixtures("nvrtc")
def test_that_an_own_kernel_with_alpha_and_beta_is_swept_over_a_constant_of_its_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, table = tmp_path / "mine.cu", tmp_path / "figures.csv"
    file.write_text(OWN)
    (tmp_path / "mine.cu.toml").write_text(TOML)
    words = ["sweep", "--kernel-file", str(file), "--size", "32x32x16", "--csv", str(table), "--json"]
    assert run_app([*words, "--param", "TILE=8,4"]) == 0, "4 is no choice of the description"
    document = json.loads(capsys.readouterr().out)
    settings = document["settings"]
    assert [one["params"] for one in settings] == [{"TILE": 8}, {"TILE": 4}]
    assert [one["result"] for one in settings] == ["correct", "correct"]
    assert [one["multiply_adds"] for one in settings] == [8 * 8 * 16, 4 * 4 * 16]
    assert document["further_values"] == {"right": [{"name": "TILE", "value": 4}], "wrong": [], "not_examined": []}
    assert all(one["registers_per_thread"] > 0 for one in settings)
    with table.open(newline="") as rows:
        known, further = csv.DictReader(rows)
    assert [known["param_TILE"], further["param_TILE"]] == ["8", "4"]
    assert known["checked_at"] == CHECKED[0].words
    taken = [shape for shape in PROVING if shape.m * shape.n * shape.k <= 400000]
    assert further["checked_at"] == "; ".join(shape.words for shape in taken), "nobody had proven it"
    assert len(taken) > 2


def test_that_values_are_swept_that_the_kernel_does_not_offer_and_one_that_cannot_be_launched_is_examined_too() -> None:
    asked = {"kernel": "tiled", "size": "32x32x16", "kernel_file": [], "time_limit": 20.0, "force": False}
    request = read_sweep_request(None, None, None, param=["TILE=16,12,4096"], **asked)
    assert [dict(one)["TILE"] for one in request.settings.each] == [16, 12, 4096]
    assert 12 not in request.kernel.parameters[0].choices
    assert {12, 4096} < set(request.run.jobs[0][0].parameters[0].choices)


@pytest.mark.usefixtures("nvrtc")
def test_that_a_kernel_of_the_catalogue_is_swept_over_the_values_that_are_given(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run_app(["sweep", "tiled", "--param", "TILE=8,16", "--size", "32x32x16"]) == 0
    printed = capsys.readouterr().out
    assert "tiled 2 settings, examined without a GPU" in printed
    assert "correct" in printed
    assert "sect/1000" in printed
    assert "PTX and SASS differ with 2 of 2 settings in shared loads: 32-bit in PTX" in printed
    assert "SASS excess/1000" in printed


def test_that_a_signal_leaves_the_settings_that_are_examined(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    examined = iter([make_setting(8)])

    def examine(*_given: object) -> Measured:
        try:
            return next(examined)
        except StopIteration:
            raise Signalled(signal.SIGINT) from None

    monkeypatch.setattr(report, "_examined", examine)
    table = tmp_path / "figures.csv"
    request = read_sweep_request(
        over=None,
        csv=table,
        gpu=None,
        kernel="tiled",
        size="32x32x16",
        param=["TILE=8,16"],
        kernel_file=[],
        time_limit=20.0,
        force=False,
    )
    with pytest.raises(Signalled) as ended:
        report.sweep_and_print(request, as_json=False)
    assert ended.value.left == "1 of 2 settings are in the table"
    assert "correct" in capsys.readouterr().out
    assert len(table.read_text().splitlines()) == 2


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--kernel", "tiled", "--over", "BM"], "--over BM: tiled has no parameter 'BM': it has TILE"),
        (["--kernel", "cl_row_private", "--over", "TILE"], "cl_row_private has no parameter 'TILE': it has none"),
        (["--kernel", "tiled", "--gpu", "Nothing"], "--gpu Nothing"),
        ([], "name one kernel, or give"),
        (["--kernel", "tiled,naive"], "one kernel is swept at a time"),
        (["--kernel", "register_2d"], "at most 64 are examined"),
    ],
)
def test_that_what_cannot_be_swept_is_named(words: list[str], why: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_app(["sweep", *words]) == BAD_INPUT
    assert why in " ".join(capsys.readouterr().err.split())


def test_that_settings_below_each_other_are_named_by_their_values_and_tell_only_what_is_known(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    found = [make_setting(8), make_setting(12, fault="needs M to be a multiple of BM")]
    print_settings(report_terminal(), "mine", found, "", ())
    lines = capsys.readouterr().out.splitlines()
    first, second = lines.index("BM=8"), lines.index("BM=12")
    assert "  result: correct" in lines[first:second]
    assert lines[second + 1] == "", "nothing is known of it but the reason, which comes below"
    print_settings(report_terminal(), "mine", found[:1], "", ())
    assert capsys.readouterr().out.startswith("mine 1 setting,")


def test_that_settings_stand_side_by_side_as_columns_where_their_rows_are_too_wide(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    found = [make_setting(8), make_setting(12, fault="needs M to be a multiple of BM"), make_setting(16)]
    print_settings(report_terminal(), "mine", found, "", ())
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["BM", "8", "12", "16"] in lines
    assert ["result", "correct", "–", "correct"] in lines
    monkeypatch.setenv("COLUMNS", "30")
    print_settings(report_terminal(), "mine", found, "", ())
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    heads = [line for line in lines if line[:1] == ["BM"] and len(line) < 4]
    assert [value for line in heads for value in line[1:]] == ["8", "12", "16"], "in two tables"
    assert len(heads) == 2

"""`gemmviz run --device machine`: every kernel for CUDA executed once and checked; its times are marked as emulated."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest
from own_kernel import naive_with

from gemmviz.domain.runs.doubts import NOT_TIMED
from gemmviz.domain.session.session import load_session

pytestmark = pytest.mark.usefixtures("nvrtc")


def run_on_machine(gemmviz: Any, *more: str) -> Any:
    return gemmviz("run", "--size", "17x33x9", "--device", "machine", "--budget", "0.1", *more)


def test_that_kernels_are_executed_once_checked_and_marked(gemmviz: Any, tmp_path: Path) -> None:
    saved = tmp_path / "s.gemmviz"
    answer = run_on_machine(gemmviz, "--kernel", "naive,cpu_ikj", "--out", str(saved), "--json")
    assert answer.code == 0, answer.err
    of = {run["kernel"]: run for run in answer.document["runs"]}
    assert (of["naive"]["emulated"], of["cpu_ikj"]["emulated"]) == (True, False)
    assert of["naive"]["device"] == "machine:sm_90a"
    assert of["naive"]["accuracy"]["passed"]
    assert of["naive"]["timing"]["kernel_ms"]["n"] == 1
    assert of["naive"]["timing"]["gflops"] is None
    assert of["naive"]["speedup"] == {}
    assert of["cpu_ikj"]["speedup"] == {"cpu_ikj": 1.0}
    assert of["naive"]["gpu"] is not None

    session = load_session(saved)
    assert [run.is_emulated for run in session.runs] == [True, False]
    report = gemmviz("report", str(saved)).out
    measured, _, emulated = report.partition("Emulated: executed once")
    assert "naive" not in measured.partition("Kernel time, measured")[2]
    assert "naive" in emulated
    assert "From the compiler" in report
    assert not any(words in report for words in ("sensors", "°C", "pinned"))
    assert "its time is neither a GPU's nor a CPU's" in " ".join(emulated.split())

    assert gemmviz("export", str(saved), "--out", str(tmp_path), "--format", "csv").code == 0

    def table(name: str) -> list[dict[str, str]]:
        with (tmp_path / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    assert {row["kernel"]: (row["emulated"], row["gflops"] == "") for row in table("runs")} == {
        "naive": ("true", True),
        "cpu_ikj": ("false", False),
    }
    for name in ("samples", "kernel_time", "rate", "speedup", "roofline"):
        assert {row["kernel"] for row in table(name)} == {"cpu_ikj"}, name
    assert {row["kernel"] for row in table("accuracy")} == {"naive", "cpu_ikj"}


def test_that_a_wrong_kernel_of_ones_own_is_found_in_its_sandbox(gemmviz: Any, tmp_path: Path) -> None:
    naive_with(tmp_path / "own.cu", "C[0] = -1.0f;")
    answer = run_on_machine(gemmviz, "--kernel-file", str(tmp_path / "own.cu"), "--json")
    assert answer.code == 1
    (run,) = answer.document["runs"]
    assert (run["emulated"], run["accuracy"]["passed"]) == (True, False)


def test_that_what_a_kernel_prints_is_shown_stored_and_bounded(gemmviz: Any, tmp_path: Path) -> None:
    path, saved = tmp_path / "own.cu", tmp_path / "s.gemmviz"
    naive_with(path, 'if (blockIdx.x + blockIdx.y + threadIdx.y == 0) printf("from %d\\n", threadIdx.x + 100);')
    answer = gemmviz("run", "--size", "17x33x9", "--device", "machine", "--kernel-file", str(path), "--out", str(saved))
    assert answer.code == 0, answer.err
    assert " printed 16 lines" in answer.out
    assert answer.out.index("from 100") < answer.out.index("from 115")
    (run,) = load_session(saved).runs
    assert run.printed.split() == [word for thread in range(16) for word in ("from", str(100 + thread))]
    assert "from 103" in gemmviz("report", str(saved)).out

    naive_with(path, 'printf("%d\\n", threadIdx.x + 100);')
    recorded = gemmviz("trace", "--size", "17x33x9", "--block", "0,0", "--kernel-file", str(path))
    assert recorded.code == 0, recorded.err
    assert "own printed 256 lines" in recorded.out
    assert "… and 236 more lines; --json has them all" in recorded.out
    document = gemmviz("trace", "--size", "17x33x9", "--block", "0,0", "--kernel-file", str(path), "--json").document
    assert sorted(document["printed"].split()) == sorted(str(100 + thread) for thread in range(16) for _ in range(16))


@pytest.mark.parametrize(
    "command",
    [
        ("run", "--kernel", "tiled", "--param", "TILE=8,16", "--size", "17x33x9", "--device", "machine"),
        ("roofs", "--device", "machine"),
    ],
)
def test_that_nothing_is_swept_and_no_roof_is_measured_on_it(gemmviz: Any, command: tuple[str, ...]) -> None:
    answer = gemmviz(*command)
    assert answer.code == 2
    assert NOT_TIMED in answer.err

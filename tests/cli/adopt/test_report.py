"""`gemmviz adopt`: what it says, what it writes, and how it ends."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gemmviz.adopt.description import Description
from gemmviz.adopt.finding import Findings, KernelFinding
from gemmviz.catalogue.loader import WHAT_KERNEL_FILES_END_IN
from gemmviz.cli.adopt import report
from gemmviz.cli.app import run_app
from gemmviz.cli.faults import BAD_INPUT, HAZARDS, NOT_PROVEN
from gemmviz.domain.kernels.call import Storage

DATA = Path(__file__).parents[2] / "data" / "adopt"
pytestmark = pytest.mark.usefixtures("nvrtc")
BODIES = (("one", ";"), ("two", "if (blockIdx.x + threadIdx.y == 0) C[threadIdx.x] = A[threadIdx.x];"))
"""Of a kernel that writes nothing, and of one that copies."""


def copied(tmp_path: Path, name: str) -> Path:
    return Path(shutil.copy(DATA / name, tmp_path / name))


def test_that_a_kernel_is_described_and_the_exit_code_says_so(gemmviz: Any, tmp_path: Path) -> None:
    path = copied(tmp_path, "turned_b.cu")
    answer = gemmviz("adopt", str(path))
    assert answer.code == 0
    lines = answer.out.splitlines()
    right = "C = A·B, B column-major, takes every size that was tried, M, N and K each up to "
    assert " ".join(" ".join(lines[:2]).split()).startswith(f"rows_of_both (line 2): verified: {right}")
    assert "  called as rows_of_both(A, B, C, M, N, K)" in lines
    assert lines[-1] == "--write writes this to turned_b.cu.toml beside the file."
    assert [one.name for one in tmp_path.iterdir()] == ["turned_b.cu"]


def test_that_a_description_is_written_once_and_the_kernel_then_runs(gemmviz: Any, tmp_path: Path) -> None:
    path = copied(tmp_path, "turned_b.cu")
    beside = tmp_path / "turned_b.cu.toml"
    beside.write_text("# mine")
    refused = gemmviz("adopt", str(path), "--write")
    assert (refused.code, beside.read_text()) == (BAD_INPUT, "# mine")
    assert "already exists" in refused.complaint
    beside.unlink()
    answer = gemmviz("adopt", str(path), "--write", "--json")
    assert answer.code == 0
    assert answer.document["written"] == str(beside)
    assert beside.read_text(encoding="utf-8") == answer.document["description"]
    ran = gemmviz("run", "--kernel-file", str(path), "--device", "machine", "--size", "33x17x40", "--json")
    assert (ran.code, ran.document["runs"][0]["accuracy"]["passed"]) == (0, True)
    beside.write_text("# mine")
    assert gemmviz("adopt", str(path), "--write", "--force").code == 0
    assert beside.read_text(encoding="utf-8") == answer.document["description"]


def test_that_the_document_has_what_scripts_need(gemmviz: Any, tmp_path: Path) -> None:
    answer = gemmviz("adopt", str(copied(tmp_path, "forgets_last_tile.cu")), "--json")
    document = answer.document
    assert (answer.code, document["verified"], document["kernel"]) == (0, True, "forgets")
    (kernel,) = document["kernels"]
    assert kernel["args"] == ["A", "B", "C", "M", "N", "K"]
    assert kernel["constraints"] == ["K % TILE == 0"]
    assert kernel["operands"]["B"] == {"element": "float32", "layout": "row"}
    assert kernel["block"] == ["TILE", "TILE"]
    assert kernel["grid"] == ["ceil_div(N, TILE)", "ceil_div(M, TILE)"]
    assert kernel["replaces"] == ["#define TILE"]


def test_that_a_race_that_does_not_show_in_results_is_told_and_ends_with_exit_code_3(
    gemmviz: Any, tmp_path: Path
) -> None:
    path = copied(tmp_path, "one_warp.cu")
    answer = gemmviz("adopt", str(path), "--write")
    assert answer.code == HAZARDS
    shown = "the kernel races in lines 8 and 11, and there are 5 more hazards"
    told = f"one_warp (line 2): not verified: {shown}; in the runs that were tried on the PTX machine its results were"
    assert told in " ".join(answer.out.split())
    assert "Separate the two accesses by `__syncwarp()`" in answer.out
    written = (tmp_path / "one_warp.cu.toml").read_text(encoding="utf-8")
    assert written.startswith(f"# {shown[:1].upper()}{shown[1:]}.\n")
    document = gemmviz("adopt", str(path), "--json")
    assert (document.code, document.document["verified"]) == (HAZARDS, False)
    assert document.document["kernels"][0]["verified"] is False
    first = document.document["kernels"][0]["hazards"][0]
    assert (first["kind"], first["lines"]) == ("race", [8, 11])
    assert "thread 1 reads As[0,0]" in first["detail"]


def test_that_nothing_is_written_for_what_is_not_proven(gemmviz: Any, tmp_path: Path) -> None:
    answer = gemmviz("adopt", str(copied(tmp_path, "sum_of_matrices.cu")), "--write")
    assert answer.code == NOT_PROVEN
    assert "add (line 1): not verified" in answer.out
    assert "Nothing was proven." in answer.out
    assert [one.name for one in tmp_path.iterdir()] == ["sum_of_matrices.cu"]


def test_that_kernels_are_printed_once_and_a_description_is_advised_for_those_that_one_may_help(
    gemmviz: Any, tmp_path: Path
) -> None:
    path = tmp_path / "mine.cu"
    parameters = "(const float *A, const float *B, float *C, int N)"
    lines = [f"__global__ void {name}{parameters} {{ {body} }}" for name, body in BODIES]
    path.write_text("\n".join(lines), encoding="utf-8")
    answer = gemmviz("adopt", str(path))
    words = " ".join(answer.out.split())
    assert (words.count("one (line 1): not verified"), words.count("two (line 2): not verified")) == (1, 1)
    assert words.endswith("To run one all the same, describe it in mine.cu.toml or by options (`gemmviz run --help`).")
    alone = " ".join(gemmviz("adopt", str(path), "--entry", "two").out.split())
    assert "it looks like a copy" in alone
    assert alone.endswith("Nothing was proven.")


def test_that_several_products_are_offered_by_name(gemmviz: Any, tmp_path: Path) -> None:
    path = copied(tmp_path, "conditional_column.cl")
    answer = gemmviz("adopt", str(path), "--write")
    assert answer.code == NOT_PROVEN
    assert "Several kernels of conditional_column.cl are products: plain, tiled. Choose one with --entry." in answer.out
    assert gemmviz("adopt", str(path), "--entry", "tiled").code == 0
    unknown = gemmviz("adopt", str(path), "--entry", "other")
    assert unknown.code == BAD_INPUT
    assert unknown.complaint.endswith("there is no kernel 'other' in it; it has plain, tiled")


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("mine.cu", " \n\n", "mine.cu: the file is empty: give a file with a kernel"),
        ("mine.cu", "int main() { return 0; }", "there is no kernel in it: no __global__ function with a body"),
        (
            "mine.cu",
            "int a;\n/* kept\n__global__ void f(float *A) {}",
            "the comment that begins in line 2 does not end",
        ),
        ("mine.cu", "// __global__\n__global__ void f(float *A", "__global__ stands in line 2, and no whole function"),
        ("mine.txt", "", f"a kernel file ends in {WHAT_KERNEL_FILES_END_IN}"),
        ("mine.cu", "__global__ void f(float *C) { int x = " + "-" * 5000 + "1; }", "nested more than 1000 levels"),
    ],
)
def test_that_a_file_that_cannot_be_read_is_refused_in_words(
    gemmviz: Any, tmp_path: Path, name: str, text: str, words: str
) -> None:
    path = tmp_path / name
    path.write_text(text)
    answer = gemmviz("adopt", str(path))
    assert answer.code == BAD_INPUT
    assert words in answer.complaint


def test_that_a_file_that_is_not_there_is_bad_input(gemmviz: Any, tmp_path: Path) -> None:
    answer = gemmviz("adopt", str(tmp_path / "missing.cu"))
    assert (answer.code, "there is no such file" in answer.complaint) == (BAD_INPUT, True)


def test_that_a_kernel_that_does_not_end_takes_no_longer_than_it_may(gemmviz: Any, tmp_path: Path) -> None:
    path = tmp_path / "endless.cu"
    path.write_text(
        "__global__ void f(const float *A, const float *B, float *C, int M, int N, int K)\n"
        "{ while (A[0] < 2.0f) C[threadIdx.x] = B[0]; }\n"
    )
    answer = gemmviz("adopt", str(path), "--time-limit", "2")
    assert answer.code == NOT_PROVEN
    assert "not verified" in answer.out


def test_that_a_file_that_is_no_text_is_wrong_input(gemmviz: Any, tmp_path: Path) -> None:
    path = tmp_path / "binary.cu"
    path.write_bytes(b"// a\n\xff\xfe\x00")
    answer = gemmviz("adopt", str(path))
    assert (answer.code, answer.out) == (BAD_INPUT, "")
    assert "binary.cu:2: the byte 0xFF is not UTF-8" in answer.err


def test_that_a_device_that_is_not_there_is_named_before_anything_runs(gemmviz: Any, tmp_path: Path) -> None:
    path = copied(tmp_path, "turned_b.cu")
    answer = gemmviz("adopt", str(path), "--device", "cuda:99", "--write")
    assert answer.code == BAD_INPUT
    assert "--device 'cuda:99' is not a device; available devices: " in answer.complaint
    assert not (tmp_path / "turned_b.cu.toml").exists()


def test_that_a_further_device_is_named_with_the_sizes_that_were_tried_there(gemmviz: Any, tmp_path: Path) -> None:
    path = copied(tmp_path, "forgets_last_tile.cu")
    answer = gemmviz("adopt", str(path), "--device", "machine:A100")
    assert answer.code == 0
    words = " ".join(answer.out.split())
    counts = re.search(
        r"at (\d+) sizes on the PTX machine, and at the (\d+) sizes that it takes on PTX machine, sm_80", words
    )
    assert counts is not None
    assert 0 < int(counts[2]) < int(counts[1])


@pytest.mark.parametrize(
    ("limit", "words"),
    [
        ("0", "--time-limit 0: give a time from 1 to 86400 seconds"),
        ("0.5", "--time-limit 0.5: give a time from 1 to 86400 seconds"),
        ("-1", "--time-limit -1: give a time from 1 to 86400 seconds"),
        ("1e300", "--time-limit 1e+300: give a time from 1 to 86400 seconds"),
        ("1e999", "--time-limit 1e999: the number is too large"),
        ("nan", "--time-limit 'nan': not a number"),
    ],
)
def test_that_a_time_limit_that_nobody_can_keep_is_refused(
    gemmviz: Any, tmp_path: Path, limit: str, words: str
) -> None:
    answer = gemmviz("adopt", str(copied(tmp_path, "turned_b.cu")), f"--time-limit={limit}")
    assert (answer.code, answer.out) == (BAD_INPUT, "")
    assert words in answer.complaint


def test_that_a_kernel_that_is_right_in_another_launch_alone_is_verified_nowhere(
    gemmviz: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    storage = Storage()
    right = Description("mm", (), (), ("A", "B", "C"), (storage, storage, storage, storage), ("16",), ("M",))
    otherwise = "line 9 launches a grid of 1 block. With that launch the result is wrong at 64x64x64: …"
    found = KernelFinding("mm", 1, replace(right, otherwise=otherwise))
    monkeypatch.setattr(report, "look_confined", lambda *_, **__: Findings(("mm",), (found,)))
    path = str(copied(tmp_path, "turned_b.cu"))
    answer = gemmviz("adopt", path, "--time-limit", "9", "--json")
    (kernel,) = answer.document["kernels"]
    assert (answer.code, kernel["otherwise"]) == (HAZARDS, otherwise)
    for one in (answer.document, kernel):
        assert (one["verified"], one["outcome"]) == (False, "right in another launch")
    told = " ".join(gemmviz("adopt", path, "--time-limit", "9").out.split())
    assert "mm (line 1): right, but not as its host code launches it: C = A·B" in told
    assert f"{otherwise} Launch it as described above, or correct the kernel for that launch." in told


def test_that_the_time_limit_counts_from_the_start_of_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    asked: dict[str, Any] = {}

    def look(*_: object, **named: Any) -> Findings:
        asked.update(named)
        return Findings((), (), "nothing was looked at")

    monkeypatch.setattr(report, "look_confined", look)
    path = str(copied(tmp_path, "turned_b.cu"))
    assert run_app(["adopt", path, "--time-limit", "9"], 123.0) == BAD_INPUT
    assert "nothing was looked at" in capfd.readouterr().err
    assert (asked["began_at"], asked["has_hard_limit"]) == (123.0, True)


def test_that_what_is_compiled_once_is_not_taken_from_the_limit_of_a_kernel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: dict[str, Any] = {}

    def look(*_: object, **named: Any) -> Findings:
        asked.update(named)
        return Findings((), (), "nothing was looked at")

    def compiles(*_: object, **__: object) -> None:
        monkeypatch.setattr("gemmviz.cli.adopt.report.time.monotonic", lambda: 70.0)

    monkeypatch.setattr(report, "look_confined", look)
    monkeypatch.setattr(report, "tell_of_first_use", compiles)
    monkeypatch.setattr("gemmviz.cli.adopt.report.time.monotonic", lambda: 10.0)
    assert run_app(["adopt", str(copied(tmp_path, "turned_b.cu"))], 123.0) == BAD_INPUT
    assert (asked["began_at"], asked["has_hard_limit"]) == (183.0, False)

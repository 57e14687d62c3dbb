"""Kernels that fail on the device, crash it or never end, and Ctrl-C; each through the real command."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from pace import clock_limit_s

QUICK = ("--budget", "0.05", "--mode", "hot")

COMMAND = [sys.executable, "-m", "gemmviz"]

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="signals as POSIX has them")


def start(*words: str, **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*COMMAND, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
        start_new_session=True,
    )


def finish(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    out, err = process.communicate(timeout=120)
    return process.returncode, out, err


def test_that_a_source_that_does_not_compile_is_told_with_its_own_line(gemmviz: Any, kernel_file: Any) -> None:
    path = kernel_file("= acc;", "= acc + nobody;")
    answer = gemmviz("run", "--kernel-file", str(path), "--size", "4x4x4", "--json")
    assert answer.code == 1
    line = path.read_text().splitlines().index("    C[row * N + col] = acc + nobody;") + 1
    assert f"mine.cu:{line}:" in answer.complaint
    assert "nobody" in answer.complaint
    assert answer.document["errors"][0]["kernel"] == "mine"


def test_that_a_header_that_lies_about_its_entry_is_told_what_is_there(gemmviz: Any, kernel_file: Any) -> None:
    answer = gemmviz("run", "--kernel-file", str(kernel_file('"mine"', '"yours"')), "--size", "4x4x4")
    assert answer.code == 2
    assert "'yours' is not in the file; it defines mine" in answer.complaint


def test_that_a_wrong_result_is_found_and_its_first_elements_named(gemmviz: Any, kernel_file: Any) -> None:
    path = kernel_file("acc += A", "acc -= A")
    answer = gemmviz("run", "--kernel-file", str(path), "--size", "4x4x4", *QUICK, "--json")
    assert answer.code == 1
    assert "wrong" in answer.complaint
    accuracy = answer.document["runs"][0]["accuracy"]
    assert accuracy["passed"] is False
    assert (accuracy["first_mismatches"][0]["row"], accuracy["first_mismatches"][0]["column"]) == (0, 0)


def test_that_elements_never_written_are_counted(gemmviz: Any, kernel_file: Any) -> None:
    path = kernel_file("row >= M", "row >= M - 1")
    answer = gemmviz("run", "--kernel-file", str(path), "--size", "4x5x4", *QUICK, "--json")
    assert answer.code == 1
    accuracy = answer.document["runs"][0]["accuracy"]
    assert accuracy["unwritten"] == 5
    assert accuracy["relative_frobenius"] is None


def test_that_a_kernel_that_never_ends_costs_its_time_limit(kernel_file: Any) -> None:
    path = kernel_file("float acc = 0.0f;", "float acc = 0.0f; while (K > 0) acc += A[0];")
    begin = time.monotonic()
    code, out, err = finish(start("run", "--kernel-file", str(path), "--size", "4x4x4", "--time-limit", "1", "--json"))
    assert code == 1
    assert "did not end within 1 s" in err
    assert "Traceback" not in err
    assert json.loads(out)["errors"][0]["kernel"] == "mine"
    assert time.monotonic() - begin < 20


@posix_only
def test_that_a_kernel_that_writes_far_outside_ends_in_a_sentence(kernel_file: Any) -> None:
    path = kernel_file("C[row * N + col] =", "C[row * N + col + 1000000000] =")
    code, out, err = finish(start("run", "--kernel-file", str(path), "--size", "4x4x4", "--json"))
    assert code == 1
    assert "outside its arrays" in err
    assert "Traceback" not in err
    assert json.loads(out)["errors"][0]["reason"] in err.replace("gemmviz: ", "")


@posix_only
@pytest.mark.parametrize("kernel", ["cpu_ijk", "naive"])
def test_that_ctrl_c_stops_at_once_and_leaves_nothing_half_written(kernel: str, tmp_path: Path) -> None:
    out_file = tmp_path / "s.gemmviz"
    process = start("run", "--kernel", kernel, "--size", "1500x1500x1500", "--out", str(out_file))
    time.sleep(3.0)
    assert process.poll() is None, process.communicate()
    begin = time.monotonic()
    os.killpg(process.pid, signal.SIGINT)
    code, out, err = finish(process)
    assert (code, out) == (130, "")
    assert err.strip() == "gemmviz: stopped; nothing was written"
    took_s = time.monotonic() - begin
    assert took_s < clock_limit_s(5)
    assert list(tmp_path.iterdir()) == []


def test_that_without_any_opencl_the_other_kernels_run_and_the_remedy_is_told() -> None:
    nowhere = str(Path(__file__).parent / "no-such-folder")
    words = ("run", "--kernel", "cl_naive,cpu_ikj", "--size", "8x8x8", *QUICK, "--json")
    code, out, err = finish(start(*words, OCL_ICD_VENDORS=nowhere))
    assert code == 1
    assert "no OpenCL device" in err
    document = json.loads(out)
    assert [run["kernel"] for run in document["runs"]] == ["cpu_ikj"]
    assert document["errors"][0]["kernel"] == "cl_naive"

"""A person's kernel runs apart: whatever it does, the other results, the report and the document stay whole."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hostile_kernel import CREATE, can_be_hostile, hostile_kernel

from gemmviz.catalogue.loader import is_shipped, load_user_kernel
from gemmviz.cli.guarded.request import GuardedCommand, GuardedRequest, from_bytes, to_bytes
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Fill, Mode
from gemmviz.resources import resource_folder

QUICK = ("--budget", "0.05", "--mode", "hot")

COMMAND = [sys.executable, "-m", "gemmviz"]
posix_only = pytest.mark.skipif(sys.platform == "win32", reason="devices and signals as POSIX has them")


@posix_only
@pytest.mark.parametrize(
    ("new", "expected"),
    [
        ("C[row * N + col + 1000000000] =", "ended by SIG"),
        ("if (row == 0 && col == 0) C[M * N] = 1.0f; C[row * N + col] =", "4 bytes behind C were overwritten"),
        ("if (row == 0 && col == 0) C[-1] = 1.0f; C[row * N + col] =", "4 bytes before C were overwritten"),
    ],
)
def test_that_a_kernel_that_writes_outside_costs_only_its_own_result(
    gemmviz: Any, kernel_file: Any, new: str, expected: str
) -> None:
    path = kernel_file("C[row * N + col] =", new)
    answer = gemmviz(
        "run", "--kernel-file", str(path), "--kernel", "tiled,cpu_ijk", "--size", "9x7x5", *QUICK, "--json"
    )
    assert answer.code == 1
    assert expected in answer.complaint
    document = answer.document
    assert [run["kernel"] for run in document["runs"]] == ["tiled", "cpu_ijk"]
    assert document["errors"] == [{"kernel": "mine", "reason": document["errors"][0]["reason"]}]
    assert expected in document["errors"][0]["reason"]
    assert {"device", "shape", "fill", "seed", "init_ms"} <= set(document)


def test_that_a_kernel_that_reads_behind_its_arrays_is_found_wrong(gemmviz: Any, kernel_file: Any) -> None:
    path = kernel_file("k < K; ++k", "k <= K; ++k")
    answer = gemmviz("run", "--kernel-file", str(path), "--size", "9x7x5", *QUICK, "--json")
    assert answer.code == 1
    assert answer.document["runs"][0]["accuracy"]["passed"] is False


def test_that_a_guarded_kernel_is_compared_with_the_three_loops(gemmviz: Any, kernel_file: Any) -> None:
    words = ("--kernel", "cpu_ijk", "--size", "9x7x5", "--fill", "integers", *QUICK, "--json")
    mine = gemmviz("run", "--kernel-file", str(kernel_file()), *words).document["runs"][0]
    assert mine["accuracy"]["exact_reference"] == "cpu_ijk"
    assert mine["accuracy"]["exact_matches"] == 63
    assert set(mine["speedup"]) == {"cpu_ijk"}


def test_that_what_a_kernel_prints_does_not_reach_the_document(kernel_file: Any) -> None:
    path = kernel_file("float acc", 'if (row == 0 && col == 0) printf("hello\\n"); float acc')
    words = ["run", "--kernel-file", str(path), "--size", "9x7x5", *QUICK, "--json"]
    done = subprocess.run([*COMMAND, *words], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["runs"][0]["accuracy"]["passed"]
    assert done.stderr == ""


def test_that_several_kernel_files_run_and_one_named_like_ours_keeps_both(
    gemmviz: Any, kernel_file: Any, tmp_path: Path
) -> None:
    twin = tmp_path / "tiled.cu"
    twin.write_text(kernel_file().read_text(encoding="utf-8"), encoding="utf-8")
    files = ("--kernel-file", str(tmp_path / "mine.cu"), "--kernel-file", str(twin))
    answer = gemmviz("run", *files, "--kernel", "tiled", "--size", "4x4x4", *QUICK, "--json")
    assert [run["kernel"] for run in answer.document["runs"]] == ["mine", "tiled.cu", "tiled"]


@posix_only
@pytest.mark.parametrize(
    "words", [["--help"], ["kernels"], ["run", "--kernel", "naive", "--size", "4x4x4", "--budget", "0.1"]]
)
def test_that_a_full_disk_is_told_in_one_line(words: list[str]) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run([*COMMAND, *words], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.strip() == "gemmviz: cannot write the output: No space left on device"


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_that_a_poor_encoding_costs_characters_and_nothing_else(encoding: str) -> None:
    words = ["run", "--kernel", "naive", "--size", "4x4x4", *QUICK]
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    done = subprocess.run([*COMMAND, *words], capture_output=True, env=environment, check=True)
    assert b"GFLOP/s" in done.stdout
    assert done.stderr == b""


@posix_only
def test_that_without_a_cache_folder_everything_runs() -> None:
    words = ["run", "--kernel", "tiled", "--size", "4x4x4", *QUICK, "--json"]
    environment = {**os.environ, "XDG_CACHE_HOME": "/dev/null/nowhere"}
    environment.pop("POCL_CACHE_DIR", None)
    done = subprocess.run([*COMMAND, *words], capture_output=True, text=True, env=environment, check=True)
    assert json.loads(done.stdout)["runs"][0]["accuracy"]["passed"]
    (note,) = done.stderr.splitlines()
    assert "cannot be written" in note


@posix_only
@pytest.mark.parametrize("command", ["run", "trace"])
def test_that_nothing_in_the_environment_lets_a_kernel_run_in_this_process(command: str, kernel_file: Any) -> None:
    path = kernel_file("float acc = 0.0f;", "float few[4]; few[K * 100000000] = A[0]; float acc = few[K * 99999999];")
    environment = {**os.environ, "GEMMVIZ_GUARDED": "1", "GEMMVIZ_EXACT": "cpu_ijk=nowhere.npy"}
    words = [*COMMAND, command, "--kernel-file", str(path), "--size", "4x4x4"]
    done = subprocess.run(words, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 1
    assert ("ended by SIG" if command == "run" else "past the end of few, which has 4 elements") in done.stderr
    assert done.stderr.count("\n") == 1


@posix_only
@pytest.mark.parametrize("last", ["", "the packages differ"])
def test_that_packages_lie_anywhere_on_the_path_and_their_faults_are_told(
    kernel_file: Any, tmp_path: Path, last: str
) -> None:
    packages = tmp_path / "packages"  # as `pip install --target` makes them
    packages.mkdir()
    original = Path(importlib.import_module("simpleeval").__file__ or "").read_text(encoding="utf-8")
    is_guarded = "sys.modules['__main__'].__spec__.name.endswith('guarded.process')"
    fault = f"\nif {bool(last)} and {is_guarded}:\n    raise ImportError({last!r})\n"
    (packages / "simpleeval.py").write_text(original + fault, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(packages)}
    words = [*COMMAND, "run", "--kernel-file", str(kernel_file()), "--size", "4x4x4", *QUICK]
    done = subprocess.run(words, capture_output=True, text=True, env=environment, check=False)
    assert (done.returncode != 0) == bool(last), done.stderr
    assert last in done.stderr
    assert done.stderr.count("\n") == bool(last)


@posix_only
def test_that_a_kernel_is_not_one_of_ours_by_the_name_of_its_path(kernel_file: Any) -> None:
    ours = resource_folder("kernels")
    way_out = ours / "cuda" / Path(*[".."] * len(ours.parts)) / ".." / str(kernel_file()).lstrip("/")
    assert way_out.exists()
    assert not is_shipped(load_user_kernel(way_out))
    assert is_shipped(load_user_kernel(ours / "cuda" / "tiled.cu"))


def test_that_what_a_guarded_process_is_asked_for_comes_out_of_the_pipe_as_it_went_in() -> None:
    asked = GuardedRequest(
        command=GuardedCommand.TRACE,
        kernel_file="/a/mine.cu",
        kernel="mine.cu",
        choices=((("TILE", 8), ("BK", 4)), (("TILE", 16), ("BK", 4))),
        shape=Shape(3, 4, 5),
        fill=Fill.ONES,
        seed=7,
        mode=Mode.HOT,
        budget_s=0.25,
        time_limit_s=1.5,
        device="pocl",
        folder="/tmp/x",
        block=(1, 2, 0),
        keeps_blocks=False,
        exact="cpu_ijk",
    )
    assert from_bytes(to_bytes(asked)) == asked
    assert from_bytes(to_bytes(replace(asked, block=None))).block is None


@can_be_hostile
def test_that_a_hostile_kernel_is_stopped_and_named(gemmviz: Any, tmp_path: Path) -> None:
    target = tmp_path / "owned"
    path = hostile_kernel(tmp_path, CREATE, str(target))
    answer = gemmviz("run", "--kernel-file", str(path), "--size", "9x7x5")
    assert (answer.code, target.exists()) == (1, False)
    assert f"hostile: tried to write to the file system at {target} and was stopped; kernels may" in answer.complaint


@pytest.mark.usefixtures("nvrtc")
@pytest.mark.parametrize("command", ["run", "trace", "compile"])
def test_that_each_error_and_warning_of_the_compiler_has_a_line_of_its_own(
    kernel_file: Any, command: str, tmp_path: Path
) -> None:
    path = kernel_file("float acc = 0.0f;", "int unused = 1;\n    float acc = one;\n    acc += two;")
    lines = path.read_text(encoding="utf-8").splitlines()
    one, two, unused = (
        next(number for number, words in enumerate(lines, 1) if words.endswith(end))
        for end in ("= one;", "+= two;", "unused = 1;")
    )
    device = [] if command == "compile" else ["--device", "machine"]
    words = [command, "--kernel-file", str(path), "--size", "9x7x5", *device]
    done = subprocess.run([*COMMAND, *words], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-3:] == [
        f'gemmviz: mine: {path}:{one}: identifier "one" is undefined (and 1 more)',
        f'  {path}:{two}: identifier "two" is undefined',
        f'  {path}:{unused}: warning: variable "unused" was declared but never referenced',
    ]

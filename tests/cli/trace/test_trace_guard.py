"""A person's kernel is recorded apart: a crash, a hang or a printf costs one line and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

KernelFile = Callable[[str, str], Path]


def test_that_an_access_outside_a_private_array_costs_one_line(gemmviz: Any, kernel_file: KernelFile) -> None:
    path = kernel_file("float acc = 0.0f;", "float few[4]; few[K * 100000000] = A[0]; float acc = few[K * 99999999];")
    answer = gemmviz("trace", "--kernel-file", str(path), "--size", "4x4x4", "--json")
    assert (answer.code, answer.out) == (1, "")
    assert answer.complaint.startswith("gemmviz: mine: ")
    assert "past the end of few, which has 4 elements in local memory" in answer.complaint
    (line,) = [number for number, words in enumerate(path.read_text().splitlines(), 1) if "few[K" in words]
    assert f"line {line}: " in answer.complaint


def test_that_what_a_kernel_prints_stays_out_of_the_document(gemmviz: Any, kernel_file: KernelFile) -> None:
    path = kernel_file("float acc", 'if (row == 0 && col == 0) printf("hello\\n"); float acc')
    answer = gemmviz("trace", "--kernel-file", str(path), "--size", "4x4x4", "--json")
    assert answer.document["kernel"] == "mine"
    assert (answer.code, answer.err) == (0, "")


def test_that_figures_are_those_of_the_same_kernel_recorded_here(gemmviz: Any, tmp_path: Path) -> None:
    twin = tmp_path / "tiled.cu"
    ours = Path(__file__).parents[3] / "kernels" / "cuda" / "tiled.cu"
    twin.write_text(ours.read_text(encoding="utf-8"), encoding="utf-8")
    words = ("--size", "33x37x29", "--param", "TILE=8", "--block", "2,1", "--fill", "integers", "--seed", "3", "--json")
    mine = gemmviz("trace", "--kernel-file", str(twin), *words).document
    theirs = gemmviz("trace", "--kernel", "tiled", *words).document
    assert mine.pop("kernel") == "tiled.cu"
    assert theirs.pop("kernel") == "tiled"
    assert mine.pop("seconds") > 0
    assert theirs.pop("seconds") > 0
    assert mine.pop("finished") <= theirs.pop("finished")
    assert mine == theirs
    assert mine["block"] == [2, 1, 0]


def test_that_a_bad_block_is_bad_input_there_too(gemmviz: Any, kernel_file: Any) -> None:
    answer = gemmviz("trace", "--kernel-file", str(kernel_file()), "--size", "4x4x4", "--block", "7,0")
    assert (answer.code, answer.out) == (2, "")
    assert answer.complaint == "gemmviz: --block 7,0,0: the grid is 1 x 1 x 1 blocks, so x is 0 to 0"


def test_that_a_saved_recording_keeps_its_block(gemmviz: Any, kernel_file: Any, tmp_path: Path) -> None:
    path = tmp_path / "s.gemmviz"
    words = ("--size", "20x19x5", "--block", "1,1", "--out", str(path))
    made = gemmviz("trace", "--kernel-file", str(kernel_file()), *words)
    assert made.code == 0
    assert "block 1,1 in a grid of 2 x 2" in made.out
    assert "block 1,1 in a grid of 2 x 2" in gemmviz("report", str(path)).out

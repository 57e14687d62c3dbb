"""A wrong entry, template or argument in the description of a file is wrong input to every command that takes the file:
exit code 2, and one line that names it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gemmviz.cli.faults import BAD_INPUT
from gemmviz.resources import resource_folder

pytestmark = pytest.mark.usefixtures("nvrtc")

TEXT = """template <int TILE>
__global__ void rows(int M, int N, int K, const float *A, const float *B, float *C)
{
    int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
    if (row < M && col < N) {
        float sum = 0.0f;
        for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + col];
        C[row * N + col] = sum;
    }
}
"""
RIGHT = {"entry": '"rows"', "template": '["TILE"]', "args": '["M", "N", "K", "A", "B", "C"]'}
REST = """[params.TILE]
label = "Tile edge"
choices = [8, 16]
default = 8
[launch]
block = ["TILE", "TILE"]
grid = ["ceil_div(N, TILE)", "ceil_div(M, TILE)"]
"""
WRONG = {
    "entry": ('"columns"', "columns"),
    "template": ('["TILE", "float"]', "rows<8, float>"),
    "args": ('["M", "N", "A", "K", "B", "C"]', "parameter 3 of rows<8>"),
}
SIZE = ("--size", "24x24x24")
COMMANDS = {
    "run": ("run", *SIZE, "--device", "machine"),
    "trace": ("trace", *SIZE, "--device", "machine"),
    "compile": ("compile",),
    "referee": ("referee", "--time-limit", "60"),
}


@pytest.mark.parametrize("what", WRONG)
@pytest.mark.parametrize("command", COMMANDS)
def test_that_a_wrong_description_is_wrong_input(gemmviz: Any, tmp_path: Path, command: str, what: str) -> None:
    path = tmp_path / "mine.cu"
    path.write_text(TEXT)
    value, named = WRONG[what]
    keys = "".join(f"{key} = {text}\n" for key, text in {**RIGHT, what: value}.items())
    (tmp_path / "mine.cu.toml").write_text(keys + REST)
    answer = gemmviz(*COMMANDS[command], "--kernel-file", str(path))
    assert answer.code == BAD_INPUT, answer.err
    assert named in answer.complaint
    assert answer.out == ""


def test_that_adopt_takes_a_wrong_entry_for_wrong_input(gemmviz: Any, tmp_path: Path) -> None:
    path = tmp_path / "mine.cu"
    path.write_text(TEXT)
    answer = gemmviz("adopt", str(path), "--entry", "columns")
    assert (answer.code, answer.out) == (BAD_INPUT, "")
    assert answer.complaint.endswith("there is no kernel 'columns' in it; it has rows")


def test_that_a_sweep_takes_a_wrong_entry_for_wrong_input(gemmviz: Any, tmp_path: Path) -> None:
    path = tmp_path / "mine.cu"
    text = (resource_folder("kernels") / "cuda" / "tiled.cu").read_text(encoding="utf-8")
    path.write_text(text.replace('"sgemm_tiled"', '"columns"'), encoding="utf-8")
    answer = gemmviz("run", *SIZE, "--kernel-file", str(path), "--param", "TILE=8,16")
    assert answer.code == BAD_INPUT, answer.err
    assert "the entry 'columns' is not in the file" in answer.err

"""What the command-line tests share: running the program in-process, and small kernel files with one fault each."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from gemmviz.cli.app import run_app

SOUND = """/*---
title = "Mine"
entry = "mine"
[launch]
block = ["16", "16"]
grid = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
---*/
extern "C" __global__ void mine(const float *A, const float *B, float *C, int M, int N, int K)
{
    int col = blockIdx.x * 16 + threadIdx.x;
    int row = blockIdx.y * 16 + threadIdx.y;
    if (row >= M || col >= N) return;
    float acc = 0.0f;
    for (int k = 0; k < K; ++k) acc += A[row * K + k] * B[k * N + col];
    C[row * N + col] = acc;
}
"""


@dataclass(frozen=True)
class Answer:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> dict[str, Any]:
        loaded: dict[str, Any] = json.loads(self.out)
        return loaded

    @property
    def complaint(self) -> str:
        """The one line on standard error."""
        lines = self.err.strip().splitlines()
        assert len(lines) == 1, self.err
        return lines[0]


Gemmviz = Callable[..., Answer]


@pytest.fixture
def gemmviz(capfd: pytest.CaptureFixture[str]) -> Gemmviz:
    def call(*words: str) -> Answer:
        code = run_app(list(words))
        captured = capfd.readouterr()
        return Answer(code, captured.out, captured.err)

    return call


@pytest.fixture
def kernel_file(tmp_path: Path) -> Callable[[str, str], Path]:
    """A sound kernel with one piece of text replaced by another."""

    def write(old: str = "", new: str = "") -> Path:
        assert old in SOUND
        path = tmp_path / "mine.cu"
        path.write_text(SOUND.replace(old, new, 1) if old else SOUND, encoding="utf-8")
        return path

    return write

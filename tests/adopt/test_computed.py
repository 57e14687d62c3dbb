"""A CuPy kernel whose source its Python file computes is looked at where the file may be run, and else is not run."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.adopt.finding import AdoptionStep
from gemmviz.adopt.look import look_at
from gemmviz.adopt.words import summary_of

pytestmark = pytest.mark.usefixtures("nvrtc")

TEXT = '''
import cupy as cp

def steps(count):
    return "\\n".join(f"        sum += A[row * K + t + {k}] * B[(t + {k}) * N + col];" for k in range(count))

SOURCE = r"""
extern "C" __global__ void unrolled(const float *A, const float *B, float *C, int M, int N, int K)
{
    int row = blockIdx.y * 8 + threadIdx.y, col = blockIdx.x * 8 + threadIdx.x;
    if (row >= M || col >= N) return;
    float sum = 0.0f;
    for (int t = 0; t < K; t += 4) {
STEPS
    }
    C[row * N + col] = sum;
}
""".replace("STEPS", steps(4))

unrolled = cp.RawKernel(SOURCE, "unrolled")
'''


def quiet(step: AdoptionStep) -> None:
    del step


def test_that_a_computed_source_is_looked_at_where_the_file_may_be_run(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(TEXT)
    (found,) = look_at(path, TEXT, "", 60.0, quiet, may_run_python=True).found
    assert found.description is not None, found.reasons
    assert summary_of(found.description) == "C = A·B, needs K in multiples of 4"
    assert found.line == TEXT.split("\n").index(next(one for one in TEXT.split("\n") if "__global__" in one)) + 1
    assert not any("not searched" in one for one in found.left_out)


def test_that_a_file_is_not_run_without_leave(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    text = TEXT.replace("import cupy as cp", f"import cupy as cp\nopen({str(tmp_path / 'ran')!r}, 'w')")
    path.write_text(text)
    fault = look_at(path, text, "", 60.0, quiet).fault
    assert fault.startswith(f"{path}: the source of unrolled is known only when the file runs")
    assert fault.endswith("allow that with --run-python")
    assert not (tmp_path / "ran").exists()


def test_that_a_fault_of_the_python_file_is_told_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    text = TEXT.replace("steps(4)", "steps(missing)")
    path.write_text(text)
    fault = look_at(path, text, "", 60.0, quiet, may_run_python=True).fault
    line = text.split("\n").index('""".replace("STEPS", steps(missing))') + 1
    assert fault.startswith(f"{path}:{line}: ")
    assert "missing" in fault

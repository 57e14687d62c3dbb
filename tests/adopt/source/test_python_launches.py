"""Launches of CuPy's kernels are read as those of host code; what is not certain is left out."""

from __future__ import annotations

import pytest

from gemmviz.adopt.source.host_calls.python_launches import with_python_launches

HEAD = "import math\nimport cupy as cp\nmm = cp.RawKernel(SOURCE, 'mm')\n"


def launch(text: str) -> str:
    """What is written on the last line of a file that begins with HEAD; "" for nothing."""
    python = f"{HEAD}{text}"
    written = with_python_launches("\n" * 3, python).split("\n")
    count = python.count("\n") + 1
    return written[count - 1] if len(written) == count else ""


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            "mm((4, 2), (16, 16), (a, b, c, 64))",
            "dim3 block(16, 16); dim3 grid(4, 2); mm<<<grid, block>>>(a, b, c, 64);",
        ),
        (
            "TILE = 8\ndef f(a, M, N):\n    mm((-(-N // TILE), math.ceil(M / TILE)), (TILE, TILE), (a, cp.int32(M)))",
            "dim3 block(8, 8); dim3 grid(((N + 8 - 1) / 8), ((M + 8 - 1) / 8)); mm<<<grid, block>>>(a, M);",
        ),
        (
            "def f(a, b):\n    M, K = a.shape\n    grid = ((b.shape[1] + 31) // 32, M)\n"
            "    mm(grid, (32,), args=(a, b, K), shared_mem=4 * K)",
            "dim3 block(32); dim3 grid(((b_shape_1 + 31) / 32), M); mm<<<grid, block, (4 * K)>>>(a, b, K);",
        ),
        ("for _ in range(10):\n    mm((1,), (8,), (a,))", "dim3 block(8); dim3 grid(1); mm<<<grid, block>>>(a);"),
    ],
)
def test_that_a_launch_is_written_on_its_line(text: str, says: str) -> None:
    line = HEAD.count("\n") + text.count("\n") + 1
    assert launch(text) == f"void launch_of_line_{line}() {{ {says} }}"


@pytest.mark.parametrize(
    "text",
    [
        "M = 64\nif big:\n    M = 128\nmm((M // 16,), (8,), (a,))",
        "M = 64\nfor M in (32, 48):\n    mm((M // 16,), (8,), (a,))",
        "M = 64\nM *= 2\nmm((M // 16,), (8,), (a,))",
    ],
)
def test_that_a_name_that_is_bound_twice_stays_a_name(text: str) -> None:
    assert "dim3 grid((M / 16));" in launch(text)


@pytest.mark.parametrize(
    "text",
    [
        "if small:\n    mm((1,), (8,), (a,))",
        "mm(grid_of(M), (8,), (a,))",
        "mm((M ** 2,), (8,), (a,))",
        "mm((1,), (8,), (a, True))",
        "mm = other\nmm((1,), (8,), (a,))",
        "def bench(mm):\n    mm((1,), (8,), (a,))",
        "mm((int(2.5),), (8,), (a,))",
        "TILE = 8\nTILE = 16\ndef f():\n    g = h = (TILE, 1)\n    mm(g, (8,), (a,))",
    ],
)
def test_that_a_launch_that_is_not_certain_is_left_out(text: str) -> None:
    assert launch(text) == ""

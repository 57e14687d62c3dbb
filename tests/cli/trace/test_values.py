"""`gemmviz trace --values`: the variables of one thread at each barrier."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from own_kernel import naive_with

from gemmviz.domain.operands import make_operands
from gemmviz.domain.session.session import load_session
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Fill

pytestmark = pytest.mark.usefixtures("nvrtc")
TILED = ("trace", "--kernel", "tiled", "--size", "5x6x7", "--param", "TILE=4")


def sums(row: int, column: int) -> list[np.float32]:
    """The sum of an element of C after so many products."""
    operands = make_operands(Shape(5, 6, 7), Fill.UNIFORM, 0)
    found = [np.float32(0)]
    for left, right in zip(operands.a[row], operands.b[:, column], strict=True):
        found.append(np.float32(found[-1] + np.float32(left * right)))
    return found


def test_that_a_table_has_a_row_for_each_barrier(gemmviz: Any) -> None:
    answer = gemmviz(*TILED, "--values", "--thread", "1,2")
    assert answer.code == 0, answer.err
    head, _, told = answer.out.partition("Variables of thread (1, 2) of block 0,0, from the run")
    assert "recorded on the PTX machine" in head
    lines = [line.split() for line in told.splitlines() if line.strip()]
    constants = {line[0]: line[1] for line in lines if len(line) == 2}
    assert {name: constants[name] for name in ("A", "M", "tx", "ty", "row", "col")} == {
        "A": "&A[0][0]",
        "M": "5",
        "tx": "1",
        "ty": "2",
        "row": "2",
        "col": "1",
    }
    rows = [line for line in lines if line[0] in ("barrier,", "end")]
    wanted = [f"{sums(2, 1)[upto]:.6g}" for upto in (0, 4, 4, 7, 7)]
    assert [line[3] if line[0] != "end" else line[1] for line in rows] == wanted
    assert [line[4] for line in rows[:-1]] == ["0", "0", "4", "4"]


def test_that_a_document_has_types_values_and_lines(gemmviz: Any) -> None:
    values = gemmviz(*TILED, "--values", "--thread", "1,2", "--json").document["values"]
    assert (values["thread"], values["block"], values["note"]) == ([1, 2, 0], [0, 0, 0], "")
    assert [stop["line"] is None for stop in values["stops"]] == [False] * 4 + [True]
    (acc,) = [one for one in values["stops"][1]["variables"] if one["name"] == "acc"]
    assert acc["values"] == [pytest.approx(float(sums(2, 1)[4]), rel=0, abs=0)]
    assert (acc["type"], acc["shape"], acc["why_not"]) == ("float", [], "")
    assert "values" not in gemmviz(*TILED, "--json").document


def test_that_values_are_kept_in_a_session(gemmviz: Any, tmp_path: Path) -> None:
    saved = tmp_path / "kept.gemmviz"
    answer = gemmviz(*TILED, "--device", "machine", "--as", "written", "--out", str(saved))
    assert answer.code == 0, answer.err
    (run,) = load_session(saved).traces
    assert run.blocks[0].values.warps == 1
    assert "acc" in [one.name for one in run.blocks[0].values.variables]


def test_that_a_kernel_of_ones_own_tells_its_variables_from_its_sandbox(gemmviz: Any, tmp_path: Path) -> None:
    naive_with(tmp_path / "own.cu", "")
    answer = gemmviz("trace", "--kernel-file", str(tmp_path / "own.cu"), "--size", "9x8x4", "--values", "--json")
    assert answer.code == 0, answer.err
    (end,) = answer.document["values"]["stops"]
    assert [one["values"] for one in end["variables"] if one["name"] == "first_row"] == [[0]]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (("--thread", "1"), "--thread 1: it chooses the thread whose variables --values prints; give --values, too"),
        (("--values", "--thread", "4,0"), "--thread 4,0,0: a block is 4 x 4 x 1 threads, so x is 0 to 3"),
        (("--values", "--thread", "one"), "write X,Y,Z with whole numbers from 0"),
        (("--values", "--as", "compiled"), "variables are recorded as written only"),
        (("--values", "--device", "pocl"), "--values: the PTX machine records them, not pocl; leave out --device"),
    ],
)
def test_that_what_cannot_be_is_refused(gemmviz: Any, given: tuple[str, ...], words: str) -> None:
    answer = gemmviz(*TILED, *given)
    assert answer.code == 2
    assert words in " ".join(answer.err.split())

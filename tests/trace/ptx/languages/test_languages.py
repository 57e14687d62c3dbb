"""Kernels in PTX, Triton, Numba and CuPy on the PTX machine: the product is right, and accesses have their lines."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from stored_ptx import DATA, answer_from_data

from gemmviz.backends.machine.device import MachineDevice
from gemmviz.backends.machine.recorder_factory import machine_recorder_for
from gemmviz.catalogue.kernel import Refusal
from gemmviz.catalogue.loader import load_user_kernel
from gemmviz.domain.operands import make_operands
from gemmviz.domain.recordings.access import Space
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm, Fill
from gemmviz.trace.recorder import Recorder


def recorder_of(machine: MachineDevice, path: Path, shape: Shape, **params: int) -> Recorder:
    kernel = load_user_kernel(path)
    plan = kernel.plan(shape, kernel.params(params), machine.device)
    operands = make_operands(shape, Fill.INTEGERS, 3)
    return machine_recorder_for(machine, kernel, plan, shape, operands, 60.0, CodeForm.AS_COMPILED)


@pytest.mark.parametrize("shape", [Shape(33, 17, 20), Shape(40, 40, 7)], ids=str)
@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("tiled.ptx", {"global": (12, 13, 21), "shared": (12, 13, 16)}),
        ("triton_matmul.py", {"global": (29, 30, 33), "shared": (29, 30, 33)}),
        ("numba_tiled.py", {"global": (24, 25, 30), "shared": (12, 24, 25)}),
        ("cupy_tiled.py", {"global": (15, 17, 25), "shared": (15, 17, 20)}),
    ],
)
@pytest.mark.usefixtures("nvrtc")
def test_that_a_recording_is_right_and_told_by_the_lines_of_the_file(
    machine: MachineDevice, monkeypatch: pytest.MonkeyPatch, name: str, lines: dict[str, tuple[int, ...]], shape: Shape
) -> None:
    answer_from_data(monkeypatch)
    recorder = recorder_of(machine, DATA / name, shape)
    traces = list(recorder.blocks(np.arange(np.prod(recorder.grid), dtype=np.int32)))
    operands = make_operands(shape, Fill.INTEGERS, 3)
    wanted = operands.a.astype(np.float64) @ operands.b
    np.testing.assert_array_equal(recorder.c[0], (wanted * (1.5 if name == "tiled.ptx" else 1.0)).astype(np.float32))
    for space in (Space.GLOBAL, Space.SHARED):
        there = {site.line for trace in traces for site in trace.sites if site.space is space}
        assert tuple(sorted(there)) == lines[space.value], space


@pytest.mark.usefixtures("nvrtc")
def test_that_shared_arrays_of_numba_have_their_rows(machine: MachineDevice, monkeypatch: pytest.MonkeyPatch) -> None:
    answer_from_data(monkeypatch)
    recorder = recorder_of(machine, DATA / "numba_tiled.py", Shape(8, 8, 8))
    shared = {one.name: (one.rows, one.columns) for one in recorder.arrays if one.space is Space.SHARED}
    assert shared == {"As": (8, 8), "Bs": (8, 8)}


def test_that_arguments_that_do_not_fit_the_ptx_are_refused(machine: MachineDevice, tmp_path: Path) -> None:
    path = tmp_path / "mine.ptx"
    path.write_text((DATA / "tiled.ptx").read_text(encoding="utf-8"), encoding="utf-8")
    for args, words in (
        ('["A", "B", "M", "C", "N", "K", "alpha"]', r"parameter 3 of matmul, `void \*`, is a pointer"),
        ('["A", "B", "C", "M", "N", "K", "null"]', r"parameter 7 of matmul, `float`, is no pointer"),
        ('["A", "B", "C", "M", "N", "K"]', r"matmul takes 7 parameters"),
    ):
        path.with_name("mine.ptx.toml").write_text(f'args = {args}\n[launch]\ngrid = ["M"]\n', encoding="utf-8")
        with pytest.raises(Refusal, match=words):
            recorder_of(machine, path, Shape(8, 8, 8))

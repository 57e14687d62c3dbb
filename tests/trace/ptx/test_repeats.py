"""Blocks that repeat another one are recorded and analysed as if each had been decoded by itself."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from gemmviz.backends.machine_device import MachineDevice
from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.operands import make_operands
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm, Fill
from gemmviz.trace.analyse import Analysis, analyse
from gemmviz.trace.findings import HazardKind
from gemmviz.trace.ptx import repeats
from gemmviz.trace.ptx.machine_recorder import machine_recorder_for
from gemmviz.trace.ptx.recorder import Recorder
from gemmviz.trace.repeats import Recorded, RepeatedBlock, whole_trace

CATALOGUE = load_catalogue()
ODD = Shape(60, 84, 20)
BARRIER = "        __syncthreads();\n"
STORED = "acc += As[ty][k] * Bs[k][tx];"


def recorder_of(machine: MachineDevice, kernel: Kernel, shape: Shape) -> Recorder:
    plan = kernel.plan(shape, kernel.params({}), machine.device)
    operands = make_operands(shape, Fill.INTEGERS, 3)
    return machine_recorder_for(machine, kernel, plan, shape, operands, 60.0, CodeForm.AS_WRITTEN)


def grid_of(recorder: Recorder) -> np.ndarray:
    return np.arange(int(np.prod(recorder.grid)), dtype=np.int32)


def blocks_of(recorder: Recorder) -> list[Recorded]:
    return [block for batch in recorder.batches(grid_of(recorder)) for block in batch]


def changed(old: str, new: str) -> Kernel:
    """The tiled kernel with the first `old` of its text replaced."""
    tiled = CATALOGUE.get("tiled")
    assert old in tiled.text
    return replace(tiled, text=tiled.text.replace(old, new, 1))


def assert_alike(made: Analysis, expected: Analysis) -> None:
    np.testing.assert_array_equal(made.columns.counts, expected.columns.counts)
    np.testing.assert_array_equal(made.reuse.a, expected.reuse.a)
    np.testing.assert_array_equal(made.reuse.b, expected.reuse.b)
    assert made.reuse.bytes_asked == expected.reuse.bytes_asked
    assert (made.totals, made.hazards) == (expected.totals, expected.hazards)
    assert (made.blocks_recorded, made.blocks_searched) == (expected.blocks_recorded, expected.blocks_searched)


@pytest.mark.parametrize(
    ("name", "shape", "repeated"),
    [("tiled", ODD, 20), ("naive_1d", ODD, 15), ("row_shared", ODD, 55), ("cp_async", Shape(256, 384, 32), 4)],
)
def test_that_counts_and_findings_are_those_of_blocks_decoded_one_by_one(
    machine: MachineDevice, monkeypatch: pytest.MonkeyPatch, name: str, shape: Shape, repeated: int
) -> None:
    recorder = recorder_of(machine, CATALOGUE.get(name), shape)
    found = blocks_of(recorder)
    assert sum(isinstance(block, RepeatedBlock) for block in found) >= repeated
    made = analyse(recorder, grid_of(recorder), shape)
    monkeypatch.setattr(repeats.Repeats, "_find", lambda *_: None)
    assert_alike(made, analyse(recorder, grid_of(recorder), shape))
    for block, expected in zip(found, blocks_of(recorder), strict=True):
        whole = whole_trace(block)
        assert isinstance(expected, type(whole))
        assert whole.block == expected.block
        np.testing.assert_array_equal(whole.addresses, expected.addresses)
        np.testing.assert_array_equal(whole.slot_site, expected.slot_site)


def test_that_what_is_wrong_in_every_block_is_counted_in_every_block(
    machine: MachineDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorder = recorder_of(machine, changed(BARRIER, ""), ODD)
    made = analyse(recorder, grid_of(recorder), ODD)
    monkeypatch.setattr(repeats.Repeats, "_find", lambda *_: None)
    expected = analyse(recorder, grid_of(recorder), ODD)
    assert {hazard.kind for hazard in expected.hazards} == {HazardKind.RACE}
    assert min(hazard.count for hazard in expected.hazards) >= expected.blocks_recorded
    assert_alike(made, expected)


def test_that_copies_in_flight_are_found_in_every_block(
    machine: MachineDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel = CATALOGUE.get("cp_async")
    waits = "__pipeline_wait_prior(STAGES - 2)"
    assert waits in kernel.text
    shape = Shape(256, 384, 64)
    recorder = recorder_of(machine, replace(kernel, text=kernel.text.replace(waits, "__pipeline_wait_prior(9)")), shape)
    made = analyse(recorder, grid_of(recorder), shape)
    assert HazardKind.COPY_IN_FLIGHT in {hazard.kind for hazard in made.hazards}
    monkeypatch.setattr(repeats.Repeats, "_find", lambda *_: None)
    assert_alike(made, analyse(recorder, grid_of(recorder), shape))


def test_that_blocks_whose_data_decides_what_they_access_repeat_none(machine: MachineDevice) -> None:
    by_data = changed(STORED, f"if (As[ty][k] > Bs[k][tx]) {STORED} else acc += Bs[k][tx];")
    assert not any(isinstance(block, RepeatedBlock) for block in blocks_of(recorder_of(machine, by_data, ODD)))


def test_that_a_few_logs_are_kept_and_none_where_no_block_repeats_another(
    machine: MachineDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[repeats.Repeats] = []
    keep = repeats.Repeats._keep

    def watched(one: repeats.Repeats, new: object) -> None:
        keep(one, new)  # type: ignore[arg-type]
        made.append(one)
        assert len(one._likes) <= 2

    monkeypatch.setattr(repeats, "_MOST_LIKES", 2)
    monkeypatch.setattr(repeats, "_MOST_MISSES", 4)
    monkeypatch.setattr(repeats.Repeats, "_keep", watched)
    by_data = changed(STORED, f"if (As[ty][k] > Bs[k][tx]) {STORED} else acc += Bs[k][tx];")
    found = blocks_of(recorder_of(machine, by_data, ODD))
    assert len(found) == 24
    assert len(made) == 4
    assert made[-1]._likes == ()

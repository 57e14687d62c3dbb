"""Blocks that repeat another one are recorded and analysed as if each had been decoded by itself."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from gemmviz.backends.machine.device import MachineDevice
from gemmviz.backends.machine.recorder_factory import machine_recorder_for
from gemmviz.backends.ptx_recorder import PtxRecorder
from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.operands import make_operands
from gemmviz.domain.recordings.access import BlockTrace, Space
from gemmviz.domain.recordings.warp import LANES
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm, Fill
from gemmviz.machine.log import SLOT_WORDS, BlockRecord
from gemmviz.trace.analyse import Analysis, analyse
from gemmviz.trace.hazards.findings import HazardKind
from gemmviz.trace.ptx.decoding import repeats
from gemmviz.trace.ptx.decoding.cluster import BlockLogs
from gemmviz.trace.ptx.decoding.decode import Arrays, block_trace
from gemmviz.trace.repeats import Recorded, RepeatedBlock, whole_trace

CATALOGUE = load_catalogue()
ODD = Shape(60, 84, 20)
BARRIER = "        __syncthreads();\n"
STORED = "acc += As[ty][k] * Bs[k][tx];"


def recorder_of(machine: MachineDevice, kernel: Kernel, shape: Shape) -> PtxRecorder:
    plan = kernel.plan(shape, kernel.params({}), machine.device)
    operands = make_operands(shape, Fill.INTEGERS, 3)
    return machine_recorder_for(machine, kernel, plan, shape, operands, 60.0, CodeForm.AS_WRITTEN)


def grid_of(recorder: PtxRecorder) -> np.ndarray:
    return np.arange(int(np.prod(recorder.grid)), dtype=np.int32)


def blocks_of(recorder: PtxRecorder) -> list[Recorded]:
    return [block for batch in recorder.batches(grid_of(recorder)) for block in batch]


def changed(old: str, new: str) -> Kernel:
    """The tiled kernel with the first `old` of its text replaced."""
    tiled = CATALOGUE.get("tiled")
    assert old in tiled.text
    return replace(tiled, text=tiled.text.replace(old, new, 1))


def decode_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no block repeat another."""

    def decoded(one: repeats.Repeats, block: tuple[int, int, int], record: BlockRecord, arrays: Arrays) -> BlockTrace:
        return block_trace(one._expander, BlockLogs(record.logs), arrays, block, one._threads)

    monkeypatch.setattr(repeats.Repeats, "trace_of_record", decoded)


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
    decode_one_by_one(monkeypatch)
    assert_alike(made, analyse(recorder, grid_of(recorder), shape))
    for block, expected in zip(found, blocks_of(recorder), strict=True):
        whole = whole_trace(block)
        assert isinstance(expected, type(whole))
        assert whole.block == expected.block
        np.testing.assert_array_equal(whole.addresses, expected.addresses)
        np.testing.assert_array_equal(whole.slot_site, expected.slot_site)


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        (BARRIER, "", HazardKind.RACE),
        ("A[row * K + k0 + tx]", "A[row * K + k0 + tx - 64 * M * K]", HazardKind.OUT_OF_BOUNDS),
        ("float acc = 0.0f;", "float acc = row < M && col < N ? C[row * N + col] : 0;", HazardKind.UNWRITTEN_READ),
        ("C[row * N + col] =", "C[row * N + col / 2 * 2] =", HazardKind.RACE),
    ],
)
def test_that_what_is_wrong_in_every_block_is_counted_in_every_block(
    machine: MachineDevice, monkeypatch: pytest.MonkeyPatch, old: str, new: str, kind: HazardKind
) -> None:
    recorder = recorder_of(machine, changed(old, new), ODD)
    made = analyse(recorder, grid_of(recorder), ODD)
    decode_one_by_one(monkeypatch)
    expected = analyse(recorder, grid_of(recorder), ODD)
    found = [hazard for hazard in expected.hazards if hazard.kind is kind]
    assert found
    assert min(hazard.count for hazard in found) >= expected.blocks_recorded
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
    decode_one_by_one(monkeypatch)
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


@pytest.mark.parametrize(
    "kernel",
    [
        pytest.param(CATALOGUE.get("tiled"), id="tiled"),
        pytest.param(CATALOGUE.get("cp_async"), id="cp_async"),
        pytest.param(
            changed(STORED, f"if (As[ty][k] > Bs[k][tx]) {STORED} else acc += Bs[k][tx];"), id="accesses by data"
        ),
        pytest.param(changed(STORED, f"if (ty % 2) {STORED}"), id="whole warps without"),
        pytest.param(changed(STORED, f"if ((blockIdx.x + ty) % 2) {STORED}"), id="other warps without"),
    ],
)
@pytest.mark.parametrize("form", list(CodeForm))
def test_that_a_record_says_whether_it_is_like_the_last_of_its_room(
    machine: MachineDevice, monkeypatch: pytest.MonkeyPatch, kernel: Kernel, form: CodeForm
) -> None:
    """Like it are slots in the same places, with the same lanes, and with the same numbers unless they vary."""
    made: list[tuple[bool, bool]] = []
    before: dict[int, list[np.ndarray]] = {}
    real = repeats.Repeats.trace_of_record

    def watched(one: repeats.Repeats, block: tuple[int, int, int], record: BlockRecord, arrays: Arrays) -> Recorded:
        slots = [log.copy().reshape(-1, SLOT_WORDS) for log in record.logs]
        for rows in slots:
            number, mask = rows[:, 0] & np.uint64(0xFFFFFFFF), rows[:, 0] >> np.uint64(32)
            away = (mask[:, None] >> np.arange(LANES, dtype=np.uint64)) & np.uint64(1) == 0
            rows[:, 1:][away | np.isin(number, varying)[:, None]] = 0
        last = before.get(record.room)
        if last is not None:
            same = len(last) == len(slots) and all(map(np.array_equal, last, slots))
            made.append((record.is_like_last, same))
        before[record.room] = slots
        return real(one, block, record, arrays)

    monkeypatch.setattr(repeats.Repeats, "trace_of_record", watched)
    monkeypatch.setattr("os.sched_getaffinity", lambda _process: range(1), raising=False)
    shape = Shape(256, 640, 64) if kernel.id == "cp_async" else Shape(68, 100, 40)
    plan = kernel.plan(shape, kernel.params({}), machine.device)
    operands = make_operands(shape, Fill.UNIFORM, 3)
    recorder = machine_recorder_for(machine, kernel, plan, shape, operands, 60.0, form)
    varying = [
        probe.first
        for probe, parts in zip(recorder._probed.probes, recorder.sites.of_part, strict=True)
        if all(part >= 0 and recorder.instrumented.sites[part].space is Space.GLOBAL for part in parts)
    ]
    analyse(recorder, grid_of(recorder), shape)
    assert len(made) == recorder.grid[0] * recorder.grid[1] - 2  # one room for the first block, and one for the others
    told = [is_like for is_like, _ in made]
    for is_like, same in made:
        assert same or not is_like
    assert sum(told) >= sum(same for _, same in made) - 3  # while a log grows its slots move

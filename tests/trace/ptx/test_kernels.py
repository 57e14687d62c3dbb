"""Kernels recorded on the PTX machine in their usual form: the result is right, no false alarm, known counters and
snapshots.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from own_recordings import recorder_of, whole_grid

from gemmviz.backends.machine import recorder as machine_recorder
from gemmviz.backends.machine.device import MachineDevice
from gemmviz.backends.ptx_recorder import PtxRecorder
from gemmviz.backends.recording import recorder_for
from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.loader import load_catalogue, load_user_kernel
from gemmviz.domain.operands import make_operands
from gemmviz.domain.recordings.access import OTHER, PADDING, UNWRITTEN, AccessKind, Space
from gemmviz.domain.recordings.hazard import HazardKind
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Fill
from gemmviz.trace import tags
from gemmviz.trace.analyse import Analysis, analyse
from gemmviz.trace.refusal import RecordingRefusal
from gemmviz.trace.tags import TagRefusal

DATA = Path(__file__).parents[2] / "data"
CATALOGUE = load_catalogue()
OWN = sorted(path.stem for path in (DATA / "kernels").glob("*.cu"))
RACES_WHERE_K_IS_ODD = {"uniform_if"}
"""Thread 0 stores s[0], thread 5 stores it again before the next barrier."""
STORES_ONCE = (
    "naive",
    "naive_uncoalesced",
    "naive_1d",
    "row_per_block",
    "row_shared",
    "tiled",
    "tiled_transposed",
    "tiled_padded",
    "tiled_wide",
    "register_1d",
    "register_2d",
    "vectorized",
    "cl_naive",
    "cl_row_private",
    "cl_row_private_grouped",
)
ODD = Shape(33, 37, 29)
PADDING_ROW = [PADDING, PADDING]


def summed(c: np.ndarray) -> np.ndarray:
    """Partial sums added in the order of the host."""
    total = c[0].copy()
    for part in c[1:]:
        total += part
    return total


def analysed(machine: MachineDevice, name: str, shape: Shape, **params: int) -> Analysis:
    recorder = recorder_of(machine, CATALOGUE.get(name), shape, **params)
    return analyse(recorder, whole_grid(recorder), shape)


def check(machine: MachineDevice, kernel: Kernel, shape: Shape) -> Analysis:
    """Record all blocks; the product is exact, and nothing is found fault with."""
    operands = make_operands(shape, Fill.INTEGERS, 7)
    recorder = recorder_of(machine, kernel, shape, operands)
    analysis = analyse(recorder, whole_grid(recorder), shape)
    assert analysis.hazards == ()
    assert analysis.blocks_recorded == whole_grid(recorder).size
    assert np.array_equal(summed(recorder.c), operands.a.astype(np.float64) @ operands.b)
    return analysis


PORTABLE = [kernel.id for kernel in CATALOGUE.kernels if kernel.has_accesses and not kernel.needs_cuda]


@pytest.mark.parametrize("name", PORTABLE)
def test_that_a_kernel_of_the_catalogue_is_recorded_as_it_runs(machine: MachineDevice, name: str) -> None:
    shape = Shape(1, 1, 1073) if name.startswith("dot") else ODD
    kernel = CATALOGUE.get(name)
    analysis = check(machine, kernel, shape)
    assert analysis.reuse.a.min() >= 1
    assert analysis.reuse.b.min() >= 1
    if name in ("naive", "naive_uncoalesced", "naive_1d", "cl_naive"):
        assert (analysis.reuse.a == shape.n).all()
        assert (analysis.reuse.b == shape.m).all()


@pytest.mark.parametrize("name", STORES_ONCE)
def test_that_each_element_of_c_is_stored_once_and_every_address_lies_in_its_array(
    machine: MachineDevice, name: str
) -> None:
    kernel = CATALOGUE.get(name)
    recorder = recorder_of(machine, kernel, ODD)
    written = np.zeros(ODD.m * ODD.n, np.int64)
    for trace in recorder.blocks(whole_grid(recorder)):
        arrays = {array.name: array for array in trace.arrays}
        for site in trace.sites:
            found = trace.addresses[:, trace.slot_site == site.index]
            inside = found[found >= 0] - arrays[site.array].base
            assert ((inside >= 0) & (inside + site.width_bytes <= arrays[site.array].nbytes)).all(), site
            if site.space is Space.GLOBAL and site.kind is AccessKind.STORE:
                for word in range(site.width_bytes // 4):
                    np.add.at(written, inside // 4 + word, 1)
    assert (written == 1).all()


@pytest.mark.parametrize("name", OWN)
def test_that_kernels_of_other_styles_are_recorded_as_they_run(machine: MachineDevice, name: str) -> None:
    kernel = load_user_kernel(DATA / "kernels" / f"{name}.cu")
    check(machine, kernel, Shape(17, 20, 30 if name in RACES_WHERE_K_IS_ODD else 31))


def test_that_a_race_that_one_size_has_is_found_at_that_size(machine: MachineDevice) -> None:
    kernel, shape = load_user_kernel(DATA / "kernels" / "uniform_if.cu"), Shape(2, 2, 7)
    recorder = recorder_of(machine, kernel, shape)
    (hazard,) = analyse(recorder, whole_grid(recorder), shape).hazards
    assert (hazard.kind, hazard.text, hazard.threads) == (HazardKind.RACE, "s[0]", (0, 5))
    assert "if (t == 5) s[0] =" in kernel.text.splitlines()[hazard.line - 1]


def test_that_the_counters_of_an_h200_are_met_at_128_128_64(machine: MachineDevice) -> None:
    totals = analysed(machine, "tiled", Shape(128, 128, 64), TILE=16).totals
    assert (totals.global_load_requests, totals.global_load_sectors) == (4096, 16384)
    assert (totals.global_store_requests, totals.global_store_sectors) == (512, 2048)
    assert (totals.shared_store_requests, totals.shared_store_wavefronts) == (4096, 4096)
    transposed = analysed(machine, "tiled_transposed", Shape(128, 128, 64), TILE=16).totals
    assert transposed.shared_store_wavefronts == 18432


def test_that_the_counters_of_an_h200_are_met_at_odd_sizes(machine: MachineDevice) -> None:
    """The loads of A are the same for every block of a row of blocks, those of B for every block of a column."""
    kernel, shape = CATALOGUE.get("tiled"), Shape(1037, 1031, 1055)
    recorder = recorder_of(machine, kernel, shape, TILE=16)
    requests = sectors = 0
    for array, blocks in (("A", 65 * np.arange(65)), ("B", np.arange(65))):
        analysis = analyse(recorder, blocks.astype(np.int32), shape)
        loads = [site.index for site in recorder.instrumented.sites if site.array == array]
        requests += 65 * int(analysis.columns.requests[loads].sum())
        sectors += 65 * int(analysis.columns.sectors[loads].sum())
        assert analysis.hazards == ()
        assert analysis.blocks_recorded == 65
    assert (requests, sectors) == (4457310, 25517440)


def test_that_batches_do_not_change_what_is_recorded(machine: MachineDevice, monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = CATALOGUE.get("tiled")
    recorder = recorder_of(machine, kernel, ODD)
    assert isinstance(recorder, PtxRecorder)
    grid = whole_grid(recorder)
    at_once = [trace.addresses.copy() for trace in recorder.blocks(grid)]
    monkeypatch.setattr(machine_recorder, "_MOST_BLOCKS", 1)
    one_by_one = list(recorder.batches(grid))
    assert [len(batch) for batch in one_by_one] == [1] * grid.size
    for index, trace in enumerate(recorder.blocks(grid)):
        assert (trace.addresses == at_once[index]).all()
        assert trace.block == (index % 3, index // 3, 0)


def test_that_python_is_not_recorded(machine: MachineDevice) -> None:
    kernel = CATALOGUE.get("cpu_ijk")
    plan = kernel.plan(ODD, kernel.params({}), machine.device)
    with pytest.raises(RecordingRefusal, match="cpu_ijk has no accesses to record: choose a kernel in CUDA C"):
        recorder_for(machine, kernel, plan, ODD, make_operands(ODD, Fill.UNIFORM, 0), 60.0)


def test_that_the_slots_of_two_tiles_are_known_at_every_barrier(machine: MachineDevice) -> None:
    kernel, shape = CATALOGUE.get("tiled"), Shape(3, 3, 3)
    found = recorder_of(machine, kernel, shape, TILE=2).snapshots(3)
    tile_a = [[[6, 7], PADDING_ROW], [[8, PADDING], PADDING_ROW]]
    tile_b = [[[2, PADDING], [5, PADDING]], [[8, PADDING], PADDING_ROW]]
    assert [(s.array, s.epoch) for s in found] == [(name, epoch) for name in ("As", "Bs") for epoch in range(5)]
    for snapshot in found:
        expected = (tile_a if snapshot.array == "As" else tile_b)[snapshot.epoch >= 2]
        assert snapshot.origin.tolist() == expected
        assert (snapshot.matrix[snapshot.origin >= 0] == (snapshot.array == "Bs")).all()


def test_that_dynamic_shared_memory_is_known_too(machine: MachineDevice) -> None:
    found = recorder_of(machine, CATALOGUE.get("row_shared"), Shape(3, 3, 5)).snapshots(1)
    assert [snapshot.epoch for snapshot in found] == [0, 1, 2]
    for snapshot in found:
        assert snapshot.origin.tolist() == [[5, 6, 7, 8, 9, UNWRITTEN, UNWRITTEN, UNWRITTEN]]
        assert (snapshot.matrix[0, :5] == 0).all()


@pytest.mark.parametrize("k", [5, 1073])
def test_that_a_computed_value_is_no_copy_and_no_padding(machine: MachineDevice, k: int) -> None:
    first = recorder_of(machine, CATALOGUE.get("dot"), Shape(1, 1, k), THREADS=4).snapshots(0)[0]
    assert first.origin.tolist() == [[OTHER] * 4]


def test_that_a_zero_among_computed_values_may_be_computed(machine: MachineDevice) -> None:
    """Most threads have no product to add, and tagged products are next to nothing: all sums are zero in the end."""
    for snapshot in recorder_of(machine, CATALOGUE.get("dot"), Shape(1, 1, 6), THREADS=16).snapshots(0):
        assert snapshot.origin.tolist() == [[OTHER] * 16]


def test_that_a_slot_never_stored_is_known(machine: MachineDevice) -> None:
    kernel = load_user_kernel(DATA / "faulty" / "unwritten_slot.cu")
    for snapshot in recorder_of(machine, kernel, Shape(8, 8, 8)).snapshots(0):
        if snapshot.array == "As":
            assert (snapshot.origin[:, 0] == UNWRITTEN).all()
            assert snapshot.origin[:, 1:].tolist() == [[8 * row + k for k in range(1, 8)] for row in range(8)]


def test_that_there_are_no_snapshots_without_shared_memory(machine: MachineDevice) -> None:
    assert recorder_of(machine, CATALOGUE.get("naive"), Shape(3, 3, 3)).snapshots(0) == ()


def test_that_snapshots_are_refused_where_tags_run_out(machine: MachineDevice, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tags, "MOST_ELEMENTS", 8)
    with pytest.raises(TagRefusal, match="A of 3x3x3 has 9 elements, and at most 8"):
        recorder_of(machine, CATALOGUE.get("tiled"), Shape(3, 3, 3), TILE=2).snapshots(0)


def test_that_snapshots_leave_the_recording_as_it_was(machine: MachineDevice) -> None:
    kernel, shape = CATALOGUE.get("tiled"), Shape(5, 6, 7)
    recorder, grid = recorder_of(machine, kernel, shape, TILE=2), np.arange(12, dtype=np.int32)
    before = [trace.addresses.copy() for trace in recorder.blocks(grid)]
    c = recorder.c.copy()
    recorder.snapshots(1)
    again = [trace.addresses.copy() for trace in recorder.blocks(grid)]
    assert all((x == y).all() for x, y in zip(before, again, strict=True))
    assert recorder.c.tobytes() == c.tobytes()

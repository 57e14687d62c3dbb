"""Portable kernels recorded as written on a real GPU: what the PTX machine records, the same faults, and no harm done.

All numbers are whole and small, so that every sum is exact.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from gemmviz.backends.base import OpenDevice
from gemmviz.backends.cuda import recorder as cuda_recorder
from gemmviz.backends.cuda.device import CudaDevice
from gemmviz.backends.machine.device import MachineDevice
from gemmviz.backends.ptx_recorder import PtxRecorder
from gemmviz.backends.recording import recorder_for
from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.loader import load_catalogue, load_user_kernel
from gemmviz.cli.faults import HAZARDS
from gemmviz.domain.device import Device
from gemmviz.domain.operands import make_operands
from gemmviz.domain.recordings.access import BARRIER_SITE, BlockTrace
from gemmviz.domain.recordings.hazard import HazardKind
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm, Fill, Language
from gemmviz.trace.analyse import analyse
from gemmviz.trace.recorder import Recorder

DATA = Path(__file__).parents[1] / "data"
CATALOGUE = load_catalogue()
PORTABLE = [kernel for kernel in CATALOGUE.kernels if kernel.language is Language.CUDA and not kernel.needs_cuda]
OWN = sorted((DATA / "kernels").glob("*.cu"))
SHAPES = (Shape(4, 4, 4), Shape(17, 33, 5), Shape(64, 48, 40), Shape(130, 70, 33))
FOUND = {
    "barrier_never": HazardKind.RACE,
    "barrier_sometimes": HazardKind.RACE,
    "guard_one_too_far": HazardKind.OUT_OF_BOUNDS,
    "member_race": HazardKind.RACE,
    "no_first_barrier": HazardKind.RACE,
    "no_second_barrier": HazardKind.RACE,
    "other_block_reads": HazardKind.BLOCK_RACE,
    "two_blocks": HazardKind.BLOCK_RACE,
    "unwritten_slot": HazardKind.UNWRITTEN_READ,
}
"""What each faulty kernel is found guilty of that stops no GPU."""


def shape_for(kernel: Kernel, shape: Shape) -> Shape:
    return Shape(1, 1, shape.k * 27) if kernel.id.startswith("dot") else shape


def recorder_on(opened: OpenDevice, kernel: Kernel, shape: Shape) -> Recorder:
    plan, operands = kernel.plan(shape, kernel.params({}), opened.device), make_operands(shape, Fill.INTEGERS, 3)
    return recorder_for(opened, kernel, plan, shape, operands, 60.0, CodeForm.AS_WRITTEN)


def everything(recorder: Recorder) -> np.ndarray:
    return np.arange(np.prod(recorder.grid), dtype=np.int32)


def check_the_same(ours: Recorder, theirs: Recorder, accesses: Callable[[BlockTrace], object]) -> None:
    """Every block's accesses, C, and what shared memory held in the first block and the last.

    nvcc and NVRTC place an access of one line in other columns, and fold other constants.
    """
    placed = [[replace(site, column=0) for site in one.instrumented.sites] for one in (ours, theirs)]
    assert placed[0] == placed[1]
    indices = everything(theirs)
    for our, their in zip(ours.blocks(indices), theirs.blocks(indices), strict=True):
        assert (our.block, our.threads, our.ended_by) == (their.block, their.threads, their.ended_by)
        assert {array.name: array.nbytes for array in our.arrays} == {a.name: a.nbytes for a in their.arrays}
        assert accesses(our) == accesses(their), our.block
    assert ours.c.tobytes() == theirs.c.tobytes()
    for block in sorted({0, int(indices[-1])}):
        for held, wanted in zip(ours.snapshots(block), theirs.snapshots(block), strict=True):
            assert (held.epoch, held.array) == (wanted.epoch, wanted.array)
            assert np.array_equal(held.origin, wanted.origin)


def requests_of(trace: BlockTrace) -> list[object]:
    """Each request with its barrier interval, and what its lanes access as bytes of arrays."""
    steps = [trace.slot_site.tolist(), trace.slot_epoch.tolist()]
    return [*steps, *places_of(trace).tolist()]


def lanes_of(trace: BlockTrace) -> list[list[tuple[int, int, int]]]:
    """What each lane accesses in the order of its program: site, barrier interval, byte of an array.

    Which lanes of a branch share a request is for each machine to choose.
    """
    places, is_access = places_of(trace), trace.slot_site != BARRIER_SITE
    columns = trace.slot_site[is_access].tolist(), trace.slot_epoch[is_access].tolist()
    return [
        [(site, epoch, at) for site, epoch, at in zip(*columns, warp[is_access, lane].tolist(), strict=True) if at >= 0]
        for warp in places
        for lane in range(warp.shape[1])
    ]


def places_of(trace: BlockTrace) -> NDArray[np.int64]:
    """Addresses as the array's number shifted by 40 plus its byte; below 0 as they are.

    Shared memory may begin elsewhere among the banks.
    """
    bases = np.array(sorted(array.base for array in trace.arrays), np.int64)
    which = np.maximum(np.searchsorted(bases, trace.addresses, side="right") - 1, 0)
    return np.where(trace.addresses < 0, trace.addresses, (which << 40) + trace.addresses - bases[which])


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("kernel", PORTABLE, ids=lambda kernel: kernel.id)
def test_that_a_gpu_records_as_written_what_the_ptx_machine_records(
    gpu: CudaDevice, machine: MachineDevice, kernel: Kernel, shape: Shape
) -> None:
    shape = shape_for(kernel, shape)
    check_the_same(recorder_on(gpu, kernel, shape), recorder_on(machine, kernel, shape), requests_of)


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.stem)
def test_that_kernels_of_other_styles_are_recorded_alike(gpu: CudaDevice, machine: MachineDevice, path: Path) -> None:
    kernel, shape = load_user_kernel(path), Shape(17, 20, 30)
    check_the_same(recorder_on(gpu, kernel, shape), recorder_on(machine, kernel, shape), lanes_of)


@pytest.mark.parametrize("kernel", PORTABLE, ids=lambda kernel: kernel.id)
def test_that_a_recorded_run_computes_the_product(gpu: CudaDevice, kernel: Kernel) -> None:
    shape = shape_for(kernel, Shape(130, 70, 33))
    recorder = recorder_on(gpu, kernel, shape)
    assert analyse(recorder, everything(recorder), shape).hazards == ()
    operands = make_operands(shape, Fill.INTEGERS, 3)
    assert np.array_equal(recorder.c.sum(axis=0), operands.a.astype(np.float64) @ operands.b)


def test_that_the_counters_of_an_h200_are_met(gpu: CudaDevice) -> None:
    found = {}
    for name in ("tiled", "tiled_transposed"):
        recorder = recorder_on(gpu, CATALOGUE.get(name), Shape(128, 128, 64))
        found[name] = analyse(recorder, everything(recorder), Shape(128, 128, 64)).totals
    tiled = found["tiled"]
    assert (tiled.global_load_requests, tiled.global_load_sectors) == (4096, 16384)
    assert (tiled.global_store_requests, tiled.global_store_sectors) == (512, 2048)
    assert (tiled.shared_store_requests, tiled.shared_store_wavefronts) == (4096, 4096)
    assert found["tiled_transposed"].shared_store_wavefronts == 18432


def test_that_batches_do_not_change_what_is_recorded(gpu: CudaDevice, monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = recorder_on(gpu, CATALOGUE.get("tiled"), Shape(33, 37, 29))
    assert isinstance(recorder, PtxRecorder)
    indices = everything(recorder)[::-1].copy()
    at_once = [trace.addresses.copy() for trace in recorder.blocks(indices)]
    monkeypatch.setattr(cuda_recorder, "BATCH_BYTES", 1)
    one_by_one = list(recorder.batches(indices))
    assert [len(batch) for batch in one_by_one] == [1] * indices.size
    for index, trace in enumerate(recorder.blocks(indices)):
        assert np.array_equal(trace.addresses, at_once[index])
        assert trace.block == recorder.block_of(int(indices[index]))


def test_that_a_recording_gives_the_gpus_memory_back(gpu: CudaDevice) -> None:
    recorder = recorder_on(gpu, CATALOGUE.get("tiled"), Shape(64, 64, 64))
    kept = set(gpu._buffers)
    traces = [next(recorder.blocks(np.array([block], np.int32))) for block in range(8)]
    recorder.snapshots(0)
    assert gpu._buffers == kept
    assert [trace.block[0] for trace in traces] == [0, 1, 2, 3, 0, 1, 2, 3]
    assert all((trace.addresses >= 0).any() for trace in traces)


@pytest.mark.parametrize("name", FOUND)
def test_that_a_fault_is_found(gpu: CudaDevice, name: str) -> None:
    kernel, shape = load_user_kernel(DATA / "faulty" / f"{name}.cu"), Shape(17, 20, 31)
    recorder = recorder_on(gpu, kernel, shape)
    analysis = analyse(recorder, everything(recorder), shape)
    assert {hazard.kind for hazard in analysis.hazards} == {FOUND[name]}
    lines = kernel.text.splitlines()
    assert all(hazard.text in lines[hazard.line - 1] for hazard in analysis.hazards)


def gemmviz(path: Path, device: Device, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [
            sys.executable,
            "-m",
            "gemmviz",
            "trace",
            "--kernel-file",
            str(path),
            "--size",
            "17x20x31",
            "--all-blocks",
            "--device",
            device.id,
            "--time-limit",
            "2",
            "--json",
            *words,
        ],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def test_that_threads_which_leave_before_a_barrier_are_told(device: Device) -> None:
    done = gemmviz(DATA / "faulty" / "divergent_barrier.cu", device)
    assert done.returncode == HAZARDS, done.stderr
    assert {hazard["kind"] for hazard in json.loads(done.stdout)["hazards"]} == {str(HazardKind.DIVERGENT_BARRIER)}


def test_that_an_endless_kernel_costs_its_process_and_the_next_recording_works(device: Device) -> None:
    done = gemmviz(DATA / "faulty" / "endless.cu", device)
    assert done.returncode == 1, done.stdout
    assert "did not end within 2 s" in " ".join(done.stderr.split())
    after = gemmviz(DATA / "faulty" / "two_blocks.cu", device)
    assert after.returncode == HAZARDS, after.stderr
    assert {hazard["kind"] for hazard in json.loads(after.stdout)["hazards"]} == {str(HazardKind.BLOCK_RACE)}


@pytest.mark.parametrize("name", ["far_write", "misaligned"])
def test_that_a_kernel_that_stops_the_gpu_is_sent_to_the_ptx_machine(device: Device, name: str) -> None:
    done = gemmviz(DATA / "faulty" / f"{name}.cu", device)
    assert done.returncode == 1, done.stdout
    assert "--device machine" in " ".join(done.stderr.split())
    with_lines = gemmviz(DATA / "faulty" / f"{name}.cu", device, "--device", "machine")
    assert with_lines.returncode == HAZARDS, with_lines.stderr

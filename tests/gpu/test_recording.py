"""Portable kernels recorded on a real GPU: the same addresses as anywhere else, the same faults, and what they cost.

All numbers are whole and small, so that every sum is exact: whether the compiler makes one rounding of a product and a
sum or two, which it may do otherwise in a kernel that records itself, does not show in C.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from same_recordings import check_the_same

from gemmviz.backends.base import Source, Trial
from gemmviz.backends.cuda import CudaDevice
from gemmviz.backends.opencl import OpenClDevice
from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.loader import load_catalogue, load_user_kernel
from gemmviz.cli.faults import HAZARDS
from gemmviz.domain.device import Device
from gemmviz.domain.hazard import HazardKind
from gemmviz.domain.operands import make_operands
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Fill, Language
from gemmviz.trace import native_recording
from gemmviz.trace.analyse import analyse
from gemmviz.trace.native_recording import CudaRecording
from gemmviz.trace.opencl_recording import OpenClRecording
from gemmviz.trace.record import Recorder
from gemmviz.trace.recording_device import RecordingDevice

DATA = Path(__file__).parents[1] / "data"
CATALOGUE = load_catalogue()
PORTABLE = [kernel for kernel in CATALOGUE.kernels if kernel.language is Language.CUDA and not kernel.needs_cuda]
OWN = sorted((DATA / "kernels").glob("*.cu"))
SHAPES = (Shape(4, 4, 4), Shape(17, 33, 5), Shape(64, 48, 40), Shape(130, 70, 33))
FOUND = {
    "barrier_never": HazardKind.RACE, "barrier_sometimes": HazardKind.RACE, "far_write": HazardKind.OUT_OF_BOUNDS,
    "guard_one_too_far": HazardKind.OUT_OF_BOUNDS, "member_race": HazardKind.RACE,
    "member_too_far": HazardKind.OUT_OF_BOUNDS, "misaligned": HazardKind.MISALIGNED,
    "no_first_barrier": HazardKind.RACE, "no_second_barrier": HazardKind.RACE,
    "other_block_reads": HazardKind.BLOCK_RACE, "transposed_index": HazardKind.OUT_OF_BOUNDS,
    "two_blocks": HazardKind.BLOCK_RACE, "unwritten_slot": HazardKind.UNWRITTEN_READ,
}  # fmt: skip
"""What each faulty kernel is found guilty of; those that could stop the GPU are recorded in a process of their own."""


def shape_for(kernel: Kernel, shape: Shape) -> Shape:
    return Shape(1, 1, shape.k * 27) if kernel.id.startswith("dot") else shape


def recorder_on(on: RecordingDevice, kernel: Kernel, shape: Shape) -> Recorder:
    plan = kernel.plan(shape, kernel.params({}), on.opened.device)
    source = Source(kernel.path, kernel.text, kernel.entry, kernel.language, plan.defines, kernel.requires)
    return Recorder(on, source, plan.launch, shape, make_operands(shape, Fill.INTEGERS, 3), plan.partial_sums)


def everything(recorder: Recorder) -> np.ndarray:
    return np.arange(np.prod(recorder.grid), dtype=np.int32)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("kernel", PORTABLE, ids=lambda kernel: kernel.id)
def test_that_a_gpu_records_what_the_embedded_device_records(
    gpu: CudaDevice, embedded: OpenClDevice, kernel: Kernel, shape: Shape
) -> None:
    shape = shape_for(kernel, shape)
    ours, theirs = (recorder_on(on, kernel, shape) for on in (CudaRecording(gpu), OpenClRecording(embedded)))
    assert ours.instrumented.skipped == []
    check_the_same(ours, theirs, zeros=not kernel.id.startswith("dot"))


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.stem)
def test_that_kernels_of_other_styles_are_recorded_alike(gpu: CudaDevice, embedded: OpenClDevice, path: Path) -> None:
    kernel, shape = load_user_kernel(path), Shape(17, 20, 30)
    ours, theirs = (recorder_on(on, kernel, shape) for on in (CudaRecording(gpu), OpenClRecording(embedded)))
    assert ours.instrumented.past_barriers == ""
    check_the_same(ours, theirs, results=theirs.instrumented.keeps_barriers, zeros=False)


@pytest.mark.parametrize("kernel", PORTABLE, ids=lambda kernel: kernel.id)
def test_that_a_recorded_run_computes_what_a_plain_run_computes(gpu: CudaDevice, kernel: Kernel) -> None:
    shape = shape_for(kernel, Shape(130, 70, 33))
    recorder = recorder_on(CudaRecording(gpu), kernel, shape)
    analysis = analyse(recorder, everything(recorder), shape)
    assert analysis.hazards == ()
    plan = kernel.plan(shape, kernel.params({}), gpu.device)
    source = Source(kernel.path, kernel.text, kernel.entry, kernel.language, plan.defines)
    compiled = gpu.compile(source, plan.launch, Trial(shape, plan.launch, recorder.c.size), lambda _: None)
    operands, c = make_operands(shape, Fill.INTEGERS, 3), np.full_like(recorder.c, np.nan)
    buffers = [gpu.allocate(array.nbytes) for array in (operands.a, operands.b, c)]
    for array, buffer in zip((operands.a, operands.b, c), buffers, strict=True):
        gpu.upload(array, buffer)
    gpu.launch(compiled, plan.launch, [*buffers, shape.m, shape.n, shape.k]).wait(10.0)
    gpu.download(buffers[2], c)
    for buffer in buffers:
        buffer.release()
    assert recorder.c.tobytes() == c.tobytes()
    assert np.array_equal(c.sum(axis=0), operands.a.astype(np.float64) @ operands.b)


def test_that_the_counters_of_an_h200_are_met(gpu: CudaDevice) -> None:
    found = {}
    for name in ("tiled", "tiled_transposed"):
        recorder = recorder_on(CudaRecording(gpu), CATALOGUE.get(name), Shape(128, 128, 64))
        found[name] = analyse(recorder, everything(recorder), Shape(128, 128, 64)).totals
    tiled = found["tiled"]
    assert (tiled.global_load_requests, tiled.global_load_sectors) == (4096, 16384)
    assert (tiled.global_store_requests, tiled.global_store_sectors) == (512, 2048)
    assert (tiled.shared_store_requests, tiled.shared_store_wavefronts) == (4096, 4096)
    assert found["tiled_transposed"].shared_store_wavefronts == 18432


def test_that_batches_do_not_change_what_is_recorded(gpu: CudaDevice, monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = recorder_on(CudaRecording(gpu), CATALOGUE.get("tiled"), Shape(33, 37, 29))
    indices = everything(recorder)[::-1].copy()
    at_once = [trace.addresses.copy() for trace in recorder.blocks(indices)]
    monkeypatch.setattr(native_recording, "BATCH_BYTES", 1)
    one_by_one = list(recorder.batches(indices))
    assert [len(batch) for batch in one_by_one] == [1] * indices.size
    for index, trace in enumerate(recorder.blocks(indices)):
        assert np.array_equal(trace.addresses, at_once[index])
        assert trace.block == recorder.block_of(int(indices[index]))


def test_that_a_recording_gives_the_gpus_memory_back(gpu: CudaDevice) -> None:
    recorder = recorder_on(CudaRecording(gpu), CATALOGUE.get("tiled"), Shape(64, 64, 64))
    kept = set(gpu._buffers)
    traces = [next(recorder.blocks(np.array([block], np.int32))) for block in range(8)]
    recorder.snapshots(0)
    assert gpu._buffers == kept
    assert [trace.block[0] for trace in traces] == [0, 1, 2, 3, 0, 1, 2, 3]
    assert all((trace.addresses >= 0).any() for trace in traces)


@pytest.mark.parametrize("name", FOUND)
def test_that_a_fault_is_found_and_stops_nothing(gpu: CudaDevice, name: str) -> None:
    kernel, shape = load_user_kernel(DATA / "faulty" / f"{name}.cu"), Shape(17, 20, 31)
    recorder = recorder_on(CudaRecording(gpu), kernel, shape)
    analysis = analyse(recorder, everything(recorder), shape)
    assert {hazard.kind for hazard in analysis.hazards} == {FOUND[name]}
    lines = kernel.text.splitlines()
    assert all(hazard.text in lines[hazard.line - 1] for hazard in analysis.hazards)


def gemmviz(path: Path, device: Device, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "gemmviz", "trace", "--kernel-file", str(path), "--size", "17x20x31", "--all-blocks",
         "--device", device.id, "--time-limit", "2", "--json", *words],
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip


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

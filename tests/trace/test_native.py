"""What is recorded by a kernel's own threads is what thread loops record, and is compiled by nvcc without a word."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from gpu_on_cpu import GpuOnCpu, has_compiler

from gemmviz.backends.base import OpenDevice, Source
from gemmviz.backends.opencl import OpenClDevice
from gemmviz.backends.registry import backend_of, devices_for
from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.loader import load_catalogue, load_user_kernel
from gemmviz.domain.operands import make_operands
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Fill, Language
from gemmviz.trace.opencl_recording import OpenClRecording
from gemmviz.trace.record import Recorder
from gemmviz.trace.recording_device import RecordingDevice

DATA = Path(__file__).parents[1] / "data"
CATALOGUE = load_catalogue()
PORTABLE = [k.id for k in CATALOGUE.kernels if k.language is Language.CUDA and not k.needs_cuda]
OWN = sorted(path.stem for path in (DATA / "kernels").glob("*.cu"))
SHAPES = (Shape(4, 4, 4), Shape(17, 33, 5), Shape(64, 48, 40))

Pair = tuple[Recorder, Recorder]
Make = Callable[[Kernel, Shape], Pair]


@pytest.fixture(scope="module")
def opencl() -> Iterator[OpenDevice]:
    device = next((device for device in devices_for(Language.CUDA) if device.embedded), None)
    if device is None:
        pytest.skip("no embedded device")
    if not has_compiler():
        pytest.skip("g++ is not there to compile what nvcc would")
    opened = backend_of(device).open(device)
    yield opened
    opened.release()


@pytest.fixture
def recorders(opencl: OpenDevice, tmp_path: Path) -> Make:
    """Recorders of a kernel by thread loops and by its own threads; all numbers are whole, so that sums are exact."""
    assert isinstance(opencl, OpenClDevice)

    def make(kernel: Kernel, shape: Shape) -> Pair:
        plan = kernel.plan(shape, kernel.params({}), opencl.device)
        source = Source(kernel.path, kernel.text, kernel.entry, kernel.language, plan.defines)
        operands = make_operands(shape, Fill.INTEGERS, 3)

        def on(device: RecordingDevice) -> Recorder:
            return Recorder(device, source, plan.launch, shape, operands, plan.partial_sums)

        return on(OpenClRecording(opencl)), on(GpuOnCpu(tmp_path, backwards=shape.m % 2 == 1))

    return make


def check_the_same(loops: Recorder, threads: Recorder, snapshots: bool = True) -> None:
    """Every block's events, what shared memory held in the first and the last, and C."""
    assert threads.instrumented.sites == loops.instrumented.sites
    assert threads.instrumented.barriers == loops.instrumented.barriers
    indices = np.arange(np.prod(loops.grid), dtype=np.int32)
    for ours, theirs in zip(threads.blocks(indices), loops.blocks(indices), strict=True):
        assert (ours.block, ours.threads, ours.arrays) == (theirs.block, theirs.threads, theirs.arrays)
        assert ours.ended_by == theirs.ended_by
        assert np.array_equal(ours.slot_site, theirs.slot_site)
        assert np.array_equal(ours.slot_epoch, theirs.slot_epoch)
        assert np.array_equal(ours.addresses, theirs.addresses)
    if not snapshots:
        return
    assert threads.c.tobytes() == loops.c.tobytes()
    for block in {0, int(indices[-1])}:
        for our, their in zip(threads.snapshots(block), loops.snapshots(block), strict=True):
            assert (our.epoch, our.array) == (their.epoch, their.array)
            assert np.array_equal(our.origin, their.origin), (our.array, our.epoch)
            assert np.array_equal(our.matrix[our.origin >= 0], their.matrix[our.origin >= 0])


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("name", PORTABLE)
def test_that_threads_record_what_thread_loops_record(recorders: Make, name: str, shape: Shape) -> None:
    loops, threads = recorders(CATALOGUE.get(name), Shape(1, 1, shape.k * 27) if name.startswith("dot") else shape)
    assert threads.instrumented.skipped == loops.instrumented.skipped == []
    check_the_same(loops, threads)


@pytest.mark.parametrize("name", OWN)
def test_that_kernels_of_other_styles_are_recorded_alike(recorders: Make, name: str) -> None:
    loops, threads = recorders(load_user_kernel(DATA / "kernels" / f"{name}.cu"), Shape(17, 20, 30))
    assert threads.instrumented.past_barriers == ""
    check_the_same(loops, threads, snapshots=loops.instrumented.keeps_barriers)

"""Recordings: which device, which blocks, which traces are kept, and how one is stopped."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

import pytest

from gemmviz.backends.registry import NoDeviceError
from gemmviz.catalogue.gpus import find_gpu
from gemmviz.domain.clock import timestamp
from gemmviz.domain.device import NO_GPU_FACTS, OPENCL, Device
from gemmviz.domain.memory import MemoryRefusal
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Launch
from gemmviz.domain.terms import CodeForm
from gemmviz.engine import recording
from gemmviz.engine.messages import Conditions, Job
from gemmviz.engine.recording import BlockOutsideError, device_for_recording, index_of, record, record_forms
from gemmviz.measure.bench import Watch
from gemmviz.measure.cancel import CancelledError
from gemmviz.trace.analyse import _Seen
from gemmviz.trace.refusal import RecordingRefusal
from gemmviz.trace.repeats import Recorded

MakeJob = Callable[..., Job]


def test_that_the_ptx_machine_records_where_there_is_no_gpu(job: MakeJob) -> None:
    for name in ("tiled", "cl_naive", "sgemm_best"):
        found = device_for_recording(job(name).kernel)
        assert found.is_emulated
        assert device_for_recording(job(name).kernel, found.id).id == found.id


def test_that_what_cannot_be_recorded_is_refused_before_anything_starts(job: MakeJob) -> None:
    with pytest.raises(RecordingRefusal, match="cpu_ijk: runs on the CPU as Python"):
        device_for_recording(job("cpu_ijk").kernel)
    with pytest.raises(
        NoDeviceError,
        match=r"host runs kernels but cannot record them: "
        r"leave out --device, or choose the PTX machine \(--device machine\)",
    ):
        device_for_recording(job("tiled").kernel, "host")
    with pytest.raises(NoDeviceError, match="'gone' is not a device"):
        device_for_recording(job("tiled").kernel, "gone")


def test_that_what_a_library_does_cannot_be_recorded(job: MakeJob) -> None:
    with pytest.raises(
        RecordingRefusal, match="cublas_fp32: cuBLAS does the work, and its accesses cannot be recorded"
    ):
        device_for_recording(job("cublas_fp32").kernel)


@pytest.fixture
def gpu(monkeypatch: pytest.MonkeyPatch) -> Device:
    """A GPU by CUDA beside an OpenCL device, in front of it."""
    gpu = replace(find_gpu("H200"), id="cuda:00112233")
    embedded = replace(gpu, id="embedded", backend=OPENCL, capabilities=(OPENCL,), gpu_facts=NO_GPU_FACTS)
    monkeypatch.setattr(recording, "find_device", lambda wanted: gpu if wanted == gpu.id else embedded)
    monkeypatch.setattr(recording, "devices_for", lambda _: (gpu, embedded))
    return gpu


@pytest.mark.parametrize("or_another", [False, True])
def test_that_a_gpu_by_cuda_records_where_there_is_one(job: MakeJob, gpu: Device, or_another: bool) -> None:
    assert device_for_recording(job("tiled").kernel, gpu.id, or_another=or_another) == gpu
    assert device_for_recording(job("tiled").kernel) == gpu
    assert device_for_recording(job("tiled").kernel, "embedded", or_another=True) == gpu


def test_that_a_gpu_by_cuda_is_passed_over_only_where_another_will_do(job: MakeJob, gpu: Device) -> None:
    with pytest.raises(NoDeviceError, match=r"choose the PTX machine \(--device machine\)$"):
        device_for_recording(job("cl_naive").kernel, gpu.id)
    assert device_for_recording(job("cl_naive").kernel, gpu.id, or_another=True).is_emulated


def test_that_a_kernel_for_cuda_alone_is_recorded_by_cuda(job: MakeJob, gpu: Device) -> None:
    assert device_for_recording(job("sgemm_best").kernel) == gpu
    assert device_for_recording(job("sgemm_best").kernel, gpu.id) == gpu
    assert device_for_recording(job("sgemm_best").kernel, "embedded", or_another=True) == gpu
    with pytest.raises(NoDeviceError, match="embedded runs kernels but cannot record them"):
        device_for_recording(job("sgemm_best").kernel, "embedded")


def test_that_blocks_count_x_first() -> None:
    launch = Launch((3, 4, 2), (1, 1, 1))
    assert [index_of(block, launch) for block in ((0, 0, 0), (2, 0, 0), (0, 1, 0), (2, 3, 1))] == [0, 2, 3, 23]


@pytest.mark.parametrize(
    ("block", "words"),
    [
        ((3, 0, 0), "3,0,0: the grid is 3 x 4 x 2 blocks, so x is 0 to 2"),
        ((0, 4, 0), "0,4,0: the grid is 3 x 4 x 2 blocks, so y is 0 to 3"),
        ((0, 0, -1), "0,0,-1: the grid is 3 x 4 x 2 blocks, so z is 0 to 1"),
    ],
)
def test_that_a_block_outside_is_named_with_the_grid(block: tuple[int, int, int], words: str) -> None:
    with pytest.raises(BlockOutsideError) as told:
        index_of(block, Launch((3, 4, 2), (1, 1, 1)))
    assert str(told.value) == words


def test_that_tensor_cores_are_recorded_as_compiled_alone(job: MakeJob, gpu: Device) -> None:
    kernel = job("wgmma_tf32").kernel
    assert device_for_recording(kernel, gpu.id, form=CodeForm.AS_COMPILED) == gpu
    with pytest.raises(RecordingRefusal, match="cuda:00112233 does not record it as written"):
        device_for_recording(kernel, gpu.id, form=CodeForm.AS_WRITTEN)
    assert device_for_recording(job("sgemm_best").kernel, gpu.id, form=CodeForm.AS_WRITTEN) == gpu


def test_that_chosen_blocks_are_kept_once_each_and_progress_never_falls(job: MakeJob, quick: Conditions) -> None:
    said: list[str] = []
    done: list[float] = []
    tiled = job("tiled")
    blocks = [(1, 0, 0), (0, 2, 0), (1, 0, 0)]
    run = record(tiled, quick, device_for_recording(tiled.kernel), blocks, Watch(said.append, done.append))
    assert [kept.block for kept in run.blocks] == blocks[:2]
    assert run.blocks_recorded == 2
    assert all(kept.snapshots for kept in run.blocks)
    assert (run.spec.kernel, run.spec.params, run.spec.seed) == ("tiled", tiled.params, quick.seed)
    assert done == sorted(done)
    assert done[-1] == 1.0
    assert said[0].startswith("tiled: preparing to record 33×17×9 on the PTX machine, sm_90a")
    assert 0.5 in done, "two blocks were recorded, and two are kept, which run once more"
    assert [
        words
        for words in dict.fromkeys(said)  # slow blocks are told again and again
        if words.startswith(("tiled: recording", "tiled: running")) and not words.endswith(" events so far")
    ] == [  # said only where it takes its time
        "tiled: recording 2 blocks of 33×17×9",
        "tiled: recording on the PTX machine",
        "tiled: running block 1,0,0 once more to keep its accesses, 1 of 2",
        "tiled: running block 0,2,0 once more to keep its accesses, 2 of 2",
    ]


def test_that_blocks_that_take_their_time_are_counted_while_they_run(
    job: MakeJob, quick: Conditions, monkeypatch: pytest.MonkeyPatch
) -> None:
    add = _Seen.add

    def slow(self: _Seen, place: int, block: Recorded) -> None:
        time.sleep(0.15)
        add(self, place, block)

    monkeypatch.setattr(_Seen, "add", slow)
    said: list[str] = []
    done: list[float] = []
    naive = job("naive")
    record(naive, quick, device_for_recording(naive.kernel), [], Watch(said.append, done.append))
    counting = "naive: counting and checking the accesses of block "
    counted = [words for words in dict.fromkeys(said) if words.startswith(counting)]
    blocks = int(counted[0].rpartition(" ")[2])
    assert counted[:2] == [f"{counting}{number} of {blocks}" for number in (1, 2)]
    assert len(set(done)) > 2


def test_that_a_recording_says_when_it_was_made(job: MakeJob, quick: Conditions) -> None:
    naive = job("naive")
    before = timestamp()
    run = record(naive, quick, device_for_recording(naive.kernel), [(0, 0, 0)], Watch())
    assert before <= run.finished <= timestamp()


def test_that_blocks_too_large_to_keep_together_are_refused(
    job: MakeJob, quick: Conditions, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recording, "MAX_BYTES", 50_000)
    naive = job("naive")
    with pytest.raises(RecordingRefusal, match=r"naive: the events of 3 blocks .* 1 of them fit. Choose fewer blocks"):
        record(naive, quick, device_for_recording(naive.kernel), [(0, 0, 0), (1, 0, 0), (0, 1, 0)], Watch())


def test_that_memory_is_checked_first(job: MakeJob, quick: Conditions, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording, "available_memory_bytes", lambda: 1000)
    naive = job("naive")
    with pytest.raises(MemoryRefusal, match="33×17×9 needs"):
        record(naive, quick, device_for_recording(naive.kernel), [], Watch())


@pytest.mark.parametrize("words", ["preparing", "recording", "running"])
def test_that_a_cancel_is_heard_at_every_step(job: MakeJob, quick: Conditions, words: str) -> None:
    said: list[str] = []
    naive = job("naive")
    watch = Watch(said.append, should_cancel=lambda: bool(said) and words in said[-1])
    conditions = replace(quick, shape=Shape(17, 33, 5))
    with pytest.raises(CancelledError):
        record(naive, conditions, device_for_recording(naive.kernel), [(0, 0, 0), (1, 0, 0)], watch)
    assert words in said[-1]


def test_that_a_recording_knows_what_its_kernel_takes_as_optimised_in_whichever_form_it_was_recorded(
    job: MakeJob, quick: Conditions
) -> None:
    tiled, cl_naive = job("tiled"), job("cl_naive")
    forms = (CodeForm.AS_WRITTEN, CodeForm.AS_COMPILED)
    device = device_for_recording(tiled.kernel)
    written, compiled = record_forms(tiled, quick, forms, device, [(0, 0, 0)], Watch())
    assert written.resources.are_known
    assert (written.resources, written.compiler) == (compiled.resources, compiled.compiler)
    assert written.compiler.startswith("NVRTC ")
    (opencl,) = record_forms(cl_naive, quick, (None,), device_for_recording(cl_naive.kernel), [(0, 0, 0)], Watch())
    assert not opencl.resources.are_known


def test_that_a_recording_without_traces_finds_the_same(job: MakeJob) -> None:
    conditions, device = Conditions(Shape(16, 16, 16)), device_for_recording(job("tiled").kernel)
    told: list[str] = []
    bare = record(job("tiled"), conditions, device, (), Watch(told.append), keeps_traces=False)
    whole = record(job("tiled"), conditions, device, (), Watch())
    assert (len(bare.blocks), len(whole.blocks)) == (0, 1)
    assert not any("once more" in words for words in told)
    assert (bare.hazards, bare.accesses, bare.blocks_searched) == (whole.hazards, whole.accesses, whole.blocks_searched)
    assert (bare.counts.requests == whole.counts.requests).all()

"""Kernels of warps with different trades. Asynchronous copies run on the PTX machine; the copy engine, tensor cores and
mbarriers on an interpreter. nvcc makes the PTX; without it there is nothing to run.
"""

from __future__ import annotations

import numpy as np
import pytest
from gpu_runs import GPU
from ptx_compiler import compiled_to_ptx
from ptx_device import PtxDevice
from quick_machine import QuickMachine

from gemmviz.backends.base import Source
from gemmviz.backends.cuda.nvcc import Nvcc, find_nvcc
from gemmviz.backends.cuda.recorder import cuda_recorder_for
from gemmviz.backends.ptx_recorder import PtxRecorder
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.compiler.source import CompilerMissingError
from gemmviz.domain.kernels.capability import target_of
from gemmviz.domain.operands import Operands
from gemmviz.domain.recordings.access import INACTIVE, AccessKind, AccessPath, BlockTrace, Space
from gemmviz.domain.shape import Shape
from gemmviz.trace.counts.reuse import ReuseMap
from gemmviz.trace.counts.summary import summarise
from gemmviz.trace.counts.totals import Totals, total
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.plan import FrameMode
from gemmviz.trace.hazards.hazards import find_hazards

CATALOGUE = load_catalogue()
SMALL = {"BM": 64, "BN": 64, "TM": 4, "TN": 4}


@pytest.fixture(scope="module")
def nvcc() -> Nvcc:
    try:
        return find_nvcc()
    except CompilerMissingError as error:
        pytest.skip(str(error))


class Run:
    """A kernel, recorded; of small whole numbers, so that every arithmetic is exact. `trace` is the first block's."""

    def __init__(self, nvcc: Nvcc, name: str, shape: Shape, **params: int) -> None:
        kernel = CATALOGUE.get(name)
        plan = kernel.plan(shape, kernel.params(params), GPU)
        source = Source(kernel.path, kernel.text, kernel.entry, kernel.language, plan.defines, kernel.requires)
        ptx = compiled_to_ptx(nvcc, source, target_of((9, 0), kernel.requires))
        random = np.random.default_rng(1)
        self.operands = Operands(
            random.integers(0, 5, (shape.m, shape.k)).astype(np.float32),
            random.integers(0, 5, (shape.k, shape.n)).astype(np.float32),
        )
        self.shape = shape
        device = PtxDevice(ptx) if plan.tensor_maps else QuickMachine(ptx)
        self.recorder: PtxRecorder = cuda_recorder_for(device, kernel, plan, shape, self.operands, 60.0)
        self.traces = list(self.recorder.blocks(np.arange(plan.launch.blocks, dtype=np.int32)))
        self.trace: BlockTrace = self.traces[0]
        self.totals: Totals = total(self.trace.sites, summarise(self.trace), shape)

    def reuse(self) -> ReuseMap:
        found = ReuseMap(self.shape)
        for trace in self.traces:
            found.add_block(trace)
        return found

    def epochs(self, path: AccessPath, kind: AccessKind, space: Space) -> list[int]:
        """The epochs of a kind of access, in order, each once."""
        sites = [s.index for s in self.trace.sites if (s.path, s.kind, s.space) == (path, kind, space)]
        return np.unique(self.trace.slot_epoch[np.isin(self.trace.slot_site, sites)]).tolist()


def check(run: Run) -> None:
    """C is right, each element was fetched once, and nothing is wrong with how the warps wait for each other."""
    assert np.array_equal(run.recorder.c[0], run.operands.a @ run.operands.b)
    assert run.recorder.instrumented.skipped == ()
    assert find_hazards(run.trace) == ()
    reuse = run.reuse()
    assert (reuse.a == 1).all()
    assert (reuse.b == 1).all()


@pytest.mark.parametrize(
    ("name", "k", "params"),
    [
        ("wgmma_tf32", 196, {"CLUSTER": 1, "BM": 128}),
        ("wgmma_bf16", 328, {"CLUSTER": 1, "BN": 128}),
        ("tf32x3", 68, {}),
    ],
)
def test_that_a_pipeline_is_recorded_as_it_was_meant(nvcc: Nvcc, name: str, k: int, params: dict[str, int]) -> None:
    run = Run(nvcc, name, Shape(40, 40, k), **params)
    check(run)
    element = 2 if name == "wgmma_bf16" else 4
    assert run.totals.copy_engine_bytes == element * 2 * 40 * k
    assert run.totals.tensor_core_bytes > 0
    assert run.totals.global_load_requests == run.totals.async_copy_requests == 0
    assert run.totals.global_store_requests > 0


def test_that_blocks_of_a_cluster_share_what_they_copy(nvcc: Nvcc) -> None:
    """Each of two blocks fetches half of A for both; what the other one fetched is in a block's trace as stores."""
    run = Run(nvcc, "wgmma_tf32", Shape(40, 264, 36), CLUSTER=2, BM=128)
    assert np.array_equal(run.recorder.c[0], run.operands.a @ run.operands.b)
    assert len(run.traces) == 4
    loads = run.reuse()
    written = 0
    for trace in run.traces:
        assert find_hazards(trace) == ()
        written += total(trace.sites, summarise(trace), run.shape).copy_engine_written_bytes
    # Whole boxes: every block's stage is filled at each of the two steps, also with what lies outside.
    stage = 128 * (128 + 128)
    assert written == len(run.traces) * 2 * stage
    assert (loads.a == loads.a[0, 0]).all()
    assert (loads.b == 1).all()


def test_that_stages_are_filled_ahead_of_those_that_read_them(nvcc: Nvcc) -> None:
    """Six steps through four stages: the first four are filled at once, each further one when one was read."""
    run = Run(nvcc, "wgmma_bf16", Shape(8, 8, 6 * 64), CLUSTER=1, BN=128, STAGES=4)
    filled = run.epochs(AccessPath.COPY_ENGINE, AccessKind.STORE, Space.SHARED)
    read = run.epochs(AccessPath.TENSOR_CORE, AccessKind.LOAD, Space.SHARED)
    assert len(read) == 6
    assert len(filled) == 1 + 6 - 4
    assert filled[0] < read[0]
    for step, epoch in enumerate(filled[1:]):
        assert read[step] < epoch < read[step + 4]


def test_that_every_wait_begins_a_phase_of_the_animation(nvcc: Nvcc) -> None:
    run = Run(nvcc, "wgmma_bf16", Shape(8, 8, 2 * 64), CLUSTER=1, BN=128)
    frames = Frames(run.trace, FrameMode.PHASE)
    captions = [frames.frame(i).caption.partition(": ")[2] for i in range(len(frames))]
    assert len(captions) == run.trace.slot_epoch.max() + 1 == 4
    assert captions[1].startswith("copy all of A and all of B into ")
    assert captions[1].endswith(" by the TMA")
    assert captions[2].startswith("tensor cores read ")
    assert captions[3].endswith("store all of C")


def test_that_sums_leave_in_whole_sectors(nvcc: Nvcc) -> None:
    """128-bit stores of wgmma_bf16: a warp fills all sectors that it touches."""
    run = Run(nvcc, "wgmma_bf16", Shape(64, 64, 8), CLUSTER=1, BN=128)
    assert 32 * run.totals.global_store_sectors == 4 * 64 * 64


@pytest.mark.parametrize(
    ("name", "shape", "params"),
    [("cp_async", Shape(65, 68, 17), SMALL), ("sgemm_best", Shape(70, 67, 17), {})],
)
def test_that_asynchronous_copies_bring_what_is_there_and_zeros_for_the_rest(
    nvcc: Nvcc, name: str, shape: Shape, params: dict[str, int]
) -> None:
    run = Run(nvcc, name, shape, **params)
    assert np.array_equal(run.recorder.c[0], run.operands.a @ run.operands.b)
    assert [find_hazards(trace) for trace in run.traces] == [()] * len(run.traces)
    assert run.totals.global_load_requests == 0
    assert run.totals.async_copy_requests > 0
    written = [
        site.index for site in run.trace.sites if site.path is AccessPath.ASYNC_COPY and site.space is Space.SHARED
    ]
    read = [site.index for site in run.trace.sites if site.path is AccessPath.ASYNC_COPY and site.space is Space.GLOBAL]
    lanes = [
        np.count_nonzero(run.trace.addresses[:, np.isin(run.trace.slot_site, w)] != INACTIVE) for w in (written, read)
    ]
    assert lanes[0] > lanes[1] > 0
    assert (run.reuse().a >= 1).all()
    assert (run.reuse().b >= 1).all()

"""Recordings of compiled code in the window: kept in a file, and played from the first to the last frame.

nvcc makes their PTX, and the PTX machine or an interpreter runs it; without nvcc there is nothing to play.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest
from gpu_runs import GPU
from ptx_compiler import compiled_to_ptx
from ptx_device import PtxDevice
from pytestqt.qtbot import QtBot
from quick_machine import QuickMachine

from gemmviz.backends.base import Source
from gemmviz.backends.cuda.nvcc import find_nvcc
from gemmviz.backends.cuda.recorder import cuda_recorder_for
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.compiler.source import CompilerMissingError
from gemmviz.domain.device import Device
from gemmviz.domain.kernels.capability import target_of
from gemmviz.domain.recordings.access import AccessPath
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import Session
from gemmviz.domain.session.session import load_session, save_session
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Fill
from gemmviz.engine import recording
from gemmviz.engine.messages import Conditions, Job
from gemmviz.explain.source.recorded_lines import moved_rows, totals_rows
from gemmviz.gui.control.memory_control import MemoryControl
from gemmviz.gui.layout.parts import Parts
from gemmviz.measure.bench import Watch
from gemmviz.trace.explain import lines_of
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.plan import FrameMode
from gemmviz.trace.recorder import Recorder

KERNELS: dict[str, tuple[Shape, dict[str, int], set[AccessPath]]] = {
    "cp_async": (Shape(32, 32, 16), {"BM": 64, "BN": 64, "TM": 4, "TN": 4}, {AccessPath.ASYNC_COPY}),
    "tf32x3": (Shape(32, 32, 32), {}, {AccessPath.COPY_ENGINE, AccessPath.TENSOR_CORE}),
    "wgmma_bf16": (Shape(32, 32, 64), {"CLUSTER": 1}, {AccessPath.COPY_ENGINE, AccessPath.TENSOR_CORE}),
}
_WORDS = {
    AccessPath.ASYNC_COPY: "asynchronously",
    AccessPath.COPY_ENGINE: "TMA",
    AccessPath.TENSOR_CORE: "tensor core",
}


@pytest.fixture(scope="module", params=KERNELS)
def opened(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Session:
    """The recording of one of KERNELS, as a file gives it back."""
    shape, params, _ = KERNELS[request.param]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(recording, "recorder_for", _as_compiled)
        run = _recorded(patch, request.param, shape, params)
    path = tmp_path_factory.mktemp("compiled") / "kept.gemmviz"
    save_session(Session("2026-01-01T00:00:00+00:00", "0", GPU, 0.0, traces=(run,)), path)
    found = load_session(path)
    assert [each.sites for each in found.traces] == [run.sites]
    return found


@dataclass(frozen=True)
class _Backend:
    """Opens one device."""

    device: PtxDevice | QuickMachine

    def open(self, device: Device) -> PtxDevice | QuickMachine:
        self.device.device = device
        return self.device


def _as_compiled(device: PtxDevice, *given: Any) -> Recorder:
    """The recorder that a GPU brings, in the form that nobody asks for there."""
    return cuda_recorder_for(device, *given[:5])


def _recorded(patch: pytest.MonkeyPatch, name: str, shape: Shape, params: dict[str, int]) -> TraceRun:
    kernel = load_catalogue().get(name)
    chosen = kernel.params(params)
    plan = kernel.plan(shape, chosen, GPU)
    source = Source(kernel.path, kernel.text, kernel.entry, kernel.language, plan.defines, kernel.requires)
    try:
        ptx = compiled_to_ptx(find_nvcc(), source, target_of((9, 0), source.requires))
    except CompilerMissingError as error:
        pytest.skip(str(error))
    backend = _Backend(PtxDevice(ptx) if plan.tensor_maps else QuickMachine(ptx))
    patch.setattr(recording, "backend_of", lambda _device: backend)
    return recording.record(Job(kernel, chosen), Conditions(shape, Fill.INTEGERS, 1), GPU, (), Watch())


def test_that_totals_say_they_are_of_the_code_that_nvcc_made(opened: Session) -> None:
    assert {run.form for run in opened.traces} == {"as compiled"}


@pytest.mark.parametrize("mode", FrameMode)
def test_that_every_frame_is_made_and_says_by_which_way_things_move(opened: Session, mode: FrameMode) -> None:
    for run in opened.traces:
        frames = Frames(run.blocks[0].trace(run.sites, run.arrays), mode)
        said = " ".join(frames.frame(index).caption for index in range(len(frames)))
        paths = {path for path, words in _WORDS.items() if words in said}
        assert paths == KERNELS[run.spec.kernel][2]


@pytest.mark.parametrize("mode", FrameMode)
def test_that_the_window_plays_them_to_their_ends(
    qtbot: QtBot, parts: Parts, control: MemoryControl, opened: Session, mode: FrameMode
) -> None:
    parts.memory_page.show()
    for run in opened.traces:
        control.show_session(Session(opened.created, "0", GPU, 0.0, traces=(run,)))
        parts.player_bar.mode_chosen.emit(mode)
        count = len(Frames(run.blocks[0].trace(run.sites, run.arrays), mode))
        qtbot.waitUntil(partial(_has_frames, control, count))
        for index in sorted({*range(0, count, max(count // 12, 1)), count - 1}):
            control.player.seek(index)
            qtbot.waitUntil(partial(_shows, parts, mode, index))


def _has_frames(control: MemoryControl, count: int) -> bool:
    return control.player.count == count


def _shows(parts: Parts, mode: FrameMode, index: int) -> bool:
    scene = parts.memory.picture_state()
    if scene is None or scene.picture is None:
        return False
    return (scene.picture.frame.mode, scene.picture.frame.index) == (mode, index)


def test_that_what_no_warp_asks_for_has_no_requests_beside_its_line(opened: Session) -> None:
    for run in opened.traces:
        moved = {site.line for site in run.sites if not site.path.is_requested}
        moved -= {site.line for site in run.sites if site.path.is_requested}
        for line in lines_of(run):
            if line.line in moved:
                assert (line.global_requests, line.shared_requests, line.excess_wavefronts) == (0, 0, 0)


def test_that_totals_name_every_way_and_the_ideal_knows_two_byte_elements(opened: Session) -> None:
    (run,) = opened.traces
    names = " ".join([*(row.name for row in totals_rows(run)), *(row.name for row in moved_rows(run))])
    if run.spec.kernel == "cp_async":
        assert "async copies" in names
    else:
        assert "TMA, from global" in names
        assert "tensor cores" in names
    if run.spec.kernel == "wgmma_bf16":
        assert run.bytes_ideal == 2 * (32 * 64 + 64 * 32) + 4 * 32 * 32
    elif run.spec.kernel == "tf32x3":
        assert run.bytes_ideal == 4 * 3 * 32 * 32

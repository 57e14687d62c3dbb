"""`gemmviz schedule`: on a fake GPU, from a saved session, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fake_schedule import StampingGpu
from scheduling import simulated, written

from gemmviz.cli.guarded import guard
from gemmviz.cli.guarded.guard import GuardedError
from gemmviz.cli.guarded.request import GuardedCommand, GuardedRequest
from gemmviz.cli.schedule.report import timeline
from gemmviz.domain.runs.result import Session
from gemmviz.domain.runs.schedule_words import circumstances, microseconds, nanoseconds, sentence
from gemmviz.domain.runs.waves import figures_of
from gemmviz.domain.session.session import load_session, save_session
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Launch
from gemmviz.domain.terms import Mode
from gemmviz.engine import scheduling
from gemmviz.measure import bench

ASKED = ("schedule", "--kernel", "tiled", "--size", "80x64x33")


@pytest.fixture
def stamping(monkeypatch: pytest.MonkeyPatch) -> StampingGpu:
    """The only NVIDIA GPU there is, for kernels of 20 blocks."""
    gpu = StampingGpu(monkeypatch, 20)
    device = gpu.opened.device
    monkeypatch.setattr(scheduling, "find_device", lambda _: device)
    monkeypatch.setattr(scheduling, "devices_for", lambda _: (device,))
    monkeypatch.setattr(bench, "backend_of", lambda _: BackendOf(gpu))
    return gpu


class BackendOf:
    def __init__(self, gpu: StampingGpu) -> None:
        self._gpu = gpu

    def open(self, _: object) -> object:
        return self._gpu.opened


def test_that_a_schedule_is_recorded_printed_and_saved(gemmviz: Any, stamping: StampingGpu, tmp_path: Path) -> None:
    path = tmp_path / "s.gemmviz"
    answer = gemmviz(*ASKED, "--out", str(path))
    assert answer.code == 0
    assert stamping.launches > 2
    assert answer.out.startswith("tiled TILE=16  80x64x33, block schedule\n20 blocks in ")
    (kept,) = load_session(path).schedules
    assert kept.finished
    assert kept.device == stamping.opened.device
    read = gemmviz("report", str(path))
    assert read.out.split("\n\n", 1)[1] == answer.out


def test_that_the_document_has_every_block(gemmviz: Any, stamping: StampingGpu, tmp_path: Path) -> None:
    assert stamping.blocks == 20
    path = tmp_path / "s.gemmviz"
    document = gemmviz(*ASKED, "--mode", "hot", "--json", "--out", str(path)).document
    assert document["format"] == 1
    assert (document["kernel"], document["mode"], document["units"]) == ("tiled", "hot", 132)
    assert document["launch"]["grid"] == [4, 5, 1]
    assert document["blocks"]["unit"] == [block % 8 // 2 for block in range(20)]
    assert document["blocks"]["wave"] == [block // 8 for block in range(20)]
    assert max(document["blocks"]["end_ns"]) == document["makespan_ns"] == 3072
    assert sum(document["blocks_per_unit"]) == 20
    assert gemmviz("report", str(path), "--json").document["schedules"] == [document]


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (("--kernel", "cublas_fp32"), "--kernel cublas_fp32: cuBLAS does the work"),
        (("--kernel", "cl_naive"), "--kernel cl_naive: is OpenCL C"),
        (("--kernel", "cpu_ijk"), "--kernel cpu_ijk: runs on the CPU"),
        (("--kernel", "tiled", "--device", "host"), "--device host: "),
        (("--kernel", "tiled", "--device", "nowhere"), "--device 'nowhere' is not a device"),
        (("--kernel", "tiled,naive"), "--kernel: one kernel with one set of parameters"),
        (("--kernel", "tiled", "--param", "TILE=8,16"), "--param: one kernel with one set of parameters"),
    ],
)
def test_that_what_cannot_be_watched_is_refused(gemmviz: Any, words: tuple[str, ...], fault: str) -> None:
    answer = gemmviz("schedule", *words, "--size", "64x64x64")
    assert answer.code == 2
    assert fault in answer.complaint
    assert answer.out == ""


def test_that_without_an_nvidia_gpu_it_says_what_is_missing(gemmviz: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduling, "devices_for", lambda _: ())
    monkeypatch.setattr(scheduling, "what_is_missing", lambda: ("no CUDA GPU: install a driver",))
    answer = gemmviz(*ASKED)
    assert answer.code == 2
    assert answer.complaint.endswith(
        "only an NVIDIA GPU with CUDA tells which multiprocessor runs which block, and when; "
        "no CUDA GPU: install a driver"
    )


def test_that_blocks_without_stamps_fail_the_command(gemmviz: Any, stamping: StampingGpu) -> None:
    stamping.silent = 1
    answer = gemmviz(*ASKED)
    assert answer.code == 1
    assert "tiled: 1 of 20 blocks left no stamp" in answer.err


def test_that_a_kernel_of_ones_own_is_watched_in_a_process_of_its_own(
    gemmviz: Any, stamping: StampingGpu, kernel_file: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[GuardedRequest] = []

    def start(asked: GuardedRequest) -> tuple[Session, int]:
        started.append(asked)
        return Session("", "0", simulated().device, 0.0, schedules=(simulated(),)), 0

    monkeypatch.setattr(guard, "start_guarded", start)
    path = kernel_file()
    document = gemmviz("schedule", "--kernel-file", str(path), "--size", "64x64x64", "--mode", "hot", "--json").document
    assert document["kernel"] == "mine"
    assert stamping.launches == 0
    (asked,) = started
    assert (asked.command, asked.kernel_file) == (GuardedCommand.SCHEDULE, str(path))
    assert (asked.shape, asked.mode) == (Shape(64, 64, 64), Mode.HOT)


def test_that_a_crash_of_ones_own_kernel_is_told(
    gemmviz: Any, stamping: StampingGpu, kernel_file: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(*_: object) -> tuple[Session, int]:
        raise GuardedError("the process that ran the kernel was ended by SIGSEGV", is_crash=True)

    monkeypatch.setattr(guard, "start_guarded", crash)
    answer = gemmviz("schedule", "--kernel-file", str(kernel_file()), "--size", "64x64x64")
    assert answer.code == 1
    assert "mine: the process that ran the kernel was ended by SIGSEGV" in answer.err
    assert stamping.launches == 0


def test_that_a_session_of_nothing_but_a_schedule_is_reported(gemmviz: Any, tmp_path: Path) -> None:
    one = simulated()
    save_session(Session("2025-01-02T03:04:05Z", "0", one.device, 0.0, schedules=(one,)), tmp_path / "s.gemmviz")
    out = gemmviz("report", str(tmp_path / "s.gemmviz")).out
    assert "512 blocks in 1.94 waves on 132 SMs, up to 2 at a time on each" in out
    assert "no runs" not in out


def test_that_a_sentence_says_what_happened() -> None:
    late = written([(0, 0, 40_000), (1, 0, 30_000), (0, 40_000, 80_000)], units=2, slots=1)
    assert sentence(late, figures_of(late)) == (
        "3 blocks in 1.50 waves on 2 SMs, one at a time on each; tail: in the last 50.0 µs (62.5 % of the time) "
        "1.0 SMs are idle on average, and 31.3 % of the capacity is wasted."
    )
    stay = written([(0, 0, 9), (1, 0, 9)], units=3)
    assert sentence(stay, figures_of(stay)) == (
        "2 blocks, all at once, on 2 of 3 SMs, one on each; no SM waits for others at the end; 1 SM never gets a "
        "block and wastes 33.3 % of the GPU."
    )
    short = written([(0, 0, 8), (1, 0, 6)], units=4, slots=1)
    assert sentence(short, figures_of(short)).endswith(
        "12.5 % of the capacity of the SMs with work is wasted; 2 SMs never get a block and waste 50 % of the GPU."
    )
    partly = written([(0, 0, 40), (0, 0, 20), (1, 0, 30), (1, 0, 30)], units=2, slots=2)
    assert sentence(partly, figures_of(partly)).endswith(
        "of the capacity is wasted, counting free block slots on busy SMs."
    )
    alone = written([(0, 0, 9)], units=3)
    assert sentence(alone, figures_of(alone)).startswith("1 block on one of 3 SMs; ")


def test_that_circumstances_name_the_launch_the_clock_and_clusters() -> None:
    one = written([(0, 0, 32), (1, 0, 64)])
    assert circumstances(one) == (
        "measured on Test GPU, 2025-01-02",
        "launch 6 of the stamped code, with overwritten caches",
        "times are multiples of 32 ns, the step of the GPU's clock",
    )
    pairs = replace(one, launch=Launch((2, 1, 1), (32, 1, 1), cluster=(2, 1, 1)))
    assert circumstances(pairs)[-1] == "2 neighbouring blocks form a cluster and are placed together"
    assert "shorter than one step" in circumstances(written([(0, 0, 0)]))[2]


def test_that_the_timeline_shows_full_half_full_and_empty_slots() -> None:
    one = written([(0, 0, 100), (0, 0, 50), (1, 50, 100)], units=3, slots=2)
    head, first, second, third, axis = timeline(one, figures_of(one), columns=8)
    assert head == "SM slots in use: · none to █ all"
    assert first == " 0 ████▄▄▄▄"
    assert second == " 1 ····▄▄▄▄"
    assert third == " 2 ········"
    assert axis.split() == ["0", "100", "ns"]


def test_that_many_sms_share_rows() -> None:
    lines = timeline(simulated(), figures_of(simulated()))
    assert len(lines) == 24
    assert lines[1].split()[0] == "0-5"
    assert lines[-2].split()[0] == "126-131"


def test_that_times_have_few_digits() -> None:
    assert [nanoseconds(value) for value in (0, 96, 12_345, 126_000, 2_500_000)] == [
        "0 ns",
        "96 ns",
        "12.3 µs",
        "126 µs",
        "2.50 ms",
    ]
    assert [microseconds(value) for value in (0, 96, 1_234_567)] == ["0.00", "0.10", "1\N{NARROW NO-BREAK SPACE}234.57"]

"""What is found out about a kernel ends with its time limit, whatever is busy then, and says what was left out."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from some_devices import GPU

from gemmviz.adopt.confined import look_confined
from gemmviz.adopt.description import Description, FoundHazard
from gemmviz.adopt.finding import AdoptionStep, KernelFinding
from gemmviz.adopt.host_launch import HostLaunch
from gemmviz.adopt.kernel_look import DeviceProof, KernelLook, within
from gemmviz.adopt.prove.search_log import SearchLog
from gemmviz.adopt.recordings import timed_recording
from gemmviz.adopt.recordings.races import FoundRaces, hazards_of
from gemmviz.adopt.recordings.timed_recording import RecordingPace, record_in_time
from gemmviz.adopt.source.read import read_source
from gemmviz.adopt.words import verdict_words
from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.languages.row import Code
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.device import Device
from gemmviz.domain.kernels.call import Storage
from gemmviz.domain.recordings.hazard import HazardKind
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Language
from gemmviz.engine.analysis.words import COMPILING
from gemmviz.engine.confined_process import AnswerFolder
from gemmviz.engine.messages import Conditions, Job
from gemmviz.engine.recording import Block, record
from gemmviz.measure.bench import Watch
from gemmviz.measure.cancel import raise_if_cancelled

TURNED_B = Path(__file__).parents[2] / "data" / "adopt" / "turned_b.cu"
DESCRIPTION = Description("", (), (), ("A", "B", "C"), (Storage(), Storage(), Storage(), Storage()), ("16",), ("M",))
LAUNCHED = HostLaunch(
    9, (), (), DESCRIPTION.arguments, DESCRIPTION.storages, ("16",), ("4", "M"), "0", (Shape(9, 9, 9),)
)
LATE = "the time limit of 120 s ended while compiling the analysis"


class Clock:
    """A clock that stands until it is told to go on."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def quiet(step: AdoptionStep) -> None:
    del step


def test_that_a_recording_goes_on_while_its_pace_suffices_and_ends_early_where_it_does_not() -> None:
    clock = Clock()
    fast, slow = RecordingPace(16, 100.0, clock), RecordingPace(16, 100.0, clock)
    clock.now = 40.0  # compiling, which is done once
    fast.advance(1 / 16)
    slow.advance(1 / 16)
    clock.now = 49.0
    fast.advance(4 / 16)
    assert (fast.seen, slow.seen) == (4, 1)
    assert not fast.is_late()
    assert slow.is_late()


def test_that_a_recording_that_has_no_block_yet_ends_with_the_time_and_not_before() -> None:
    clock = Clock()
    pace = RecordingPace(16, 100.0, clock)
    clock.now = 99.0
    assert not pace.is_late()
    clock.now = 100.0
    assert pace.is_late()


def test_that_the_search_leaves_time_for_recordings_and_no_run_takes_more_than_is_left() -> None:
    clock = Clock()
    log = SearchLog(quiet, 120.0, clock)
    assert (log.is_over, log.run_s(10.0)) == (False, 10.0)
    clock.now = 91.0
    assert log.is_over
    clock.now = 115.0
    assert log.run_s(10.0) == 5.0


def test_that_what_is_compiled_once_for_all_kernels_takes_no_time_of_the_kernel() -> None:
    clock = Clock()
    log = SearchLog(quiet, 120.0, clock)
    clock.now = 100.0
    log.wait(is_waiting=True)
    clock.now = 180.0
    assert (log.left_s, log.now()) == (20.0, 100.0)
    log.wait(is_waiting=True)
    log.wait(is_waiting=False)
    clock.now = 190.0
    assert (log.left_s, log.now()) == (10.0, 110.0)
    log.wait(is_waiting=True)
    clock.now += 1000.0
    assert log.left_s == 0.0, "a machine that never comes to an end"


def test_that_a_recording_goes_on_while_the_analysis_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()

    def compiling(
        job: Job,
        conditions: Conditions,
        device: Device,
        blocks: Sequence[Block],
        watch: Watch,
        *,
        keeps_traces: bool,
    ) -> TraceRun:
        """Says that the analysis is compiled, for longer than there is time."""
        watch.say(f"{job.kernel.id}: {COMPILING}: function 2 of up to 51")
        clock.now += 250.0
        watch.say(f"{job.kernel.id}: recording the block")
        raise_if_cancelled(watch.should_cancel)
        return record(job, conditions, device, blocks, Watch(), keeps_traces=keeps_traces)

    monkeypatch.setattr(timed_recording, "record", compiling)
    found = record_in_time(_kernel("tiled"), Shape(32, 32, 16), SearchLog(quiet, 120.0, clock), first_block_alone=True)
    assert found.blocks == 1


def test_that_where_not_all_blocks_are_recorded_in_time_those_that_were_are_searched_and_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock, asked = Clock(), []

    def slow(
        job: Job,
        conditions: Conditions,
        device: Device,
        blocks: Sequence[Block],
        watch: Watch,
        *,
        keeps_traces: bool,
    ) -> TraceRun:
        """Records the whole grid at a pace that is far too slow, and single blocks as usual."""
        asked.append(len(blocks))
        for seen in range(0 if blocks else 81):
            watch.advance(seen / 81)
            clock.now += 8.0
            raise_if_cancelled(watch.should_cancel)
        return record(job, conditions, device, blocks, Watch(), keeps_traces=keeps_traces)

    monkeypatch.setattr(timed_recording, "record", slow)
    search = hazards_of(_kernel("tiled"), DESCRIPTION, SearchLog(quiet, 120.0, clock))
    assert asked[0] == 0, "the whole grid"
    assert 1 < asked[1] < 8, "as many as there is time for"
    assert search.unsearched == f"races were looked for in {asked[1]} of 81 blocks only"
    assert search.left_out.startswith(
        f"looked for races in {asked[1]} of 81 blocks and between these: at the pace of these, all of them would have "
        "taken longer than the time limit of 120 s"
    )


def test_that_a_start_on_a_busy_machine_does_not_end_a_recording_that_is_fast_enough_by_now() -> None:
    clock = Clock()
    pace = RecordingPace(95, 100.0, clock)
    for seen in range(1, 46):
        clock.now += 8.0 if seen <= 5 else 0.5
        pace.advance(seen / 95)
    assert clock.now == 60.0
    assert pace.per_block_s < 0.8 < (60.0 - 8.0) / 45
    assert not pace.is_late()


def test_that_a_recording_without_a_block_in_time_says_what_took_so_long(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()

    def endless(
        job: Job,
        conditions: Conditions,
        device: Device,
        blocks: Sequence[Block],
        watch: Watch,
        *,
        keeps_traces: bool,
    ) -> TraceRun:
        del job, conditions, device, blocks, keeps_traces
        while True:
            watch.say("tiled: compiling the analysis")
            clock.now += 10.0
            raise_if_cancelled(watch.should_cancel)

    monkeypatch.setattr(timed_recording, "record", endless)
    log = SearchLog(quiet, 120.0, clock)
    assert hazards_of(_kernel("tiled"), DESCRIPTION, log) == FoundRaces(
        (),
        "races were not looked for",
        "not searched for races: the time limit of 120 s ended while compiling the analysis",
        is_searched=False,
    )


def test_that_work_which_hears_of_no_limit_keeps_nothing_back() -> None:
    never = threading.Event()
    assert within(lambda: 0.0, never.wait, lambda: "what is known") == "what is known"
    never.set()


@pytest.mark.parametrize(
    ("proof", "is_proven", "left_out", "reason"),
    [
        (None, True, (f"not searched for races: {LATE}",), ""),
        (
            DeviceProof(GPU, must_run=False),
            True,
            (f"not checked on {GPU.name}: {LATE}", f"not searched for races: {LATE}"),
            "",
        ),
        (
            DeviceProof(GPU),
            False,
            (),
            f"but not proven on {GPU.name}: {LATE}; allow more time (`gemmviz adopt --time-limit`)",
        ),
    ],
)
def test_that_what_is_known_when_the_time_ends_says_what_was_left_out(
    proof: DeviceProof | None, is_proven: bool, left_out: tuple[str, ...], reason: str
) -> None:
    text = TURNED_B.read_text(encoding="utf-8")
    source, log = read_source(text, Language.CUDA), SearchLog(quiet, 120.0)
    look = KernelLook(TURNED_B, text, Code(text), source, source.kernels[0], Language.CUDA, log, proof)
    log.proven = KernelFinding("rows_of_both", 2, DESCRIPTION)
    log.tell_beside("looking for races: compiling the analysis")
    found = look.found_until_now()
    assert (found.is_proven, found.left_out) == (is_proven, left_out)
    if found.description is not None:
        assert not found.is_verified
        assert verdict_words(found.description) == "right, but races were not looked for"
    assert "".join(found.reasons).endswith(reason)


@pytest.mark.parametrize(
    ("races", "launched", "words"),
    [
        (FoundRaces(), None, "verified"),
        (
            FoundRaces(),
            LAUNCHED,
            "right, but races were not looked for as line 9 launches it",
        ),
        (
            FoundRaces((FoundHazard(HazardKind.RACE, (3, 4), "both"),)),
            None,
            "not verified: the kernel races in lines 3",
        ),
    ],
)
def test_that_races_that_were_searched_before_the_time_ended_count(
    races: FoundRaces, launched: HostLaunch | None, words: str
) -> None:
    text = TURNED_B.read_text(encoding="utf-8")
    source, log = read_source(text, Language.CUDA), SearchLog(quiet, 120.0)
    look = KernelLook(TURNED_B, text, Code(text), source, source.kernels[0], Language.CUDA, log, None)
    log.proven, look.races = (
        KernelFinding("rows_of_both", 2, replace(DESCRIPTION, launched=(launched,) if launched else ())),
        races,
    )
    log.tell_beside("trying TILE = 8")
    found = look.found_until_now()
    assert found.description is not None
    assert verdict_words(found.description).startswith(words)
    late = "the time limit of 120 s ended while trying TILE = 8"
    assert found.left_out == (f"further values of its constants were not tried: {late}",)


class CancelledByPersonError(Exception):
    """Somebody does not want to know any more."""


def test_that_a_cancel_is_heard_before_the_process_says_what_it_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(AnswerFolder, "progress", property(lambda _folder: ""))  # a quick process may have said it
    heard: list[str] = []

    def cancel(step: AdoptionStep) -> None:
        heard.append(step.words)
        raise CancelledByPersonError

    with pytest.raises(CancelledByPersonError):
        look_confined(TURNED_B, progress=cancel)
    assert heard == [""]


def test_that_a_step_says_which_of_several_kernels_it_is_about() -> None:
    step = AdoptionStep("compiling mm", 0, 0, kernel=2, kernels=3)
    assert step.text == "kernel 2 of 3: compiling mm"
    assert replace(step, guess=1, guesses=4, kernels=1).text == "compiling mm (guess 1 of 4)"


def _kernel(name: str) -> Kernel:
    return load_catalogue().get(name)


@pytest.mark.parametrize(("has_hard_limit", "left_s"), [(False, 20.0), (True, 0.0)])
def test_that_a_limit_that_a_person_gives_counts_what_is_compiled_once(has_hard_limit: bool, left_s: float) -> None:
    clock = Clock()
    log = SearchLog(quiet, 20.0, clock, has_hard_limit=has_hard_limit)
    log.wait(is_waiting=True)
    clock.now = 30.0
    assert log.left_s == left_s


def test_that_the_time_that_a_process_took_to_start_counts() -> None:
    clock = Clock()
    log = SearchLog(quiet, 20.0, clock, spent_s=8.0)
    assert log.left_s == 12.0
    clock.now = 12.0
    assert log.is_over
    assert log.left_s == 0.0
    assert log.reasons(())[0].words == "nothing was proven within 15 s of search, of a time limit of 20 s"

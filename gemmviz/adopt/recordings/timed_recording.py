"""Recordings within what is left of a time limit: of a whole grid or, where that would take longer, of fewer blocks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf

from gemmviz.adopt.description import FoundHazard
from gemmviz.adopt.prove.search_log import LOOKING_FOR_RACES, SearchLog
from gemmviz.backends.base import BackendError
from gemmviz.catalogue.gpus import emulated
from gemmviz.catalogue.header import HeaderError
from gemmviz.catalogue.kernel import Kernel, Refusal
from gemmviz.domain.memory import MemoryRefusal
from gemmviz.domain.processes.host_memory import available_memory_bytes
from gemmviz.domain.recordings.access import Space
from gemmviz.domain.recordings.hazard import Hazard, HazardKind, by_gravity
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.recordings.warp import LANES
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm, Fill
from gemmviz.engine.analysis.words import COMPILING
from gemmviz.engine.messages import Conditions, Job
from gemmviz.engine.recording import Block, record
from gemmviz.measure.bench import Watch
from gemmviz.measure.cancel import CancelledError
from gemmviz.trace.hazards.race_words import equal_in_all
from gemmviz.trace.hazards.rules.rule import Concern
from gemmviz.trace.hazards.rules.table import concern_of, faults_of
from gemmviz.trace.refusal import RecordingRefusal

_BLOCK_S = 60.0
"""For compiling a kernel that was proven, and for each of its blocks."""
_EARLY = 0.45
"""Of the time that is left: from then on the pace tells whether all blocks are recorded in time. As many as are, at
that pace, are recorded anew in the time behind it.
"""
_LEAST_BLOCK_S = 1e-6
_DEFAULTS: Mapping[str, int] = {}
_AGAIN = 0.8
"""Of the time that is left then, in which blocks are recorded: the pace may be slower again."""


class NotInTimeError(Exception):
    """Not one block was recorded in time; the message says what took so long."""


NOT_RECORDED = (BackendError, HeaderError, MemoryRefusal, NotInTimeError, RecordingRefusal, Refusal, ValueError)


def why_not(kernel: Kernel, error: Exception) -> str:
    """What a kernel that cannot be recorded ended with, without its name."""
    return str(error).removeprefix(f"{kernel.id}: ")


@dataclass(frozen=True, slots=True)
class TimedRecording:
    """A recording of `blocks` blocks of a grid of `of`."""

    run: TraceRun
    blocks: int
    of: int

    @property
    def is_whole(self) -> bool:
        return self.blocks == self.of

    def faults(self, where: str) -> tuple[FoundHazard, ...]:
        """What is wrong in it, the gravest first, with `where` behind the sentence about each."""
        return found_in(self.run, where)


@dataclass(slots=True)
class RecordingPace:
    """How fast blocks are recorded, and whether all `blocks` of them will be within `left_s` seconds."""

    blocks: int
    left_s: float
    clock: Callable[[], float]
    seen: int = 0
    """Blocks that were recorded by now."""
    _begin_s: float = 0.0
    _first_s: float = 0.0
    """When the first block had been recorded: what comes before is mostly compiling, which is done once."""
    _passed: list[tuple[float, int]] = field(default_factory=list)
    """When further blocks had been recorded, and how many there were then."""

    def __post_init__(self) -> None:
        self._begin_s = self.clock()

    def advance(self, fraction: float) -> None:
        """Hear which part of the blocks is done."""
        seen = round(fraction * self.blocks)
        if seen and not self.seen:
            self._first_s = self.clock()
        if seen > self.seen:
            self._passed.append((self.clock(), seen))
            self.seen = seen

    @property
    def per_block_s(self) -> float:
        """The seconds that a block took in the later half of the time since the first one: it tells more of what is to
        come than a start while the machine was busy.
        """
        now = self.clock()
        middle = (now + self._first_s) / 2
        since, before = next(((when, seen) for when, seen in reversed(self._passed) if when <= middle), (now, 0))
        return max(_LEAST_BLOCK_S, (now - since) / max(1, self.seen - before))

    def is_late(self) -> bool:
        """Whether the recording has to end now: the time is up, or will be before the last block."""
        now = self.clock()
        passed = now - self._begin_s
        if passed >= self.left_s:
            return True
        if not self.seen or passed < _EARLY * self.left_s:
            return False
        return self.per_block_s * (self.blocks - self.seen) > self.left_s - passed


def record_in_time(
    kernel: Kernel,
    shape: Shape,
    log: SearchLog,
    *,
    first_block_alone: bool,
    block_s: float = _BLOCK_S,
    values: Mapping[str, int] = _DEFAULTS,
    form: CodeForm | None = None,
    choose: Callable[[tuple[int, int, int]], Sequence[Block]] | None = None,
    within_s: float = inf,
) -> TimedRecording:
    """What is recorded of a kernel at a size: every block, the first one alone, or those that `choose` takes of the
    grid, as far as there is time: what the log has left, and `within_s` seconds. A block may take `block_s` seconds;
    `values` are those of its parameters that are not their defaults, `form` is how it is compiled, None as usual.

    Raises:
        NotInTimeError: there was time for no block.
        BackendError, MemoryRefusal, RecordingRefusal, Refusal: it cannot be recorded.
    """
    device = emulated("", available_memory_bytes() or 0)
    params = kernel.params(values)
    launch = kernel.plan(shape, params, device).launch
    wanted = choose(launch.grid) if choose is not None else [_place(one, launch.grid) for one in range(launch.blocks)]
    end = log.now() + within_s

    def left_s() -> float:
        return max(0.0, min(log.left_s, end - log.now()))

    def recorded(blocks: int) -> tuple[TraceRun | None, RecordingPace]:
        """A recording of so many blocks, None where it had to end, and its pace."""
        pace = RecordingPace(blocks, left_s(), log.now)

        def tell(words: str) -> None:
            words = words.removeprefix(f"{kernel.id}: ")
            log.wait(words.startswith(COMPILING))
            log.tell_beside(f"{LOOKING_FOR_RACES}{words}")

        watch = Watch(tell, pace.advance, pace.is_late)
        conditions = Conditions(shape, Fill.UNIFORM, 0, device=device.id, launch_limit_s=log.run_s(block_s), form=form)
        try:
            asked = wanted[:blocks] if blocks < launch.blocks else ()
            run = record(Job(kernel, params), conditions, device, asked, watch, keeps_traces=False)
        except CancelledError:
            return None, pace
        finally:
            log.wait(is_waiting=False)
        return run, pace

    log.tell_beside(f"{LOOKING_FOR_RACES}compiling the kernel for a recording")
    first = 1 if first_block_alone else len(wanted)
    run, pace = recorded(first)
    while run is None and pace.seen and left_s() > 0:  # at the pace that it had in the end, which may be a better one
        first = max(1, min(int(_AGAIN * left_s() / pace.per_block_s), len(wanted)))
        run, pace = recorded(first)
    if run is None:
        raise NotInTimeError(log.late_words)
    for line, words in equal_in_all(run.hazards).items():
        log.equal_writes.setdefault(line, words)
    return TimedRecording(run, first, launch.blocks)


def _place(number: int, grid: tuple[int, int, int]) -> Block:
    """The x, y and z of a block by its number, x fastest."""
    x, y, _ = grid
    return number % x, number // x % y, number // (x * y)


def found_in(run: TraceRun, where: str = "") -> tuple[FoundHazard, ...]:
    """What is wrong in a recording, the gravest first, with `where` behind the sentence about each."""
    return tuple(_found(one, run, where) for one in by_gravity(faults_of(run.hazards)))


def _found(hazard: Hazard, run: TraceRun, where: str) -> FoundHazard:
    lines = {run.sites[site].line for site in hazard.sites} or {hazard.line}
    is_of_initial_c = hazard.kind is HazardKind.UNWRITTEN_READ and concern_of(hazard) is Concern.INITIAL_C
    warps = {thread // LANES for thread in hazard.threads}
    return FoundHazard(
        hazard.kind,
        tuple(sorted(lines)),
        f"{hazard.detail}{where}",
        mend=hazard.mend,
        is_of_initial_c=is_of_initial_c,
        is_within_warp=hazard.kind is HazardKind.RACE and len(warps) == 1,
        is_in_global_memory=any(run.sites[site].space is Space.GLOBAL for site in hazard.sites),
    )

"""What a lesson plays: its recordings and the example sessions, read from files. No Qt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from gemmviz import __version__
from gemmviz.catalogue.examples import load_examples
from gemmviz.catalogue.lesson_scenes import Banks, LessonChart, Loops, Pictures, Repair, Scene, Schedule, Sectors, Warps
from gemmviz.catalogue.lessons import Lesson, LessonError
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.figures import time_unit
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import RunResult, Session
from gemmviz.domain.runs.warp_timeline import WarpTimeline
from gemmviz.domain.session.session import load_session
from gemmviz.trace.host_loops import LoopWalk, load_walks
from gemmviz.trace.loop_lines import LoopLines, loop_lines


@dataclass(frozen=True, slots=True, eq=False)
class LessonData:
    """A lesson with everything it shows: recordings and example sessions by name, walks through loops and the lines of
    these loops by kernel.
    """

    lesson: Lesson
    traces: Mapping[str, TraceRun]
    sessions: Mapping[str, Session]
    walks: Mapping[str, LoopWalk] = field(default_factory=dict)
    loops: Mapping[str, LoopLines] = field(default_factory=dict)
    _unmarked: dict[str, TraceRun] = field(default_factory=dict)

    def recordings(self, wanted: Pictures) -> tuple[TraceRun, ...]:
        """The recordings that a step shows, the same objects each time; without their hazards where it says so."""
        if not wanted.hazards:
            for name in wanted.show:
                self._unmarked.setdefault(name, replace(self.traces[name], hazards=()))
        return tuple((self.traces if wanted.hazards else self._unmarked)[name] for name in wanted.show)

    def runs(self, session: str, kernels: tuple[str, ...]) -> tuple[RunResult, ...]:
        """The newest run of each kernel in an example session, in the order of `kernels`."""
        newest = {run.spec.kernel: run for run in self.sessions[session].runs}
        return tuple(newest[kernel] for kernel in kernels if kernel in newest)

    def warp_timelines(self, wanted: Warps) -> tuple[WarpTimeline, ...]:
        """Those that a step shows, in its order."""
        timelines = self.sessions[wanted.session].warp_timelines
        found = {(one.spec.kernel, one.blocks_per_unit): one for one in timelines}
        return tuple(found[kernel, blocks] for kernel in wanted.kernels for blocks in wanted.blocks)

    def time_unit(self, session: str) -> str:
        """The unit of the times in all charts of rates of an example session: one run is written alike in each."""
        charts = [each.scene for each in self.lesson.steps if isinstance(each.scene, LessonChart)]
        of_rates = [each for each in charts if each.session == session and each.view == "rate"]
        return time_unit(run.timing.kernel_ms.median for each in of_rates for run in self.runs(session, each.kernels))

    @property
    def empty(self) -> Session:
        """A session without results, for steps that show none."""
        if self.traces:
            return replace(_session_of(tuple(self.traces.values())), traces=())
        return next(iter(self.sessions.values())).without_results()

    def session_of(self, scene: Scene | None) -> Session | None:
        """What a scene shows, as a session of its own; None where it shows neither a recording nor a measurement."""
        match scene:
            case Pictures():
                return _session_of(self.recordings(scene))
            case Banks() | Sectors():
                return _session_of((self.traces[scene.show],))
            case Repair():
                return _session_of((self.traces[scene.broken], self.traces[scene.fixed]))
            case LessonChart():
                shown = self.sessions[scene.session]
                traces = shown.traces if scene.view == "roofline" else ()  # its bytes are theirs
                runs = self.runs(scene.session, scene.kernels)
                return replace(shown.without_results(), runs=runs, traces=traces)
            case Schedule():
                shown = self.sessions[scene.session]
                schedules = tuple(one for one in shown.schedules if one.spec.kernel == scene.kernel)[:1]
                return replace(shown.without_results(), schedules=schedules)
            case Warps():
                shown = self.sessions[scene.session]
                return replace(shown.without_results(), warp_timelines=self.warp_timelines(scene))
        return None


def _session_of(traces: tuple[TraceRun, ...]) -> Session:
    return Session(traces[0].finished, __version__, traces[0].device, 0.0, traces=traces)


def read_lesson_data(lesson: Lesson) -> LessonData:
    """Read a lesson's files.

    Raises:
        LessonError: a file is missing, or does not hold what the lesson names.
        SessionError: a session cannot be read.
    """
    traces: dict[str, TraceRun] = {}
    if lesson.recordings:
        found = load_session(lesson.session_path).traces
        if len(found) != len(lesson.recordings):
            raise LessonError(
                f"{lesson.session_path.name} holds {len(found)} recordings, the lesson names {len(lesson.recordings)}"
            )
        traces = dict(zip(lesson.recordings, found, strict=True))
    paths = {example.id: example.path for example in load_examples()}
    missing = [name for name in lesson.sessions if name not in paths]
    if missing:
        raise LessonError(f"the lesson {lesson.title!r} shows examples that are not there: {', '.join(missing)}")
    walks = load_walks() if any(isinstance(step.scene, Loops) for step in lesson.steps) else {}
    loops = {kernel.id: loop_lines(kernel.text) for kernel in load_catalogue().kernels if kernel.id in walks}
    sessions = {name: _example(paths[name]) for name in lesson.sessions}
    for name, wanted in lesson.examples.items():
        recorded = [each for each in sessions[wanted.session].traces if each.spec.kernel == wanted.kernel]
        if not recorded:
            raise LessonError(f"the example {wanted.session} has no recording of {wanted.kernel}")
        traces[name] = recorded[-1]
    return LessonData(lesson, traces, sessions, walks, loops)


@cache
def _example(path: Path) -> Session:
    """An example session, read once for all lessons: most of the time a lesson takes to open.

    Raises:
        SessionError: it cannot be read.
    """
    return load_session(path)

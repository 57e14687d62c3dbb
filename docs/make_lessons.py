"""Record what the lessons play, with the program itself: `python docs/make_lessons.py [ID …]`.

What each lesson needs stands in its file in assets/lessons; the recordings go beside it, one session per lesson. They
need no GPU: the PTX machine makes them, and the addresses are the same on every device. Two recordings of the race are
kept as they are (KEPT): an earlier version made them on PoCL, and the window says so below their pictures.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
from collections.abc import Sequence
from typing import Any

import numba

from gemmviz import __version__
from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.lesson_scenes import Loops
from gemmviz.catalogue.lessons import Lesson, LessonRecording, lessons_folder, load_lessons
from gemmviz.catalogue.loader import load_catalogue, load_kernel
from gemmviz.domain.clock import timestamp
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import Session
from gemmviz.domain.session.session import load_session, save_session
from gemmviz.domain.shape import Shape
from gemmviz.engine.messages import Conditions, Job
from gemmviz.engine.recording import device_for_recording, record
from gemmviz.measure.bench import Watch
from gemmviz.trace.host_loops import FILE, LoopWalk, as_table, record_walk

KEPT = {"race": ("broken", "fixed")}
"""By lesson, recordings that stay: of a run that went wrong, on PoCL, where threads of a block took turns. The PTX
machine executes the lanes of a warp together, so that a block of one warp is right even without its barriers.
"""
MOST_BYTES = 1 << 20
"""A lesson opens at once; its session may not be larger."""


def kernel_of(recording: LessonRecording) -> Kernel:
    """The kernel a recording names."""
    if recording.file:
        return load_kernel(lessons_folder() / "kernels" / recording.file)
    return load_catalogue().get(recording.kernel)


def recorded(recording: LessonRecording) -> TraceRun:
    """Record one block on the PTX machine."""
    kernel = kernel_of(recording)
    job = Job(kernel, kernel.params(dict(recording.params)))
    device = device_for_recording(kernel)
    return record(job, Conditions(recording.size, recording.fill), device, [(*recording.block, 0)], Watch())


def make(lesson: Lesson) -> int:
    """Write a lesson's session; its bytes."""
    names = KEPT.get(lesson.id, ())
    kept = dict(zip(lesson.recordings, load_session(lesson.session_path).traces, strict=False)) if names else {}
    traces = tuple(kept[name] if name in names else recorded(one) for name, one in lesson.recordings.items())
    now = timestamp()
    session = Session(created=now, program_version=__version__, device=traces[0].device, init_ms=0.0, traces=traces)
    save_session(session, lesson.session_path)
    return lesson.session_path.stat().st_size


def walked(kernel: Kernel) -> LoopWalk:
    """Run a CPU kernel, not compiled, and note its accesses: two rows of C, rows of one cache line each."""
    found = importlib.util.spec_from_file_location(f"lesson_{kernel.id}", kernel.path)
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    config: Any = numba.config  # its settings are made when Numba is imported
    was_disabled, config.DISABLE_JIT = config.DISABLE_JIT, True
    try:
        found.loader.exec_module(module)
    finally:
        config.DISABLE_JIT = was_disabled
    return record_walk(kernel.id, getattr(module, kernel.entry), Shape(2, 16, 16), vars(module))


def main(words: Sequence[str] | None = None) -> int:
    """Make the lessons that were named, or all; 1 where a session is too large."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("lessons", nargs="*", metavar="ID", help="lessons to record (default all)")
    wanted = parser.parse_args(words).lessons
    code = 0
    for lesson in load_lessons():
        if not lesson.recordings or (wanted and lesson.id not in wanted):
            continue
        nbytes = make(lesson)
        print(f"{lesson.id}: {len(lesson.recordings)} recordings, {nbytes:,} bytes", file=sys.stderr)
        code = code or int(nbytes > MOST_BYTES)
    names = dict.fromkeys(
        name
        for lesson in load_lessons()
        for step in lesson.steps
        if isinstance(step.scene, Loops)
        for name in step.scene.show
    )
    walks = {name: as_table(walked(load_catalogue().get(name))) for name in names}
    (lessons_folder() / FILE).write_text(json.dumps(walks, separators=(",", ":")) + "\n", encoding="utf-8")
    return code


if __name__ == "__main__":
    sys.exit(main())

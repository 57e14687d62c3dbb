"""Prepares the frames of the steps around the one that is read, while it is read."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QObject, QTimer

from gemmviz.catalogue.lesson_scenes import Pictures, Repair, Scene
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.gui.lessons.lesson_data import LessonData
from gemmviz.gui.memory.playing.prepared import Preparation
from gemmviz.gui.tasks.background import Background
from gemmviz.trace.frames.plan import FrameMode

MOST_BYTES = 64 * 2**20
"""Addresses of the recordings that are prepared ahead of their step; larger ones are prepared when it is read."""
PAUSE_MS = 300
"""How long a step has the machine to itself before its neighbours are prepared."""
Place = tuple[type[Pictures | Repair], int]
"""The kind of the scene, and picture 0 or 1 in it. Each has frames of its own: only one thread may ask for them."""
Key = tuple[Place, Preparation]
"""A place, and what it shows."""


class FramesAhead(QObject):
    """Keeps what was prepared for the present step, the next one and the one before, and nothing else."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._background = Background(self, threads=1)
        self._kept: list[Key] = []
        self._pause = QTimer(self, interval=PAUSE_MS, singleShot=True)
        self._pause.timeout.connect(self._start)

    def of(
        self, kind: type[Pictures | Repair], picture: int, run: TraceRun, mode: FrameMode, start: int
    ) -> Preparation:
        """What picture 0 or 1 of a kind of scene shows of a recording: as it is kept, or a new one."""
        place = kind, picture
        found = next((made for at, made in self._kept if at == place and made.is_for(run, mode, start)), None)
        if found is None:
            found = Preparation(run, mode, start)
            self._kept.append((place, found))
        return found

    def go(self, data: LessonData, step: int) -> None:
        """Prepare the present step, then, after a moment, the next and the one before; forget all others."""
        self._background.cancel_all()
        near = [data.lesson.scene_at(at) for at in (step, step + 1, step - 1)]
        wanted: list[Key] = []
        for number, scene in enumerate(near):
            for kind, picture, run, mode, start in _recordings(scene, data):
                key = (kind, picture), self.of(kind, picture, run, mode, start)
                ahead = sum(made.run.blocks[0].addresses.nbytes for _, made in wanted)
                if number == 0 or ahead + run.blocks[0].addresses.nbytes <= MOST_BYTES:
                    wanted.append(key)
        self._kept = list(dict.fromkeys(wanted))
        self._pause.start()

    def _start(self) -> None:
        for _, preparation in self._kept:  # the present step's are made by their pictures: this waits for them
            self._background.start(preparation.get, _nothing, _nothing)

    def stop(self) -> None:
        """Prepare nothing more, and forget what there is."""
        self._pause.stop()
        self._background.cancel_all()
        self._kept.clear()

    @property
    def prepared(self) -> tuple[Preparation, ...]:
        """What is ready."""
        return tuple(made for _, made in self._kept if made.at_hand is not None)


def _recordings(
    scene: Scene | None, data: LessonData
) -> Iterator[tuple[type[Pictures | Repair], int, TraceRun, FrameMode, int]]:
    """The recordings of a scene in the order in which they are shown: where, what, and from which frame on."""
    if isinstance(scene, Pictures):
        for place, run in enumerate(data.recordings(scene)):
            yield Pictures, place, run, FrameMode(scene.mode), scene.start
    elif isinstance(scene, Repair):
        for name in (scene.broken, scene.fixed):
            yield Repair, 0, data.traces[name], FrameMode(scene.mode), scene.start


def _nothing(_: object) -> None:
    """The one who shows it asks for it, and is told what failed."""

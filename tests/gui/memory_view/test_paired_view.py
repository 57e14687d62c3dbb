"""Two pictures of the window write numbers and legends alike, as exported ones do."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.memory.playing.making import make
from gemmviz.gui.memory_view.memory_view import MemoryView
from gemmviz.gui.memory_view.paint.looks import looks_of
from gemmviz.gui.memory_view.paint.number_room import numbers_of
from gemmviz.gui.memory_view.paired_view import PairedView
from gemmviz.gui.memory_view.places.legend import picture_legend
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.trace.frames.frames import natural_mode

pytestmark = pytest.mark.usefixtures("qapp")
Record = Callable[..., TraceRun]
OTHER_DIGITS, OTHER_LINES = (520, 500), (420, 420)
"""Where one picture alone has numbers with more digits than the other alone, and a legend of more lines."""


def show(view: MemoryView, run: TraceRun) -> None:
    trace = run.blocks[0].trace(run.sites, run.arrays)
    made = make(run, trace, natural_mode(trace))
    view.show_recording(run, trace, made.frames, made.analysis)
    view.set_values(made.a, made.b, made.c)
    view.show_frame(made.frames.frame(len(made.frames) // 2))


def pair(recorded: Record, size: tuple[int, int] = OTHER_DIGITS) -> tuple[PairedView, PairedView]:
    views = PairedView(LIGHT), PairedView(LIGHT)
    views[0].stand_beside(views[1])
    runs = recorded("naive", "4x4x4", (0, 0), THREAD=4), recorded("tiled", "4x4x4", (0, 0), TILE=2)
    for view, run in zip(views, runs, strict=True):
        view.resize(*size)
        show(view, run)
    return views


def state(view: MemoryView) -> Scene:
    scene = view.picture_state()
    assert scene is not None
    return scene


def test_that_two_pictures_write_numbers_with_the_same_digits(recorded: Record) -> None:
    views = pair(recorded)
    alone = [numbers_of(scene).factors.first for view in views if (scene := MemoryView.picture_state(view)) is not None]
    together = [numbers_of(state(view)) for view in views]
    assert len(set(alone)) == 2
    assert {each.factors.first for each in together} == {max(filter(None, alone), key=lambda form: form.rank)}
    assert len({each.result.first for each in together}) == 1


def test_that_the_legends_of_two_pictures_begin_at_one_height(recorded: Record) -> None:
    views, looks = pair(recorded, OTHER_LINES), looks_of(LIGHT)
    alone = [picture_legend(scene, looks) for view in views if (scene := MemoryView.picture_state(view)) is not None]
    assert {legend.lines for legend in alone} == {1, 2}
    assert len({picture_legend(state(view), looks).top for view in views}) == 1


def test_that_a_picture_alone_has_its_own_numbers_again(recorded: Record) -> None:
    left, right = pair(recorded)
    beside = state(left)
    right.show_recording(None, None, None)
    assert beside.numbers is not None
    assert state(left).numbers is None  # as there is room for when it is painted

"""The captions of the matrices."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.memory_view.memory_view import MemoryView
from gemmviz.gui.memory_view.paint.looks import looks_of
from gemmviz.gui.memory_view.text.matrices import matrix_words
from gemmviz.trace.frames.frames import Frames

Record = Callable[..., TraceRun]
Show = Callable[..., tuple[MemoryView, Frames]]


@pytest.mark.parametrize("size", [(980, 560), (500, 480), (600, 300)])
def test_that_the_size_of_a_narrow_matrix_is_said_like_those_of_others(
    show: Show, recorded: Record, size: tuple[int, int]
) -> None:
    view, _ = show(recorded("tiled", "128x128x32", (2, 1), TILE=16))
    view.resize(*size)
    scene = view.picture_state()
    assert scene is not None
    said = matrix_words(scene, looks_of(LIGHT))
    assert [item.text for item in said] == ["A", "M×K", "128×32", "B", "K×N", "32×128", "C", "M×N", "128×128"]
    a, c = scene.layout.a, scene.layout.c
    assert max(item.box.right for item in said[:3]) < c.x
    assert said[0].box.x < a.right


def test_that_all_matrices_have_their_sizes_in_letters_or_none(show: Show, recorded: Record) -> None:
    view, _ = show(recorded("tiled", "64x64x64", (1, 2)))
    forms = set()
    for width in range(240, 700, 20):
        view.resize(width, 320)
        scene = view.picture_state()
        assert scene is not None
        said = {item.text for item in matrix_words(scene, looks_of(LIGHT))}
        forms.add(len(said & {"M×K", "K×N", "M×N"}))
    assert forms == {0, 3}

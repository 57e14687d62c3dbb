"""Frames that are kept."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.gui.player.frame_cache import FrameCache, frame_bytes
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.values import Frame


@pytest.fixture(scope="module")
def made(recorded: Callable[..., TraceRun]) -> list[Frame]:
    run = recorded("tiled", "4x4x4", TILE=2)
    frames = Frames(run.blocks[0].trace(run.sites, run.arrays))
    return [frames.frame(index) for index in range(len(frames))]


def test_that_what_was_put_comes_back(made: list[Frame]) -> None:
    cache = FrameCache()
    for frame in made:
        cache.put(frame)
    assert [cache.get(index) for index in range(5)] == made
    assert cache.get(5) is None
    assert cache.nbytes == sum(map(frame_bytes, made)) > 0


def test_that_the_least_recently_used_goes_first(made: list[Frame]) -> None:
    cache = FrameCache(sum(frame_bytes(frame) for frame in made[:3]))
    for frame in made[:3]:
        cache.put(frame)
    assert cache.get(0) is made[0]
    cache.put(made[4])
    assert [index in cache for index in range(5)] == [True, False, True, False, True]
    assert cache.nbytes == sum(frame_bytes(made[index]) for index in (0, 2, 4))


def test_that_the_newest_is_kept_whatever_its_size(made: list[Frame]) -> None:
    cache = FrameCache(1)
    for frame in made:
        cache.put(frame)
        assert (len(cache), cache.get(frame.index)) == (1, frame)


def test_that_the_same_frame_again_counts_once(made: list[Frame]) -> None:
    cache = FrameCache()
    cache.put(made[0])
    cache.put(made[0])
    assert (len(cache), cache.nbytes) == (1, frame_bytes(made[0]))
    cache.clear()
    assert (len(cache), cache.nbytes) == (0, 0)

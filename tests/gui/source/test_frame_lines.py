"""Lines and frames: what runs, where to go next, how far to scroll."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.gui.source.frame_lines import frames_of_line, lines_of_frame, next_frame_of, top_for
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.plan import FrameMode


@pytest.mark.parametrize(
    ("frames", "current", "following"),
    [
        ([2, 5, 9], 0, 2),
        ([2, 5, 9], 2, 5),
        ([2, 5, 9], 8, 9),
        ([2, 5, 9], 9, 2),
        ([4], 4, 4),
        ([], 3, None),
        ([3], -1, 3),
    ],
)
def test_that_the_next_frame_of_a_line_comes_and_then_the_first_again(
    frames: list[int], current: int, following: int | None
) -> None:
    assert next_frame_of(np.array(frames, np.int32), current) == following


@pytest.mark.parametrize(
    ("rows", "top", "visible", "wanted"),
    [
        ([5], 3, 10, 3),
        ([12], 3, 10, 3),
        ([13], 3, 10, 6),
        ([13, 14], 3, 10, 7),
        ([1], 3, 10, 0),
        ([8], 9, 10, 6),
        ([2, 30], 9, 10, 2),
        ([20, 29], 0, 10, 20),
        ([20], 0, 1, 20),
        ([20], 0, 0, 0),
        ([20, 21], 0, 2, 20),
    ],
)
def test_that_lines_come_into_view_with_the_least_scrolling(
    rows: list[int], top: int, visible: int, wanted: int
) -> None:
    assert top_for(min(rows), max(rows) + 1, top, visible, 1) == wanted


def test_that_every_line_a_frame_runs_leads_back_to_that_frame(recorded: Callable[..., TraceRun]) -> None:
    run = recorded("tiled", TILE=4)
    frames = Frames(run.blocks[0].trace(run.sites, run.arrays))
    assert lines_of_frame(None) == ()
    source = run.source_text.splitlines()
    seen = set()
    for index in range(len(frames)):
        lines = lines_of_frame(frames.frame(index))
        assert list(lines) == sorted(set(lines))
        assert all("[" in source[line - 1] for line in lines), "only accesses run"
        seen |= set(lines)
        for line in lines:
            assert next_frame_of(frames.frames_of_line(line), index - 1) == index
    assert seen == {site.line for site in run.sites}


def test_that_a_frame_that_ends_at_a_barrier_runs_its_line_too(recorded: Callable[..., TraceRun]) -> None:
    run = recorded("tiled", TILE=4)
    block = run.blocks[0].trace(run.sites, run.arrays)
    source = run.source_text.splitlines()
    frames = Frames(block)
    for index in range(len(frames)):
        frame = frames.frame(index)
        more = set(lines_of_frame(frame, block)) - set(frame.lines)
        assert {source[line - 1].strip() for line in more} == ({"__syncthreads();"} if frame.ends_at_barrier else set())
        assert all(index in frames_of_line(frames, line).tolist() for line in lines_of_frame(frame, block))
    unnamed = replace(block, ended_by=())
    assert lines_of_frame(frames.frame(0), unnamed) == frames.frame(0).lines


@pytest.mark.parametrize("mode", list(FrameMode))
def test_that_a_barrier_leads_to_the_frames_before_it(recorded: Callable[..., TraceRun], mode: FrameMode) -> None:
    run = recorded("tiled", TILE=4)
    frames = Frames(run.blocks[0].trace(run.sites, run.arrays), mode)
    barriers = sorted({place.line for place in frames.trace.ended_by})
    found = [frames_of_line(frames, line).tolist() for line in barriers]
    assert len(found) == 2
    assert len(found[0]) == len(found[1]) == 3  # K = 9 in tiles of 4
    ends = [[frames.frame(index).epoch for index in indices] for indices in found]
    assert ends == [[0, 2, 4], [1, 3, 5]]
    assert frames_of_line(frames, 1).tolist() == []

"""The arrays handed to the painter, element by element, for frames written down as text."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest

from gemmviz.domain.recordings.access import BlockTrace
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.gui.memory_view.block_analysis import analyse_block
from gemmviz.gui.memory_view.picture import Picture, picture_of
from gemmviz.gui.memory_view.shades import ElementRole, Roles
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.plan import FrameMode
from gemmviz.trace.frames.regions import Rectangle

Record = Callable[..., TraceRun]
BlockOf = Callable[..., BlockTrace]
Text = Callable[[Roles], str]


def pictures(trace: BlockTrace, mode: FrameMode = FrameMode.PHASE) -> list[Picture]:
    frames, analysis = Frames(trace, mode), analyse_block(trace)
    return [picture_of(analysis, frames.frame(i)) for i in range(len(frames))]


def whole(picture: Picture, name: str) -> Roles:
    """The roles of all elements of a matrix, those beyond its box untouched."""
    shade = picture.matrices[name]
    roles = np.zeros((shade.array.rows, shade.array.columns), np.uint8)
    box = shade.box
    roles[box.row_start : box.row_stop, box.column_start : box.column_stop] = shade.roles()
    return roles


def test_that_tiles_of_a_4x4x4_product_are_loaded_then_left_behind(
    recorded: Record, block_of: BlockOf, as_text: Text
) -> None:
    shown = pictures(block_of(recorded("tiled", "4x4x4", (1, 0), TILE=2)))
    a = ["RR--\nRR--", "rr--\nrr--", "rrRR\nrrRR", "rrrr\nrrrr", "rrrr\nrrrr"]
    b = ["RR\nRR\n--\n--", "rr\nrr\n--\n--", "rr\nrr\nRR\nRR", "rr\nrr\nrr\nrr", "rr\nrr\nrr\nrr"]
    c = ["--\n--"] * 4 + ["WW\nWW"]
    assert [as_text(picture.matrices["A"].roles()) for picture in shown] == a
    assert [as_text(picture.matrices["B"].roles()) for picture in shown] == b
    assert [as_text(picture.matrices["C"].roles()) for picture in shown] == c
    assert shown[0].matrices["B"].box == Rectangle(0, 4, 2, 4)
    assert as_text(whole(shown[2], "B")) == "..rr\n..rr\n..RR\n..RR"
    assert [picture.tiles["A"].to_come for picture in shown] == [Rectangle(0, 2, 2, 4)] * 2 + [None] * 3
    assert [picture.tiles["A"].held for picture in shown] == [
        None,
        Rectangle(0, 2, 0, 2),
        None,
        Rectangle(0, 2, 2, 4),
        None,
    ]


def test_that_the_last_block_of_17x33x5_touches_what_is_there_and_no_more(
    recorded: Record, block_of: BlockOf, as_text: Text
) -> None:
    shown = pictures(block_of(recorded("tiled", "17x33x5", (8, 4), TILE=4)))
    first, second, third = (as_text(whole(shown[i], "A")) for i in (0, 1, 2))
    empty = ".....\n" * 16
    assert first == f"{empty}RRRR-"
    assert second == f"{empty}rrrr-"
    assert third == f"{empty}rrrrR"
    assert [as_text(whole(picture, "B")[:, 30:]) for picture in (shown[0], shown[2])] == [
        "..R\n..R\n..R\n..R\n..-",
        "..r\n..r\n..r\n..r\n..R",
    ]
    assert as_text(whole(shown[-1], "C")[15:, 30:]) == "...\n..W"


def test_that_naive_walks_along_a_and_down_b(recorded: Record, block_of: BlockOf, as_text: Text) -> None:
    shown = pictures(block_of(recorded("naive", "4x4x4", (0, 0))), FrameMode.STEP)
    assert [as_text(whole(picture, "A")).splitlines()[0] for picture in shown] == ["R---", "rR--", "rrR-", "rrrR"]
    assert as_text(whole(shown[1], "B")) == "rrrr\nRRRR\n----\n----"
    assert [as_text(whole(picture, "C")).splitlines()[0] for picture in shown] == ["----", "----", "----", "WWWW"]


@pytest.mark.parametrize("kernel", ["tiled", "register_2d", "vectorized", "global_accumulate", "row_per_block"])
def test_that_roles_agree_with_the_frames_one_by_one(recorded: Record, block_of: BlockOf, kernel: str) -> None:
    """Against a plain account kept from frame to frame."""
    trace = block_of(recorded(kernel, "64x64x64", (0, 0)))
    frames, analysis = Frames(trace, FrameMode.STEP), analyse_block(trace)
    seen: dict[str, set[tuple[str, int, int]]] = {}
    for i in range(len(frames)):
        frame = frames.frame(i)
        picture = picture_of(analysis, frame)
        for name in ("A", "B", "C"):
            roles = whole(picture, name)
            known = seen.setdefault(name, set())
            now = {
                (str(touch.kind), int(row), int(column))
                for touch in frame.touches
                if touch.array.name == name
                for row, column in zip(touch.rows, touch.columns, strict=True)
            }
            expected = np.full(roles.shape, ElementRole.UNTOUCHED)
            for kinds, role_of in ((known, _BEFORE), (now, _NOW)):
                for word in ("load", "store"):
                    for kind, row, column in kinds:
                        if kind == word:
                            expected[row, column] = role_of[word]
            mask = roles != ElementRole.TO_COME
            assert np.array_equal(roles[mask], expected[mask])
            assert np.all(expected[~mask] == ElementRole.UNTOUCHED)
            known |= now
    final = picture_of(analysis, frames.frame(len(frames) - 1))
    assert not any(np.any(whole(final, name) == ElementRole.TO_COME) for name in "ABC")


def test_that_bins_show_the_highest_role_in_them(recorded: Record, block_of: BlockOf) -> None:
    shade = pictures(block_of(recorded("tiled", "64x64x64", (1, 2), TILE=8)))[6].matrices["A"]
    full = shade.roles()
    row_edges, column_edges = np.array([0, 3, 8]), np.array([0, 5, 20, 31, 64])
    expected = [
        [full[top:bottom, left:right].max() for left, right in pairwise(column_edges)]
        for top, bottom in pairwise(row_edges)
    ]
    assert shade.pooled(row_edges, column_edges).tolist() == expected
    assert ElementRole.LOADED_NOW in np.array(expected)
    part = shade.pooled(np.array([2, 3, 4]), np.array([23, 24, 25]))
    assert part.tolist() == full[2:4, 23:25].tolist()


_BEFORE = {"load": ElementRole.LOADED_BEFORE, "store": ElementRole.STORED_BEFORE}
_NOW = {"load": ElementRole.LOADED_NOW, "store": ElementRole.STORED_NOW}

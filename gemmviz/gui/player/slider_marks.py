"""Where a slider's marks stand, so that many of them do not run together. Pure."""

from __future__ import annotations

from collections.abc import Callable

from gemmviz.explain.requests.frame_facts import FrameIndices, FrameMarks

LEAST_APART = 5.0
"""Pixels between two ticks: closer ones would be a grey bar that says nothing."""


def ticks(frames: FrameIndices, place: Callable[[int], float]) -> list[float]:
    """The places of barriers in pixels, ascending; none if they stand closer than LEAST_APART on average."""
    if frames.size < 2:
        return [place(int(frame)) for frame in frames]
    first, last = place(int(frames[0])), place(int(frames[-1]))
    if (last - first) / (frames.size - 1) < LEAST_APART:
        return []
    return [place(int(frame)) for frame in frames]


def marks_words(marks: FrameMarks) -> tuple[str, ...]:
    """What the marks stand for, a sentence for each sort there is."""
    said = ["Ticks mark frames that end at a barrier."] if marks.barriers.size else []
    if marks.hazards.size and marks.are_all:
        said.append("Red triangles mark every frame with a hazard; a race is marked wherever it can occur.")
    elif marks.hazards.size:
        said.append("Red triangles mark the first frame of each hazard; it may occur in others.")
    if marks.beside.size:
        which = "every frame" if marks.are_all else "the first frame"
        said.append(f"Hollow triangles mark {which} with a hazard in the other picture.")
    if marks.are_all and marks.first_between_blocks:
        said.append("A race between blocks is marked in its first frame only; it may occur in others.")
    return tuple(said)


def signs(frames: FrameIndices, place: Callable[[int], float], width: float) -> list[float]:
    """The places of hazards in pixels, ascending, at least `width` apart: of those that overlap the first stands."""
    kept: list[float] = []
    for frame in frames.tolist():
        at = place(frame)
        if not kept or at - kept[-1] >= width:
            kept.append(at)
    return kept

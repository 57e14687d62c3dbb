"""Which frames of a film or a presentation are asked what all of them show, so that nothing jumps between them."""

from __future__ import annotations

from collections.abc import Sequence

ASKED = 32
"""Frames that are asked at most, but for the last."""


def sampled(indices: Sequence[int]) -> tuple[int, ...]:
    """Some of these frames from everywhere, the last among them; all where they are few."""
    step = max(-(-len(indices) // ASKED), 1)
    return tuple(dict.fromkeys((*indices[::step], *indices[-1:])))

"""All frames in which accesses at fault take place, found without making one of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.hazard import Hazard
from gemmviz.domain.recordings.warp import LANES
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.hazards.rules.table import RULES

MOST_ACCESSES = 1 << 22
"""Accesses that are looked at, at most: about a second's work."""


def hazard_frames(
    frames: Frames, hazards: Sequence[Hazard], most_accesses: int = MOST_ACCESSES
) -> NDArray[np.int32] | None:
    """Frames, ascending, in which hazards take place as the rules of their kinds have it, shape (n,).

    `hazards` name the sites to look at, be they of this block or of another one; races between blocks name elements.
    None if there would be more than `most_accesses` to look at.
    """
    slots = sum(rule.slots_to_search(frames.trace, hazards) for rule in RULES.values())
    if slots * frames.trace.addresses.shape[0] * LANES > most_accesses:
        return None
    found = [positions for rule in RULES.values() for positions in rule.positions(frames, hazards)]
    return np.unique(frames.frames_at(np.concatenate([np.zeros(0, np.int64), *found])))

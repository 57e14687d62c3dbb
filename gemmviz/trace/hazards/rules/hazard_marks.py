"""Hazards where they happen: the elements of a frame that a fault of the recording is about."""

from __future__ import annotations

from collections.abc import Sequence

from gemmviz.domain.recordings.access import BlockTrace
from gemmviz.domain.recordings.hazard import Hazard
from gemmviz.trace.frames.values import Frame
from gemmviz.trace.hazards.rules.mark import HazardMark
from gemmviz.trace.hazards.rules.table import RULES


def hazard_marks(frame: Frame, hazards: Sequence[Hazard], trace: BlockTrace) -> tuple[HazardMark, ...]:
    """The hazards of a recording that show in a frame of a block's trace, be it that of their first example or not."""
    found = [mark for rule in RULES.values() for mark in rule.marks(frame, hazards, trace)]
    return tuple(sorted(found, key=lambda mark: (RULES[mark.kind].precedence, mark.place)))

"""Barriers of groups of several warps of cooperative_groups, such as `tiled_partition<64>`.

One word of the shared memory that the system keeps has a bit for each warp of the block. A warp that comes sets its
own (`atom.or`); the last of a group clears those of all (`red.and`), which the others wait for. Which warps the group
has is known from what the last one clears. At the kernel's start each warp clears its own bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gemmviz.domain.recordings.access import INACTIVE
from gemmviz.trace.ptx.decoding.log import WarpLog
from gemmviz.trace.ptx.probing.accesses import group_step
from gemmviz.trace.ptx.probing.probes import Probe

_WORD = 0xFFFFFFFF


@dataclass(frozen=True, slots=True)
class GroupStep:
    """What a warp does to the word at its event number `event`: it comes with the bits `warps`, or lets those of the
    mask `warps` go on (`releases`).
    """

    event: int
    warps: int
    releases: bool


class GroupSteps:
    """Finds the steps of a warp among what it wrote down."""

    def __init__(self, probes: Sequence[Probe]) -> None:
        steps = [
            (probe.first + 1, probe.statement and group_step(probe.statement))
            for probe in probes
            if len(probe.found.values) == 2
        ]
        self._releases = {number: step == "and" for number, step in steps if step}

    def of(self, log: WarpLog) -> list[GroupStep]:
        """The steps of a warp, in order. Their addresses are those of nothing that is recorded."""
        if not self._releases:
            return []
        found = []
        for event in np.flatnonzero(np.isin(log.number, list(self._releases))).tolist():
            bits = [int(one) & _WORD for one in log.lanes[event][log.lanes[event] != INACTIVE]]
            if len(bits) != 1 or (log.lanes[event - 1] != INACTIVE).any():
                continue
            releases = self._releases[int(log.number[event])]
            found.append(GroupStep(event, ~bits[0] & _WORD if releases else bits[0], releases))
        return found


def groups_of(steps: Sequence[Sequence[GroupStep]]) -> tuple[tuple[int, ...], list[list[int]]]:
    """The group of each warp of a block as a mask of warps, 0 of a warp that is in none or in several, since it is not
    known to which of these it comes; and the event numbers at which each warp came to a barrier of its group.
    """
    masks = {step.warps for of_warp in steps for step in of_warp if step.releases and step.warps.bit_count() > 1}
    own = [[mask for mask in masks if mask >> warp & 1] for warp in range(len(steps))]
    groups = tuple(found[0] if len(found) == 1 else 0 for found in own)
    comes = [
        [step.event for step in of_warp if not step.releases and group]
        for of_warp, group in zip(steps, groups, strict=True)
    ]
    return groups, comes

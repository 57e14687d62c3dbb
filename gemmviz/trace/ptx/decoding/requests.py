"""The requests of one warp, in the order in which it made them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.trace.ptx.decoding.phases import Sync
from gemmviz.trace.ptx.probing.accesses import What
from gemmviz.trace.ptx.probing.group_barriers import GroupStep
from gemmviz.trace.ptx.probing.strong_accesses import WarpSteps


@dataclass(frozen=True, slots=True, eq=False)
class CopyStep:
    """A commit of copies or a wait for them at event number `event` of a warp; `value`, shape (32,), of a wait how many
    groups it leaves under way, INACTIVE where a lane takes no part. `key` is that of the mbarrier that copies are
    handed over to.
    """

    event: int
    what: What
    value: NDArray[np.int64]
    key: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Requests:
    """A warp's requests, columns of shape (n,) and addresses (n, 32) as the GPU has them; `event` is where each stands
    among the warp's events, `warp_syncs` how many barriers of its own the warp has passed before it (`own_barriers` are
    the events of these). Barriers are
    requests of BARRIER_SITE with the number of their probe as `key`.
    """

    key: NDArray[np.int64]
    site: NDArray[np.int32]
    event: NDArray[np.int64]
    addresses: NDArray[np.int64]
    syncs: list[Sync]
    symbols: dict[str, int]
    events: int
    warp_syncs: NDArray[np.int32]
    copy_steps: list[CopyStep]
    group_steps: list[GroupStep]
    strong: WarpSteps
    own_barriers: NDArray[np.int64]

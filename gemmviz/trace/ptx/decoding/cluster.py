"""Blocks of a cluster: who stands beside whom, and what the others' copies bring into a block's shared memory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.spec import Launch
from gemmviz.trace.ptx.decoding.log import Words


@dataclass(frozen=True, slots=True, eq=False)
class BlockLogs:
    """The words of a block's warps, its rank in its cluster, and the words of the cluster's other blocks."""

    own: Sequence[Words]
    rank: int = 0
    others: tuple[Sequence[Words], ...] = ()


def cluster_of(index: int, launch: Launch) -> list[int]:
    """The linear indices of the blocks of a block's cluster by their ranks, x fastest."""
    x, y, _ = launch.grid
    first = [at // size * size for at, size in zip(launch.block_at(index), launch.cluster, strict=True)]
    steps = product(*(range(size) for size in reversed(launch.cluster)))
    return [first[0] + dx + x * (first[1] + dy + y * (first[2] + dz)) for dz, dy, dx in steps]


def with_neighbours(indices: NDArray[np.int32], launch: Launch) -> NDArray[np.int32]:
    """Blocks and all others of their clusters, each once; as they are where there are no clusters."""
    if prod(launch.cluster) == 1:
        return indices
    found: Iterable[int] = dict.fromkeys(one for index in indices.tolist() for one in cluster_of(index, launch))
    return np.array(list(found), np.int32)


def block_logs(index: int, logs: dict[int, list[Words]], launch: Launch) -> BlockLogs:
    """A block's logs with those of its cluster, out of the logs by linear index."""
    if prod(launch.cluster) == 1:
        return BlockLogs(logs[index])
    cluster = cluster_of(index, launch)
    return BlockLogs(logs[index], cluster.index(index), tuple(logs[one] for one in cluster if one != index))

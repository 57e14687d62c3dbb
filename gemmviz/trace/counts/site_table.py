"""What compiled loops need to know of a trace: its sites as columns, and that no index leads outside them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import BARRIER_SITE, AccessKind, BlockTrace, Space
from gemmviz.domain.recordings.warp import LANES
from gemmviz.trace.model.rules import WIDEST_BYTES


@dataclass(frozen=True, slots=True, eq=False)
class SiteTable:
    """Sites as columns of shape (highest index + 1,), row `Site.index`, and the slots in an order that runs."""

    is_store: NDArray[np.bool_]
    is_shared: NDArray[np.bool_]
    is_global: NDArray[np.bool_]
    is_atomic: NDArray[np.bool_]
    is_strong: NDArray[np.bool_]
    """Atomic, or a strong load or store: two of these do not race."""
    initialises: NDArray[np.bool_]
    """Stores of a value that is not made from what lay there before."""
    width_bytes: NDArray[np.int64]
    aligned_bytes: NDArray[np.int64]
    """1 where any address will do."""
    component_bytes: NDArray[np.int64]
    slot_order: NDArray[np.int64]
    """Shape (slots,): the slots epoch by epoch, in the order of the program within each."""


def site_table(trace: BlockTrace) -> SiteTable:
    """The columns of a trace that is whole.

    Raises:
        ValueError: its arrays have other shapes or types than a BlockTrace has, a slot has a site that is not in
            `sites`, or a site's width is not 1 to 16 bytes.
    """
    _check_shapes(trace)
    highest = max((site.index for site in trace.sites), default=-1)
    known = np.zeros(highest + 1, np.bool_)
    is_store, is_shared, is_global, is_atomic, is_strong, initialises = (
        np.zeros(highest + 1, np.bool_) for _ in range(6)
    )
    width_bytes, aligned_bytes = np.ones(highest + 1, np.int64), np.ones(highest + 1, np.int64)
    component_bytes = np.zeros(highest + 1, np.int64)
    for site in trace.sites:
        if site.index < 0 or not 1 <= site.width_bytes <= WIDEST_BYTES:
            raise ValueError(
                f"site {site.index} ({site.text}, line {site.line}) of {site.width_bytes} bytes: "
                f"indices are 0 or more, and a lane accesses 1 to {WIDEST_BYTES} bytes"
            )
        if site.aligned_bytes & (site.aligned_bytes - 1) > 0:
            raise ValueError(
                f"site {site.index}: addresses that are multiples of {site.aligned_bytes}, no power of two"
            )
        known[site.index] = True
        is_store[site.index] = site.kind is AccessKind.STORE
        is_shared[site.index] = site.space is Space.SHARED
        is_global[site.index] = site.space is Space.GLOBAL
        is_atomic[site.index] = site.is_atomic
        is_strong[site.index] = site.is_atomic or site.is_strong
        initialises[site.index] = site.initialises
        width_bytes[site.index] = site.width_bytes
        aligned_bytes[site.index] = max(site.aligned_bytes, 1)
        component_bytes[site.index] = site.component_bytes
    used = np.unique(trace.slot_site)
    strange = [int(i) for i in used if i != BARRIER_SITE and not (0 <= i <= highest and known[i])]
    if strange:
        raise ValueError(f"slots of site {strange[0]}, which is not among the {len(trace.sites)} sites of the trace")
    slot_order = np.argsort(trace.slot_epoch, kind="stable").astype(np.int64)
    return SiteTable(
        is_store,
        is_shared,
        is_global,
        is_atomic,
        is_strong,
        initialises,
        width_bytes,
        aligned_bytes,
        component_bytes,
        slot_order,
    )


def _check_shapes(trace: BlockTrace) -> None:
    addresses = trace.addresses
    if addresses.ndim != 3 or addresses.shape[2] != LANES or addresses.dtype != np.int64:
        raise ValueError(
            f"addresses are {addresses.dtype} of shape {addresses.shape}: a trace has int64 of (warps, slots, 32)"
        )
    for name, column in (("slot_site", trace.slot_site), ("slot_epoch", trace.slot_epoch)):
        if column.shape != addresses.shape[1:2] or column.dtype != np.int32:
            raise ValueError(
                f"{name} is {column.dtype} of shape {column.shape}: "
                f"a trace of {addresses.shape[1]} slots has int32 of ({addresses.shape[1]},)"
            )
    if not 1 <= trace.threads <= addresses.shape[0] * LANES:
        raise ValueError(f"a block of {trace.threads} threads in {addresses.shape[0]} warps of {LANES}")

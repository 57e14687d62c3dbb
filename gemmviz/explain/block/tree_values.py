"""The numbers of a tree of sums: what each thread adds up by itself, and what lies in every slot after each level."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from gemmviz.domain.recordings.access import BlockTrace, MappedArray, Space, result_of
from gemmviz.explain.block.arithmetic import Floats, Term
from gemmviz.explain.block.reduction import ReductionTree
from gemmviz.explain.block.rounding import Rounding
from gemmviz.trace.frames.access import LaneAccesses, decode

MOST_LEAVES, MOST_TERMS = 16, 4
"""Threads of a block with products, and products of a thread, that are written out."""
MOST_SLOTS = 64
"""Threads of a block where most of them are idle."""
_CLOSE = 1e-4
"""How near to each other two float32 sums of the same numbers are, added in another order."""


@dataclass(frozen=True, slots=True)
class Product:
    """A product a thread adds to its own sum; it has both factors from the slot `since` of the trace on."""

    term: Term
    since: int


@dataclass(frozen=True, slots=True)
class TreeLeaf:
    """The sum a thread makes by itself and stores in the slot `into` of the array, at the slot `since` of the trace."""

    thread: int
    into: int
    products: tuple[Product, ...]
    total: float
    since: int


@dataclass(frozen=True, slots=True)
class TreeStep:
    """A thread adds the values `left` and `right` of the slots `read` into `into`; stored at the trace's `since`."""

    thread: int
    into: int
    read: tuple[int, ...]
    left: float
    right: float
    total: float
    since: int


@dataclass(frozen=True, slots=True)
class TreeOutcome:
    """A thread stores what is left in the one slot to C[row, column]."""

    thread: int
    slot: int
    row: int
    column: int
    value: float
    since: int


@dataclass(frozen=True, slots=True)
class TreeValues:
    """All the arithmetic of a block, float32: leaves, then the additions of each level.

    `after` says what each slot holds after the leaves, after the first level, and so on.
    """

    leaves: tuple[TreeLeaf, ...]
    levels: tuple[tuple[TreeStep, ...], ...]
    after: tuple[Mapping[int, float], ...]
    outcome: TreeOutcome | None


def written_terms(trace: BlockTrace, tree: ReductionTree) -> int:
    """Products of a thread, 1 at least, under a tree small enough for all its numbers; 0 for any other."""
    a = next((array for array in trace.arrays if array.name == "A"), None)
    if a is None or a.rows != 1 or len(tree.leaves) > MOST_SLOTS:
        return 0
    loads = _of(trace, _accesses(trace), a, stores=False)
    if len(tree.leaves) > MOST_LEAVES and np.unique(loads.thread).size > MOST_LEAVES:
        return 0
    most = int(np.bincount(loads.thread).max()) if loads.thread.size else 1
    return most if most <= MOST_TERMS else 0


def tree_values(
    trace: BlockTrace, tree: ReductionTree, a: Floats, b: Floats, c: Floats | None = None
) -> TreeValues | None:
    """The numbers of a tree over products of a row A, shape (1, K), and a column B, shape (K, 1).

    A thread adds its products in the order in which it has both factors, rounded so that the tree ends as the very bits
    that the block left in C; where `c` is not known or neither way does, each by a fused multiply-add. None where the
    tree is too large to be written out, or its leaves are not the sums of such products.
    """
    made = {rounding: _tree_values(trace, tree, a, b, rounding) for rounding in Rounding}
    for found in made.values():
        end = found.outcome if found is not None else None
        if end is not None and c is not None and np.float32(end.value).tobytes() == c[end.row, end.column].tobytes():
            return found
    return made[Rounding.FUSED]


def _tree_values(trace: BlockTrace, tree: ReductionTree, a: Floats, b: Floats, rounding: Rounding) -> TreeValues | None:
    if not written_terms(trace, tree) or a.shape[0] != 1 or b.shape[1] != 1:
        return None
    accesses = _accesses(trace)
    stores = _of(trace, accesses, tree.array, stores=True)
    leaves = _leaves(trace, accesses, stores.only(trace.slot_epoch[stores.slot] < tree.levels[0].epoch), a, b, rounding)
    if leaves is None:
        return None
    held = {leaf.into: leaf.total for leaf in leaves}
    after, levels = [dict(held)], []
    for level in tree.levels:
        of_epoch = stores.only(trace.slot_epoch[stores.slot] == level.epoch)
        since_of = dict(zip(of_epoch.thread.tolist(), of_epoch.slot.tolist(), strict=True))
        steps = []
        for addition in level.additions:
            left, right = addition.into, next(slot for slot in addition.read if slot != addition.into)
            total = float(np.float32(held[left]) + np.float32(held[right]))
            since = since_of[addition.thread]
            steps.append(TreeStep(addition.thread, left, (left, right), held[left], held[right], total, since))
        held |= {step.into: step.total for step in steps}
        after.append(dict(held))
        levels.append(tuple(steps))
    ordered = tuple(sorted(leaves, key=lambda leaf: leaf.into))
    return TreeValues(ordered, tuple(levels), tuple(after), _outcome(trace, accesses, tree, held))


def sums_in_shared(trace: BlockTrace, a: Floats, b: Floats, c: Floats) -> Mapping[int, TreeLeaf]:
    """By slot the sums that the threads of a dot product store in its one shared array, each slot once.

    Nothing where they do not add up to the element of C that the block stores: then they are other sums, such as those
    of whole warps.
    """
    shared = [array for array in trace.arrays if array.space is Space.SHARED]
    target = result_of(trace.arrays)
    if a.shape[0] != 1 or b.shape[1] != 1 or len(shared) != 1 or target is None or shared[0].columns > MOST_SLOTS:
        return {}
    accesses = _accesses(trace)
    into = _of(trace, accesses, shared[0], stores=True)
    result = np.unique(_of(trace, accesses, target, stores=True).element)
    made = [_leaves(trace, accesses, into, a, b, rounding) for rounding in Rounding]
    if made[0] is None or result.size != 1:
        return {}
    stored = c.reshape(-1)[result[0]]
    leaves = next((found for found in made if found is not None and _one_after_the_other(found) == stored), made[0])
    is_all = bool(np.isclose(sum(leaf.total for leaf in leaves), float(stored), rtol=_CLOSE))
    return {leaf.into: leaf for leaf in leaves} if is_all else {}


def _one_after_the_other(leaves: Sequence[TreeLeaf]) -> np.float32:
    """The sums added up in the order of their slots, in float32."""
    total = np.float32(0)
    for leaf in sorted(leaves, key=lambda leaf: leaf.into):
        total += np.float32(leaf.total)
    return total


def _leaves(
    trace: BlockTrace, accesses: LaneAccesses, stores: LaneAccesses, a: Floats, b: Floats, rounding: Rounding
) -> list[TreeLeaf] | None:
    """The sums that threads make of products before they store them; None where a slot is stored more than once."""
    if np.unique(stores.element).size != stores.element.size:
        return None
    leaves = []
    for thread, into, since in zip(stores.thread.tolist(), stores.element.tolist(), stores.slot.tolist(), strict=True):
        products = _products(
            trace, accesses.only((accesses.thread == thread) & (accesses.slot < since)), a, b, rounding
        )
        total = products[-1].term.total if products else 0.0
        leaves.append(TreeLeaf(thread, into, products, total or 0.0, since))
    return leaves


def _accesses(trace: BlockTrace) -> LaneAccesses:
    return decode(trace, np.arange(trace.slot_site.size), (0, trace.addresses.shape[0]))


def _of(trace: BlockTrace, accesses: LaneAccesses, array: MappedArray, *, stores: bool) -> LaneAccesses:
    return accesses.only((accesses.array == trace.arrays.index(array)) & (accesses.is_store == stores))


def _products(trace: BlockTrace, own: LaneAccesses, a: Floats, b: Floats, rounding: Rounding) -> tuple[Product, ...]:
    """The products of one thread, each once it has read A[0,k] and B[k,0]."""
    names = [array.name for array in trace.arrays]
    seen: set[tuple[str, int]] = set()
    found: list[Product] = []
    total = np.float32(0)
    for index, k, since in zip(own.array.tolist(), own.element.tolist(), own.slot.tolist(), strict=True):
        if index < 0 or names[index] not in ("A", "B") or (names[index], k) in seen:
            continue
        seen.add((names[index], k))
        if ("A", k) in seen and ("B", k) in seen:
            total = rounding.added(a[0, k], b[k, 0], total)
            found.append(Product(Term(k, float(a[0, k]), float(b[k, 0]), float(total)), since))
    return tuple(found)


def _outcome(
    trace: BlockTrace, accesses: LaneAccesses, tree: ReductionTree, held: Mapping[int, float]
) -> TreeOutcome | None:
    """None where not one thread stores one element of C after the last level."""
    c = result_of(trace.arrays)
    stores = _of(trace, accesses, c, stores=True) if c is not None else None
    if c is None or stores is None or stores.slot.size != 1:
        return None
    slot = tree.levels[-1].additions[0].into
    row, column = divmod(int(stores.element[0]), c.columns)
    return TreeOutcome(int(stores.thread[0]), slot, row, column, held[slot], int(stores.slot[0]))

"""The short texts of the picture."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.elements import element_name
from gemmviz.domain.figures import count, counted, element_text
from gemmviz.domain.recordings.access import (
    OTHER,
    PADDING,
    UNKNOWN,
    UNWRITTEN,
    MappedArray,
    SharedSnapshot,
    Space,
    result_name,
)
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Layout
from gemmviz.explain.block.tree_values import TreeLeaf
from gemmviz.gui.memory_view.block_analysis import BlockAnalysis
from gemmviz.gui.memory_view.text.cell_values import USUAL_DIGITS, decimal_text, usual_digits
from gemmviz.trace.frames.regions import Rectangle, bounding, index_words, region_words, rows_and_columns
from gemmviz.trace.frames.values import FACTORS

_SIZES = {"A": "M×K", "B": "K×N", "C": "M×N", "D": "M×N"}
Describe = Callable[[MappedArray, Rectangle], str]
"""Says which part of a matrix it is."""
DESCRIPTIONS: tuple[Describe, ...] = (
    region_words,
    rows_and_columns,
    index_words,
)
"""In less and less room: "rows 0–1, columns 2–3 of A", "rows 0–1, columns 2–3", "A[0–1,2–3]"."""
PREPARING = "Preparing the frames…"
IDLE_BLOCK = "accesses no memory"
EMPTY = "Nothing is recorded yet. Choose a kernel and press Record (F6)."


def size_words(array: MappedArray, shape: Shape) -> tuple[str, str]:
    """ "M×K" and "1 037×1 055"; of a result that holds a value for each block, "partial sums"; of a matrix that lies
    in memory column by column, "1 037×1 055, column by column".
    """
    is_partial = array.name in ("C", "D") and (array.rows, array.columns) != (shape.m, shape.n)
    stored = ", column by column" if array.layout is Layout.COLUMN else ""
    numbers = f"{count(array.rows)}×{count(array.columns)}{stored}"
    return "partial sums" if is_partial else _SIZES.get(array.name, ""), numbers


def onchip_head(run: TraceRun) -> str:
    """What stands at the head of the on-chip panel: without shared memory it shows what threads have read last."""
    return "Shared memory" if any(array.space is Space.SHARED for array in run.arrays) else "Read by the threads"


def direct_words(run: TraceRun, analysis: BlockAnalysis | None) -> tuple[str, ...]:
    """What each thread does in global memory by itself, as a sentence, and a shorter one; none if it does nothing."""
    has_shared = any(array.space is Space.SHARED for array in run.arrays)
    adds = analysis is not None and not analysis.stores_once
    missing = list(FACTORS) if not has_shared else []
    if has_shared and analysis is not None and analysis.kept:
        missing = sorted(set(FACTORS) - analysis.kept)
    both, result = " and ".join(missing), result_name(run.arrays)
    if missing and adds:
        return (
            f"Each thread reads {both} and adds to {result} in global memory.",
            f"Threads read {both}, add to {result}.",
        )
    if missing:
        words = f"Each thread reads {both} from global memory for itself.", f"Each thread reads {both} itself."
        return words if has_shared else (f"{words[0]} The kernel uses no shared memory.", *words)
    return (f"Each thread adds to {result} in global memory.", f"Threads add to {result} itself.") if adds else ()


def shared_words(run: TraceRun) -> tuple[str, ...]:
    """What shared memory is for, in sentences of falling length; none for a kernel that has none."""
    if all(array.space is not Space.SHARED for array in run.arrays):
        return ()
    threads = count(run.launch.threads_per_block)
    return (
        f"On the chip: what one thread stores here, all {threads} threads of the block can read.",
        f"What one thread stores here, all {threads} can read.",
        "What one stores, all can read.",
    )


def block_words(block: tuple[int, int, int] | tuple[int, int]) -> str:
    x, y, *z = block
    return f"block ({x}, {y}, {z[0]})" if z and z[0] else f"block ({x}, {y})"


NOT_RECORDED = "values not recorded"
TRANSPOSED = ", transposed"
SO_FAR = " so far"


def area_labels(array: MappedArray, part: Rectangle) -> tuple[str, ...]:
    """A part of a matrix, said in less and less room."""
    return tuple(describe(array, part) for describe in DESCRIPTIONS)


def held_labels(snapshot: SharedSnapshot, arrays: Sequence[MappedArray], pending: NDArray[np.bool_]) -> tuple[str, ...]:
    """What lies in a shared array, said in less and less room: of a matrix its rows and columns."""
    return tuple(held_words(snapshot, arrays, pending, describe) for describe in DESCRIPTIONS)


def held_words(
    snapshot: SharedSnapshot,
    arrays: Sequence[MappedArray],
    pending: NDArray[np.bool_],
    describe: Describe = region_words,
) -> str:
    """What lies in a shared array: "rows 16–31, columns 32–47 of A", "empty", "computed values".

    While it is filled, only what has come: "rows 16–21, columns 0–31 of B so far", since what lies in `pending` slots,
    shape (rows, columns), is about to be overwritten. Behind what lies transposed it says so.
    """
    said = []
    so_far = SO_FAR if pending.any() else ""
    for number, name in enumerate(FACTORS):
        array = next((a for a in arrays if a.name == name), None)
        here = (snapshot.origin >= 0) & (snapshot.matrix == number) & ~pending
        if array is not None and here.any():
            rows, columns = np.divmod(snapshot.origin[here], array.columns)
            turned = TRANSPOSED if is_transposed(snapshot, here, array) else ""
            said.append(f"{describe(array, bounding(rows, columns))}{so_far}{turned}")
    codes = set(np.unique(snapshot.origin[~pending]).tolist())
    if PADDING in codes:
        said.append("zeros")
    if OTHER in codes:
        said.append("computed values")
    if UNKNOWN in codes:
        said.append(NOT_RECORDED)
    if not said and UNWRITTEN in codes:
        return "empty"
    return " and ".join(said)


def origin_name(origin: int, matrix: int, arrays: Sequence[MappedArray]) -> str:
    """The name of what lies in a slot: "A[3,1]", "0", "", "…"."""
    if origin < 0:
        return {PADDING: "0", OTHER: "sum", UNKNOWN: "?"}.get(origin, "")
    columns = next((a.columns for a in arrays if a.name == FACTORS[matrix]), 1)
    return element_name(FACTORS[matrix], *divmod(origin, columns))


def products_words(leaf: TreeLeaf, text: Callable[[float], str]) -> str:
    """Of which products a sum in shared memory is made, with factors written by `text`: "3·3", "4 terms"."""
    terms = [product.term for product in leaf.products]
    only = terms[0] if len(terms) == 1 else None
    if only is None or only.a is None or only.b is None:
        return counted(len(terms), "term")
    return f"{text(only.a)}·{text(only.b)}"


def kept_words(leaves: Mapping[int, TreeLeaf], snapshot: SharedSnapshot) -> str:
    """What the slots of a dot product hold once all do: "products A[0,k] · B[k,0]"; "" where that is not known."""
    if not leaves or not all(snapshot.origin.flat[slot] == OTHER for slot in leaves):
        return ""
    most = max(len(leaf.products) for leaf in leaves.values())
    return "products A[0,k] · B[k,0]" if most == 1 else f"sums of up to {count(most)} products A[0,k] · B[k,0]"


def value_text(value: float) -> str:
    """A number alone, with as many decimals as a cell has for it: "0.531", "1.563", "12.35"; fewer where these are all
    that it has: "0.5", "12".
    """
    exact = f"{value:.{USUAL_DIGITS + 1}g}"
    if "e" not in exact and float(exact) == value:
        return element_text(exact)
    return decimal_text(value, usual_digits(value))


def threads_words(threads: Sequence[int], most: int = 6) -> str:
    """ "thread 3", "threads 16–31", "threads 2, 18, 34, … (64)"."""
    if len(threads) == 1:
        return f"thread {threads[0]}"
    steps = {later - earlier for earlier, later in pairwise(threads)}
    if steps == {1} and len(threads) > 2:
        return f"threads {threads[0]}–{threads[-1]}"
    if len(threads) <= most:
        return f"threads {', '.join(map(str, threads))}"
    return f"threads {', '.join(map(str, threads[:3]))}, … {threads[-1]} ({count(len(threads))})"


def is_transposed(snapshot: SharedSnapshot, here: NDArray[np.bool_], array: MappedArray) -> bool:
    """Whether neighbours in a row of slots are neighbours in a column of the matrix."""
    pairs = here[:, :-1] & here[:, 1:]
    if array.columns == 1 or not pairs.any():
        return False
    return bool(np.all(np.diff(snapshot.origin, axis=1)[pairs] == array.columns))

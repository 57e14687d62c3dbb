"""What all runs of the results table have in common, which is said once above it. No Qt."""

from __future__ import annotations

from collections.abc import Sequence

from gemmviz.explain.runs.columns import Key
from gemmviz.explain.runs.rows import SEPARATOR, RunRow

CIRCUMSTANCES = Key.SIZE, Key.DEVICE, Key.MODE
"""The columns that say nothing where all their rows are alike: kernels are compared under circumstances."""

SIZE_IS = "M×N×K = "
"""What stands before a size."""


def columns_alike(rows: Sequence[RunRow]) -> frozenset[Key]:
    """The circumstances that two rows or more have in common; none for fewer, or where a row lacks one."""
    if len(rows) < 2:
        return frozenset()
    return frozenset(key for key in CIRCUMSTANCES if rows[0].cell(key).text and len(_different(rows, key)) == 1)


def words_for_alike(rows: Sequence[RunRow], keys: frozenset[Key]) -> str:
    """Those circumstances of the rows in one line: "All: M×N×K = 64×64×64 · H200 · cold"; "" for none."""
    told = [rows[0].cell(key).text for key in CIRCUMSTANCES if key in keys]
    if Key.SIZE in keys:
        told[0] = f"{SIZE_IS}{told[0]}"
    return f"All: {SEPARATOR.join(told)}" if told else ""


def _different(rows: Sequence[RunRow], key: Key) -> set[tuple[str, object]]:
    """Devices may have one short name and be different ones."""
    return {(row.cell(key).text, row.cell(key).value) for row in rows}

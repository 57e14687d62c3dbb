"""Where the columns of a session go: each into an entry of its own, or, of a large session, all of a type into one."""

from __future__ import annotations

from typing import Any

import numpy as np

from gemmviz.domain.session.arrays import Array, ArrayError, dtype_word

PACKED = "packed."
"""Begin of the name of a column that many lie in."""
SHARED = "shared"
"""The list of parts of a tree that stand in it more than once."""


class Columns:
    """Columns by the way to them."""

    def __init__(self) -> None:
        self.found: dict[str, Array] = {}

    def add(self, path: str, column: Array) -> str:
        """Keep a column; how the tree names it."""
        self.found[path] = column
        return path

    def share(self, tree: Any) -> Any:
        """A part of the tree as it stands in it."""
        return tree


class Pack:
    """Columns one behind the other, by type; parts of the tree that are alike, once."""

    def __init__(self) -> None:
        self._parts: dict[str, list[Array]] = {}
        self._sizes: dict[str, int] = {}
        self._places: dict[str, int] = {}
        self.shared: list[Any] = []

    def add(self, path: str, column: Array) -> list[Any]:
        """Keep a column: its type, where it begins, its length.

        Raises:
            ArrayError: it has another number of dimensions.
        """
        if column.ndim != 1:
            raise ArrayError(f"{path} has shape {column.shape}: a session holds columns of shape (n,)")
        kind = dtype_word(column)[1:]
        begin = self._sizes.get(kind, 0)
        self._parts.setdefault(kind, []).append(column)
        self._sizes[kind] = begin + column.size
        return [kind, begin, column.size]

    def share(self, tree: Any) -> Any:
        """A part of the tree as it stands in it: a place in `shared`."""
        place = self._places.setdefault(repr(tree), len(self.shared))
        if place == len(self.shared):
            self.shared.append(tree)
        return {SHARED: place}

    def columns(self) -> dict[str, Array]:
        """The columns that all others lie in, by name."""
        return {f"{PACKED}{kind}": np.concatenate(parts) for kind, parts in self._parts.items()}

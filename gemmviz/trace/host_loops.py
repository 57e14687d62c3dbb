"""The order in which the loops of a CPU kernel walk through A, B and C, recorded from the kernel itself."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.shape import Shape
from gemmviz.resources import resource_folder

BYTES_PER_CACHE_LINE = 64
"""Of a cache line, on the CPUs of today."""
ELEMENT_BYTES = 4
COPY = "b_columns"
"""What a kernel copies B into that transposes it first, by the name that it has in the kernel."""
ARRAYS = ("A", "B", "C", COPY)
FILE = "loops.json"


@dataclass(frozen=True, slots=True, eq=False)
class LoopWalk:
    """Every access of one kernel, in order: columns of shape (n,).

    `array` is a place in ARRAYS, `element` the row-major index in it, `is_store` whether it was written.
    """

    kernel: str
    shape: Shape
    array: NDArray[np.int8]
    element: NDArray[np.int32]
    is_store: NDArray[np.bool_]

    def size_of(self, name: str) -> tuple[int, int]:
        """Rows and columns of an array."""
        shape = self.shape
        sizes = {"A": (shape.m, shape.k), "B": (shape.k, shape.n), "C": (shape.m, shape.n), COPY: (shape.n, shape.k)}
        return sizes[name]

    @property
    def has_copy(self) -> bool:
        """Whether the kernel transposes B first."""
        return bool((self.array == ARRAYS.index(COPY)).any())

    def lines_of(self, name: str) -> tuple[NDArray[np.intp], NDArray[np.int32]]:
        """The accesses of an array, as places in the walk, and the cache line each of them is in.

        Arrays are taken to begin at a cache line.
        """
        places = np.flatnonzero(self.array == ARRAYS.index(name))
        return places, (self.element[places] * ELEMENT_BYTES // BYTES_PER_CACHE_LINE).astype(np.int32)

    def line_changes(self, name: str, until: int | None = None) -> int:
        """How often an access of an array is in another cache line than the array's access before, the first included.

        `until` counts only the first so many accesses of the walk.
        """
        places, lines = self.lines_of(name)
        lines = lines if until is None else lines[places < until]
        return int(lines.size > 0) + int(np.count_nonzero(np.diff(lines)))


class _Recorder:
    """A matrix of zeros that notes who asks for which element."""

    def __init__(self, place: int, rows: int, columns: int, notes: list[tuple[int, int, int]]) -> None:
        self.shape = rows, columns
        self._place, self._notes = place, notes

    def __getitem__(self, key: tuple[int, int]) -> np.float32:
        self._notes.append((self._place, key[0] * self.shape[1] + key[1], 0))
        return np.float32(0)

    def __setitem__(self, key: tuple[int, int], _value: object) -> None:
        self._notes.append((self._place, key[0] * self.shape[1] + key[1], 1))


class _NumPy:
    """NumPy, but for `empty`: what a kernel makes for itself is taken to be a copy of B, and notes who asks."""

    def __init__(self, notes: list[tuple[int, int, int]]) -> None:
        self._notes = notes

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)

    def empty(self, size: tuple[int, int], _dtype: object) -> _Recorder:
        return _Recorder(ARRAYS.index(COPY), *size, self._notes)


def record_walk(
    kernel: str, entry: Callable[..., object], shape: Shape, names: dict[str, Any] | None = None
) -> LoopWalk:
    """Call a CPU kernel as plain Python with matrices that note each access.

    `entry` takes A, B, C and a number of threads; it must not be compiled. `names` are those of its module, whose `np`
    is replaced for good.
    """
    notes: list[tuple[int, int, int]] = []
    sizes = (shape.m, shape.k), (shape.k, shape.n), (shape.m, shape.n)
    if names is not None:
        names["np"] = _NumPy(notes)
    entry(*(_Recorder(place, *size, notes) for place, size in enumerate(sizes)), 1)
    return _walk(kernel, shape, notes)


def as_table(walk: LoopWalk) -> dict[str, Any]:
    """A walk as JSON keeps it."""
    columns = walk.array.tolist(), walk.element.tolist(), walk.is_store.astype(int).tolist()
    return {"shape": str(walk.shape), "accesses": [list(each) for each in zip(*columns, strict=True)]}


def load_walks() -> Mapping[str, LoopWalk]:
    """The walks that come with the lessons, by kernel."""
    path = resource_folder("assets") / "lessons" / FILE
    tables = json.loads(path.read_text(encoding="utf-8"))
    return {name: _walk(name, Shape.parse(table["shape"]), table["accesses"]) for name, table in tables.items()}


def _walk(kernel: str, shape: Shape, notes: list[Any]) -> LoopWalk:
    columns = np.array(notes, np.int32).reshape(-1, 3)
    return LoopWalk(kernel, shape, columns[:, 0].astype(np.int8), columns[:, 1].copy(), columns[:, 2].astype(np.bool_))

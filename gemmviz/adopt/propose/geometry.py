"""Blocks that a kernel may be launched with: those of its host code, and those that its source makes likely."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import isqrt, prod

from gemmviz.adopt.source.arithmetic import constant_of, names_in
from gemmviz.adopt.source.kernels import FoundKernel
from gemmviz.adopt.source.launches import FoundLaunch
from gemmviz.adopt.source.names import Names, expression_in

Index = tuple[int, int, int]
MOST_BLOCKS = 24
MOST_THREADS = 1024
_EDGES = (32, 16, 8)
_USUAL_1D, _USUAL_2D = (256, 1024, 128, 64, 512, 32), ((16, 16), (32, 32), (8, 8), (32, 8), (8, 32), (16, 8), (8, 16))


@dataclass(frozen=True, slots=True)
class BlockGuess:
    """A block, bytes of dynamic shared memory, and the values of names that nothing else tells, such as the edge of a
    tile. `grid` are expressions over names of the host function, () where they are not known.
    """

    block: Index
    shared_bytes: int
    because: str
    values: Mapping[str, int]
    grid: tuple[str, ...] = ()


def blocks_of(
    kernel: FoundKernel, launch: FoundLaunch | None, sizes: Mapping[str, int], names: Names
) -> list[BlockGuess]:
    """The blocks to try, best first; `sizes` are the template's arguments and macros by name."""
    found: dict[tuple[object, ...], BlockGuess] = {}
    for one in [*_from_launch(launch, sizes), *_from_source(kernel, sizes, names)]:
        if 0 < prod(one.block) <= MOST_THREADS:
            key = (one.block, one.shared_bytes, tuple(one.values.items()))
            found.setdefault(key, one)
    return list(found.values())[:MOST_BLOCKS]


def _from_launch(launch: FoundLaunch | None, sizes: Mapping[str, int]) -> Iterator[BlockGuess]:
    if launch is None or not launch.block:
        return
    trees = [expression_in(text.replace("//", "/")) for text in (*launch.block, launch.shared_bytes or "0")]
    unknown = sorted({name for tree in trees if tree is not None for name in names_in(tree)} - set(sizes))[:2]
    edges = tuple(dict.fromkeys([*(v for v in sizes.values() if 4 <= v <= 32), *_EDGES])) if unknown else (0,)
    for values in product(edges, repeat=len(unknown)) if unknown else [()]:
        known = {**sizes, **dict(zip(unknown, values, strict=True))}
        numbers = [constant_of(tree, known) for tree in trees]
        *block, shared = (one for one in numbers)
        if all(one is not None and one > 0 for one in block):
            x, y, z = (*(one or 1 for one in block), 1, 1)[:3]
            chosen = dict(zip(unknown, values, strict=True))
            grid = tuple(_with_values(text, chosen) for text in launch.grid)
            yield BlockGuess((x, y, z), shared or 0, f"line {launch.line} launches it so", chosen, grid)


def _with_values(text: str, values: Mapping[str, int]) -> str:
    return re.sub(r"(?<![\w.])[A-Za-z_]\w*(?![\w.(])", lambda name: str(values.get(name[0], name[0])), text)


def _from_source(kernel: FoundKernel, sizes: Mapping[str, int], names: Names) -> Iterator[BlockGuess]:
    known = _numbers_of(kernel, sizes, names)
    flat = list(dict.fromkeys(_threads(kernel, known)))
    bound = constant_of(expression_in(kernel.bound.replace("//", "/")), known) if kernel.bound else None
    if "y" in kernel.block_axes:
        for shape in _rectangles(known, bound):
            yield from _with_shared(kernel, (*shape, 1), known, "its source tells threads apart by x and y")
    for threads in flat if "y" not in kernel.block_axes else flat[:2]:
        yield from _with_shared(kernel, (threads, 1, 1), known, "constants of its source make as many threads")


def _numbers_of(kernel: FoundKernel, sizes: Mapping[str, int], names: Names) -> dict[str, int]:
    """The numbers that names of the kernel stand for, those of its body last."""
    known = dict(sizes)
    for name in names.constants:
        value = names.value_of(name)
        if value is not None:
            known.setdefault(name, value)
    for name, text in kernel.constants:
        tree = expression_in(text.replace("//", "/"))
        resolved = names.resolved(tree) if tree is not None else None
        value = constant_of(resolved, known)
        if value is not None and value > 1:
            known.setdefault(name, value)
    return known


def _threads(kernel: FoundKernel, known: Mapping[str, int]) -> Iterator[int]:
    """Numbers of threads along one axis, best first."""
    for text in (kernel.bound.replace("//", "/"), *kernel.threads):
        value = constant_of(expression_in(text), known) if text else None
        if value is not None:
            yield value
    yield from (value for name, value in known.items() if re.search(r"(?i)threads?|num_thr|block_?dim|bdim", name) and value >= 32)
    words = {_edge_word(name): value for name, value in known.items() if _edge_word(name)}
    if "M" in words and "N" in words:
        per_thread = words.get("TM", 1) * words.get("TN", 1)
        yield words["M"] * words["N"] // max(1, per_thread)
        yield words["M"] * words["N"] // max(1, words.get("TM", 1))
    tiles = [value for value in known.values() if 4 <= value <= 32]
    yield from (value * value for value in dict.fromkeys(tiles))
    yield from _USUAL_1D
    yield from (value for value in known.values() if 32 <= value <= MOST_THREADS)


def _edge_word(name: str) -> str:
    found = re.fullmatch(r"(?i)(?:\w*_)?(?:b(?:lock)?_?(?:size)?_?([mn])|t(?:hread)?_?(?:size)?_?([mnxy]))", name)
    if found is None:
        return ""
    return found[1].upper() if found[1] else {"m": "TM", "y": "TM", "n": "TN", "x": "TN"}[found[2].lower()]


def _rectangles(known: Mapping[str, int], bound: int | None) -> Iterator[tuple[int, int]]:
    if bound is not None and isqrt(bound) ** 2 == bound:
        yield isqrt(bound), isqrt(bound)
    words = {_edge_word(name): value for name, value in known.items() if _edge_word(name)}
    if {"M", "N", "TM", "TN"} <= set(words) and words["TM"] and words["TN"]:
        yield words["N"] // words["TN"], words["M"] // words["TM"]
        yield words["M"] // words["TM"], words["N"] // words["TN"]
    tiles = list(dict.fromkeys(value for value in known.values() if 4 <= value <= 32))
    yield from ((value, value) for value in tiles)
    wpt = [value for name, value in known.items() if re.fullmatch(r"(?i)wpt|.*coarse.*|.*factor.*|.*per_?thread.*", name)]
    for tile, few in product(tiles, wpt):
        if tile > few > 1:
            yield tile, tile // few
            yield tile // few, tile
    yield from _USUAL_2D


def _with_shared(kernel: FoundKernel, block: Index, known: Mapping[str, int], because: str) -> Iterator[BlockGuess]:
    """The block, with the shared memory that two or more tiles of its shape take where the launch gives it."""
    element = {"double": 8, "half": 2, "__half": 2, "char": 1, "unsigned char": 1}.get(kernel.dynamic_shared, 4)
    is_local = any(one.is_local for one in kernel.parameters)
    edge = max(block[:2])
    tiles = (2, 3, 4) if kernel.dynamic_shared or is_local else (0,)
    nbytes = 1 if element == 1 else element
    for count in tiles:
        size = count * edge * edge * (4 if nbytes == 1 else nbytes)
        yield BlockGuess(block, size, because, {"tile": edge, **{}} if count else {})

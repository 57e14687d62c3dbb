"""Blocks that a kernel may be launched with: those of its host code, and those that its source makes likely."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import isqrt, prod

from gemmviz.adopt.axis_words import axis_words
from gemmviz.adopt.propose.roles import role_of
from gemmviz.adopt.source.arithmetic import constant_of, expression_in, names_in
from gemmviz.adopt.source.kernels import FoundKernel
from gemmviz.adopt.source.launches import FoundLaunch
from gemmviz.adopt.source.names import Names
from gemmviz.domain.listing import listed

Index = tuple[int, int, int]
MOST_BLOCKS = 24
MOST_THREADS = 1024
_EDGES = (32, 16, 8)
_MOST_SHARED = 48 * 1024
"""Bytes of dynamic shared memory that every GPU gives a block."""
_OF_TILE = "the tile that constants of its source give has work for so many threads"
_USUAL_1D, _USUAL_2D = (256, 128, 1024, 64, 512, 32), ((16, 16), (32, 32), (8, 8), (32, 8), (8, 32), (16, 8), (8, 16))


@dataclass(frozen=True, slots=True)
class BlockGuess:
    """A block, bytes of dynamic shared memory, and the values of names that nothing else tells, such as the edge of a
    tile. In `shared_bytes` and `block_words` {2} is what parameter 2 is given, counted from 0; `block_words` are those
    of a block that has as many threads as a size says, and `block` is then none yet.
    """

    block: Index
    shared_bytes: str
    because: str
    values: Mapping[str, int]
    is_launched: bool = False
    """Whether host code launches such a block."""
    block_words: tuple[str, ...] = ()

    def with_block(self, block: Sequence[int]) -> BlockGuess:
        """The guess with the block that its words are for some sizes."""
        x, y, z = (*block, 1, 1)[:3]
        return replace(self, block=(x, y, z))

    def guessed_words(self, grid: Sequence[str]) -> str:
        """The launch, as text to go on with, where the block is a guess; "" where host code launches it."""
        if self.is_launched:
            return ""
        block = axis_words(self.block)
        count = " × ".join(grid)
        return (
            f" with blocks of {block} threads and a grid of {count} block{'s'[: count != '1']}, which gemmviz guessed"
        )


def blocks_of(
    kernel: FoundKernel, launch: FoundLaunch | None, sizes: Mapping[str, int], names: Names
) -> list[BlockGuess]:
    """The blocks to try, best first; `sizes` are the template's arguments and macros by name."""
    found: dict[tuple[object, ...], BlockGuess] = {}
    tiles = [place for place, one in enumerate(kernel.parameters) if role_of(one, {}).word == "tile"]
    guesses = [*_from_launch(launch, sizes, _bytes_each(kernel), tiles), *_from_source(kernel, sizes, names)]
    for one in [*guesses[: MOST_BLOCKS - 1], *([] if launch is not None else _of_a_row(kernel)), *guesses]:
        if 0 < prod(one.block) <= MOST_THREADS:
            key = (one.block, one.block_words, one.shared_bytes, tuple(one.values.items()))
            found.setdefault(key, one)
    return list(found.values())[:MOST_BLOCKS]


def too_large_block(
    kernel: FoundKernel, launch: FoundLaunch | None, sizes: Mapping[str, int], names: Names
) -> BlockGuess | None:
    """The block of more than MOST_THREADS threads that host code launches in numbers or, without host code, that has a
    thread for each element of the tile by which the source steps; None for no such block.
    """
    if launch is not None:
        launched = next((one for one in _from_launch(launch, sizes, 1, ()) if not one.values), None)
        return launched if launched is not None and prod(launched.block) > MOST_THREADS else None
    edges = _edges_of_blocks(kernel, _numbers_of(kernel, sizes, names))
    if prod(edges) <= MOST_THREADS or len(edges) != len(kernel.block_axes):
        return None
    x, y, z = (*edges, 1, 1, 1)[:3]
    return BlockGuess((x, y, z), "0", "its source multiplies the index of a block by these numbers", {})


def _of_a_row(kernel: FoundKernel) -> Iterator[BlockGuess]:
    """A block with a thread for each column, of a kernel that nothing in its source says another block of."""
    place = next((place for place, one in enumerate(kernel.parameters) if role_of(one, {}).word == "N"), None)
    names = {one.name for one in kernel.parameters}
    has_edges = any(edge not in names for _, edge in kernel.block_edges)
    if (
        place is not None
        and not kernel.required_block
        and kernel.block_axes == "x"
        and not has_edges
        and "blockDim" not in kernel.words
    ):
        why = "no other block was right, and one with a thread for each of the N columns is"
        yield BlockGuess((1, 1, 1), "0", why, {}, block_words=(f"{{{place}}}",))


def _bytes_each(kernel: FoundKernel) -> int:
    """The bytes of an element of the kernel's dynamic shared memory."""
    return {"double": 8, "half": 2, "__half": 2, "char": 1, "unsigned char": 1}.get(kernel.dynamic_shared, 4)


def _from_launch(
    launch: FoundLaunch | None, sizes: Mapping[str, int], nbytes: int, tiles: Collection[int]
) -> Iterator[BlockGuess]:
    """The blocks of a launch; `nbytes` are those of an element of dynamic shared memory. What it gives the parameters
    at the places `tiles` is no size, but the edge of a tile.
    """
    if launch is None or not launch.block:
        return
    given = {text: place for place, text in enumerate(launch.arguments) if text.isidentifier() and place not in tiles}
    called = {text: values for text, values in zip(launch.arguments, launch.called_with, strict=False) if values}
    trees = [expression_in(text.replace("//", "/")) for text in (*launch.block, launch.shared_bytes or "0")]
    unknown = sorted({name for tree in trees if tree is not None for name in names_in(tree)} - {*sizes, *given})[:2]
    of_sizes = [with_values(text, sizes, given) for text in launch.block]
    if any("{" in text for text in of_sizes) and "0" not in of_sizes:
        shared = constant_of(trees[-1], sizes)
        words = with_values(launch.shared_bytes, sizes, given) if shared is None else str(shared)
        why = f"line {launch.line} launches it so"
        yield BlockGuess((1, 1, 1), words, why, {}, is_launched=True, block_words=tuple(of_sizes))
    edges = [*(v for v in sizes.values() if 4 <= v <= 32), *_EDGES]
    for values in product(*(dict.fromkeys([*called.get(name, ()), *edges]) for name in unknown)):
        known = {**sizes, **dict(zip(unknown, values, strict=True))}
        block = [constant_of(tree, known) for tree in trees[:-1]]
        if all(one is not None and one > 0 for one in block):
            x, y, z = (*(one or 1 for one in block), 1, 1)[:3]
            chosen = dict(zip(unknown, values, strict=True))
            shared = constant_of(trees[-1], known)
            words = with_values(launch.shared_bytes, known, given) if shared is None else str(shared)
            tried = {name: value for name, value in chosen.items() if value not in called.get(name, ())}
            yield BlockGuess((x, y, z), words, _launched_words(launch, tried), chosen, is_launched=True)
            if shared is None and words != "0" and nbytes > 1 and nbytes not in _numbers_in(words):
                # the host code may count elements where bytes are meant
                given_bytes = f"{launch.shared_bytes} bytes of dynamic shared memory"
                why = f"line {launch.line} launches such a block with {given_bytes}"
                words = f"({words}) * {nbytes}" if not words.startswith("{") else f"{words} * {nbytes}"
                yield BlockGuess((x, y, z), words, f"{why}, and with {nbytes} times as many it is right", chosen)
    yield from _as_written(launch, sizes, given)


def _as_written(launch: FoundLaunch, sizes: Mapping[str, int], given: Mapping[str, int]) -> Iterator[BlockGuess]:
    """The block of a launch whose numbers the host code computes from variables with constant values that it also gives
    the kernel, such as K threads with K = 256: over what the kernel is given.
    """
    written = launch.written
    of_sizes = [with_values(text, sizes, given) for text in written.block]
    if written.block != launch.block and any("{" in text for text in of_sizes) and "0" not in of_sizes:
        shared = with_values(written.shared_bytes, sizes, given) if written.shared_bytes else "0"
        why = f"line {launch.line} launches it so"
        yield BlockGuess((1, 1, 1), shared, why, {}, is_launched=True, block_words=tuple(of_sizes))


def _numbers_in(text: str) -> list[int]:
    """The numbers of an expression, but for those of parameters, {2}."""
    return [int(one) for one in re.findall(r"\b\d+\b", re.sub(r"\{\d+\}", "", text))]


def _launched_words(launch: FoundLaunch, chosen: Mapping[str, int]) -> str:
    """Where a block of the host code comes from: its line, and what nothing says but a try."""
    if not chosen:
        return f"line {launch.line} launches it so"
    values = listed([f"{name} = {value}" for name, value in chosen.items()])
    return f"line {launch.line} launches {' × '.join(launch.block)} threads, and {values} was tried for it"


def with_values(text: str, values: Mapping[str, int], places: Mapping[str, int]) -> str:
    """An expression with values for names and {places} for those that the kernel is given; "0" where it has others."""

    def known(name: re.Match[str]) -> str:
        word = name[0]
        return str(values[word]) if word in values else f"{{{places[word]}}}" if word in places else word

    found = re.sub(r"(?<![\w.])[A-Za-z_]\w*(?![\w.(])", known, text)
    return found if not re.search(r"[A-Za-z_](?!\w*\()", found) else "0"


def _from_source(kernel: FoundKernel, sizes: Mapping[str, int], names: Names) -> Iterator[BlockGuess]:
    known = _numbers_of(kernel, sizes, names)
    if required := required_edges(kernel, known):
        yield from _with_shared(kernel, required, "its `reqd_work_group_size` asks for it")
        return
    flat: dict[int, str] = {}
    for count, why in _threads(kernel, known):
        flat.setdefault(count, why)
    bound = constant_of(expression_in(kernel.bound.replace("//", "/")), known) if kernel.bound else None
    edges = _edges_of_blocks(kernel, known)
    if prod(edges) <= MOST_THREADS and len(edges) == len(kernel.block_axes):
        x, y, z = (*edges, 1, 1, 1)[:3]
        yield from _with_shared(kernel, (x, y, z), "its source multiplies the index of a block by these numbers")
    if "y" in kernel.block_axes:
        for shape in _rectangles(known, bound):
            why = "its source tells threads apart by x and y, and with so many of them it is right"
            yield from _with_shared(kernel, (*shape, 1), why)
    for threads, why in [*flat.items()][: None if "y" not in kernel.block_axes else 2]:
        yield from _with_shared(kernel, (threads, 1, 1), why)


def required_edges(kernel: FoundKernel, known: Mapping[str, int]) -> Index | None:
    """The block that a kernel has to be launched with, None where it asks for none; `known` are values of names."""
    values = [constant_of(expression_in(text), known) for text in kernel.required_block]
    edges = [one for one in values if one is not None and one > 0]
    return (edges[0], edges[1], edges[2]) if len(edges) == len(kernel.required_block) == len("xyz") else None


def _edges_of_blocks(kernel: FoundKernel, known: Mapping[str, int]) -> tuple[int, ...]:
    """What the indices of blocks are multiplied by along x, y and z, as far as each is one number."""
    found: list[int] = []
    for axis in "xyz":
        texts = [text for one, text in kernel.block_edges if one == axis]
        value = constant_of(expression_in(texts[0]), known) if len(texts) == 1 else None
        if value is None or value < 1:
            break
        found.append(value)
    return tuple(found)


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


def _threads(kernel: FoundKernel, known: Mapping[str, int]) -> Iterator[tuple[int, str]]:
    """Numbers of threads along one axis, best first, and where each comes from."""
    bounds = [(kernel.bound.replace("//", "/"), "its `__launch_bounds__` names so many threads")]
    for text, why in (
        *bounds,
        *((text, "an assertion of its source names so many threads") for text in kernel.threads),
    ):
        value = constant_of(expression_in(text), known) if text else None
        if value is not None:
            yield value, why
    yield from (
        (value, f"{name} of its source is called like a number of threads")
        for name, value in known.items()
        if re.search(r"(?i)threads?|num_thr|block_?dim|bdim", name) and value >= 32
    )
    words = {_edge_word(name): value for name, value in known.items() if _edge_word(name)}
    if "M" in words and "N" in words:
        per_thread = words.get("TM", 1) * words.get("TN", 1)
        yield words["M"] * words["N"] // max(1, per_thread), _OF_TILE
        yield words["M"] * words["N"] // max(1, words.get("TM", 1)), _OF_TILE
    tiles = ((name, value) for name, value in known.items() if 4 <= value <= 32)
    yield from (
        (value * value, f"{name} × {name} threads were tried, and with so many it is right")
        for name, value in tiles
        if not name.islower()
    )
    yield from ((value * value, f"a block of {value} × {value} has so many threads") for _, value in tiles)
    yield from ((value, "many kernels have so many threads, and with them it is right") for value in _USUAL_1D)
    yield from (
        (value, f"{name} of its source is {value}") for name, value in known.items() if 32 <= value <= MOST_THREADS
    )


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
    wpt = [
        value for name, value in known.items() if re.fullmatch(r"(?i)wpt|.*coarse.*|.*factor.*|.*per_?thread.*", name)
    ]
    for tile, few in product(tiles, wpt):
        if tile > few > 1:
            yield tile, tile // few
            yield tile // few, tile
    yield from _USUAL_2D


def _with_shared(kernel: FoundKernel, block: Index, because: str) -> Iterator[BlockGuess]:
    """The block, with the shared memory that two or more tiles of its shape take where the launch gives it."""
    element = _bytes_each(kernel)
    edge = max(block[:2])
    tiles = (2, 3, 4) if kernel.dynamic_shared else (0,)
    nbytes = 1 if element == 1 else element
    for count in tiles:
        size = min(count * edge * edge * (4 if nbytes == 1 else nbytes), _MOST_SHARED)
        yield BlockGuess(block, str(size), because, {"tile": edge} if count else {})

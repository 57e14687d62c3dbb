"""Which block of a kernel's code can follow which, through calls and returns, and what is connected by ways round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gemmviz.machine.flow import EXIT
from gemmviz.machine.placement import PlacedBlock

_MOST_NODES = 1 << 14
"""As many are looked at."""


Node = tuple[int, tuple[int, ...]]
"""A block of code, and the blocks at which the functions that are open there go on when they return, the innermost
first.
"""


def part_with(blocks: Sequence[PlacedBlock], node: Node, within: Sequence[int]) -> list[Node] | None:
    """What can be run between leaving a block of code and coming back to it with the same functions open, the node
    itself among it; [] if there is no way back. A function returns to where it was called, not to any of its callers.
    `within` are the blocks of a part in which functions may return to any of these. None where that cannot be followed:
    where functions are called by a pointer on the way, or too many nodes are reached.
    """
    allowed = frozenset(within)
    numbers = {node: 0}
    waiting = [node]
    successors: list[set[int]] = [set()]
    while waiting:
        one = waiting.pop()
        following = _following(blocks, *one)
        if following is None or len(numbers) > _MOST_NODES:
            return None
        for other in following:
            if other[0] not in allowed:
                continue
            if other not in numbers:
                numbers[other] = len(numbers)
                successors.append(set())
                waiting.append(other)
            successors[numbers[one]].add(numbers[other])
    nodes = list(numbers)
    part = next((part for part in connected_parts(successors) if 0 in part), [])
    return [nodes[number] for number in part]


def _following(blocks: Sequence[PlacedBlock], number: int, returns: tuple[int, ...]) -> list[Node] | None:
    """What can follow a block: other blocks with the returns that are open there."""
    block = blocks[number]
    if block.targets is not None:
        return None
    if not block.statements:  # the end of a function
        return [(returns[0], returns[1:])] if returns else []
    behind = [one for one in block.successors if one != EXIT]
    if block.calls is None:
        return [(one, returns) for one in behind]
    called: list[Node] = [(block.calls[1], (behind[0], *returns))] if behind else []
    return called + [(one, returns) for one in behind if block.statements[-1].guard]


def successors_of(blocks: Sequence[PlacedBlock]) -> list[set[int]]:
    """The blocks to which each may go on, into functions and back to all places that call them."""
    successors = [{one for one in block.successors if one != EXIT} for block in blocks]
    behind: dict[str, set[int]] = {}
    for number, block in enumerate(blocks):
        called = [block.calls] if block.calls else [(one.frame, one.first) for one in block.targets or ()]
        for frame, _first in called:
            behind.setdefault(frame.prefix, set()).update(successors[number])
    for number, block in enumerate(blocks):
        successors[number] |= {block.calls[1]} if block.calls else {one.first for one in block.targets or ()}
        if not block.statements:  # the end of a function
            successors[number] |= behind.get(block.frame.prefix, set())
    return successors


def connected_parts(successors: Sequence[set[int]]) -> Iterator[list[int]]:
    """The strongly connected parts of a graph that have a way round (Tarjan, 1972)."""
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    path: list[int] = []
    on_path: set[int] = set()
    for root in range(len(successors)):
        if root in index:
            continue
        work = [(root, iter(sorted(successors[root])))]
        index[root] = low[root] = len(index)
        path.append(root)
        on_path.add(root)
        while work:
            node, rest = work[-1]
            for one in rest:
                if one not in index:
                    index[one] = low[one] = len(index)
                    path.append(one)
                    on_path.add(one)
                    work.append((one, iter(sorted(successors[one]))))
                    break
                if one in on_path:
                    low[node] = min(low[node], index[one])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    at = path.index(node)
                    part, path[at:] = path[at:], []
                    on_path.difference_update(part)
                    if len(part) > 1 or node in successors[node]:
                        yield part


def innermost_part(successors: Sequence[set[int]], part: Sequence[int], visited: frozenset[int]) -> list[int]:
    """The smallest loop in a connected part that has all blocks that were visited: the loops around it are left out one
    after the other, by the blocks at which they are entered.
    """
    while True:
        inside = set(part)
        entries = {
            one for number, behind in enumerate(successors) if number not in inside for one in behind if one in inside
        }
        rest = inside - entries
        within = [successors[one] & rest if one in rest else set() for one in range(len(successors))]
        inner = next((one for one in connected_parts(within) if visited <= set(one)), None)
        if not entries or inner is None:
            return sorted(part)
        part = inner

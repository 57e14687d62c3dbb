"""The control flow of a function: basic blocks, where divergent lanes meet again, and which registers live on.

Divergent lanes meet at the immediate post-dominator of their branch, as in Fung et al., "Dynamic Warp Formation and
Scheduling for Efficient GPU Control Flow", MICRO 2007.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gemmviz.machine.faults import MachineError
from gemmviz.machine.ptx.parse import Function, Statement

EXIT = -1
"""In the place of a block's number: behind the function."""

_LEAVES = frozenset({"ret", "exit", "trap"})
_LANE_WORDS = frozenset({"shfl", "vote", "match", "redux", "elect"})
_SETS_NONE = frozenset({"st", "bra", "ret", "exit", "trap", "red", "prefetch", "call", "stackrestore"})
_ENDS_A_BLOCK = frozenset({"bra", "brx", "bar", "barrier", "call"}) | _LEAVES
_NAME = re.compile(r"(?<![\w$%.])[A-Za-z_$%][\w$]*")
ReadBefore = Mapping[int, Sequence[str]]
"""Unique names of registers by where a statement begins."""


@dataclass(frozen=True, slots=True)
class Block:
    """Statements that run one after the other. `successors` holds the branch's target first, then what follows.

    `meets_at` is the block at which lanes that leave it in different directions run together again.
    """

    statements: tuple[Statement, ...]
    successors: tuple[int, ...]
    meets_at: int
    live_out: frozenset[str]


def meets_lanes(statement: Statement) -> bool:
    """Whether a statement is a `*.sync` instruction in which lanes wait for each other; it is a block of its own."""
    words = statement.words
    return (words[0] in _LANE_WORDS and "sync" in words) or words[:3] == ("bar", "warp", "sync")


def blocks_of(function: Function, read_before: ReadBefore | None = None) -> tuple[Block, ...]:
    """The basic blocks of a function in the order of its text, the first one its entry.

    `read_before` are registers that somebody reads before a statement besides the statement itself.
    """
    pieces, successors = _pieces(function, _ENDS_A_BLOCK)
    rejoin_blocks = _post_dominators(successors)
    live = _live_out(pieces, successors, read_before or {})
    return tuple(map(Block, pieces, successors, rejoin_blocks, live))


def _pieces(function: Function, ends: frozenset[str]) -> tuple[list[tuple[Statement, ...]], list[tuple[int, ...]]]:
    """The statements of each block and the blocks that can follow it."""
    statements = function.statements
    starts = {0} | {_target(one, function) for one in statements if one.words[0] == "bra"}
    starts |= {number + 1 for number, one in enumerate(statements) if one.words[0] in ends}
    starts |= {number + after for number, one in enumerate(statements) if meets_lanes(one) for after in (0, 1)}
    order = sorted(start for start in starts if start < len(statements))
    number_of = {start: number for number, start in enumerate(order)}
    pieces = [statements[a:b] for a, b in zip(order, [*order[1:], len(statements)], strict=True)]
    number_of[len(statements)] = EXIT
    successors = [
        _successors(piece[-1], function, number_of, number + 1 if number + 1 < len(order) else EXIT)
        for number, piece in enumerate(pieces)
    ]
    return _chained(pieces, successors, ends - {"bra"})


def _target(branch: Statement, function: Function) -> int:
    """The number of the statement that a branch goes to."""
    try:
        return function.labels[branch.scope.label(branch.operands[0])]
    except (IndexError, KeyError) as error:
        words = f"{branch.opcode} {', '.join(branch.operands)}"
        raise MachineError(f"{words} goes to a label that is not there", branch.place.line) from error


def _chained(
    pieces: list[tuple[Statement, ...]], successors: list[tuple[int, ...]], stops: frozenset[str]
) -> tuple[list[tuple[Statement, ...]], list[tuple[int, ...]]]:
    """The same code with each block joined to the only one that follows it, where nothing else leads there."""
    sources: dict[int, list[int]] = {}
    for block, after in enumerate(successors):
        for one in after:
            sources.setdefault(one, []).append(block)
    follows = {
        block: after[0]
        for block, after in enumerate(successors)
        if len(after) == 1
        and after[0] > 0
        and sources[after[0]] == [block]
        and pieces[block][-1].words[0] not in stops
        and not meets_lanes(pieces[block][-1])
        and not meets_lanes(pieces[after[0]][0])
    }
    joined, ends = [], []
    heads = [block for block in range(len(pieces)) if block not in set(follows.values())]
    for head in heads:
        whole, block = list(pieces[head]), head
        while block in follows:
            block = follows[block]
            whole += pieces[block]
        joined.append(tuple(whole))
        ends.append(successors[block])
    number_of = {head: number for number, head in enumerate(heads)} | {EXIT: EXIT}
    return joined, [tuple(number_of[one] for one in after) for after in ends]


def _successors(last: Statement, function: Function, number_of: dict[int, int], following: int) -> tuple[int, ...]:
    word = last.words[0]
    if word == "bra":
        target = number_of[_target(last, function)]
        return (target, following) if last.guard else (target,)
    if word in _LEAVES:
        return (EXIT, following) if last.guard else (EXIT,)
    return (following,)


def _post_dominators(successors: Sequence[tuple[int, ...]]) -> list[int]:
    """Of each block the nearest one that every path to the end passes through, by Cooper, Harvey and Kennedy.

    Lanes that end in the middle of a block do not count: the others need not wait for them anywhere.
    """
    successors = [tuple(one for one in after if one != EXIT) if len(after) > 1 else after for after in successors]
    count = len(successors)
    following: list[list[int]] = [[] for _ in range(count + 1)]
    for block, targets in enumerate(successors):
        for one in targets:
            following[count if one == EXIT else one].append(block)
    order = _post_order(following, count)
    place = {block: number for number, block in enumerate(order)}
    nearest: dict[int, int] = {count: count}
    changed = True
    while changed:
        changed = False
        for block in reversed(order[:-1]):
            after = [count if one == EXIT else one for one in successors[block]]
            known = [one for one in after if one in nearest]
            if not known:
                continue
            found = known[0]
            for one in known[1:]:
                found = _meet(found, one, nearest, place)
            if nearest.get(block) != found:
                nearest[block] = found
                changed = True
    return [EXIT if nearest.get(block, count) == count else nearest[block] for block in range(count)]


def _post_order(following: Sequence[Sequence[int]], root: int) -> list[int]:
    order: list[int] = []
    seen = {root}
    stack = [(root, iter(following[root]))]
    while stack:
        block, rest = stack[-1]
        for one in rest:
            if one not in seen:
                seen.add(one)
                stack.append((one, iter(following[one])))
                break
        else:
            order.append(block)
            stack.pop()
    return order


def _meet(a: int, b: int, nearest: dict[int, int], place: dict[int, int]) -> int:
    while a != b:
        while place[a] < place[b]:
            a = nearest[a]
        while place[b] < place[a]:
            b = nearest[b]
    return a


def registers_in(words: str, statement: Statement) -> list[str]:
    """The unique names of the registers that an operand names."""
    found = (statement.scope.register(name) for name in _NAME.findall(words))
    return [register.unique for register in found if register is not None]


def written(statement: Statement) -> list[str]:
    """The registers that a statement sets."""
    word = statement.words[0]
    if word in _SETS_NONE or not statement.operands:
        return []
    if word in {"bar", "barrier"}:
        return registers_in(statement.operands[0], statement) if "red" in statement.words else []
    if statement.operands[0].startswith("["):
        return []
    return registers_in(statement.operands[0], statement)


def used(statement: Statement) -> list[str]:
    """The registers that a statement reads; with a guard also those it sets, since other lanes keep theirs."""
    found = [statement.guard] if statement.guard else []
    found = registers_in(found[0], statement) if found else []
    sets = set(written(statement))
    for number, operand in enumerate(statement.operands):
        if number or not sets:
            found += registers_in(operand, statement)
    return found + (sorted(sets) if statement.guard else [])


def defined_before(function: Function, names: frozenset[str]) -> dict[int, frozenset[str]]:
    """By where each statement begins: those of some registers that every path from the function's entry has set before
    it.
    """
    pieces, successors = _pieces(function, _ENDS_A_BLOCK)
    sets = [{name for one in piece if not one.guard for name in written(one)} & names for piece in pieces]
    into: list[frozenset[str]] = [frozenset() if number == 0 else names for number in range(len(pieces))]
    waiting = list(range(len(pieces)))
    while waiting:
        block = waiting.pop()
        out = into[block] | sets[block]
        for one in successors[block]:
            if one != EXIT and not into[one] <= out:
                into[one] &= out
                waiting.append(one)
    found: dict[int, frozenset[str]] = {}
    for piece, before in zip(pieces, into, strict=True):
        now = set(before)
        for statement in piece:
            found[statement.start] = frozenset(now)
            if not statement.guard:
                now |= names.intersection(written(statement))
    return found


def _live_out(
    pieces: Sequence[Sequence[Statement]], successors: Sequence[tuple[int, ...]], read_before: ReadBefore
) -> list[frozenset[str]]:
    """The registers that a later block reads before it sets them.

    A register that a block sets counts as set only for the lanes that run it; other lanes keep their own values in
    the register file, which is written through the mask, so this is exact.
    """
    first_used: list[set[str]] = []
    sets: list[set[str]] = []
    for piece in pieces:
        uses: set[str] = set()
        defined: set[str] = set()
        for statement in piece:
            uses |= {*used(statement), *read_before.get(statement.start, ())} - defined
            defined |= set(written(statement))
        first_used.append(uses)
        sets.append(defined)
    live_in = [set(uses) for uses in first_used]
    live_out: list[set[str]] = [set() for _ in pieces]
    changed = True
    while changed:
        changed = False
        for block in range(len(pieces) - 1, -1, -1):
            out = set().union(*(live_in[one] for one in successors[block] if one != EXIT))
            into = first_used[block] | (out - sets[block])
            if out != live_out[block] or into != live_in[block]:
                live_out[block], live_in[block] = out, into
                changed = True
    return [frozenset(out) for out in live_out]

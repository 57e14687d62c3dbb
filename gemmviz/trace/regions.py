"""A function as a tree of what is recorded: sites, barriers, calls, and loops around them, in order of execution.

The tree gives every access a place of its own, a slot: one site in one iteration of all its enclosing loops. Slots of a
loop repeat as often as the loop's longest run, so that all threads agree on them whatever their own control flow does.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from gemmviz.backends.dialect.regions import is_barrier_call
from gemmviz.backends.dialect.tree import Node
from gemmviz.trace.accesses import Access

_LOOPS = ("for_statement", "while_statement", "do_statement")


@dataclass(slots=True, eq=False)
class SiteEntry:
    """One recorded site; `index` is its number in the function's file-wide table."""

    index: int


@dataclass(slots=True, eq=False)
class BarrierEntry:
    """A barrier; `index` is its number among the offsets."""

    index: int
    node: Node


@dataclass(slots=True, eq=False)
class CallEntry:
    """A call of a helper whose accesses are recorded; `index` is its number among the offsets."""

    index: int
    function: str
    node: Node


@dataclass(slots=True, eq=False)
class LoopEntry:
    """A loop: an iteration evaluates the condition, runs the body, then the update; at the end the condition once.

    The first condition of a do-while loop is left empty.
    """

    index: int
    node: Node
    condition: list[Entry] = field(default_factory=list)
    body: list[Entry] = field(default_factory=list)


Entry = SiteEntry | BarrierEntry | CallEntry | LoopEntry


@dataclass(slots=True)
class Numbering:
    """Hands out numbers for offsets (sites, barriers, calls) and for loops."""

    offsets: int = 0
    loops: int = 0

    def offset(self) -> int:
        self.offsets += 1
        return self.offsets - 1

    def loop(self) -> int:
        self.loops += 1
        return self.loops - 1


@dataclass(slots=True)
class TreeBuilder:
    """Builds the tree of one function. `accesses` by the place of their node; `recorded` are helpers with accesses."""

    accesses: dict[tuple[int, int], Access]
    recorded: dict[int, str]
    numbering: Numbering
    offsets_of: dict[tuple[int, int], list[int]] = field(default_factory=dict)
    enclosing: dict[int, tuple[LoopEntry, ...]] = field(default_factory=dict)
    loops: list[LoopEntry] = field(default_factory=list)
    in_conditions: set[int] = field(default_factory=set)

    def build(self, body: Node) -> list[Entry]:
        return self._visit(body, ())

    def _visit(self, node: Node, around: tuple[LoopEntry, ...]) -> list[Entry]:
        if node.type in _LOOPS:
            return self._loop(node, around)
        if node.type == "assignment_expression":
            return self._assignment(node, around)
        entries: list[Entry] = []
        for child in node.children:
            entries += self._visit(child, around)
        if is_barrier_call(node):
            index = self.numbering.offset()
            self._keep(node, index, around)
            return [*entries, BarrierEntry(index, node)]
        if node.start_byte in self.recorded and node.type == "call_expression":
            index = self.numbering.offset()
            self._keep(node, index, around)
            return [*entries, CallEntry(index, self.recorded[node.start_byte], node)]
        return entries + self._sites(node, around)

    def _assignment(self, node: Node, around: tuple[LoopEntry, ...]) -> list[Entry]:
        """The right side is evaluated before the left side is stored to."""
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        entries = self._visit(right, around) if right is not None else []
        return entries + (self._visit(left, around) if left is not None else [])

    def _sites(self, node: Node, around: tuple[LoopEntry, ...]) -> list[Entry]:
        access = self.accesses.get((node.start_byte, node.end_byte))
        if access is None or access.node.type != node.type:
            return []
        entries: list[Entry] = []
        for _ in access.kinds:
            index = self.numbering.offset()
            self._keep(node, index, around)
            entries.append(SiteEntry(index))
        return entries

    def _keep(self, node: Node, index: int, around: tuple[LoopEntry, ...]) -> None:
        self.offsets_of.setdefault((node.start_byte, node.end_byte), []).append(index)
        self.enclosing[index] = around

    def _loop(self, node: Node, around: tuple[LoopEntry, ...]) -> list[Entry]:
        loop = LoopEntry(self.numbering.loop(), node)
        self.loops.append(loop)
        inside = (*around, loop)
        before: list[Entry] = []
        for name, part in ((n, node.child_by_field_name(n)) for n in ("initializer", "condition", "body", "update")):
            if part is None:
                continue
            if name == "initializer":
                before = self._visit(part, around)
            elif name == "condition":
                first = self.numbering.offsets
                loop.condition = self._visit(part, inside)
                self.in_conditions.update(range(first, self.numbering.offsets))
            else:
                loop.body += self._visit(part, inside)
        return [*before, loop]

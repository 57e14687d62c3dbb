"""What a recording cannot be sure of where threads run past the barriers: what memory that others write decides.

Such a thread reads what other threads have not stored yet. As a number that does no harm, the result is not used; as
an address it would be recorded wrong, and as a condition it would lead elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from gemmviz.backends.dialect.functions import Function
from gemmviz.backends.dialect.regions import LOOPS, has_barrier
from gemmviz.backends.dialect.symbols import Variable, lvalue_base
from gemmviz.backends.dialect.tree import Node, SourceTree, walk
from gemmviz.domain.access import AccessKind, Space
from gemmviz.trace.accesses import Access

_BRANCHES = ("if_statement", "switch_statement", "conditional_expression")
_JUMPS = ("break_statement", "continue_statement", "return_statement", "goto_statement")

Span = tuple[int, int]
"""First byte and the byte after the last of a part of the text."""


@dataclass(slots=True)
class Doubt:
    """The conditions that memory of several threads decides, and the parts of the text that they decide about."""

    conditions: list[Node] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)

    def covers(self, node: Node) -> bool:
        return any(_lies_in(node, span) for span in self.spans)


class Flow:
    """Follows what memory that several threads share goes into, in one function.

    `calls` are its calls of helpers that are given addresses: what they return is taken to come from such memory.
    `waiting` are those of helpers with barriers.
    """

    def __init__(
        self, tree: SourceTree, function: Function, accesses: Sequence[Access], calls: Sequence[Node],
        waiting: Sequence[Node] = (),
    ) -> None:  # fmt: skip
        self._tree = tree
        self._function = function
        self._accesses = accesses
        self._calls = calls
        self._waiting = waiting
        self._loads = [*_shared_loads(accesses), *calls]
        self._tainted: set[int] = set()
        """Offsets of the declarations of variables that such memory has gone into."""

    def doubt(self) -> Doubt:
        """What is decided by such memory.

        Raises:
            CompileError: it decides an address, what a helper is given, or whether a thread comes to a barrier.
        """
        while True:
            doubt = self._decided()
            more = self._reached(doubt)
            if more == self._tainted:
                break
            self._tainted = more
        for access in self._accesses:
            if self._depends(access.node, within=True):
                raise self._fault(access.node, "this address depends")
        for call in self._calls:
            arguments = call.child_by_field_name("arguments")
            if doubt.covers(call) or (arguments is not None and self._depends(arguments)):
                raise self._fault(call, "what this helper does depends")
        there = [access.node for access in self._accesses]
        kept = [i for i, span in enumerate(doubt.spans) if any(_lies_in(node, span) for node in there)]
        return Doubt([doubt.conditions[i] for i in kept], [doubt.spans[i] for i in kept])

    def _decided(self) -> Doubt:
        doubt = Doubt()
        for node in walk(self._function.body):
            for condition, span in self._decisions(node):
                if self._depends(condition):
                    waits = any(_lies_in(call, span) for call in self._waiting)
                    if waits or any(has_barrier(inner) for inner in self._inside(span)):
                        raise self._fault(condition, "whether all threads come to a barrier depends")
                    doubt.conditions.append(condition)
                    doubt.spans.append(span)
        return doubt

    def _decisions(self, node: Node) -> Iterator[tuple[Node, Span]]:
        """The conditions that a node has, each with the part of the text that it decides about."""
        condition = node.child_by_field_name("condition")
        if condition is not None and node.type in (*_BRANCHES, *LOOPS):
            begin = node.start_byte if node.type in LOOPS else condition.end_byte
            yield condition, (begin, max(node.end_byte, self._end_of_jumps(node)))
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        operator = node.child_by_field_name("operator")
        is_short = operator is not None and operator.type in ("&&", "||")
        if node.type == "binary_expression" and is_short and left is not None and right is not None:
            yield left, (right.start_byte, right.end_byte)

    def _end_of_jumps(self, statement: Node) -> int:
        """Where what the jumps in a statement skip ends: the loop they leave, or the function."""
        end = statement.end_byte
        for jump in (node for node in walk(statement) if node.type in _JUMPS):
            outer = jump.parent
            ends = (*LOOPS, "switch_statement") if jump.type == "break_statement" else LOOPS
            while outer is not None and outer.type not in ends:
                outer = outer.parent
            is_far = jump.type in ("return_statement", "goto_statement") or outer is None
            end = max(end, self._function.body.end_byte if is_far or outer is None else outer.end_byte)
        return end

    def _inside(self, span: Span) -> Iterator[Node]:
        """The nodes in a part of the text; of a loop that it is the rest of, the whole loop."""
        start, end = span
        for node in walk(self._function.body):
            if _lies_in(node, span) or (node.type in LOOPS and start < node.end_byte <= end):
                yield node

    def _reached(self, doubt: Doubt) -> set[int]:
        """The variables that such memory goes into, by a value or because it decides whether they are assigned."""
        found = set(self._tainted)
        for variable in self._function.symbols.variables:
            given = variable.initialiser
            if given is not None and self._depends(given):
                found.add(variable.identifier.start_byte)
        for node in walk(self._function.body):
            if node.type not in ("assignment_expression", "update_expression"):
                continue
            left = node.child_by_field_name("left") or node.child_by_field_name("argument")
            right, target = node.child_by_field_name("right"), self._variable(lvalue_base(left))
            if target is None or left is None or target.is_shared or (target.is_pointer and left.type != "identifier"):
                continue
            decided = doubt.covers(node) and not doubt.covers(target.identifier)  # else it is gone where the doubt ends
            if decided or (right is not None and self._depends(right)):
                found.add(target.identifier.start_byte)
        return found

    def _depends(self, node: Node, within: bool = False) -> bool:
        """Whether such memory goes into an expression; `within` leaves out a load that is the expression itself."""
        loads = [load for load in self._loads if not (within and load.id == node.id)]
        if any(node.start_byte <= load.start_byte and load.end_byte <= node.end_byte for load in loads):
            return True
        names = (self._variable(inner) for inner in walk(node) if inner.type == "identifier")
        return any(name is not None and name.identifier.start_byte in self._tainted for name in names)

    def _variable(self, node: Node | None) -> Variable | None:
        return self._function.symbols.of(node) if node is not None and node.type == "identifier" else None

    def _fault(self, node: Node, what: str) -> Exception:
        return self._tree.fault(
            node,
            f"{what} on memory that other threads write, and the threads of {self._function.name} can only be "
            "recorded one after the other, past the barriers, before others have written there",
        )


def _lies_in(node: Node, span: Span) -> bool:
    return span[0] <= node.start_byte and node.end_byte <= span[1]


def _shared_loads(accesses: Sequence[Access]) -> Iterator[Node]:
    """Loads of memory that another thread may have stored to."""
    stored = {id(a.root) for a in accesses if a.space is Space.GLOBAL and AccessKind.STORE in a.kinds}
    for access in accesses:
        may_be_stored = id(access.root) in stored or (access.root is None and bool(stored)) or id(None) in stored
        if AccessKind.LOAD in access.kinds and (access.space is Space.SHARED or may_be_stored):
            yield access.node

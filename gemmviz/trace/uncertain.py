"""What a recording cannot be sure of: jumps that make loops, and what shared memory decides where barriers are passed.

A thread that runs past the barriers reads what other threads have not stored yet. As a number that does no harm, the
result is not used; as an address or a condition it would be recorded wrong.
"""

from __future__ import annotations

from collections.abc import Sequence

from gemmviz.backends.dialect.functions import Function
from gemmviz.backends.dialect.symbols import Variable, lvalue_base
from gemmviz.backends.dialect.tree import Node, SourceTree, text_of, walk
from gemmviz.domain.access import AccessKind, Space
from gemmviz.trace.accesses import Access

_STEERED = ("if_statement", "for_statement", "while_statement", "do_statement", "switch_statement",
            "conditional_expression")  # fmt: skip


def refuse_jumps_back(tree: SourceTree, function: Function) -> None:
    """Refuse a `goto` to a label before it: how often what lies between runs is not counted.

    Raises:
        CompileError: there is one.
    """
    labels = {
        text_of(label): node.start_byte
        for node in walk(function.body)
        if node.type == "labeled_statement" and (label := node.child_by_field_name("label")) is not None
    }
    for node in walk(function.body):
        label = node.child_by_field_name("label") if node.type == "goto_statement" else None
        if label is not None and labels.get(text_of(label), node.start_byte) < node.start_byte:
            raise tree.fault(node, "a jump back makes a loop whose runs are not recorded; write it as a loop")


def decided_by_shared(tree: SourceTree, function: Function, accesses: Sequence[Access]) -> list[Node]:
    """The conditions of a kernel that runs past its barriers which shared memory decides.

    Raises:
        CompileError: it decides an address.
    """
    loads = [a.node for a in accesses if a.space is Space.SHARED and AccessKind.LOAD in a.kinds]
    tainted = _variables_from(function, loads)
    for access in accesses:
        if _depends(access.node, loads, tainted, function):
            raise tree.fault(
                access.node,
                f"this address depends on shared memory, and the threads of {function.name} can only be recorded one "
                "after the other, past the barriers, before others have stored there",
            )
    found = []
    for node in walk(function.body):
        condition = node.child_by_field_name("condition") if node.type in _STEERED else None
        if condition is None or not (node.type.endswith("_statement") or _holds(node, accesses)):
            continue
        if _is_in(condition, loads) or _depends(condition, loads, tainted, function):
            found.append(condition)
    return found


def _variables_from(function: Function, loads: list[Node]) -> set[int]:
    """Offsets of the declarations of variables that shared memory has gone into."""
    found: set[int] = set()
    while True:
        more = set(found)
        for variable in function.symbols.variables:
            if variable.initialiser is not None and _takes(variable.initialiser, loads, found, function):
                more.add(variable.identifier.start_byte)
        for node in walk(function.body):
            if node.type == "assignment_expression":
                left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
                target = _variable(lvalue_base(left), function)
                is_own = target is not None and not target.is_shared and not target.is_pointer
                is_moved = target is not None and target.is_pointer and left is not None and left.type == "identifier"
                if target is None or right is None or not (is_own or is_moved):
                    continue
                if _takes(right, loads, found, function):
                    more.add(target.identifier.start_byte)
        if more == found:
            return found
        found = more


def _takes(value: Node, loads: list[Node], tainted: set[int], function: Function) -> bool:
    return _is_in(value, loads) or _depends(value, loads, tainted, function)


def _depends(node: Node, loads: list[Node], tainted: set[int], function: Function) -> bool:
    """Whether something below a node comes from shared memory; the node itself may be a load of it."""
    inside = [load for load in loads if load.id != node.id]
    if _is_in(node, inside):
        return True
    names = (_variable(inner, function) for inner in walk(node) if inner.type == "identifier")
    return any(name is not None and name.identifier.start_byte in tainted for name in names)


def _is_in(node: Node, found: list[Node]) -> bool:
    return any(node.start_byte <= other.start_byte and other.end_byte <= node.end_byte for other in found)


def _holds(node: Node, accesses: Sequence[Access]) -> bool:
    return _is_in(node, [access.node for access in accesses])


def _variable(node: Node | None, function: Function) -> Variable | None:
    return function.symbols.of(node) if node is not None and node.type == "identifier" else None

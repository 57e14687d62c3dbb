"""Where an address comes from: the names an expression is made of, and what a pointer is given."""

from __future__ import annotations

import re

from gemmviz.backends.dialect.symbols import Symbols, Variable
from gemmviz.backends.dialect.tree import Node, text_of

_INNER = {
    "subscript_expression": "argument",
    "pointer_expression": "argument",
    "field_expression": "argument",
    "cast_expression": "value",
    "assignment_expression": "left",
    "update_expression": "argument",
    "comma_expression": "right",
}
_BRANCHES = {"binary_expression": ("left", "right"), "conditional_expression": ("consequence", "alternative")}
LOADS = {"__ldg", "__ldca", "__ldcg", "__ldcs", "__ldcv", "__ldlu"}
"""CUDA's functions that load what they are given the address of."""


_OF_VECTORS = re.compile(r"v(?P<deed>load|store)(?P<length>2|4)$")


def vector_call(node: Node) -> tuple[bool, int, Node] | None:
    """Of a call such as `vload4(i, p)` or `vstore4(v, i, p)`: whether it stores, how many numbers, and `p`."""
    callee = node.child_by_field_name("function") if node.type == "call_expression" else None
    match = _OF_VECTORS.match(text_of(callee)) if callee is not None else None
    arguments = node.child_by_field_name("arguments")
    given = [n for n in arguments.named_children if n.type != "comment"] if arguments is not None else []
    if match is None or len(given) != (3 if match["deed"] == "store" else 2):
        return None
    return match["deed"] == "store", int(match["length"]), given[-1]


def loads_through_call(node: Node) -> bool:
    """Whether a node is a call such as `__ldg(&A[i])`."""
    callee = node.child_by_field_name("function") if node.type == "call_expression" else None
    return callee is not None and text_of(callee) in LOADS


def is_named_cast(node: Node) -> bool:
    """Whether a node is `reinterpret_cast<…>(…)` or alike."""
    callee = node.child_by_field_name("function") if node.type == "call_expression" else None
    return callee is not None and callee.type == "template_function"


def parts_of(node: Node) -> list[Node]:
    """The sub-expressions that an address or lvalue may take its address from; none of a name or a number."""
    if node.type in _BRANCHES:
        return [n for field in _BRANCHES[node.type] if (n := node.child_by_field_name(field)) is not None]
    if node.type == "parenthesized_expression":
        return node.named_children[:1]
    if node.type == "call_expression":
        arguments = node.child_by_field_name("arguments")
        return list(arguments.named_children[:1]) if arguments is not None else []
    inner = node.child_by_field_name(_INNER[node.type]) if node.type in _INNER else None
    return [inner] if inner is not None else []


def names_in(node: Node) -> list[Node]:
    """The identifiers an address may come from."""
    names, waiting = [], [node]
    while waiting:
        here = waiting.pop()
        if here.type == "identifier":
            names.append(here)
        else:
            waiting.extend(reversed(parts_of(here)))
    return names


def given_to(variable: Variable) -> list[Node]:
    """Everything that is assigned to a variable, its initialiser first; not what is added to it."""
    given = [variable.initialiser] if variable.initialiser is not None else []
    for write in variable.writes:
        parent = write.parent
        right = parent.child_by_field_name("right") if parent is not None else None
        operator = parent.child_by_field_name("operator") if parent is not None else None
        if right is not None and operator is not None and operator.type == "=":
            given.append(right)
    return given


def root_of(node: Node, symbols: Symbols) -> Variable | None:
    """The array or pointer parameter an address comes from; None where it may be one of several."""
    return _root(node, symbols, frozenset())


def _root(node: Node, symbols: Symbols, seen: frozenset[int]) -> Variable | None:
    variables = [v for n in names_in(node) if (v := symbols.of(n)) is not None]
    roots = [_root_of(v, symbols, seen) for v in variables if v.is_pointer or v.is_shared]
    return roots[0] if roots and all(root is roots[0] for root in roots) else None


def _root_of(variable: Variable, symbols: Symbols, seen: frozenset[int]) -> Variable | None:
    given = [node for node in given_to(variable) if not _is_self(node, variable, symbols)]
    if variable.is_shared or (variable.is_parameter and not given):
        return variable
    key = variable.identifier.start_byte
    if key in seen or variable.is_parameter:
        return None
    roots = [_root(node, symbols, seen | {key}) for node in given]
    return roots[0] if roots and all(root is roots[0] for root in roots) else None


def _is_self(given: Node, variable: Variable, symbols: Symbols) -> bool:
    """`p = p + 4` does not change the array p points into."""
    named = [v for node in names_in(given) if (v := symbols.of(node)) is not None]
    arrays = [v for v in named if v.is_pointer or v.is_shared]
    return bool(arrays) and all(other is variable for other in arrays)

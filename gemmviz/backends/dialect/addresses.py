"""Where an address comes from: the names an expression is made of, and what a pointer is given."""

from __future__ import annotations

from gemmviz.backends.dialect.symbols import DeclaredVariable
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


def given_to(variable: DeclaredVariable) -> list[Node]:
    """Everything that is assigned to a variable, its initialiser first; not what is added to it."""
    given = [variable.initialiser] if variable.initialiser is not None else []
    for write in variable.writes:
        parent = write.parent
        right = parent.child_by_field_name("right") if parent is not None else None
        operator = parent.child_by_field_name("operator") if parent is not None else None
        if right is not None and operator is not None and operator.type == "=":
            given.append(right)
    return given

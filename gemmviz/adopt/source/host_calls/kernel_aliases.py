"""Kernels behind variables that host code launches: `auto chosen = mm<16>; chosen<<<grid, block>>>(…)`."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from gemmviz.adopt.source.kernels import function_declarator, typed_parameters
from gemmviz.adopt.source.launch_calls import LaunchCall
from gemmviz.adopt.source.tree import Node, declared_name, function_around, text_of, walk
from gemmviz.domain.listing import either

_MOST_STEPS = 4
"""From one variable to the next."""
_WRAPPERS = ("parenthesized_expression", "pointer_expression", "cast_expression", "subscript_expression")
_NAMES = ("identifier", "template_function", "qualified_identifier")


def calls_of_kernels(call: LaunchCall, kernels: Collection[str]) -> list[LaunchCall]:
    """A launch with the kernel that the variable holds which it launches, once for each that it may hold: then, and
    where nothing says which, `unread` says so. `kernels` are the short names of those of the file.
    """
    called = call.called
    if isinstance(called, str) or call.unread:
        return [call]
    named = _plain(called)
    if _short_name(named) in kernels:
        return [call]
    values = _values_of(named, 0)
    if values is None:
        return [call]
    found = {text_of(one): one for one in values if _short_name(one) in kernels}
    variable = " ".join(text_of(called).split())
    if len(found) == 1 and len(values) == 1:
        return [replace(call, called=one) for one in found.values()]
    which = f"it launches `{variable}`, and which kernel that is could not be read"
    if not found:
        return [replace(call, called="", unread=which)]
    held = [*found, "another kernel"] if len(found) == 1 else [*found]
    which = f"it launches `{variable}`, which may be {either(held)}, and with which grid each could not be read"
    return [replace(call, called=one, unread=which) for one in found.values()]


def _plain(node: Node) -> Node:
    """An expression without brackets, casts, `&`, `*` and the index of an array."""
    for _ in range(_MOST_STEPS):
        if node.type in _WRAPPERS and node.named_children:
            node = node.named_children[0 if node.type == "subscript_expression" else -1]
        elif node.type == "call_expression" and text_of(node).startswith(("static_cast<", "reinterpret_cast<")):
            given = node.child_by_field_name("arguments")
            node = given.named_children[0] if given is not None and given.named_children else node
    return node


def _short_name(node: Node) -> str:
    """The name of a kernel without namespaces and arguments of its template; "" for what is no name."""
    return text_of(node).partition("<")[0].rpartition("::")[2].strip() if node.type in _NAMES else ""


def _values_of(named: Node, steps: int) -> list[Node] | None:
    """What a variable may hold, None for a parameter of the function around, whose callers say it, and for what is
    declared nowhere; [] for a field of a structure.
    """
    if named.type == "field_expression":
        return []
    name, function = text_of(named), function_around(named)
    if named.type != "identifier" or steps > _MOST_STEPS:
        return None
    if function is not None and name in dict(typed_parameters(function_declarator(function))):
        return None
    for place in filter(None, (function, _root(named))):
        values, is_declared = list[Node](), False
        for node in walk(place):
            if node.type == "declaration":
                is_declared |= any(_declares(one, name) for one in node.children_by_field_name("declarator"))
            values += _given_to(node, name)
        if is_declared:
            nested = [(one, _values_of(one, steps + 1) if one.type == "identifier" else None) for one in values]
            return [each for one, behind in nested for each in (behind or [one])]
    return None


def _declares(declarator: Node, name: str) -> bool:
    return declared_name(declarator) == name


def _given_to(node: Node, name: str) -> Iterator[Node]:
    """The values that a declaration or an assignment gives a variable, both of a conditional one."""
    if node.type == "init_declarator" and declared_name(node.child_by_field_name("declarator")) == name:
        yield from _branches(node.child_by_field_name("value"))
    elif node.type == "assignment_expression" and text_of(node.child_by_field_name("left")) == name:
        yield from _branches(node.child_by_field_name("right"))


def _branches(value: Node | None) -> Iterator[Node]:
    if value is None:
        return
    value = _plain(value)
    if value.type == "conditional_expression":
        for field in ("consequence", "alternative"):
            yield from _branches(value.child_by_field_name(field))
    elif value.type == "initializer_list":
        for one in value.named_children:
            yield from _branches(one)
    elif value.type not in ("null", "number_literal"):
        yield value


def _root(node: Node) -> Node:
    while node.parent is not None:
        node = node.parent
    return node

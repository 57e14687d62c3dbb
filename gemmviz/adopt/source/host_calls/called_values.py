"""The whole numbers that calls give a parameter of a function: written in the call, constants, loops over them."""

from __future__ import annotations

from collections.abc import Iterator

from gemmviz.adopt.source.arithmetic import constant_of, expression_of, written
from gemmviz.adopt.source.changes import changed_in
from gemmviz.adopt.source.kernels import function_declarator, typed_parameters
from gemmviz.adopt.source.names import Names
from gemmviz.adopt.source.tree import Node, declared_name, function_around, text_of, walk
from gemmviz.catalogue.expressions import ExpressionError, evaluate

_MOST_VALUES = 16
_MOST_CALLERS = 3
"""Functions that hand a number on, one to the next."""


def values_given(argument: Node, names: Names, callers: int = 0) -> tuple[int, ...] | None:
    """The values that an argument of a call has, each once; None where they are unknown, () where it is a parameter
    without a default of a function that nothing in the file calls. `names` are those of the file.
    """
    value = _constant(argument, names)
    if value is not None:
        return (value,)
    if argument.type == "subscript_expression":
        array = argument.child_by_field_name("argument")
        return _listed_values(array, names) if array is not None else None
    return _values_of_variable(argument, names, callers) if argument.type == "identifier" else None


def _constant(node: Node | None, names: Names) -> int | None:
    found = expression_of(node)
    return None if found is None else constant_of(names.resolved(found))


def _values_of_variable(variable: Node, names: Names, callers: int) -> tuple[int, ...] | None:
    """Those of a variable that a loop counts, that is declared with a number, or that callers give."""
    name, node = text_of(variable), variable
    while node.parent is not None and node.type != "function_definition":
        inside, node = node, node.parent
        if node.type == "for_range_loop" and declared_name(node.child_by_field_name("declarator")) == name:
            listed = node.child_by_field_name("right")
            return _listed_values(listed, names) if listed is not None else None
        if node.type == "for_statement" and name in changed_in(node, ()):
            return _counted_values(node, name, names)
        if node.type != "compound_statement":
            continue
        for one in node.named_children:
            if one.type == "declaration" and one.start_byte < inside.start_byte and name in _declared(one):
                is_kept = [name in changed_in(each, ()) for each in node.named_children].count(True) == 1
                return _only(_constant(_declared(one)[name], names)) if is_kept else None
    function = function_around(variable)
    declarator = function_declarator(function) if function is not None else None
    given = [one for one, _ in typed_parameters(declarator)]
    if function is None or declarator is None or name not in given or callers >= _MOST_CALLERS:
        return None
    if name in changed_in(function.child_by_field_name("body") or function, ()):
        return None
    called = text_of(declarator.child_by_field_name("declarator"))
    found: dict[int, None] = {}
    default = _only(_constant(_default_of(declarator, name), names))
    calls = [*calls_of(_root(variable), called)]
    for call in calls:
        arguments = [one for one in call.named_children if one.type != "comment"]
        place = given.index(name)
        values = values_given(arguments[place], names, callers + 1) if place < len(arguments) else default
        if values is None:
            return None
        found |= dict.fromkeys(values)
    return tuple(found) if calls else default or ()


def _default_of(declarator: Node, name: str) -> Node | None:
    """The default argument of a function's parameter."""
    given = declarator.child_by_field_name("parameters")
    for one in given.named_children if given is not None else ():
        if declared_name(one.child_by_field_name("declarator")) == name:
            return one.child_by_field_name("default_value")
    return None


def calls_of(root: Node, function: str) -> Iterator[Node]:
    """The lists of arguments that calls in a file give a function."""
    for node in walk(root):
        given = node.child_by_field_name("arguments") if node.type == "call_expression" else None
        if given is not None and text_of(node.child_by_field_name("function")) == function:
            yield given


def _declared(declaration: Node) -> dict[str, Node | None]:
    pairs = (
        (declared_name(one.child_by_field_name("declarator")), one.child_by_field_name("value"))
        for one in declaration.children_by_field_name("declarator")
        if one.type == "init_declarator"
    )
    return dict(pairs)


def _only(value: int | None) -> tuple[int, ...] | None:
    return None if value is None else (value,)


def _listed_values(listed: Node, names: Names) -> tuple[int, ...] | None:
    """The values of a list, or of an array that is declared with one and never changed."""
    if listed.type == "identifier":
        name, root = text_of(listed), _root(listed)
        lists = [_declared(one)[name] for one in walk(root) if one.type == "declaration" and name in _declared(one)]
        is_changed = any(
            one.type == "assignment_expression" and text_of(one.child_by_field_name("left")).startswith(f"{name}[")
            for one in walk(root)
        )
        if len(lists) != 1 or lists[0] is None or is_changed:
            return None
        listed = lists[0]
    if listed.type != "initializer_list":
        return None
    values = [_constant(one, names) for one in listed.named_children if one.type != "comment"]
    known = [one for one in values if one is not None]
    return tuple(dict.fromkeys(known)) if known and len(known) == len(values) <= _MOST_VALUES else None


def _counted_values(loop: Node, name: str, names: Names) -> tuple[int, ...] | None:
    """The values of a variable that a loop counts up or multiplies: `for (int t = 8; t <= 32; t *= 2)`."""
    start, update = loop.child_by_field_name("initializer"), loop.child_by_field_name("update")
    condition, body = expression_of(loop.child_by_field_name("condition")), loop.child_by_field_name("body")
    if start is None or start.type != "declaration" or update is None or condition is None or body is None:
        return None
    resolved, value = names.resolved(condition), _constant(_declared(start).get(name), names)
    sign = text_of(update.child_by_field_name("operator"))
    step = 1 if sign == "++" else _constant(update.child_by_field_name("right"), names)
    if resolved is None or value is None or step is None or sign not in ("++", "+=", "*="):
        return None
    if name in changed_in(body, ()):
        return None
    found: list[int] = []
    try:
        while len(found) <= _MOST_VALUES and evaluate(written(resolved), {name: value}):
            found.append(value)
            value = value * step if sign == "*=" else value + step
    except ExpressionError:
        return None
    return tuple(found) if 0 < len(found) <= _MOST_VALUES else None


def _root(node: Node) -> Node:
    while node.parent is not None:
        node = node.parent
    return node

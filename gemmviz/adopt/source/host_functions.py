"""Functions of host code: their parameters, and what those of a template stand for where the file calls it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from gemmviz.adopt.source.arithmetic import constant_of
from gemmviz.adopt.source.kernels import template_parameters
from gemmviz.adopt.source.launch_calls import template_arguments
from gemmviz.adopt.source.names import Names
from gemmviz.adopt.source.tree import Node, text_of, walk


def names_within(function: Node | None, called: str, names: Names) -> Names:
    """The names of a file within a function of that name: numbers that its template is given in the first call that
    gives all of them are constants there, as in `launch<64, 64, 8>(…)`.
    """
    parameters = tuple(template_parameters(function)) if function is not None else ()
    numbers = [(place, one.name) for place, one in enumerate(parameters) if one.kind == "number"]
    if function is None or not numbers:
        return names
    root = function
    while root.parent is not None:
        root = root.parent
    for node in walk(root):
        if node.type != "call_expression":
            continue
        function_called = node.child_by_field_name("function")
        if function_called is None or text_of(function_called).partition("<")[0].strip() != called:
            continue
        given = [value for _, value in template_arguments(function_called)]
        values = ((name, given[place]) for place, name in numbers if place < len(given))
        known = {name: constant_of(names.resolved(value)) for name, value in values if value is not None}
        found = {name: ast.Constant(number) for name, number in known.items() if number is not None}
        if len(found) == len(numbers):
            return replace(names, constants=names.constants | found)
    return names


def parameters_of(declarator: Node | None) -> Iterator[tuple[str, str]]:
    """The names of a function's parameters, which hide those of the file, and their types without `const`."""
    given = declarator.child_by_field_name("parameters") if declarator is not None else None
    for one in given.named_children if given is not None else ():
        words = re.findall(r"[A-Za-z_]\w*", text_of(one.child_by_field_name("declarator")))
        yield from ((name, text_of(one.child_by_field_name("type"))) for name in words[-1:])


def function_around(node: Node) -> Node | None:
    """The definition of the function that a node of the tree is in."""
    parent = node.parent
    while parent is not None and parent.type != "function_definition":
        parent = parent.parent
    return parent

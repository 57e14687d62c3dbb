"""What the parameters of a function template in host code stand for where the file calls it."""

from __future__ import annotations

import ast
from dataclasses import replace

from gemmviz.adopt.source.arithmetic import constant_of, expression_of
from gemmviz.adopt.source.kernels import template_parameters
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


def template_arguments(called: Node) -> list[tuple[str, ast.expr | None]]:
    """The arguments of the template that is called: their text, and what they are as arithmetic."""
    lists = (node for node in walk(called) if node.type == "template_argument_list")
    found: list[tuple[str, ast.expr | None]] = []
    for one in next((node.named_children for node in lists), []):
        words = " ".join(text_of(one).split())
        is_name = one.type == "type_descriptor" and words.isidentifier()
        found.append((words, ast.Name(words) if is_name else expression_of(one)))
    return found

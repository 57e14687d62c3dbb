"""Which variables a part of a function changes."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from gemmviz.adopt.source.tree import Node, text_of, walk


def declared_in(node: Node) -> Iterator[str]:
    for one in node.children_by_field_name("declarator"):
        name = re.search(r"[A-Za-z_]\w*", text_of(one))
        if name is not None:
            yield name[0]


def changed_in(node: Node, by_reference: Collection[str]) -> list[str]:
    """The variables that something may change: declared, assigned to, counted, or handed on by their address."""
    found: dict[str, None] = {}
    for one in walk(node):
        target: Node | None = None
        if one.type == "assignment_expression":
            target = one.child_by_field_name("left")
        elif one.type == "update_expression" or (
            one.type == "pointer_expression"
            and text_of(one).startswith("&")
            and not _is_in_list(one)
            and not _is_launched(one)
        ):
            target = one.child_by_field_name("argument")
        elif one.type == "declaration":
            found |= dict.fromkeys(declared_in(one))
        elif one.type == "for_range_loop":
            found |= dict.fromkeys(re.findall(r"[A-Za-z_]\w*", text_of(one.child_by_field_name("declarator"))))
        elif one.type == "binary_expression" and text_of(one.child_by_field_name("operator")) == ">>":
            left, right = one.child_by_field_name("left"), one.child_by_field_name("right")
            if left is not None and re.match(r"(std::)?cin\b|\w*(stream|file|in)\b", text_of(left)):
                target = right
        elif one.type == "call_expression" and text_of(one.child_by_field_name("function")) in by_reference:
            given = one.child_by_field_name("arguments")
            found |= dict.fromkeys(text_of(each) for each in (given.named_children if given is not None else ()))
        words = text_of(target).replace(" ", "").replace("->", ".")
        if re.fullmatch(r"[A-Za-z_]\w*(\.\w+)*", words):
            found[words] = None
    return [one for one in found if re.fullmatch(r"[A-Za-z_]\w*(\.\w+)*", one)]


def _is_launched(node: Node) -> bool:
    """Whether an address is that of the configuration of a launch, which keeps it."""
    parent = node.parent.parent if node.parent is not None else None
    return parent is not None and text_of(parent.child_by_field_name("function")).startswith("cudaLaunchKernelEx")


def _is_in_list(node: Node) -> bool:
    """Whether an address stands in a list of values, as for `cudaLaunchKernel`."""
    parent = node.parent
    while parent is not None and parent.type in ("cast_expression", "parenthesized_expression"):
        parent = parent.parent
    return parent is not None and parent.type == "initializer_list"

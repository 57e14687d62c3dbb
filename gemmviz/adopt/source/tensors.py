"""Tensors of host code that know their own sizes, as PyTorch's do: `A.size(0)`, `A.sizes()[1]`, `A.data_ptr<float>()`.

A size is the name `A.size_0`, counted from the end `A.size_last1`, so that arithmetic takes it for a field of `A`.
"""

from __future__ import annotations

import ast
import re

from gemmviz.adopt.source.tree import Node, text_of

_SIZE = re.compile(r"(\w+)(?:\.|->)(?:(size|shape|stride)\((-?\d)\)|(sizes|shape|strides)(?:\(\))?\[(-?\d)\])")
_SIZE_NAME = re.compile(r"(\w+)\.size_(last)?(\d)\Z")
_ANY_SIZE_NAME = re.compile(r"(\w+)\.(size|stride)_(last)?(\d)\b")
_DATA = re.compile(r"(\w+)(?:\.|->)(?:(?:mutable_|const_)?data_ptr|data)(?:<[^()]*>)?\(\)")
_CONVERSION = re.compile(r"(?:reinterpret_cast|static_cast|const_cast)\s*<")
_DIMENSIONS = 2
"""Of a matrix."""


def size_of_tensor(node: Node) -> ast.Name | None:
    """A size of a tensor as a name; None for anything else."""
    found = _SIZE.fullmatch("".join(text_of(node).split()))
    if found is None:
        return None
    kind, number = ("stride" if "stride" in (found[2] or found[4]) else "size"), int(found[3] or found[5])
    return ast.Name(f"{found[1]}.{kind}_{'last' if number < 0 else ''}{abs(number)}")


def tensor_behind(node: Node) -> str:
    """The tensor whose first element an argument points to; "" for anything else."""
    while True:
        if node.type in ("cast_expression", "parenthesized_expression") and node.named_children:
            node = node.named_children[-1]
            continue
        given = node.child_by_field_name("arguments")
        function = text_of(node.child_by_field_name("function"))
        if given is None or not _CONVERSION.match(function) or given.named_child_count != 1:
            break
        node = given.named_children[0]
    found = _DATA.fullmatch("".join(text_of(node).split()))
    return found[1] if found is not None else ""


def tensors_that_are_no_matrices(text: str) -> frozenset[str]:
    """The tensors that a function asks for the size of a third dimension."""
    sizes = _SIZE.finditer("".join(text.split()))
    found = ((one[1], int(one[3] or one[5])) for one in sizes)
    return frozenset(name for name, number in found if number >= _DIMENSIONS or number < -_DIMENSIONS)


def place_of_size(name: str) -> tuple[str, int] | None:
    """The tensor of the name of a size, and which of the two sizes of a matrix it is; None for another name."""
    found = _SIZE_NAME.fullmatch(name)
    if found is None:
        return None
    number = _DIMENSIONS - int(found[3]) if found[2] else int(found[3])
    return (found[1], number) if 0 <= number < _DIMENSIONS else None


def with_calls(text: str) -> str:
    """An expression with sizes as the source has them: "w.size(1)"."""
    return _ANY_SIZE_NAME.sub(lambda one: f"{one[1]}.{one[2]}({'-' if one[3] else ''}{one[4]})", text)

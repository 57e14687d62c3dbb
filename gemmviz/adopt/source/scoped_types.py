"""Types that a file defines in namespaces and classes, by the names that are known outside of these."""

from __future__ import annotations

from collections.abc import Iterator

from gemmviz.adopt.source.kernels import template_parameters
from gemmviz.adopt.source.tree import Node, text_of, walk

_CLASSES = ("struct_specifier", "class_specifier", "enum_specifier", "union_specifier")
_SCOPES = ("namespace_definition", *_CLASSES)


def scoped_type(words: str, node: Node) -> str:
    """The name of a type that is written at a node, "Identity", as it is known at the end of its file,
    "ops::Identity"; as written where no class of the scopes around the node has that name.
    """
    name, bracket, rest = words.partition("<")
    scopes = [*_scopes_around(node)]
    if not scopes or name in _own_types(node):
        return words
    root = node
    while root.parent is not None:
        root = root.parent
    known = {_path_of(one) for one in walk(root) if one.type in _CLASSES and one.child_by_field_name("body")}
    prefix = next((one for one in scopes if f"{one}::{name.strip()}" in known), "")
    return f"{prefix}::{name}{bracket}{rest}" if prefix else words


def _scopes_around(node: Node) -> Iterator[str]:
    """The namespaces and classes around a node, the innermost first, each with those around it."""
    outer = node.parent
    while outer is not None:
        if outer.type in _SCOPES and (path := _path_of(outer)):
            yield path
        outer = outer.parent


def _path_of(node: Node) -> str:
    """The name of a namespace or class with those around it."""
    names = list[str]()
    outer: Node | None = node
    while outer is not None:
        if outer.type in _SCOPES and (name := text_of(outer.child_by_field_name("name"))):
            names.insert(0, name)
        outer = outer.parent
    return "::".join(names)


def _own_types(node: Node) -> set[str]:
    """The parameters of the templates around a node, which hide types of the same names."""
    found, outer = set[str](), node.parent
    while outer is not None:
        found |= {one.name for one in template_parameters(outer)}
        outer = outer.parent
    return found

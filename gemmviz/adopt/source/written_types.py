"""The types of what host code computes with, as far as its text says them."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from gemmviz.adopt.source.launch_calls import template_arguments
from gemmviz.adopt.source.names import Names
from gemmviz.adopt.source.tree import Node, declared_name, text_of, walk

_NO_TYPES: Mapping[str, str] = {}
_CONTAINER = re.compile(r"[\w:]+\s*<\s*(?:const\s+)?([\w: ]+?)\s*[*&]*\s*(?:,.*)?>[\s*&]*", re.DOTALL)
_CASTS = ("static_cast", "reinterpret_cast", "const_cast", "bit_cast")
_SAME = ("raw_pointer_cast", "move", "forward", "data", "get", "as_const", "to_address", "begin")
"""Functions and methods whose result points to what they are given or called on."""
_DECLARATIONS = ("declaration", "parameter_declaration", "optional_parameter_declaration", "field_declaration")
_DEEPEST = 12


class WrittenTypes:
    """The types that a file's text says, of which `root` is the tree."""

    def __init__(self, root: Node, names: Names) -> None:
        self._root, self._names = root, names
        self._variables: dict[tuple[int, int], dict[str, tuple[str, Node | None]]] = {}

    def plain(self, written: str, types: Mapping[str, str], own: Collection[str] = ()) -> str:
        """A type without stars, references and qualifiers, of a container that of its elements; `types` are those that
        parameters of templates stand for, `own` the names of parameters. "" for what is not said.
        """
        words = self._names.plain_type(written.replace("&", " ")).rstrip("* ")
        if held := _CONTAINER.fullmatch(words):
            return self.plain(held[1], types, own)
        if words in types or words in own:
            return types.get(words, "")
        return "" if not words or words.split()[0] in ("auto", "decltype", "void") or "<" in words else words

    def of(self, node: Node, function: Node | None, types: Mapping[str, str] = _NO_TYPES, depth: int = 0) -> str:
        """The type of an expression, of a pointer or a container that of its elements; "" for what is not said. It
        stands in `function`, around which parameters of templates stand for `types`.
        """
        if depth > _DEEPEST:
            return ""

        def inner(one: Node | None) -> str:
            return "" if one is None else self.of(one, function, types, depth + 1)

        match node.type:
            case "identifier":
                return self._of_variable(text_of(node), function, types, depth)
            case "cast_expression":
                return self.plain(text_of(node.child_by_field_name("type")), types)
            case "compound_literal_expression" | "parameter_declaration":
                return self.plain(text_of(node.child_by_field_name("type")), types)
            case "field_expression":
                return self._of_field(text_of(node.child_by_field_name("field")), types)
            case "call_expression":
                return self._of_call(node, function, types, depth)
            case "binary_expression":
                return inner(node.child_by_field_name("left")) or inner(node.child_by_field_name("right"))
            case "subscript_expression" | "pointer_expression":
                return inner(node.child_by_field_name("argument") or next(iter(node.named_children), None))
            case "parenthesized_expression":
                return inner(next(iter(node.named_children), None))
            case "new_expression":
                return self.plain(text_of(node.child_by_field_name("type")), types)
        return ""

    def _of_call(self, node: Node, function: Node | None, types: Mapping[str, str], depth: int) -> str:
        called, given = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if called is None:
            return ""
        name = text_of(called).partition("<")[0]
        explicit = [words for words, _ in template_arguments(called)]
        inside = [one for one in given.named_children if one.type != "comment"] if given is not None else []
        if called.type == "field_expression":
            if explicit:  # x.data_ptr<float>()
                return self.plain(explicit[0], types)
            held = called.child_by_field_name("argument") or called.named_children[0]
            method = text_of(called.child_by_field_name("field"))
            return self.of(held, function, types, depth + 1) if method in _SAME else ""
        if name.rpartition("::")[2] in _CASTS and explicit:
            return self.plain(explicit[0], types)
        if name.rpartition("::")[2] in _SAME and inside:
            return self.of(inside[0], function, types, depth + 1)
        return ""

    def _of_variable(self, name: str, function: Node | None, types: Mapping[str, str], depth: int) -> str:
        for scope in (function, self._root):
            if scope is not None and (found := self._declared(scope).get(name)):
                written, value = found
                if written.split()[:1] in (["auto"], ["const"]) and "auto" in written and value is not None:
                    return self.of(value, function, types, depth + 1)
                return self.plain(written, types)
        return self._of_field(name, types)

    def _of_field(self, name: str, types: Mapping[str, str]) -> str:
        """The type of a field that every structure of the file with such a field gives it."""
        found = {
            self.plain(text_of(one.child_by_field_name("type")), types)
            for one in walk(self._root)
            if one.type == "field_declaration"
            and any(declared_name(each) == name for each in one.children_by_field_name("declarator"))
        }
        return found.pop() if len(found) == 1 else ""

    def _declared(self, scope: Node) -> dict[str, tuple[str, Node | None]]:
        """The variables that are declared in a function or outside of functions, with their types and what they begin
        with; a name of two variables of different types has no type.
        """
        key = (scope.start_byte, scope.end_byte)
        if key not in self._variables:
            found: dict[str, tuple[str, Node | None]] = {}
            for node in walk(scope):
                if node.type not in _DECLARATIONS or (scope is self._root and not _is_global(node)):
                    continue
                words = text_of(node.child_by_field_name("type"))
                for one in node.children_by_field_name("declarator"):
                    is_begun = one.type == "init_declarator"
                    name = declared_name(one)
                    entry = (words, one.child_by_field_name("value") if is_begun else None)
                    if name and name in found and found[name][0] != words:
                        entry = ("auto", None)
                    found[name] = entry
            self._variables[key] = found
        return self._variables[key]


def _is_global(node: Node) -> bool:
    return node.parent is not None and node.parent.type in (
        "translation_unit",
        "namespace_definition",
        "declaration_list",
        "linkage_specification",
    )

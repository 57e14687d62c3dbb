"""`extern __shared__ float s[];` at file scope, as CUDA's tutorials have it, becomes a declaration of the entry."""

from __future__ import annotations

from collections.abc import Iterator

from gemmviz.backends.dialect.functions import FunctionDefinition
from gemmviz.backends.dialect.symbols import declared_name, is_shared_declaration
from gemmviz.backends.dialect.tree import Edits, Node, SourceTree, reparse, text_of, walk, words


def file_shared(tree: SourceTree) -> list[Node]:
    """The declarations of dynamic shared memory at file scope, also those in an `extern "C" {` block."""
    return [node for node in _file_scope(tree.root) if node.type == "declaration" and _is_dynamic_shared(node)]


def names_of(declarations: list[Node]) -> frozenset[str]:
    declarators = [d for node in declarations for d in node.children_by_field_name("declarator")]
    return frozenset(text_of(name) for d in declarators if (name := declared_name(d)) is not None)


def moved_into(tree: SourceTree, declarations: list[Node], entry: FunctionDefinition) -> SourceTree:
    """The tree with those of `declarations` that the entry uses behind the `{` of its body; every line stays in place.

    The others go: shared memory that only another kernel of the file uses would be one more argument of this one.
    """
    used = _names_from_outside(tree, entry)
    edits = Edits(tree.text)
    for node in declarations:
        edits.remove(node)
        if names_of([node]) & used:
            edits.insert(entry.body.children[0].end_byte, f" {_on_one_line(node)}")
    return reparse(tree.path, tree.written.rewritten(edits.pieces()))


def _file_scope(node: Node) -> Iterator[Node]:
    for child in node.children:
        yield child
        if child.type in ("linkage_specification", "declaration_list"):
            yield from _file_scope(child)


def _is_dynamic_shared(node: Node) -> bool:
    return is_shared_declaration(node) and any(child.text == b"extern" for child in node.children)


def _names_from_outside(tree: SourceTree, entry: FunctionDefinition) -> set[str]:
    """Names in the entry that it does not declare, and those in macros, which it may use."""
    inside = [node for node in walk(entry.node) if node.type == "identifier"]
    own = {variable.name for variable in entry.symbols.variables}
    macros = [node for node in walk(tree.root) if node.type in ("preproc_def", "preproc_function_def")]
    values = [text_of(value) for node in macros if (value := node.child_by_field_name("value")) is not None]
    in_macros = {word for value in values for word in words(value)}
    return {text_of(node) for node in inside if entry.symbols.of(node) is None} | (in_macros - own)


def _on_one_line(node: Node) -> str:
    return " ".join(text_of(leaf) for leaf in walk(node) if not leaf.children and leaf.type != "comment")

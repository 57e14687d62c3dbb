"""Whole-number constants become enumerators: OpenCL C sizes an array by nothing else that has a name."""

from __future__ import annotations

from gemmviz.backends.dialect.symbols import Symbols, declared_name
from gemmviz.backends.dialect.tree import Node, SourceTree, text_of, walk

_SIGNED = {"int", "short", "char"}
_UNSIGNED = {"unsigned", "unsigned int", "uint"}
_QUALIFIERS = {"const", "constexpr"}


def is_enumeration(declaration: Node, symbols: Symbols | None = None) -> bool:
    """Whether a declaration becomes an enumeration: `constexpr int TM = 4;`.

    At file scope (without `symbols`) every whole constant does; in a function `const` alone does not, unless
    an array takes its size from it: `const int row = …` differs between threads.
    """
    kind = declaration.child_by_field_name("type")
    declarators = declaration.children_by_field_name("declarator")
    words = {text_of(child) for child in declaration.children if child.type == "type_qualifier"}
    if declaration.type != "declaration" or kind is None or not words & _QUALIFIERS or words - _QUALIFIERS:
        return False
    named = [d.child_by_field_name("declarator") for d in declarators if d.type == "init_declarator"]
    if not named or len(named) != len(declarators) or any(n is None or n.type != "identifier" for n in named):
        return False
    if _on_one_line(kind) not in _SIGNED | _UNSIGNED:
        return False
    return symbols is None or "constexpr" in words or any(_sizes_an_array(d, symbols) for d in declarators)


def enumeration(declaration: Node) -> str:
    """`constexpr int BM = 64, BN = BM;` as `enum { BM = 64, BN = BM };`, its lines kept."""
    declarators = declaration.children_by_field_name("declarator")
    lines = "\n" * (text_of(declaration).count("\n") - sum(text_of(d).count("\n") for d in declarators))
    return f"enum {{ {', '.join(text_of(d) for d in declarators)} }};{lines}"


def unsigned_names(declaration: Node) -> set[str]:
    """Names that an enumeration would make signed, and whose uses must be cast back."""
    kind = declaration.child_by_field_name("type")
    if kind is None or _on_one_line(kind) not in _UNSIGNED:
        return set()
    names = (declared_name(d) for d in declaration.children_by_field_name("declarator"))
    return {text_of(name) for name in names if name is not None}


def file_enumerations(tree: SourceTree) -> list[Node]:
    """The declarations at file scope that become enumerations."""
    return [node for node in tree.root.children if is_enumeration(node)]


def _sizes_an_array(declarator: Node, symbols: Symbols) -> bool:
    """Whether an array takes its size from a constant, or from another that is made of it."""
    name = declared_name(declarator)
    variable = symbols.of(name) if name is not None else None
    if variable is None or variable.writes:
        return False
    for use in variable.uses:
        outer = use.parent
        while outer is not None and outer.type in ("binary_expression", "parenthesized_expression"):
            outer = outer.parent
        is_given = outer is not None and outer.type == "init_declarator" and use.start_byte > outer.start_byte
        if _is_in_size(use) or (is_given and outer is not None and _sizes_an_array(outer, symbols)):
            return True
    return False


def _on_one_line(node: Node) -> str:
    return " ".join(text_of(node).split())


def _is_in_size(use: Node) -> bool:
    inner, outer = use, use.parent
    while outer is not None and outer.type not in ("declaration", "compound_statement"):
        if outer.type == "array_declarator":
            size = outer.child_by_field_name("size")
            return size is not None and any(node.start_byte == inner.start_byte for node in walk(size))
        inner, outer = outer, outer.parent
    return False

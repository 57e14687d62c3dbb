"""A file in the plainest words for the same: `(*p).x` for `p->x`, `A[i]` for `i[A]`, C's tags, no name of OpenCL's own.

Every line stays in place, and the text knows what was written.
"""

from __future__ import annotations

from gemmviz.backends.dialect.functions import FunctionDefinition, functions_of
from gemmviz.backends.dialect.opencl_names import FUNCTIONS
from gemmviz.backends.dialect.symbols import declared_name, is_shared_declaration
from gemmviz.backends.dialect.tree import Edits, Node, SourceTree, find_all, reparse, text_of, walk
from gemmviz.backends.dialect.value_types import STRUCTURES, Address, Items, ValueTypes

_OWN = "{}_gv"
"""What a name of the file becomes that OpenCL C has taken."""


def in_plain_form(tree: SourceTree) -> SourceTree:
    """The tree of the same file without what the translation would have to treat twice.

    Raises:
        CompileError: a structure has functions, bit-fields or pointers.
    """
    edits = Edits(tree.text)
    _use_dots(tree, edits)
    _give_tags(tree, edits)
    _rename(tree, edits)
    _declare_apart(tree, edits)
    if edits.replacements:
        tree = reparse(tree.path, tree.written.rewritten(edits.pieces()))
    while swaps := _swaps(tree):
        tree = reparse(tree.path, tree.written.rewritten(swaps.pieces()))
    return tree


def _use_dots(tree: SourceTree, edits: Edits) -> None:
    for node in find_all(tree.root, lambda node: node.type == "field_expression"):
        argument, arrow = node.child_by_field_name("argument"), node.child_by_field_name("operator")
        if argument is not None and arrow is not None and arrow.type == "->":
            edits.insert(argument.start_byte, "(*")
            edits.insert(argument.end_byte, ")")
            edits.replace(arrow, ".")


def _give_tags(tree: SourceTree, edits: Edits) -> None:
    """C++ lets `struct P` be called P."""
    words: dict[str, str] = {}
    for node in find_all(tree.root, lambda node: node.type in STRUCTURES):
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if body is not None:
            _refuse_cpp(tree, node, body)
        if name is not None and body is not None:
            words[text_of(name)] = "struct" if node.type == "struct_specifier" else "union"
    for node in find_all(tree.root, lambda node: node.type == "type_definition"):
        for named in node.children_by_field_name("declarator"):
            words.pop(text_of(named), None)
    for node in find_all(tree.root, lambda node: node.type == "type_identifier" and text_of(node) in words):
        if node.parent is not None and node.parent.type not in STRUCTURES:
            edits.replace(node, f"{words[text_of(node)]} {text_of(node)}")


def _refuse_cpp(tree: SourceTree, structure: Node, body: Node) -> None:
    if any(child.type == "base_class_clause" for child in structure.children):
        raise tree.fault(structure, "a structure made from another is C++ that gemmviz does not translate")
    for child in body.named_children:
        functions = find_all(child, lambda node: node.type in ("function_definition", "function_declarator"))
        if functions or child.type not in ("field_declaration", "comment"):
            raise tree.fault(child, "a structure with functions is C++ that gemmviz does not translate")
        if any(node.type == "bitfield_clause" for node in child.children):
            raise tree.fault(child, "bit-fields are not in OpenCL C; use whole numbers")
        if child.child_by_field_name("default_value") is not None:
            raise tree.fault(child, "a member with a value of its own is C++ that gemmviz does not translate")
        if any(node.type == "pointer_declarator" for node in walk(child)):
            raise tree.fault(
                child, "which memory a pointer inside a structure points into is not followed; use a variable for it"
            )


def _rename(tree: SourceTree, edits: Edits) -> None:
    """Functions and constants of the file that are called as a function of OpenCL C is."""
    taken: set[str] = set()
    for node in walk(tree.root):
        outer = node.parent.type if node.parent is not None else ""
        is_file_scope = node.type == "declaration" and outer not in ("compound_statement", "for_statement")
        if node.type != "function_definition" and (not is_file_scope or is_shared_declaration(node)):
            continue
        if any(child.text == b"__global__" for child in node.children):
            continue
        for declarator in node.children_by_field_name("declarator"):
            name = declared_name(declarator)
            if name is not None and text_of(name) in FUNCTIONS:
                taken.add(text_of(name))
    for node in find_all(tree.root, lambda node: node.type == "identifier") if taken else ():
        if text_of(node) in taken:
            edits.replace(node, _OWN.format(text_of(node)))


def _declare_apart(tree: SourceTree, edits: Edits) -> None:
    """`int a = 1; int b = 2;` for `int a = 1, b = 2;`: what is true of one of them need not be of the other."""
    for node in find_all(tree.root, lambda node: node.type == "declaration"):
        declarators = node.children_by_field_name("declarator")
        kind, outer = node.child_by_field_name("type"), node.parent
        if len(declarators) < 2 or kind is None or outer is None or outer.type != "compound_statement":
            continue
        if kind.type in STRUCTURES and kind.child_by_field_name("body") is not None:
            continue
        specifiers = [child for child in node.children if child.end_byte <= declarators[0].start_byte]
        words = " ".join(" ".join(edits.render_node(child).split()) for child in specifiers)
        for comma in (child for child in node.children if child.type == ","):
            edits.replace(comma, f"; {words}")


def _swaps(tree: SourceTree) -> Edits | None:
    """The edits that put the array of `i[A]` in front; None where there is no such thing."""
    edits = Edits(tree.text)
    for function in functions_of(tree).values():
        types = ValueTypes(tree, function.symbols)
        for node in find_all(function.node, lambda node: node.type == "subscript_expression"):
            argument, index = node.child_by_field_name("argument"), _index_of(node)
            if argument is None or index is None or _contains(node, edits):
                continue
            if _is_address(index, types, function) and not _is_address(argument, types, function):
                edits.replace(argument, f"({text_of(index)})")
                edits.replace(index, text_of(argument))
    return edits if edits.replacements else None


def _is_address(node: Node, types: ValueTypes, function: FunctionDefinition) -> bool:
    if not any(inner.type == "identifier" and function.symbols.of(inner) is not None for inner in walk(node)):
        return False
    return isinstance(types.of(node), Items | Address)


def _index_of(subscript: Node) -> Node | None:
    indices = subscript.child_by_field_name("indices")
    return indices.named_children[0] if indices is not None and len(indices.named_children) == 1 else None


def _contains(node: Node, edits: Edits) -> bool:
    """Whether an edit lies in a node or around it: one thing at a time."""
    return any(start < node.end_byte and node.start_byte < end for start, end in edits.replacements)

"""Guards of a kernel: where it compares a size with a number that each thread has for itself, as `row < M` does."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from gemmviz.adopt.source.tree import IDENTIFIER, Node, line_of, text_of, walk

_THREAD = frozenset({"threadIdx", "get_local_id", "get_global_id"})
"""What tells the threads of a block apart."""
_SIGNS = frozenset({"<", "<=", ">", ">="})
_LOOPS = ("for_statement", "while_statement", "do_statement")


def guards_in(body: Node, parameters: Collection[str], switches: Collection[str] = ()) -> dict[str, int]:
    """The parameters that a kernel's body guards, each with the line of its first guard. A loop that ends at a size is
    no guard, nor is a comparison with what all threads of a block have in common, as where a tile follows, nor what a
    condition of the preprocessor or one on `switches`, which are names, leaves out of some instances.
    """
    of_threads, found = _names_of_threads(body), dict[str, int]()
    for node in walk(body):
        if node.type != "binary_expression" or not _SIGNS & {one.type for one in node.children}:
            continue
        if _ends_loop(node) or _may_be_left_out(node, frozenset(switches)):
            continue
        sides = [_names(node.child_by_field_name(side)) for side in ("left", "right")]
        for size, index in (sides, sides[::-1]):
            sizes = size & {*parameters}
            if len(sizes) == 1 and index & of_threads and not (size & of_threads or index & {*parameters}):
                (name,) = sizes
                found.setdefault(name, line_of(node))
    return found


def _names_of_threads(body: Node) -> frozenset[str]:
    """The names of what each thread has for itself, because it follows from the thread's index."""
    given = [*_given(body)]
    found, before = _THREAD, 0
    while len(found) > before:
        before = len(found)
        found |= {name for name, names in given if names & found}
    return found


def _given(body: Node) -> Iterator[tuple[str, frozenset[str]]]:
    """Each name that a value is given to, with the names in the value."""
    for node in walk(body):
        name, value = {
            "init_declarator": ("declarator", "value"),
            "assignment_expression": ("left", "right"),
        }.get(node.type, ("", ""))
        if name:
            for one in _names(node.child_by_field_name(name)):
                yield one, _names(node.child_by_field_name(value))


def _ends_loop(node: Node) -> bool:
    """Whether an expression is part of the condition of a loop."""
    child, parent = node, node.parent
    while parent is not None and not parent.type.endswith("compound_statement"):
        if parent.type in _LOOPS and child == parent.child_by_field_name("condition"):
            return True
        child, parent = parent, parent.parent
    return False


def _may_be_left_out(node: Node, switches: frozenset[str]) -> bool:
    """Whether an expression stands under a condition that holds in some instances of a kernel alone."""
    parent = node.parent
    while parent is not None and parent.type != "function_definition":
        if parent.type.startswith("preproc_"):
            return True
        condition = parent.child_by_field_name("condition") or parent
        if not parent.type.endswith("compound_statement") and _names(condition) & switches:
            return True
        parent = parent.parent
    return False


def _names(node: Node | None) -> frozenset[str]:
    return frozenset(IDENTIFIER.findall(text_of(node)))

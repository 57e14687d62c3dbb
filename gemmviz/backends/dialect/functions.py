"""The functions of a kernel file: the entry, its helpers, and the calls between them."""

from __future__ import annotations

from dataclasses import dataclass

from gemmviz.backends.base import EntryError
from gemmviz.backends.dialect.symbols import Symbols, declared_name, resolve
from gemmviz.backends.dialect.tree import Node, SourceTree, find_all, text_of, walk

ENTRY_PARAMETERS = ("const float *A", "const float *B", "float *C", "int M", "int N", "int K")


@dataclass(frozen=True, slots=True, eq=False)
class FunctionDefinition:
    """A function definition with its symbols."""

    name: str
    node: Node
    symbols: Symbols
    is_kernel: bool

    @property
    def body(self) -> Node:
        body = self.node.child_by_field_name("body")
        assert body is not None
        return body

    @property
    def parameters(self) -> list[Node]:
        lists = find_all(self.node, lambda node: node.type == "parameter_list")
        return [node for node in lists[0].named_children if node.type == "parameter_declaration"]

    def calls(self) -> list[tuple[str, Node]]:
        """Every call by name below the body, with the call node."""
        found = []
        for node in walk(self.body):
            if node.type == "call_expression":
                callee = node.child_by_field_name("function")
                if callee is not None and callee.type == "identifier":
                    found.append((text_of(callee), node))
        return found


def functions_of(tree: SourceTree) -> dict[str, FunctionDefinition]:
    """Every function defined in the file, by name, in the order of the file."""
    found: dict[str, FunctionDefinition] = {}
    for node in walk(tree.root):
        if node.type != "function_definition":
            continue
        declarator = node.child_by_field_name("declarator")
        name = declared_name(declarator) if declarator is not None else None
        if name is None:
            raise tree.fault(node, "a function of this form is C++ that gemmviz does not translate")
        is_kernel = any(child.text == b"__global__" for child in node.children)
        if text_of(name) in found:
            raise tree.fault(node, f"a second function named {text_of(name)!r}; gemmviz translates only one")
        found[text_of(name)] = FunctionDefinition(text_of(name), node, resolve(node), is_kernel)
    return found


def entry_of(tree: SourceTree, functions: dict[str, FunctionDefinition], entry: str) -> FunctionDefinition:
    """The kernel named `entry`.

    Raises:
        EntryError: it is not there.
        CompileError: it is no `__global__ void` function, or takes other parameters.
    """
    function = functions.get(entry)
    kernels = [name for name, found in functions.items() if found.is_kernel]
    if function is None:
        there = f"it defines {', '.join(kernels)}" if kernels else "it defines no __global__ function"
        raise EntryError(f"{tree.path}: the entry {entry!r} is not in the file; {there}")
    if not function.is_kernel:
        raise tree.fault(function.node, f"the entry {entry!r} is not a __global__ function")
    names = [kind_of_parameter(node) for node in function.parameters]
    if names != ["pointer", "pointer", "pointer", "value", "value", "value"]:
        raise tree.fault(
            function.node, f"{entry} must take ({', '.join(ENTRY_PARAMETERS)}); it takes {len(names)} parameters"
        )
    for matrix, node in zip("ABC", function.parameters, strict=False):
        _check_float(tree, node, matrix)
    return function


def _check_float(tree: SourceTree, node: Node, matrix: str) -> None:
    """See that a parameter that is given a matrix of float32 points to nothing else, as far as its own words say."""
    declared = node.child_by_field_name("type")
    if declared is None or declared.type not in ("primitive_type", "sized_type_specifier"):
        return  # the name of a type, which may be one of floats
    if text_of(declared) not in ("float", "void"):
        raise tree.fault(
            node,
            f"`{' '.join(text_of(node).split())}` points to {text_of(declared)}, but the elements of {matrix} are "
            f"float32: take a float *, or say in [operands.{matrix}] of which type they are",
        )


def kind_of_parameter(node: Node) -> str:
    """ "pointer" or "value"."""
    declarator = node.child_by_field_name("declarator")
    pointer = declarator is not None and declarator.type in ("pointer_declarator", "array_declarator")
    return "pointer" if pointer else "value"

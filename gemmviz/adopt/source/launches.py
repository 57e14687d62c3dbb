"""How a file's host code launches its kernels: block, grid, template arguments and arguments, traced to where they
come from.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from gemmviz.adopt.source.arithmetic import expression_of, names_in, replaced, written
from gemmviz.adopt.source.kernels import function_declarator
from gemmviz.adopt.source.names import Names, declared, expression_in
from gemmviz.adopt.source.tree import Node, line_of, text_of, walk

MOST_LAUNCHES = 64
_AXES = "xyz"


@dataclass(frozen=True, slots=True)
class LaunchNames:
    """The names that each part of a launch is written with or computed from: each axis of the block and of the grid,
    the bytes of shared memory, and each argument of the template.
    """

    block: tuple[frozenset[str], ...] = ()
    grid: tuple[frozenset[str], ...] = ()
    shared_bytes: frozenset[str] = frozenset()
    template: tuple[frozenset[str], ...] = ()


@dataclass(frozen=True, slots=True)
class FoundLaunch:
    """A launch in host code. `block`, `grid` and `shared_bytes` are header expressions over the names of the host
    function, () and "" where they cannot be traced; `arguments` the same, "" for what is no arithmetic and no name.

    In `grid` and `arguments` variables that the kernel is given stay names, whatever their values are; `traced` is what
    the host code computes such a variable from: a number, or an expression over others that the kernel is given.
    """

    kernel: str
    line: int
    function: str
    template: tuple[str, ...]
    block: tuple[str, ...]
    grid: tuple[str, ...]
    shared_bytes: str
    arguments: tuple[str, ...]
    traced: tuple[str, ...] = ()
    named: LaunchNames = LaunchNames()


def launches_of(root: Node, names: Names) -> tuple[FoundLaunch, ...]:
    """Every launch in host code, in the order of the file."""
    found: list[FoundLaunch] = []
    for node in walk(root):
        if node.type != "call_expression" or len(found) >= MOST_LAUNCHES:
            continue
        signs = [one for one in node.children if one.type == "kernel_call_syntax"]
        if signs:
            found.append(_launch(node, node.children[0], signs[0].named_children, node.children[-1], names))
        elif text_of(node.child_by_field_name("function")) in ("cudaLaunchKernel", "cudaLaunchCooperativeKernel"):
            given = node.child_by_field_name("arguments")
            inside = list(given.named_children) if given is not None else []
            if len(inside) >= 4:
                shared = inside[4:5]
                found.append(_launch(node, inside[0], [*inside[1:3], *shared], inside[3], names))
    return tuple(found)


def _launch(node: Node, called: Node, geometry: list[Node], given: Node, names: Names) -> FoundLaunch:
    while called.type == "cast_expression" and called.named_children:
        called = called.named_children[-1]
    words = text_of(called).lstrip("&").strip()
    scope = _Scope(node, names)
    dims = [one for one in geometry if one.type != "comment"]
    # before anything is resolved, which puts values in the place of names
    named = LaunchNames(
        block=scope.names_of_dims(dims[1]) if len(dims) > 1 else (),
        grid=scope.names_of_dims(dims[0]) if dims else (),
        shared_bytes=scope.names_behind(expression_of(dims[2])) if len(dims) > 2 else frozenset(),
        template=tuple(scope.names_behind(one) for _, one in _template_arguments(called)),
    )
    block = scope.dim3(dims[1]) if len(dims) > 1 else ()
    shared = scope.number(dims[2]) if len(dims) > 2 else "0"
    template = tuple(scope.template(called))
    given = scope.arguments_at(given)
    arguments = [one for one in given.named_children if one.type != "comment"]
    scope.keep_names({text_of(one).lstrip("&") for one in arguments})
    grid = scope.dim3(dims[0]) if dims else ()
    return FoundLaunch(
        kernel=re.sub(r"<.*", "", words, flags=re.DOTALL).strip(),
        line=line_of(node),
        function=scope.function,
        template=template,
        block=block,
        grid=grid,
        shared_bytes=shared,
        arguments=tuple(scope.argument(one) for one in arguments),
        traced=tuple(scope.traced(one) for one in arguments),
        named=named,
    )


def instantiations_of(root: Node, names: Names) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The templates that a file instantiates by name, such as `template __global__ void f<float, 16>(…);`, and with
    which arguments.
    """
    found: list[tuple[str, tuple[str, ...]]] = []
    for node in walk(root):
        if node.type == "template_instantiation" and len(found) < MOST_LAUNCHES:
            for one in walk(node):
                if one.type in ("template_function", "template_method", "template_type"):
                    name = text_of(one.child_by_field_name("name"))
                    found.append((name, tuple(_Scope(node, names).template(one))))
                    break
    return tuple(found)


class _Scope:
    """The names that can be seen from a launch: variables of the blocks around it, then those of the file."""

    def __init__(self, node: Node, names: Names) -> None:
        self._names = names
        self._values: dict[str, ast.expr] = {}
        self._dims: dict[str, tuple[ast.expr, ...]] = {}
        self._arrays: dict[str, Node] = {}
        self._kept: set[str] = set()
        self._definitions: dict[str, ast.expr] = {}
        self.function = ""
        child, parent = node, node.parent
        while parent is not None:
            if parent.type in ("compound_statement", "case_statement"):
                for one in reversed([each for each in parent.children if each.end_byte <= child.start_byte]):
                    self._declaration(one)
            if parent.type == "function_definition":
                declarator = function_declarator(parent)
                self.function = text_of(declarator.child_by_field_name("declarator")) if declarator is not None else ""
                self._forget_changed(parent)
                break
            child, parent = parent, parent.parent

    def _declaration(self, node: Node) -> None:
        if node.type != "declaration":
            return
        if text_of(node.child_by_field_name("type")) == "dim3":
            for one in node.children_by_field_name("declarator"):
                name = text_of(one.child_by_field_name("declarator")) or text_of(one)
                dims = self._dims_of(one.child_by_field_name("value")) or self._dims_in(one)
                if dims:
                    self._dims.setdefault(name, dims)
            return
        for name, value in declared(node):
            self._values.setdefault(name, value)
        for one in node.children_by_field_name("declarator"):
            inside = one.child_by_field_name("value")
            if inside is not None and inside.type == "initializer_list":
                found = re.search(r"\w+", text_of(one))
                if found is not None:
                    self._arrays.setdefault(found[0], inside)

    def _forget_changed(self, function: Node) -> None:
        """What is assigned to somewhere has no value that can be told from its declaration."""
        for node in walk(function):
            if node.type in ("assignment_expression", "update_expression"):
                left = node.child_by_field_name("left") or node.child_by_field_name("argument")
                self._values.pop(text_of(left), None)

    def keep_names(self, names: set[str]) -> None:
        """Leave names of variables as they are from now on."""
        for name in names:
            value = self._values.pop(name, None) or self._names.constants.get(name)
            if value is not None:
                self._definitions[name] = value
            self._kept.add(name)

    def _dims_of(self, node: Node | None) -> tuple[ast.expr, ...]:
        """The parts of a dim3; () for what is none."""
        if node is None:
            return ()
        if node.type in ("argument_list", "initializer_list"):
            inside = [one for one in node.named_children if one.type != "comment"]
            if len(inside) == 1 and text_of(inside[0].child_by_field_name("function")) == "dim3":
                return self._dims_of(inside[0])
            parts = [expression_of(one) for one in inside]
            found = tuple(one for one in parts if one is not None)
            return found if 0 < len(parts) <= 3 and len(found) == len(parts) else ()
        if node.type == "call_expression" and text_of(node.child_by_field_name("function")) == "dim3":
            return self._dims_of(node.child_by_field_name("arguments"))
        if node.type == "compound_literal_expression":
            return self._dims_of(node.child_by_field_name("value"))
        number = expression_of(node)
        return () if number is None else (number,)

    def _dims_in(self, node: Node) -> tuple[ast.expr, ...]:
        """The parts of `dim3 block(THREADS)`, which the grammar takes for the declaration of a function."""
        given = node.child_by_field_name("parameters") if node.type == "function_declarator" else None
        parts = [expression_in(text_of(one)) for one in given.named_children] if given is not None else []
        found = tuple(one for one in parts if one is not None)
        return found if 0 < len(parts) <= 3 and len(found) == len(parts) else ()

    def _lookup(self, name: str) -> ast.expr | None:
        if name in self._values:
            return self._values[name]
        base, _, axis = name.partition(".")
        if axis and base in self._dims and axis in _AXES:
            parts = self._dims[base]
            place = _AXES.index(axis)
            return parts[place] if place < len(parts) else ast.Constant(1)
        return None if name in self._kept else self._names.constants.get(name)

    def _resolved(self, node: ast.expr | None) -> str:
        found = None if node is None else replaced(node, self._lookup, self._names.functions)
        return "" if found is None else written(found)

    def dim3(self, node: Node) -> tuple[str, ...]:
        """A block or grid; () where it cannot be traced."""
        name = text_of(node)
        parts = self._dims.get(name) or self._dims_of(node)
        found = [self._resolved(one) for one in parts]
        while len(found) > 1 and found[-1] == "1":
            found.pop()
        return tuple(found) if all(found) else ()

    def names_of_dims(self, node: Node) -> tuple[frozenset[str], ...]:
        """The names behind each axis of a block or a grid."""
        return tuple(self.names_behind(one) for one in self._dims.get(text_of(node)) or self._dims_of(node))

    def names_behind(self, node: ast.expr | None) -> frozenset[str]:
        """The names in an expression, and those that their values are computed from."""
        found: set[str] = set()
        waiting = [] if node is None else [node]
        while waiting:
            for name in names_in(waiting.pop()) - found:
                found.add(name)
                value = self._lookup(name)
                waiting += [value] if value is not None else []
        return frozenset(found)

    def number(self, node: Node) -> str:
        return self._resolved(expression_of(node))

    def argument(self, node: Node) -> str:
        """An argument: a number or a name of the host function, "null" for a pointer to nothing."""
        if text_of(node) in ("nullptr", "NULL"):
            return "null"
        while (
            node.type in ("pointer_expression", "cast_expression", "parenthesized_expression") and node.named_children
        ):
            node = node.named_children[-1]
        if node.type == "identifier" and text_of(node) not in self._values:
            return text_of(node)
        if node.type in ("true", "false"):
            return str(int(node.type == "true"))
        if node.type == "number_literal":
            return text_of(node).rstrip("fFuUlL")
        return self._resolved(expression_of(node))

    def traced(self, node: Node) -> str:
        """What a variable among the arguments is computed from; "" for anything else."""
        return self._resolved(self._definitions.get(text_of(node).lstrip("&")))

    def arguments_at(self, node: Node) -> Node:
        """The list of arguments: `cudaLaunchKernel` gets the name of an array of pointers to them."""
        return self._arrays.get(text_of(node), node)

    def template(self, called: Node) -> Iterator[str]:
        for words, one in _template_arguments(called):
            value = self._resolved(one)
            yield value if value and value != words else self._names.plain_type(words)


def _template_arguments(called: Node) -> list[tuple[str, ast.expr | None]]:
    """The arguments of the template that is called: their text, and what they are as arithmetic."""
    lists = (node for node in walk(called) if node.type == "template_argument_list")
    found: list[tuple[str, ast.expr | None]] = []
    for one in next((node.named_children for node in lists), []):
        words = " ".join(text_of(one).split())
        is_name = one.type == "type_descriptor" and words.isidentifier()
        found.append((words, ast.Name(words) if is_name else expression_of(one)))
    return found

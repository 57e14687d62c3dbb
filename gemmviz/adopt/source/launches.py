"""How a file's host code launches its kernels: block, grid, template arguments and arguments, traced to where they
come from.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from gemmviz.adopt.source.arithmetic import expression_of, names_in, replaced, written
from gemmviz.adopt.source.conditions import conditions_among
from gemmviz.adopt.source.flow import MARK, Flow, names_behind
from gemmviz.adopt.source.fractions import is_real
from gemmviz.adopt.source.host_calls.called_values import values_given
from gemmviz.adopt.source.host_calls.kernel_aliases import calls_of_kernels
from gemmviz.adopt.source.kernels import function_declarator, typed_parameters
from gemmviz.adopt.source.launch_calls import LaunchCall, Part, launch_call, template_arguments
from gemmviz.adopt.source.names import Names
from gemmviz.adopt.source.scoped_types import scoped_type
from gemmviz.adopt.source.tensors import tensor_behind, tensors_that_are_no_matrices
from gemmviz.adopt.source.tree import Node, function_around, line_of, text_of, walk

MOST_LAUNCHES = 64
_LONGEST_TEXT = 80
_MILLION = 10**6


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
class LaunchCondition:
    """What must hold, as a header expression over the names of the function; "" where it is none. `names` are those
    that it depends on.
    """

    words: str
    names: frozenset[str]


@dataclass(frozen=True, slots=True)
class LaunchTexts:
    """The source text of each part of a launch."""

    block: str = ""
    grid: str = ""
    shared_bytes: str = ""
    arguments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LaunchExpressions:
    """Block, grid, bytes of shared memory and arguments of the template as the host code writes them: header
    expressions in which constants of the file, and variables that the template is given, stay names.
    """

    block: tuple[str, ...] = ()
    grid: tuple[str, ...] = ()
    shared_bytes: str = ""
    template: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FoundLaunch:
    """A launch in host code. `block`, `grid` and `shared_bytes` are header expressions over the names of the host
    function as they are at the launch, () and "" where they cannot be traced; `arguments` the same, "" for what is no
    arithmetic and no name.

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
    texts: LaunchTexts = LaunchTexts()
    reals: tuple[str, ...] = ()
    """Of each argument that is a constant, also one with a part behind the point, its value ("0.5"), else ""."""
    taken: tuple[str, ...] = ()
    """Functions of other files that are taken to divide and round up, as their names say."""
    changing: frozenset[int] = frozenset()
    """The places of the arguments that change from one pass of a loop around to the next."""
    is_grid_changing: bool = False
    """Whether block or grid do so."""
    conditions: tuple[LaunchCondition, ...] = ()
    """What must hold for it to be launched."""
    no_matrices: frozenset[str] = frozenset()
    """Tensors that have more than two dimensions."""
    written: LaunchExpressions = LaunchExpressions()
    unread: str = ""
    """What keeps it from being read as a whole: "it launches `f`, and which kernel that is could not be read"."""
    unread_types: str = ""
    """Why a type that it gives the kernel's template could not be read: "line 9: calls run, and which type T …"."""
    types_because: str = ""
    """Where types of the template come from that the launch itself does not say; "" where it says all."""
    open_types: frozenset[str] = frozenset()
    """Types among the arguments of the template that stand for any type: nothing in the file calls its function."""
    called_with: tuple[tuple[int, ...], ...] = ()
    """Of each argument that its block depends on, the values that calls of its function, or a default, give it."""


def launches_of(root: Node, names: Names, kernels: Collection[str] = ()) -> tuple[tuple[LaunchCall, FoundLaunch], ...]:
    """Every launch in host code, and the call that it is, in the order of the file. `kernels` are the short names of
    its kernels, which variables may hold.
    """
    found: list[tuple[LaunchCall, FoundLaunch]] = []
    text = text_of(root)
    for node in walk(root):
        if node.type == "call_expression" and len(found) < MOST_LAUNCHES:
            call = launch_call(node, text)
            calls = calls_of_kernels(call, kernels) if call is not None else []
            found += [(one, _launch(one, names)) for one in calls]
    return tuple(found)


def _launch(call: LaunchCall, names: Names) -> FoundLaunch:
    node, called, dims = call.node, call.called, call.geometry
    if isinstance(called, str):
        called = node
    elif text_of(called.child_by_field_name("function")) == "HIP_KERNEL_NAME":
        called = called.child_by_field_name("arguments") or called
        called = called.named_children[0] if called.named_children else called
    while called.type == "cast_expression" and called.named_children:
        called = called.named_children[-1]
    words = call.called if isinstance(call.called, str) else text_of(called).lstrip("&").strip()
    scope = _Scope(node, names)
    block, grid = (scope.parts(dims[place]) if len(dims) > place and not call.unread else () for place in (1, 0))
    shared = scope.read(dims[2]) if len(dims) > 2 else ast.Constant(0)
    template = tuple(scope.template(called))
    named = LaunchNames(
        block=tuple(scope.names_behind(one) for one in block),
        grid=tuple(scope.names_behind(one) for one in grid),
        shared_bytes=scope.names_behind(shared),
        template=tuple(scope.names_behind(scope.flow.read(one)) for _, one in template_arguments(called)),
    )
    of_block, of_shared = scope.resolved_dims(block), scope.resolved(shared)
    found = [one for one in scope.arguments_at(call.given).named_children if one.type != "comment"]
    found = found[call.first_argument :]
    texts = [_short(scope.text_behind(one)) for one in dims]
    variables, of_blocks = {text_of(one).lstrip("&") for one in found}, frozenset[str]().union(*named.block)
    scope.keep_names(variables)
    launch = FoundLaunch(
        kernel=re.sub(r"<.*", "", words, flags=re.DOTALL).strip(),
        line=line_of(node),
        function=scope.function,
        template=template,
        block=of_block,
        grid=scope.resolved_dims(grid),
        shared_bytes=of_shared,
        arguments=tuple(scope.argument(one) for one in found),
        traced=tuple(scope.traced(one) for one in found),
        reals=tuple(scope.real(one) for one in found),
        named=named,
        texts=LaunchTexts(
            block=(*texts, "", "")[1],
            grid=(*texts, "")[0],
            shared_bytes=(*texts, "", "", "")[2],
            arguments=tuple(_short(text_of(one)) for one in found),
        ),
        taken=tuple(sorted(scope.taken)),
        changing=frozenset(place for place, one in enumerate(found) if scope.is_changing(scope.read_any(one))),
        conditions=tuple(scope.condition(one) for one in conditions_among(scope.flow.guards)),
        no_matrices=scope.no_matrices,
        is_grid_changing=any(scope.is_changing(one) for one in (*block, *grid)),
        unread=call.unread,
        called_with=tuple((text_of(one) in of_blocks and values_given(one, names)) or () for one in found),
    )
    arguments = [one for _, one in template_arguments(called)]
    scope.keep_names({*variables, *names.numbers, *(one.id for one in arguments if isinstance(one, ast.Name))})
    expressions = LaunchExpressions(
        scope.resolved_dims(block),
        scope.resolved_dims(grid),
        scope.resolved(shared),
        tuple(scope.resolved(scope.flow.read(one)) for one in arguments),
    )
    return replace(launch, written=expressions)


def _short(text: str) -> str:
    """A text of the source on one line, cut short where it is long."""
    words = " ".join(text.split())
    return words if len(words) <= _LONGEST_TEXT else f"{words[:_LONGEST_TEXT]} …"


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
    """The names that can be seen from a launch: variables of its function as they are there, then those of the file."""

    def __init__(self, node: Node, names: Names) -> None:
        self._names = names
        self._arrays: dict[str, Node] = {}
        self._dim_texts: dict[str, str] = {}
        self._kept: set[str] = set()
        self._dims_given: set[str] = set()
        self.taken: set[str] = set()
        self.flow = Flow(names.by_reference, names.grids)
        self.function = ""
        function = function_around(node)
        self.no_matrices = tensors_that_are_no_matrices(text_of(function))
        if function is not None:
            declarator = function_declarator(function)
            self.function = text_of(declarator.child_by_field_name("declarator")) if declarator is not None else ""
            for name, words in typed_parameters(declarator):
                if words == "dim3":
                    self._dims_given.add(name)
                    self.flow.assign_dims(name, (), is_known=False)
                else:
                    self.flow.assign(name, None)
            self._read_lists(function, node)
            self.flow.follow_to(node, function)
        self._current = {now: name for name, now in self.flow.current.items()}

    def _read_lists(self, function: Node, launch: Node) -> None:
        """Lists of values, and what grids and blocks begin with."""
        for node in walk(function):
            if node.type != "init_declarator" or node.start_byte > launch.start_byte:
                continue
            value, name = node.child_by_field_name("value"), re.search(r"\w+", text_of(node))
            if value is not None and name is not None:
                self._dim_texts[name[0]] = text_of(node)
                if value.type == "initializer_list":
                    self._arrays[name[0]] = value

    def text_behind(self, part: Part) -> str:
        """The text of a grid or a block, with what it begins with where it is a variable."""
        if isinstance(part, tuple):
            return ", ".join(map(text_of, part))
        text = part if isinstance(part, str) else text_of(part)
        return self._dim_texts.get(text, text)

    def parts(self, part: Part) -> tuple[ast.expr, ...]:
        """The parts of a block or a grid; () where it has none that are arithmetic."""
        return self.flow.dims(part)

    def read(self, part: Part) -> ast.expr | None:
        if isinstance(part, str):
            return self.flow.read(ast.Name(part)) if part in self.flow.current else None
        return self.flow.read(expression_of(part)) if not isinstance(part, tuple) else None

    def read_any(self, node: Node) -> ast.expr | None:
        """All names of an argument, also of what is no arithmetic."""
        found: ast.expr = ast.Tuple([ast.Name(text_of(one)) for one in walk(node) if one.type == "identifier"])
        return self.flow.read(found)

    def keep_names(self, variables: set[str]) -> None:
        """Leave names of variables as they are from now on, as long as they hold what they do at the launch."""
        self._kept = {self.flow.name_of(one) for one in variables}

    def _lookup(self, name: str) -> ast.expr | None:
        if name in self._kept:
            return None
        return self.flow.values.get(name) or self._names.constants.get(name)

    def resolved(self, node: ast.expr | None) -> str:
        """An expression over the names of the function at the launch; "" where it is none."""
        found = None if node is None else replaced(node, self._lookup, self._names.functions, self.taken)
        if found is None:
            return ""
        for one in ast.walk(found):
            if isinstance(one, ast.Name) and MARK in one.id:
                one.id = self._name_now(one.id)
                if not one.id:
                    return ""
        return written(found)

    def _name_now(self, name: str) -> str:
        """What holds a value at the launch, a variable or a field of one; "" where its variable has another one."""
        base, dot, field = name.partition(".")
        variable = self._current.get(base, "")
        return self._current.get(name) or (f"{variable}{dot}{field}" if variable else "")

    def resolved_dims(self, parts: tuple[ast.expr, ...]) -> tuple[str, ...]:
        """A block or grid; () where it cannot be traced, as where the function is given it."""
        found = [self.resolved(one) for one in parts]
        if found[:1] in [[f"{name}.x"] for name in self._dims_given] and all("." in one for one in found):
            return ()
        while len(found) > 1 and found[-1] == "1":
            found.pop()
        return tuple(found) if all(found) else ()

    def condition(self, node: ast.expr) -> LaunchCondition:
        """What must hold for the launch, a tuple of names where it cannot be read."""
        words = "" if any(isinstance(one, ast.Tuple) for one in ast.walk(node)) else self.resolved(node)
        names = {self._name_now(one) or one for one in names_behind(node, self.flow.values)}
        return LaunchCondition(words, frozenset(names))

    def names_behind(self, node: ast.expr | None) -> frozenset[str]:
        """The names in an expression, and those that their values are computed from."""
        if node is None:
            return frozenset()
        known = {**self._names.constants, **self.flow.values}
        # the parts of a variable for a grid are no names that anybody writes
        plain = {one.partition(MARK)[0] for one in names_behind(node, known)}
        return frozenset(one for one in plain if one.partition(".")[2] not in {*"xyz"})

    def is_changing(self, node: ast.expr | None) -> bool:
        """Whether something behind an expression changes in a loop around the launch."""
        return node is not None and bool(names_behind(node, self.flow.values) & self.flow.looped)

    def argument(self, node: Node) -> str:
        """An argument: a number or a name of the host function, "null" for a pointer to nothing."""
        if text_of(node) in ("nullptr", "NULL"):
            return "null"
        if tensor := tensor_behind(node):
            return tensor
        while (
            node.type in ("pointer_expression", "cast_expression", "parenthesized_expression") and node.named_children
        ):
            node = node.named_children[-1]
        if node.type == "identifier":
            return text_of(node)
        if node.type in ("true", "false"):
            return str(int(node.type == "true"))
        if node.type == "number_literal":
            return text_of(node).rstrip("fFuUlL")
        return self.resolved(self.read(node))

    def traced(self, node: Node) -> str:
        """What a variable among the arguments is computed from; "" for anything else."""
        variable = text_of(node).lstrip("&")
        name = self.flow.name_of(variable)
        value = self.flow.values.get(name) or self._names.constants.get(name)
        if value is None or is_real(value) or names_in(value) == {name}:
            return ""
        return self.resolved(value)

    def real(self, node: Node) -> str:
        """The value of an argument that is a constant with up to six decimals; "" for anything else."""
        name = self.flow.name_of(text_of(node).lstrip("&"))
        value = self.flow.values.get(name) or self._names.constants.get(name) or self.read(node)
        text = self.resolved(ast.BinOp(value, ast.Mult(), ast.Constant(_MILLION))) if value is not None else ""
        return f"{int(text) / _MILLION:g}" if re.fullmatch(r"-?\d+", text) else ""

    def arguments_at(self, node: Node) -> Node:
        """The list of arguments: `cudaLaunchKernel` gets the name of an array of pointers to them."""
        return self._arrays.get(text_of(node), node)

    def template(self, called: Node) -> Iterator[str]:
        for words, one in template_arguments(called):
            value = self.resolved(self.flow.read(one))
            if one is not None and value in ("True", "False"):
                value = value.lower()
            yield value if value and value != words else scoped_type(self._names.plain_type(words), called)

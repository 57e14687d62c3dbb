"""Which variable an identifier of a function means, where it is written, and whether its address is taken."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from gemmviz.backends.dialect.tree import Node, text_of, walk


@dataclass(slots=True, eq=False)
class DeclaredVariable:
    """One declared name of a function: a parameter, a local variable or an array.

    `declaration` is the whole declaration statement or parameter, `declarator` the part with the name
    (without the initialiser). Nodes in `uses` and `writes` are identifiers; a compound assignment is in both.
    """

    name: str
    declaration: Node
    declarator: Node
    identifier: Node
    initialiser: Node | None
    is_parameter: bool
    is_shared: bool
    uses: list[Node] = field(default_factory=list)
    writes: list[Node] = field(default_factory=list)
    address_taken: bool = False

    @property
    def is_array(self) -> bool:
        """Whether the variable is several values; a pointer to rows, `float (*row)[8]`, is not."""
        return not self._is_row_pointer and any(node.type == "array_declarator" for node in walk(self.declarator))

    @property
    def is_pointer(self) -> bool:
        """The variable itself holds an address (an array of values does not)."""
        is_pointer = self.declarator.type == "pointer_declarator" or self._is_row_pointer
        return is_pointer or (self.is_parameter and self.is_array)

    @property
    def _is_row_pointer(self) -> bool:
        inner = self.declarator
        while inner.type == "array_declarator":
            nested = inner.child_by_field_name("declarator")
            if nested is None:
                return False
            inner = nested
        is_nested = inner.type == "parenthesized_declarator" and inner is not self.declarator
        return is_nested and any(node.type == "pointer_declarator" for node in walk(inner))

    @property
    def rank(self) -> int:
        """How many subscripts lead to a value: of `float x` 0, of `float *p` 1, of `float t[2][4]` 2."""
        stars = sum(node.type == "pointer_declarator" for node in walk(self.declarator))
        return stars + dimensions(self.declarator)

    @property
    def is_external(self) -> bool:
        """`extern __shared__ T name[]`: sized by the launch."""
        return any(
            child.type == "storage_class_specifier" and child.text == b"extern" for child in self.declaration.children
        )


@dataclass(slots=True)
class Symbols:
    """The variables of one function in the order of declaration, and the variable of each identifier."""

    variables: list[DeclaredVariable]
    by_identifier: dict[int, DeclaredVariable]

    def of(self, identifier: Node) -> DeclaredVariable | None:
        return self.by_identifier.get(identifier.start_byte)

    def declared_with(self, variable: DeclaredVariable) -> list[DeclaredVariable]:
        """The variables of the same declaration, itself among them."""
        return [v for v in self.variables if v.declaration.start_byte == variable.declaration.start_byte]


def element_of(use: Node) -> Node:
    """The whole subscript chain an array's name stands in: `acc[i][j]` of the `acc` in it."""
    node = use
    while node.parent is not None and node.parent.type == "subscript_expression":
        argument = node.parent.child_by_field_name("argument")
        if argument is None or argument.start_byte != node.start_byte or argument.end_byte != node.end_byte:
            break
        node = node.parent
    return node


def dimensions(declarator: Node) -> int:
    """How many pairs of brackets a declarator has."""
    return sum(1 for node in walk(declarator) if node.type == "array_declarator")


def uses_only_elements(array: DeclaredVariable) -> bool:
    """Whether an array is only ever read and written element by element, never as an address."""
    depth = dimensions(array.declarator)
    for use in array.uses:
        element, count = element_of(use), 0
        node = element
        while node.start_byte == use.start_byte and node.type == "subscript_expression":
            inner = node.child_by_field_name("argument")
            if inner is None:
                return False
            count, node = count + 1, inner
        parent = element.parent
        if count != depth or (parent is not None and parent.type == "pointer_expression"):
            return False
    return True


def is_shared_declaration(declaration: Node) -> bool:
    return any(child.text == b"__shared__" for child in declaration.children)


def declared_name(declarator: Node) -> Node | None:
    """The identifier inside a declarator, or None for an abstract one."""
    node: Node | None = declarator
    while node is not None and node.type != "identifier":
        inner = node.child_by_field_name("declarator")
        if inner is None:
            inner = next((child for child in node.named_children if "declarator" in child.type), None)
        node = inner
    return node


def resolve(function: Node) -> Symbols:
    """The symbols of a function definition."""
    found = Symbols([], {})
    _visit(function, [{}], found)
    _mark_writes(function, found)
    return found


Step = Node | Callable[[], "list[Step]"]
"""A part of a function that is still to be visited, or something to do, which gives the steps that come next."""


def _declare(
    declaration: Node, declarator: Node, scopes: list[dict[str, DeclaredVariable]], found: Symbols
) -> list[Step]:
    initialiser = None
    if declarator.type == "init_declarator":
        initialiser = declarator.child_by_field_name("value")
        inner = declarator.child_by_field_name("declarator")
        assert inner is not None
        declarator = inner
    name = declared_name(declarator)
    if name is None:
        return []
    variable = DeclaredVariable(
        text_of(name),
        declaration,
        declarator,
        name,
        initialiser,
        is_parameter=declaration.type == "parameter_declaration",
        is_shared=is_shared_declaration(declaration),
    )
    found.variables.append(variable)
    found.by_identifier[name.start_byte] = variable
    for part in walk(declarator):  # the sizes of an array may use earlier names
        if part.type == "identifier" and part.start_byte != name.start_byte:
            _use(part, scopes, found)
    then = partial(_bind, variable, scopes)
    return [initialiser, then] if initialiser is not None else [then]


def _bind(variable: DeclaredVariable, scopes: list[dict[str, DeclaredVariable]]) -> list[Step]:
    scopes[-1][variable.name] = variable
    return []


def _leave(scopes: list[dict[str, DeclaredVariable]]) -> list[Step]:
    scopes.pop()
    return []


def _use(identifier: Node, scopes: list[dict[str, DeclaredVariable]], found: Symbols) -> None:
    name = text_of(identifier)
    for scope in reversed(scopes):
        if name in scope:
            scope[name].uses.append(identifier)
            found.by_identifier[identifier.start_byte] = scope[name]
            return


def _visit(node: Node, scopes: list[dict[str, DeclaredVariable]], found: Symbols) -> None:
    waiting: list[Step] = [node]
    while waiting:
        step = waiting.pop()
        steps = _steps(step, scopes, found) if isinstance(step, Node) else step()
        waiting.extend(reversed(steps))


def _steps(node: Node, scopes: list[dict[str, DeclaredVariable]], found: Symbols) -> list[Step]:
    if node.type == "identifier":
        _use(node, scopes, found)
        return []
    if node.type in ("declaration", "parameter_declaration"):
        return [partial(_declare, node, part, scopes, found) for part in node.children_by_field_name("declarator")]
    if node.type in ("compound_statement", "for_statement"):
        scopes.append({})
        return [*node.children, partial(_leave, scopes)]
    return list(node.children)


def lvalue_base(node: Node | None) -> Node | None:
    """The identifier whose own storage an lvalue expression names; None behind a `*` or `->`."""
    while node is not None and node.type != "identifier":
        if node.type == "parenthesized_expression":
            node = node.named_children[0] if node.named_children else None
        elif node.type == "subscript_expression" or (
            node.type == "field_expression" and any(child.type == "." for child in node.children)
        ):
            node = node.child_by_field_name("argument")
        else:
            return None
    return node


def _mark_writes(function: Node, found: Symbols) -> None:
    for node in walk(function):
        if node.type == "assignment_expression":
            target = lvalue_base(node.child_by_field_name("left"))
        elif node.type in ("update_expression", "pointer_expression"):
            if node.type == "pointer_expression" and node.children[0].type != "&":
                continue
            target = lvalue_base(node.child_by_field_name("argument"))
        else:
            continue
        variable = found.of(target) if target is not None else None
        if target is None:
            _mark_hidden(node, found)
        if variable is None or target is None:
            continue
        if node.type == "pointer_expression":
            argument = node.child_by_field_name("argument")
            through_pointer = variable.is_pointer and argument is not None and argument.type != "identifier"
            variable.address_taken = variable.address_taken or not through_pointer
        elif not (variable.is_pointer and _is_subscripted(node)):
            variable.writes.append(target)


def _mark_hidden(node: Node, found: Symbols) -> None:
    """`MACRO(x) = …` may write x: whatever a call is given that is then assigned to counts as written elsewhere."""
    target = node.child_by_field_name("left") or node.child_by_field_name("argument")
    if target is not None and any(inner.type == "call_expression" for inner in walk(target)):
        for inner in walk(target):
            variable = found.of(inner) if inner.type == "identifier" else None
            if variable is not None:
                variable.address_taken = True


def _is_subscripted(node: Node) -> bool:
    """Whether the assignment goes through a subscript: `p[i] = …` writes memory, not `p`."""
    left = node.child_by_field_name("left") or node.child_by_field_name("argument")
    while left is not None and left.type in ("parenthesized_expression", "field_expression"):
        left = left.child_by_field_name("argument") or (left.named_children[0] if left.named_children else None)
    return left is not None and left.type == "subscript_expression"

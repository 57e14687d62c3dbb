"""Which memory each pointer of a function points into, from what it is given."""

from __future__ import annotations

from gemmviz.backends.dialect.addresses import given_to, is_named_cast, loads_through_call, parts_of
from gemmviz.backends.dialect.beyond import beyond
from gemmviz.backends.dialect.functions import FunctionDefinition
from gemmviz.backends.dialect.symbols import DeclaredVariable
from gemmviz.backends.dialect.tree import Node, SourceTree
from gemmviz.backends.dialect.value_types import ValueTypes
from gemmviz.domain.recordings.access import Space


class PointerSpaces:
    """The spaces of one function's variables; `parameters` gives those of its pointer parameters, in order."""

    def __init__(self, tree: SourceTree, function: FunctionDefinition, parameters: tuple[Space, ...]) -> None:
        self._tree = tree
        self._function = function
        self.types = ValueTypes(tree, function.symbols)
        self._spaces: dict[int, Space] = {}
        pending: list[DeclaredVariable] = []
        given = iter(parameters)
        for variable in function.symbols.variables:
            if variable.is_pointer and variable.is_parameter:
                self._set(variable, next(given))
            elif variable.is_pointer or self._is_deduced(variable):
                pending.append(variable)
            else:
                self._set(variable, Space.SHARED if variable.is_shared else Space.PRIVATE)
        self._infer(pending)

    def of(self, variable: DeclaredVariable) -> Space:
        """Where a pointer points to; for any other variable, where it lives."""
        return self._spaces[variable.identifier.start_byte]

    def of_expression(self, node: Node) -> Space | None:
        """The space of the memory that a pointer expression points to or an lvalue names; None if unknown."""
        if node.type == "identifier":
            variable = self._function.symbols.of(node)
            return self._spaces.get(variable.identifier.start_byte) if variable is not None else None
        if node.type == "call_expression" and not (is_named_cast(node) or loads_through_call(node)):
            return None
        parts = parts_of(node)
        if node.type == "binary_expression":
            parts = [part for part in parts if self.is_address(part)]
        return next((space for part in parts if (space := self.of_expression(part)) is not None), None)

    def is_address(self, node: Node) -> bool:
        """Whether an expression is a pointer or an array, judged by the names it is made of."""
        return self.rank(node) > 0

    def rank(self, node: Node) -> int:
        """How many subscripts lead from an expression to a value: 0 of a value, 1 of a pointer to values, 2 of a
        two-dimensional array or a pointer to rows.
        """
        return self.types.rank(node)

    def _is_deduced(self, variable: DeclaredVariable) -> bool:
        """Whether a variable is a pointer because of what it is given: `auto p = A + 3;`."""
        kind = variable.declaration.child_by_field_name("type")
        is_auto = kind is not None and kind.type == "placeholder_type_specifier" and not variable.rank
        return is_auto and variable.initialiser is not None and self.rank(variable.initialiser) > 0

    def _set(self, variable: DeclaredVariable, space: Space) -> None:
        self._spaces[variable.identifier.start_byte] = space

    def _infer(self, pending: list[DeclaredVariable]) -> None:
        while pending:
            rest = [variable for variable in pending if not self._infer_one(variable)]
            if len(rest) == len(pending):
                first = rest[0]
                raise beyond(
                    self._tree, first.identifier, f"the pointer {first.name!r}, whose address space is not known"
                )
            pending = rest
        for variable in self._function.symbols.variables:
            if variable.is_pointer:
                self._check(variable)

    def _infer_one(self, variable: DeclaredVariable) -> bool:
        for given in given_to(variable):
            space = self.of_expression(given)
            if space is not None:
                self._set(variable, space)
                return True
        return False

    def _check(self, variable: DeclaredVariable) -> None:
        for given in given_to(variable):
            space = self.of_expression(given)
            if space is not None and space is not self.of(variable):
                raise self._tree.fault(
                    given,
                    f"{variable.name!r} points into {self.of(variable).value} memory elsewhere and into "
                    f"{space.value} memory here; use two pointers",
                )

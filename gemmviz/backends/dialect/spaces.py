"""Which memory each pointer of a function points into, from what it is given."""

from __future__ import annotations

from gemmviz.backends.dialect.functions import Function
from gemmviz.backends.dialect.symbols import Variable, dimensions
from gemmviz.backends.dialect.tree import Node, SourceTree
from gemmviz.domain.access import Space

_LOOK_INSIDE = {
    "parenthesized_expression": None,
    "cast_expression": "value",
    "subscript_expression": "argument",
    "field_expression": "argument",
    "pointer_expression": "argument",
    "assignment_expression": "left",
    "update_expression": "argument",
}


class PointerSpaces:
    """The spaces of one function's variables; `parameters` gives those of its pointer parameters, in order."""

    def __init__(self, tree: SourceTree, function: Function, parameters: tuple[Space, ...]) -> None:
        self._tree = tree
        self._function = function
        self._spaces: dict[int, Space] = {}
        pending: list[Variable] = []
        given = iter(parameters)
        for variable in function.symbols.variables:
            if variable.is_pointer and variable.is_parameter:
                self._set(variable, next(given))
            elif variable.is_pointer:
                pending.append(variable)
            else:
                self._set(variable, Space.SHARED if variable.is_shared else Space.PRIVATE)
        self._infer(pending)

    def of(self, variable: Variable) -> Space:
        """Where a pointer points to; for any other variable, where it lives."""
        return self._spaces[variable.identifier.start_byte]

    def of_expression(self, node: Node) -> Space | None:
        """The space of the memory that a pointer expression points to or an lvalue names; None if unknown."""
        if node.type == "identifier":
            variable = self._function.symbols.of(node)
            return self._spaces.get(variable.identifier.start_byte) if variable is not None else None
        if node.type == "binary_expression":
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            sides = [side for side in (left, right) if side is not None and self.is_address(side)]
            return self.of_expression(sides[0]) if sides else None
        if node.type == "conditional_expression":
            branch = node.child_by_field_name("consequence")
            return self.of_expression(branch) if branch is not None else None
        if node.type == "call_expression":
            return self._of_call(node)
        if node.type in _LOOK_INSIDE:
            field = _LOOK_INSIDE[node.type]
            inner = node.child_by_field_name(field) if field else node.named_children[0]
            return self.of_expression(inner) if inner is not None else None
        return None

    def is_address(self, node: Node) -> bool:
        """Whether an expression is a pointer or an array, judged by the names it is made of."""
        if node.type == "identifier":
            variable = self._function.symbols.of(node)
            return variable is not None and (variable.is_pointer or variable.is_array)
        if node.type == "parenthesized_expression":
            return self.is_address(node.named_children[0])
        if node.type == "pointer_expression":
            return node.children[0].type == "&"
        if node.type == "cast_expression":
            kind = node.child_by_field_name("type")
            return kind is not None and any(c.type == "abstract_pointer_declarator" for c in kind.children)
        if node.type == "subscript_expression":
            return self._is_row_of_array(node)
        if node.type == "binary_expression":
            return any(self.is_address(c) for c in node.named_children)
        if node.type == "conditional_expression":
            branch = node.child_by_field_name("consequence")
            return branch is not None and self.is_address(branch)
        return node.type == "call_expression" and self._of_call(node) is not None

    def _is_row_of_array(self, node: Node) -> bool:
        """`tile[ty]` of a two-dimensional array is an address, `tile[ty][k]` is an element."""
        depth, base = 0, node
        while base.type == "subscript_expression":
            inner = base.child_by_field_name("argument")
            if inner is None:
                return False
            depth, base = depth + 1, inner
        variable = self._function.symbols.of(base) if base.type == "identifier" else None
        if variable is None or not variable.is_array:
            return False
        return depth < dimensions(variable.declarator)

    def _of_call(self, node: Node) -> Space | None:
        callee = node.child_by_field_name("function")
        is_cast = callee is not None and callee.type == "template_function"
        arguments = node.child_by_field_name("arguments")
        if not is_cast or arguments is None or not arguments.named_children:
            return None
        return self.of_expression(arguments.named_children[0])

    def _set(self, variable: Variable, space: Space) -> None:
        self._spaces[variable.identifier.start_byte] = space

    def _infer(self, pending: list[Variable]) -> None:
        while pending:
            rest = [variable for variable in pending if not self._infer_one(variable)]
            if len(rest) == len(pending):
                first = rest[0]
                raise self._tree.fault(
                    first.identifier, f"cannot tell which memory the pointer {first.name!r} points into"
                )
            pending = rest
        for variable in self._function.symbols.variables:
            if variable.is_pointer:
                self._check(variable)

    def _infer_one(self, variable: Variable) -> bool:
        for given in self._given_to(variable):
            space = self.of_expression(given)
            if space is not None:
                self._set(variable, space)
                return True
        return False

    def _check(self, variable: Variable) -> None:
        for given in self._given_to(variable):
            space = self.of_expression(given)
            if space is not None and space is not self.of(variable):
                raise self._tree.fault(
                    given,
                    f"{variable.name!r} points into {self.of(variable).value} memory elsewhere and into "
                    f"{space.value} memory here; use two pointers",
                )

    def _given_to(self, variable: Variable) -> list[Node]:
        given = [variable.initialiser] if variable.initialiser is not None else []
        for write in variable.writes:
            parent = write.parent
            if parent is not None and parent.type == "assignment_expression":
                right = parent.child_by_field_name("right")
                operator = parent.child_by_field_name("operator")
                if right is not None and operator is not None and operator.type == "=":
                    given.append(right)
        return given

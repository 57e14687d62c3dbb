"""The memory accesses of a function, found in its parse tree."""

from __future__ import annotations

from dataclasses import dataclass

from gemmviz.backends.dialect.functions import Function
from gemmviz.backends.dialect.spaces import PointerSpaces
from gemmviz.backends.dialect.symbols import Symbols, Variable
from gemmviz.backends.dialect.tree import Node, text_of, walk
from gemmviz.domain.access import AccessKind, Space

_COMPONENTS = {"x": 0, "y": 1, "z": 2, "w": 3, "s0": 0, "s1": 1, "s2": 2, "s3": 3}
_SCALARS = {"char": 1, "bool": 1, "short": 2, "half": 2, "int": 4, "float": 4, "uchar": 1, "uint": 4, "long": 8,
            "double": 8, "size_t": 8}  # fmt: skip
_LENGTHS = {"2": 2, "3": 4, "4": 4}


@dataclass(frozen=True, slots=True, eq=False)
class Access:
    """An lvalue in memory. `node` is what is recorded; `offset_bytes` a component of the vector that lies there.

    `root` is the array or pointer parameter it is reached through, None where that is not certain.
    """

    node: Node
    space: Space
    kinds: tuple[AccessKind, ...]
    width_bytes: int
    offset_bytes: int
    root: Variable | None


class Accesses:
    """Finds the accesses of one function."""

    def __init__(self, function: Function, spaces: PointerSpaces) -> None:
        self._function = function
        self._spaces = spaces
        self._symbols = function.symbols

    def find(self) -> list[Access]:
        """Every access to global or shared memory, in the order of the text."""
        found = [access for node in walk(self._function.body) if (access := self._access(node)) is not None]
        inner = {access.node.start_byte: access for access in found}
        return sorted(inner.values(), key=lambda access: access.node.start_byte)

    def _access(self, node: Node) -> Access | None:
        if not self._is_memory(node):
            return None
        space = self._spaces.of_expression(node)
        if space is None or space is Space.PRIVATE:
            return None
        component, whole = 0, node
        parent = _out_of_parentheses(node)
        element = self._element_bytes(node)
        width = element
        if parent is not None and parent.type == "field_expression" and any(c.type == "." for c in parent.children):
            field = parent.child_by_field_name("field")
            name = text_of(field) if field is not None else ""
            if name in _COMPONENTS:
                width = _scalar_bytes(self._element_type(node))
                component, whole = _COMPONENTS[name] * width, parent
        kinds = _kinds(whole)
        if not kinds:
            return None
        return Access(node, space, kinds, width, component, root_of(node, self._symbols))

    def _is_memory(self, node: Node) -> bool:
        """Whether a node is an lvalue that is a memory element of its own, not part of a longer chain of subscripts."""
        if node.type == "subscript_expression":
            return not self._spaces.is_address(node)
        if node.type == "pointer_expression":
            return node.children[0].type == "*" and not self._spaces.is_address(node)
        if node.type == "identifier":
            variable = self._symbols.of(node)
            is_scalar = variable is not None and variable.is_shared and not variable.is_array
            return is_scalar and variable is not None and node.start_byte != variable.identifier.start_byte
        return False

    def _element_type(self, node: Node) -> str:
        """The type of what a pointer expression points to, or of an lvalue."""
        if node.type == "identifier":
            variable = self._symbols.of(node)
            kind = variable.declaration.child_by_field_name("type") if variable is not None else None
            return text_of(kind) if kind is not None else "float"
        if node.type == "cast_expression":
            return _type_word(node.child_by_field_name("type"))
        if node.type == "call_expression":
            callee = node.child_by_field_name("function")
            if callee is not None and callee.type == "template_function":
                return next((_type_word(n) for n in walk(callee) if n.type == "type_descriptor"), "float")
            return "float"
        for inner in _address_parts_direct(node):
            if self._spaces.of_expression(inner) is not None:
                return self._element_type(inner)
        return "float"

    def _element_bytes(self, node: Node) -> int:
        return element_bytes(self._element_type(node))


def root_of(node: Node, symbols: Symbols) -> Variable | None:
    """The array or pointer parameter an address comes from; None where it may be one of several."""
    return _root(node, symbols, frozenset())


def _root(node: Node, symbols: Symbols, seen: frozenset[int]) -> Variable | None:
    variables = [v for n in _address_parts(node) if (v := symbols.of(n)) is not None]
    roots = [_root_of(v, symbols, seen) for v in variables if v.is_pointer or v.is_shared]
    return roots[0] if roots and all(root is roots[0] for root in roots) else None


def _root_of(variable: Variable, symbols: Symbols, seen: frozenset[int]) -> Variable | None:
    if variable.is_parameter or variable.is_shared:
        return variable
    key = variable.identifier.start_byte
    if key in seen:
        return None
    given_to = [given for given in _given_to(variable) if not _is_self(given, variable, symbols)]
    roots = [_root(given, symbols, seen | {key}) for given in given_to]
    return roots[0] if roots and all(root is roots[0] for root in roots) else None


def _is_self(given: Node, variable: Variable, symbols: Symbols) -> bool:
    """`p = p + 4` does not change the array p points into."""
    named = [v for node in _address_parts(given) if (v := symbols.of(node)) is not None]
    arrays = [v for v in named if v.is_pointer or v.is_shared]
    return bool(arrays) and all(other is variable for other in arrays)


def element_bytes(kind: str) -> int:
    """The size of a type by its name, vectors included; 4 for a name that is not known."""
    return _scalar_bytes(kind) * (_LENGTHS.get(kind[-1], 1) if kind else 1)


def _scalar_bytes(kind: str) -> int:
    """Of `unsigned char` and `unsigned long long` the second word decides."""
    words = [word.rstrip("234") for word in kind.split()]
    return next((_SCALARS[word] for word in words if word in _SCALARS and word != "unsigned"), 4)


def _type_word(descriptor: Node | None) -> str:
    kind = descriptor.child_by_field_name("type") if descriptor is not None else None
    return text_of(kind) if kind is not None else "float"


def _out_of_parentheses(node: Node) -> Node | None:
    parent = node.parent
    while parent is not None and parent.type == "parenthesized_expression":
        parent = parent.parent
    return parent


def _kinds(whole: Node) -> tuple[AccessKind, ...]:
    """What is done with an lvalue; nothing where only its address or size is taken."""
    parent = _out_of_parentheses(whole)
    if parent is None:
        return (AccessKind.LOAD,)
    if parent.type == "pointer_expression" and parent.children[0].type == "&":
        return ()
    if parent.type == "sizeof_expression":
        return ()
    if parent.type == "update_expression":
        return (AccessKind.LOAD, AccessKind.STORE)
    if parent.type == "assignment_expression":
        left = parent.child_by_field_name("left")
        if left is not None and left.start_byte <= whole.start_byte and whole.end_byte <= left.end_byte:
            operator = parent.child_by_field_name("operator")
            if operator is not None and operator.type == "=":
                return (AccessKind.STORE,)
            return (AccessKind.LOAD, AccessKind.STORE)
    return (AccessKind.LOAD,)


def _address_parts_direct(node: Node) -> list[Node]:
    """The sub-expressions that an address or lvalue expression takes its address from."""
    if node.type == "binary_expression":
        return [n for f in ("left", "right") if (n := node.child_by_field_name(f)) is not None]
    if node.type == "conditional_expression":
        return [n for f in ("consequence", "alternative") if (n := node.child_by_field_name(f)) is not None]
    if node.type == "parenthesized_expression":
        return node.named_children[:1]
    if node.type == "call_expression":
        arguments = node.child_by_field_name("arguments")
        return list(arguments.named_children[:1]) if arguments is not None else []
    fields = {"subscript_expression": "argument", "pointer_expression": "argument", "field_expression": "argument",
              "cast_expression": "value", "assignment_expression": "left", "update_expression": "argument"}  # fmt: skip
    inner = node.child_by_field_name(fields[node.type]) if node.type in fields else None
    return [inner] if inner is not None else []


def _address_parts(node: Node) -> list[Node]:
    """The identifiers an address may come from."""
    if node.type == "identifier":
        return [node]
    return [found for inner in _address_parts_direct(node) for found in _address_parts(inner)]


def _given_to(variable: Variable) -> list[Node]:
    given = [variable.initialiser] if variable.initialiser is not None else []
    for write in variable.writes:
        parent = write.parent
        right = parent.child_by_field_name("right") if parent is not None else None
        operator = parent.child_by_field_name("operator") if parent is not None else None
        if right is not None and operator is not None and operator.type == "=":
            given.append(right)
    return given

"""What an expression of a kernel is: a number, a vector, a structure, an array or an address, by its declarations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gemmviz.backends.dialect.addresses import LOADS, given_to, is_named_cast, loads_through_call
from gemmviz.backends.dialect.symbols import DeclaredVariable, Symbols
from gemmviz.backends.dialect.tree import Node, SourceTree, text_of, walk

_NUMBERS = {
    "char": 1,
    "bool": 1,
    "short": 2,
    "half": 2,
    "int": 4,
    "float": 4,
    "uchar": 1,
    "uint": 4,
    "long": 8,
    "double": 8,
    "size_t": 8,
    "ushort": 2,
    "ulong": 8,
    "longlong": 8,
    "ulonglong": 8,
    "ptrdiff_t": 8,
    "int8_t": 1,
    "int16_t": 2,
    "int32_t": 4,
    "int64_t": 8,
    "uint8_t": 1,
    "uint16_t": 2,
    "uint32_t": 4,
    "uint64_t": 8,
}
_ADDRESS_BYTES = 8
_PLAIN_PARTS = {"struct", "union", "type_identifier", "field_declaration_list"}
STRUCTURES = ("struct_specifier", "union_specifier")


@dataclass(frozen=True, slots=True)
class Number:
    """A number of so many bytes."""

    nbytes: int


@dataclass(frozen=True, slots=True)
class Vector:
    """`float4` and alike; OpenCL C keeps a vector of 3 in the room of 4."""

    of: Number
    length: int


@dataclass(frozen=True, slots=True)
class Items:
    """An array."""

    of: ValueType


@dataclass(frozen=True, slots=True)
class Address:
    """A pointer."""

    of: ValueType


@dataclass(frozen=True, slots=True, eq=False)
class Structure:
    """A structure or union; `fields` by name, in order, None where a field is of a type that is not known."""

    name: str
    fields: dict[str, ValueType]
    is_union: bool
    is_plain: bool = True
    """Whether it is laid out as its fields say, with no alignment of its own."""


ValueType = Number | Vector | Items | Address | Structure | None
"""None: not known."""


def element_of_type(kind: ValueType) -> ValueType:
    """What an array holds or an address points to."""
    return kind.of if isinstance(kind, Items | Address) else None


def size_of(kind: ValueType) -> int | None:
    """Bytes of a number, a vector, an address; None of an array, and of a structure, which the compiler lays out."""
    match kind:
        case Number():
            return kind.nbytes
        case Vector():
            return kind.of.nbytes * kind.length
        case Address():
            return _ADDRESS_BYTES
    return None


def layout_of(kind: ValueType) -> tuple[int, int] | None:
    """Bytes and alignment of a type as C lays it out; None of what has an array or an unknown type in it."""
    if not isinstance(kind, Structure):
        size = size_of(kind)
        return None if size is None else (size, size)
    at, widest = 0, 1
    if not kind.is_plain:
        return None
    for field in kind.fields.values():
        inner = layout_of(field)
        if inner is None:
            return None
        nbytes, alignment = inner
        widest = max(widest, alignment)
        at = max(at, nbytes) if kind.is_union else -(-at // alignment) * alignment + nbytes
    return -(-at // widest) * widest, widest


def number_or_vector(name: str) -> ValueType:
    """The type of a name such as `unsigned int` or `float4`; None for a name that is not known."""
    if name.split() in (["unsigned"], ["signed"]):
        return Number(4)
    if name in _NUMBERS:
        return Number(_NUMBERS[name])
    stem = name.rstrip("0123456789")
    digits = name[len(stem) :]
    if digits in ("1", "2", "3", "4", "8", "16") and stem in _NUMBERS and len(name.split()) == 1:
        return Vector(Number(_NUMBERS[stem]), {"3": 4}.get(digits, int(digits)))
    words = [word for word in name.split() if word in _NUMBERS]
    if words and all(word in _NUMBERS or word in ("unsigned", "signed") for word in name.split()):
        return Number(8 if "long" in words else min(_NUMBERS[word] for word in words))
    return None


class ValueTypes:
    """The types of one function's expressions."""

    def __init__(self, tree: SourceTree, symbols: Symbols) -> None:
        self._symbols = symbols
        self._named: dict[str, Node] = {}
        self._structures: dict[str, Node] = {}
        for node in walk(tree.root):
            if node.type == "type_definition":
                for declarator in node.children_by_field_name("declarator"):
                    if declarator.type == "type_identifier":
                        self._named[text_of(declarator)] = node
            elif node.type in STRUCTURES and node.child_by_field_name("body") is not None:
                name = node.child_by_field_name("name")
                if name is not None:
                    self._structures[text_of(name)] = node

    def of_variable(self, variable: DeclaredVariable) -> ValueType:
        """The type of a variable; an array parameter is an address."""
        kind = variable.declaration.child_by_field_name("type")
        if kind is not None and kind.type == "placeholder_type_specifier":
            given = given_to(variable)
            found = self.of(given[0]) if given else None
            return Address(found.of) if isinstance(found, Items) else found
        found = _wrapped(self._of_specifier(kind, frozenset()), variable.declarator)
        return Address(found.of) if variable.is_parameter and isinstance(found, Items) else found

    def rank(self, node: Node) -> int:
        """How many subscripts lead from an expression to a value: of a value 0, of a two-dimensional array 2."""
        found, count = self.of(node), 0
        while isinstance(found, Items | Address):
            found, count = found.of, count + 1
        return count

    def of(self, node: Node) -> ValueType:
        """The type of an expression, as far as addresses and memory are concerned."""
        match node.type:
            case "identifier":
                variable = self._symbols.of(node)
                return self.of_variable(variable) if variable is not None else None
            case "subscript_expression":
                return element_of_type(self._of_part(node, "argument"))
            case "field_expression":
                return self._of_field(node)
            case "cast_expression":
                return self._of_descriptor(node)
            case "pointer_expression":
                inner = self._of_part(node, "argument")
                return element_of_type(inner) if node.children[0].type == "*" else Address(inner)
            case "call_expression":
                return self._of_call(node)
            case "parenthesized_expression":
                return self.of(node.named_children[0]) if node.named_children else None
            case "binary_expression":
                return self._of_sum(node)
            case "conditional_expression":
                return self._of_part(node, "consequence") or self._of_part(node, "alternative")
            case "assignment_expression":
                return self._of_part(node, "left")
            case "update_expression":
                return self._of_part(node, "argument")
            case "comma_expression":
                return self._of_part(node, "right")
        return None

    def _of_part(self, node: Node, name: str) -> ValueType:
        part = node.child_by_field_name(name)
        return self.of(part) if part is not None else None

    def _of_sum(self, node: Node) -> ValueType:
        """A pointer and a number make a pointer; two pointers, a number."""
        sums: list[Node] = []
        left: Node | None = node
        while left is not None and left.type == "binary_expression":  # a long sum leans to the left
            sums.append(left)
            left = left.child_by_field_name("left")
        found = self.of(left) if left is not None else None
        for one in reversed(sums):
            both = (found, self._of_part(one, "right"))
            addresses = [kind for kind in both if isinstance(kind, Items | Address)]
            operator = one.child_by_field_name("operator")
            is_address = len(addresses) == 1 and operator is not None and operator.type in ("+", "-")
            found = Address(addresses[0].of) if is_address else None
        return found

    def _of_call(self, node: Node) -> ValueType:
        callee, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if is_named_cast(node) and callee is not None:
            return self._of_descriptor(callee)
        if loads_through_call(node) and arguments is not None and arguments.named_children:
            return element_of_type(self.of(arguments.named_children[0]))
        name = text_of(callee) if callee is not None else ""
        return number_or_vector(name.removeprefix("make_")) if name.startswith("make_") and name not in LOADS else None

    def _of_field(self, node: Node) -> ValueType:
        outer, field = self._of_part(node, "argument"), node.child_by_field_name("field")
        if isinstance(outer, Vector):
            return outer.of
        if isinstance(outer, Structure) and field is not None:
            return outer.fields.get(text_of(field))
        return None

    def _of_descriptor(self, node: Node) -> ValueType:
        descriptor = next((inner for inner in walk(node) if inner.type == "type_descriptor"), None)
        if descriptor is None:
            return None
        kind = self._of_specifier(descriptor.child_by_field_name("type"), frozenset())
        return _wrapped(kind, descriptor.child_by_field_name("declarator"))

    def _of_specifier(self, kind: Node | None, seen: frozenset[str]) -> ValueType:
        """The type that a declaration begins with."""
        if kind is None:
            return None
        name = text_of(kind)
        if kind.type in STRUCTURES:
            tag, body = kind.child_by_field_name("name"), kind.child_by_field_name("body")
            if body is None and tag is not None and text_of(tag) in self._structures:
                return self._structure(self._structures[text_of(tag)], seen)
            return self._structure(kind, seen) if body is not None else None
        if kind.type == "enum_specifier":
            return Number(4)
        if name in self._named and name not in seen:
            given = self._named[name]
            declarator = next(iter(given.children_by_field_name("declarator")), None)
            return _wrapped(self._of_specifier(given.child_by_field_name("type"), seen | {name}), declarator)
        if name in self._structures:
            return self._structure(self._structures[name], seen)
        return number_or_vector(name)

    def _structure(self, node: Node, seen: frozenset[str]) -> ValueType:
        tag, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        name = text_of(tag) if tag is not None else ""
        if body is None or (name and f"struct {name}" in seen):
            return None
        inside = seen | {f"struct {name}"} if name else seen
        fields = {}
        for field in (child for child in body.named_children if child.type == "field_declaration"):
            kind = self._of_specifier(field.child_by_field_name("type"), inside)
            for declarator in field.children_by_field_name("declarator"):
                fields[_field_name(declarator)] = _wrapped(kind, declarator)
        is_plain = all(child.type in _PLAIN_PARTS for child in node.children)
        return Structure(name or "struct", fields, node.type == "union_specifier", is_plain)


def _field_name(declarator: Node) -> str:
    return next((text_of(node) for node in walk(declarator) if node.type == "field_identifier"), "")


def _wrapped(kind: ValueType, declarator: Node | None) -> ValueType:
    """A type with the stars and brackets of a declarator around it: the outermost of the text is the innermost."""
    for part in _parts(declarator):
        if "pointer_declarator" in part.type:
            kind = Address(kind)
        elif "array_declarator" in part.type:
            kind = Items(kind)
    return kind


def _parts(declarator: Node | None) -> Iterator[Node]:
    while declarator is not None:
        yield declarator
        inner = declarator.child_by_field_name("declarator")
        if inner is None:
            inner = next((child for child in declarator.named_children if "declarator" in child.type), None)
        declarator = inner

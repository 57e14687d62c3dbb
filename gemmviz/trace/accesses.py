"""The memory accesses of a function, found in its parse tree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gemmviz.backends.dialect.addresses import given_to, is_named_cast, loads_through_call, parts_of, root_of
from gemmviz.backends.dialect.functions import Function
from gemmviz.backends.dialect.spaces import PointerSpaces
from gemmviz.backends.dialect.symbols import Variable
from gemmviz.backends.dialect.tree import Node, SourceTree, text_of, walk
from gemmviz.domain.access import AccessKind, Space
from gemmviz.trace.site_table import WIDEST_BYTES

_COMPONENTS = {"x": 0, "y": 1, "z": 2, "w": 3, "s0": 0, "s1": 1, "s2": 2, "s3": 3}
_SCALARS = {"char": 1, "bool": 1, "short": 2, "half": 2, "int": 4, "float": 4, "uchar": 1, "uint": 4, "long": 8,
            "double": 8, "size_t": 8, "ushort": 2, "ulong": 8, "longlong": 8, "ulonglong": 8}  # fmt: skip


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
    """Finds the accesses of one function of a file."""

    def __init__(self, tree: SourceTree, function: Function, spaces: PointerSpaces) -> None:
        self._tree = tree
        self._function = function
        self._spaces = spaces
        self._symbols = function.symbols
        self._typedefs = typedefs_of(tree)
        self.unseen: list[tuple[Node, str]] = []
        """What touches memory and cannot be recorded, and why."""

    def find(self) -> list[Access]:
        """Every access to global or shared memory, in the order of the text; fills `unseen`.

        Raises:
            CompileError: an element has a type that is no number and no vector of up to 16 bytes.
        """
        self.unseen = []
        found = [access for node in self._walk(self._function.body) if (access := self._access(node)) is not None]
        return sorted(found, key=lambda access: access.node.start_byte)

    def _walk(self, node: Node) -> Iterator[Node]:
        """Every node that is compiled: what an assertion looks at is not."""
        callee = node.child_by_field_name("function") if node.type == "call_expression" else None
        if callee is not None and callee.text == b"assert":
            if any(self._is_memory(inner) for inner in walk(node)):
                self.unseen.append((node, "assertions are left out"))
            return
        yield node
        for child in node.children:
            yield from self._walk(child)

    def _access(self, node: Node) -> Access | None:
        if not self._is_memory(node):
            self._look_for_unseen(node)
            return None
        space = self._spaces.of_expression(node)
        if space is None:
            self.unseen.append((node, _NO_ARGUMENT))
        if space is None or space is Space.PRIVATE:
            return None
        component, whole = 0, node
        parent = _out_of_parentheses(node)
        kind = self._element_type(node)
        width = self._width(node, kind)
        if parent is not None and parent.type == "field_expression" and any(c.type == "." for c in parent.children):
            field = parent.child_by_field_name("field")
            name = text_of(field) if field is not None else ""
            if name in _COMPONENTS:
                width = width // _length(kind)
                component, whole = _COMPONENTS[name] * width, parent
        kinds = _kinds(whole)
        if not kinds:
            return None
        return Access(node, space, kinds, width, component, root_of(node, self._symbols))

    def _is_memory(self, node: Node) -> bool:
        """Whether a node is an lvalue that is a memory element of its own, not part of a longer chain of subscripts."""
        if node.type == "identifier":
            variable = self._symbols.of(node)
            is_scalar = variable is not None and variable.is_shared and not variable.is_array
            return is_scalar and variable is not None and node.start_byte != variable.identifier.start_byte
        is_reached = node.type == "subscript_expression" or loads_through_call(node)
        if is_reached or (node.type == "pointer_expression" and node.children[0].type == "*"):
            parts = parts_of(node)
            return bool(parts) and self._spaces.rank(parts[0]) == 1
        return False

    def _look_for_unseen(self, node: Node) -> None:
        """Name what looks like an access but is not followed."""
        if node.type == "field_expression" and any(child.type == "->" for child in node.children):
            if self._spaces.of_expression(node) not in (Space.PRIVATE, None):
                raise self._tree.fault(node, f"{_NO_STRUCTURES}; of a vector behind a pointer p, write (*p).x")
        elif node.type == "subscript_expression" or loads_through_call(node):
            base = next(iter(parts_of(node)), None)
            if base is None or self._spaces.rank(base) > 1:
                return
            variable = self._symbols.of(base) if base.type == "identifier" else None
            if base.type == "identifier" and (variable is None or not variable.is_array):
                follow = "what this points to is not followed: write it as array[index]"
                self.unseen.append((node, _NO_ARGUMENT if variable is None else follow))
            elif base.type == "field_expression" and self._spaces.of_expression(base) is not Space.PRIVATE:
                raise self._tree.fault(node, _NO_STRUCTURES)

    def _element_type(self, node: Node) -> str:
        """The type of what a pointer expression points to, or of an lvalue."""
        if node.type == "identifier":
            variable = self._symbols.of(node)
            kind = variable.declaration.child_by_field_name("type") if variable is not None else None
            if kind is not None and kind.type == "placeholder_type_specifier" and variable is not None:
                return next((self._element_type(given) for given in given_to(variable)), "")
            return text_of(kind) if kind is not None else ""
        if node.type == "cast_expression" or is_named_cast(node):
            return _type_word(next((inner for inner in walk(node) if inner.type == "type_descriptor"), None))
        for inner in parts_of(node):
            if self._spaces.of_expression(inner) is not None:
                return self._element_type(inner)
        return ""

    def _width(self, node: Node, kind: str) -> int:
        nbytes = element_bytes(kind, self._typedefs)
        if nbytes is None or nbytes > WIDEST_BYTES:
            raise self._tree.fault(node, f"elements of the type {kind!r} are not recorded; {_NO_STRUCTURES}")
        return nbytes


_NO_ARGUMENT = "this memory is no argument of the kernel and no shared array"
_NO_STRUCTURES = f"gemmviz records numbers and vectors of up to {WIDEST_BYTES} bytes, no structures"


def typedefs_of(tree: SourceTree) -> dict[str, str]:
    """The numbers and vectors that a file gives names, as it writes them."""
    found = {}
    plain = ("primitive_type", "sized_type_specifier", "type_identifier")
    for node in walk(tree.root):
        kind, name = node.child_by_field_name("type"), node.child_by_field_name("declarator")
        is_plain = kind is not None and kind.type in plain and name is not None and name.type == "type_identifier"
        if node.type == "type_definition" and kind is not None and name is not None and is_plain:
            found[text_of(name)] = text_of(kind)
    return found


def element_bytes(kind: str, typedefs: dict[str, str]) -> int | None:
    """The size of a type by its name, vectors included; None for a name that is not known."""
    for _ in range(len(typedefs) + 1):
        kind = typedefs.get(kind, kind)
    words = [word.rstrip("0123456789") for word in kind.split()]
    if kind.split() == ["unsigned"] or kind.split() == ["signed"]:
        return 4
    scalar = next((_SCALARS[word] for word in words if word in _SCALARS), None)
    return None if scalar is None else scalar * _length(kind)


def _length(kind: str) -> int:
    """How many numbers a type holds: 4 for `float4`; OpenCL C keeps a vector of 3 in the room of 4."""
    digits = kind[len(kind.rstrip("0123456789")) :]
    return {"": 1, "3": 4}.get(digits, int(digits or 1))


def _type_word(descriptor: Node | None) -> str:
    kind = descriptor.child_by_field_name("type") if descriptor is not None else None
    return text_of(kind) if kind is not None else ""


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

"""The memory accesses of a function, found in its parse tree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gemmviz.backends.dialect.addresses import loads_through_call, parts_of, root_of, vector_call
from gemmviz.backends.dialect.functions import Function
from gemmviz.backends.dialect.spaces import PointerSpaces
from gemmviz.backends.dialect.symbols import Variable
from gemmviz.backends.dialect.tree import Node, SourceTree, text_of, walk
from gemmviz.backends.dialect.value_types import (
    Address,
    Items,
    Number,
    Structure,
    ValueType,
    Vector,
    element_of_type,
    layout_of,
)
from gemmviz.domain.access import AccessKind, Space
from gemmviz.trace.model.rules import WIDEST_BYTES

_COMPONENTS = {"x": 0, "y": 1, "z": 2, "w": 3}
_UNEVALUATED = ("sizeof_expression", "alignof_expression", "decltype")


@dataclass(frozen=True, slots=True, eq=False)
class Access:
    """An lvalue in memory. `node` is what is recorded; `offset_bytes` a component of the vector that lies there.

    `whole` is the lvalue with its component; `aligned_bytes` what the address of `node` must be a multiple of.
    `root` is the array or pointer parameter it is reached through, None where that is not certain.
    """

    node: Node
    whole: Node
    space: Space
    kinds: tuple[AccessKind, ...]
    width_bytes: int
    aligned_bytes: int
    offset_bytes: int
    root: Variable | None
    numbers: int = 0
    """Of a call of vload4 and alike, how many numbers it touches."""


class Accesses:
    """Finds the accesses of one function of a file."""

    def __init__(self, tree: SourceTree, function: Function, spaces: PointerSpaces) -> None:
        self._tree = tree
        self._function = function
        self._spaces = spaces
        self._symbols = function.symbols
        self._types = spaces.types
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
        """Every node that is executed: what an assertion looks at and what only its size is asked of are not."""
        callee = node.child_by_field_name("function") if node.type == "call_expression" else None
        if callee is not None and callee.text == b"assert":
            if any(self._is_memory(inner) for inner in walk(node)):
                self.unseen.append((node, "assertions are left out"))
            return
        if node.type in _UNEVALUATED:
            return
        yield node
        for child in node.children:
            yield from self._walk(child)

    def _of_vector_call(self, node: Node, stores: bool, length: int, pointer: Node) -> Access | None:
        """`vload4(i, p)` touches four numbers at once, which need lie no better than one of them."""
        space, kind = self._spaces.of_expression(pointer), element_of_type(self._types.of(pointer))
        if space is None or not isinstance(kind, Number):
            self.unseen.append((node, _NO_ARGUMENT if space is None else "this is not a pointer to numbers"))
        if space in (None, Space.PRIVATE) or not isinstance(kind, Number):
            return None
        if length * kind.nbytes > WIDEST_BYTES:
            raise self._tree.fault(node, f"{length * kind.nbytes} bytes at once: {_WIDEST}")
        kinds = (AccessKind.STORE if stores else AccessKind.LOAD,)
        root = root_of(pointer, self._symbols)
        return Access(node, node, space, kinds, length * kind.nbytes, kind.nbytes, 0, root, length)

    def _access(self, node: Node) -> Access | None:
        call = vector_call(node)
        if call is not None:
            return self._of_vector_call(node, *call)
        if not self._is_memory(node):
            self._look_for_unseen(node)
            return None
        kind = self._types.of(node)
        parent = _out_of_parentheses(node)
        is_base = parent is not None and parent.type == "field_expression"
        if isinstance(kind, Items) or (is_base and isinstance(kind, Structure)):
            return None  # part of a longer lvalue
        space = self._spaces.of_expression(node)
        if space is None:
            self.unseen.append((node, _NO_ARGUMENT))
        if space is None or space is Space.PRIVATE:
            return None
        if not _kinds(node):
            return None
        width, alignment = self._layout(node, kind)
        component, whole = 0, node
        if is_base and parent is not None and isinstance(kind, Vector):
            place = _component(parent, kind)
            if place is None and AccessKind.STORE in _kinds(parent):
                self.unseen.append((parent, "components that do not follow each other are stored to"))
                return None
            first, count = place if place is not None else (0, kind.length)
            whole, component, width = parent, first * kind.of.nbytes, count * kind.of.nbytes
        kinds, root = _kinds(whole), root_of(node, self._symbols)
        return Access(node, whole, space, kinds, width, alignment, component, root) if kinds else None

    def _is_memory(self, node: Node) -> bool:
        """Whether a node is an lvalue that lies in memory, other than a variable of a thread's own."""
        if node.type == "identifier":
            variable = self._symbols.of(node)
            is_scalar = variable is not None and variable.is_shared and not variable.is_array
            return is_scalar and variable is not None and node.start_byte != variable.identifier.start_byte
        if node.type == "field_expression":
            argument = node.child_by_field_name("argument")
            return argument is not None and isinstance(self._types.of(argument), Structure)
        is_reached = node.type == "subscript_expression" or loads_through_call(node)
        if is_reached or (node.type == "pointer_expression" and node.children[0].type == "*"):
            return any(isinstance(self._types.of(part), Items | Address) for part in parts_of(node))
        return False

    def _look_for_unseen(self, node: Node) -> None:
        """Name what looks like an access but is not followed."""
        is_star = node.type == "pointer_expression" and node.children[0].type == "*"
        if node.type != "subscript_expression" and not loads_through_call(node) and not is_star:
            return
        base = next(iter(parts_of(node)), None)
        variable = self._symbols.of(base) if base is not None and base.type == "identifier" else None
        is_file_scope = base is not None and base.type == "identifier" and variable is None
        follow = "gemmviz cannot follow what this points to: write it as array[index]"
        self.unseen.append((node, _NO_ARGUMENT if is_file_scope else follow))

    def _layout(self, node: Node, kind: ValueType) -> tuple[int, int]:
        """Bytes and alignment of an access."""
        found = layout_of(kind)
        if isinstance(kind, Structure) and (found is None or found[0] > WIDEST_BYTES):
            raise self._tree.fault(
                node, f"a whole structure of more than {WIDEST_BYTES} bytes is copied at once; copy its members one by "
                "one, so that each is recorded"
            )  # fmt: skip
        if found is None:
            raise self._tree.fault(node, "gemmviz does not know this type: it records numbers and vectors")
        if found[0] > WIDEST_BYTES:
            raise self._tree.fault(node, f"{found[0]} bytes at once: {_WIDEST}")
        return found


_WIDEST = f"gemmviz records numbers and vectors of up to {WIDEST_BYTES} bytes"
_NO_ARGUMENT = "this memory is neither an argument of the kernel nor a shared array"


def _component(field_expression: Node, vector: Vector) -> tuple[int, int] | None:
    """The first component of a vector that is named, and how many follow each other; None of `xz`, `odd` and alike."""
    field = field_expression.child_by_field_name("field")
    name = text_of(field) if field is not None else ""
    half = vector.length // 2
    if name in ("lo", "hi"):
        return (half if name == "hi" else 0), half
    letters = name[1:] if name[:1] in ("s", "S") and name[1:] else name
    try:
        places = [int(letter, 16) if letters is not name else _COMPONENTS[letter] for letter in letters]
    except (KeyError, ValueError):
        return None
    follows = places == list(range(places[0], places[0] + len(places))) if places else False
    return (places[0], len(places)) if follows and places[-1] < vector.length else None


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

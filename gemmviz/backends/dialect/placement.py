"""Where each variable of a kernel lives when its threads become loops.

A variable that is the same for all threads stays one variable. One that is computed from the thread's index alone
is computed again wherever it is used. One that a thread keeps from one region to the next gets a place per thread.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from gemmviz.backends.dialect.functions import FunctionDefinition
from gemmviz.backends.dialect.regions import Item, Joint, NotLoopableError, Region, Together, has_barrier
from gemmviz.backends.dialect.symbols import DeclaredVariable, Symbols
from gemmviz.backends.dialect.tree import Node, line_of, text_of, walk

PURE_CALLS = {"min", "max", "abs"}
_THREAD_INDEX = {"threadIdx", "warpSize", "clock", "clock64"}
_UNIFORM_NAMES = {"blockIdx", "blockDim", "gridDim"}
_LOADS = {"subscript_expression", "pointer_expression"}


TYPES = ("type_definition", "struct_specifier", "union_specifier", "enum_specifier")
"""Statements that declare a type and nothing else."""


class StoragePlace(Enum):
    """How a variable is kept."""

    TOGETHER = "one for the block"
    AGAIN = "computed again in each region"
    PER_THREAD = "one for each thread, across regions"
    INSIDE = "inside one region"
    SHARED = "shared memory"


@dataclass(slots=True)
class Placement:
    """The place of every variable, and the body with statements for all threads taken out of its regions."""

    items: list[Item]
    places: dict[int, StoragePlace]

    def of(self, variable: DeclaredVariable) -> StoragePlace:
        return self.places[variable.identifier.start_byte]


def place(function: FunctionDefinition, items: list[Item]) -> Placement:
    """Decide the place of every variable of a kernel that is cut into `items`.

    Raises:
        NotLoopableError: what steers a statement with a barrier may differ between threads.
    """
    symbols = function.symbols
    if has_barrier(function.body):
        uniform = _uniform_variables(symbols, items)
        items = _take_out(items, symbols, uniform)
    else:
        uniform = {v.identifier.start_byte for v in symbols.variables if v.is_parameter and not v.writes}
    homes = _homes(items)
    kept_whole = _pointed_into(symbols) if has_barrier(function.body) else set()
    places: dict[int, StoragePlace] = {}
    for variable in symbols.variables:
        key = variable.identifier.start_byte
        used_in = {homes.get(node.start_byte) for node in (variable.identifier, *variable.uses)}
        if variable.is_shared:
            places[key] = StoragePlace.SHARED
        elif key in uniform:
            places[key] = StoragePlace.TOGETHER
        elif variable.is_parameter:
            places[key] = StoragePlace.PER_THREAD
        elif len(used_in) == 1 and not (key in kept_whole and _is_statement(variable, homes)):
            places[key] = StoragePlace.INSIDE
        elif None in used_in:
            steering = next((use for use in variable.uses if use.start_byte not in homes), variable.identifier)
            raise _differs(steering)
        elif _can_be_computed_again(variable, symbols, uniform, places):
            places[key] = StoragePlace.AGAIN
        else:
            places[key] = StoragePlace.PER_THREAD
    placement = Placement(items, places)
    _check_heads(items, symbols, placement)
    return placement


def _differs(steering: Node) -> NotLoopableError:
    return NotLoopableError(
        f"in line {line_of(steering)}, {text_of(steering)!r} may differ between threads and decides whether they come "
        "to a barrier"
    )


def _check_heads(items: list[Item], symbols: Symbols, placement: Placement) -> None:
    """The control expressions of joint statements are evaluated once, so they must not differ between threads."""
    for item in items:
        if not isinstance(item, Joint):
            continue
        for head in heads(item.node):
            for node in walk(head):
                variable = symbols.of(node) if node.type == "identifier" else None
                own = variable is not None and placement.of(variable) in (StoragePlace.PER_THREAD, StoragePlace.AGAIN)
                if own or (variable is None and text_of(node) in _THREAD_INDEX):
                    raise _differs(node)
        for body in item.bodies:
            _check_heads(body, symbols, placement)


def _pointed_into(symbols: Symbols) -> set[int]:
    """Offsets of a thread's own variables that some pointer may point into, and so outlive their last use by name."""
    found = set()
    for pointer in symbols.variables:
        if not pointer.is_pointer:
            continue
        for given in _assigned(pointer):
            for node in walk(given):
                variable = symbols.of(node) if node.type == "identifier" else None
                if variable is not None and (variable.is_array or variable.address_taken):
                    found.add(variable.identifier.start_byte)
    return found


def _is_statement(variable: DeclaredVariable, homes: dict[int, Region]) -> bool:
    """Whether a variable is declared by a statement of a region itself, not by one nested in it."""
    home = homes.get(variable.identifier.start_byte)
    return home is not None and any(s.start_byte == variable.declaration.start_byte for s in home.statements)


def _joint_statement_level(items: list[Item]) -> set[int]:
    """Offsets of identifiers that stand in a statement of a region or in the head of a joint statement."""
    level: set[int] = set()
    for item in items:
        if isinstance(item, Region) and not item.is_last:
            for statement in item.statements:
                if statement.type in ("declaration", "expression_statement"):
                    level.update(_plain_targets(statement))
        elif isinstance(item, Joint):
            for head in heads(item.node):
                level.update(node.start_byte for node in walk(head) if node.type == "identifier")
            for body in item.bodies:
                level |= _joint_statement_level(body)
    return level


def heads(node: Node) -> list[Node]:
    """The control expressions of a joint statement."""
    fields = ("initializer", "condition", "update")
    return [head for name in fields if (head := node.child_by_field_name(name)) is not None]


def _plain_targets(statement: Node) -> set[int]:
    """What a statement that does nothing else declares or assigns: `int a = …;`, `p += …;`, `i++;`."""
    if statement.type == "declaration":
        return {node.start_byte for node in walk(statement) if node.type == "identifier"}
    expression = statement.named_children[0] if statement.named_children else statement
    if expression.type == "assignment_expression":
        left = expression.child_by_field_name("left")
    elif expression.type == "update_expression":
        left = expression.child_by_field_name("argument")
    else:
        return set()
    return {left.start_byte} if left is not None and left.type == "identifier" else set()


def _uniform_variables(symbols: Symbols, items: list[Item]) -> set[int]:
    """Offsets of the declarations of variables that hold one value for the whole block at any time."""
    level = _joint_statement_level(items)
    uniform = set()
    for variable in symbols.variables:
        joint_writes = all(write.start_byte in level for write in variable.writes)
        declared = variable.is_parameter or variable.identifier.start_byte in level
        if declared and joint_writes and not (variable.address_taken or variable.is_array or variable.is_shared):
            uniform.add(variable.identifier.start_byte)
    while True:
        fallen = {key for key in uniform if not _stays_uniform(symbols.by_identifier[key], symbols, uniform)}
        if not fallen:
            return uniform
        uniform -= fallen


def _stays_uniform(variable: DeclaredVariable, symbols: Symbols, uniform: set[int]) -> bool:
    """Everything it is given is uniform, and so is every variable of the same declaration, which stays whole."""
    together = all(
        other.identifier.start_byte in uniform
        for other in symbols.variables
        if other.declaration.start_byte == variable.declaration.start_byte
    )
    return together and all(_is_uniform(given, symbols, uniform) for given in _assigned(variable))


def _assigned(variable: DeclaredVariable) -> list[Node]:
    given = [variable.initialiser] if variable.initialiser is not None else []
    for write in variable.writes:
        parent = write.parent
        right = parent.child_by_field_name("right") if parent is not None else None
        if right is not None:
            given.append(right)
    return given


def _is_uniform(expression: Node, symbols: Symbols, uniform: set[int]) -> bool:
    for node in walk(expression):
        if node.type in _LOADS or (node.type in ("assignment_expression", "update_expression")):
            return False
        if node.type == "call_expression" and not _is_pure_call(node):
            return False
        if node.type == "identifier":
            variable = symbols.of(node)
            if variable is not None and variable.identifier.start_byte not in uniform:
                return False
            if variable is None and text_of(node) in _THREAD_INDEX:
                return False
    return True


def _is_pure_call(node: Node) -> bool:
    callee = node.child_by_field_name("function")
    return callee is not None and (text_of(callee) in PURE_CALLS or callee.type == "template_function")


def _can_be_computed_again(
    variable: DeclaredVariable, symbols: Symbols, uniform: set[int], places: dict[int, StoragePlace]
) -> bool:
    """Assigned once, from the thread's index and from values that never change."""
    if variable.writes or variable.address_taken or variable.is_array or variable.initialiser is None:
        return False
    names = [other.name for other in symbols.variables]
    if names.count(variable.name) > 1:  # another variable of that name could stand between
        return False
    for node in walk(variable.initialiser):
        if node.type in _LOADS or node.type in ("assignment_expression", "update_expression"):
            return False
        if node.type == "call_expression" and not _is_pure_call(node):
            return False
        source = symbols.of(node) if node.type == "identifier" else None
        if source is None:
            continue
        if names.count(source.name) > 1:
            return False
        key = source.identifier.start_byte
        fixed = (key in uniform or source.is_shared) and not source.writes
        if not fixed and places.get(key) is not StoragePlace.AGAIN:
            again = not source.is_parameter and _can_be_computed_again(source, symbols, uniform, places)
            if not again:
                return False
            places[key] = StoragePlace.AGAIN
    return True


def _take_out(items: list[Item], symbols: Symbols, uniform: set[int]) -> list[Item]:
    """Split every region around the statements that only declare or assign uniform variables."""
    result: list[Item] = []
    for item in items:
        if isinstance(item, Joint):
            result.append(Joint(item.node, [_take_out(body, symbols, uniform) for body in item.bodies]))
            continue
        if not isinstance(item, Region) or item.is_last:
            result.append(item)
            continue
        run: list[Node] = []
        for statement in item.statements:
            if _concerns_only_uniform(statement, symbols, uniform):
                result += [Region(run), Together(statement)]
                run = []
            else:
                run.append(statement)
        result.append(Region(run))
    return [item for item in result if not isinstance(item, Region) or item.statements]


def _concerns_only_uniform(statement: Node, symbols: Symbols, uniform: set[int]) -> bool:
    if statement.type in TYPES:
        return True
    if statement.type == "declaration":
        declared = [v for v in symbols.variables if v.declaration.start_byte == statement.start_byte]
        if declared and all(variable.is_shared for variable in declared):
            return True
        return bool(declared) and all(v.identifier.start_byte in uniform for v in declared)
    if statement.type != "expression_statement":
        return False
    targets = _plain_targets(statement)
    variables = [symbols.by_identifier.get(offset) for offset in targets]
    return bool(variables) and all(v is not None and v.identifier.start_byte in uniform for v in variables)


def _homes(items: list[Item]) -> dict[int, Region]:
    """The region each identifier stands in, by offset; identifiers outside every region are absent."""
    homes: dict[int, Region] = {}
    for item in items:
        if isinstance(item, Region):
            for statement in item.statements:
                homes.update((node.start_byte, item) for node in walk(statement) if node.type == "identifier")
        elif isinstance(item, Joint):
            for body in item.bodies:
                homes |= _homes(body)
    return homes

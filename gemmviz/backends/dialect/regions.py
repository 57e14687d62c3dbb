"""A kernel body cut at its barriers: which statements every thread runs before any thread goes on.

The cut follows J. Stratton, S. Stone, W. Hwu, "MCUDA: an efficient implementation of CUDA kernels for multi-core
CPUs", 2008: a statement without a barrier is run by one thread after the other, a loop or branch with a barrier
inside is entered by all threads together.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from gemmviz.backends.dialect.symbols import is_shared_declaration
from gemmviz.backends.dialect.tree import Node, line_of, text_of, walk

BARRIER = "__syncthreads"


class NotLoopableError(Exception):
    """The kernel cannot be run thread by thread between its barriers; the message says why."""


@dataclass(slots=True, eq=False)
class Region:
    """Statements without a barrier; each thread runs them all before the next thread does.

    `is_last`: the end of the kernel, which threads may leave by themselves.
    """

    statements: list[Node]
    is_last: bool = False


@dataclass(slots=True, eq=False)
class Together:
    """A statement that is executed once for all threads of the block: a uniform declaration or assignment."""

    statement: Node


@dataclass(slots=True, eq=False)
class Joint:
    """A loop or branch with a barrier inside; its control expressions are evaluated once for all threads."""

    node: Node
    bodies: list[list[Item]] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Jump:
    """A break, a continue or a return that all threads of the block take together."""

    statement: Node


@dataclass(slots=True, eq=False)
class Barrier:
    """A `__syncthreads()` that stands as a statement of its own."""

    statement: Node


Item = Region | Together | Joint | Jump | Barrier

LOOPS = ("for_statement", "while_statement", "do_statement")
_JUMPS = ("break_statement", "continue_statement", "return_statement")
_JOINT = ("compound_statement", "if_statement", *LOOPS)
_WORDS = {"switch_statement": "a switch", "labeled_statement": "a label"}


def has_barrier(node: Node) -> bool:
    """Whether a `__syncthreads` call stands at or below `node`."""
    return any(is_barrier_call(found) for found in walk(node))


def is_barrier_call(node: Node) -> bool:
    callee = node.child_by_field_name("function") if node.type == "call_expression" else None
    return callee is not None and text_of(callee).startswith(BARRIER)


def statements_of(block: Node) -> list[Node]:
    """The statements of a compound statement, or the statement itself; no comments."""
    if block.type != "compound_statement":
        return [block]
    return [child for child in block.named_children if child.type != "comment"]


def cut(body: Node) -> list[Item]:
    """A kernel's body as regions between barriers and as joint loops and branches.

    Raises:
        NotLoopableError: a barrier stands where only some statement kinds may hold one.
    """
    statements = statements_of(body)
    if not has_barrier(body):
        return _cut(statements, has_barriers=False)
    behind = max(i for i, statement in enumerate(statements) if has_barrier(statement)) + 1
    end = statements[behind:]
    returns = any(node.type == "return_statement" for statement in end for node in walk(statement))
    if not returns or any(is_shared_declaration(node) for statement in end for node in walk(statement)):
        return _cut(statements, has_barriers=True)
    return [*_cut(statements[:behind], has_barriers=True), Region(end, is_last=True)]


def _cut(statements: list[Node], has_barriers: bool) -> list[Item]:
    items: list[Item] = []
    for statement in statements:
        if statement.type.startswith("preproc_if") and has_barriers:
            raise NotLoopableError(f"line {line_of(statement)} chooses between statements with #if")
        if not (has_barriers and (has_barrier(statement) or _jumps_jointly(statement))):
            _add_to_region(statement, items)
        elif _is_barrier_statement(statement):
            items.append(Barrier(statement))
        elif statement.type in _JUMPS:
            items.append(Jump(statement))
        elif statement.type in _JOINT:
            _drop_pragma(items)
            bodies = [statement] if statement.type == "compound_statement" else _bodies(statement)
            items.append(Joint(statement, [_cut(statements_of(body), has_barriers) for body in bodies]))
        else:
            what = _WORDS.get(statement.type, statement.type.replace("_", " "))
            raise NotLoopableError(f"line {line_of(statement)} has a barrier, or a jump past one, inside {what}")
    return items


def _jumps_jointly(statement: Node) -> bool:
    """Whether something below leaves a loop with a barrier, or the kernel: all threads must do so together."""
    return any(
        node.type in _JUMPS and (node.type == "return_statement" or _leaves_barriers(node)) for node in walk(statement)
    )


def _leaves_barriers(jump: Node) -> bool:
    ends = (*LOOPS, "switch_statement") if jump.type == "break_statement" else LOOPS
    outer = jump.parent
    while outer is not None and outer.type not in ends:
        outer = outer.parent
    return outer is not None and has_barrier(outer)


def _bodies(statement: Node) -> list[Node]:
    if statement.type != "if_statement":
        body = statement.child_by_field_name("body")
        return [body] if body is not None else []
    consequence = statement.child_by_field_name("consequence")
    alternative = statement.child_by_field_name("alternative")
    bodies = [consequence] if consequence is not None else []
    if alternative is not None:
        bodies += [child for child in alternative.named_children if child.type != "comment"]
    return bodies


def _is_barrier_statement(statement: Node) -> bool:
    return (
        statement.type == "expression_statement"
        and bool(statement.named_children)
        and is_barrier_call(statement.named_children[0])
    )


def _add_to_region(statement: Node, items: list[Item]) -> None:
    if items and isinstance(items[-1], Region):
        items[-1].statements.append(statement)
    else:
        items.append(Region([statement]))


def _drop_pragma(items: list[Item]) -> None:
    """An unroll request before a joint loop would stand before something else; the loop is not unrolled."""
    if items and isinstance(items[-1], Region):
        statements = items[-1].statements
        while statements and statements[-1].type == "preproc_call":
            statements.pop()

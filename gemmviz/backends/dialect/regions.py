"""A kernel body cut at its barriers: which statements every thread runs before any thread goes on.

The cut follows J. Stratton, S. Stone, W. Hwu, "MCUDA: an efficient implementation of CUDA kernels for multi-core
CPUs", 2008: a statement without a barrier is run by one thread after the other, a loop or branch with a barrier
inside is entered by all threads together.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from gemmviz.backends.dialect.tree import Node, text_of, walk

BARRIER = "__syncthreads"


class NotLoopableError(Exception):
    """The kernel cannot be run thread by thread between its barriers; the message says why."""


@dataclass(slots=True, eq=False)
class Region:
    """Statements without a barrier; each thread runs them all before the next thread does."""

    statements: list[Node]


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
class Barrier:
    """A `__syncthreads()` that stands as a statement of its own."""

    statement: Node


Item = Region | Together | Joint | Barrier


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


def cut(statements: list[Node]) -> list[Item]:
    """The statements as regions between barriers and as joint loops and branches.

    Raises:
        NotLoopableError: a barrier stands where only some statement kinds may hold one.
    """
    items: list[Item] = []
    for statement in statements:
        if statement.type.startswith("preproc_if"):
            raise NotLoopableError(f"line {statement.start_point[0] + 1}: {statement.type} between statements")
        if not has_barrier(statement):
            _add_to_region(statement, items)
        elif _is_barrier_statement(statement):
            items.append(Barrier(statement))
        elif statement.type == "compound_statement":
            _drop_pragma(items)
            items.append(Joint(statement, [cut(statements_of(statement))]))
        elif statement.type in ("for_statement", "while_statement", "if_statement"):
            _drop_pragma(items)
            items.append(Joint(statement, [cut(statements_of(body)) for body in _bodies(statement)]))
        else:
            raise NotLoopableError(f"line {statement.start_point[0] + 1}: a barrier inside a {statement.type}")
    return items


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

"""What variables hold at a point of a function: declarations and assignments in their order, both branches of an `if`.

Each assignment makes a new name, `T'2`, so that what was computed from a variable before keeps its value. What loops
and calls change has no value that is known.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection
from copy import deepcopy
from itertools import count, pairwise

from gemmviz.adopt.source.arithmetic import OPERATORS, converted, expression_in, expression_of, names_in
from gemmviz.adopt.source.changes import changed_in, declared_in
from gemmviz.adopt.source.tree import Node, text_of, walk

MARK = "'"
"""What sets the number of an assignment apart from a variable's name."""
AXES = "xyz"
_LOOPS = ("for_statement", "while_statement", "do_statement", "for_range_loop")
_EXITS = re.compile(r"(?:std::)?(?:exit|_exit|abort|terminate|quick_exit)")
_ASSERTIONS = re.compile(r"(?i)\w*(?:assert|check|require|expects|ensure)\w*")
_ENDS = ("throw_statement", "break_statement", "continue_statement", "goto_statement")
_BLOCKS = ("compound_statement", "case_statement", "preproc_if", "preproc_ifdef", "preproc_elif", "preproc_else")
_MOST_BRANCHES = 12
CONFIG_FIELDS = ("gridDim", "blockDim", "dynamicSmemBytes")
"""The first fields of a `cudaLaunchConfig_t`."""
CONFIG_DIMS = tuple(f".{one}" for one in CONFIG_FIELDS[:2])


class Flow:
    """Variables on the way through a function. `by_reference` are functions of the file that may change what they are
    given; `grids` are those that return a `dim3`.
    """

    def __init__(self, by_reference: Collection[str] = (), grids: Collection[str] = ()) -> None:
        self.values: dict[str, ast.expr] = {}
        """What the names of assignments stand for, where it is known."""
        self.current: dict[str, str] = {}
        """The name of the last assignment to each variable; a part of a `dim3` is the variable `grid.x`."""
        self.looped: set[str] = set()
        """The names of what changes from one pass of a loop around to the next."""
        self.returned: ast.expr | None = None
        self.is_ended = False
        self._by_reference, self._grids = by_reference, grids
        self._numbers = count(1)
        self._branches = 0
        self._cases: list[tuple[ast.expr, ast.expr]] = []
        """Of each `return` in a branch that was passed: under which condition it is reached, and what it returns."""
        self.guards: list[ast.expr] = []
        """What holds here, because the function would have ended otherwise: asserted, or asked before a `return`. Of
        what cannot be read a tuple of its names.
        """
        self.is_unclear = False
        """Whether what is returned cannot be told."""

    def assign(self, name: str, value: ast.expr | None) -> str:
        """Note an assignment of a value over the names of `current`; None for one that is not known."""
        new = f"{name}{MARK}{next(self._numbers)}"
        self.current[name] = new
        for field in [one for one in self.current if one.startswith(f"{name}.")]:
            del self.current[field]
        if value is not None:
            self.values[new] = value
        return new

    def read(self, node: ast.expr | None) -> ast.expr | None:
        """An expression of the source over the names that its variables have now."""
        if node is None:
            return None
        found: ast.expr = _Renamer(self).visit(deepcopy(node))
        return found

    def name_of(self, variable: str) -> str:
        """The name that a variable, or a field of one, has now."""
        if variable in self.current:
            return self.current[variable]
        base, dot, field = variable.partition(".")
        return f"{self.current[base]}.{field}" if dot and base in self.current else variable

    def dims(self, node: Node | str | tuple[Node, ...] | None) -> tuple[ast.expr, ...]:
        """The parts of a dim3, which may be the name of a variable or one expression for each axis, over the names of
        now; () where there are none that can be read.
        """
        if node is None:
            return ()
        if isinstance(node, tuple):
            return self._parts([expression_of(one) for one in node])
        name = node if isinstance(node, str) else text_of(node).replace("->", ".")
        if f"{name}.x" in self.current:
            parts = [ast.Name(self.current[f"{name}.{axis}"]) for axis in AXES]
            while len(parts) > 1 and _is_one(self.values.get(parts[-1].id)):
                parts.pop()
            return tuple(parts)
        if isinstance(node, str):
            return ()
        if node.type in ("argument_list", "initializer_list"):
            inside = [one for one in node.named_children if one.type != "comment"]
            if len(inside) == 1 and _is_dim3(inside[0]):
                return self.dims(inside[0])
            return self._parts([expression_of(one) for one in inside])
        if node.type == "call_expression" and _is_dim3(node):
            return self.dims(node.child_by_field_name("arguments"))
        if self._is_grid(node):
            listed = node.child_by_field_name("arguments")
            given = [expression_of(one) for one in listed.named_children] if listed is not None else []
            known = [one for one in given if one is not None]
            calls = [ast.Call(ast.Name(f"{name.partition('(')[0].strip()}.{axis}"), known, []) for axis in AXES]
            return self._parts([*calls]) if len(known) == len(given) else ()
        if node.type == "compound_literal_expression":
            return self.dims(node.child_by_field_name("value"))
        return self._parts([expression_of(node)])

    def _is_grid(self, node: Node | None) -> bool:
        """Whether an expression is a dim3, or calls a function of the file that returns one."""
        if node is None or node.type != "call_expression":
            return False
        return _is_dim3(node) or text_of(node.child_by_field_name("function")) in self._grids

    def _parts(self, parts: list[ast.expr | None]) -> tuple[ast.expr, ...]:
        found = [self.read(one) for one in parts]
        whole = tuple(one for one in found if one is not None)
        return whole if 0 < len(parts) <= 3 and len(whole) == len(parts) else ()

    # -- the way to a place ---------------------------------------------------------------------------------------

    def follow_to(self, place: Node, function: Node) -> None:
        """Pass all that comes before a place in a function."""
        way = [place]
        while way[-1].parent is not None and way[-1] != function:
            way.append(way[-1].parent)
        for child, parent in reversed([*pairwise(way)]):
            if parent.type in _LOOPS:
                for name in changed_in(parent, self._by_reference):
                    self.looped.add(self.assign(name, None))
            elif parent.type in _BLOCKS:
                for one in parent.children:
                    if one.end_byte <= child.start_byte:
                        self.is_ended = False  # what comes behind is reached in some way
                        self.pass_statement(one)
            elif parent.type == "if_statement" and child != parent.child_by_field_name("condition"):
                condition = parent.child_by_field_name("condition")
                self._effects(condition)
                test = self._test(condition)
                is_other = child == parent.child_by_field_name("alternative")
                self.guards.append(_not(test) if is_other else test)

    def _test(self, node: Node | None) -> ast.expr:
        """A condition over the names of now, or a tuple of its names where it is no arithmetic."""
        test = self.read(expression_of(node))
        if test is not None or node is None:
            return test or ast.Tuple([])
        names = (one for one in walk(node) if one.type in ("identifier", "field_expression"))
        return ast.Tuple([ast.Name(self.name_of(text_of(one).replace("->", "."))) for one in names])

    # -- statements -----------------------------------------------------------------------------------------------

    def pass_statement(self, node: Node) -> None:
        """Note what a statement does to variables."""
        if self.is_ended or node.type == "comment":
            return
        match node.type:
            case "declaration":
                self._declaration(node)
            case "expression_statement":
                for one in node.named_children:
                    self._expression(one)
            case "compound_statement":
                self._compound(node)
            case "if_statement":
                self._if(node)
            case "return_statement":
                values = [one for one in node.named_children if one.type != "comment"]
                self.returned = self.read(expression_of(values[0])) if values else None
                self.is_unclear |= self.returned is None
                self.is_ended = True
            case _ if node.type in _ENDS:
                self.is_unclear, self.is_ended = True, True
            case _:
                self._unknown(node)

    def _unknown(self, node: Node) -> None:
        """A loop, or another statement that is not followed."""
        self.is_unclear |= any(one.type == "return_statement" for one in walk(node))
        for name in changed_in(node, self._by_reference):
            self.assign(name, None)

    def _declaration(self, node: Node) -> None:
        words = text_of(node.child_by_field_name("type"))
        is_dim3 = words == "dim3"
        for one in node.children_by_field_name("declarator"):
            name_node, value = one.child_by_field_name("declarator"), one.child_by_field_name("value")
            if one.type in ("identifier", "pointer_declarator", "array_declarator"):
                name_node = one
            self._effects(value)
            name = (re.search(r"[A-Za-z_]\w*", text_of(name_node)) or [""])[0]
            if words == "cudaLaunchConfig_t":
                self._assign_config(name, value)
                continue
            if is_dim3 or self._is_grid(value):
                parts = self.dims(value) if value is not None else self._dims_in(one)
                is_plain = value is None and one.type == "identifier"
                self.assign_dims(name, parts, is_known=bool(parts) or is_plain)
                continue
            if (
                value is not None
                and value.type in ("initializer_list", "argument_list")
                and value.named_child_count == 1
            ):
                value = value.named_children[0]
            is_number = name_node is not None and name_node.type == "identifier" and one.type == "init_declarator"
            number = self.read(expression_of(value)) if is_number else None
            self.assign(name, None if number is None else converted(number, words))

    def _assign_config(self, name: str, value: Node | None) -> None:
        """A `cudaLaunchConfig_t`, whose fields begin as a list says, and else as zeros where there is one."""
        self.assign(name, None)
        inside = [one for one in value.named_children if one.type != "comment"] if value is not None else []
        if value is None or value.type != "initializer_list":
            return
        self.assign(f"{name}.{CONFIG_FIELDS[-1]}", ast.Constant(0))
        for place, one in enumerate(inside):
            words, given = text_of(one.child_by_field_name("designator")), one.child_by_field_name("value")
            field = words.lstrip(".") if given is not None else (*CONFIG_FIELDS, *("" for _ in inside))[place]
            if field == CONFIG_FIELDS[-1]:
                self.assign(f"{name}.{field}", self.read(expression_of(given or one)))
            elif field in CONFIG_FIELDS and len(inside) > 1 - (given is not None):
                parts = self.dims(given or one)
                self.assign_dims(f"{name}.{field}", parts, is_known=bool(parts))

    def _dims_in(self, node: Node) -> tuple[ast.expr, ...]:
        """The parts of `dim3 block(THREADS)`, which the grammar takes for the declaration of a function."""
        given = node.child_by_field_name("parameters") if node.type == "function_declarator" else None
        return self._parts([expression_in(text_of(one)) for one in given.named_children]) if given is not None else ()

    def assign_dims(self, name: str, parts: tuple[ast.expr, ...], *, is_known: bool) -> None:
        self.assign(name, None)
        ones = (*parts, *(ast.Constant(1) for _ in AXES))[: len(AXES)]
        for axis, part in zip(AXES, ones, strict=True):
            self.assign(f"{name}.{axis}", part if is_known else None)

    def _expression(self, node: Node) -> None:
        if node.type == "comma_expression":
            for one in node.named_children:
                self._expression(one)
            return
        if node.type == "update_expression":
            name = text_of(node.child_by_field_name("argument"))
            sign: ast.operator = ast.Sub() if "--" in text_of(node) else ast.Add()
            value = self.read(ast.BinOp(ast.Name(name), sign, ast.Constant(1)))
            if re.fullmatch(r"[A-Za-z_]\w*(\.\w+)?", name):
                self.assign(name, value)
            return
        if node.type != "assignment_expression":
            self._effects(node)
            self._call(node)
            return
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        name = text_of(left).replace(" ", "").replace("->", ".")
        self._effects(right)
        if not re.fullmatch(r"[A-Za-z_]\w*(\.\w+)*", name):
            self._effects(left)
            return
        operator = text_of(node.child_by_field_name("operator"))
        is_dims = f"{name}.x" in self.current or self._is_grid(right) or name.endswith(CONFIG_DIMS)
        if is_dims and operator == "=":
            parts = self.dims(right)
            self.assign_dims(name, parts, is_known=bool(parts))
            return
        value = self.read(expression_of(right))
        if operator != "=":
            known = OPERATORS.get(operator.removesuffix("="))
            value = None if known is None or value is None else ast.BinOp(ast.Name(self.name_of(name)), known, value)
        self.assign(name, value)

    def _call(self, node: Node) -> None:
        """Note what is asserted, and that the program ends."""
        words, given = text_of(node.child_by_field_name("function")), node.child_by_field_name("arguments")
        if _EXITS.fullmatch(words):
            self.is_unclear, self.is_ended = True, True
        elif _ASSERTIONS.fullmatch(words) and given is not None and given.named_child_count:
            self.guards.append(self._test(given.named_children[0]))

    def _effects(self, node: Node | None) -> None:
        """What an expression changes on the way is not known any more."""
        if node is not None:
            for name in changed_in(node, self._by_reference):
                self.assign(name, None)

    def _compound(self, node: Node) -> None:
        before = dict(self.current)
        declared: set[str] = set()
        for one in node.named_children:
            self.pass_statement(one)
            declared |= {*declared_in(one)} if one.type == "declaration" else set()
        inner = {each for each in {*self.current, *before} if each.partition(".")[0] in declared}
        self.current = {each: now for each, now in self.current.items() if each not in inner}
        self.current |= {each: old for each, old in before.items() if each in inner}

    def _if(self, node: Node) -> None:
        condition = node.child_by_field_name("condition")
        self._effects(condition)
        test = self.read(expression_of(condition))
        self._branches += 1
        if self._branches > _MOST_BRANCHES:
            self._unknown(node)
            return
        before, guards = dict(self.current), self.guards
        condition_holds = self._test(condition)
        outcomes: list[tuple[dict[str, str], bool, ast.expr | None]] = []
        for branch in (node.child_by_field_name("consequence"), node.child_by_field_name("alternative")):
            self.current, self.is_ended, self.returned, self.guards = dict(before), False, None, []
            cases, self._cases = self._cases, []
            if branch is not None:
                for statement in branch.named_children if branch.type == "else_clause" else [branch]:
                    self.pass_statement(statement)
            value = self._outcome() if self.is_ended else None
            if self._cases and not self.is_ended:
                self.is_unclear = True
            self._cases = cases
            if not self.is_ended:
                is_not_here = _not(condition_holds) if not outcomes else condition_holds
                guards = [*guards, *(ast.BoolOp(ast.Or(), [is_not_here, one]) for one in self.guards)]
            outcomes.append((self.current, self.is_ended, value))
        self.guards = guards
        (then, then_ends, one), (other, other_ends, two) = outcomes
        if then_ends != other_ends:
            self.guards = [*guards, _not(condition_holds) if then_ends else condition_holds]
        self.is_ended, self.returned = then_ends and other_ends, None
        if then_ends and other_ends:
            self.is_unclear |= test is None or one is None or two is None
            if test is not None and one is not None and two is not None:
                self.returned = ast.IfExp(test, one, two)
        elif then_ends or other_ends:
            value = one if then_ends else two
            self.current = other if then_ends else then
            self.is_unclear |= test is None or value is None
            if test is not None and value is not None:
                self._cases.append((test if then_ends else ast.UnaryOp(ast.Not(), test), value))
        else:
            self._merge(before, then, other, test)

    def _merge(
        self, before: dict[str, str], then: dict[str, str], other: dict[str, str], test: ast.expr | None
    ) -> None:
        self.current = dict(before)
        for name in sorted({*then, *other}):  # fields after the variable that they belong to
            one, two = then.get(name, name), other.get(name, name)
            if one == two:
                self.current[name] = one
            else:
                is_known = all(each in self.values or each == name for each in (one, two))
                chosen = ast.IfExp(test, ast.Name(one), ast.Name(two)) if test is not None else None
                self.assign(name, chosen if is_known else None)

    def _outcome(self) -> ast.expr | None:
        value = self.returned
        for test, other in reversed(self._cases):
            value = None if value is None else ast.IfExp(test, other, value)
        return value

    def result(self) -> ast.expr | None:
        """What a function returns whose body was passed, over the names of assignments; None where it is not clear."""
        return None if self.is_unclear or not self.is_ended else self._outcome()


class _Renamer(ast.NodeTransformer):
    def __init__(self, flow: Flow) -> None:
        self._flow = flow

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Name(self._flow.name_of(node.id))

    def visit_Call(self, node: ast.Call) -> ast.AST:
        return ast.Call(node.func, [self.visit(one) for one in node.args], [])


def _not(node: ast.expr) -> ast.expr:
    return node if isinstance(node, ast.Tuple) else ast.UnaryOp(ast.Not(), node)


def _is_one(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and node.value == 1


def _is_dim3(node: Node | None) -> bool:
    return node is not None and text_of(node.child_by_field_name("function")) == "dim3"


def names_behind(node: ast.expr, values: dict[str, ast.expr]) -> set[str]:
    """The names in an expression, and those that their values are computed from."""
    found: set[str] = set()
    waiting = [node]
    while waiting:
        for name in names_in(waiting.pop()) - found:
            found.add(name)
            waiting += [values[name]] if name in values else []
    return found

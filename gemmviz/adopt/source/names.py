"""The names of a file that stand for something: macros, constants, functions of one expression, types."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field

from gemmviz.adopt.source.arithmetic import constant_of, converted, expression_in, expression_of, names_in, replaced
from gemmviz.adopt.source.flow import AXES, MARK, Flow
from gemmviz.adopt.source.fractions import is_fraction, is_real
from gemmviz.adopt.source.tree import Node, declared_name, text_of, walk

MOST_NAMES = 2000
"""Of each kind, in a file."""
_LONGEST_FUNCTION = 2000
_TYPE_WORDS = re.compile(
    r"\b(?:const|constexpr|static|inline|volatile|restrict|__restrict__|__restrict|__grid_constant__)\b"
)


@dataclass(slots=True)
class Names:
    """What names stand for. `constants` and `functions` are arithmetic, with None for what a function returns where
    that cannot be told; `types` are the text of a type.
    """

    constants: dict[str, ast.expr] = field(default_factory=dict)
    functions: dict[str, tuple[tuple[str, ...], ast.expr | None]] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)
    ambiguous: set[str] = field(default_factory=set)
    """Constants that are defined more than once, as different things."""
    by_reference: set[str] = field(default_factory=set)
    """Functions that may change the variables that they are given."""
    grids: set[str] = field(default_factory=set)
    """Functions that return a `dim3`; its parts are the functions "grid.x", "grid.y" and "grid.z"."""

    def value_of(self, name: str) -> int | None:
        """The number that a name stands for, None where it stands for none."""
        found = self.constants.get(name)
        return None if found is None or is_real(found) else constant_of(self.resolved(found))

    def beside(self, included: Names) -> Names:
        """These names, and those of an included file that this one does not define itself."""
        return Names(
            {**included.constants, **self.constants},
            {**included.functions, **self.functions},
            {**included.types, **self.types},
            included.ambiguous - {*self.constants} | self.ambiguous,
            included.by_reference | self.by_reference,
            included.grids | self.grids,
        )

    @property
    def numbers(self) -> list[str]:
        """The constants that are defined as numbers, and not by other constants."""
        return [name for name, value in self.constants.items() if not names_in(value)]

    def without_ambiguous(self) -> Names:
        """The names that stand for one thing wherever they are used."""
        constants = {name: value for name, value in self.constants.items() if name not in self.ambiguous}
        return Names(constants, self.functions, self.types, by_reference=self.by_reference, grids=self.grids)

    def resolved(self, node: ast.expr) -> ast.expr | None:
        """An expression with all names of the file replaced; None for what is no whole number."""
        return None if is_fraction(node) else replaced(node, self.constants.get, self.functions)

    def plain_type(self, written: str) -> str:
        """A type without qualifiers, aliases followed: "FLOAT" with `#define FLOAT float` is "float"; an alias of a
        pointer is what it points to, and a star: "float*".
        """
        return self._followed(written)[0]

    def is_qualifier(self, name: str) -> bool:
        """Whether a name stands for `__restrict__` or another qualifier."""
        return name in self.types and not _without_qualifiers(self.types[name])

    def is_pointer_to_const(self, alias: str) -> bool:
        """Whether an alias is a pointer that nobody may write through: `In` with `typedef const float* In`."""
        plain, is_const = self._followed(alias)
        return plain.endswith("*") and is_const

    def _followed(self, written: str) -> tuple[str, bool]:
        """The plain type, and whether aliases say `const` of what it is, or of what it points to."""
        words, stars, is_const = _without_qualifiers(written).removeprefix("::").removeprefix("std::"), 0, False
        for _ in range(8):
            head, star, tail = words.rpartition("*")
            if star and not any(_without_qualifiers(self.types.get(one, one)) for one in tail.split()):
                words = head + star  # behind it a macro of `__restrict__`
            base = words.rstrip("* ")
            stars += words.count("*", len(base))
            words = base
            if words not in self.types:
                break
            alias = self.types[words]
            is_const = is_const or re.search(r"\bconst\b", alias.partition("*")[0]) is not None
            words = _without_qualifiers(alias)
        return words + "*" * stars, is_const


def _without_qualifiers(written: str) -> str:
    return " ".join(_TYPE_WORDS.sub(" ", written).split())


def names_of(root: Node) -> Names:
    """The names that a file defines outside of functions, whatever the conditions around them."""
    found, changed = Names(), _assigned(root)
    for node in walk(root):
        match node.type:
            case "preproc_def":
                _object_macro(node, found)
            case "preproc_function_def":
                _function_macro(node, found)
            case "type_definition" | "alias_declaration":
                _type(node, found)
            case "function_definition":
                _function(node, found)
            case "declaration" if _is_outside(node):
                is_fixed = re.search(r"\bconst(?:expr)?\b", text_of(node)) is not None
                for name, value in declared(node):
                    _put(found, name, value)
                    found.ambiguous |= set() if is_fixed else {name} & changed
            case "init_declarator":
                _lambda(node, found)
            case "enumerator":
                number = expression_of(node.child_by_field_name("value"))
                if number is not None:
                    _put(found, text_of(node.child_by_field_name("name")), number)
    return found


def _put(found: Names, name: str, value: ast.expr) -> None:
    """The first definition counts; what names itself is no definition."""
    table = found.constants
    if name in table and ast.dump(table[name]) != ast.dump(value):
        found.ambiguous.add(name)
    if name and name not in table and len(table) < MOST_NAMES and name not in names_in(value):
        table[name] = value


def _assigned(root: Node) -> set[str]:
    """The variables that a file assigns to or counts anywhere."""
    found: set[str] = set()
    for node in walk(root):
        if node.type in ("assignment_expression", "update_expression"):
            found.add(text_of(node.child_by_field_name("left") or node.child_by_field_name("argument")))
    return found


def _is_outside(node: Node) -> bool:
    parent = node.parent
    while parent is not None:
        if parent.type in ("function_definition", "compound_statement", "parameter_list"):
            return False
        parent = parent.parent
    return True


def declared(node: Node) -> Iterator[tuple[str, ast.expr]]:
    """The variables of a declaration that begin with a number or with arithmetic."""
    words = text_of(node.child_by_field_name("type"))
    for one in node.children_by_field_name("declarator"):
        if one.type != "init_declarator":
            continue
        name, value = one.child_by_field_name("declarator"), one.child_by_field_name("value")
        if value is not None and value.type in ("initializer_list", "argument_list") and value.named_child_count == 1:
            value = value.named_children[0]
        number = expression_of(value)
        if name is not None and name.type == "identifier" and number is not None:
            yield text_of(name), converted(number, words)


def _body(node: Node) -> str:
    words = text_of(node.child_by_field_name("value"))
    words = re.sub(r"/\*.*?\*/|//[^\n]*", " ", words, flags=re.DOTALL).replace("\\\n", " ")
    return words.strip()


def _object_macro(node: Node, found: Names) -> None:
    name, words = text_of(node.child_by_field_name("name")), _body(node)
    value = expression_in(words)
    if value is not None:
        _put(found, name, value)
    elif name in found.constants:
        found.ambiguous.add(name)
    if re.fullmatch(r"[A-Za-z_][\w: ]*(?:\*[\w* ]*)?", words) and len(found.types) < MOST_NAMES:
        found.types.setdefault(name, words)


def _function_macro(node: Node, found: Names) -> None:
    name, given = text_of(node.child_by_field_name("name")), node.child_by_field_name("parameters")
    if given is not None:
        parameters = tuple(text_of(one) for one in given.named_children)
        _put_function(found, name, parameters, expression_in(_body(node)))


def _put_function(found: Names, name: str, parameters: tuple[str, ...], value: ast.expr | None) -> None:
    """Functions of one name that return different things return nothing that can be told."""
    before = found.functions.get(name)
    if before is not None:
        is_same = before[0] == parameters and before[1] is not None and value is not None
        if not is_same or ast.dump(before[1] or ast.Constant(0)) != ast.dump(value or ast.Constant(1)):
            found.functions[name] = (parameters, None)
    elif name and len(found.functions) < MOST_NAMES:
        found.functions[name] = (parameters, value)


def _function(node: Node, found: Names) -> None:
    """A function that computes a number from its parameters, such as `cdiv`."""
    declarator = node.child_by_field_name("declarator")
    while declarator is not None and declarator.type in ("reference_declarator", "pointer_declarator"):
        declarator = next((one for one in declarator.named_children if one.type.endswith("declarator")), None)
    if declarator is not None and declarator.type == "function_declarator":
        name = text_of(declarator.child_by_field_name("declarator")).rpartition("::")[2]
        _returned(node, declarator, name, text_of(node.child_by_field_name("type")), found)


def _lambda(node: Node, found: Names) -> None:
    """A variable that is a function: `auto cdiv = [](int a, int b) { … };`."""
    value = node.child_by_field_name("value")
    declarator = value.child_by_field_name("declarator") if value is not None else None
    if value is not None and value.type == "lambda_expression" and declarator is not None:
        _returned(value, declarator, text_of(node.child_by_field_name("declarator")), "", found)


def _returned(node: Node, declarator: Node, name: str, type_words: str, found: Names) -> None:
    """Note what a function returns, over the names of its parameters."""
    body, given = node.child_by_field_name("body"), declarator.child_by_field_name("parameters")
    if body is None or given is None or body.type != "compound_statement":
        return
    flow, parameters = Flow(), []
    for one in given.named_children:
        words = one.child_by_field_name("declarator")
        if not one.type.endswith("parameter_declaration") or words is None:
            continue
        if words.type == "reference_declarator":
            found.by_reference |= {name} if not re.search(r"\bconst\b", text_of(one)) else set()
        parameter = declared_name(words)
        parameters.append(parameter)
        flow.assign(parameter, converted(ast.Name(parameter), text_of(one.child_by_field_name("type"))))
    if type_words.split()[-1:] == ["dim3"]:
        _returned_grid(name, tuple(parameters), body, flow, found)
        return
    for one in body.named_children:
        flow.pass_statement(one)
    value = flow.result() if len(text_of(body)) < _LONGEST_FUNCTION else None
    if value is not None:
        # over the parameters alone, for what stands in the place of a parameter is no variable of the function
        value = _written_out(value, flow.values)
    _put_function(found, name, tuple(parameters), None if value is None else converted(value, type_words))


def _returned_grid(name: str, parameters: tuple[str, ...], body: Node, flow: Flow, found: Names) -> None:
    """A function that computes a `dim3` and returns it at its end, and nowhere else."""
    *before, last = [one for one in body.named_children if one.type != "comment"] or [body]
    for one in before:
        flow.pass_statement(one)
    values = [one for one in last.named_children if one.type != "comment"]
    is_read = last.type == "return_statement" and values and not flow.is_ended and not flow.is_unclear
    has_branches = any(each.type == "return_statement" for one in before for each in walk(one))
    parts = flow.dims(values[0]) if is_read and not has_branches and len(text_of(body)) < _LONGEST_FUNCTION else ()
    parts = (*parts, *(ast.Constant(1) for _ in AXES))[: len(AXES)] if parts else ()
    found.grids.add(name)
    for place, axis in enumerate(AXES):
        value = _written_out(parts[place], flow.values) if parts else None
        _put_function(found, f"{name}.{axis}", parameters, value)


class _WrittenOut(ast.NodeTransformer):
    def __init__(self, values: dict[str, ast.expr]) -> None:
        self._values = values
        self._work = 0

    def visit_Name(self, node: ast.Name) -> ast.AST:
        self._work += 1
        if self._work > MOST_NAMES:
            raise RecursionError
        value = self._values.get(node.id)
        found: ast.AST = node if value is None else self.visit(deepcopy(value))
        return found


def _written_out(node: ast.expr, values: dict[str, ast.expr]) -> ast.expr | None:
    """An expression without names of assignments; None where one of them is not known, or there are too many."""
    try:
        found = _WrittenOut(values).visit(deepcopy(node))
    except RecursionError:
        return None
    return None if any(MARK in name for name in names_in(found)) else found


def _type(node: Node, found: Names) -> None:
    if len(found.types) >= MOST_NAMES:
        return
    if node.type == "alias_declaration":
        found.types.setdefault(
            text_of(node.child_by_field_name("name")), text_of(node.child_by_field_name("type")).strip()
        )
        return
    is_const = any(one.type == "type_qualifier" and text_of(one) == "const" for one in node.children)
    base = f"{'const ' if is_const else ''}{text_of(node.child_by_field_name('type'))}"
    for declarator in node.children_by_field_name("declarator"):
        one: Node | None = declarator
        stars = ""
        while one is not None and one.type == "pointer_declarator":
            one, stars = one.child_by_field_name("declarator"), f"{stars}*"
        if one is not None and one.type == "type_identifier":
            found.types.setdefault(text_of(one), base + stars)

"""The names of a file that stand for something: macros, constants, functions of one expression, types."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from gemmviz.adopt.source.arithmetic import constant_of, expression_of, names_in, replaced
from gemmviz.adopt.source.tree import Node, parse, text_of, walk

MOST_NAMES = 2000
"""Of each kind, in a file."""
_LONGEST_BODY = 400
_TYPE_WORDS = re.compile(
    r"\b(?:const|constexpr|static|inline|volatile|restrict|__restrict__|__restrict|__grid_constant__)\b"
)


@dataclass(slots=True)
class Names:
    """What names stand for. `constants` and `functions` are whole-number arithmetic, `types` the text of a type."""

    constants: dict[str, ast.expr] = field(default_factory=dict)
    functions: dict[str, tuple[tuple[str, ...], ast.expr]] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)

    def value_of(self, name: str) -> int | None:
        """The number that a name stands for, None where it stands for none."""
        found = self.constants.get(name)
        return None if found is None else constant_of(self.resolved(found))

    def resolved(self, node: ast.expr) -> ast.expr | None:
        """An expression with all names of the file replaced."""
        return replaced(node, self.constants.get, self.functions)

    def plain_type(self, written: str) -> str:
        """A type without qualifiers, aliases followed: "FLOAT" with `#define FLOAT float` is "float"; an alias of a
        pointer is what it points to, and a star: "float*".
        """
        return self._followed(written)[0]

    def is_pointer_to_const(self, alias: str) -> bool:
        """Whether an alias is a pointer that nobody may write through: `In` with `typedef const float* In`."""
        plain, is_const = self._followed(alias)
        return plain.endswith("*") and is_const

    def _followed(self, written: str) -> tuple[str, bool]:
        """The plain type, and whether aliases say `const` of what it is, or of what it points to."""
        words, stars, is_const = _without_qualifiers(written).removeprefix("::").removeprefix("std::"), 0, False
        for _ in range(8):
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
    found = Names()
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
                for name, value in declared(node):
                    _put(found.constants, name, value)
            case "enumerator":
                number = expression_of(node.child_by_field_name("value"))
                if number is not None:
                    _put(found.constants, text_of(node.child_by_field_name("name")), number)
    return found


def _put(table: dict[str, ast.expr], name: str, value: ast.expr) -> None:
    """The first definition counts; what names itself is no definition."""
    if name and name not in table and len(table) < MOST_NAMES and name not in names_in(value):
        table[name] = value


def _is_outside(node: Node) -> bool:
    parent = node.parent
    while parent is not None:
        if parent.type in ("function_definition", "compound_statement", "parameter_list"):
            return False
        parent = parent.parent
    return True


def declared(node: Node) -> Iterator[tuple[str, ast.expr]]:
    """The variables of a declaration that begin with a number or with arithmetic."""
    for one in node.children_by_field_name("declarator"):
        if one.type != "init_declarator":
            continue
        name, value = one.child_by_field_name("declarator"), one.child_by_field_name("value")
        if value is not None and value.type in ("initializer_list", "argument_list") and value.named_child_count == 1:
            value = value.named_children[0]
        number = expression_of(value)
        if name is not None and name.type == "identifier" and number is not None:
            yield text_of(name), number


def _body(node: Node) -> str:
    words = text_of(node.child_by_field_name("value"))
    words = re.sub(r"/\*.*?\*/|//[^\n]*", " ", words, flags=re.DOTALL).replace("\\\n", " ")
    return words.strip()


def expression_in(words: str) -> ast.expr | None:
    """A text of C as arithmetic, None for anything else."""
    if not words or len(words) > _LONGEST_BODY:
        return None
    for node in walk(parse(f"int x = ({words});")):
        if node.type == "init_declarator":
            return None if node.has_error else expression_of(node.child_by_field_name("value"))
    return None


def _object_macro(node: Node, found: Names) -> None:
    name, words = text_of(node.child_by_field_name("name")), _body(node)
    value = expression_in(words)
    if value is not None:
        _put(found.constants, name, value)
    if re.fullmatch(r"[A-Za-z_][\w: ]*", words) and len(found.types) < MOST_NAMES:
        found.types.setdefault(name, words)


def _function_macro(node: Node, found: Names) -> None:
    name, given = text_of(node.child_by_field_name("name")), node.child_by_field_name("parameters")
    value = expression_in(_body(node))
    if value is not None and given is not None and len(found.functions) < MOST_NAMES:
        parameters = tuple(text_of(one) for one in given.named_children)
        found.functions.setdefault(name, (parameters, value))


def _function(node: Node, found: Names) -> None:
    """A function that returns one expression of its parameters, such as `cdiv`."""
    body, declarator = node.child_by_field_name("body"), node.child_by_field_name("declarator")
    if body is None or declarator is None or declarator.type != "function_declarator":
        return
    inside = [one for one in body.named_children if one.type != "comment"]
    if len(inside) != 1 or inside[0].type != "return_statement" or inside[0].named_child_count != 1:
        return
    value, given = expression_of(inside[0].named_children[0]), declarator.child_by_field_name("parameters")
    if value is not None and given is not None and len(found.functions) < MOST_NAMES:
        parameters = tuple(text_of(one.child_by_field_name("declarator")) for one in given.named_children)
        found.functions.setdefault(text_of(declarator.child_by_field_name("declarator")), (parameters, value))


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

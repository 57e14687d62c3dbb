"""C expressions over whole numbers, as expressions of a kernel's header: `CEIL_DIV(M, 32)` is `ceil_div(M, 32)`."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import cast

from gemmviz.adopt.source.fractions import REAL_TYPES, as_real, as_whole, finished, real_number, reduced
from gemmviz.adopt.source.tensors import size_of_tensor
from gemmviz.adopt.source.tree import Node, parse, text_of, walk
from gemmviz.catalogue.expressions import FUNCTIONS, ExpressionError, evaluate, evaluate_whole

MOST_LEVELS = 60
"""Of an expression, and of names that stand for other names."""
_LONGEST_BODY = 400
_MOST_PARTS = 2000
"""Of an expression with its names replaced."""

OPERATORS: dict[str, ast.operator] = {
    "+": ast.Add(),
    "-": ast.Sub(),
    "*": ast.Mult(),
    "/": ast.FloorDiv(),
    "%": ast.Mod(),
    "<<": ast.LShift(),
    ">>": ast.RShift(),
    "&": ast.BitAnd(),
    "|": ast.BitOr(),
    "^": ast.BitXor(),
}
_COMPARISONS: dict[str, ast.cmpop] = {
    "==": ast.Eq(),
    "!=": ast.NotEq(),
    "<": ast.Lt(),
    "<=": ast.LtE(),
    ">": ast.Gt(),
    ">=": ast.GtE(),
}
_SIZES = {
    "float": 4,
    "double": 8,
    "int": 4,
    "unsigned": 4,
    "unsigned int": 4,
    "half": 2,
    "__half": 2,
    "float2": 8,
    "__nv_bfloat16": 2,
    "float4": 16,
    "char": 1,
    "short": 2,
    "long long": 8,
    "size_t": 8,
}
_NUMBER = re.compile(r"(0[xX][0-9a-fA-F']+|0[bB][01']+|\d[\d']*)[uUlLzZ]*\Z")
_CEIL_DIV = re.compile(r"(?i)_*(?:ceil_?div|div_?ceil|c_?div|div_?up|div_?round_?up|i_?div_?up|ceiling_?div)")
"""What functions are called that divide and round up, where their text is in another file."""
_CASTS = {"static_cast", "int", "unsigned", "size_t", "uint", "dim3", "long", "unsigned int", *REAL_TYPES}
_WHOLE_TYPE = re.compile(
    r"(?:(?:std::)?u?int\w*|(?:std::)?size_t|unsigned\b.*|signed\b.*|long\b(?! double).*|short\b.*|uint)"
)

Functions = Mapping[str, tuple[tuple[str, ...], "ast.expr | None"]]
"""The functions of a file: their parameters and what they return, None where that cannot be told."""
Lookup = Callable[[str], "ast.expr | None"]
"""What a name stands for; None where it stands for itself."""


def expression_of(node: Node | None) -> ast.expr | None:
    """A node of C as arithmetic; None for anything else. `a.x` is a name with a dot in it."""
    found = _expression(node, 0)
    return None if found is None else reduced(found)


def expression_in(words: str) -> ast.expr | None:
    """A text of C as arithmetic, None for anything else."""
    if not words or len(words) > _LONGEST_BODY:
        return None
    for node in walk(parse(f"int x = ({words});")):
        if node.type == "init_declarator":
            return None if node.has_error else expression_of(node.child_by_field_name("value"))
    return None


def converted(node: ast.expr, c_type: str) -> ast.expr:
    """A number as a variable of a type holds it."""
    words = " ".join(re.sub(r"\b(?:const|constexpr|static|inline|volatile)\b", " ", c_type).split())
    if words in REAL_TYPES:
        return as_real(node)
    return as_whole(node) if _WHOLE_TYPE.fullmatch(words) else node


def _expression(node: Node | None, depth: int) -> ast.expr | None:
    if node is None or depth > MOST_LEVELS:
        return None
    inner = [child for child in node.named_children if child.type != "comment"]
    match node.type:
        case "number_literal":
            return _number(text_of(node)) or real_number(text_of(node))
        case "char_literal":  # the flags of a BLAS: 'N', 'T'
            text = text_of(node)
            return ast.Constant(ord(text[1])) if len(text) == len("'N'") and text.isascii() else None
        case "true" | "false":
            return ast.Constant(node.type == "true")
        case "identifier" | "namespace_identifier":
            return ast.Name(text_of(node))
        case "qualified_identifier":
            return _expression(inner[-1], depth + 1) if inner else None
        case "field_expression":
            return ast.Name("".join(text_of(node).split()).replace("->", "."))
        case "cast_expression":
            value = _expression(node.child_by_field_name("value"), depth + 1)
            return None if value is None else converted(value, text_of(node.child_by_field_name("type")))
        case "parenthesized_expression" | "condition_clause":
            return _expression(inner[-1], depth + 1) if inner else None
        case "sizeof_expression":
            return _size_of(text_of(node))
        case "call_expression":
            return size_of_tensor(node) or _call(node, depth)
        case "subscript_expression":
            return size_of_tensor(node)
        case "unary_expression" if len(inner) == 1 and node.children[0].type in ("-", "+"):
            value = _expression(inner[0], depth + 1)
            sign = ast.USub() if node.children[0].type == "-" else ast.UAdd()
            return None if value is None else ast.UnaryOp(sign, value)
        case "unary_expression" if len(inner) == 1 and node.children[0].type == "!":
            value = _expression(inner[0], depth + 1)
            return None if value is None else ast.UnaryOp(ast.Not(), value)
        case "conditional_expression" if len(inner) == 3:
            test, then, otherwise = (_expression(one, depth + 1) for one in inner)
            return None if test is None or then is None or otherwise is None else ast.IfExp(test, then, otherwise)
        case "binary_expression" if len(inner) == 2:
            return _binary(node, inner, depth)
    return None


def _number(text: str) -> ast.expr | None:
    found = _NUMBER.match(text)
    if found is None:
        return None
    digits = found[1].replace("'", "")
    return ast.Constant(int(digits, 8 if re.fullmatch(r"0[0-7]+", digits) else 0)) if len(digits) < 25 else None


def _size_of(text: str) -> ast.expr | None:
    name = re.sub(r"^sizeof\s*\(?|\)$|\bconst\b", "", text).strip()
    return ast.Constant(_SIZES[name]) if name in _SIZES else None


def _binary(node: Node, inner: list[Node], depth: int) -> ast.expr | None:
    left, right = (_expression(one, depth + 1) for one in inner)
    sign = text_of(node.child_by_field_name("operator"))
    if left is None or right is None:
        return None
    if sign in OPERATORS:
        return ast.BinOp(left, OPERATORS[sign], right)
    if sign in _COMPARISONS:
        return ast.Compare(left, [_COMPARISONS[sign]], [right])
    if sign in ("&&", "and", "||", "or"):
        return ast.BoolOp(ast.And() if sign in ("&&", "and") else ast.Or(), [left, right])
    return None


def _call(node: Node, depth: int) -> ast.expr | None:
    function = node.child_by_field_name("function")
    given = node.child_by_field_name("arguments")
    if function is None or given is None:
        return None
    arguments = [_expression(one, depth + 1) for one in given.named_children if one.type != "comment"]
    found = [one for one in arguments if one is not None]
    if len(found) < len(arguments):
        return None
    words = text_of(function)
    name = words.split("<")[0].rpartition("::")[2].strip()
    if name in _CASTS and len(found) == 1:
        to = re.search(r"<(.*)>", words)
        return converted(found[0], to[1] if to is not None else name)
    return ast.Call(ast.Name(name), list(found), [])


class _Replacer(ast.NodeTransformer):
    """Replaces names by what they stand for, as deep as that goes. Functions of other files whose names say that they
    divide and round up are taken to: `taken` gets their names.
    """

    def __init__(self, lookup: Lookup, functions: Functions, taken: set[str]) -> None:
        self._lookup, self._functions, self._taken = lookup, functions, taken
        self._depth = self._work = 0

    def visit(self, node: ast.AST) -> ast.AST:
        self._work += 1
        if self._work > _MOST_PARTS or self._depth > MOST_LEVELS:
            raise ExpressionError("too much to replace")
        self._depth += 1
        try:
            found: ast.AST = super().visit(node)
            return found
        finally:
            self._depth -= 1

    def visit_Name(self, node: ast.Name) -> ast.AST:
        found = self._lookup(node.id)
        return node if found is None else self.visit(deepcopy(found))

    def visit_Call(self, node: ast.Call) -> ast.AST:
        given = [cast(ast.expr, self.visit(one)) for one in node.args]
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        known = self._functions.get(name)
        if known is not None:
            parameters, value = known
            if value is None or len(parameters) != len(given):
                raise ExpressionError(f"what {name} returns cannot be told")
            values = dict(zip(parameters, given, strict=True))
            inner = _Replacer(
                lambda one: self._lookup(one) if one not in values else None, self._functions, self._taken
            )
            inner._depth, inner._work = self._depth, self._work
            filled: ast.AST = _Filler(values).visit(inner.visit(deepcopy(value)))
            return filled
        if len(given) == 2 and name not in FUNCTIONS and _CEIL_DIV.fullmatch(name):
            self._taken.add(name)
            name = "ceil_div"
        return ast.Call(ast.Name(name), given, [])


class _Filler(ast.NodeTransformer):
    """Puts the arguments of a call in the place of its parameters."""

    def __init__(self, values: Mapping[str, ast.expr]) -> None:
        self._values = values

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return self._values.get(node.id, node)


def replaced(node: ast.expr, lookup: Lookup, functions: Functions, taken: set[str] | None = None) -> ast.expr | None:
    """An expression with its names replaced, and as short as it can be said; None where that has no end. `taken` gets
    the names of functions that are taken to divide and round up, because nothing but their names is known.
    """
    try:
        found = _Replacer(lookup, functions, set() if taken is None else taken).visit(deepcopy(node))
        assert isinstance(found, ast.expr)
        return _shortened(finished(found))
    except (ExpressionError, RecursionError, SyntaxError, ValueError):
        return None


def names_in(node: ast.expr) -> set[str]:
    """The names that an expression depends on; functions are none."""
    called = {id(one.func) for one in ast.walk(node) if isinstance(one, ast.Call)}
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and id(one) not in called}


def written(node: ast.expr) -> str:
    """An expression as a header has it."""
    return ast.unparse(node)


def constant_of(node: ast.expr | None, names: Mapping[str, int] | None = None) -> int | None:
    """The value of an expression, None where it has none."""
    if node is None:
        return None
    try:
        return evaluate_whole(ast.unparse(finished(deepcopy(node))), names or {})
    except (ExpressionError, ValueError):
        return None


def _shortened(node: ast.AST) -> ast.expr:
    """Parts without names become numbers, and (x + d - 1) // d becomes ceil_div(x, d)."""
    for name, value in ast.iter_fields(node):
        if isinstance(value, ast.expr):
            setattr(node, name, _shortened(value))
        elif isinstance(value, list):
            setattr(node, name, [_shortened(one) if isinstance(one, ast.expr) else one for one in value])
    assert isinstance(node, ast.expr)
    if isinstance(node, ast.Constant | ast.Name):
        return node
    if not names_in(node) and (value := constant_of(node)) is not None:
        return ast.Constant(value)
    if isinstance(node, ast.IfExp) and not names_in(node.test):
        return node.body if evaluate(ast.unparse(node.test), {}) else node.orelse
    if isinstance(node, ast.IfExp) and ast.dump(node.body) == ast.dump(node.orelse):
        return node.body
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.FloorDiv):
        return _as_ceil_div(node) or node
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        for one, other in ((node.left, node.right), (node.right, node.left)):
            if isinstance(one, ast.Constant) and one.value == 1:
                return other
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id not in FUNCTIONS:
        raise ExpressionError(f"{node.func.id} is not known")
    return node


def _as_ceil_div(node: ast.BinOp) -> ast.expr | None:
    terms, divisor = _terms(node.left), ast.dump(node.right)
    rest = [one for one in terms if not isinstance(one[1], ast.Constant)]
    number = sum(sign * _whole(one) for sign, one in terms)
    if isinstance(node.right, ast.Constant):
        is_one = number == _whole(node.right) - 1 and number > 0
    else:
        same = [one for one in rest if one[0] == 1 and ast.dump(one[1]) == divisor]
        is_one = number == -1 and bool(same)
        rest = [one for one in rest if not same or one is not same[0]]
    if not is_one or len(rest) != 1 or rest[0][0] != 1:
        return None
    return ast.Call(ast.Name("ceil_div"), [rest[0][1], node.right], [])


def _whole(node: ast.expr) -> int:
    """The number of a constant, 0 of anything else."""
    return node.value if isinstance(node, ast.Constant) and type(node.value) is int else 0


def _terms(node: ast.expr, sign: int = 1) -> list[tuple[int, ast.expr]]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        other = sign if isinstance(node.op, ast.Add) else -sign
        return [*_terms(node.left, sign), *_terms(node.right, other)]
    return [(sign, node)]

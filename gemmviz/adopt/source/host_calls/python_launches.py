"""Launches of CuPy's kernels in a Python file, written as CUDA C so that they are read as those of host code."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest

from gemmviz.catalogue.languages.cupy import calls
from gemmviz.catalogue.languages.python_functions import full_name, full_names, syntax_tree

_NUMBERS = re.compile(
    r"(?:int|float|(?:numpy|cupy)\.(?:u?int(?:8|16|32|64)?|intc|uintc|float(?:16|32|64)|single|double))"
)
"""Calls that give a number another type."""
_SIGNS: Mapping[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Mod: "%", ast.FloorDiv: "/"}
_MOST_AXES = 3
_KERNEL = re.compile(r"[\w:<>, ]+")


class _NotReadError(Exception):
    """An expression has no counterpart in C that is certain."""


def with_python_launches(code: str, python: str) -> str:
    """The CUDA C of a Python file, each line where it stands there, with the launches that can be read: each on its
    line, as a function of its own. A launch under a condition is left out, and so is one of which a part is not read.
    """
    lines = dict(enumerate(code.split("\n"), 1))
    for line, words in _launches(python):
        if not lines.get(line, "").strip():
            lines[line] = words
    return "\n".join(lines.get(line, "") for line in range(1, max(lines) + 1))


def _launches(python: str) -> Iterator[tuple[int, str]]:
    tree = syntax_tree(python)
    names = full_names(tree)
    kernels = _kernels(tree, names)
    constants = _constants(tree)
    for owner in _owners(tree):
        counts, known = _bindings(owner), dict(constants)
        for statement in _in_order(owner.body):
            for call in _calls_in(statement):
                if isinstance(call.func, ast.Name) and call.func.id in kernels:
                    try:
                        yield call.lineno, _launch(kernels[call.func.id], call, known, names)
                    except _NotReadError:
                        continue
            _take_assignment(statement, known)
            # A name that is bound once has its value wherever it is used behind that.
            known = {name: one for name, one in known.items() if counts[name] <= 1}


def _kernels(tree: ast.Module, names: Mapping[str, str]) -> dict[str, str]:
    """The function of each variable that holds a kernel; a variable that is bound twice holds none for certain."""
    made = {id(call): call for call, name in calls(tree, names) if name.endswith("RawKernel")}
    found, counts = dict[str, str](), _bindings(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            call = node.value
            is_taken = isinstance(call, ast.Call) and getattr(call.func, "attr", "") == "get_function"
            if isinstance(call, ast.Call) and (id(call) in made or is_taken):
                given = [*call.args[0 if is_taken else 1 :], *(one.value for one in call.keywords if one.arg == "name")]
                if given and isinstance(given[0], ast.Constant) and isinstance(given[0].value, str):
                    found[node.targets[0].id] = given[0].value
    return {
        variable: kernel for variable, kernel in found.items() if counts[variable] == 1 and _KERNEL.fullmatch(kernel)
    }


def _constants(tree: ast.Module) -> dict[str, ast.expr]:
    """The numbers at the top of the file whose names stand for nothing else anywhere in it."""
    counts, known = _bindings(tree), dict[str, ast.expr]()
    for statement in tree.body:
        _take_assignment(statement, known)
    return {name: one for name, one in known.items() if isinstance(one, ast.Constant) and counts[name] == 1}


def _bindings(*nodes: ast.AST) -> Counter[str]:
    """How often each name is bound: by assignments and loops, and as a parameter, a function or a class."""
    counts: Counter[str] = Counter()
    for node in (inner for one in nodes for inner in ast.walk(one)):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            counts[node.id] += 1
        elif isinstance(node, ast.arg):
            counts[node.arg] += 1
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            counts[node.name] += 1
    return counts


def _owners(tree: ast.Module) -> Iterator[ast.Module | ast.FunctionDef]:
    """The file, and each of its functions."""
    yield tree
    yield from (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def _in_order(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a body that run whenever it does, those of loops and of the main program among them."""
    for statement in body:
        yield statement
        if isinstance(statement, ast.For | ast.With) or (isinstance(statement, ast.If) and _is_main(statement.test)):
            yield from _in_order(statement.body)


def _is_main(test: ast.expr) -> bool:
    return isinstance(test, ast.Compare) and isinstance(test.left, ast.Name) and test.left.id == "__name__"


def _calls_in(statement: ast.stmt) -> Iterator[ast.Call]:
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        yield statement.value


def _take_assignment(statement: ast.stmt, known: dict[str, ast.expr]) -> None:
    """Keep the expressions that an assignment gives to names; calls, attributes and elements are not followed."""
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target, value = statement.targets[0], statement.value
        pairs: list[tuple[ast.expr, ast.expr | None]] = [(target, value)]
        if isinstance(target, ast.Tuple):
            values = value.elts if isinstance(value, ast.Tuple) and len(value.elts) == len(target.elts) else None
            pairs = list(zip_longest(target.elts, values or ()))
        for name, what in pairs:
            is_read = what is not None and not isinstance(what, ast.Call | ast.Attribute | ast.Subscript)
            if isinstance(name, ast.Name) and what is not None and is_read:
                known[name.id] = what


def _launch(kernel: str, call: ast.Call, known: Mapping[str, ast.expr], names: Mapping[str, str]) -> str:
    named = {one.arg: one.value for one in call.keywords}
    given = dict(zip(("grid", "block", "args", "shared_mem"), call.args, strict=False)) | named
    if not {"grid", "block", "args"} <= set(given) or None in given:
        raise _NotReadError
    grid, block, arguments = (_parts(given[name], known) for name in ("grid", "block", "args"))
    if not 1 <= len(grid) <= _MOST_AXES or not 1 <= len(block) <= _MOST_AXES:
        raise _NotReadError

    def written(parts: Sequence[ast.expr]) -> str:
        return ", ".join(_in_c(one, known, names) for one in parts)

    shared = f", {_in_c(given['shared_mem'], known, names)}" if "shared_mem" in given else ""
    return (
        f"void launch_of_line_{call.lineno}() {{ dim3 block({written(block)}); dim3 grid({written(grid)}); "
        f"{kernel}<<<grid, block{shared}>>>({written(arguments)}); }}"
    )


def _parts(node: ast.expr, known: Mapping[str, ast.expr]) -> Sequence[ast.expr]:
    """The elements of a tuple or list, or of one that a name stands for."""
    if isinstance(node, ast.Name) and node.id in known:
        node = known[node.id]
    if isinstance(node, ast.Tuple | ast.List) and not any(isinstance(one, ast.Starred) for one in node.elts):
        return node.elts
    raise _NotReadError


def _in_c(node: ast.expr, known: Mapping[str, ast.expr], names: Mapping[str, str], depth: int = 0) -> str:
    """An expression in C, with what names stand for in their place."""
    if depth > 20:
        raise _NotReadError

    def inner(one: ast.expr) -> str:
        return _in_c(one, known, names, depth + 1)

    match node:
        case ast.Name(id=name):
            return inner(known[name]) if name in known else name
        case ast.Constant(value=bool()):
            raise _NotReadError
        case ast.Constant(value=int() | float() as value):
            return repr(value)
        case ast.UnaryOp(op=ast.USub(), operand=ast.BinOp(op=ast.FloorDiv(), left=ast.UnaryOp(op=ast.USub()) as left)):
            over = node.operand.right if isinstance(node.operand, ast.BinOp) else left
            return f"(({inner(left.operand)} + {inner(over)} - 1) / {inner(over)})"
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return f"(-{inner(operand)})"
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _SIGNS:
            return f"({inner(left)} {_SIGNS[type(op)]} {inner(right)})"
        case ast.Call(func=func, args=[ast.BinOp(left=left, op=ast.Div(), right=right)]) if _is_ceil(func, names):
            return f"(({inner(left)} + {inner(right)} - 1) / {inner(right)})"
        case ast.Call(func=func, args=[one], keywords=[]) if _NUMBERS.fullmatch(full_name(func, names)):
            if isinstance(one, ast.Constant) and isinstance(one.value, float):
                raise _NotReadError
            return inner(one)
        case ast.Subscript(
            value=ast.Attribute(value=ast.Name(id=array), attr="shape"), slice=ast.Constant(value=int() as axis)
        ):
            return f"{array}_shape_{axis}"
    raise _NotReadError


def _is_ceil(func: ast.expr, names: Mapping[str, str]) -> bool:
    return full_name(func, names) in ("math.ceil", "numpy.ceil")

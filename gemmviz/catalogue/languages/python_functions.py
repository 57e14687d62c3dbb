"""Functions of a Python file and their decorators, read from its syntax tree: nothing of the file is run."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from gemmviz.catalogue.languages.row import LanguageError


@dataclass(frozen=True, slots=True)
class FunctionParameter:
    """A parameter of a function: its name, its annotation with full names ("triton.language.constexpr"), and whether
    it has a default.
    """

    name: str
    annotation: str
    has_default: bool


@dataclass(frozen=True, slots=True)
class DecoratedFunction:
    """A function at the top of a file: line of its name, parameters, and decorators with full names
    ("numba.cuda.jit"), each with its arguments by keyword as they are written.
    """

    name: str
    line: int
    parameters: tuple[FunctionParameter, ...]
    decorators: tuple[tuple[str, Mapping[str, ast.expr]], ...]
    """A decorator's first argument without a keyword is called "" here."""

    def options_of(self, decorators: tuple[str, ...]) -> Mapping[str, ast.expr] | None:
        """The keywords of the first decorator that is one of these; None where there is none of them."""
        return next((keywords for name, keywords in self.decorators if name in decorators), None)


@lru_cache(maxsize=8)
def syntax_tree(text: str) -> ast.Module:
    """The tree of a file.

    Raises:
        LanguageError: it does not parse.
    """
    try:
        return ast.parse(text)
    except SyntaxError as error:
        raise LanguageError(f"it is not Python: {error.msg}", error.lineno or 0) from error
    except (ValueError, RecursionError, MemoryError) as error:
        raise LanguageError(f"it is not Python that can be read: {error}") from error


def full_names(tree: ast.Module) -> dict[str, str]:
    """What each name that the file imports stands for: `from numba import cuda as c` makes c numba.cuda."""
    found: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                found[alias.asname or alias.name.partition(".")[0]] = (
                    alias.name if alias.asname else alias.name.partition(".")[0]
                )
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                found[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return found


def full_name(node: ast.expr | None, names: Mapping[str, str]) -> str:
    """The full name of what an expression names, "" for anything but names and their attributes."""
    if isinstance(node, ast.Name):
        return names.get(node.id, node.id)
    if isinstance(node, ast.Attribute):
        owner = full_name(node.value, names)
        return f"{owner}.{node.attr}" if owner else ""
    return ""


@lru_cache(maxsize=8)
def functions_of(text: str) -> tuple[DecoratedFunction, ...]:
    """The functions at the top of a file, in their order.

    Raises:
        LanguageError: the file does not parse.
    """
    tree = syntax_tree(text)
    names = full_names(tree)
    return tuple(_function(node, names) for node in tree.body if isinstance(node, ast.FunctionDef))


def function_called(text: str, name: str) -> DecoratedFunction:
    """The function of that name.

    Raises:
        LanguageError: there is none.
    """
    found = next((one for one in functions_of(text) if one.name == name), None)
    if found is None:
        raise LanguageError(f"the file defines no function {name!r}")
    return found


def _function(node: ast.FunctionDef, names: Mapping[str, str]) -> DecoratedFunction:
    plain = [*node.args.posonlyargs, *node.args.args]
    first_default = len(plain) - len(node.args.defaults)
    parameters = [
        FunctionParameter(one.arg, full_name(one.annotation, names), place >= first_default)
        for place, one in enumerate(plain)
    ]
    parameters += [
        FunctionParameter(one.arg, full_name(one.annotation, names), default is not None)
        for one, default in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
    ]
    return DecoratedFunction(node.name, node.lineno, tuple(parameters), tuple(_decorators(node, names)))


def _decorators(node: ast.FunctionDef, names: Mapping[str, str]) -> list[tuple[str, Mapping[str, ast.expr]]]:
    found: list[tuple[str, Mapping[str, ast.expr]]] = []
    for one in node.decorator_list:
        called = one.func if isinstance(one, ast.Call) else one
        keywords = {each.arg: each.value for each in one.keywords if each.arg} if isinstance(one, ast.Call) else {}
        keywords |= {"": one.args[0]} if isinstance(one, ast.Call) and one.args else {}
        found.append((full_name(called, names), keywords))
    return found

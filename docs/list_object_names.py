"""List the object names of the window's controls in docs/design/object_names.md: `python docs/list_object_names.py`.

The names are read from the source of gemmviz/gui: what is given to `setObjectName`, to the functions and classes that
hand an argument on to it, and to the tables of actions.
"""

from __future__ import annotations

import argparse
import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[1]
GUI = ROOT / "gemmviz" / "gui"
PAGE = ROOT / "docs" / "design" / "object_names.md"
HEAD = """# Object names

Scripts and tests find controls by these names (`objectName`). `gemmviz.gui.app.create_window()` makes the window once a
QApplication exists; the window itself is `mainWindow`. What stands in `<…>` is computed: `param_<parameter.name>` is
`param_TILE` for the parameter TILE. `docs/list_object_names.py` writes this page from the source.
"""
NAME = re.compile(r"[A-Za-z][\w.]*|[\w.]*<[^<>]+>[\w<>.()]*")


@dataclass(frozen=True, slots=True)
class Position:
    """Where a function takes an object name: the argument's place and keyword, and the name made of it."""

    place: int
    keyword: str
    template: str = "{}"


Namers = Mapping[str, frozenset[Position]]
"""Functions and classes that take object names, by their own names."""
SEEDS: Namers = {
    "setObjectName": frozenset({Position(0, "name")}),
    "ActionSpec": frozenset({Position(0, "name")}),
    "Segment": frozenset({Position(0, "object_name")}),
    # Their argument reaches the chart through a class made inside them.
    "runs_chart": frozenset({Position(0, "object_name"), Position(0, "object_name", "{}Plot")}),
    "traces_chart": frozenset({Position(0, "object_name"), Position(0, "object_name", "{}Plot")}),
}


@dataclass(slots=True)
class Scope:
    """A function, what its names stand for, and what callers know it by."""

    known_as: str
    base: str = ""
    parameters: list[str] = field(default_factory=list)
    texts: dict[str, list[str]] = field(default_factory=dict)
    calls: list[tuple[str, ast.Call]] = field(default_factory=list)


def scopes_of(tree: ast.Module) -> list[Scope]:
    """The module itself, and every function of it."""
    inside = list(ast.walk(tree))
    constants = _assigned(inside)
    module = Scope("", texts=constants)
    module.calls += _calls(module, _outside_functions(tree))
    scopes = [module]
    for owner in inside:
        if isinstance(owner, (ast.ClassDef, ast.Module)):
            scopes += [_scope(owner, node, constants) for node in owner.body if isinstance(node, ast.FunctionDef)]
    return scopes


def _scope(owner: ast.ClassDef | ast.Module, node: ast.FunctionDef, constants: Mapping[str, list[str]]) -> Scope:
    names = [one.arg for one in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
    inside = list(ast.walk(node))
    scope = Scope(node.name, "", names, {**constants, **_assigned(inside)})
    if isinstance(owner, ast.ClassDef):
        is_static = any(isinstance(one, ast.Name) and one.id == "staticmethod" for one in node.decorator_list)
        scope.base = next((one.id for one in owner.bases if isinstance(one, ast.Name)), "")
        scope.known_as = owner.name if node.name == "__init__" else node.name
        scope.parameters = names[not is_static :]
    scope.calls += _calls(scope, inside)
    return scope


def _assigned(inside: Iterable[ast.AST]) -> dict[str, list[str]]:
    """Names of a function or module, by the nodes inside it, that stand for texts: constants, and columns of tables
    that a loop goes through.
    """
    found: dict[str, list[str]] = {}
    tables: dict[str, ast.expr] = {}
    nodes = [one for one in inside if isinstance(one, (ast.Assign, ast.AnnAssign, ast.For, ast.comprehension))]
    for node in nodes:
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if isinstance(target, ast.Name):
                tables[target.id] = node.value
                found.setdefault(target.id, []).extend(_constants([node.value]))
    for node in nodes:
        if isinstance(node, (ast.For, ast.comprehension)):
            target, table = node.target, node.iter
            if isinstance(table, ast.Call) and _called(table.func) == "enumerate" and isinstance(target, ast.Tuple):
                target, table = target.elts[1], table.args[0]
            table = tables.get(table.id, table) if isinstance(table, ast.Name) else table
            rows = table.elts if isinstance(table, (ast.Tuple, ast.List)) else []
            for place, name in enumerate(target.elts if isinstance(target, ast.Tuple) else [target]):
                columns = [row.elts[place : place + 1] if isinstance(row, ast.Tuple) else [row] for row in rows]
                if isinstance(name, ast.Name):
                    found.setdefault(name.id, []).extend(_constants([cell for column in columns for cell in column]))
    return {name: texts for name, texts in found.items() if texts}


def _constants(values: Iterable[ast.expr]) -> list[str]:
    return [value.value for value in values if isinstance(value, ast.Constant) and isinstance(value.value, str)]


def texts_of(value: ast.expr, scope: Scope) -> list[tuple[str, str]]:
    """What an expression may be: texts, each with the parameter that takes the place of `{}` in it, or ""."""
    if isinstance(value, ast.Constant):
        return [(str(value.value), "")] if value.value else []
    if isinstance(value, ast.IfExp):
        return texts_of(value.body, scope) + texts_of(value.orelse, scope)
    if isinstance(value, ast.Name) and value.id in scope.parameters:
        return [("{}", value.id)]
    if isinstance(value, ast.Name) and value.id in scope.texts:
        return [(text, "") for text in scope.texts[value.id]]
    if isinstance(value, ast.JoinedStr):
        found = [("", "")]
        for part in value.values:
            inner = part.value if isinstance(part, ast.FormattedValue) else part
            choices = texts_of(inner, scope) or [(f"<{ast.unparse(inner)}>", "")]
            found = [(text + more, known or name) for text, known in found for more, name in choices]
        return found
    return []


def _outside_functions(tree: ast.Module) -> Iterator[ast.AST]:
    """The nodes of a module that lie in none of its functions."""
    within: list[ast.AST] = [tree]
    while within:
        node = within.pop()
        within += [one for one in ast.iter_child_nodes(node) if not isinstance(one, ast.FunctionDef)]
        yield node


def _calls(scope: Scope, inside: Iterable[ast.AST]) -> Iterator[tuple[str, ast.Call]]:
    """The calls among the nodes inside a function or module, with what they call."""
    for node in inside:
        if isinstance(node, ast.Call):
            yield (scope.base if _is_of_super(node.func) else _called(node.func)), node


def _called(function: ast.expr) -> str:
    """The last name of what is called, "" for what has none."""
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _is_of_super(function: ast.expr) -> bool:
    """Whether it is `super().__init__`."""
    inner = function.value if isinstance(function, ast.Attribute) and function.attr == "__init__" else None
    return isinstance(inner, ast.Call) and _called(inner.func) == "super"


def _key(name: str, path: Path) -> str:
    """What a function is found by: one that is private to a file, in that file only."""
    return f"{path}:{name}" if name.startswith("_") else name


def names_in(path: Path, scope: Scope, namers: Namers) -> tuple[set[str], set[Position]]:
    """The names that a function gives, and where it takes names that it hands on."""
    names, taken = set(), set()
    for called, call in scope.calls:
        for position in namers.get(_key(called, path), ()):
            given = next((one.value for one in call.keywords if one.arg == position.keyword), None)
            given = given or (call.args[position.place] if len(call.args) > position.place else None)
            for text, parameter in texts_of(given, scope) if given is not None else ():
                name = position.template.format(text) if "{}" in position.template else position.template
                if parameter:
                    taken.add(Position(scope.parameters.index(parameter), parameter, name))
                elif NAME.fullmatch(name):
                    names.add(name)
    return names, taken


def object_names(folder: Path = GUI) -> dict[str, list[str]]:
    """The object names by the folder of gemmviz/gui whose code gives them."""
    scopes = {path: scopes_of(ast.parse(path.read_text(encoding="utf-8"))) for path in folder.rglob("*.py")}
    namers: dict[str, frozenset[Position]] = {"named": frozenset({Position(1, "name")}), **SEEDS}
    while True:
        found: dict[str, set[str]] = {}
        more = dict(namers)
        for path, of_file in scopes.items():
            place = found.setdefault(path.parent.relative_to(folder).as_posix(), set())
            for scope in of_file:
                names, taken = names_in(path, scope, namers)
                place |= names
                if taken and scope.known_as:
                    key = _key(scope.known_as, path)
                    more[key] = more.get(key, frozenset()) | taken
        if more == namers:
            return {place: sorted(names, key=str.lower) for place, names in sorted(found.items()) if names}
        namers = more


def page() -> str:
    """The page that lists them."""
    rows = [f"| `{place}` | {', '.join(f'`{name}`' for name in names)} |" for place, names in object_names().items()]
    return "\n".join((HEAD, "| folder of `gemmviz/gui` | names |", "|---|---|", *rows, ""))


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--out", type=Path, default=PAGE, metavar="PAGE.md", help="the page to write (default: %(default)s)"
    )
    parser.parse_args().out.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()

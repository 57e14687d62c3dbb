"""What expressions of a Python file come to, as far as that can be read without running the file."""

from __future__ import annotations

import ast
import operator
import string
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gemmviz.catalogue.languages.files_beside import text_beside
from gemmviz.catalogue.languages.lined_text import LinedText, literals_of, too_wide
from gemmviz.catalogue.languages.python_functions import full_name
from gemmviz.catalogue.languages.row import LanguageError

_MOST_CHARACTERS = 2**21
"""Of a text that is put together."""
_LARGEST = 10**18
_MOST_SHOWN = 60
_KEEPS = ("RawKernel", "RawModule")
"""They change no list that they are given."""
_OPERATORS: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Div: operator.truediv,
    ast.Mod: operator.mod,
}
_STRIPS = {"strip": (True, True), "lstrip": (True, False), "rstrip": (False, True)}
_CHANGES = ("replace", "format", "upper", "lower", "removeprefix", "removesuffix")
_SAME = ("os.path.abspath", "os.path.realpath", "os.fspath", "pathlib.Path", "pathlib.PurePath", "str")
"""Functions that give what they are given, where that is a path."""
Known = Any
"""A LinedText, a number, None, a Path, an OpenFile, or a tuple or a dictionary of these."""


class NotConstantError(Exception):
    """What an expression comes to is known only when the file runs; `line` is that of the part that makes it so."""

    def __init__(self, reason: str, line: int) -> None:
        super().__init__(reason)
        self.reason, self.line = reason, line


@dataclass(frozen=True, slots=True)
class OpenFile:
    """A file that is opened to be read."""

    path: Path


@dataclass(slots=True)
class ConstantValues:
    """The values of names at one place of a Python file with this text; `names` are the full names of its imports.

    `read` are the files whose texts were asked for, `used` the names whose values were.
    """

    file: Path
    text: str
    names: Mapping[str, str]
    known: dict[str, Known | Exception] = field(default_factory=dict)
    read: list[Path] = field(default_factory=list)
    used: set[str] = field(default_factory=set)

    def run_past(self, statements: Sequence[ast.stmt], end: ast.AST | None = None) -> None:
        """Note what plain assignments give to names, up to the statement that holds `end`. A name that gets its value
        in another way is not known from there on.
        """
        for statement in statements:
            if end is not None and any(node is end for node in ast.walk(statement)):
                return
            self._note(statement)

    def _note(self, statement: ast.stmt) -> None:
        match statement:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=ast.expr() as value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ):
                self.known[name] = self._kept(value)
            case ast.AugAssign(target=ast.Name(id=name) as target, op=op, value=value):
                before = ast.copy_location(ast.Name(name, ast.Load()), target)
                self.known[name] = self._kept(ast.copy_location(ast.BinOp(before, op, value), statement))
            case ast.With(items=items, body=body):
                for item in items:
                    if isinstance(item.optional_vars, ast.Name):
                        self.known[item.optional_vars.id] = self._kept(item.context_expr)
                self.run_past(body)
            case ast.Import() | ast.ImportFrom():
                pass
            case _:
                reason = "{} gets its value when the file runs"
                for name in _given_by(statement):
                    self.known[name] = NotConstantError(reason.format(name), statement.lineno)
                for name in _called_on(statement):
                    if isinstance(self.known.get(name), tuple | dict):
                        self.known[name] = NotConstantError(reason.format(name), statement.lineno)

    def _kept(self, node: ast.expr) -> Known | Exception:
        try:
            return self.value(node)
        except (NotConstantError, LanguageError) as error:
            return error

    def value(self, node: ast.expr) -> Known:
        """What an expression comes to.

        Raises:
            NotConstantError: that is known only when the file runs.
            LanguageError: it reads a file that cannot be read.
        """
        found = self._value(node)
        is_long = isinstance(found, LinedText) and len(found.text) > _MOST_CHARACTERS
        if is_long or (isinstance(found, int | float) and abs(found) > _LARGEST):
            raise NotConstantError("the value is too large", node.lineno)
        return found

    def _value(self, node: ast.expr) -> Known:
        match node:
            case ast.Constant(value=str()):
                return literals_of(node, self.text)
            case ast.Constant(value=(int() | float() | None) as value):
                return value
            case ast.Name(id=name):
                return self._named(name, node)
            case ast.JoinedStr(values=parts):
                count = (node.end_lineno or node.lineno) - node.lineno + 1
                return LinedText.from_line("".join(map(self._part, parts)), node.lineno, count)
            case ast.BinOp(left=left, op=op, right=right):
                return self._operation(node, self.value(left), op, self.value(right))
            case ast.UnaryOp(op=ast.USub(), operand=operand) if isinstance(number := self.value(operand), int | float):
                return -number
            case ast.Tuple(elts=elements) | ast.List(elts=elements):
                return tuple(self.value(one) for one in elements)
            case ast.Dict(keys=keys, values=values):
                given = [(key, value) for key, value in zip(keys, values, strict=True) if key is not None]
                if len(given) == len(keys):
                    return {_plain(self.value(key)): self.value(value) for key, value in given}
            case ast.Subscript(value=owner, slice=key):
                return self._element(node, self.value(owner), _plain(self.value(key)))
            case ast.Attribute(value=owner, attr="parent") if isinstance(path := self.value(owner), Path):
                return path.parent
            case ast.Call():
                return self._called(node)
        raise _is_computed(node)

    def _named(self, name: str, node: ast.expr) -> Known:
        if name == "__file__" and name not in self.known:
            return self.file
        value = self.known.get(name, _is_computed(node))
        if isinstance(value, Exception):
            raise value
        self.used.add(name)
        return value

    def _part(self, node: ast.expr) -> str:
        """A part of an f-string as text."""
        if isinstance(node, ast.Constant):
            return str(node.value)
        if not isinstance(node, ast.FormattedValue):
            raise _is_computed(node)
        value = _plain(self.value(node.value))
        if node.conversion != -1:
            value = f"%{chr(node.conversion)}" % (value,)
        how = "".join(map(self._part, node.format_spec.values)) if isinstance(node.format_spec, ast.JoinedStr) else ""
        return str(_made(lambda: format(value, how), node, f"{{:{how}}}"))

    def _operation(self, node: ast.expr, left: Known, op: ast.operator, right: Known) -> Known:
        if isinstance(left, LinedText) and isinstance(op, ast.Mod):
            given = _plain(right)
            return left.changed_to(_made(lambda: left.text % given, node, left.text))
        if isinstance(left, Path) and isinstance(op, ast.Div) and isinstance(right, LinedText):
            return left / right.text
        both_texts = isinstance(left, LinedText) and isinstance(right, LinedText)
        both_numbers = isinstance(left, int | float) and isinstance(right, int | float)
        both_tuples = isinstance(left, tuple) and isinstance(right, tuple)
        if type(op) in _OPERATORS and (both_numbers or (isinstance(op, ast.Add) and (both_texts or both_tuples))):
            return _made(lambda: _OPERATORS[type(op)](left, right), node)
        raise _is_computed(node)

    def _element(self, node: ast.expr, owner: Known, key: Known) -> Known:
        if isinstance(owner, tuple | dict):
            return _made(lambda: owner[key], node)
        raise _is_computed(node)

    def _called(self, node: ast.Call) -> Known:
        if any(isinstance(one, ast.Starred) for one in node.args) or any(one.arg is None for one in node.keywords):
            raise _is_computed(node)
        name = full_name(node.func, self.names)
        owner = node.func.value if isinstance(node.func, ast.Attribute) else None
        if owner is not None and name.partition(".")[0] not in {one.partition(".")[0] for one in self.names.values()}:
            return self._of_method(node, node.func.attr if isinstance(node.func, ast.Attribute) else "", owner)
        return self._of_function(node, name, [self.value(one) for one in node.args])

    def _of_function(self, node: ast.Call, name: str, given: list[Known]) -> Known:
        first = given[0] if given else None
        as_path = Path(first.text) if isinstance(first, LinedText) else first
        match name:
            case "open" if isinstance(as_path, Path) and _is_to_read(given):
                return OpenFile(as_path)
            case "str" if isinstance(first, int | float):
                return LinedText.unplaced(str(first))
            case "textwrap.dedent" if isinstance(first, LinedText):
                return first.changed_to(textwrap.dedent(first.text))
            case "string.Template" if isinstance(first, LinedText):
                return first
            case "os.path.dirname" if isinstance(as_path, Path):
                return as_path.parent
            case "os.path.join" if isinstance(as_path, Path) and all(isinstance(one, LinedText) for one in given[1:]):
                return as_path.joinpath(*(one.text for one in given[1:]))
            case "str" if isinstance(first, LinedText):
                return first
            case _ if name in _SAME and isinstance(as_path, Path):
                return as_path
        raise _is_computed(node)

    def _of_method(self, node: ast.Call, method: str, owner: ast.expr) -> Known:
        value = self.value(owner)
        given = [self.value(one) for one in node.args]
        keywords = {one.arg or "": self.value(one.value) for one in node.keywords}
        if isinstance(value, LinedText):
            return self._of_text(node, method, value, given, keywords)
        if isinstance(value, Path) and method in ("resolve", "absolute") and not given:
            return value
        if isinstance(value, Path) and method == "joinpath" and all(isinstance(one, LinedText) for one in given):
            return value.joinpath(*(one.text for one in given))
        if isinstance(value, Path) and method == "with_name" and len(given) == 1 and isinstance(given[0], LinedText):
            return value.parent / given[0].text
        is_text_of_path = isinstance(value, Path) and method == "read_text"
        if is_text_of_path or (isinstance(value, OpenFile) and method == "read" and not given):
            path, text = text_beside(self.file, value if isinstance(value, Path) else value.path, node.lineno)
            self.read.append(path)
            return LinedText.unplaced(text)
        raise _is_computed(node)

    def _of_text(
        self, node: ast.Call, method: str, text: LinedText, given: list[Known], keywords: dict[str, Known]
    ) -> Known:
        plain, named = [_plain(one) for one in given], {name: _plain(one) for name, one in keywords.items()}
        if method in _STRIPS and len(plain) <= 1 and not named:
            left, right = _STRIPS[method]
            return text.stripped(plain[0] if plain else None, left=left, right=right)
        if method == "join" and len(given) == 1 and isinstance(given[0], tuple):
            return _joined(text, given[0], node)
        if method in ("substitute", "safe_substitute"):
            return text.changed_to(_made(lambda: getattr(string.Template(text.text), method)(*plain, **named), node))
        if method == "replace" and (len(plain) < 2 or not all(isinstance(one, str) for one in plain[:2])):
            raise _is_computed(node)
        if method == "replace" and text.text.count(plain[0]) * len(plain[1]) > _MOST_CHARACTERS:
            raise NotConstantError("the value is too large", node.lineno)
        if method in _CHANGES:
            how = text.text if method == "format" else ""
            return text.changed_to(_made(lambda: getattr(text.text, method)(*plain, **named), node, how))
        raise _is_computed(node)


def _is_computed(node: ast.expr) -> NotConstantError:
    words = " ".join(ast.unparse(node).split())
    words = words if len(words) <= _MOST_SHOWN else f"{words[: _MOST_SHOWN - 1]}…"
    return NotConstantError(f"{words} is computed when the file runs", node.lineno)


def _made(make: Callable[[], Known], node: ast.expr, how: str = "") -> Known:
    """What a function of the standard library makes; `how` is the template that it fills in."""
    if too_wide(how):
        raise NotConstantError("the value is too large", node.lineno)
    try:
        return make()
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise NotConstantError(f"{type(error).__name__}: {error}", node.lineno) from error


def _plain(value: Known) -> Known:
    """A value as Python has it."""
    if isinstance(value, LinedText):
        return value.text
    if isinstance(value, tuple):
        return tuple(_plain(one) for one in value)
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    return value


def _is_to_read(given: list[Known]) -> bool:
    return len(given) == 1 or (isinstance(given[1], LinedText) and given[1].text in ("r", "rt"))


def _joined(between: LinedText, parts: tuple[Known, ...], node: ast.expr) -> LinedText:
    texts = [part for part in parts if isinstance(part, LinedText)]
    if len(texts) < len(parts):
        raise _is_computed(node)
    whole = LinedText("", (0,))
    for place, part in enumerate(texts):
        whole = whole + LinedText.unplaced(between.text) + part if place else part
    return whole


def _given_by(statement: ast.stmt) -> Iterator[str]:
    """The names that a statement may give another value."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield statement.name
        yield from (name for node in ast.walk(statement) if isinstance(node, ast.Global) for name in node.names)
        return
    for node in ast.walk(statement):
        match node:
            case ast.Name(id=name, ctx=(ast.Store() | ast.Del())):
                yield name
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name
            case ast.Subscript(ctx=ast.Store()) | ast.Attribute(ctx=ast.Store()):
                yield from (part.id for part in ast.walk(node) if isinstance(part, ast.Name))


def _called_on(statement: ast.stmt) -> Iterator[str]:
    """The names of lists and the like that a statement may change: by a method, or as an argument."""
    for node in ast.walk(statement):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") not in _KEEPS:
            yield from (part.id for part in ast.walk(node) if isinstance(part, ast.Name))

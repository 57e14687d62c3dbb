"""CuPy's raw kernels: CUDA C in texts of a Python file, which are read without running it where that is possible."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gemmviz.catalogue.kernel_functions import kernel_functions
from gemmviz.catalogue.languages.constant_values import ConstantValues, NotConstantError
from gemmviz.catalogue.languages.lined_text import LinedText
from gemmviz.catalogue.languages.python_functions import full_name, full_names, syntax_tree
from gemmviz.catalogue.languages.row import Code, LanguageError, LanguageRow, Listing
from gemmviz.domain.terms import Language

_KERNEL, _MODULE = "cupy.RawKernel", "cupy.RawModule"
_DEFINE = re.compile(r"(?:-D|--define-macro=)\s*(?P<name>[A-Za-z_]\w*)(?:=(?P<value>-?\d+))?")
_STANDARD = re.compile(r"(?:-|--)std=c\+\+1[147]")


@dataclass(frozen=True, slots=True)
class RawSource:
    """The source that one call of RawKernel or RawModule is given, and its kernels. `text` is None where only the file
    itself, when it runs, can say what it is; `fault` says which part makes it so. `read_from` is the file beside that
    it is read from, None for none; `constants` are the names whose values went into it.
    """

    line: int
    names: tuple[str, ...]
    text: LinedText | None
    options: tuple[str, ...]
    fault: str = ""
    fault_line: int = 0
    read_from: Path | None = None
    constants: tuple[str, ...] = ()


def kernels_of(text: str, path: Path) -> tuple[str, ...]:
    """The kernels of the sources that RawKernel and RawModule are given, as far as these can be read."""
    return tuple(dict.fromkeys(name for one in raw_sources(text, path) if one.text for name in one.names))


def code_of(text: str, entry: str, path: Path) -> Code:
    """The CUDA C that defines a kernel: each line where it stands in the Python file; else with the file that it is
    read from, or the text itself, as its listing.

    Raises:
        LanguageError: no call has it, or an option is not known.
    """
    found = source_of(text, entry, path)
    if found.text is None:
        raise LanguageError(f"the source of {entry} is known only when the file runs: {found.fault}", found.fault_line)
    code, listing = _listed(found, found.text, entry, text, path)
    return Code(code, listing, tuple(defines_of(found.options, found.line)), frozenset(found.constants))


def source_of(text: str, entry: str, path: Path) -> RawSource:
    """The first source that defines a kernel of this name.

    Raises:
        LanguageError: there is none.
    """
    found = next((one for one in raw_sources(text, path) if entry.partition("<")[0] in one.names), None)
    if found is None:
        raise LanguageError(f"no source that RawKernel or RawModule is given defines {entry!r}")
    return found


def raw_sources(text: str, path: Path) -> tuple[RawSource, ...]:
    """What the calls of RawKernel and RawModule in a file are given.

    Raises:
        LanguageError: the file does not parse, or one that it reads a source from cannot be read.
    """
    tree = syntax_tree(text)
    names = full_names(tree)
    return tuple(
        _raw_source(call, name, _values_at(call, tree, ConstantValues(path, text, names)))
        for call, name in calls(tree, names)
    )


def calls(tree: ast.Module, names: Mapping[str, str]) -> Iterator[tuple[ast.Call, str]]:
    """The calls of RawKernel and RawModule, each with the full name of what is called."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and (name := full_name(node.func, names)) in (_KERNEL, _MODULE):
            yield node, name


def _values_at(call: ast.Call, tree: ast.Module, values: ConstantValues) -> ConstantValues:
    """What names stand for where a call is: in the file up to there, and in the function around it."""
    functions = [one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef)]
    function = next((one for one in functions if any(node is call for node in ast.walk(one))), None)
    values.run_past(tree.body, None if function is not None else call)
    if function is not None:
        for one in ast.walk(function.args):
            if isinstance(one, ast.arg):
                reason = f"{one.arg} is a parameter of {function.name}"
                values.known[one.arg] = NotConstantError(reason, function.lineno)
        values.run_past(function.body, call)
    return values


def _raw_source(call: ast.Call, name: str, values: ConstantValues) -> RawSource:
    keywords = {one.arg: one.value for one in call.keywords if one.arg}
    places = ("code", "name", "options") if name == _KERNEL else ("", "options")
    given = {**dict(zip(places, call.args, strict=False)), **keywords}
    named: tuple[str, ...] = ()
    try:
        if "name" in given and name == _KERNEL:
            named = (_text_of(given["name"], values).text,)
        options = _texts_of(given.get("options"), values)
        if "path" in given:
            raise LanguageError("a compiled module is loaded: give RawModule the source as 'code'", call.lineno)
        if "code" not in given:
            raise LanguageError(f"{name} is given no source", call.lineno)
        source = _text_of(given["code"], values)
    except NotConstantError as error:
        return RawSource(call.lineno, named, None, (), error.reason, error.line)
    except RecursionError:
        return RawSource(call.lineno, named, None, (), "it is nested too deeply", call.lineno)
    read = values.read[-1] if values.read else None
    names = named or kernel_functions(source.text)
    return RawSource(call.lineno, names, source, options, read_from=read, constants=tuple(values.used))


def _text_of(node: ast.expr, values: ConstantValues) -> LinedText:
    found = values.value(node)
    if isinstance(found, LinedText):
        return found
    raise NotConstantError(f"{ast.unparse(node)[:60]} is no text", node.lineno)


def _texts_of(node: ast.expr | None, values: ConstantValues) -> tuple[str, ...]:
    """The texts of a tuple or list of texts, () for none."""
    found = (values.value(node) if node is not None else None) or ()
    if isinstance(found, tuple) and all(isinstance(one, LinedText) for one in found):
        return tuple(one.text for one in found)
    raise NotConstantError("the options are no texts", node.lineno if node is not None else 0)


def defines_of(options: Sequence[str], line: int) -> Iterator[tuple[str, str]]:
    """The macros that options of the compiler define, for the call on this line.

    Raises:
        LanguageError: an option is another one.
    """
    for option in options:
        macro = _DEFINE.fullmatch(option)
        if macro is not None:
            yield macro["name"], macro["value"] or "1"
        elif not _STANDARD.fullmatch(option):
            raise LanguageError(f"the option {option!r} is not known: -DNAME=NUMBER and -std=c++17 are", line)


def _listed(found: RawSource, source: LinedText, entry: str, text: str, path: Path) -> tuple[str, Listing]:
    """What is compiled, and the text that its lines are those of."""
    if found.read_from is not None and not any(source.lines):
        return source.text, Listing(found.read_from.relative_to(path.parent.resolve()).as_posix(), source.text)
    placed = source.in_place()
    if placed is not None:
        return placed, Listing(path.name, text)
    return source.text, Listing(f"{path.name} ({entry.partition('<')[0]}).cu", source.text)


def computed_kernels_of(text: str, path: Path) -> tuple[str, ...]:
    """The kernels whose source only the file itself can say, when it runs: those that RawKernel is told the name of,
    and those that are taken from a RawModule.
    """
    found = [one for one in raw_sources(text, path) if one.text is None]
    named = [name for one in found for name in one.names]
    if any(not one.names for one in found):
        named += [
            node.args[0].value
            for node in ast.walk(syntax_tree(text))
            if isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr == "get_function"
            and node.args
            and isinstance(node.args[0], ast.Constant)
            and isinstance(node.args[0].value, str)
        ]
    return tuple(dict.fromkeys(named))


CUPY = LanguageRow(Language.CUDA, "a CuPy kernel", kernels_of, code=code_of)
COMPUTED_CUPY = LanguageRow(Language.CUPY, "a CuPy kernel whose source the file computes", computed_kernels_of)

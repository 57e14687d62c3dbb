"""CuPy's raw kernels: CUDA C in a literal of a Python file, which is read without running it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from gemmviz.catalogue.kernel_functions import kernel_functions
from gemmviz.catalogue.languages.python_functions import full_name, full_names, syntax_tree
from gemmviz.catalogue.languages.row import Code, LanguageError, LanguageRow, Listing
from gemmviz.domain.terms import Language

_KERNEL, _MODULE = "cupy.RawKernel", "cupy.RawModule"
_DEFINE = re.compile(r"(?:-D|--define-macro=)\s*(?P<name>[A-Za-z_]\w*)(?:=(?P<value>-?\d+))?")
_STANDARD = re.compile(r"(?:-|--)std=c\+\+1[147]")


@dataclass(frozen=True, slots=True)
class RawSource:
    """The source that one call of RawKernel or RawModule is given. `literal` is None, and `fault` says why, where it is
    no plain text.
    """

    line: int
    names: tuple[str, ...]
    literal: ast.Constant | None
    options: tuple[str, ...] | None
    fault: str = ""


def kernels_of(text: str) -> tuple[str, ...]:
    """The kernels of the sources that RawKernel and RawModule are given."""
    return tuple(dict.fromkeys(name for one in _raw_sources(text) for name in one.names))


def code_of(text: str, entry: str) -> Code:
    """The CUDA C that defines a kernel, each line where it stands in the Python file.

    Raises:
        LanguageError: no call has it, the source or its options are no plain text, or an option is not known.
    """
    found = next((one for one in _raw_sources(text) if entry.partition("<")[0] in one.names), None)
    if found is None:
        raise LanguageError(f"no source that RawKernel or RawModule is given defines {entry!r}")
    if found.literal is None:
        raise LanguageError(found.fault, found.line)
    return Code(_placed(text, found.literal), Listing("", text), tuple(_defines(found)))


@lru_cache(maxsize=8)
def _raw_sources(text: str) -> tuple[RawSource, ...]:
    tree = syntax_tree(text)
    names, constants = full_names(tree), _constants(tree)
    return tuple(_raw_source(call, name, constants) for call, name in _calls(tree, names))


def _calls(tree: ast.Module, names: Mapping[str, str]) -> Iterator[tuple[ast.Call, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and (name := full_name(node.func, names)) in (_KERNEL, _MODULE):
            yield node, name


def _raw_source(call: ast.Call, name: str, constants: Mapping[str, ast.expr]) -> RawSource:
    keywords = {one.arg: one.value for one in call.keywords if one.arg}
    places = ("code", "name", "options") if name == _KERNEL else ("", "options")
    given = {**dict(zip(places, call.args, strict=False)), **keywords}
    literal = _resolved(given.get("code"), constants)
    options = _texts(_resolved(given.get("options"), constants))
    said = _resolved(given.get("name"), constants)
    named = (str(said.value),) if isinstance(said, ast.Constant) else ()
    if isinstance(literal, ast.Constant) and isinstance(literal.value, str):
        return RawSource(call.lineno, named or kernel_functions(literal.value), literal, options)
    fault = (
        f"the source that {name} is given is no plain text, which can be read without running the "
        "file: write it as one literal"
    )
    return RawSource(call.lineno, named, None, options, fault)


def _constants(tree: ast.Module) -> dict[str, ast.expr]:
    """What the names are that the file assigns to once, at its top."""
    found: dict[str, list[ast.expr]] = {}
    for node in tree.body:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    found.setdefault(target.id, []).append(node.value)
    return {name: values[0] for name, values in found.items() if len(values) == 1}


def _resolved(node: ast.expr | None, constants: Mapping[str, ast.expr]) -> ast.expr | None:
    return constants.get(node.id, node) if isinstance(node, ast.Name) else node


def _texts(node: ast.expr | None) -> tuple[str, ...] | None:
    """The texts of a literal of texts, () for none; None where it is something else."""
    if node is None:
        return ()
    try:
        value = ast.literal_eval(node)
    except ValueError:
        return None
    words = value or ()
    return tuple(words) if isinstance(words, list | tuple) and all(isinstance(one, str) for one in words) else None


def _defines(found: RawSource) -> Iterator[tuple[str, str]]:
    if found.options is None:
        raise LanguageError("the options are no plain texts: write them as a literal", found.line)
    for option in found.options:
        macro = _DEFINE.fullmatch(option)
        if macro is not None:
            yield macro["name"], macro["value"] or "1"
        elif not _STANDARD.fullmatch(option):
            raise LanguageError(f"the option {option!r} is not known: -DNAME=NUMBER and -std=c++17 are", found.line)


def _placed(text: str, literal: ast.Constant) -> str:
    """The literal's value with each of its lines where it begins in the file, as far as there is a line for each."""
    lines = text.splitlines()
    written = lines[literal.lineno - 1 : literal.end_lineno]
    value = str(literal.value).split("\n")
    before = "\n" * (literal.lineno - 1)
    first = written[0].encode()[literal.col_offset :].decode(errors="replace")
    opening = re.match(r"[A-Za-z]*(?:\"\"\"|'''|\"|')", first)
    is_one_block = len(value) == len(written) and opening is not None and len(opening[0]) >= 3
    if not is_one_block:
        raise LanguageError(
            "the lines of the source are not those of the file: write it in one pair of triple quotes and without \\n",
            literal.lineno,
        )
    return before + " " * (literal.col_offset + len(opening[0]) if opening is not None else 0) + "\n".join(value)


CUPY = LanguageRow(Language.CUDA, "a CuPy kernel", kernels_of, code=code_of)

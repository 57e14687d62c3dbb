"""Compiles a CuPy kernel whose source its Python file computes: as much of the file as that takes is run first."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from gemmviz.catalogue.languages.cupy import RawSource, calls, defines_of, source_of
from gemmviz.catalogue.languages.python_functions import full_names, syntax_tree
from gemmviz.catalogue.languages.row import LanguageError
from gemmviz.compiler.nvidia.nvrtc import CompiledCode, compile_cuda
from gemmviz.compiler.python.needed import bound_by, named_in, needed_of
from gemmviz.compiler.python.run import request_of, run_needed
from gemmviz.compiler.signature import signature_of
from gemmviz.compiler.source import CompileError, Source
from gemmviz.domain.terms import CodeForm, Language

_LINE = re.compile(r"#line (\d+)")


def compile_computed(source: Source, target: str, cache: Path | None = None) -> CompiledCode:
    """The code of a CuPy kernel whose source the file says only when it runs.

    Raises:
        CompileError: the file or the kernel is at fault; file and line.
        CompilerMissingError: NVIDIA's compiler is not installed.
        CompileTimeoutError: running the file, or compiling, did not end within the source's limit.
    """
    cuda = computed_source(source, cache)
    made = compile_cuda(cuda, target, CodeForm.AS_COMPILED, cache)
    return replace(made, signature=signature_of(cuda, target, cache))


def computed_source(source: Source, cache: Path | None = None) -> Source:
    """The CUDA C that a Python file computes for a kernel: as much of the file as that takes is run. `#line` says which
    lines of the Python file have the same words; a line that is nowhere in the file is that of the call.

    Raises:
        CompileError: the file is at fault; file and line.
        CompileTimeoutError: running it did not end within the source's limit.
    """
    try:
        known = _call_of(source)
        request = request_of(source, "")
        needed = needed_of(source.text, "", request["values"], tuple(_making(source.text)))
        code, facts = run_needed(source, needed, request, "cupy", cache)
        options = tuple(map(str, json.loads(facts)["options"]))
        defines = tuple((name, int(value)) for name, value in defines_of(options, known.line))
    except LanguageError as error:
        raise CompileError(error.at(source.path)) from error
    own = dict(source.defines)
    return replace(
        source,
        text=_with_lines(code, source.text, known.line),
        language=Language.CUDA,
        defines=(*source.defines, *(one for one in defines if one[0] not in own)),
    )


def _call_of(source: Source) -> RawSource:
    """The call that is given the source, as far as it can be read."""
    try:
        return source_of(source.text, source.entry, source.path)
    except LanguageError:
        tree = syntax_tree(source.text)
        line = next((call.lineno for call, _ in calls(tree, full_names(tree))), 1)
        return RawSource(line, (), None, ())


def _making(text: str) -> Iterator[ast.stmt]:
    """The statements at the top of a file that call RawKernel or RawModule, or functions that do."""
    tree = syntax_tree(text)
    found = {id(call) for call, _ in calls(tree, full_names(tree))}
    making = [one for one in tree.body if any(id(node) in found for node in ast.walk(one))]
    functions = {name for one in making if _is_definition(one) for name in bound_by(one)}
    more = True
    while more:
        callers = [
            one for one in tree.body if _is_definition(one) and one not in making and functions & set(named_in(one))
        ]
        making += callers
        functions |= {name for one in callers for name in bound_by(one)}
        more = bool(callers)
    for one in tree.body:
        is_for_programs = isinstance(one, ast.If) and "__name__" in named_in(one)
        if not _is_definition(one) and not is_for_programs and (one in making or functions & set(named_in(one))):
            yield one


def _is_definition(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)


def lines_of(code: str) -> list[int]:
    """The line of the Python file for each line of a computed source, by its `#line` directives."""
    found: list[int] = []
    following = 1
    for words in code.split("\n"):
        directive = _LINE.fullmatch(words)
        following = int(directive[1]) if directive is not None else following
        found.append(following)
        following += directive is None
    return found


def _with_lines(code: str, text: str, line: int) -> str:
    """The code with a directive before each line that does not stand behind the one before it in the file's text."""
    places: dict[str, list[int]] = {}
    for number, words in enumerate(text.splitlines(), 1):
        places.setdefault(words.strip(), []).append(number)
    made: list[str] = []
    is_in_comment = False
    last, following, is_inside = 0, 1, False
    for words in code.split("\n"):
        found = places.get(words.strip(), []) if words.strip() else [last + 1]
        place = next((one for one in found if one > last), found[0] if found else line)
        if place != following and not is_inside and words.strip():
            made.append(f"#line {place}")
            following = place
        made.append(words)
        last, following = place if found else last, following + 1
        is_in_comment = words.rfind("/*") > words.rfind("*/") or (is_in_comment and "*/" not in words)
        is_inside = is_in_comment or words.endswith("\\")
    return "\n".join(made)

"""What functions that Numba compiles leave to loops, because Numba compiles a loop in a tenth of the time."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import gemmviz

PACKAGE = Path(gemmviz.__file__).parent


def compiled_functions() -> Iterator[tuple[str, ast.FunctionDef]]:
    """Each with the name of its file."""
    for path in PACKAGE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if "@njit(" in text:
            for one in ast.walk(ast.parse(text)):
                if isinstance(one, ast.FunctionDef) and any("njit" in ast.unparse(by) for by in one.decorator_list):
                    yield path.name, one


def copies_arrays(node: ast.AST) -> bool:
    """Whether a statement assigns an array to a slice, or an expression puts arrays together."""
    if isinstance(node, ast.Assign) and not isinstance(node.value, ast.Constant):
        return any(isinstance(to, ast.Subscript) and isinstance(to.slice, ast.Slice) for to in node.targets)
    return isinstance(node, ast.Call) and ast.unparse(node.func) in ("np.concatenate", "np.stack", "np.copyto")


def test_that_compiled_loops_copy_arrays_element_by_element() -> None:
    """For the error of a slice that does not fit Numba compiles how texts are made: 20 s of a first recording's 75."""
    functions = [*compiled_functions()]
    assert len(functions) > 40
    assert [(file, one.name) for file, one in functions if any(map(copies_arrays, ast.walk(one)))] == []

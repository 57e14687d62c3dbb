"""What keeps the house quiet: small files, imports that go down only, nothing heavy before it is needed."""

from __future__ import annotations

import ast
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "gemmviz"
MOST_LINES = 400
MEDIAN_LINES = 150
HEAVY = (
    "numpy", "pyopencl", "pycuda", "pynvml", "nvmath", "numba", "llvmlite", "tree_sitter", "tree_sitter_cuda",
    "PySide6", "pyqtgraph",
)  # fmt: skip

SHOW_MODULES = """
import contextlib, io, sys
from gemmviz.cli.app import run_app
with contextlib.redirect_stdout(io.StringIO()) as printed:
    try:
        run_app(sys.argv[1:])
    except SystemExit:
        pass
assert "Usage" in printed.getvalue()
print(*sys.modules)
"""


def lines_of(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def imported_by(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.partition(".")[0])
    return found


def test_that_no_source_file_is_long() -> None:
    paths = [p for folder in ("gemmviz", "kernels", "tests") for p in (ROOT / folder).rglob("*.*")]
    sources = [path for path in paths if path.suffix in (".py", ".cu", ".cl", ".h")]
    assert len(sources) > 50
    assert {path.name: lines_of(path) for path in sources if lines_of(path) > MOST_LINES} == {}


def test_that_the_median_file_of_the_package_is_short() -> None:
    lines = [lines_of(path) for path in PACKAGE.rglob("*.py") if path.name != "__init__.py"]
    assert statistics.median(lines) < MEDIAN_LINES


def test_that_imports_go_down_only() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 broken" in done.stdout


def test_that_help_imports_nothing_heavy() -> None:
    for arguments in (["--help"], ["run", "--help"]):
        done = subprocess.run(
            [sys.executable, "-c", SHOW_MODULES, *arguments], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        assert set(done.stdout.split()) & set(HEAVY) == set()


def test_that_only_the_window_and_the_client_know_qt() -> None:
    for path in PACKAGE.rglob("*.py"):
        if path.is_relative_to(PACKAGE / "gui") or path == PACKAGE / "engine" / "client.py":
            continue
        assert not imported_by(path) & {"PySide6", "pyqtgraph"}, path


def test_that_nothing_uses_eval_or_a_shell() -> None:
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in ("eval", "exec", "compile", "__import__"), f"{path}:{node.lineno}"
        assert not imported_by(path) & {"pickle", "marshal", "shelve"}, path

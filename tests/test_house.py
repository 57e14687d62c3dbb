"""What keeps the house quiet: small files, imports that go down only, nothing heavy before it is needed."""

from __future__ import annotations

import ast
import gc
import re
import statistics
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from grimp import build_graph

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "gemmviz"
MOST_LINES = 400
MEDIAN_LINES = 150
MOST_FILES = 25
HEAVY = (
    "numpy",
    "pyopencl",
    "pycuda",
    "pynvml",
    "nvmath",
    "numba",
    "llvmlite",
    "tree_sitter",
    "tree_sitter_cuda",
    "PySide6",
    "pyqtgraph",
)

HARDWARE = re.compile(r"_?(\w+_)?(BANKS|SECTORS?|(SECTOR|WORD|LINE|HALF|ROW_OF_BANKS)_?(BYTES|SIZE))")
"""Names of constants that hold numbers of the hardware: they stand in trace/model/rules.py; the sector's size, in which
stored figures are told, in domain/recordings/access.py, and the lanes of a warp in domain/recordings/warp.py.
"""
OF_THE_HARDWARE = (31, 32, 127, 128)

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


MAY_READ_FILES = {
    "domain/files/bounded_read.py": "the one reader",
    "catalogue/presets.py": "a file of the package",
    "catalogue/examples.py": "files of the package that say what its examples show",
    "catalogue/lessons.py": "the lessons of the package",
    "catalogue/glossary.py": "a file of the package",
    "catalogue/gpus.py": "a file of the package",
    "compiler/shipped_code.py": "a file of the package",
    "compiler/nvidia/nvrtc_process.py": "what the process that started it wrote",
    "compiler/python/process.py": "what the process that started it wrote",
    "trace/host_loops.py": "a file of the package that its lessons play",
    "gui/lessons/kernel_copy.py": "a kernel of the package that a lesson breaks",
    "measure/roof_kernels.py": "sources of the package",
    "gui/looks/icons.py": "pictures of the package",
    "gui/about/facts.py": "licences of the package",
    "backends/host.py": "/proc/cpuinfo",
    "backends/opencl/pocl_processor.py": "/proc/cpuinfo and /proc/self/maps",
    "domain/processes/host_memory.py": "/proc and /sys",
    "domain/processes/supervisor.py": "/proc",
    "engine/sandbox/confined.py": "/proc",
    "engine/sandbox/landlock.py": "opens nothing but names, to grant them",
    "engine/sandbox/supervisor.py": "/proc, and the memory of the process it watches, a page at a time",
    "domain/recovery/lock.py": "a lock, of which nothing is read",
    "domain/recovery/writer.py": "what it wrote itself, to bring it to the disk",
    "domain/files/atomic.py": "a folder, to bring a new name in it to the disk",
}
"""Files that read without bounded_read, and what: nothing that anybody outside could have put there."""


def lines_of(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """Every node of a file's tree: to walk through those of all files takes a second, and most tests here do."""
    return tuple(ast.walk(tree_of(path)))


@pytest.fixture(scope="module", autouse=True)
def _no_trees_left() -> Iterator[None]:
    """All files of the package parsed are a lot of memory for the tests behind these. None of it is garbage before: to
    look for some time and again takes longer than the tests.
    """
    gc.disable()
    yield
    gc.enable()
    tree_of.cache_clear()
    nodes_of.cache_clear()
    calls_in.cache_clear()


def imported_by(path: Path) -> set[str]:
    found = set()
    for node in nodes_of(path):
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


def test_that_a_public_class_has_a_name_of_its_own() -> None:
    modules: dict[str, list[str]] = {}
    for path in PACKAGE.rglob("*.py"):
        for node in tree_of(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                modules.setdefault(node.name, []).append(path.relative_to(PACKAGE).as_posix())
    assert len(modules) > 500
    assert {name: places for name, places in modules.items() if len(places) > 1} == {}


def test_that_no_folder_of_the_package_or_of_its_tests_is_wide() -> None:
    wide = {
        folder.relative_to(ROOT).as_posix(): files
        for root in (PACKAGE, ROOT / "tests")
        for folder in (root, *(path for path in root.rglob("*") if path.is_dir()))
        if (files := len(list(folder.glob("*.py")))) > MOST_FILES
    }
    assert wide == {}, (
        f"a folder has at most {MOST_FILES} Python files: files that share a prefix want a folder of their own"
    )


def test_that_imports_go_down_only() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 broken" in done.stdout


def test_that_no_files_import_each_other_in_a_circle() -> None:
    graph = build_graph("gemmviz", cache_dir=None)
    TopologicalSorter({one: graph.find_modules_directly_imported_by(one) for one in graph.modules}).prepare()


def test_that_help_imports_nothing_heavy() -> None:
    for arguments in (["--help"], ["run", "--help"]):
        done = subprocess.run(
            [sys.executable, "-c", SHOW_MODULES, *arguments], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        assert set(done.stdout.split()) & set(HEAVY) == set()


def test_that_devices_are_found_without_numba() -> None:
    """A confined process must say where Numba keeps what it compiles before Numba is loaded."""
    words = "import sys, gemmviz.backends.registry; print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", words], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_that_only_the_window_and_its_end_of_the_engine_know_qt() -> None:
    ends = {PACKAGE / "engine" / name for name in ("client.py", "worker_place.py")}
    for path in PACKAGE.rglob("*.py"):
        if path.is_relative_to(PACKAGE / "gui") or path in ends:
            continue
        assert not imported_by(path) & {"PySide6", "pyqtgraph"}, path


READERS = {"open", "read_text", "read_bytes", "ZipFile", "load", "fromfile", "loadtxt", "genfromtxt", "memmap"}


def reads_of(nodes: Iterable[ast.AST]) -> list[int]:
    """The lines on which a file is read past `bounded_read`, as far as the words tell."""
    found = []
    for node in nodes:
        if not isinstance(node, ast.Call) or (name := name_of(node)) not in READERS:
            continue
        of = ast.unparse(node.func).rpartition(".")[0]
        words = [ast.unparse(one) for one in (*node.args, *(keyword.value for keyword in node.keywords))]
        modes = [word.strip("'") for word in words if word.strip("'") in ("r", "rb", "r+b", "r+", "rt")]
        of_numpy = name in ("load", "fromfile", "loadtxt", "genfromtxt", "memmap") and of in ("np", "numpy")
        opens = name == "open" and (of in ("", "io") or modes) and not set(words) & {"'w'", "'wb'", "'xb'", "'x'"}
        if (
            (name in ("read_text", "read_bytes") and isinstance(node.func, ast.Attribute))
            or ((of_numpy or name == "ZipFile") and words[:1] != ["file"])
            or opens
            or (name == "open" and of == "os" and "os.devnull" not in words)
            or (name == "load" and of in ("tomllib", "json"))
        ):
            found.append(node.lineno)
    return found


def test_that_every_file_from_outside_comes_in_by_the_one_bounded_reader() -> None:
    found = {
        path.relative_to(PACKAGE).as_posix(): lines
        for path in PACKAGE.rglob("*.py")
        if (lines := reads_of(nodes_of(path)))
    }
    assert {name: lines for name, lines in found.items() if name not in MAY_READ_FILES} == {}
    assert MAY_READ_FILES.keys() == found.keys(), "a file on the list reads nothing any more"


def test_that_the_search_for_readers_finds_them() -> None:
    for words in (
        "path.read_text()",
        "path.read_bytes()",
        "open(path)",
        "open(path, 'rb')",
        "path.open('rb')",
        "np.load(path)",
        "zipfile.ZipFile(path)",
        "os.open(path, os.O_RDONLY)",
        "io.open(path)",
        "np.fromfile(path)",
        "tomllib.load(f)",
    ):
        assert reads_of(ast.walk(ast.parse(words))) == [1], words
    for words in ("path.open('xb')", "ZipFile(file, 'w')", "np.load(file)", "read_text(path, 9)", "dialog.open()"):
        assert reads_of(ast.walk(ast.parse(words))) == [], words


def test_that_nothing_uses_eval_or_a_shell() -> None:
    for path in PACKAGE.rglob("*.py"):
        for node in nodes_of(path):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in ("eval", "exec", "compile", "__import__"), f"{path}:{node.lineno}"
        assert not imported_by(path) & {"pickle", "marshal", "shelve"}, path


def test_that_the_numbers_of_the_hardware_stand_in_one_place() -> None:
    """Two counts of banks, or two ways to find one, come to differ: all who want to know ask `gemmviz.trace.model`."""
    model, stored = PACKAGE / "trace" / "model", PACKAGE / "domain" / "recordings"
    homes = {"SECTOR_BYTES": stored / "access.py", "LANES": stored / "warp.py"}
    found = []
    for path in PACKAGE.rglob("*.py"):
        for node in nodes_of(path):
            if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None and _is_number(node.value):
                sides = node.targets if isinstance(node, ast.Assign) else [node.target]
                targets = [each for one in sides for each in (one.elts if isinstance(one, ast.Tuple) else [one])]
                names = [target.id for target in targets if isinstance(target, ast.Name)]
                named = [name for name in names if HARDWARE.fullmatch(name) or name in homes]
                found += [f"{path}:{name}" for name in named if homes.get(name, model / "rules.py") != path]
            elif isinstance(node, ast.BinOp) and isinstance(node.op, (ast.FloorDiv, ast.Mod, ast.BitAnd, ast.Mult)):
                looks_at_addresses = any(path.is_relative_to(PACKAGE / layer) for layer in ("trace", "explain", "gui"))
                numbers = [side.value for side in (node.left, node.right) if isinstance(side, ast.Constant)]
                if looks_at_addresses and set(numbers) & set(OF_THE_HARDWARE):
                    found.append(f"{path}:{node.lineno}: {ast.unparse(node)}")
    assert found == []


def _is_number(value: ast.expr) -> bool:
    """Whether an expression is whole numbers alone: 32, 4 * 32, (32, 4)."""
    parts = list(ast.walk(value))
    holders = (ast.Constant, ast.BinOp, ast.UnaryOp, ast.Tuple, ast.operator, ast.unaryop, ast.expr_context)
    return all(isinstance(part, holders) for part in parts) and any(
        isinstance(part, ast.Constant) and type(part.value) is int for part in parts
    )


@cache
def calls_in(path: Path) -> tuple[ast.Call, ...]:
    return tuple(node for node in nodes_of(path) if isinstance(node, ast.Call))


def name_of(call: ast.Call) -> str:
    return (
        call.func.id
        if isinstance(call.func, ast.Name)
        else call.func.attr
        if isinstance(call.func, ast.Attribute)
        else ""
    )


def test_that_the_command_line_writes_in_one_place() -> None:
    """What is printed elsewhere could be read as markup, or by a terminal as a command."""
    for path in (PACKAGE / "cli").rglob("*.py"):
        if path.name == "terminal.py":
            continue
        modules = {node.module for node in nodes_of(path) if isinstance(node, ast.ImportFrom)}
        assert not modules & {"rich", "rich.console", "rich.markup"}, path
        for call in calls_in(path):
            assert not (isinstance(call.func, ast.Name) and call.func.id in ("print", "Text")), f"{path}:{call.lineno}"
            assert ast.unparse(call.func) not in (
                "sys.stdout.write",
                "sys.stderr.write",
                "typer.echo",
                "Text.from_markup",
            )


def test_that_labels_and_tooltips_show_text_as_it_is() -> None:
    """Qt reads HTML in a QLabel and in a tooltip; a literal is ours, all else goes through `plain_text`."""
    for path in (PACKAGE / "gui").rglob("*.py"):
        for call in calls_in(path):
            where, name = f"{path}:{call.lineno}", name_of(call)
            assert name != "QLabel" or path.name == "plain_label.py", where
            assert name != "setTextFormat", where
            assert ast.unparse(call.func) != "QGuiApplication.clipboard().setText" or path.name == "plain_text.py", (
                where
            )
            of_tip = name in ("setToolTip", "setStatusTip", "setWhatsThis", "showText")
            if of_tip or (name == "setItemData" and ast.unparse(call.args[-1]).endswith("ToolTipRole")):
                text = call.args[1] if name in ("setItemData", "showText") else call.args[0]
                assert is_plain(text), where


def test_that_fields_are_those_of_the_house() -> None:
    """Qt's own combo boxes cut their lists, and the wheel changes Qt's fields in passing."""
    theirs = {"QComboBox", "QSpinBox", "QDoubleSpinBox", "QSlider", "QDial"}
    for path in (PACKAGE / "gui").rglob("*.py"):
        for node in nodes_of(path):
            made = {name_of(node)} if isinstance(node, ast.Call) else set()
            based = (
                {base.id for base in node.bases if isinstance(base, ast.Name)}
                if isinstance(node, ast.ClassDef)
                else set()
            )
            assert path.name == "fields.py" or not theirs & (made | based), (
                f"{path}: take it from gui/widgets/fields.py"
            )


def is_plain(text: ast.expr) -> bool:
    if isinstance(text, ast.IfExp):
        return is_plain(text.body) and is_plain(text.orelse)
    if isinstance(text, ast.Call):
        return name_of(text) in ("plain_text", "as_tooltip")
    return isinstance(text, ast.Constant) or (isinstance(text, ast.Name) and text.id.isupper())


def test_that_titles_and_boxes_show_text_as_it_is() -> None:
    for path in (PACKAGE / "gui").rglob("*.py"):
        for call in calls_in(path):
            where = f"{path}:{call.lineno}"
            if name_of(call) == "setWindowTitle" and not isinstance(call.args[0], ast.Constant):
                assert "title_text(" in ast.unparse(call.args[0]), where
            assert "QMessageBox" not in ast.unparse(call.func), f"{where}: ask by gui/widgets/question.py"

"""The site of the documentation has every page of docs/ once, and the packages of its reference exist."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
NAV = re.findall(r"^ +- (?:[^:]+: )?(\S+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE)
HOOK = ast.parse((DOCS / "site" / "pages.py").read_text(encoding="utf-8"))


def constant(name: str) -> object:
    """A constant of the hook, which needs MkDocs to be imported."""
    nodes = [node for node in HOOK.body if isinstance(node, ast.Assign)]
    return next(ast.literal_eval(one.value) for one in nodes if ast.unparse(one.targets[0]) == name)


def test_that_the_navigation_has_every_page_once() -> None:
    pages = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")}
    above = constant("ABOVE")
    assert isinstance(above, dict)
    assert sorted(NAV) == sorted([*pages, *above.values()])
    assert all((ROOT / name).exists() for name in above)


def test_that_every_package_of_the_reference_has_modules_with_docstrings() -> None:
    packages = constant("PACKAGES")
    assert isinstance(packages, tuple)
    for package in packages:
        modules = [path for path in ROOT.joinpath(*package.split(".")).glob("*.py") if path.stem != "__init__"]
        assert modules, package
        assert all(ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) for path in modules), package

"""The pages of the documentation: links lead somewhere, the index is complete, files that are named exist."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *DOCS.glob("*.md"), *DOCS.glob("design/*.md")])
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")
FILE = re.compile(r"`(?:[\w./]+/)?(\w+\.(?:py|toml|json|cu))`")
PLACE = re.compile(r"`((?:[\w.]+/)+(?:\w+\.(?:py|toml|json|cu))?)`")
"""A folder, or a file with its folder."""
ONE_PAGE = 100
"""Lines of a page that is to be read at once."""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_that_links_lead_to_files(page: Path) -> None:
    links = LINK.findall(page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_that_the_index_lists_every_page() -> None:
    listed = {(DOCS / link).resolve() for link in LINK.findall((DOCS / "README.md").read_text(encoding="utf-8"))}
    assert {page for page in PAGES if page.parent != ROOT} - listed == {DOCS / "README.md"}


@pytest.mark.parametrize("page", [page for page in PAGES if page.parent.name == "design"], ids=lambda page: page.stem)
def test_that_files_that_are_named_exist(page: Path) -> None:
    there = {
        path.name
        for folder in ("gemmviz", "kernels", "assets", "docs", "tests")
        for path in ROOT.joinpath(folder).rglob("*")
    }
    named = set(FILE.findall(page.read_text(encoding="utf-8")))
    assert named - there == set()


@pytest.mark.parametrize("page", [ROOT / "CONTRIBUTING.md", DOCS / "ARCHITECTURE.md"], ids=lambda page: page.stem)
def test_that_places_that_are_named_exist(page: Path) -> None:
    places = PLACE.findall(page.read_text(encoding="utf-8"))
    named = {place for place in places if "NAME" not in place and not place.startswith(".venv/")}  # each makes its own
    homes = (ROOT, ROOT / "gemmviz", ROOT / "gemmviz" / "gui", ROOT / "tests", DOCS)
    assert len(named) > 10
    assert sorted(place for place in named if not any((home / place).exists() for home in homes)) == []


def test_that_the_picture_of_the_layers_is_the_contract() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = project["tool"]["importlinter"]["contracts"][0]["layers"]
    picture = (DOCS / "ARCHITECTURE.md").read_text(encoding="utf-8").split("```")[1]
    rows = [re.findall(r"│ (\w+)", line) for line in picture.splitlines()]
    assert [" | ".join(row) for row in rows if row] == layers


@pytest.mark.parametrize("page", [ROOT / "README.md", DOCS / "ARCHITECTURE.md"], ids=lambda page: page.stem)
def test_that_the_first_pages_stay_short(page: Path) -> None:
    assert len(page.read_text(encoding="utf-8").splitlines()) <= ONE_PAGE


def test_that_no_example_command_writes_where_another_did() -> None:
    commands = (DOCS / "COMMANDS.md").read_text(encoding="utf-8")
    outputs = re.findall(r"^gemmviz .* --out (\S+)", commands, re.MULTILINE)
    assert len(outputs) == len(set(outputs)) > 4, "an existing file is replaced only with --force"


def test_that_the_picture_of_the_folders_of_the_window_is_the_contract() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = {contract["name"]: contract for contract in project["tool"]["importlinter"]["contracts"]}
    picture = (DOCS / "design" / "window.md").read_text(encoding="utf-8").split("```")[1]
    rows = [line.split("  ")[0].replace("│", "|") for line in picture.split("\n")]
    assert [row for row in rows if row] == contracts["folders of the window look down"]["layers"]

"""The version stands in `gemmviz/__init__.py` alone, and the changelog tells of it."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

from hatchling.metadata.core import ProjectMetadata
from hatchling.plugin.manager import PluginManager

from gemmviz import __version__

ROOT = Path(__file__).parents[1]
HEADING = re.compile(r"^## (.+)$", re.MULTILINE)


def test_that_a_build_has_the_version_of_the_package() -> None:
    assert "version" not in tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert ProjectMetadata(str(ROOT), PluginManager()).version == __version__


def test_that_the_command_line_prints_the_version() -> None:
    command = [sys.executable, "-m", "gemmviz", "--version"]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == f"gemmviz {__version__}\n"


def test_that_the_changelog_tells_of_this_version_below_what_is_unreleased() -> None:
    headings = HEADING.findall((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))
    releases = [re.fullmatch(r"(\d+\.\d+\.\d+) \((\d{4}-\d{2}-\d{2})\)", heading) for heading in headings[1:]]
    assert headings[0] == "Unreleased"
    assert all(releases), headings
    found = [(release[1], release[2]) for release in releases if release]
    assert found[0][0] == __version__
    assert [day for _, day in found] == sorted((day for _, day in found), reverse=True)

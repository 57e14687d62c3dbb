"""What GitHub and pre-commit run is what the README and `.ci/` say, for every Python that the package names."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
WORKFLOWS = ROOT / ".github" / "workflows"
PRE_COMMIT = ROOT / ".pre-commit-config.yaml"
PAGES = sorted([*ROOT.glob(".github/**/*.yml"), PRE_COMMIT])


def read(name: Path) -> str:
    return name.read_text(encoding="utf-8")


def readme_command(last: str) -> str:
    """The README's command that ends with `last`."""
    return next(
        line for line in read(ROOT / "README.md").splitlines() if re.fullmatch(rf"python3 -m venv .*{last}", line)
    )


def values(page: Path, key: str) -> list[str]:
    return [found.strip() for found in re.findall(rf"^[ -]*{key}: (.+)$", read(page), re.MULTILINE)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_that_it_is_yaml_with_keys(page: Path) -> None:
    assert isinstance(yaml.safe_load(read(page)), dict)


def test_that_the_workflow_runs_the_command_of_the_readme() -> None:
    command = readme_command("pytest")
    runs = values(WORKFLOWS / "tests.yml", "run")
    assert runs.count(command) == 1
    assert runs.count(command.replace(".venv/bin/", ".venv/Scripts/")) == 1
    assert command.rpartition(" && ")[0] in runs, "the linters run in the same environment"


def test_that_the_workflow_runs_every_python_that_the_package_names() -> None:
    project = tomllib.loads(read(ROOT / "pyproject.toml"))["project"]
    named = [one.rpartition(" ")[2] for one in project["classifiers"] if "Python :: 3." in one]
    matrix = re.findall(r"3\.\d+", values(WORKFLOWS / "tests.yml", "python")[0])
    assert matrix == named
    assert project["requires-python"] == f">={named[0]}"


def test_that_workflows_run_the_linters_the_coverage_the_site_and_every_test() -> None:
    assert {".ci/lint", ".ci/coverage"} <= set(values(WORKFLOWS / "tests.yml", "run"))
    assert ".ci/docs site" in values(WORKFLOWS / "docs.yml", "run")
    assert ".ci/thorough" in values(WORKFLOWS / "thorough.yml", "run")
    ci = read(ROOT / ".ci" / "run")
    assert '.ci/lint "$work/venv"' in ci
    assert ".ci/docs" in ci


def test_that_a_commit_is_held_to_the_linters_of_ci() -> None:
    commands = re.findall(r'^"\$bin/([\w-]+)"(.*)$', read(ROOT / ".ci" / "lint"), re.MULTILINE)
    assert values(PRE_COMMIT, "entry") == [f"{name}{arguments}" for name, arguments in commands]
    assert set(values(PRE_COMMIT, "language")) == {"system"}, "an environment of pre-commit's own needs the network"

"""Kernels and assets are found from a checkout and from a wheel alike."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from gemmviz import resources
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.resources import resource_folder

ROOT = Path(__file__).parents[1]


def test_that_a_checkout_has_its_folders_beside_the_package() -> None:
    assert resource_folder("kernels") == ROOT / "kernels"
    assert (resource_folder("assets") / "presets.toml").is_file()


def test_that_an_installed_package_has_them_inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inside = tmp_path / "gemmviz" / "shipped" / "kernels"
    inside.mkdir(parents=True)
    (tmp_path / "kernels").mkdir()
    monkeypatch.setattr(resources, "_PACKAGE", tmp_path / "gemmviz")
    assert resource_folder("kernels") == inside


def test_that_a_missing_folder_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources, "_PACKAGE", tmp_path / "gemmviz")
    with pytest.raises(FileNotFoundError, match="not installed whole: its folder 'kernels'"):
        resource_folder("kernels")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    done = subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (path,) = folder.glob("*.whl")
    return path


def test_that_the_wheel_has_the_kernels_and_assets_and_nothing_compiled(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for folder in ("kernels", "assets"):
        for path in (ROOT / folder).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                assert f"gemmviz/shipped/{path.relative_to(ROOT).as_posix()}" in names
    assert "gemmviz/shipped/GLOSSARY.md" in names
    assert not [name for name in names if "__pycache__" in name or name.endswith((".pyc", ".nbc", ".nbi"))]
    assert not [name for name in names if not name.startswith(("gemmviz/", "gemmviz-"))]


def test_that_every_kernel_is_found_from_an_unpacked_wheel_in_another_folder(wheel: Path, tmp_path: Path) -> None:
    installed, elsewhere = tmp_path / "installed", tmp_path / "elsewhere"
    elsewhere.mkdir()
    zipfile.ZipFile(wheel).extractall(installed)
    environment = {**os.environ, "PYTHONPATH": str(installed)}

    def run(*arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, *arguments], cwd=elsewhere, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    where = run("-c", "from gemmviz.resources import resource_folder; print(resource_folder('kernels'))").strip()
    assert where == str(installed / "gemmviz" / "shipped" / "kernels")
    listed = json.loads(run("-m", "gemmviz", "kernels", "--json"))
    assert {kernel["kernel"] for kernel in listed["kernels"]} == {kernel.id for kernel in load_catalogue().kernels}
    assert list(elsewhere.iterdir()) == []

"""Whether a window can appear is known before Qt would end the process."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import PySide6
import pytest

from gemmviz.gui import display_check
from gemmviz.gui.display_check import ALWAYS, WAYLAND, X11, display_fault


def everything(_file: str) -> bool:
    return True


def but(*missing: str) -> Callable[[str], bool]:
    return lambda file: file not in missing


def test_that_it_imports_no_qt() -> None:
    code = "import sys; import gemmviz.gui.display_check; print([m for m in sys.modules if 'PySide6' in m])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    tree = ast.parse(Path(display_check.__file__).read_text(encoding="utf-8"))
    assert not [n for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and "PySide6" in (n.module or "")]


@pytest.mark.parametrize(
    "environment",
    [
        {"DISPLAY": ":0"},
        {"WAYLAND_DISPLAY": "wayland-0"},
        {"QT_QPA_PLATFORM": "offscreen"},
        {"QT_QPA_PLATFORM": "vnc:size=800x600"},
        {"QT_QPA_PLATFORM": "xcb", "DISPLAY": "localhost:10.0"},
    ],
)
def test_that_nothing_is_said_where_a_window_can_appear(environment: dict[str, str]) -> None:
    assert display_fault(environment, "linux", everything, everything) is None


@pytest.mark.parametrize("platform", ["darwin", "win32"])
def test_that_other_systems_always_have_a_display(platform: str) -> None:
    assert display_fault({}, platform, lambda _: False, lambda _: False) is None


@pytest.mark.parametrize(
    ("environment", "named"),
    [
        ({}, "neither DISPLAY nor WAYLAND_DISPLAY is set"),
        ({"DISPLAY": ""}, "neither DISPLAY nor WAYLAND_DISPLAY is set"),
        ({"QT_QPA_PLATFORM": "xcb"}, "neither DISPLAY"),
        ({"QT_QPA_PLATFORM": "xcb", "WAYLAND_DISPLAY": "wayland-0"}, "neither DISPLAY"),
        ({"QT_QPA_PLATFORM": "wayland", "DISPLAY": ":0"}, "WAYLAND_DISPLAY is not set"),
    ],
)
def test_that_no_display_is_one_line_with_what_works_without(environment: dict[str, str], named: str) -> None:
    fault = display_fault(environment, "linux", everything, everything)
    assert fault is not None
    assert named in fault
    assert "\n" not in fault
    assert all(command in fault for command in ("gemmviz run", "gemmviz trace", "gemmviz export"))


def test_that_a_display_nobody_serves_is_named() -> None:
    fault = display_fault({"DISPLAY": ":77"}, "linux", everything, lambda _: False)
    assert fault is not None
    assert "DISPLAY=:77" in fault


@pytest.mark.parametrize("library", [*ALWAYS, *X11], ids=lambda library: library.file)
def test_that_a_missing_library_is_named_with_its_packages(library: display_check.Library) -> None:
    fault = display_fault({"DISPLAY": ":0"}, "linux", but(library.file), everything)
    assert fault is not None
    for word in (library.file, f"apt install {library.debian}", f"dnf install {library.fedora}", "gemmviz run"):
        assert word in fault


def test_that_several_missing_libraries_are_one_line_and_one_package_once() -> None:
    gone = but("libxcb-shape.so.0", "libxcb-shm.so.0", "libxcb-cursor.so.0")
    fault = display_fault({"DISPLAY": ":0"}, "linux", gone, everything)
    assert fault is not None
    assert "dnf install xcb-util-cursor libxcb)" in fault
    assert "\n" not in fault


def test_that_either_display_will_do() -> None:
    both = {"DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0"}
    assert display_fault(both, "linux", but(WAYLAND[0].file), everything) is None
    assert display_fault(both, "linux", but("libxcb-cursor.so.0"), everything) is None
    only = display_fault({"WAYLAND_DISPLAY": "wayland-0"}, "linux", but(WAYLAND[0].file), everything)
    assert only is not None
    assert WAYLAND[0].debian in only


def test_that_even_an_offscreen_window_needs_the_base_libraries() -> None:
    fault = display_fault({"QT_QPA_PLATFORM": "offscreen"}, "linux", but("libEGL.so.1"), everything)
    assert fault is not None
    assert "libEGL.so.1" in fault


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads ELF files")
def test_that_the_lists_are_what_qt_links() -> None:
    qt = Path(PySide6.__file__).parent / "Qt"
    of_the_base = {"libc.so.6", "libm.so.6", "libgcc_s.so.1", "libstdc++.so.6", "libz.so.1", "libgthread-2.0.so.0"}
    for files, known in (
        (["plugins/platforms/libqxcb.so", "lib/libQt6XcbQpa.so.6"], {*ALWAYS, *X11}),
        (["lib/libQt6Gui.so.6", "lib/libQt6DBus.so.6"], set(ALWAYS)),
    ):
        linked = {name for file in files for name in needed_by(qt / file) if not name.startswith(("libQt6", "libicu"))}
        assert linked - of_the_base - {library.file for library in known} == set()


def needed_by(path: Path) -> set[str]:
    """Names of libraries in the string table of an ELF file; a superset of what it links is no harm here."""
    names = re.findall(rb"\x00(lib[\w+.-]+\.so\.\d+)(?=\x00)", path.read_bytes())
    return {name.decode() for name in names}


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks libxcb")
@pytest.mark.parametrize("display", [":7799", "nonsense", "::::"])
def test_that_the_real_question_gets_a_no_where_nobody_listens(display: str) -> None:
    if not display_check._loads("libxcb.so.1"):
        pytest.skip("libxcb is not there")
    fault = display_fault({"DISPLAY": display}, "linux", everything)
    assert fault is not None
    assert f"DISPLAY={display}" in fault

"""The list of files opened lately."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from gemmviz.gui.files.recent_files import RecentFile, fill_recent_menu, recent_rows, with_recent, without_recent


def test_that_the_newest_is_first_and_ten_are_kept(tmp_path: Path) -> None:
    paths: tuple[str, ...] = ()
    for number in range(12):
        paths = with_recent(paths, tmp_path / f"{number}.gemmviz")
    assert [Path(path).stem for path in paths] == [str(number) for number in range(11, 1, -1)]


def test_that_a_file_stands_once_however_it_is_spelt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "sub")
    monkeypatch.chdir(tmp_path)
    paths = with_recent((), tmp_path / "other")
    for spelling in ("sub/a", "./sub/../sub/a", str(tmp_path / "link" / "a")):
        paths = with_recent(paths, spelling)
    assert paths == (str(tmp_path.resolve() / "sub" / "a"), str(tmp_path.resolve() / "other"))
    assert without_recent(paths, "link/a") == (str(tmp_path.resolve() / "other"),)


@pytest.mark.parametrize("odd", ["", "\0", "~nobody-of-that-name/x", "a" * 5000])
def test_that_an_odd_path_is_only_a_missing_file(odd: str) -> None:
    (row,) = recent_rows(with_recent((), odd))
    assert not row.exists


def test_that_a_link_to_itself_is_only_a_missing_file(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (row,) = recent_rows(with_recent((), tmp_path / "loop"))
    assert not row.exists


def test_that_rows_name_file_and_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    there = tmp_path / "work" / "a.gemmviz"
    there.parent.mkdir()
    there.touch()
    assert recent_rows((str(there), "/elsewhere/b.gemmviz")) == (
        RecentFile(str(there), "a.gemmviz", str(Path("~") / "work"), exists=True),
        RecentFile("/elsewhere/b.gemmviz", "b.gemmviz", "/elsewhere", exists=False),
    )


def test_that_the_menu_opens_what_is_there_and_marks_what_is_gone(qtbot: QtBot) -> None:
    menu = QMenu()
    qtbot.addWidget(menu)
    chosen: list[str] = []
    cleared: list[bool] = []
    rows = (RecentFile("/x/R&D.gemmviz", "R&D.gemmviz", "/x", True), RecentFile("/y/b", "b", "/y", False))
    for _ in range(2):  # filling twice leaves one set of entries
        fill_recent_menu(menu, rows, chosen.append, lambda: cleared.append(True))
    there, gone, line, clear = menu.actions()
    assert there.text() == "&1  R&&D.gemmviz  —  /x"
    assert "(missing)" in gone.text()
    assert (there.isEnabled(), gone.isEnabled(), line.isSeparator()) == (True, False, True)
    there.trigger()
    gone.trigger()
    clear.trigger()
    assert (chosen, cleared) == (["/x/R&D.gemmviz"], [True])


def test_that_an_empty_list_is_a_menu_that_cannot_be_opened(qtbot: QtBot) -> None:
    menu = QMenu()
    qtbot.addWidget(menu)
    fill_recent_menu(menu, (), print, print)
    assert (menu.actions(), menu.menuAction().isEnabled()) == ([], False)

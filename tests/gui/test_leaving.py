"""Names out of files are text wherever the window or an export shows them: no HTML, no keys, no hidden characters."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from driving import part
from nasty import NASTY, hidden_in, nasty_session
from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QModelIndex, Qt
from PySide6.QtGui import QAction
from PySide6.QtGui import Qt as QtOfGui
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QComboBox, QLabel, QMenu, QTabWidget, QWidget
from pytestqt.qtbot import QtBot

from gemmviz.domain.session.session import save_session
from gemmviz.explain.block.heat_maps import HeatKind
from gemmviz.gui.export.film.choice import FilmChoice
from gemmviz.gui.export.film.formats import FilmFormat
from gemmviz.gui.export.film.steps import film_steps
from gemmviz.gui.export.film_source import film_source_of
from gemmviz.gui.export.pictures.still import still_bytes
from gemmviz.gui.export.steps import export_session
from gemmviz.gui.files.recent_files import RecentFile, fill_recent_menu
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.source.source_model import as_tooltip
from gemmviz.gui.widgets.plain_label import PlainLabel, RichLabel
from gemmviz.gui.widgets.plain_text import action_text, plain_text, title_text
from gemmviz.gui.window.main_window import MainWindow


def is_inert(text: str) -> bool:
    """Whether a tooltip or a label shows this as text: Qt reads no tag of the nasty text in it."""
    return hidden_in(text, "\n\t") == set() and not (QtOfGui.mightBeRichText(text) and "<img" in text)


KERNEL = """/*---
title = "{text}"
teaches = "{text}"
origin = "{text}"
entry = "mine"
constraints = [{{rule = "M < 4", because = "{text}"}}]
[params.TILE]
label = "{text}"
choices = [8, 16]
default = 8
[params.WIDE]
label = "{text}"
choices = [1, 2, 4, 8, 16, 32, 64, 128, 256]
default = 8
[launch]
block = ["TILE", "TILE"]
grid = ["ceil_div(N, TILE)", "ceil_div(M, TILE)"]
---*/
extern "C" __global__ void mine(const float *A, const float *B, float *C, int M, int N, int K)
{{
    C[0] = A[0]; // {code}
}}
"""


def kernel_file(folder: Path) -> Path:
    """A kernel whose header is nasty in every text."""
    text = "".join(letter if letter.isascii() and letter.isalnum() else f"\\U{ord(letter):08x}" for letter in NASTY)
    path = folder / "k&l<b>[x]\u202e.cu"
    path.write_text(KERNEL.format(text=text, code=NASTY.replace("\n", " ")), encoding="utf-8")
    return path


@pytest.fixture
def nasty_window(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> MainWindow:
    path = tmp_path / "a&b[*]<b>\u202ex\x1b.gemmviz"
    save_session(nasty_session(), path)
    with qtbot.waitSignal(window.document.opened):
        window.open_path(path)
    window.open_path(kernel_file(tmp_path))
    view = part(window, QAbstractItemView, "kernelList")

    def is_there() -> bool:
        return any("[/red]x" in str(view.model().index(row, 0).data()) for row in range(view.model().rowCount()))

    qtbot.waitUntil(is_there)
    return window


def cells_of(model: QAbstractItemModel, parent: QModelIndex) -> Iterator[QModelIndex]:
    for row in range(min(model.rowCount(parent), 40)):
        columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount(parent)
        for column in range(columns):
            index = model.index(row, column, parent)
            yield index
            yield from cells_of(model, index)


def shown_by(window: QWidget) -> Iterator[tuple[str, str]]:
    """Every text that a widget shows, by where it stands."""
    for label in window.findChildren(QLabel):
        if not isinstance(label, RichLabel):
            assert label.textFormat() == Qt.TextFormat.PlainText, label.objectName() or label.text()
            yield f"label {label.objectName()}", label.text()
    for combo in window.findChildren(QComboBox):
        yield from ((f"combo {combo.objectName()}", combo.itemText(place)) for place in range(combo.count()))
    for view in window.findChildren(QAbstractItemView):
        model = view.model()
        for index in cells_of(model, QModelIndex()) if model is not None else ():
            yield f"cell of {view.objectName()}", str(index.data(Qt.ItemDataRole.DisplayRole) or "")


def test_that_a_window_full_of_nasty_names_shows_them_as_text(nasty_window: MainWindow, qtbot: QtBot) -> None:
    tabs = part(nasty_window, QTabWidget, "tabs")
    for place in range(tabs.count()):
        tabs.setCurrentIndex(place)
        qtbot.waitUntil(lambda place=place: tabs.currentIndex() == place)
        nasty_window.grab()
    seen = list(shown_by(nasty_window))
    assert [(where, text) for where, text in seen if hidden_in(text)] == []
    assert sum("[/red]x" in text for _, text in seen) > 20, "names are there"
    tips = [(widget.objectName(), widget.toolTip()) for widget in nasty_window.findChildren(QWidget)]
    for view in nasty_window.findChildren(QAbstractItemView):
        model = view.model()
        cells = cells_of(model, QModelIndex()) if model is not None else iter(())
        tips += [(f"cell of {view.objectName()}", str(i.data(Qt.ItemDataRole.ToolTipRole) or "")) for i in cells]
    assert [(where, tip) for where, tip in tips if not is_inert(tip)] == []
    assert any("[/red]x" in tip for _, tip in tips)


def test_that_a_files_name_is_text_in_the_title_and_in_menus(nasty_window: MainWindow) -> None:
    assert nasty_window.windowTitle().startswith(r"a&b[*][*]<b>\u202ex\x1b.gemmviz[*]")
    texts = [action.text() for action in nasty_window.findChildren(QAction) if action.objectName() == "recentFile1"]
    assert [text.partition("  ")[2].partition("  ")[0] for text in texts] == [r"a&&b[*]<b>\u202ex\x1b.gemmviz"]
    tips = [action.toolTip() for action in nasty_window.findChildren(QAction)]
    assert [tip for tip in tips if not is_inert(tip)] == []
    button = next(b for b in nasty_window.findChildren(QAbstractButton) if b.objectName() == "firstRecent1")
    assert button.text() == r"a&&b[*]<b>\u202ex\x1b.gemmviz"


def test_that_helpers_leave_plain_text_alone_and_disarm_the_rest(qtbot: QtBot) -> None:
    assert plain_text("two\nlines") == "two\nlines"
    assert "&lt;img" in plain_text("<img src=x>")
    assert action_text("a&b\n") == r"a&&b\n"
    assert title_text("x[*]") == "x[*][*]"
    assert "<img" not in as_tooltip(NASTY)
    label = PlainLabel("<b>x</b>\x1b")
    qtbot.addWidget(label)
    assert (label.text(), label.textFormat()) == (r"<b>x</b>\x1b", Qt.TextFormat.PlainText)
    menu = QMenu()
    qtbot.addWidget(menu)
    fill_recent_menu(menu, [RecentFile("p", NASTY, NASTY, True)], lambda _: None, lambda: None)
    assert menu.actions()[0].text().count("&&File") == 2


def test_that_every_picture_of_a_nasty_session_is_sound(tmp_path: Path, qtbot: QtBot) -> None:
    del qtbot
    session = replace(nasty_session(), traces=nasty_session().traces[:1])
    paths = export_session(session, tmp_path, ("svg", "csv"))
    assert all(path.name.isascii() and len(path.name) < 100 and path.parent == tmp_path for path in paths)
    texts = ""
    for path in paths:
        if path.suffix == ".svg":
            document = path.read_text(encoding="utf-8")
            assert hidden_in(document, "\n\t") == set()
            root = ElementTree.fromstring(document)
            assert not root.findall(".//{*}img")
            texts += "".join(root.itertext())
    assert "=cmd|' /C" in texts


def test_that_a_films_caption_is_text(tmp_path: Path, qtbot: QtBot) -> None:
    del qtbot
    film_source = film_source_of(nasty_session().traces[0])
    still = still_bytes(film_source, 0, HeatKind.NONE, "svg", (960, 540), 1.0, LIGHT).decode()
    assert hidden_in(still, "\n\t") == set()
    assert "=cmd" in "".join(ElementTree.fromstring(still).itertext()), "the strip below says whose it is"
    choice = FilmChoice((FilmFormat.GIF,), 1, 2, 16.0, 10, (320, 240), is_animated=False)
    steps = list(film_steps(film_source, choice, tmp_path, "film", LIGHT))
    assert [path.name for path in steps[-1].paths] == ["film.gif"]

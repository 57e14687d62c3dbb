from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtGui import QColor, QFontMetrics

from gemmviz.catalogue.loader import load_catalogue
from gemmviz.gui.kernels.delegate import KernelDelegate
from gemmviz.gui.kernels.kernel_list import KernelList
from gemmviz.gui.kernels.model import KernelModel
from gemmviz.gui.kernels.rows import KernelRow
from gemmviz.gui.looks.fonts import SMALL, words
from gemmviz.gui.looks.theme import DARK, LIGHT

ROWS = (
    KernelRow("On the CPU"),
    KernelRow("Loops", "loops", 1, "teaches loops"),
    KernelRow("On the device"),
    KernelRow("Tiles", "tiles", 2, "teaches tiles", is_compared=True),
    KernelRow("Mine, with a title far too long for one line of a narrow panel", "mine", 0, "", is_own=True),
    KernelRow("Refused", "refused", 3, "teaches nothing", mark="refused", reason="Needs M = 1."),
)


class Heard(KernelList):
    """Keeps what it told."""

    told: list[Any]


@pytest.fixture
def kernels(qtbot) -> Heard:
    made = Heard(LIGHT)
    qtbot.addWidget(made)
    made.resize(282, 400)
    made.show_rows(ROWS, "tiles")
    made.show()
    qtbot.waitExposed(made)
    made.told = []
    made.kernel_chosen.connect(lambda kernel: made.told.append(("chosen", kernel)))
    made.kernel_ticked.connect(lambda kernel, on: made.told.append(("ticked", kernel, on)))
    made.removal_asked.connect(lambda kernel: made.told.append(("remove", kernel)))
    made.found_asked.connect(lambda kernel: made.told.append(("found", kernel)))
    return made


def row_of(kernels: KernelList, kernel: str) -> QModelIndex:
    model = kernels.model()
    assert isinstance(model, KernelModel)
    return model.row_of(kernel)


def place_in(kernels: Heard, kernel: str, *, box: bool) -> QPoint:
    row = kernels.visualRect(row_of(kernels, kernel))
    return QPoint(row.right() - 16 if box else row.left() + 60, row.center().y())


def test_that_showing_a_kernel_tells_nothing(kernels: Heard) -> None:
    kernels.show_rows(ROWS, "loops")
    kernels.show_rows(ROWS[:2], "loops")
    kernels.show_rows(ROWS, "gone")
    assert kernels.told == []
    assert not kernels.currentIndex().isValid()


def test_that_a_title_without_room_beside_its_id_stands_below_it(kernels: Heard) -> None:
    heights = {row.id: kernels.visualRect(row_of(kernels, row.id)).height() for row in ROWS if row.id}
    assert heights == {"loops": 20, "tiles": 20, "mine": 34, "refused": 20}
    kernels.resize(600, 400)
    assert kernels.visualRect(row_of(kernels, "mine")).height() == 20


def test_that_every_kernel_of_the_catalogue_shows_its_whole_title_in_the_narrow_panel(kernels: Heard) -> None:
    font = QFontMetrics(words(SMALL))
    titles = [kernel.title for kernel in load_catalogue().kernels]
    room = kernels.visualRect(row_of(kernels, "mine")).width() - 34 - 32
    assert [title for title in titles if font.horizontalAdvance(title) > room] == []


def test_that_the_arrow_keys_step_over_headings(kernels: Heard, qtbot) -> None:
    qtbot.keyClick(kernels, Qt.Key.Key_Up)
    qtbot.keyClick(kernels, Qt.Key.Key_Down)
    qtbot.keyClick(kernels, Qt.Key.Key_Down)
    assert kernels.told == [("chosen", "loops"), ("chosen", "tiles"), ("chosen", "mine")]


def test_that_space_ticks_and_unticks_the_chosen_kernel(kernels: Heard, qtbot) -> None:
    qtbot.keyClick(kernels, Qt.Key.Key_Space)
    qtbot.keyClick(kernels, Qt.Key.Key_Space)
    assert kernels.told == [("ticked", "tiles", False), ("ticked", "tiles", True)]


def test_that_a_click_on_a_box_ticks_without_choosing(kernels: Heard, qtbot) -> None:
    qtbot.mouseClick(kernels.viewport(), Qt.MouseButton.LeftButton, pos=place_in(kernels, "loops", box=True))
    assert kernels.told == [("ticked", "loops", True)]
    qtbot.mouseClick(kernels.viewport(), Qt.MouseButton.LeftButton, pos=place_in(kernels, "loops", box=False))
    assert kernels.told[1:] == [("chosen", "loops")]


def test_that_a_click_that_slips_off_the_box_ticks_nothing(kernels: Heard, qtbot) -> None:
    qtbot.mousePress(kernels.viewport(), Qt.MouseButton.LeftButton, pos=place_in(kernels, "loops", box=True))
    qtbot.mouseRelease(kernels.viewport(), Qt.MouseButton.LeftButton, pos=place_in(kernels, "tiles", box=True))
    assert kernels.told == []


def test_that_a_click_on_a_heading_does_nothing(kernels: Heard, qtbot) -> None:
    qtbot.mouseClick(kernels.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(250, 10))
    assert kernels.told == []


def test_that_delete_removes_only_a_persons_own_file(kernels: Heard, qtbot) -> None:
    qtbot.keyClick(kernels, Qt.Key.Key_Delete)
    assert kernels.told == []
    kernels.show_rows(ROWS, "mine")
    qtbot.keyClick(kernels, Qt.Key.Key_Delete)
    assert kernels.told == [("remove", "mine")]


def test_that_the_menu_offers_what_was_found_and_removal_for_a_persons_own_file(kernels: Heard) -> None:
    assert [action.text() for action in kernels.menu_for(ROWS[1]).actions()] == ["Compare with the chosen kernel"]
    compare, found, remove = kernels.menu_for(ROWS[4]).actions()
    found.trigger()
    remove.trigger()
    compare.trigger()
    assert kernels.told == [("found", "mine"), ("remove", "mine"), ("ticked", "mine", True)]


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_that_the_chosen_row_has_a_bar_and_a_pale_ground(kernels: Heard, theme) -> None:
    kernels.set_theme(theme)
    row = kernels.visualRect(row_of(kernels, "tiles"))
    image = kernels.viewport().grab().toImage()
    assert image.pixelColor(row.left() + 9, row.center().y()) == QColor(theme.accent)
    assert image.pixelColor(row.left() + 30, row.bottom() - 4) == QColor(theme.selected)
    other = kernels.visualRect(row_of(kernels, "loops"))
    assert image.pixelColor(other.left() + 9, other.center().y()) != QColor(theme.accent)


def test_that_every_id_of_the_catalogue_can_be_read_in_a_panel_of_the_least_width() -> None:
    cut = [kernel.id for kernel in load_catalogue().kernels if not KernelDelegate.has_room(kernel.id, 280)]
    assert cut == []
    assert not KernelDelegate.has_room(ROWS[4].title, 280)


def test_that_enter_and_a_double_click_settle_the_choice(kernels: Heard, qtbot) -> None:
    told = []
    kernels.settled.connect(lambda: told.append(kernels.currentIndex().data()))
    qtbot.keyClick(kernels, Qt.Key.Key_Return)
    qtbot.mouseDClick(kernels.viewport(), Qt.MouseButton.LeftButton, pos=place_in(kernels, "tiles", box=False))
    assert told == ["tiles · Tiles"] * 2
    qtbot.mouseDClick(kernels.viewport(), Qt.MouseButton.LeftButton, pos=place_in(kernels, "tiles", box=True))
    assert len(told) == 2, "two ticks are no choice"


def test_that_a_kernel_out_of_sight_is_shown_amid_its_neighbours(kernels: Heard) -> None:
    many = tuple(KernelRow(f"Kernel {number}", f"k{number}", number) for number in range(1, 25))
    kernels.show_rows(many, "k1")
    kernels.resize(282, 24 * 7)
    kernels.show_rows(many, "k16")
    seen = [row.id for row in many if kernels.viewport().rect().contains(kernels.visualRect(index_of(kernels, row.id)))]
    assert {"k14", "k15", "k16", "k17", "k18"} <= set(seen)
    kernels.show_rows(many, "k17")
    assert kernels.visualRect(index_of(kernels, "k16")).center().y() == pytest.approx(24 * 3.5, abs=24), "it stays"


def test_that_the_box_of_the_chosen_kernel_has_a_tick_and_is_filled_only_where_it_is_to_be_compared_too(
    kernels: Heard,
) -> None:
    def accent_pixels(kernel: str) -> int:
        image, place = kernels.viewport().grab().toImage(), place_in(kernels, kernel, box=True)
        around = [place + QPoint(x, y) for x in range(-6, 7) for y in range(-6, 7)]
        return sum(image.pixelColor(at) == QColor(LIGHT.accent) for at in around)

    filled, empty = accent_pixels("tiles"), accent_pixels("loops")
    kernels.show_rows(ROWS, "loops")
    assert empty == 0 < accent_pixels("loops") < filled


def index_of(kernels: Heard, kernel: str):
    return row_of(kernels, kernel)


def test_that_what_others_tick_comes_into_sight_and_a_click_moves_nothing(kernels: Heard, qtbot) -> None:
    many = tuple(KernelRow(f"Number {n}", f"k{n}", n, "") for n in range(40))
    kernels.resize(282, 250)
    kernels.show_rows(many, "k2")
    kernels.show_rows(tuple(replace(row, is_compared=row.id == "k7") for row in many), "k2")
    seen = {row.id: kernels.viewport().rect().contains(kernels.visualRect(row_of(kernels, row.id))) for row in many}
    assert seen["k2"]
    assert seen["k7"]
    kernels.show_rows(tuple(replace(row, is_compared=row.id in {"k7", "k39"}) for row in many), "k2")
    assert kernels.viewport().rect().contains(kernels.visualRect(row_of(kernels, "k2")))
    at = kernels.verticalScrollBar().value()
    qtbot.mouseClick(kernels.viewport(), Qt.MouseButton.LeftButton, pos=place_in(kernels, "k3", box=True))
    kernels.show_rows(tuple(replace(row, is_compared=row.id in {"k3", "k7", "k39"}) for row in many), "k2")
    assert kernels.verticalScrollBar().value() == at


def test_that_what_is_ticked_comes_into_sight_when_the_list_gets_the_room(kernels: Heard) -> None:
    many = tuple(KernelRow(f"Number {n}", f"k{n}", n, "", is_compared=n == 7) for n in range(40))
    kernels.resize(282, 100)
    kernels.show_rows(many, "k15")
    kernels.scrollTo(row_of(kernels, "k15"), kernels.ScrollHint.PositionAtTop)
    assert not kernels.viewport().rect().contains(kernels.visualRect(row_of(kernels, "k7")))
    kernels.resize(282, 300)
    seen = kernels.viewport().rect()
    assert seen.contains(kernels.visualRect(row_of(kernels, "k7")))
    assert seen.contains(kernels.visualRect(row_of(kernels, "k15")))


def test_that_a_place_to_which_a_person_scrolled_stays_when_the_size_changes(kernels: Heard) -> None:
    many = tuple(KernelRow(f"Number {n}", f"k{n}", n, "", is_compared=n == 7) for n in range(40))
    kernels.resize(282, 200)
    kernels.show_rows(many, "k2")
    kernels.verticalScrollBar().setValue(30)
    at = kernels.verticalScrollBar().value()
    assert at
    kernels.resize(282, 220)
    assert kernels.verticalScrollBar().value() == at

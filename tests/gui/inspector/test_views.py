"""The bank view and the coalescing view as a person sees them."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QColor, QHelpEvent, QImage
from PySide6.QtWidgets import QApplication, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from gemmviz.domain.access import AccessKind, MappedArray, Site, Space
from gemmviz.gui.inspector.bank_view import BankView
from gemmviz.gui.inspector.coalescing_view import CAPTION, LANE_HEIGHT, LINKS_HEIGHT, SECTOR_HEIGHT, CoalescingView
from gemmviz.gui.inspector.request_choice import LaneRequest
from gemmviz.gui.looks.theme import DARK, LIGHT, Theme

LANES = np.arange(32, dtype=np.int64)
THEMES = pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
BASE = 1 << 40


def request(addresses: np.ndarray, space: Space = Space.SHARED, name: str = "As") -> LaneRequest:
    array = MappedArray(name, space, BASE, 64, 64)
    site = Site(0, 37, 9, f"{name}[ty][tx]", space, AccessKind.LOAD, 4, name)
    return LaneRequest(site, 0, 0, np.where(addresses < 0, -1, BASE + addresses), array)


@pytest.fixture
def banks(qtbot: QtBot) -> BankView:
    return shown(qtbot, BankView())


@pytest.fixture
def sectors(qtbot: QtBot) -> CoalescingView:
    return shown(qtbot, CoalescingView())


def shown(qtbot: QtBot, view: QWidget) -> QWidget:
    qtbot.addWidget(view)
    view.resize(288, view.sizeHint().height())
    view.show()
    return view


def picture(view: QWidget, theme: Theme) -> QImage:
    """The view on its panel's colour."""
    image = QImage(view.size(), QImage.Format.Format_RGB32)
    image.fill(QColor(theme.panel))
    view.render(image)
    return image


def tip_at(view: QWidget, x: float, y: float) -> str:
    at = QPoint(round(x), round(y))
    QApplication.sendEvent(view, QHelpEvent(QHelpEvent.Type.ToolTip, at, view.mapToGlobal(at)))
    return QToolTip.text()


@THEMES
def test_that_served_words_are_filled_excess_ones_hatched_and_others_empty(banks: BankView, theme: Theme) -> None:
    banks.set_theme(theme)
    banks.show_request(request(4 * (LANES % 16) + 128 * (LANES // 16)))
    image, found = picture(banks, theme), banks.picture()
    for cell in found.cells:
        inside = {
            image.pixelColor(x, y).name()
            for x in range(int(cell.x) + 1, int(cell.x + cell.width))
            for y in range(int(cell.y) + 1, int(cell.y + cell.height) - 1)
        }
        assert theme.accent in inside
        assert (len(inside) > 1) == cell.is_excess
    empty = int(found.cells[0].x + 20 * found.column + 3), 3
    assert image.pixelColor(*empty).name() == theme.field


def test_that_a_word_for_several_lanes_has_a_dot(banks: BankView) -> None:
    banks.show_request(request(0 * LANES))
    (cell,) = banks.picture().cells
    image = picture(banks, LIGHT)
    middle = image.pixelColor(int(cell.x + cell.width / 2), int(cell.y + cell.height / 2))
    assert middle.lightness() > 200
    assert image.pixelColor(int(cell.x) + 1, int(cell.y) + 2).name() == LIGHT.accent


def test_that_the_bank_view_says_what_it_shows(banks: BankView) -> None:
    assert banks.sentence == "no request to shared memory"
    banks.show_request(request(np.where(LANES % 16 == 0, 8 * LANES, -1)))
    assert banks.sentence == "2 wavefronts, ideal 1: lanes 0 and 16 meet in bank 0"
    assert banks.accessibleName() == f"Banks: {banks.sentence}"
    second = banks.picture().cells[1]
    assert tip_at(banks, second.x + 3, second.y + 3) == "bank 0, wavefront 2: As[0,32], lane 16"
    assert tip_at(banks, 285, 90) == banks.sentence
    banks.show_request(None)
    assert (banks.cost.wavefronts, banks.picture().cells) == ((), ())


@pytest.mark.parametrize("width", [100, 170, 320, 900])
def test_that_the_banks_fit_any_width(banks: BankView, width: int) -> None:
    banks.resize(width, banks.height())
    banks.show_request(request(4 * LANES))
    assert len({cell.width for cell in banks.picture().cells}) == 1
    if width >= banks.minimumSizeHint().width():
        assert max(cell.x + cell.width for cell in banks.picture().cells) <= width
    assert not banks.grab().isNull()


@THEMES
@pytest.mark.parametrize(("name", "role"), [("A", "a"), ("B", "b"), ("C", "c"), ("D", "accent")])
def test_that_used_bytes_have_the_colour_of_their_matrix(
    sectors: CoalescingView, theme: Theme, name: str, role: str
) -> None:
    sectors.set_theme(theme)
    sectors.show_request(request(128 * LANES, Space.GLOBAL, name))
    image, found = picture(sectors, theme), sectors.picture()
    assert found is not None
    top = CAPTION + LANE_HEIGHT + LINKS_HEIGHT
    box = found.boxes[5]
    assert image.pixelColor(int(5 * found.lane + 3), CAPTION + 4).name() == getattr(theme, role)
    used = {image.pixelColor(round(box.x), y).name() for y in range(top + 2, top + SECTOR_HEIGHT - 2)}
    assert len(used) == 1
    wasted = {
        image.pixelColor(x, y).name()
        for x in range(int(box.x + 4), int(box.x + box.width))
        for y in range(top + 2, top + SECTOR_HEIGHT - 2)
    }
    assert {theme.field, theme.faint} == wasted


def test_that_the_coalescing_view_says_what_it_shows(sectors: CoalescingView) -> None:
    assert (sectors.sentence, sectors.picture()) == ("no request to global memory", None)
    sectors.show_request(request(4 * LANES, Space.GLOBAL, "A"))
    assert sectors.sentence == "requests 1 · sectors 4 · 128 of 128 bytes used"
    assert sectors.accessibleName() == f"Sectors: {sectors.sentence}"
    assert tip_at(sectors, 10, 60) == "A[0,0] to A[0,7]: 32 of 32 bytes used, lanes 0, 1, 2 and 5 more"
    assert tip_at(sectors, -3, 60) == sectors.sentence
    sectors.show_request(None)
    assert sectors.cost.sectors == ()
    assert not sectors.grab().isNull()


def test_that_lanes_without_part_are_pale(sectors: CoalescingView) -> None:
    sectors.show_request(request(np.where(LANES < 4, 4 * LANES, -1), Space.GLOBAL, "A"))
    image = picture(sectors, LIGHT)
    assert [image.pixelColor(9 * lane + 4, CAPTION + 4).name() for lane in (0, 3, 4, 31)] == [
        LIGHT.a, LIGHT.a, LIGHT.field, LIGHT.field,
    ]  # fmt: skip

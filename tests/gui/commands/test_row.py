"""How a command is cut and painted."""

from __future__ import annotations

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QRect, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QImage, QPainter
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

from gemmviz.gui.commands.commands import Command
from gemmviz.gui.commands.row import (
    EDGE,
    GAP,
    SECTION_WIDTH,
    CommandRow,
    CommandRowPainter,
    letters_after_cut,
    pieces,
)
from gemmviz.gui.looks.fonts import NORMAL, SMALL, words
from gemmviz.gui.looks.theme import DARK, LIGHT, Theme


class OneRow(QAbstractListModel):
    def __init__(self, row: CommandRow) -> None:
        super().__init__()
        self._row = row

    def rowCount(self, _parent: QModelIndex | QPersistentModelIndex | None = None) -> int:
        return 1

    def data(self, _index: QModelIndex | QPersistentModelIndex, role: int = 0) -> object:
        return self._row if role == int(Qt.ItemDataRole.UserRole) else None


def painted(row: CommandRow, theme: Theme, selected: bool = False) -> QImage:
    model = OneRow(row)
    image = QImage(400, 36, QImage.Format.Format_RGB32)
    image.fill(theme.panel)
    option = QStyleOptionViewItem()
    option.rect = QRect(0, 0, 400, 36)
    option.state = QStyle.StateFlag.State_Selected if selected else QStyle.StateFlag.State_None
    painter = QPainter(image)
    CommandRowPainter(theme, int(Qt.ItemDataRole.UserRole), 36).paint(painter, option, model.index(0, 0))
    painter.end()
    return image


def colours(image: QImage) -> set[str]:
    return {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}


def test_that_a_name_is_cut_where_the_meant_letters_change() -> None:
    assert pieces("Open", (0, 1)) == (("Op", True), ("en", False))
    assert pieces("Open", ()) == (("Open", False),)
    assert pieces("", (3,)) == ()
    assert pieces("Ab", (1, 7)) == (("A", False), ("b", True))


def test_that_meant_letters_have_the_accent_and_those_of_a_disabled_command_have_not() -> None:
    for theme in (LIGHT, DARK):
        assert theme.accent in colours(painted(CommandRow(Command("File", "Open"), (0,)), theme))
        dimmed = colours(painted(CommandRow(Command("File", "Open", enabled=False), (0,)), theme))
        assert theme.accent not in dimmed
        assert theme.text not in dimmed
        assert theme.faint in dimmed


def test_that_rows_of_one_long_name_show_what_tells_them_apart() -> None:
    name = "warp_tiled BM=128 BN=128 BK=8 TM=8 TN=8  ·  4096×4096×4096  ·  as compiled"
    rows = [
        painted(CommandRow(Command("Recording", name, detail=f"version {number} · 16 blocks", kept_detail=kept)), LIGHT)
        for number, kept in ((1, "version 1"), (2, "version 2"), (1, ""), (2, ""))
    ]
    assert rows[0] != rows[1]
    assert rows[2] == rows[3], "without it the name takes all the room"


def test_that_names_that_differ_at_the_end_differ_where_they_are_cut() -> None:
    names = [f"register_2d BM=64 BN=64 BK=16 TM=4 TN=4  ·  1024×1024×1024  ·  as {form}" for form in ("a", "b")]
    one, other = (painted(CommandRow(Command("Recording", name), (0, len(name) - 1)), LIGHT) for name in names)
    assert one != other


def test_that_meant_letters_keep_their_colour_in_a_name_that_is_cut() -> None:
    assert letters_after_cut("abcdef", "abcdef", (0, 5)) == (0, 5)
    assert letters_after_cut("abcdefgh", "abc…gh", (0, 2, 3, 5, 6, 7)) == (0, 2, 4, 5)


def test_that_the_chosen_row_has_a_bar_and_a_ground() -> None:
    image = painted(CommandRow(Command("File", "Open", ("Ctrl+O",))), LIGHT, selected=True)
    assert image.pixelColor(1, 18).name() == LIGHT.accent
    assert image.pixelColor(200, 4).name() == LIGHT.selected


def test_that_a_section_or_a_name_that_is_cut_ends_in_a_sign() -> None:
    for font, section, name in ((SMALL, "What was found in all files", ""), (NORMAL, "", "Open " * 40)):
        image = painted(CommandRow(Command(section, name)), LIGHT)
        left, room = (EDGE, SECTION_WIDTH - GAP) if section else (EDGE + SECTION_WIDTH, 400 - 2 * EDGE - SECTION_WIDTH)
        weight = QFont.Weight.DemiBold if name else QFont.Weight.Normal
        mode = Qt.TextElideMode.ElideRight if section else Qt.TextElideMode.ElideMiddle
        cut = QFontMetrics(words(font, weight)).elidedText(section or name, mode, room)
        assert "…" in cut
        whole = painted(CommandRow(Command(cut if section else "", cut if name else "")), LIGHT)
        assert image == whole
        ground = image.pixelColor(2, 2)
        assert all(image.pixelColor(left + room + at, y) == ground for at in range(1, GAP) for y in range(36))


def test_that_keys_stand_at_the_right_and_a_long_name_does_not_reach_them() -> None:
    short = painted(CommandRow(Command("File", "Open", ("Ctrl+O",))), LIGHT)
    long = painted(CommandRow(Command("File", "Open " * 40, ("Ctrl+O",))), LIGHT)
    keys = QRect(340, 0, 60, 36)
    assert short.copy(keys) == long.copy(keys)
    letters = [colour for colour in colours(short.copy(keys)) if QColor(colour).lightness() < 60]
    assert letters != []

"""What stands beside the name of a row is written whole, below the name where it has no room behind it."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QFontMetricsF

from gemmviz.explain.figures.figure import Row
from gemmviz.gui.charts.plot.beside_name import behind_name, below_name, has_room_below_only
from gemmviz.gui.charts.plot.fonts import plot_fonts
from gemmviz.gui.charts.plot.layout import Area

pytestmark = pytest.mark.usefixtures("qapp")


def test_that_it_goes_below_the_name_only_where_that_helps() -> None:
    fonts = plot_fonts()
    row = Row("mysgemm · version 1 · 09:56:37", value="", beside="as compiled", detail="BM=32 BK=8")
    behind = behind_name(row, Area(0.0, 0.0, 0.0, 40.0), fonts) + QFontMetricsF(fonts.detail).horizontalAdvance(
        row.beside
    )
    below = QFontMetricsF(fonts.detail).horizontalAdvance(below_name(row))
    assert below + 2 < behind
    rooms = {width: Area(0.0, 0.0, width, 40.0) for width in (behind + 1, behind - 1, below + 1, below - 1)}
    assert [has_room_below_only(row, room, fonts) for room in rooms.values()] == [False, True, True, False]
    bare = Row(row.name, value="", beside=row.beside, detail="")
    assert not has_room_below_only(bare, rooms[behind - 1], fonts), "there is no line below"

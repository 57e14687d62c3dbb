"""The list of accesses: whole where there is room, never cut within the word for what an access does."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from gemmviz.domain.recordings.access import AccessKind, Site, Space
from gemmviz.explain.requests.request_words import access_words
from gemmviz.gui.stages.site_combo import LEAST_WIDTH, MOST_WIDTH, SiteCombo

LOAD = Site(0, 54, 1, "As[ty * TM + i][k]", Space.SHARED, AccessKind.LOAD, 4, "As")
STORE = replace(LOAD, index=1, line=7, kind=AccessKind.STORE, text="C[0]")


@pytest.fixture
def combo(qtbot: QtBot) -> SiteCombo:
    made = SiteCombo("stageSite", "Which access of the source")
    qtbot.addWidget(made)
    made.show_sites(((LOAD, "54 of its requests"), (STORE, "none")))
    made.show()
    return made


def test_that_it_asks_for_the_room_of_its_longest_access(combo: SiteCombo) -> None:
    combo.resize(combo.sizeHint())
    assert LEAST_WIDTH < combo.width() <= MOST_WIDTH
    assert combo.shown_text() == access_words(LOAD) == "54  load As[ty * TM + i][k]"


def test_that_no_access_is_cut_in_the_room_that_it_asks_for(combo: SiteCombo) -> None:
    for line in range(1, 60):
        site = replace(STORE, line=line, text="As[ty][tx]"[: 4 + line % 7] + "[f]" * (line % 5))
        combo.show_sites(((site, ""),))
        combo.resize(combo.sizeHint())
        assert combo.shown_text() == access_words(site)


@pytest.mark.parametrize("width", range(LEAST_WIDTH, 200, 8))
def test_that_line_and_noun_are_whole_in_any_width(combo: SiteCombo, width: int) -> None:
    combo.resize(width, combo.height())
    assert combo.shown_text().startswith("54  load")
    assert combo.shown_text() not in ("54  load…", "54  load …", "54  load A…")


def test_that_the_tooltip_tells_the_access_that_is_shown(combo: SiteCombo) -> None:
    assert combo.toolTip() == "54 of its requests\nWhich access of the source"
    combo.setCurrentIndex(1)
    assert combo.toolTip() == "none\nWhich access of the source"
    combo.setCurrentIndex(-1)
    assert combo.toolTip() == "Which access of the source"

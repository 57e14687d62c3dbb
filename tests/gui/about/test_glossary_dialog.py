"""The dialog that explains terms."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QTextBrowser

from gemmviz.catalogue.glossary import GlossaryTerm, load_glossary
from gemmviz.gui.about.glossary_dialog import GlossaryDialog, found_terms


def shown(dialog: GlossaryDialog) -> str:
    return dialog.findChild(QTextBrowser, "glossaryPage").toPlainText()


def test_that_a_term_that_is_looked_up_stands_first() -> None:
    terms = load_glossary()
    assert found_terms(terms, "occupancy")[0].name == "occupancy"
    assert found_terms(terms, "wavefront")[0].name == "wavefront"
    assert found_terms(terms, "end to end")[0].name == "end-to-end time"
    assert found_terms(terms, " ") == terms
    assert found_terms(terms, "no such word") == ()


def test_that_the_page_shows_all_terms_by_chapter_and_what_is_typed_narrows_it(qtbot: Any) -> None:
    dialog = GlossaryDialog(load_glossary())
    qtbot.addWidget(dialog)
    assert "Roofs and occupancy" in shown(dialog)
    assert "accumulator" in shown(dialog)
    qtbot.keyClicks(dialog.findChild(QLineEdit, "glossaryField"), "accumulator")
    assert shown(dialog).startswith("accumulator")
    assert "Roofs and occupancy" not in shown(dialog)
    qtbot.keyClicks(dialog.findChild(QLineEdit, "glossaryField"), "qqq")
    assert shown(dialog) == "No term matches “accumulatorqqq”. Try another word."


def test_that_a_meaning_is_shown_as_text_whatever_is_in_it(qtbot: Any) -> None:
    dialog = GlossaryDialog([GlossaryTerm("a < b", "<b>not bold</b> `x<y`", "Signs")])
    qtbot.addWidget(dialog)
    assert "a < b" in shown(dialog)
    assert "<b>not bold</b> x<y" in shown(dialog)


def test_that_the_arrow_keys_scroll_the_page_and_escape_closes_it(qtbot: Any) -> None:
    dialog = GlossaryDialog(load_glossary())
    qtbot.addWidget(dialog)
    dialog.show()
    field, page = dialog.findChild(QLineEdit, "glossaryField"), dialog.findChild(QTextBrowser, "glossaryPage")
    qtbot.keyClick(field, Qt.Key.Key_PageDown)
    assert page.verticalScrollBar().value() > 0
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert not dialog.isVisible()

"""Every term that the window uses, with its meaning and a field to find one."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import groupby

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QDialog, QDialogButtonBox, QLineEdit, QTextBrowser, QVBoxLayout, QWidget

from gemmviz.catalogue.glossary import GlossaryTerm, marked_parts, search_form
from gemmviz.gui.looks.dialog_buttons import dialog_buttons
from gemmviz.gui.widgets.dialog_size import fit_screen
from gemmviz.gui.widgets.named import named

_SCROLL = Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown
_TAGS = {"`": "code", "*": "i"}
FIND = "Find a term"


def found_terms(terms: Sequence[GlossaryTerm], query: str) -> tuple[GlossaryTerm, ...]:
    """The terms that have all words of `query`: those called so first, one that begins so before them."""
    wanted = search_form(query.strip())
    if not wanted:
        return tuple(terms)
    found = [term for term in terms if term.has(wanted)]
    found.sort(key=lambda term: (not search_form(term.name).startswith(wanted), not term.is_named(wanted)))
    return tuple(found)


class GlossaryDialog(QDialog):
    """A page to read and to search; Esc closes it. `term` is the name of what is shown first, "" for all."""

    def __init__(self, terms: Sequence[GlossaryTerm], term: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("glossaryDialog")
        self.setWindowTitle("Glossary")
        self._terms = tuple(terms)
        tip = "A word of a term or of its meaning (↑ and ↓ scroll the page below)"
        self._field = named(QLineEdit(placeholderText=FIND, clearButtonEnabled=True), "glossaryField", tip, FIND)
        self._page = named(QTextBrowser(openLinks=False), "glossaryPage", says="Terms and their meanings")
        self._page.setTabChangesFocus(True)
        buttons = dialog_buttons(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 24, 24, 16)
        column.setSpacing(12)
        for widget in (self._field, self._page, buttons):
            column.addWidget(widget)
        self._field.installEventFilter(self)
        self._field.textChanged.connect(self._on_text_changed)
        fit_screen(self, QSize(720, 640))
        self._field.setText(term)
        self._on_text_changed(term)
        self._field.selectAll()
        self._field.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        is_pressed = watched is self._field and event.type() is QEvent.Type.KeyPress
        if is_pressed and isinstance(event, QKeyEvent) and event.key() in _SCROLL:
            QApplication.sendEvent(self._page, event)
            return True
        return super().eventFilter(watched, event)

    @Slot(str)
    def _on_text_changed(self, query: str) -> None:
        found = found_terms(self._terms, query)
        if not found:
            self._page.setPlainText(f"No term matches “{query.strip()}”. Try another word.")
            return
        self._page.setHtml(_page(found, has_chapters=not query.strip()))


def _page(terms: Sequence[GlossaryTerm], *, has_chapters: bool) -> str:
    if not has_chapters:
        return "".join(map(_entry, terms))
    chapters = groupby(terms, key=lambda term: term.chapter)
    return "".join(f"<h3>{escape(chapter)}</h3>{''.join(map(_entry, group))}" for chapter, group in chapters)


def _entry(term: GlossaryTerm) -> str:
    meaning = "".join(
        f"<{tag}>{escape(text)}</{tag}>" if (tag := _TAGS.get(mark)) else escape(text)
        for text, mark in marked_parts(term.meaning)
    )
    return f"<p><b>{escape(term.name)}</b><br/>{meaning}</p>"

"""The text of the editor by its keys: indentation, brackets, find, undo, zoom, marks, and a very long file."""

from __future__ import annotations

import time
from dataclasses import replace
from html import unescape

import pytest
from pace import slowness
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFont, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from gemmviz.domain.terms import Language
from gemmviz.explain.source.line_changes import LineChange
from gemmviz.explain.source.line_figures import LineFigureKind
from gemmviz.explain.source.source_fault import SourceFault
from gemmviz.explain.source.tokens import TokenKind
from gemmviz.explain.source.worth import Worth
from gemmviz.gui.editor.fault_button import MOST_LINES
from gemmviz.gui.editor.panel import EditorPanel
from gemmviz.gui.looks.theme import DARK, LIGHT
from gemmviz.gui.source.highlight import word_colour

Key, Mod = Qt.Key, Qt.KeyboardModifier
TEXT = "__global__ void k()\n{\n    /* two\n    lines */ int a = 1; // one\n    a = f(a);\n}\n"


@pytest.fixture
def panel(qtbot: QtBot) -> EditorPanel:
    made = EditorPanel()
    qtbot.addWidget(made)
    made.resize(700, 800)
    assert made.show_file("k.cu", TEXT, Language.CUDA)
    made.show()
    made.edit.setFocus()
    return made


def type_at(qtbot: QtBot, panel: EditorPanel, line: int, column: int, words: str) -> None:
    panel.edit.go_to(line, column)
    qtbot.keyClicks(panel.edit, words)


def lines(panel: EditorPanel) -> list[str]:
    return panel.edit.text().split("\n")


def colours_of(panel: EditorPanel, line: int) -> dict[str, str]:
    """The words of a line that have a colour of their own."""
    block = panel.edit.document().findBlockByNumber(line - 1)
    return {
        block.text()[one.start : one.start + one.length].strip(): one.format.foreground().color().name()
        for one in block.layout().formats()
    }


def test_that_words_have_the_colours_of_the_source_view(qtbot: QtBot, panel: EditorPanel) -> None:
    for theme in (LIGHT, DARK):
        panel.set_theme(theme)
        panel.edit.grab()
        qtbot.waitUntil(lambda: bool(colours_of(panel, 4)))
        comment = word_colour(TokenKind.COMMENT, theme)
        assert colours_of(panel, 1)["__global__"] == word_colour(TokenKind.KEYWORD, theme)
        assert colours_of(panel, 4) == {
            "lines */": comment,
            "int": word_colour(TokenKind.TYPE, theme),
            "1": word_colour(TokenKind.NUMBER, theme),
            "// one": comment,
        }


def test_that_a_comment_that_is_opened_colours_what_follows(qtbot: QtBot, panel: EditorPanel) -> None:
    type_at(qtbot, panel, 2, 2, "/*")
    panel.edit.grab()
    qtbot.waitUntil(lambda: colours_of(panel, 3) == {"/* two": word_colour(TokenKind.COMMENT, LIGHT)})


def test_that_every_character_comes_back(panel: EditorPanel) -> None:
    odd = "a\u00a0b \u2028 c\t\f \u00e9 \U0001f600\nlast"
    assert panel.show_file("k.cu", odd, Language.CUDA)
    assert panel.edit.text() == odd
    assert not panel.show_file("k.cu", "a\u2029b", Language.CUDA), "which Qt would make the end of a line"


def test_that_enter_indents_and_a_closing_brace_steps_back(qtbot: QtBot, panel: EditorPanel) -> None:
    panel.edit.go_to(5, 99)
    qtbot.keyClick(panel.edit, Key.Key_Return)
    qtbot.keyClicks(panel.edit, "if (a) {")
    qtbot.keyClick(panel.edit, Key.Key_Return)
    qtbot.keyClicks(panel.edit, "a = 2;")
    qtbot.keyClick(panel.edit, Key.Key_Return)
    qtbot.keyClicks(panel.edit, "}")
    assert lines(panel)[5:8] == ["    if (a) {", "        a = 2;", "    }"]


def test_that_what_is_typed_into_an_empty_line_begins_below_the_line_above(qtbot: QtBot, panel: EditorPanel) -> None:
    panel.edit.go_to(5, 99)
    panel.edit.insertPlainText("\n\n")
    panel.edit.go_to(6)
    qtbot.keyClick(panel.edit, Key.Key_C, Mod.ControlModifier)
    assert lines(panel)[5] == "", "a shortcut types nothing"
    qtbot.keyClicks(panel.edit, "__syncthreads();")
    panel.edit.go_to(7)
    qtbot.keyClick(panel.edit, Key.Key_Return)
    qtbot.keyClicks(panel.edit, "b = 1;")
    assert lines(panel)[5:8] == ["    __syncthreads();", "", "    b = 1;"]
    qtbot.keyClick(panel.edit, Key.Key_Return)
    panel.edit.undo()
    panel.edit.go_to(7)
    qtbot.keyClicks(panel.edit, "#if")
    assert lines(panel)[6] == "#if"


def test_that_tab_moves_the_lines_of_a_selection_and_undo_brings_them_back(qtbot: QtBot, panel: EditorPanel) -> None:
    panel.edit.go_to(4)
    qtbot.keyClick(panel.edit, Key.Key_Down, Mod.ShiftModifier)
    qtbot.keyClick(panel.edit, Key.Key_Down, Mod.ShiftModifier)
    qtbot.keyClick(panel.edit, Key.Key_Tab)
    assert lines(panel)[3:6] == ["        lines */ int a = 1; // one", "        a = f(a);", "}"]
    qtbot.keyClick(panel.edit, Key.Key_Backtab, Mod.ShiftModifier)
    qtbot.keyClick(panel.edit, Key.Key_Backtab, Mod.ShiftModifier)
    assert lines(panel)[3:5] == ["lines */ int a = 1; // one", "a = f(a);"]
    for _ in range(3):
        panel.edit.undo()
    assert panel.edit.text() == TEXT


def test_that_brackets_at_the_cursor_are_marked(qtbot: QtBot, panel: EditorPanel) -> None:
    def marked() -> list[str]:
        found = panel.edit.extraSelections()[1:]
        return [one.cursor.selectedText() for one in found]

    panel.edit.go_to(5, 10)
    assert sorted(marked()) == ["(", ")"]
    panel.edit.go_to(5, 7)
    assert marked() == []
    panel.edit.go_to(2, 1)
    assert sorted(marked()) == ["{", "}"]
    qtbot.keyClicks(panel.edit, "(")
    assert "(" in marked(), "alone, and in the colour of what is wrong"


def test_that_lines_that_differ_from_the_file_are_marked(qtbot: QtBot, panel: EditorPanel) -> None:
    type_at(qtbot, panel, 5, 99, " // x")
    qtbot.waitUntil(lambda: panel.edit.changed == {5})
    assert panel.is_edited
    panel.edit.undo()
    qtbot.waitUntil(lambda: not panel.edit.changed)
    panel.edit.set_saved_text("other")
    assert panel.edit.changed == frozenset(range(1, 8))


def test_that_what_does_not_compile_is_underlined_and_moves_with_its_line(qtbot: QtBot, panel: EditorPanel) -> None:
    panel.show_faults([SourceFault(5, 9, "identifier f is undefined"), SourceFault(99, 0, "end")])
    wave = QTextCharFormat.UnderlineStyle.WaveUnderline

    def underlined() -> list[str]:
        marks = panel.edit.extraSelections()
        return [one.cursor.selectedText() for one in marks if one.format.underlineStyle() is wave]

    assert underlined() == ["f", "}"], "what is behind the end is at the last line with text"
    assert panel.fault.accessibleName() == "Line 5: identifier f is undefined (and 1 more)"
    assert panel.edit.fault_at(5) == "identifier f is undefined"
    panel.edit.go_to(1)
    qtbot.keyClick(panel.edit, Key.Key_Return)
    assert panel.edit.fault_at(6) == "identifier f is undefined"
    assert underlined()[0] == "f"
    qtbot.mouseClick(panel.findChild(QPushButton, "editorFault"), Qt.MouseButton.LeftButton)
    cursor = panel.edit.textCursor()
    assert (cursor.blockNumber() + 1, cursor.positionInBlock()) == (6, 8)
    visited = []
    for modifier in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier):
        qtbot.keyClick(panel.edit, Key.Key_F8, modifier)
        visited.append(panel.edit.textCursor().block().text().strip()[:1])
    assert visited == ["}", "a", "}"], "the first comes after the last"
    panel.show_faults(())
    assert underlined() == []
    assert panel.fault.isHidden()


def test_that_marks_are_of_the_text_that_was_examined(qtbot: QtBot, panel: EditorPanel) -> None:
    """An edited line has none, those of other lines say that they are of an earlier text; undo brings them back."""
    panel.show_faults([SourceFault(5, 0, "race"), SourceFault(2, 0, "out of bounds")], TEXT)
    change = LineChange(LineFigureKind.EXCESS, 2, 2, "", "480", "0", "−480", Worth.BETTER)
    panel.show_line_figures(TEXT, {2: change})
    assert panel.edit.has_current_faults
    assert panel.edit.fault_at(2) == "out of bounds"
    type_at(qtbot, panel, 5, 99, " // x")
    qtbot.waitUntil(lambda: [fault.line for fault in panel.edit.faults] == [2])
    assert not panel.edit.has_current_faults
    assert panel.fault.accessibleName() == "Before your edits: Line 2: out of bounds"
    assert panel.edit.fault_at(2) == "Before your edits: out of bounds"
    assert panel.edit.margin.tip_of(2).startswith("Before your edits: ")
    panel.edit.undo()
    qtbot.waitUntil(lambda: panel.edit.has_current_faults)
    assert [fault.line for fault in panel.edit.faults] == [5, 2]
    assert panel.fault.accessibleName() == "Line 5: race (and 1 more)"
    assert panel.edit.margin.tip_of(2) == change.tip
    type_at(qtbot, panel, 5, 99, " // x")
    panel.edit.set_saved_text(panel.edit.text())  # saved, and not examined yet
    assert panel.edit.margin.tip_of(2).startswith("Before your edits: ")


def test_that_faults_of_an_older_version_are_not_those_of_the_saved_text(qtbot: QtBot, panel: EditorPanel) -> None:
    type_at(qtbot, panel, 3, 99, " // x")
    panel.edit.set_saved_text(panel.edit.text())
    panel.show_faults([SourceFault(2, 0, "race")], TEXT, examined=TEXT)
    assert panel.edit.fault_at(2) == "Before your edits: race"
    panel.show_faults([SourceFault(2, 0, "race")], panel.edit.text(), examined=panel.edit.text())
    assert panel.edit.fault_at(2) == "race"


def test_that_a_long_fault_leaves_the_panel_as_narrow_as_it_is(qtbot: QtBot, panel: EditorPanel) -> None:
    narrow = panel.minimumSizeHint().width()
    words = "out of bounds: " + "thread 0 reads A && B " * 60
    panel.show_faults([SourceFault(2, 0, words, is_running=True)])
    assert panel.minimumSizeHint().width() == narrow
    button = panel.fault
    assert button.text().count("\n") == MOST_LINES - 1
    assert button.text().endswith("…")
    assert button.accessibleName() == f"Line 2: {words}"
    assert words in unescape(button.toolTip())
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert panel.edit.textCursor().blockNumber() == 1


def test_that_words_are_found_and_replaced_by_keys(qtbot: QtBot, panel: EditorPanel) -> None:
    panel.edit.go_to(1)
    qtbot.keyClick(panel.edit, Key.Key_H, Mod.ControlModifier)
    what, other = panel.findChild(QLineEdit, "findText"), panel.findChild(QLineEdit, "replaceText")
    assert what.isVisible()
    assert other.isVisible()
    qtbot.keyClicks(what, "INT")
    assert panel.edit.textCursor().selectedText() == "int"
    assert panel.findChild(QLabel, "findCount").text() == "1 place"
    qtbot.keyClicks(other, "long")
    qtbot.keyClick(other, Key.Key_Return)
    assert lines(panel)[3] == "    lines */ long a = 1; // one"
    what.clear()
    qtbot.keyClicks(what, "a")
    qtbot.mouseClick(panel.findChild(QPushButton, "replaceAll"), Qt.MouseButton.LeftButton)
    assert lines(panel)[4] == "    long = f(long);"
    panel.edit.undo()
    assert lines(panel)[4] == "    a = f(a);", "all of them in one step"
    qtbot.keyClick(what, Key.Key_Escape)
    assert not what.isVisible()
    assert panel.edit.hasFocus()
    before = panel.edit.textCursor().position()
    qtbot.keyClick(panel.edit, Key.Key_F3)
    assert panel.edit.textCursor().position() != before


def test_that_a_line_is_gone_to_by_its_number(qtbot: QtBot, panel: EditorPanel) -> None:
    qtbot.keyClick(panel.edit, Key.Key_G, Mod.ControlModifier)
    qtbot.keyClicks(panel.line_bar._line, "4")
    qtbot.keyClick(panel.line_bar._line, Key.Key_Return)
    assert panel.edit.textCursor().blockNumber() == 3
    assert not panel.line_bar.isVisible()


def test_that_the_type_grows_for_a_presentation_and_comes_back(qtbot: QtBot, panel: EditorPanel) -> None:
    def height() -> float:
        return panel.edit.blockBoundingRect(panel.edit.document().firstBlock()).height()

    usual = height()
    for _ in range(8):
        qtbot.keyClick(panel.edit, Key.Key_Plus, Mod.ControlModifier)
    assert height() > 1.7 * usual
    assert panel.edit.margin.width() > 0
    qtbot.keyClick(panel.edit, Key.Key_0, Mod.ControlModifier)
    assert height() == usual
    assert panel.edit.font().styleHint() is QFont.StyleHint.Monospace


def test_that_a_text_is_taken_back_in_one_step_that_can_be_undone(panel: EditorPanel) -> None:
    panel.edit.replace_text(TEXT.replace("a = f(a)", "a = \U0001f600 + g(a)"))
    assert lines(panel)[4] == "    a = \U0001f600 + g(a);"
    panel.edit.replace_text(TEXT)
    assert panel.edit.text() == TEXT
    panel.edit.undo()
    assert lines(panel)[4] == "    a = \U0001f600 + g(a);"
    panel.edit.undo()
    assert panel.edit.text() == TEXT


def test_that_what_is_found_out_after_a_save_moves_no_line(panel: EditorPanel) -> None:
    def places() -> list[QPoint]:
        QApplication.sendPostedEvents()
        QApplication.processEvents()
        edit = panel.edit
        return [edit.viewport().mapTo(panel, row.topLeft()) for _, row in edit.lines_in_sight()]

    before = places()
    assert len(before) > 5
    panel.show_faults([SourceFault(5, 0, "race: thread 1 reads As[0,0] while thread 0 writes it")])
    figure = LineFigureKind.EXCESS
    change = LineChange(figure, 5, 5, "a = f(a);", "480", "0", "−480", Worth.BETTER)
    panel.show_line_figures(TEXT, {5: change})
    assert panel.fault.isVisible()
    assert panel.edit.margin.changes == {5: change}
    assert places() == before
    panel.show_faults(())
    panel.show_line_figures(TEXT, {})
    assert panel.fault.isHidden()
    assert places() == before
    panel.strip.show_message("Another program changed k.cu.")
    assert panel.strip.isVisible()
    assert places() == before[: len(places())], "fewer lines are in sight, and none has moved"


@pytest.mark.parametrize("line", [1, 120, 190, 200])
def test_that_a_message_below_the_text_scrolls_no_line_that_was_asked_for(panel: EditorPanel, line: int) -> None:
    assert panel.show_file("k.cu", "\n".join(f"int a{line} = {line};" for line in range(200)), Language.CUDA)
    panel.edit.go_to(line)
    panel.grab()

    def place() -> tuple[int, int]:
        QApplication.processEvents()
        return panel.edit.lines_in_sight()[0][0], panel.edit.cursorRect().top()

    before = place()
    height = panel.edit.height()
    panel.show_faults([SourceFault(min(line, 199), 0, "race: thread 1 reads As[0,0]")])
    assert place() == before
    assert panel.edit.height() < height
    panel.show_faults(())
    assert place() == before
    assert panel.edit.height() == height


def test_that_a_recording_of_another_kernel_moves_no_line(panel: EditorPanel) -> None:
    def top() -> int:
        QApplication.sendPostedEvents()
        panel.layout().activate()
        return panel.edit.viewport().mapTo(panel, panel.edit.cursorRect().topLeft()).y()

    before = top()
    panel.show_elsewhere("The picture shows naive, not k.cu. Record k to see it.")
    assert panel.findChild(QLabel, "editorElsewhere").isVisible()
    assert top() == before
    panel.show_elsewhere("")
    assert top() == before


def test_that_the_margin_says_what_is_known_of_a_line(qtbot: QtBot, panel: EditorPanel) -> None:
    panel.show_faults([SourceFault(2, 0, "why")])
    qtbot.waitUntil(lambda: len(panel.edit.lines_in_sight()) > 5)
    _, row = panel.edit.lines_in_sight()[2]
    qtbot.mouseClick(panel.edit.margin, Qt.MouseButton.LeftButton, pos=QPoint(3, row.center().y()))
    assert panel.edit.textCursor().blockNumber() + 1 == panel.edit.lines_in_sight()[2][0]


def test_that_a_hundred_thousand_lines_are_typed_into_without_delay(qtbot: QtBot, panel: EditorPanel) -> None:
    text = "\n".join(["int a;"] * 100_000)
    begin = time.perf_counter()
    assert panel.show_file("long.cu", text, Language.CUDA)
    panel.edit.grab()
    qtbot.waitUntil(lambda: bool(colours_of(panel, 1)))
    opened_s = time.perf_counter() - begin
    panel.edit.moveCursor(QTextCursor.MoveOperation.End)
    panel.edit.grab()
    assert colours_of(panel, 100_000), "what comes into sight is coloured"
    begin = time.perf_counter()
    qtbot.keyClicks(panel.edit, "// 10 keys")
    typed_s = time.perf_counter() - begin
    qtbot.waitUntil(lambda: panel.edit.changed == {100_000})
    assert opened_s < 4.0 * slowness()
    assert typed_s < 1.0 * slowness()


def test_that_a_fault_is_told_whole_and_names_its_line_once(panel: EditorPanel) -> None:
    words = "race: thread 1 reads As[0,0] (line 5) while thread 0 writes it (line 2); a barrier between is missing"
    other = "race: thread 2 reads Bs[0,0] (line 4) while thread 3 writes it (line 3); a barrier between is missing"
    faults = [SourceFault(5, 0, words), SourceFault(2, 0, words), SourceFault(4, 0, other), SourceFault(3, 0, other)]
    panel.show_faults([replace(fault, is_running=True) for fault in faults])
    QApplication.processEvents()
    shown = " ".join(panel.fault.text().split("\n"))
    assert shown == f"{words[:1].upper()}{words[1:]} (and 1 more)", "two races, although they are in four lines"
    assert "thread 2 reads Bs[0,0] (line 4)" in panel.fault.toolTip()
    assert panel.fault.text().count("\n") >= 1, "it is wrapped"
    assert panel.fault.height() >= panel.fault.sizeHint().height()
    widest = max(panel.fault.fontMetrics().horizontalAdvance(line) for line in panel.fault.text().split("\n"))
    assert widest < panel.fault.width()


def test_that_a_line_that_was_asked_for_stays_in_sight_where_the_panel_gets_another_size(
    qtbot: QtBot, panel: EditorPanel
) -> None:
    assert panel.show_file("k.cu", "\n".join(f"int a{line} = {line};" for line in range(200)), Language.CUDA)
    panel.resize(700, 260)
    panel.edit.go_to(120)
    panel.resize(420, 700)
    qtbot.waitUntil(lambda: 120 in [number for number, _ in panel.edit.lines_in_sight()])
    seen = [number for number, _ in panel.edit.lines_in_sight()]
    assert len(seen) // 4 < seen.index(120) < 3 * len(seen) // 4

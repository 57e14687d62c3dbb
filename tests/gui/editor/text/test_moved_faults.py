"""Lines at fault are told with the numbers that they have in the text that is seen."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from gemmviz.domain.terms import Language
from gemmviz.explain.source.source_fault import SourceFault
from gemmviz.gui.editor.panel import EditorPanel


@pytest.fixture
def panel(qtbot: QtBot) -> EditorPanel:
    made = EditorPanel()
    qtbot.addWidget(made)
    made.resize(700, 700)
    made.show()
    return made


def test_that_all_lines_that_a_fault_names_follow_what_is_typed(qtbot: QtBot, panel: EditorPanel) -> None:
    text = "\n".join(f"int a{line} = {line};" for line in range(1, 9))
    assert panel.show_file("k.cu", text, Language.CUDA)
    words = "race: thread 1 reads As[0,0] (line 5) while thread 0 writes it (lines 2, 3 and 7)"
    other = "race: thread 2 reads Bs[0,0] (line 4)"
    panel.show_faults([SourceFault(5, 0, words, is_running=True), SourceFault(4, 0, other, is_running=True)])
    with qtbot.waitSignal(panel.edit.compared):
        panel.edit.replace_text(f"// typed\n{text}")
    assert words.replace("5", "6").replace("2, 3 and 7", "3, 4 and 8")[1:] in panel.fault.accessibleName()
    assert "(line 5)" in panel.fault.toolTip()
    assert [fault.line for fault in panel.edit.faults] == [6, 5]
    with qtbot.waitSignal(panel.edit.compared):
        panel.edit.replace_text(text.replace("a7", "b7"))
    assert "(lines 2, 3 and 7 before the edits)" in panel.fault.accessibleName()

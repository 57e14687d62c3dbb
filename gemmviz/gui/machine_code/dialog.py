"""PTX and SASS of a kernel: to read, to search, to copy."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtGui import QKeySequence, QShortcut, QTextCursor
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLineEdit, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from gemmviz.domain.figures import counted
from gemmviz.domain.machine_code import MachineCode
from gemmviz.domain.visible_text import visible_layout
from gemmviz.gui.charts.segments import Segment, Segments
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.named import named
from gemmviz.gui.plain_label import PlainLabel
from gemmviz.gui.plain_text import copy_text, title_text
from gemmviz.gui.source.code_delegate import code_font

NO_SASS = (
    "No disassembler was found: cuobjdump or nvdisasm of the CUDA toolkit turn machine code into SASS. "
    "`pip install nvidia-cuda-cuobjdump` brings one."
)
_SEGMENTS = (
    Segment("machineCodePtx", "PTX", "NVIDIA's portable assembly, which the compiler writes first"),
    Segment("machineCodeSass", "SASS", "The instructions that the GPU runs, disassembled"),
)


class MachineCodeDialog(QDialog):
    """Shows the code of one kernel; it does not hold up the window."""

    def __init__(self, code: MachineCode, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._code = code
        self.setObjectName("machineCodeDialog")
        self.setWindowTitle(title_text(f"Machine code of {code.kernel}"))
        what = named(PlainLabel(code.build, wordWrap=True), role="muted")
        self._segments = Segments(_SEGMENTS, theme)
        self._segments.chosen.connect(self._on_chosen)
        self._search = named(QLineEdit(), "machineCodeSearch", "Find text (Enter: next match)", "Find in the code")
        self._search.setPlaceholderText("Find: FFMA")
        self._search.setClearButtonEnabled(True)
        self._search.setMaximumWidth(260)
        self._found = named(PlainLabel(), "machineCodeFound", role="muted")
        self._text = named(
            QPlainTextEdit(readOnly=True), "machineCodeText", says="Machine code, to read only", role="code"
        )
        self._text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self._text.setFont(code_font())
        self._copy = named(QPushButton("Copy"), "machineCodeCopy", "Copy the whole text", role="primary")
        close = named(QPushButton("Close"), "machineCodeClose", "Close")
        for button in (self._copy, close):
            button.setAutoDefault(False)
        self._copy.clicked.connect(self._on_copy)
        close.clicked.connect(self.close)
        self._search.returnPressed.connect(self._on_next)
        self._search.textChanged.connect(self._on_search)
        QShortcut(QKeySequence.StandardKey.Find, self, self._search.setFocus)
        top, bottom, column = QHBoxLayout(), QHBoxLayout(), QVBoxLayout(self)
        for widget in (self._segments, self._search, self._found):
            top.addWidget(widget)
        top.addStretch(1)
        bottom.addStretch(1)
        for button in (close, self._copy):
            bottom.addWidget(button)
        column.setContentsMargins(24, 24, 24, 16)
        column.setSpacing(16)
        column.addWidget(what)
        column.addLayout(top)
        column.addWidget(self._text, 1)
        column.addLayout(bottom)
        self.resize(860, 680)
        self._text.setFocus()
        self._on_chosen(self._segments.current)

    @property
    def text(self) -> str:
        """What is shown."""
        return self._text.toPlainText()

    @Slot(int)
    def _on_chosen(self, place: int) -> None:
        code = (self._code.ptx, self._code.sass)[place]
        self._text.setPlainText(visible_layout(code or NO_SASS))
        self._copy.setEnabled(bool(code))
        self._on_search(self._search.text())

    @Slot(str)
    def _on_search(self, wanted: str) -> None:
        """From the top: the first place, and how many there are."""
        self._text.moveCursor(QTextCursor.MoveOperation.Start)
        count = self.text.casefold().count(wanted.casefold()) if wanted else 0
        self._found.setText("" if not wanted else counted(count, "match", "matches") if count else "no match")
        if count:
            self._text.find(wanted)

    @Slot()
    def _on_next(self) -> None:
        if self._search.text() and not self._text.find(self._search.text()):
            self._on_search(self._search.text())

    @Slot()
    def _on_copy(self) -> None:
        copy_text(self.text)

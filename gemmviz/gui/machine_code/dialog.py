"""PTX and SASS of a kernel for a GPU that need not be there: to read beside the source, to search, to copy."""

from __future__ import annotations

from PySide6.QtCore import QSize, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut, QTextCursor
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from gemmviz.catalogue.gpus import find_gpu, gpu_words
from gemmviz.domain.kernels.machine_code import MachineCode
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.machine_code.linked_code import LinkedCode
from gemmviz.gui.widgets.allowed import allow
from gemmviz.gui.widgets.dialog_size import fit_screen
from gemmviz.gui.widgets.fields import ComboBox
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.widgets.plain_text import copy_text, title_text
from gemmviz.gui.widgets.segments import Segment, Segments

NO_SASS = (
    "No disassembler was found. nvdisasm or cuobjdump of the CUDA toolkit turns machine code into SASS; "
    "`pip install nvidia-cuda-nvdisasm` installs one."
)
_SEGMENTS = (
    Segment("machineCodePtx", "PTX", "NVIDIA's portable assembly, which the compiler writes first"),
    Segment("machineCodeSass", "SASS", "The instructions that the GPU runs, disassembled"),
)
_WIDTH, _HEIGHT = 1180, 760


class MachineCodeDialog(QDialog):
    """Shows the code of one kernel; it does not hold up the window.

    Signals:
        gpu_chosen(str): the GPU to compile for by its id, "" for the one that the first code was for.
        set_up_asked(): the code of what is set up is wanted in the place of a run's.
    """

    gpu_chosen = Signal(str)
    set_up_asked = Signal()

    def __init__(self, code: MachineCode, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._code = code
        self._chosen = ""
        self._wanted: str | None = None
        self._source: str | None = None
        self.setObjectName("machineCodeDialog")
        self.setWindowTitle(title_text(f"Machine code of {code.kernel}"))
        self._what = named(PlainLabel(wordWrap=True), "machineCodeBuild", role="muted")
        self._gpus = named(ComboBox(), "machineCodeGpu", "GPU to compile for; it need not be installed", "Compile for")
        self._difference = named(PlainLabel(wordWrap=True), "machineCodeDifference", role="strong")
        tip = "Compile the kernel with the parameters that are set up, for the target GPU"
        self._set_up = named(QPushButton("Show what is set up"), "machineCodeSetUp", tip)
        self._set_up.setAutoDefault(False)
        self._set_up.clicked.connect(self.set_up_asked)
        self.show_difference("")
        self._fill_gpus()
        self._gpus.activated.connect(self._on_gpu)
        self._segments = Segments(_SEGMENTS, theme)
        self._segments.chosen.connect(self._on_chosen)
        self._search = named(QLineEdit(), "machineCodeSearch", "Find text (Enter: next match)", "Find in the code")
        self._search.setPlaceholderText("Find: FFMA")
        self._search.setClearButtonEnabled(True)
        self._search.setMaximumWidth(260)
        self._found = named(PlainLabel(), "machineCodeFound", role="muted")
        self._panes = LinkedCode(theme)
        self._link = named(PlainLabel(), "machineCodeLink", role="muted")
        self._panes.linked.connect(self._link.setText)
        self._copy = named(QPushButton("Copy"), "machineCodeCopy", "Copy the whole text", role="primary")
        self._close = named(QPushButton("Close"), "machineCodeClose", "Close")
        for button in (self._copy, self._close):
            button.setAutoDefault(False)
        self._copy.clicked.connect(self._on_copy)
        self._close.clicked.connect(self.close)
        self._search.returnPressed.connect(self._on_next)
        self._search.textChanged.connect(self._on_search)
        QShortcut(QKeySequence.StandardKey.Find, self, self._search.setFocus)
        self._arrange()
        self.show_code(code)
        self._panes.code.setFocus()

    @property
    def text(self) -> str:
        """What is shown."""
        return self._panes.code.toPlainText()

    @property
    def is_waiting(self) -> bool:
        """Whether code for another GPU was asked for, and has not come."""
        return self._wanted is not None

    def show_code(self, code: MachineCode) -> None:
        """Show code, for instance of the same kernel for another GPU."""
        self._code = code
        self._chosen, self._wanted = self._wanted or "", None
        allow(self._gpus, "")
        self._what.setText(code.build)
        if code.source != self._source:
            self._source = code.source
            self._panes.show_source(code.source)
        self._on_chosen(self._segments.current)

    def show_difference(self, words: str) -> None:
        """Say how the run whose code is shown differs from what is set up, and offer that; "" where it does not."""
        self._difference.setText(words)
        for widget in (self._difference, self._set_up):
            widget.setVisible(bool(words))

    def show_fault(self, reason: str) -> None:
        """Say why there is no code for the GPU that was chosen; what was shown before stays."""
        if self.is_waiting and reason:
            self._wanted = None
            self._gpus.setCurrentIndex(max(self._gpus.findData(self._chosen), 0))
            allow(self._gpus, "")
            self._what.setText(f"{reason}\n{self._code.build}")

    def _fill_gpus(self) -> None:
        """Every GPU that can run the kernel, each once; the first code's before them where it is not in the list."""
        gpus = [find_gpu(gpu_id) for gpu_id in self._code.gpus]
        if self._code.gpu not in [gpu.name for gpu in gpus]:
            self._gpus.addItem(f"{self._code.gpu} ({self._code.target})", "")
        for gpu in gpus:
            self._gpus.addItem(gpu_words(gpu), "" if gpu.name == self._code.gpu else gpu.id)
        self._gpus.setCurrentIndex(self._gpus.findData(""))

    def _arrange(self) -> None:
        top, bottom, other, column = QHBoxLayout(), QHBoxLayout(), QHBoxLayout(), QVBoxLayout(self)
        other.addWidget(self._difference, 1)
        other.addWidget(self._set_up)
        for widget in (self._gpus, self._segments, self._search, self._found):
            top.addWidget(widget)
        top.addStretch(1)
        bottom.addWidget(self._link, 1)
        for button in (self._close, self._copy):
            bottom.addWidget(button)
        column.setContentsMargins(24, 24, 24, 16)
        column.setSpacing(16)
        column.addLayout(other)
        column.addWidget(self._what)
        column.addLayout(top)
        column.addWidget(self._panes, 1)
        column.addLayout(bottom)
        fit_screen(self, QSize(_WIDTH, _HEIGHT))

    @Slot(int)
    def _on_gpu(self, place: int) -> None:
        wanted = self._gpus.itemData(place)
        if wanted == self._chosen:
            return
        self._wanted = wanted
        allow(self._gpus, "It is being compiled for the GPU that was chosen. Wait for it.")
        self._what.setText(f"Compiling for {self._gpus.itemText(place)} …")
        self.gpu_chosen.emit(wanted)

    @Slot(int)
    def _on_chosen(self, place: int) -> None:
        code, lines = ((self._code.ptx, self._code.ptx_lines), (self._code.sass, self._code.sass_lines))[place]
        self._panes.show_code(code or NO_SASS, lines)
        allow(self._copy, "" if code else NO_SASS)
        self._on_search(self._search.text())

    @Slot(str)
    def _on_search(self, wanted: str) -> None:
        """From the top: the first match."""
        if wanted:
            self._panes.code.moveCursor(QTextCursor.MoveOperation.Start)
            self._panes.code.find(wanted)
        self._tell_match()

    def _tell_match(self) -> None:
        """Which match of how many is marked."""
        text, wanted = self.text.casefold(), self._search.text().casefold()
        count = text.count(wanted) if wanted else 0
        before = text.count(wanted, 0, self._panes.code.textCursor().selectionStart()) if wanted else 0
        words = f"{before + 1} of {count} matches" if count > 1 else "1 match" if count else "no match"
        self._found.setText(words if wanted else "")

    @Slot()
    def _on_next(self) -> None:
        if self._search.text() and not self._panes.code.find(self._search.text()):
            self._on_search(self._search.text())
        else:
            self._tell_match()

    @Slot()
    def _on_copy(self) -> None:
        copy_text(self.text)

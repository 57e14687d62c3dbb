"""What the chosen kernel teaches, and the file of one's own."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.loader import Catalogue
from gemmviz.gui.experiment.controls.labels import small_label
from gemmviz.gui.kernels.rows import file_words, title_among
from gemmviz.gui.widgets.plain_text import plain_text

_MOST_PARAMETERS = 2
"""Beside which there is room for the title in a low window."""


class KernelWords(QWidget):
    """Lines below the list of kernels."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.has_words = True
        """Whether there is room for a line of it."""
        self._detail = small_label("kernelDetail", "What the chosen kernel teaches", "")
        self._file = small_label("kernelFile", "The file of the chosen kernel", "muted")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._detail)
        column.addWidget(self._file)

    def show_kernel(self, kernel: Kernel, catalogue: Catalogue, *, has_room: bool) -> None:
        """In a low window, without room, the title of a kernel stands for what it teaches, in full."""
        self._detail.setText(kernel.teaches if has_room else title_among(kernel, catalogue.kernels))
        self._detail.setToolTip(plain_text(kernel.teaches))
        self._file.setText(file_words(kernel))
        has_file = has_room and bool(self._file.text())
        # In a low window the parameters of a kernel with many need the room; its title stands in the list as well.
        has_detail = has_room or len(kernel.parameters) <= _MOST_PARAMETERS
        self._file.setVisible(has_file)
        self._detail.setVisible(has_detail)
        self.has_words = has_detail or has_file
        self.setVisible(self.has_words)

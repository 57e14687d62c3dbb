"""The place of the source beside the picture: the source with its figures, or the editor."""

from __future__ import annotations

from PySide6.QtWidgets import QStackedWidget, QWidget


class SourcePlace(QStackedWidget):
    """Shows the source until a kernel is edited."""

    def __init__(self, source: QWidget, editor: QWidget) -> None:
        super().__init__()
        self.setObjectName("sourcePlace")
        self.addWidget(source)
        self.addWidget(editor)

    @property
    def is_edited(self) -> bool:
        """Whether the editor is shown."""
        return self.currentIndex() == 1

    def show_editor(self, is_edited: bool) -> None:
        """Show the editor, or the source again."""
        self.setCurrentIndex(1 if is_edited else 0)

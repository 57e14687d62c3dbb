"""Puts what a lesson shows on the clipboard."""

from __future__ import annotations

from PySide6.QtCore import QMimeData

from gemmviz.gui.export.lesson.step_view import step_view
from gemmviz.gui.export.view_dialog import SIZES
from gemmviz.gui.lessons.lesson_page import LessonPage
from gemmviz.gui.widgets.clipboard import put_on_clipboard


def copy_lesson(page: LessonPage) -> None:
    """Put the selected text of a lesson on the clipboard, else the picture of its step; what plays goes on."""
    data, scene, text = QMimeData(), page.scene, page.selected_text
    is_playing = scene is not None and scene.is_playing
    view = step_view(page) if not text else None
    if view is None:
        data.setText(text)
    else:
        data.setImageData(view.paint(None, SIZES[0], page.theme, view.title))
    if scene is not None and scene.is_playing != is_playing:
        scene.toggle()
    put_on_clipboard(data)

"""What is on the screen on the clipboard: a chart with its data, pictures of memory, a request, a lesson."""

from __future__ import annotations

from PySide6.QtCore import QMimeData
from PySide6.QtWidgets import QWidget

from gemmviz.domain.runs.result import Session
from gemmviz.gui.export.film.choice import SLIDE_SIZE
from gemmviz.gui.export.lesson.copy_step import copy_lesson
from gemmviz.gui.export.on_screen import request_on_screen
from gemmviz.gui.export.steps import copy_chart, copy_pictures, copy_widget
from gemmviz.gui.layout.parts import Parts
from gemmviz.gui.widgets.clipboard import put_on_clipboard


def copy_shown(parts: Parts, tab: str, page: QWidget, session: Session, window: QWidget) -> None:
    """Copy what `tab` shows, or what `page` does where there is no tab, or else the `window`.

    A chart is copied as a picture and as data. Of memory the picture is copied, or both if two are beside each other,
    or the request that is in front. Of a lesson it is the text that is selected, else its picture with the step's text
    below.
    """
    chart, request = parts.pages.in_front(tab), request_on_screen(parts)
    if page is parts.lesson_page and parts.lesson_page.lesson is not None:
        copy_lesson(parts.lesson_page)
    elif chart is not None:
        copy_chart(chart, session, parts.results.selected(), parts.memory.theme)
    elif tab and request is not None:
        data = QMimeData()
        data.setImageData(request.paint(None, SLIDE_SIZE, parts.memory.theme, request.title))
        put_on_clipboard(data)
    elif tab and parts.memory_page.is_compared:
        copy_pictures(parts.memory_page.pictures, parts.memory_page.named_panes, parts.memory.theme)
    else:
        copy_widget(parts.memory if tab else window, ())

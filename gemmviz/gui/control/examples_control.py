"""The example sessions in the menu and on the first page: each opens as a copy without a name."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMenu

from gemmviz.catalogue.examples import Example
from gemmviz.domain.places import place_words
from gemmviz.domain.runs.result import Session
from gemmviz.gui.commands.entries import Entry
from gemmviz.gui.welcome.examples import ExamplesSection, measured_words
from gemmviz.gui.widgets.plain_text import plain_text


class ExamplesControl(QObject):
    """Fills the menu; what is chosen there or on the first page comes as one signal."""

    chosen = Signal(object)
    """An Example."""

    def __init__(
        self, examples: Sequence[Example], menu: QMenu, section: ExamplesSection, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._examples = {example.path: example for example in examples}
        section.asked.connect(self.chosen)
        menu.setToolTipsVisible(True)
        menu.setEnabled(bool(examples))
        for number, example in enumerate(examples, 1):
            self._add_to(menu, number, example)

    def of(self, path: Path) -> Example | None:
        """The example that lies there."""
        return self._examples.get(path)

    def entries(self) -> list[Entry]:
        """The examples, for the command palette."""
        return [
            Entry("Example", each.title, partial(self.chosen.emit, each), measured_words(each), (each.id, each.text))
            for each in self._examples.values()
        ]

    def _add_to(self, menu: QMenu, number: int, example: Example) -> None:
        key = f"&{number}  " if number <= 9 else ""
        words = f"{example.title}  —  {measured_words(example)}".replace("&", "&&")
        action = menu.addAction(f"{key}{words}")
        action.setObjectName(f"exampleAction_{example.id}")
        action.setToolTip(plain_text(f"{example.text}\n{example.look}."))
        action.triggered.connect(lambda _checked=False: self.chosen.emit(example))


def look_words(example: Example, session: Session) -> str:
    """What to look at first, and which sizes the times and the recordings have where those differ."""
    timed = {run.spec.shape for run in session.runs}
    recorded = {trace.spec.shape for trace in session.traces}
    sizes = ""
    if len(timed) == len(recorded) == 1 and timed != recorded:
        (of_times,), (of_recordings,) = timed, recorded
        at_first = f"The recordings are of {of_recordings.words}, and the experiment starts at that size."
        sizes = f" The times are of {of_times.words}. {at_first}"
    return f"{example.look}.{sizes}"


def about_words(example: Example, session: Session) -> str:
    """What an example shows, and where and when it was measured."""
    where = f"Measured on {place_words(session.device, session.created)}."
    return f"{example.title}. {example.text}\n{where}"

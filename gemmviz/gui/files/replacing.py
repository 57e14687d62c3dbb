"""Asks before files are replaced that are there: once for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtWidgets import QWidget

from gemmviz.gui.widgets.question import Answer, Question

MOST_NAMES = 6
"""Names that the question lists."""


def may_replace(window: QWidget, taken: Sequence[Path]) -> bool:
    """Whether a person lets these files be replaced; asked nothing where there is none."""
    if not taken:
        return True
    return _is_replaced(window, "Replace files?", replacing_words(taken))


def may_replace_foreign(window: QWidget, path: Path) -> bool:
    """Whether a person lets a session file be replaced that another program has changed."""
    words = (
        f"Another program has changed {path.name} since it was opened or saved here. Replace what is in it now?\n\n"
        "File > Save as… keeps both."
    )
    return _is_replaced(window, "Replace the changed file?", words)


def _is_replaced(window: QWidget, title: str, words: str) -> bool:
    answers = (Answer.CANCEL, Answer.REPLACE)
    return Question.ask(window, title, words, answers, Answer.CANCEL) is Answer.REPLACE


def replacing_words(taken: Sequence[Path]) -> str:
    """The question: how many files, where, and the first names."""
    folder = taken[0].parent
    if len(taken) == 1:
        return f"{taken[0].name} is already in {folder}. Replace it?"
    names = [path.name for path in taken[:MOST_NAMES]]
    more = f"\nand {len(taken) - len(names)} more" if len(taken) > len(names) else ""
    return f"{len(taken)} of these files are already in {folder}. Replace them?\n\n" + "\n".join(names) + more


def with_suffix_asked(window: QWidget, name: str, suffix: str) -> Path | None:
    """The file of a name from a file dialog, `suffix` added where it has none; None where it is not to be replaced.

    The dialog asks before it gives a name that is there; of the name with a suffix it knows nothing.
    """
    path = Path(name)
    if path.suffix:
        return path
    path = path.with_name(path.name + suffix)
    return path if may_replace(window, [path] if path.exists() else []) else None

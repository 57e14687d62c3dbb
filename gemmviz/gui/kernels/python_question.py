"""Asks before a Python file is run, which compiling its kernel takes."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QWidget

from gemmviz.engine.sandbox.protections import protections
from gemmviz.gui.widgets.question import Answer, Question


def may_run_python(window: QWidget | None, path: Path) -> bool:
    """Whether a person lets a Python file be run whenever its kernel is run or recorded, until the window is closed."""
    answers = (Answer.CANCEL, Answer.ALLOW)
    return Question.ask(window, "Run Python code?", question_words(path), answers, Answer.CANCEL) is Answer.ALLOW


def question_words(path: Path) -> str:
    """What is asked: what will be run, when, and within which bounds."""
    return (
        f"{path.name} is Python. To compile its kernel, the part of the file that the kernel needs is run, each time "
        f"the kernel is run, recorded or saved in the editor.\n\n{protections().words}.\n\nAllow it only if "
        f"you trust {path}."
    )

"""Take pictures of every lesson's every step and of every page: `python docs/screenshots.py FOLDER`.

In both themes, at 1280x800, 1440x900 and 1920x1080; `--only` takes a part of a name. They are made to be looked at one
by one; nothing compares them. Without FOLDER only the pictures of docs/screenshots are taken anew. Needs no display.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PIL import Image
from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from gemmviz.catalogue.examples import load_examples
from gemmviz.catalogue.lessons import load_lessons
from gemmviz.gui.app import create_window
from gemmviz.gui.layout.action_table import TABS
from gemmviz.gui.lessons.lesson_page import LessonPage
from gemmviz.gui.window.main_window import MainWindow

SIZES = (1280, 800), (1440, 900), (1920, 1080)
THEMES = {"light": "themeLight", "dark": "themeDark"}
SHOWN = Path(__file__).with_name("screenshots")
IN_DOCS = {
    "lesson-1-tiling-5": ("lesson", "light"),
    "example-cpu-four-memory": ("memory", "dark"),
    "example-gpu-ladder-timing": ("timing", "light"),
}
"""The views that the pages in docs/ show: the name of each picture, and its theme."""
PARTS = "memoryBanks", "memorySectors", "memoryTotals", "memoryAnimation"
"""The parts of the page of memory, the one that is seen first last."""
SETTLE_MS = 400
PLAY_MS = 2500
"""How long a scene may play before its picture is taken."""


def wait(milliseconds: int) -> None:
    """Let the window work for so long."""
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


def views(window: MainWindow, is_wanted: Callable[[str], bool]) -> Iterator[str]:
    """Bring one wanted view after the other to the front; the name of each."""
    if is_wanted("first-page"):
        yield "first-page"
    page = window.findChild(LessonPage)
    assert isinstance(page, LessonPage)
    for lesson in load_lessons():
        window.open_lesson(lesson.id)
        while page.lesson != lesson:
            wait(20)
        for step in range(page.steps):
            if is_wanted(name := f"lesson-{lesson.number}-{lesson.id}-{step + 1}"):
                page.go(step)
                wait(PLAY_MS if page.scene is not None and page.scene.can_play else SETTLE_MS)
                yield name
    page.left.emit()
    for example in load_examples():
        tabs = [tab for tab in TABS if is_wanted(f"example-{example.id}-{tab.lower()}")]
        if not tabs:
            continue
        window.open_path(example.path)
        wait(1500)
        for tab in tabs:
            action = window.findChild(QAction, f"tab{tab}Action")
            assert isinstance(action, QAction)
            action.trigger()
            wait(SETTLE_MS)
            yield f"example-{example.id}-{tab.lower()}"
            for part in PARTS if tab == TABS[0] else ():
                if not is_wanted(f"example-{example.id}-{part}"):
                    continue
                button = window.findChild(QPushButton, part)
                assert isinstance(button, QPushButton)
                button.click()
                wait(SETTLE_MS)
                yield f"example-{example.id}-{part}"
        window.document.new()


def main(words: Sequence[str] | None = None) -> int:
    """Take the pictures that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, nargs="?", help="where the pictures go (default: docs/screenshots)")
    parser.add_argument("--only", default="", metavar="TEXT", help="only views with this in their name")
    chosen = parser.parse_args(words)
    if chosen.folder is not None:
        chosen.folder.mkdir(parents=True, exist_ok=True)
    QApplication([])
    with tempfile.TemporaryDirectory() as own:
        window = create_window(Path(own) / "settings", Path(own) / "state")
        assert isinstance(window, MainWindow)
        window.show()
        wait(1000)
        if chosen.folder is None:
            window.resize(*SIZES[0])
            for name in views(window, IN_DOCS.__contains__):
                file, theme = IN_DOCS[name]
                take(window, SHOWN / f"{file}.png", *SIZES[0], THEMES[theme])
                shrink(SHOWN / f"{file}.png")
        else:
            for name in views(window, lambda name: chosen.only in name):
                for width, height in SIZES:
                    for theme, action in THEMES.items():
                        take(window, chosen.folder / f"{name}-{width}-{theme}.png", width, height, action)
        window.close()
    return 0


def take(window: QWidget, path: Path, width: int, height: int, theme: str) -> None:
    """One picture of what the window shows."""
    action = window.findChild(QAction, theme)
    assert isinstance(action, QAction)
    action.trigger()
    window.resize(width, height)
    wait(SETTLE_MS)
    window.grab().save(str(path))
    print(path.name, file=sys.stderr)


def shrink(path: Path) -> None:
    """Write a picture anew with 256 colours: a third of the bytes, and no difference to be seen."""
    with Image.open(path) as picture:
        picture.convert("RGB").quantize(256, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(
            path, optimize=True
        )


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    os._exit(code)

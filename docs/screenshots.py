"""Take pictures of every lesson's every step and of every page: `python docs/screenshots.py FOLDER`.

In both themes, at 1280x800, 1440x900 and 1920x1080; `--only` takes a part of a file's name, also with its size and
theme (`memory-1280-dark`). They are made to be looked at one by one; nothing compares them. With `--session` the pages
of a session that is not an example, such as the recording of a faulty kernel:
`gemmviz trace --kernel-file tests/data/faulty/misaligned.cu --size 17x33x20 --out F.gemmviz`, then
`python docs/screenshots.py FOLDER --session F.gemmviz`. Without FOLDER only the pictures of docs/screenshots are taken
anew. Needs no display.
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


def files_of(view: str) -> dict[str, tuple[int, int, str]]:
    """The pictures of a view, by the names of their files without suffix: width, height, and the theme's action."""
    return {f"{view}-{size[0]}-{theme}": (*size, action) for size in SIZES for theme, action in THEMES.items()}


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
        yield from views_of_session(window, example.path, f"example-{example.id}", is_wanted)


def views_of_session(window: MainWindow, path: Path, name: str, is_wanted: Callable[[str], bool]) -> Iterator[str]:
    """Bring one wanted page of a session after the other to the front, then its parts; the name of each."""
    parts = {tab: [part for part in PARTS if is_wanted(f"{name}-{part}")] if tab == TABS[0] else [] for tab in TABS}
    tabs = [tab for tab in TABS if parts[tab] or is_wanted(f"{name}-{tab.lower()}")]
    if not tabs:
        return
    window.open_path(path)
    wait(1500)
    for tab in tabs:
        action = window.findChild(QAction, f"tab{tab}Action")
        assert isinstance(action, QAction)
        action.trigger()
        wait(SETTLE_MS)
        if is_wanted(view := f"{name}-{tab.lower()}"):
            yield view
        for part in parts[tab]:
            button = window.findChild(QPushButton, part)
            assert isinstance(button, QPushButton)
            button.click()
            wait(SETTLE_MS)
            yield f"{name}-{part}"
    window.document.new()


def main(words: Sequence[str] | None = None) -> int:
    """Take the pictures that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, nargs="?", help="where the pictures go (default: docs/screenshots)")
    parser.add_argument("--only", default="", metavar="TEXT", help="only pictures with this in their name")
    parser.add_argument("--session", type=Path, metavar="F.gemmviz", help="the pages of this session, nothing else")
    chosen = parser.parse_args(words)
    if chosen.session is not None and not chosen.session.is_file():
        parser.error(f"{chosen.session} is no file")
    if chosen.folder is not None:
        chosen.folder.mkdir(parents=True, exist_ok=True)
    taken = 0
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
            for name in views_of(chosen, window):
                for file, (width, height, action) in files_of(name).items():
                    if chosen.only in file:
                        take(window, chosen.folder / f"{file}.png", width, height, action)
                        taken += 1
        window.close()
    if chosen.folder is not None and not taken:
        print(f"no picture has {chosen.only!r} in its name; without --only all are taken", file=sys.stderr)
        return 1
    return 0


def views_of(chosen: argparse.Namespace, window: MainWindow) -> Iterator[str]:
    """The views with pictures that were asked for."""

    def is_wanted(view: str) -> bool:
        return any(chosen.only in file for file in files_of(view))

    if chosen.session is not None:
        yield from views_of_session(window, chosen.session.resolve(), chosen.session.stem, is_wanted)
    else:
        yield from views(window, is_wanted)


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

"""A window in a process of its own: opens what it is given, waits until nothing moves, prints what is seen as JSON.

Started by the cases of windows.py: `python window_story.py [--kill-worker] [--recover | --ladder] [FILE…]`.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget

from gemmviz.gui.notices.bar import NoticeBar

BEAT_MS = 20
QUIET_S = 2.5
LONGEST_S = 60.0


def main(words: list[str]) -> int:
    """Run the program with the files among `words`, and play the story that the options tell; the exit code."""
    from gemmviz.gui import app

    options = {word for word in words if word.startswith("--")}
    make_window = app.create_window

    def create_window() -> QWidget:
        window = make_window()
        play(window, options)
        return window

    app.create_window = create_window
    return app.run_app([Path(word) for word in words if word not in options])


def play(window: QWidget, options: set[str]) -> None:
    """Look at the window at each beat; the longest pause between two beats is part of what is printed."""
    begin = last = time.monotonic()
    longest_s, changed, seen, steps = 0.0, begin, "", 0

    def beat() -> None:
        nonlocal last, longest_s, changed, seen, steps
        now = time.monotonic()
        if now - begin > 3.0:  # building the window is no pause
            longest_s = max(longest_s, now - last)
        last = now
        texts = "\n".join(notices(window))
        if texts != seen or window.work.busy:
            seen, changed = texts, now
        if "--ladder" in options:
            if runs := len(window.document.session.runs):
                print(json.dumps({"runs": runs}), flush=True)
            elif not window.work.busy and now - begin > 1.0:
                window.findChild(QAction, "ladderAction").trigger()
            return
        if now - changed > QUIET_S and now - begin > 4.0:
            steps += 1
            changed = now
            if "--kill-worker" in options and steps == 1:
                for pid in children():
                    os.kill(pid, signal.SIGKILL)
                return
            if "--recover" in options and steps == 1:
                button(window, "Recover").click()
                return
            finish()
        elif now - begin > LONGEST_S:
            finish()

    def finish() -> None:
        timer.stop()
        session = window.document.session
        found = {
            "notices": [*notices(window), *refusals(window)],
            "kernel": window.experiment.kernel,
            "longest_s": longest_s,
            "runs": len(session.runs),
            "traces": len(session.traces),
        }
        print(json.dumps(found), flush=True)
        os.kill(os.getpid(), signal.SIGKILL)

    timer = QTimer(window)
    timer.timeout.connect(beat)
    timer.start(BEAT_MS)


def notices(window: QWidget) -> list[str]:
    """What the notices say."""
    bar = window.findChild(NoticeBar, "noticeBar")
    return list(bar.texts()) if bar is not None else []


def refusals(window: QWidget) -> list[str]:
    """What is said below the experiment of why it cannot run."""
    label = window.findChild(QLabel, "refusalLabel")
    return [label.text()] if label is not None and label.isVisibleTo(window) and label.text().strip() else []


def button(window: QWidget, words: str) -> QAbstractButton:
    """The button of that name or text."""
    return next(one for one in window.findChildren(QAbstractButton) if words in (one.objectName(), one.text()))


def children() -> list[int]:
    """The processes whose parent this one is."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = entry.read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == os.getpid() and "multiprocessing" not in (entry.parent / "comm").read_text():
            found.append(int(entry.parent.name))
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

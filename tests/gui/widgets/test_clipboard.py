"""A program that has copied something ends in peace."""

from __future__ import annotations

import subprocess
import sys

COPY = """
from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication
from gemmviz.gui.widgets.clipboard import put_on_clipboard
application = QGuiApplication([])
data = QMimeData()
data.setText("copied")
put_on_clipboard(data)
print(application.clipboard().text())
"""


def test_that_copied_words_are_there_and_the_program_ends_well() -> None:
    done = subprocess.run([sys.executable, "-c", COPY], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "copied\n"), done.stderr

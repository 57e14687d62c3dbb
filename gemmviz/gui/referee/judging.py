"""Judges on a thread of its own; what is being examined and the ruling come back to the window's thread."""

from __future__ import annotations

import threading
from dataclasses import replace

from PySide6.QtCore import QObject, Qt, Signal, Slot

from gemmviz.backends.base import BackendError
from gemmviz.catalogue.kernel import Kernel
from gemmviz.domain.kernels.examined_sweep import digest_of
from gemmviz.domain.spec import Params
from gemmviz.referee.confined import device_for, judge_confined
from gemmviz.referee.finding import Ruling


class _Stopped(Exception):
    """A person wants no ruling any more."""


class _Post(QObject):
    """Carries words and rulings across threads. The thread holds it, so it is there even after the window is gone."""

    said = Signal(int, str)
    ended = Signal(int, object)


class Judging(QObject):
    """One ruling at a time. Its thread waits for nobody when the window ends, and its process ends with it."""

    said = Signal(str)
    """What is being examined."""
    ended = Signal(object)
    """The Ruling; None where it was stopped."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._post = _Post()
        self._post.said.connect(self._on_said, Qt.ConnectionType.QueuedConnection)
        self._post.ended.connect(self._on_ended, Qt.ConnectionType.QueuedConnection)
        self._stop = threading.Event()
        self._number = 0
        self.busy = False

    def start(self, kernel: Kernel, params: Params, wanted: str, target: str, version: int) -> None:
        """Judge a kernel on the device that `wanted` names, "" for the usual one: the PTX machine for `target`.
        `version` is the number of its text, 0 where the session has no versions of it.
        """
        self._number += 1
        self._stop, self.busy = threading.Event(), True
        given = self._number, kernel, params, wanted, target, version, self._stop, self._post
        threading.Thread(target=_judge, args=given, name="referee", daemon=True).start()

    @Slot()
    def stop(self) -> None:
        """Give the ruling up; its process is ended within a moment."""
        self._stop.set()

    @Slot(int, str)
    def _on_said(self, number: int, words: str) -> None:
        if number == self._number and self.busy:
            self.said.emit(words)

    @Slot(int, object)
    def _on_ended(self, number: int, ruling: Ruling | None) -> None:
        if number == self._number:
            self.busy = False
            self.ended.emit(ruling)


def _judge(
    number: int,
    kernel: Kernel,
    params: Params,
    wanted: str,
    target: str,
    version: int,
    stop: threading.Event,
    post: _Post,
) -> None:
    last = [""]

    def progress(words: str) -> None:
        if stop.is_set():
            raise _Stopped
        if words != last[0]:
            last[0] = words
            post.said.emit(number, words)

    try:
        found = judge_confined(kernel, params, device_for(kernel, wanted, target), progress=progress)
        ruling: Ruling | None = replace(found, version=version, digest=digest_of(kernel.file_text))
    except _Stopped:
        ruling = None
    except BackendError as error:
        ruling = Ruling(
            kernel.id, params, "", "", fault=str(error), version=version, digest=digest_of(kernel.file_text)
        )
    post.ended.emit(number, ruling)

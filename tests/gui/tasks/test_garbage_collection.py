"""Widgets are destroyed in the window's thread, also when another thread allocates."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gemmviz.gui.tasks.garbage_collection import GarbageCollection


@pytest.fixture
def collection(qtbot: QtBot) -> Iterator[GarbageCollection]:  # noqa: ARG001 - there is an application
    made = GarbageCollection()
    yield made
    made.stop()
    gc.disable()  # as all tests of the window have it


def cycle(ends: list[str]) -> None:
    """A widget that refers to itself, and is then left to the collection."""
    widget = QWidget()
    widget.itself = widget  # type: ignore[attr-defined]
    weakref.finalize(widget, lambda: ends.append(threading.current_thread().name))


def allocate() -> None:
    """What makes Python collect, many times over, in the thread that runs it."""
    kept = [[number] for number in range(60_000)]
    del kept


def in_a_thread() -> None:
    thread = threading.Thread(target=allocate, name="another")
    thread.start()
    thread.join()


def test_that_python_itself_would_destroy_a_widget_in_another_thread(qtbot: QtBot) -> None:  # noqa: ARG001
    ends: list[str] = []
    gc.enable()
    try:

        class Plain:
            """What may be destroyed anywhere stands here for the widget."""

        plain = Plain()
        plain.itself = plain  # type: ignore[attr-defined]
        weakref.finalize(plain, lambda: ends.append(threading.current_thread().name))
        del plain
        in_a_thread()
    finally:
        gc.disable()
    assert ends == ["another"]


def test_that_a_widget_is_destroyed_in_the_window_s_thread(qtbot: QtBot, collection: GarbageCollection) -> None:
    ends: list[str] = []
    cycle(ends)
    in_a_thread()
    assert ends == []
    allocate_here = [[number] for number in range(5_000)]
    qtbot.waitUntil(lambda: ends == ["MainThread"])
    assert len(allocate_here) == 5_000
    assert not gc.isenabled()
    collection.stop()
    assert gc.isenabled()


def test_that_all_objects_are_looked_through_seldom(
    collection: GarbageCollection, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[int] = []
    monkeypatch.setattr(gc, "get_count", lambda: (10_000, 100, 100))
    monkeypatch.setattr(gc, "collect", seen.append)
    for _ in range(120):
        collection.look()
    assert seen.count(2) == 3
    assert seen.count(1) == 117

from itertools import pairwise

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gemmviz.gui.tasks.event_queue import EventQueue


def test_that_things_come_in_their_order_and_not_at_once(qtbot: QtBot) -> None:
    queue, seen = EventQueue(), []
    queue.handed.connect(seen.append)
    for number in range(5):
        queue.add(number)
    assert seen == []
    assert len(queue) == 5
    qtbot.waitUntil(lambda: len(queue) == 0)
    assert seen == [0, 1, 2, 3, 4]


def test_that_others_have_their_turn_between_two_things(qtbot: QtBot) -> None:
    queue = EventQueue()
    seen: list[object] = []
    queue.handed.connect(seen.append)
    other = QTimer(interval=0)
    other.timeout.connect(lambda: seen.append("another"))
    other.start()
    for number in range(3):
        queue.add(number)
    qtbot.waitUntil(lambda: len(queue) == 0)
    other.stop()
    places = [seen.index(number) for number in range(3)]
    assert all("another" in seen[first:second] for first, second in pairwise(places))


def test_that_what_is_added_while_one_is_handed_on_comes_last(qtbot: QtBot) -> None:
    queue, seen = EventQueue(), []
    queue.handed.connect(lambda thing: (seen.append(thing), queue.add("more") if thing == "first" else None))
    queue.add("first")
    queue.add("second")
    qtbot.waitUntil(lambda: len(seen) == 3)
    assert seen == ["first", "second", "more"]


def test_that_everything_can_be_handed_on_at_once_and_nothing_comes_after_the_close(qapp: QApplication) -> None:
    queue, seen = EventQueue(), []
    queue.handed.connect(seen.append)
    queue.add(1)
    queue.add(2)
    queue.hand_on_all()
    assert seen == [1, 2]
    queue.add(3)
    queue.close()
    queue.add(4)
    qapp.processEvents()
    assert (seen, len(queue)) == ([1, 2], 0)

"""Events through a pipe: large arrays beside them, everything else as it is."""

from __future__ import annotations

import threading
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any

import numpy as np
import pytest

from gemmviz.engine.messages import Finished
from gemmviz.engine.parcels import LARGE_BYTES, PIECE_BYTES, Parcel, receive, send


class Counting:
    """A connection that notes how large each message is."""

    def __init__(self, connection: Connection) -> None:
        self._connection, self.sizes, self.events = connection, [], []

    def send(self, event: object) -> None:
        self.events.append(event)
        self._connection.send(event)

    def send_bytes(self, piece: memoryview) -> None:
        self.sizes.append(len(piece))
        self._connection.send_bytes(piece)


def sent(*events: object) -> tuple[Counting, list[Any]]:
    ours, theirs = Pipe()
    counting = Counting(theirs)
    sender = threading.Thread(target=lambda: [send(counting, event) for event in events])  # a pipe holds only so much
    sender.start()
    received = [receive(ours) for _ in events]
    sender.join()
    return counting, received


def test_that_a_small_event_goes_as_it_is() -> None:
    event = Finished(3, "done")
    counting, received = sent(event)
    assert (counting.events, counting.sizes, received) == ([event], [], [event])


@pytest.mark.parametrize("extra", [0, 8, PIECE_BYTES, 3 * PIECE_BYTES + 8])
def test_that_large_arrays_arrive_whole_and_in_pieces(extra: int) -> None:
    numbers = np.arange((LARGE_BYTES + extra) // 8)
    few = np.arange(5)
    counting, received = sent({"numbers": numbers, "few": few, "twice": (numbers, few)}, "next")
    found, following = received
    assert following == "next"
    for array, other in ((found["numbers"], numbers), (found["few"], few), (found["twice"][0], numbers)):
        np.testing.assert_array_equal(array, other, strict=True)
        assert array.flags.writeable
    assert sum(counting.sizes) == numbers.nbytes
    assert max(counting.sizes) <= PIECE_BYTES
    parcel = counting.events[0]
    assert isinstance(parcel, Parcel)
    assert len(parcel.event) < 2000


def test_that_rows_of_another_array_arrive_as_they_are() -> None:
    table = np.arange(4 * LARGE_BYTES, dtype=np.float32).reshape(64, -1)
    for view in (table[:, ::2], table.T, table[3:60]):
        _, (found,) = sent(view)
        np.testing.assert_array_equal(found, view, strict=True)


def test_that_an_end_amid_an_array_is_an_end() -> None:
    ours, theirs = Pipe()
    theirs.send(Parcel(b"", (LARGE_BYTES,)))
    theirs.close()
    with pytest.raises(EOFError):
        receive(ours)

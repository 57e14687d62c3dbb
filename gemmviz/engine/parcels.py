"""Large events through a pipe piece by piece, so that nobody's window stands still while one is unpacked.

To unpickle an event holds the interpreter's lock from its first byte to its last, and a recording's addresses are
tens of megabytes: a window would not paint for a tenth of a second. So large arrays travel beside the event (pickle
protocol 5, PEP 574), in pieces, and between two of them others have their turn. The pickler is the one that connections
use themselves.
"""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from multiprocessing.connection import Connection
from multiprocessing.reduction import ForkingPickler
from typing import Any

import numpy as np

LARGE_BYTES = 1 << 18
"""What is smaller is unpickled in no time."""

PIECE_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Parcel:
    """An event without its large arrays, and how many bytes of each follow."""

    event: bytes
    sizes: tuple[int, ...]


def send(connection: Connection, event: object) -> None:
    """Send an event, its large arrays piece by piece; `receive` at the other end gets the event.

    Raises:
        OSError: nobody is at the other end.
    """
    large: list[memoryview] = []

    def is_small(buffer: Any) -> bool:
        raw = buffer.raw()
        if raw.nbytes >= LARGE_BYTES:
            large.append(raw)
        return bool(raw.nbytes < LARGE_BYTES)

    packed = BytesIO()
    ForkingPickler(packed, 5, True, is_small).dump(event)
    connection.send(Parcel(packed.getvalue(), tuple(each.nbytes for each in large)) if large else event)
    for each in large:
        for begin in range(0, each.nbytes, PIECE_BYTES):
            connection.send_bytes(each[begin : begin + PIECE_BYTES])


def receive(connection: Connection) -> Any:
    """The next event, also one that came in one piece; waits for it.

    Raises:
        OSError, EOFError: nobody is at the other end.
        Exception: whatever unpickling what is no event raises.
    """
    event = connection.recv()
    if not isinstance(event, Parcel):
        return event
    return ForkingPickler.loads(event.event, buffers=[_array(connection, size) for size in event.sizes])


def _array(connection: Connection, size: int) -> memoryview:
    """The bytes of one array."""
    whole = np.empty(size, np.uint8).data
    for begin in range(0, size, PIECE_BYTES):
        piece = connection.recv_bytes(PIECE_BYTES)
        whole[begin : begin + len(piece)] = piece
    return whole

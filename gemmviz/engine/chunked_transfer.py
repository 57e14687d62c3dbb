"""Events through a pipe as data: a JSON document, and its arrays behind it piece by piece.

A kernel that has run wild may send anything through its worker's pipe, so nothing that arrives is unpickled, which
would execute it: an event is one of the dataclasses of `messages.Event`, its fields are of their types, its arrays hold
plain numbers. The arrays come in pieces because to unpack tens of megabytes at once would hold the interpreter's lock,
and a window would not paint for a tenth of a second; between two pieces others have their turn.
"""

from __future__ import annotations

import json
from multiprocessing.connection import Connection
from typing import Any, get_args

import numpy as np

from gemmviz.domain.session.arrays import Array, check_dtype, dtype_word
from gemmviz.domain.session.codec import decode, encode
from gemmviz.engine.messages import Event

PIECE_BYTES = 1 << 20

MOST_BYTES = 1 << 32
"""Of one event's arrays: more than a recording may keep."""

_LONGEST_DOCUMENT = 1 << 28

_EVENTS: dict[str, type[Any]] = {kind.__name__: kind for kind in get_args(Event)}


class TransferError(ValueError):
    """What arrived is no event; the message says why."""


def send(connection: Connection, event: Event) -> None:
    """Send an event, its arrays piece by piece; `receive` at the other end gets the event.

    Raises:
        OSError: nobody is at the other end.
    """
    tree, columns = encode(event)
    arrays = [[name, dtype_word(column), int(column.size)] for name, column in columns.items()]
    connection.send_bytes(json.dumps({"event": type(event).__name__, "tree": tree, "arrays": arrays}).encode())
    for column in columns.values():
        whole = np.ascontiguousarray(column, column.dtype.newbyteorder("<")).view(np.uint8).data
        for begin in range(0, whole.nbytes, PIECE_BYTES):
            connection.send_bytes(whole[begin : begin + PIECE_BYTES])


def receive(connection: Connection) -> Any:
    """The next event; waits for it.

    Raises:
        OSError, EOFError: nobody is at the other end.
        ValueError: what arrived is no event.
        MemoryError: its arrays do not fit.
    """
    try:
        document = json.loads(connection.recv_bytes(_LONGEST_DOCUMENT))
    except RecursionError as error:
        raise TransferError("a document that is nested too deeply") from error
    match document:
        case {"event": str(name), "tree": dict(tree), "arrays": list(arrays)} if name in _EVENTS:
            return decode(tree, _receive_arrays(connection, arrays), _EVENTS[name])
    raise TransferError("no document of an event")


def _receive_arrays(connection: Connection, described: list[Any]) -> dict[str, Array]:
    found: dict[str, Array] = {}
    left = MOST_BYTES
    for each in described:
        match each:
            case [str(name), str(word), int(length)] if length >= 0 and name not in found:
                check_dtype(word)
                found[name] = _receive_array(connection, np.dtype(word), length, left)
                left -= found[name].nbytes
            case _:
                raise TransferError("an array without name, type and length")
    return found


def _receive_array(connection: Connection, kind: np.dtype[Any], length: int, most_bytes: int) -> Array:
    if length * kind.itemsize > most_bytes:
        raise TransferError(f"arrays of more than {MOST_BYTES} bytes")
    array = np.empty(length, kind)
    whole = array.view(np.uint8)
    for begin in range(0, whole.size, PIECE_BYTES):
        piece = connection.recv_bytes(PIECE_BYTES)
        if len(piece) != min(PIECE_BYTES, whole.size - begin):
            raise TransferError("a piece of an array that is too short or too long")
        whole[begin : begin + len(piece)] = np.frombuffer(piece, np.uint8)
    return array.astype(kind.newbyteorder("="), copy=False)

"""Events through a pipe: data and nothing else, large arrays in pieces."""

from __future__ import annotations

import json
import os
import pickle
import threading
from dataclasses import fields
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.device import Device, DeviceKind
from gemmviz.domain.kernels.machine_code import MachineCode
from gemmviz.domain.kernels.resources import NO_RESOURCES
from gemmviz.domain.runs.schedule import BlockSchedule
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Launch, RunSpec
from gemmviz.engine.chunked_transfer import MOST_BYTES, PIECE_BYTES, receive, send
from gemmviz.engine.messages import Event, Finished, Job, MachineCodeDone, Progressed, ScheduleDone, WorkerReady

GPU = Device(
    "cuda:0",
    "cuda",
    "GPU, größer",
    DeviceKind.GPU,
    "N",
    "1\n2",
    2,
    1024,
    (1024, 1024, 64),
    (9, 9, 9),
    1,
    1,
    1,
    1,
    0,
    (),
)


class Counting:
    """A connection that notes how large each message is."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.sizes: list[int] = []

    def send_bytes(self, piece: memoryview | bytes) -> None:
        self.sizes.append(len(piece))
        self._connection.send_bytes(piece)


def sent(*events: Event) -> tuple[Counting, list[Any]]:
    ours, theirs = Pipe()
    counting: Any = Counting(theirs)
    sender = threading.Thread(target=lambda: [send(counting, event) for event in events])  # a pipe holds only so much
    sender.start()
    received = [receive(ours) for _ in events]
    sender.join()
    return counting, received


def schedule(blocks: int) -> BlockSchedule:
    start = np.arange(blocks, dtype=np.int64) * 3
    return BlockSchedule(
        RunSpec("tiled", Shape(1, 1, 1), (("TILE", 16),), GPU.id),
        GPU,
        Launch((blocks, 1, 1), (1, 1, 1)),
        NO_RESOURCES,
        np.zeros(blocks, np.int32),
        start,
        start + 5,
        1,
        0.1 + 0.2,
        1 / 3,
    )


@pytest.mark.parametrize(
    "event",
    [
        Finished(3, "done", True),
        Progressed(1, 0, 2, "mine", 'a "word"\x1b', 1 / 3),
        WorkerReady(7, (GPU,), ""),
        MachineCodeDone(4, MachineCode("mine", "sm_90", "by NVRTC", "p" * 2**17, "s" * 2**17, source="c" * 2**17)),
    ],
)
def test_that_an_event_without_arrays_arrives_as_it_was(event: Event) -> None:
    counting, received = sent(event)
    assert received == [event]
    assert len(counting.sizes) == 1


@pytest.mark.parametrize("blocks", [1, PIECE_BYTES // 8, PIECE_BYTES // 8 + 1, 3 * PIECE_BYTES // 8 + 5])
def test_that_arrays_arrive_whole_and_in_pieces(blocks: int) -> None:
    event = ScheduleDone(4, schedule(blocks))
    counting, (found, following) = sent(event, Finished(4))
    assert following == Finished(4)
    for field in fields(BlockSchedule):
        ours, theirs = getattr(event.schedule, field.name), getattr(found.schedule, field.name)
        if isinstance(ours, np.ndarray):
            np.testing.assert_array_equal(theirs, ours, strict=True)
            assert theirs.flags.writeable
        else:
            assert theirs == ours
    assert max(counting.sizes[1:-1]) <= PIECE_BYTES
    assert sum(counting.sizes[1:-1]) == 20 * blocks


class Bomb:
    """Something that runs code where it is unpickled."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, (str(self._path),)


def test_that_what_a_worker_sends_is_never_unpickled(tmp_path: Path) -> None:
    bomb = tmp_path / "exploded"
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        ours, theirs = Pipe()
        theirs.send_bytes(pickle.dumps(Bomb(bomb), protocol))
        with pytest.raises(ValueError, match=r".*"):
            receive(ours)
    assert not bomb.exists()


def document(**changes: object) -> bytes:
    whole = {"event": "Finished", "tree": {"id": 1, "reason": "", "cancelled": False}, "arrays": [], **changes}
    return json.dumps(whole).encode()


@pytest.mark.parametrize(
    "message",
    [
        b"",
        b"null",
        b"[]",
        b"{}",
        b"\xff\xfe",
        b"[" * 200_000,
        document(event="CancelRequest"),
        document(event="Path"),
        document(event=["Finished"]),
        document(tree=None),
        document(tree={"id": 1}),
        document(tree={"id": 1, "reason": 5, "cancelled": False}),
        document(tree={"id": True, "reason": "", "cancelled": False}),
        document(tree={"id": 1, "reason": "", "cancelled": False, "other": 1}),
        document(arrays=[["x", "|O8", 1]]),
        document(arrays=[["x", "<f8", -1]]),
        document(arrays=[["x", "<f8"]]),
        document(arrays=[["x", "<f8", MOST_BYTES // 8 + 1]]),
        document(arrays=[["x", "<f8", 10**30]]),
        document(arrays=[["x", "<f8", 0]]),
        document(arrays=[["x", "<f8", 0], ["x", "<f8", 0]]),
    ],
)
def test_that_what_is_no_event_is_refused(message: bytes) -> None:
    ours, theirs = Pipe()
    theirs.send_bytes(message)
    with pytest.raises(ValueError, match=r".*"):
        receive(ours)


def test_that_an_event_cannot_hold_what_only_requests_hold() -> None:
    """A kernel names files to read; nothing that a worker sends may."""
    kernel = load_catalogue().get("tiled")
    ours, theirs = Pipe()
    theirs.send_bytes(document(event="Job", tree={"kernel": str(kernel.path), "params": []}))
    with pytest.raises(ValueError, match="no document"):
        receive(ours)
    assert Job not in Event.__args__


@pytest.mark.parametrize("piece", [b"", b"1234567", b"123456789"])
def test_that_a_piece_of_another_length_is_refused(piece: bytes) -> None:
    ours, theirs = Pipe()
    theirs.send_bytes(document(arrays=[["x", "<f8", 1]]))
    theirs.send_bytes(piece)
    with pytest.raises(ValueError, match="too short"):
        receive(ours)


def test_that_an_end_amid_an_array_is_an_end() -> None:
    ours, theirs = Pipe()
    theirs.send_bytes(document(arrays=[["x", "<f8", 2]]))
    theirs.close()
    with pytest.raises(EOFError):
        receive(ours)

"""When blocks are looked at for endless loops: one that is soon done never, one that runs for long ever more rarely."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gemmviz.machine import layout
from gemmviz.machine.loops import loop_watch
from gemmviz.machine.loops.loop_watch import LoopWatch


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Any:
    made = SimpleNamespace(now=100.0)
    monkeypatch.setattr(loop_watch, "time", SimpleNamespace(monotonic=lambda: made.now))
    return made


def test_that_a_short_block_is_never_looked_at(clock: Any) -> None:
    block = np.zeros(layout.SITE_RANGES, np.uint8)
    asks = block[layout.LOOKS : layout.LOOKS + 4].view(np.int32)
    watch = LoopWatch(None, block, np.zeros(64, np.uint8))
    for _ in range(100):
        watch.rest()
        clock.now += 0.09
        watch.begin()
        assert not asks[0]


def test_that_looks_at_a_long_block_come_ever_more_rarely_and_end_with_it(clock: Any) -> None:
    block = np.zeros(layout.SITE_RANGES, np.uint8)
    asks = block[layout.LOOKS : layout.LOOKS + 4].view(np.int32)
    watch = LoopWatch(None, block, np.zeros(64, np.uint8))
    begun, looks, began = [], [], clock.now
    watch.rest()
    while clock.now < began + 20.0:
        clock.now += 0.05
        watch.begin()
        if asks[0]:
            begun.append(clock.now - began)
            looks.append(watch._left)
            watch._left, asks[0] = 0, 0  # it has looked as often as it may
    pauses = np.diff([0.0, *begun])
    assert pauses[0] == pytest.approx(0.1, abs=0.06)
    assert list(pauses) == sorted(pauses)
    assert looks[:3] == [8, 16, 32]
    assert set(looks[2:]) == {32}
    assert len(begun) < 10
    clock.now += 10.0
    watch.begin()
    assert asks[0]
    watch.rest()
    assert not asks[0]

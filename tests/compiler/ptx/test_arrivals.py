"""Barriers at which threads arrive and do not wait are told from barriers that wait and from mbarriers."""

from __future__ import annotations

import pytest

from gemmviz.compiler.ptx.arrivals import uses_arrivals


@pytest.mark.parametrize(
    ("text", "is_there"),
    [
        ('asm volatile("bar.arrive 1, 512;");', True),
        ("barrier.cta.arrive.aligned 2, 256;", True),
        ("barrier.arrive 2, 256;", True),
        ("bar.sync 1, 512;", False),
        ("mbarrier.arrive.shared.b64 _, [%r1];", False),
        ("barrier.cluster.arrive;", False),
    ],
)
def test_that_an_arrival_without_a_wait_is_seen(text: str, is_there: bool) -> None:
    assert uses_arrivals(text) is is_there

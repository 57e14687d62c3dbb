"""Roofs in words."""

import numpy as np
import pytest

from gemmviz.domain.runs.gauges import Reading, gauges_of
from gemmviz.domain.runs.result import Session
from gemmviz.domain.runs.roof import Roof, RoofKind, Roofs
from gemmviz.domain.runs.roof_words import clock_words, day_of, rate_words, roofs_words
from gemmviz.domain.terms import StopReason


@pytest.mark.parametrize(
    ("kind", "rate", "words"),
    [
        (RoofKind.COPY, 51.32, "51.3 GB/s"),
        (RoofKind.COPY, 4210.0, "4.21 TB/s"),
        (RoofKind.FP32, 60_100.0, "60.1 TFLOP/s"),
        (RoofKind.BF16, 989_000.0, "989 TFLOP/s"),
        (RoofKind.FP32, 396.0, "396 GFLOP/s"),
    ],
)
def test_that_a_rate_has_the_unit_that_fits(kind: RoofKind, rate: float, words: str) -> None:
    assert rate_words(kind, rate) == words


def test_that_the_clock_is_told_with_what_held_it_down(session: Session) -> None:
    readings = [Reading(1755.0, 2619.0, 50.0, 690.0, 4)] * 2
    held = Roof(RoofKind.FP32, 10**9, np.ones(2), "a fixture", "none", "none", StopReason.STEADY, gauges_of(readings))
    free = Roof(RoofKind.COPY, 10**9, np.ones(2), "a fixture", "none", "none", StopReason.STEADY)
    assert clock_words(held) == "at 1\u202f755 MHz, lowered by the GPU (power limit)"
    assert clock_words(free) == ""
    roofs = Roofs(session.device, "2025-01-02T03:04:05Z", 0.0, (free, held))
    assert roofs_words(roofs).endswith(": copy 1.00 TB/s, fp32 FMA 1.00 TFLOP/s")
    assert day_of(roofs) == "2025-01-02"
    assert roofs_words(Roofs(session.device, "", 0.0, ())).endswith("none could be measured")

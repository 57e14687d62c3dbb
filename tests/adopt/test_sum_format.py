"""Which formats of 16 bits a kernel names, whose sums are compared with as much room as these need."""

from __future__ import annotations

import numpy as np
import pytest

from gemmviz.adopt.prove.evidence import Traces, is_first_near
from gemmviz.adopt.prove.sum_format import formats_in
from gemmviz.domain.terms import Element


@pytest.mark.parametrize(
    ("words", "formats"),
    [
        ({"acc", "__hfma", "A"}, {Element.HALF}),
        ({"__float2half_rn"}, {Element.HALF}),
        ({"__nv_bfloat16", "half"}, {Element.BFLOAT16, Element.HALF}),
        ({"half_rows", "hadd", "halfway"}, set()),
    ],
)
def test_that_formats_of_16_bits_are_known_by_their_names(words: set[str], formats: set[Element]) -> None:
    assert formats_in(words) == formats


def test_that_sums_in_half_are_near_where_float32_is_not() -> None:
    after, places = np.array([2.7]), np.array([0])
    near = [
        is_first_near(Traces({}, 0, after, places, {}, element), np.array([2.6]), places)
        for element in (Element.FLOAT32, Element.HALF)
    ]
    assert near == [False, True]

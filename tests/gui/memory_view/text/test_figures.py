"""The figures left of A: what the loads of a block mean, in as many words as there is room for."""

from __future__ import annotations

import re

import pytest

from gemmviz.explain.block.load_counters import LoadCounter
from gemmviz.explain.block.load_counts import LoadCounts
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.memory_view.paint.looks import looks_of
from gemmviz.gui.memory_view.text.figures import _shortened

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.mark.parametrize("room", range(60, 220, 10))
def test_that_loads_are_told_in_one_form_whether_once_or_16_times(room: int) -> None:
    looks, forms = looks_of(LIGHT), set()
    for most in (1, 2, 4, 16):
        remarks = LoadCounts(most, most).labels("element", "loaded")
        said = _shortened(looks, LoadCounter("global memory", 8, 64, remarks), float(room))
        forms.add(re.sub(r"once|twice|\d+ times|\d+×", "", said))
    assert len(forms) == 1

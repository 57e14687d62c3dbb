"""The size at which a description is checked first."""

from __future__ import annotations

from gemmviz.adopt.prove.grid import Cover
from gemmviz.adopt.prove.meaning import Meaning
from gemmviz.adopt.prove.sizes.base_size import base_size
from gemmviz.domain.kernels.call import Storage
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Element, Layout

_STORED = (Storage(Element.FLOAT32, Layout.ROW),) * 4


def test_that_blocks_of_whole_rows_make_no_size_that_takes_minutes() -> None:
    square = Meaning(("A", "B", "C", "K"), _STORED, "M", "N", {"M": 640, "N": 640, "K": 640}, adds_to_c=False)
    assert base_size(Cover(128, 640, ((128, 0),), flat=128 * 640), square, {}) == Shape(256, 256, 256)


def test_that_elements_taken_as_they_come_divide_the_columns() -> None:
    apart = Meaning(("A", "B", "C", "M", "N", "K"), _STORED, "M", "N", {"M": 512, "N": 768, "K": 640}, adds_to_c=False)
    assert base_size(Cover(1, 256, ((0, 256),), flat=256), apart, {}).n % 256 == 0


def test_that_a_size_beside_a_large_fixed_one_has_few_steps() -> None:
    meaning = Meaning(("A", "B", "C", "M", "K"), _STORED, "M", "N", {"M": 512, "N": 4096, "K": 640}, adds_to_c=False)
    cover = Cover(16, 16, ((0, 16), (16, 0)))
    assert base_size(cover, meaning, {"N": 4096}) == Shape(32, 4096, 128)
    assert base_size(cover, meaning, {"N": 96}) == Shape(64, 96, 128)

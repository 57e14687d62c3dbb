"""Tagged inputs: a copy says where it comes from, and nothing else is mistaken for one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from gemmviz.domain.recordings.access import OTHER, PADDING, UNWRITTEN
from gemmviz.domain.shape import Shape
from gemmviz.trace import tags
from gemmviz.trace.tags import MOST_ELEMENTS, UNWRITTEN_BITS, TagRefusal, decode, tagged

LEAST = int(tagged(Shape(1, 1, 1), backwards=False).a.view(np.uint32)[0, 0])
SHAPES = st.builds(Shape, st.integers(1, 9), st.integers(1, 9), st.integers(1, 9))
WORDS = hnp.arrays(np.uint32, 16, elements=st.one_of(st.integers(LEAST, LEAST + 99), st.integers(0, 2**32 - 1)))


@given(SHAPES)
def test_that_every_element_decodes_to_itself(shape: Shape) -> None:
    both = [tagged(shape, backwards) for backwards in (False, True)]
    for number, name in enumerate("ab"):
        words = [getattr(operands, name).view(np.uint32).ravel() for operands in both]
        origin, matrix = decode(words[0], words[1], shape)
        assert origin.tolist() == list(range(words[0].size))
        assert (matrix == number).all()


@given(SHAPES)
def test_that_no_tag_stands_for_padding_or_unwritten_memory(shape: Shape) -> None:
    for backwards in (False, True):
        operands = tagged(shape, backwards)
        words = np.concatenate([operands.a.view(np.uint32).ravel(), operands.b.view(np.uint32).ravel()])
        assert np.unique(words).size == words.size
        assert not np.isin(words, [0, UNWRITTEN_BITS]).any()


def test_that_zero_is_padding_and_the_fill_is_unwritten() -> None:
    words = np.array([[0, UNWRITTEN_BITS], [0x80000000, 0x3F800000]], np.uint32)
    origin, _ = decode(words, words, Shape(3, 4, 5))
    assert origin.tolist() == [[PADDING, UNWRITTEN], [OTHER, OTHER]]


def test_that_padding_or_the_fill_in_one_run_only_is_a_computed_value() -> None:
    first = np.array([0, UNWRITTEN_BITS, 0, 5], np.uint32)
    second = np.array([3, 7, UNWRITTEN_BITS, 0], np.uint32)
    assert (decode(first, second, Shape(3, 4, 5))[0] == OTHER).all()


@given(SHAPES, WORDS, WORDS)
def test_that_only_what_both_taggings_agree_on_is_a_copy(shape: Shape, first: np.ndarray, second: np.ndarray) -> None:
    origin, matrix = decode(first, second, shape)
    forwards, backwards = tagged(shape, False), tagged(shape, True)
    for place, word in enumerate(first):
        if origin[place] >= 0:
            one, other = ((forwards.a, backwards.a), (forwards.b, backwards.b))[matrix[place]]
            assert one.view(np.uint32).ravel()[origin[place]] == word
            assert other.view(np.uint32).ravel()[origin[place]] == second[place]


@given(SHAPES)
def test_that_a_constant_is_no_copy(shape: Shape) -> None:
    """The same bits under both taggings; only the middle element of an odd count has the same tag twice."""
    words = np.arange(LEAST, LEAST + 89, dtype=np.uint32)
    copies = np.flatnonzero(decode(words, words, shape)[0] >= 0)
    count = shape.m * shape.k
    assert copies.tolist() == ([count // 2] if count % 2 else [])


def test_that_matrices_beyond_the_tags_are_refused_with_the_numbers() -> None:
    shape = Shape(2**11, 1, 2**20 - 1)  # 2^31 - 2048 elements of A: nothing may be allocated for it
    assert shape.m * shape.k > MOST_ELEMENTS
    with pytest.raises(TagRefusal, match=rf"A of {shape} has {2**31 - 2048} elements, and at most {MOST_ELEMENTS} can"):
        tagged(shape, backwards=False)
    with pytest.raises(TagRefusal, match=r"B of .* choose a smaller size"):
        tagged(Shape(1, 2**11, 2**20 - 1), backwards=True)


def test_that_the_last_tag_is_below_the_fill() -> None:
    assert MOST_ELEMENTS < (UNWRITTEN_BITS & 0x7FFFFFFF)


def test_that_of_many_elements_the_last_tag_is_below_the_fill(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tags, "MOST_ELEMENTS", LEAST + 50)
    words = tagged(Shape(10, 9, 10), backwards=False).a.view(np.uint32)
    assert (int(words.min()), int(words.max())) == (LEAST - 49, LEAST + 50)
    assert decode(words, tagged(Shape(10, 9, 10), backwards=True).a.view(np.uint32), Shape(10, 9, 10))[0].tolist() == [
        list(range(10 * row, 10 * row + 10)) for row in range(10)
    ]


@given(SHAPES, st.integers(1, 40))
def test_that_sums_of_products_are_no_copies_and_not_zero(shape: Shape, terms: int) -> None:
    sums = []
    for backwards in (False, True):
        operands = tagged(shape, backwards)
        with np.errstate(over="ignore"):
            sums.append(np.float32(0) + operands.a[0, 0] * operands.b[0, 0])
            for _ in range(terms):
                sums[-1] += operands.a[-1, -1] * operands.b[-1, -1]
    words = np.array(sums, np.float32).view(np.uint32)
    assert decode(words[:1], words[1:], shape)[0].tolist() == [OTHER]


def test_that_as_many_elements_as_there_are_tags_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tags, "MOST_ELEMENTS", 9)
    assert tagged(Shape(3, 3, 3), False).a.shape == (3, 3)
    with pytest.raises(TagRefusal, match="B of 2x4x3 has 12 elements, and at most 9"):
        tagged(Shape(2, 4, 3), False)

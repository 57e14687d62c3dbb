"""What tooltips say of the field's terms in a text."""

from __future__ import annotations

from gemmviz.catalogue.term_words import explained, explained_evidence, with_terms


def test_that_each_term_of_a_text_has_a_line_in_the_order_of_the_text() -> None:
    lines = explained("SASS of the multiprocessors, and their occupancy").split("\n")
    begins = "SASS is the machine code", "A multiprocessor is the part of a GPU", "Occupancy is how full"
    assert all(map(str.startswith, lines, begins)), lines


def test_that_a_name_stands_before_a_sentence_that_has_it_not() -> None:
    assert explained("streaming multiprocessor").startswith("streaming multiprocessor: A multiprocessor is")


def test_that_two_names_of_one_entry_are_explained_each_by_its_own_sentence() -> None:
    lines = explained("median and IQR").split("\n")
    assert lines[0].startswith("The median is the middle sample")
    assert lines[1].startswith("IQR, the interquartile range, is the spread")
    assert explained("below its bound").startswith("The bound is the largest error"), (
        "not what it means in another term"
    )


def test_that_plurals_and_capitals_are_the_term_and_parts_of_words_are_not() -> None:
    assert explained("Warps").startswith("A warp is a group of 32 threads")
    assert explained("warped, a swarp") == ""


def test_that_a_term_is_explained_once_and_no_tooltip_explains_more_than_a_few() -> None:
    assert explained("warp, warps, Warp").count("\n") == 0
    assert len(explained("warp, bank, tile, roof, grid", most=2).split("\n")) == 2


def test_that_words_of_everyday_are_not_explained() -> None:
    assert explained("the line of the kernel that was recorded on this device") == ""


def test_that_a_tooltip_without_terms_stays_as_it_is() -> None:
    assert with_terms("Save the file", "Save the file") == "Save the file"
    assert with_terms("Shown", "wavefronts").startswith("Shown\n\nA wavefront is one pass of a request")


def test_that_where_figures_come_from_is_explained() -> None:
    assert explained_evidence("measured, derived").split("\n")[0] == "A measured figure comes from a clock or a sensor."
    assert explained_evidence("") == ""


def test_that_the_terms_a_learner_meets_after_a_run_are_explained() -> None:
    met = "IQR, TFLOP/s, u·G, swizzle, sectors per request, wavefront, PTX machine, SASS, occupancy, roofline, padding"
    for term in met.split(", "):
        assert explained(term), term


def test_that_a_sentence_on_a_parameter_in_capitals_is_not_taken_for_the_meaning_of_the_term() -> None:
    assert explained("its tiles").startswith("A tile is a small piece of A or B")

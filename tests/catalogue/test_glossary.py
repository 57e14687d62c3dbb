"""The glossary as the window reads it."""

from __future__ import annotations

import pytest

from gemmviz.catalogue.glossary import GlossaryTerm, load_glossary, marked_parts, read_glossary

MOST_WORDS = 25
PAGE = """# Glossary
## Time
| term | meaning |
|---|---|
| cold, `hot` | Caches *overwritten*; see [the record](RECORD.md). In code and JSON: `cold`. |
| error | max of \\|C - R\\| |

Words between.

## Hazards

| term | formula |
|---|---|
| race | two threads |
"""


def test_that_rows_are_terms_with_their_chapter_and_headings_are_none() -> None:
    cold, error, race = read_glossary(PAGE)
    assert (cold.name, cold.meaning, cold.chapter) == ("cold, hot", "Caches *overwritten*; see the record.", "Time")
    assert cold.plain_meaning == "Caches overwritten; see the record."
    assert error.meaning == "max of |C - R|"
    assert (race.name, race.chapter) == ("race", "Hazards")


def test_that_a_term_is_found_by_words_of_its_name_meaning_and_chapter() -> None:
    cold = read_glossary(PAGE)[0]
    assert cold.has("HOT caches time")
    assert not cold.has("hot race")
    assert cold.is_named("hot")
    assert not cold.is_named("caches")


@pytest.mark.parametrize("words", ["end to end", "end-to-end", "End-To End"])
def test_that_a_term_is_found_with_hyphens_and_without(words: str) -> None:
    for name in ("end-to-end time", "end to end time"):
        assert GlossaryTerm(name, "", "").is_named(words)
        assert GlossaryTerm("", name, "").has(words)


@pytest.mark.parametrize("words", ["stale", "bytes spilled", "asked"])
def test_that_words_of_the_window_are_in_the_glossary(words: str) -> None:
    assert any(term.is_named(words) for term in load_glossary())


def test_that_code_and_emphasis_are_told_apart_and_a_product_is_neither() -> None:
    assert marked_parts("a `b*c*` *d e* f * g * h") == (
        ("a ", ""),
        ("b*c*", "`"),
        (" ", ""),
        ("d e", "*"),
        (" f * g * h", ""),
    )


def test_that_every_row_of_the_page_is_a_term_with_a_meaning() -> None:
    terms = load_glossary()
    names = {term.name for term in terms}
    assert {"occupancy", "warp, lane", "roofline", "race", "error / u·G (max error over u·G)"} <= names
    assert all(term.name and term.meaning and term.chapter for term in terms)
    assert not names & {"term", "word"}


def test_that_the_first_sentence_of_each_entry_says_what_the_word_is_in_few_words() -> None:
    first = {term.name: term.meaning.split(". ")[0] for term in load_glossary()}
    assert {name: words for name, words in first.items() if len(words.split()) > MOST_WORDS} == {}


def test_that_each_entry_is_made_of_sentences_and_names_nothing_of_the_code() -> None:
    said = {term.name: term.plain_meaning for term in load_glossary()}
    assert {name: words for name, words in said.items() if not (words[0].isupper() and words.endswith("."))} == {}
    assert {name: words for name, words in said.items() if "In code" in words} == {}

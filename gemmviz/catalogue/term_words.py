"""What the field's terms in a text mean, each in the glossary's words: what a tooltip says to who meets one for the
first time.
"""

from __future__ import annotations

import re
from functools import cache

from gemmviz.catalogue.glossary import GlossaryTerm, load_glossary

MOST_TERMS = 5
"""Terms that one tooltip explains, at most."""
MOST_CHARACTERS = 400
"""Of the tooltip of a table's head with what its terms mean: about six lines, so that it does not cover the table."""
_EVERYDAY = re.compile(
    "in|out|lines?|box|pair|case|claim|step|frame|split|variable|version|fill|seed|site|probe|path|stages|moved|kept|merged"
    "|regrouped|dropped|added|passed|right|busy|verdict|listing|settled|session|launch|load|store|host|device|kernel|cold"
    "|hot|recorded|measured|counter|derived|modelled|emulated|refused|word|recording|half|active|acquire|release|shape"
    "|slot|CPU|GPU|XOR|preset|as fast|waited|each element|from global|into shared|all at once"
)
"""Names in the glossary that a reader takes for what they are in plain English, or whose meaning stands beside them."""
_OTHER_NAMES = {"error / u·G": "u·G", "GFLOP/s": "MFLOP/s"}
"""Another way to write some terms."""
_EVIDENCE = "Evidence"
"""The chapter on where figures come from."""
_NOTE = re.compile(r"\s*\(([^)]*)\)")
_APART = re.compile(r", |; ")
_SENTENCES = re.compile(r"(?<=[^\s.]\.)\s+")


def explained(*texts: str, most: int = MOST_TERMS) -> str:
    """A sentence on a line of its own for each of the first terms that stand in some texts as words, which says what
    it means; "" where they have none.
    """
    found: dict[tuple[str, str], str] = {}
    for match in _pattern().finditer("\n".join(texts)):
        name, entry = _name_of(match[0])
        own = _own_sentence(name, entry)
        found.setdefault((entry.name, own), own or _first_sentence(name, entry))
    return "\n".join(list(found.values())[:most])


def terms_in(*texts: str) -> tuple[GlossaryTerm, ...]:
    """The terms that stand in some texts as words, in the order in which they come first."""
    found = (_name_of(match[0])[1] for match in _pattern().finditer("\n".join(texts)))
    return tuple(dict.fromkeys(found))


def with_terms(tip: str, *texts: str) -> str:
    """A tooltip, and below it, after an empty line, what the terms in some texts mean."""
    return "\n\n".join(filter(None, (tip, explained(*texts))))


def with_few_terms(tip: str, *texts: str) -> str:
    """A tooltip of few lines: meanings of terms that would make it longer than MOST_CHARACTERS are left to the
    glossary, which has the names that stand in their place.
    """
    if len(whole := with_terms(tip, *texts)) <= MOST_CHARACTERS:
        return whole
    names = (names_of(entry.name)[0] for entry in terms_in(*texts)[:MOST_TERMS])
    return f"{tip}\n\nGlossary: {', '.join(names)}"


def explained_evidence(words: str) -> str:
    """A line for each word of where figures come from, such as "measured", in some words."""
    kinds = (entry for entry in load_glossary() if entry.chapter == _EVIDENCE and entry.name in words)
    return "\n".join(_first_sentence(entry.name, entry) for entry in kinds)


def _first_sentence(name: str, entry: GlossaryTerm) -> str:
    """What defines a term, behind its name unless the sentence has it."""
    first = _SENTENCES.split(entry.plain_meaning)[0]
    return first if name.casefold() in first.casefold() else f"{name}: {first}"


def _own_sentence(name: str, entry: GlossaryTerm) -> str:
    """The sentence of an entry with several names that speaks of this one; "" where none begins with it."""
    if len(names_of(entry.name)) == 1:
        return ""
    begins = re.compile(rf"(?:An? |The )?{_either_case(name)}\b")
    sentences = _SENTENCES.split(entry.plain_meaning)
    return next((each for each in sentences if begins.match(each)), "")


def _name_of(word: str) -> tuple[str, GlossaryTerm]:
    """The term that a word of a text is, which may begin with a capital or be a plural."""
    names = _names()
    ways = (word, word[0].lower() + word[1:])
    return next(names[way] for way in (*ways, *(way[:-1] for way in ways)) if way in names)


@cache
def _names() -> dict[str, tuple[str, GlossaryTerm]]:
    """The entry of each name, and how the glossary writes it."""
    found: dict[str, tuple[str, GlossaryTerm]] = {}
    for entry in load_glossary():
        for name in names_of(entry.name):
            for written in filter(None, (name, _OTHER_NAMES.get(name))):
                if len(written) > 1 and not _EVERYDAY.fullmatch(written):
                    found.setdefault(written, (written, entry))
    return found


def names_of(words: str) -> tuple[str, ...]:
    """ "thread (work-item)" is named "thread"; "median, IQR, n" has three names."""
    inside = [name for note in _NOTE.findall(words) for name in _APART.split(note)]
    return *_APART.split(_NOTE.sub("", words)), *(name for name in inside if name.isupper())


@cache
def _pattern() -> re.Pattern[str]:
    """Any name as a whole word, the longest first; a capital may begin a name without one, and an s end it."""
    longest = sorted(_names(), key=len, reverse=True)
    ways = [f"{_either_case(name)}{'s?' if name[-1].isalpha() else ''}" for name in longest]
    return re.compile(rf"(?<![\w/])(?:{'|'.join(ways)})(?![\w/])")


def _either_case(name: str) -> str:
    """A pattern for a name as it is, or with the capital that begins a sentence."""
    first = f"[{name[0].upper()}{name[0]}]" if name[0].islower() else re.escape(name[0])
    return f"{first}{re.escape(name[1:])}"

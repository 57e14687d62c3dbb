"""The terms of the glossary, read from the page of the documentation that has them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from gemmviz.resources import glossary_file

_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_CELLS = re.compile(r"(?<!\\)\|")
_IN_CODE = re.compile(r" In code(?: and JSON)?: .*$")
"""The end of a meaning that is for programmers alone, who read it in the documentation."""


@dataclass(frozen=True, slots=True)
class GlossaryTerm:
    """One row of the glossary. `name` is plain text; `meaning` has `code` and *emphasis* marked as in Markdown."""

    name: str
    meaning: str
    chapter: str

    @property
    def plain_meaning(self) -> str:
        """The meaning without its marks."""
        return "".join(text for text, _ in marked_parts(self.meaning))

    def has(self, words: str) -> bool:
        """Whether each of some words is in its name, meaning or chapter, in either case, with hyphens or without."""
        said = search_form(f"{self.name} {self.plain_meaning} {self.chapter}")
        return all(word in said for word in search_form(words).split())

    def is_named(self, words: str) -> bool:
        """Whether each of some words is in its name."""
        name = search_form(self.name)
        return all(word in name for word in search_form(words).split())


def search_form(text: str) -> str:
    """A text as it is searched: in small letters, its hyphens as spaces."""
    return text.casefold().replace("-", " ")


@cache
def load_glossary() -> tuple[GlossaryTerm, ...]:
    """All terms, in the order of the page.

    Raises:
        FileNotFoundError: gemmviz is not installed whole.
    """
    return read_glossary(glossary_file().read_text(encoding="utf-8"))


def read_glossary(text: str) -> tuple[GlossaryTerm, ...]:
    """The rows of the tables of a page in Markdown, without headings and names in code; a chapter begins with ##."""
    chapter, found, is_body = "", [], False
    for line in text.splitlines():
        if line.startswith("## "):
            chapter = line.removeprefix("## ").strip()
        if not line.startswith("|"):
            is_body = False
            continue
        cells = [cell.strip().replace("\\|", "|") for cell in _CELLS.split(line)[1:-1]]
        if is_body and len(cells) == 2:
            name = "".join(part for part, _ in marked_parts(_LINK.sub(r"\1", cells[0])))
            found.append(GlossaryTerm(name, _IN_CODE.sub("", _LINK.sub(r"\1", cells[1])), chapter))
        is_body = is_body or set(line) <= set("|-: ")
    return tuple(found)


def marked_parts(text: str) -> tuple[tuple[str, str], ...]:
    """The parts of a text, each with its mark: "`" for code, "*" for emphasis, "" for neither."""
    parts = re.split(r"`([^`]*)`|\*([^*\s][^*]*)\*", text)
    found: list[tuple[str, str]] = []
    for place in range(0, len(parts), 3):
        found.append((parts[place], ""))
        if place + 2 < len(parts):
            code, emphasis = parts[place + 1], parts[place + 2]
            found.append((code, "`") if code is not None else (emphasis, "*"))
    return tuple((part, mark) for part, mark in found if part)

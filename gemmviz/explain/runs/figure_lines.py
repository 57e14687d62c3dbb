"""Figures as lines of words, value and evidence, and lines under a head."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from gemmviz.domain.terms import Evidence
from gemmviz.domain.visible_text import make_visible


class ValueTone(StrEnum):
    """How a value is written; the words say the same."""

    PLAIN = "plain"
    GOOD = "good"
    WRONG = "wrong"


BY_RULES = "Sectors and wavefronts follow from them by an NVIDIA GPU's rules."


@dataclass(frozen=True, slots=True)
class Line:
    """One figure: what it is, its value, where it comes from (None: it is not known), and what a tooltip adds."""

    words: str
    value: str
    evidence: Evidence | None
    tip: str = ""
    tone: ValueTone = ValueTone.PLAIN
    begins_group: bool = False

    def __post_init__(self) -> None:
        make_visible(self, "words", "value", "tip")

    @property
    def evidence_words(self) -> str:
        """Where the figure comes from, "" where that is not known."""
        return str(self.evidence) if self.evidence is not None else ""

    @property
    def spoken_value(self) -> str:
        """The words, the value and where it comes from, as they are read aloud."""
        return ", ".join(filter(None, (f"{self.words} {self.value}", self.evidence_words)))


@dataclass(frozen=True, slots=True)
class Section:
    """Figures under one head; `title` and `detail` say whose, `note` and what the kernel `printed` stand below."""

    head: str
    title: str
    detail: str
    lines: tuple[Line, ...] = ()
    note: str = ""
    printed: str = ""

    def __post_init__(self) -> None:
        make_visible(self, "title", "detail")

    @property
    def text(self) -> str:
        """The section for the clipboard: a line for each figure, its parts a tab apart."""
        heads = [self.head, f"{self.title}\t{self.detail}".strip()]
        lines = [f"{line.words}\t{line.value}\t{line.evidence_words}" for line in self.lines]
        return "\n".join([*filter(None, heads), *lines, *filter(None, [self.note, self.printed])])

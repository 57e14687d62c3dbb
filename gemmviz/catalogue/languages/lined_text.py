"""A text that was put together from parts of a file, with the line of the file that each of its lines stands on."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from dataclasses import dataclass

_WIDE = re.compile(r"\d{4}|\*")
_FIELD = re.compile(r"%[-+ #0]*(?P<percent>[\d.*]*)|\{[^{}\n:]*:(?P<brace>[^{}\n]*)\}")


@dataclass(frozen=True, slots=True)
class LinedText:
    """A text. `lines` has for each of its lines, counted by line feeds, the line of the file, 0 where it is on none."""

    text: str
    lines: tuple[int, ...]

    @classmethod
    def unplaced(cls, text: str) -> LinedText:
        """A text whose lines are on none of the file."""
        return cls(text, (0,) * (text.count("\n") + 1))

    @classmethod
    def from_line(cls, text: str, first: int, count: int) -> LinedText:
        """A text that is written on `count` lines from line `first` on; where it has another number of lines, all but
        those of a text on one line are on none.
        """
        own = text.count("\n") + 1
        if own == count:
            return cls(text, tuple(range(first, first + count)))
        return cls(text, (first,) * own if count == 1 else (0,) * own)

    def __add__(self, other: LinedText) -> LinedText:
        """This text and another behind it. The line that both share is on the line of the part that has words there."""
        head = self.text.rpartition("\n")[2]
        shared = self.lines[-1] if head.strip() or not other.text.partition("\n")[0].strip() else other.lines[0]
        return LinedText(self.text + other.text, (*self.lines[:-1], shared, *other.lines[1:]))

    def changed_to(self, text: str) -> LinedText:
        """Another text in the place of this one: with as many lines they stand where those of this one do."""
        return LinedText(text, self.lines) if text.count("\n") + 1 == len(self.lines) else LinedText.unplaced(text)

    def stripped(self, characters: str | None, *, left: bool, right: bool) -> LinedText:
        """The text without blanks, or these characters, at its ends."""
        text, lines = self.text, self.lines
        if left:
            rest = text.lstrip(characters)
            lines = lines[text[: len(text) - len(rest)].count("\n") :]
            text = rest
        if right:
            rest = text.rstrip(characters)
            lines = lines[: rest.count("\n") + 1]
            text = rest
        return LinedText(text, lines)

    def in_place(self) -> str | None:
        """The text with empty lines before and between its lines, so that each is on its line of the file; None where
        that is not possible.
        """
        made: list[str] = []
        is_continued = False
        for line, words in zip(self.lines, self.text.split("\n"), strict=True):
            if not words.strip() and not is_continued:
                continue
            missing = line - len(made) - 1
            if line == 0 or missing < 0 or (is_continued and missing):
                return None
            made += [*[""] * missing, words]
            is_continued = words.endswith("\\")
        return "\n".join(made) + "\n"


def literals_of(node: ast.Constant, text: str) -> LinedText:
    """The text of a literal of a file with this text, or of several behind one another."""
    value, count = str(node.value), (node.end_lineno or node.lineno) - node.lineno + 1
    if count == 1 or value.count("\n") + 1 == count:
        return LinedText.from_line(value, node.lineno, count)
    whole = LinedText("", (0,))
    segment = ast.get_source_segment(text, node) or ""
    try:
        for token in tokenize.generate_tokens(io.StringIO(f"({segment})").readline):
            if token.type == tokenize.STRING:
                first, last = (node.lineno + place[0] - 1 for place in (token.start, token.end))
                part = LinedText.from_line(ast.literal_eval(token.string), first, last - first + 1)
                whole = whole + part if whole.text else part
    except (tokenize.TokenError, SyntaxError, ValueError):
        return LinedText.unplaced(value)
    return whole if whole.text == value else LinedText.unplaced(value)


def too_wide(template: str) -> bool:
    """Whether a template of `%` or `format` asks for thousands of characters for one value."""
    bare = template.replace("%%", "").replace("{{", "").replace("}}", "")
    return any(_WIDE.search(field["percent"] or field["brace"] or "") for field in _FIELD.finditer(bare))

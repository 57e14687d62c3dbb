r"""Text in which nothing hides: controls, bidi overrides, lone surrogates written out as `\x1b`, `\u202e`, `\udc80`."""

from __future__ import annotations

import re
import unicodedata

_HIDDEN = re.compile(
    "["
    "\x00-\x1f\x7f-\x9f"  # C0, DEL, C1: a terminal obeys them, XML forbids most
    "\u00ad\u061c\u180e\u200b\u200e\u200f"  # soft hyphen, marks of direction, zero width
    "\u2028\u2029\u202a-\u202e\u2060-\u206f"  # line and paragraph separators, embeddings, overrides, isolates
    "\ud800-\udfff\ufeff\ufff9-\uffff"  # what no UTF-8 has, byte order marks, annotations, noncharacters
    "\U000e0000-\U000e007f"  # tags
    "]"
)
_BESIDE_LAYOUT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
_NAMED = {0x09: r"\t", 0x0A: r"\n", 0x0D: r"\r"}
_LINES = re.compile(r"\r\n?|\n")


def visible(text: str) -> str:
    """The text in one line, each hidden character as its escape; joiners stay, emoji and scripts need them."""
    return text if _is_plain(text) else _HIDDEN.sub(_escape, text)


def visible_lines(text: str) -> str:
    """As `visible`, but lines stay lines and a tab becomes four spaces."""
    if _is_plain(text):
        return text
    return "\n".join(visible(line) for line in _LINES.sub("\n", text).replace("\t", "    ").split("\n"))


def make_visible(shown: object, *names: str) -> None:
    """Write out what is hidden in these texts of a frozen dataclass that is about to be shown; for __post_init__.

    Each becomes one line; a `tooltip` or `tip` keeps its lines.
    """
    for name in names:
        text = getattr(shown, name)
        told = visible_lines(text) if name in ("tooltip", "tip") else visible(text)
        if told != text:
            object.__setattr__(shown, name, told)


def visible_layout(text: str) -> str:
    """As `visible`, but tabs and the ends of lines stay; every character that is left is one that XML may have."""
    return _BESIDE_LAYOUT.sub(_escape, text)


_ENDS = ".!?…:)`"


def full_stop(text: str) -> str:
    """The text with a full stop at its end if it has several sentences and the last one lacks it."""
    return f"{text}." if ". " in text and text[-1] not in _ENDS else text


def sentence(text: str) -> str:
    """What a window says of a fault: "cannot write F: why. What to do" with a capital and a full stop."""
    if not text.startswith("cannot "):
        return full_stop(text)
    return f"C{text[1:]}{'' if text[-1] in _ENDS else '.'}"


def without_surrogates(text: str) -> str:
    """The text as UTF-8 can hold it: only lone surrogates are written out."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _is_plain(text: str) -> bool:
    """Whether a text is a line of ASCII in which nothing hides, as most are; told faster than by a pattern."""
    return text.isascii() and text.isprintable()


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    digits, letter = (2, "x") if code < 0x100 else (4, "u") if code < 0x10000 else (8, "U")
    return _NAMED.get(code, f"\\{letter}{code:0{digits}x}")


def has_control_characters(name: str) -> bool:
    """Whether a name holds what no report and no compiler's message can show: line breaks, tabs, escapes."""
    return any(unicodedata.category(sign) in ("Cc", "Zl", "Zp") for sign in name)

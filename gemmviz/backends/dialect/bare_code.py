"""The code of a file without what a compiler takes out before it looks at tokens.

Comments, carriage returns, the ends of continued lines, and a #pragma in front of a lone statement, which the grammar
lacks, become blanks; digraphs become the signs they stand for; numbers lose the marks between their digits. What reads
the code behind this sees one spelling of every program. Lines stay where they are, and so do columns, except in a line
that continues a word of the line before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from gemmviz.compiler.written import Piece, WrittenText

_PART = re.compile(
    r"""(?P<directive>^[ \t]*(?:\#|%:)(?:/\*.*?\*/|\\\r?\n|[^\n])*) | (?P<comment>/\*.*?\*/|//(?:\\\r?\n|[^\n])*)
    | (?P<text>\b(?:u8|[uUL])?R"(?P<mark>[^\s()\\]{0,16})\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
    | (?P<continued>\\\r?\n) | (?P<return>\r) | (?P<word>\.?\d(?:[eEpP][+-]|'(?=\w)|[\w.])*|\w+)
    | (?P<digraph><:|:>|<%|%>)""",
    re.VERBOSE | re.MULTILINE | re.DOTALL,
)
_SPLIT_WORD = re.compile(r"\w+(?:\\\r?\n\w+)+")
_CONTINUED = re.compile(r"\\\r?\n")
_DIGRAPHS = {"<:": "[ ", ":>": " ]", "<%": "{ ", "%>": " }"}
_NOT_LINES = re.compile(r"[^\n]")
_IN_DIRECTIVE = re.compile(
    r"""(?P<kept>(?:\#|%:)\s*(?:include|include_next|import|embed)\s*(?:<[^>\n]*>|"[^"\n]*")|"(?:\\.|[^"\\\n])*")
    | /\*.*?\*/ | //(?:\\\n|[^\n])*""",
    re.VERBOSE | re.DOTALL,
)
_INCLUDE = re.compile(r"\s*#\s*include\s*(?:<[^>\n]*>|\"[^\"\n]*\")(?:\\\n|\s)*$")
_PRAGMA = re.compile(r"\s*(?:#|%:)\s*pragma\b")
_IN_FRONT_OF_A_STATEMENT = re.compile(r"(?:\)|\belse|\bdo)\s*$")


def bare_code(written: WrittenText) -> WrittenText:
    """The text as the module's docstring says; a text that is bare already stays as it is."""
    if _SPLIT_WORD.search(written.text.decode("latin-1")):
        written = written.rewritten(_whole_words(written.text.decode("latin-1")))
    text = written.text.decode("latin-1")  # so that offsets are those of bytes
    bare = "".join(_bare_parts(text)).encode("latin-1")
    return replace(written, text=bare)


def _whole_words(text: str) -> Iterator[Piece]:
    """The text with the words whole that a backslash at the end of a line cuts in two; directives stay."""
    position = 0
    for match in _SPLIT_WORD.finditer(text):
        yield text[position : match.start()].encode("latin-1"), position, match.start()
        word = _CONTINUED.sub("", match[0]) + "\\\n" * match[0].count("\n")
        yield word.encode("latin-1"), match.start(), match.end()
        position = match.end()
    yield text[position:].encode("latin-1"), position, len(text)


def _bare_parts(text: str) -> Iterator[str]:
    """Parts of the bare text, each as long as what it stands for."""
    position, code = 0, ""
    for match in _PART.finditer(text):
        between = text[position : match.start()]
        code = (code + between)[-100:]
        new = _bare(match, code)
        yield between
        yield new
        code = code + new if match["directive"] is None else ";"
        position = match.end()
    yield text[position:]


def _bare(match: re.Match[str], code: str) -> str:
    """What stands for a part behind `code`, as long as the part."""
    found = match[0]
    if match["directive"] is not None:
        is_pragma_there = _PRAGMA.match(found) and _IN_FRONT_OF_A_STATEMENT.search(code)  # where the grammar knows none
        return _NOT_LINES.sub(" ", found) if is_pragma_there else _bare_directive(found)
    if match["text"] is not None:
        return found
    if match["word"] is not None:  # C has no marks between the digits of a number
        return found.replace("'", "").ljust(len(found))
    return _DIGRAPHS.get(found) or _NOT_LINES.sub(" ", found)


def _bare_directive(found: str) -> str:
    """A directive without comments; the grammar wants the end of its line right behind the last word."""
    signs = len(found) - len(found.lstrip(" \t"))
    bare = found[:signs] + "# " + found[signs + 2 :] if found.startswith("%:", signs) else found
    bare = bare.replace("\\\r\n", " \\\n").replace("\r", " ")
    bare = _IN_DIRECTIVE.sub(lambda match: match["kept"] or _blank_comment(match[0]), bare)
    if _INCLUDE.match(bare):
        bare = bare.replace("\\\n", " \n")
    words = bare.rstrip()
    if words.endswith("\\"):
        return bare
    return bare[len(words) :] + words


def _blank_comment(comment: str) -> str:
    """Blanks; a line break inside becomes the end of a continued line, if there is a sign in front to become it."""
    if "\n\n" in comment:
        return comment
    return re.sub(r"[^\n]\n", "\\\\\n", re.sub(r"[^\n](?!\n)", " ", comment))

"""A compiler's log in the words of the original file."""

from __future__ import annotations

import re
from pathlib import Path

from gemmviz.backends.base import name_for_compiler
from gemmviz.backends.dialect.bare_code import bare_code
from gemmviz.compiler.written import as_written

_PLACE = re.compile(r"(?:^|\s)(?P<file>[^\s:]+):(?P<line>\d+):(?P<column>\d+)(?:\s*<Spelling=[^>]*>)?:\s*(?P<text>.*)")
_MOST_ERRORS = 20
"""clang stops after as many by itself."""
_LINE = re.compile(r"#line (\d+)")
_SPACES = ("__private", "__global", "__local", "__generic", "__constant")
_NO_FUNCTION = re.compile(r"Cannot find symbol (\w+)")
"""Of PoCL's linker."""
_OWN = re.compile(r"\b(?:gv_|GV_)\w*")


def names_a_place(log: str) -> bool:
    """Whether a compiler's log has an error with its line, or a name: one that the source is the reason of."""
    return _NO_FUNCTION.search(log) is not None or any(
        "error" in line and _PLACE.search(line) is not None for line in log.splitlines()
    )


def all_errors(
    log: str, path: Path, written: str | None = None, compiled: str | None = None, copies: Path | None = None
) -> str:
    """`path:line:column: message` of each error in `log`, one per line; the log's first words where it names no line.

    Lines are the original file's because the translated source says so by `#line`. Columns are those of `compiled`, and
    become those of `written`, the original, where the word at fault stands in that line just once; else they are left
    out. The first line says how many more there are, 20 in all at most. `copies` is the folder with copies of the
    headers beside the original; an error in a header stands with the header's name.
    """
    errors = []
    for line in log.splitlines():
        if "error" not in line:
            continue
        match = _PLACE.search(line)
        if match is None:
            continue
        text = match["text"].removeprefix("error:").removeprefix("fatal error:").strip()
        number, column = int(match["line"]), int(match["column"])
        if written is not None and not _is_own(match["file"], path):
            errors.append(f"{_header(match['file'], path, copies)}:{number}:{column}: {text}")
            continue
        if written is not None and compiled is not None:
            originals = written.split("\n"), bare_code(as_written(written)).text.decode(errors="replace").split("\n")
            place = _place(number, column, text, originals, compiled.splitlines())
            text = _in_words(text, written)
        else:
            place = f":{number}:{column}"
        errors.append(f"{path}{place}: {text}")
    if not errors and (missing := _NO_FUNCTION.search(log)):
        return f"{path}: calls {missing[1]}, which the file does not define; a kernel may call its own functions only"
    if not errors:
        words = " ".join(log.split())
        return f"{path}: does not compile: {words[:300] or 'the compiler gives no reason'}"
    first, *others = list(dict.fromkeys(errors))[:_MOST_ERRORS]
    return "\n".join((f"{first} (and {len(others)} more)" if others else first, *others))


def _is_own(file: str, path: Path) -> bool:
    """Whether a file of a message is the source itself, which a translation names by `#line`."""
    return file in (name_for_compiler(path), "<source>", "<scratch space>") or Path(file).name.startswith("tempfile")


def _header(file: str, path: Path, copies: Path | None) -> str:
    """A header's name to a person: that of the original where the compiler saw a copy."""
    if copies is not None and Path(file).is_relative_to(copies):
        return str(path.parent / Path(file).relative_to(copies))
    return file


def _place(number: int, column: int, text: str, written: tuple[list[str], list[str]], compiled: list[str]) -> str:
    """`:line:column` in the original, given by its lines with comments and without, as far as it can be told."""
    last = min(map(len, written))
    if number < 1 or not last:
        return ""
    if number > last:  # a brace is missing at the end: what comes behind it is the translation's own
        return f":{next((at for at in range(last, 0, -1) if written[-1][at - 1].strip()), last)}"
    originals = [lines[number - 1].rstrip() for lines in written]
    original = originals[-1]
    found = [line.rstrip() for line in _lines_of(number, compiled)]
    if any(line in found for line in originals):
        return f":{number}:{column}"
    quoted = re.findall(r"'([A-Za-z_]\w*)'", text)
    there = {word for line in found if (word := _word_at(line, column - 1))}
    for word in (*quoted, *(there if len(there) == 1 else ())):
        places = [match.start() for match in re.finditer(rf"\b{re.escape(word)}\b", original)]
        if len(places) == 1:
            return f":{number}:{places[0] + 1}"
    return f":{number}"


def _lines_of(number: int, compiled: list[str]) -> list[str]:
    """The lines of the translated source that stand for one of the original."""
    found, current = [], 0
    for line in compiled:
        match = _LINE.match(line)
        if match is not None:
            current = int(match[1])
            continue
        if current == number:
            found.append(line)
        current += 1
    return found


def _word_at(line: str, start: int) -> str:
    match = re.compile(r"\b[A-Za-z_]\w*").match(line, start) if start < len(line) else None
    return match[0] if match is not None else ""


def _in_words(text: str, written: str) -> str:
    """A message without what only the translation has: address spaces that nobody wrote, and names of gemmviz' own."""
    for space in _SPACES:
        if space not in written:
            text = text.replace(space + " ", "")
    text = re.sub(r"\b_cl_(\w+)", r"\1", re.sub(r"(\w)_gv\b", r"\1", text))
    return "this does not compile" if _OWN.search(text) else text

"""What the source writes for an access, or for a barrier, of code that was compiled as written."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from gemmviz.domain.kernels.inlined_code import HELPER, helper_line
from gemmviz.domain.recordings.access import AccessKind, Site

_ASSIGNED = re.compile(r"\s*(?P<also_read>[-+*/%&|^]|<<|>>)?=(?!=)|\s*(?P<counted>\+\+|--)")
_BARRIER = re.compile(r"\b(?:__syncthreads\w*|barrier|work_group_barrier)\s*\([^()]*\)")
_MEMBER = re.compile(r"\s*(?:->|\.)\s*\w+")
_OF_POINTER = re.compile(
    r"(?:^|[-+*/%&|^=<>!(,?:;{}\[]|\b(?:return|else|do)\b|\b(?:if|while|for|switch)\s*\((?:[^()]|\([^()]*\))*\))"
    r"\s*(?P<star>\*)\s*(?=[\w(])"
)
_CAST = re.compile(r"\(\s*(?:const\s+)?[\w ]+\*\s*\)\s*")
_LOOP = re.compile(r"\bfor\s*\(")
_NAME = re.compile(r"[A-Za-z_]\w*")


def expression_of(
    site: Site, lines: Sequence[str], arrays: Collection[str] = (), variables: Collection[str] = ()
) -> tuple[str, int]:
    """The expression of a site's line that accesses memory the way the site does, and its column: "As[ty][k]" by the
    array's name, or that alone, "count", where it is one of the `variables` of the module; else one through a pointer,
    "p[t]", "other->a", "*(s + t)", that is not called like another of the `arrays`.

    "" and the site's own column where there is none or more than one.
    """
    code, spans = _spans(site, lines, arrays, variables)
    found = {_words(code, span) for span in spans}
    return (found.pop(), min(spans)[0] + 1) if len(found) == 1 else ("", site.column)


def expressions_of(
    site: Site, lines: Sequence[str], arrays: Collection[str] = (), variables: Collection[str] = ()
) -> tuple[tuple[str, int], ...]:
    """All such expressions of a line from a site's column on, and their columns, in the order in which code compiled as
    written accesses them: statement after statement, from left to right, what stands in a subscript before what it
    chooses, and what is assigned to last ("a[i] += a[j]" reads a[j], then a[i]).

    Empty where the head of a loop and its body, which runs before the head's last part, stand in one line.
    """
    code, spans = _spans(site, lines, arrays, variables)
    here = [span for span in spans if site.header or span[0] >= site.column - 1]
    loop = _LOOP.search(code)
    if loop is not None:
        head = _end_of_group(code, loop.end() - 1)
        if 0 < sum(span[0] < head for span in here) < len(here):
            return ()
    here.sort(key=lambda span: (code.count(";", 0, span[0]), _ASSIGNED.match(code, span[1]) is not None, span[1]))
    return tuple((_words(code, span), span[0] + 1) for span in here)


def _spans(
    site: Site, lines: Sequence[str], arrays: Collection[str], variables: Collection[str]
) -> tuple[str, list[tuple[int, int]]]:
    """The code of a site's line, and where expressions begin and end that access memory the way the site does."""
    line = helper_line(site.header) if site.header.startswith(HELPER) else site.line if not site.header else 0
    if not 0 < line <= len(lines):
        return "", []
    code = lines[line - 1].partition("//")[0]
    if site.array and re.search(rf"\b{re.escape(site.array)}\s*\[", code):
        return code, list(_of_name(code, site))
    if site.array in variables and (alone := list(_alone(code, site))):
        return code, alone
    others = {name for name in arrays if name and name != site.array}
    return code, [(begin, end) for name, begin, end in _through_pointers(code, site) if name not in others]


def _words(code: str, span: tuple[int, int]) -> str:
    return re.sub(r"\s+", " ", code[slice(*span)])


def barrier_in(line: int, lines: Sequence[str]) -> str:
    """What the source writes for the one barrier of a line; "" where there is none or more than one."""
    found = _BARRIER.findall(lines[line - 1].partition("//")[0]) if 0 < line <= len(lines) else []
    return found[0] if len(found) == 1 else ""


def _of_name(code: str, site: Site) -> Iterator[tuple[int, int]]:
    """Where expressions begin and end that access the array of a site by its name."""
    for match in re.finditer(rf"\b{re.escape(site.array)}\s*(?=\[)", code):
        end = _end_of_accesses(code, match.end())
        if end > match.end() and _is_done(code, end, site):
            yield match.start(), end


def _alone(code: str, site: Site) -> Iterator[tuple[int, int]]:
    """Where the name of a variable stands that is read or written without a subscript, with its members behind it."""
    for match in re.finditer(rf"(?<![\w.&>]){re.escape(site.array)}\b(?:\s*\.\s*\w+)*(?!\s*[\w(\[])", code):
        if _is_done(code, match.end(), site):
            yield match.span()


def _through_pointers(code: str, site: Site) -> Iterator[tuple[str, int, int]]:
    """Names of pointers, and where the expressions begin and end that access what they point to."""
    for match in _NAME.finditer(code):
        end = _end_of_accesses(code, match.end())
        if end > match.end() and _is_done(code, end, site):
            yield match[0], match.start(), end
    for begin in (place for place, sign in enumerate(code) if sign == "("):
        close = _end_of_group(code, begin)
        end = _end_of_accesses(code, close)
        if end > close and re.search(r"\w\s*$", code[:begin]) is None and _is_done(code, end, site):
            yield "", begin, end
    for match in _OF_POINTER.finditer(code):
        cast = _CAST.match(code, match.end())
        begin = cast.end() if cast is not None else match.end()
        name = _NAME.match(code, begin)
        end = name.end() if name is not None else _end_of_group(code, begin)
        if end > begin and _end_of_accesses(code, end) == end and _is_done(code, end, site):
            yield name[0] if name is not None else "", match.start("star"), end


def _is_done(code: str, end: int, site: Site) -> bool:
    """Whether an expression that ends at a place loads or stores as the site does."""
    assigned = _ASSIGNED.match(code, end)
    is_read = assigned is None or bool(assigned["also_read"] or assigned["counted"])
    return is_read if site.kind is AccessKind.LOAD else assigned is not None


def _end_of_accesses(code: str, begin: int) -> int:
    """Where subscripts and members end that begin at a place; members alone count behind an arrow."""
    end = begin
    while True:
        further = _end_of_subscripts(code, end)
        member = _MEMBER.match(code, further)
        if member is not None and (further > begin or "->" in member[0]):
            further = member.end()
        if further == end:
            return end
        end = further


def _end_of_group(code: str, begin: int) -> int:
    """Where the parenthesis that opens at a place is closed; `begin` where none opens or it is not closed."""
    depth = 0
    for place in range(begin, len(code)):
        depth += {"(": 1, ")": -1}.get(code[place], 0)
        if depth == 0:
            return place + 1 if place > begin else begin
    return begin


def _end_of_subscripts(code: str, begin: int) -> int:
    """Where the last of the subscripts in brackets that begin at a place ends; `begin` where one is not closed."""
    depth, end = 0, begin
    for place in range(begin, len(code)):
        sign = code[place]
        if depth == 0 and sign not in "[ \t":
            break
        depth += {"[": 1, "]": -1}.get(sign, 0)
        if sign == "]" and depth == 0:
            end = place + 1
    return end

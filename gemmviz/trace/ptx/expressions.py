"""What the source writes for an access of code that was compiled as written."""

from __future__ import annotations

import re

from gemmviz.domain.access import AccessKind, Site

_ASSIGNED = re.compile(r"\s*(?P<also_read>[-+*/%&|^]|<<|>>)?=(?!=)|\s*(?P<counted>\+\+|--)")


def expression_of(site: Site, lines: list[str]) -> str:
    """The expression of a site's line that accesses the site's array the way the site does ("As[ty][k]").

    "" where there is none or more than one.
    """
    if not site.array or not 0 < site.line <= len(lines):
        return ""
    code = lines[site.line - 1].partition("//")[0]
    found = set()
    for match in re.finditer(rf"\b{re.escape(site.array)}\s*(?=\[)", code):
        end = _end_of_subscripts(code, match.end())
        assigned = _ASSIGNED.match(code, end)
        is_read = assigned is None or bool(assigned["also_read"] or assigned["counted"])
        if end > match.end() and (is_read if site.kind is AccessKind.LOAD else assigned is not None):
            found.add(re.sub(r"\s+", " ", code[match.start() : end]))
    return found.pop() if len(found) == 1 else ""


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

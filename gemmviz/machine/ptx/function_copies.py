"""A copy of a function for each line of the kernel's file that calls it, and of a header's for each chain of calls that
leads there from one line, so that each access has its line and its chain.

A compiler that does not inline a function makes one of it, whoever calls it. Its copies are the same text under other
names; labels stay, and debug information tells of the first.
"""

from __future__ import annotations

import re

from gemmviz.machine.ptx.parse import COPY, Module, calls_of_unplaced, helper_calls, parse

MOST_COPIES = 256
"""Of a text; further functions stay as they are."""
_COPY = re.compile(
    r"^[ \t]*(?:\.(?:visible|weak|extern)\s+)*\.func\b[^{;]*?(?P<of>[\w$]+)(?P<line>\$line\d+(?:_\d+)?)"
    r"\s*\([^{;]*(?P<body>\{)",
    re.MULTILINE,
)
_ACCESSES = frozenset({"ld", "ldu", "st", "atom", "red", "cp", "ldmatrix", "stmatrix", "wmma", "bar", "barrier"})
_OWN = frozenset({"param", "local", "const"})
_ROUNDS = 16
"""The depth of calls from one header's function to the next."""


def with_copies(text: str, source_name: str) -> str:
    """A PTX text in which every function is called from one line of the file called `source_name` only. Functions whose
    address is taken, and those that call themselves, stay as they are.

    Raises:
        MachineError: a statement or a function does not end.
    """
    copies = 0
    for _ in range(_ROUNDS):
        edits, copies = _edits(parse(text, source_name, tells_chains_apart=True), copies)
        if not edits:
            break
        for start, end, words in sorted(edits, reverse=True):
            text = text[:start] + words + text[end:]
    return text


def _edits(module: Module, copies: int) -> tuple[list[tuple[int, int, str]], int]:
    """What makes the next copies, each text[start:end] and what comes in its place; and how many there are then."""
    edits: list[tuple[int, int, str]] = []
    by_name = {one.name: one for one in module.functions}
    code = re.sub(r'//[^\n]*|"[^"\n]*"', "", module.text.partition("\t.section")[0])
    accessing = _accessing(module)
    helpers = {
        name: [(one, (one.place.own_line, "")) for one in calls]
        for name, calls in helper_calls(module.functions).items()
    }
    in_headers = {
        name: [(one, (one.place.line, one.place.header)) for one in calls]
        for name, calls in calls_of_unplaced(module.functions).items()
    }
    for name, calls in (helpers | in_headers).items():
        if name not in accessing:
            continue
        names: dict[tuple[int, str], str] = {}
        for line, header in (place for _, place in calls):
            of_line = sum(other == line for other, _ in names)
            number = f"_{of_line + 1}" if of_line else ""
            names.setdefault((line, header), f"{name}{COPY}{line}{number}")
        if len(names) < 2 or any(not line for line, _ in names) or copies + len(names) > MOST_COPIES:
            continue
        names[next(iter(names))] = name
        word = re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])")
        if len(word.findall(code)) > 1 + _calls_of(name, module) + _declarations(code, name):
            continue  # its address is taken
        function = by_name[name]
        body = module.text[function.start : function.end]
        for own in [own for own in names.values() if own != name]:
            edits.append((function.end, function.end, "\n\n" + word.sub(own, body, count=1)))
            copies += 1
        for one, place in calls:
            own = names[place]
            if own != name:
                edits.append((one.start, one.end, word.sub(own, module.text[one.start : one.end], count=1)))
    return edits, copies


def _accessing(module: Module) -> set[str]:
    """The functions that access memory other than a thread's own or wait at a barrier, or call one that does."""
    calls: dict[str, set[str]] = {}
    found: set[str] = set()
    for function in module.functions:
        for statement in function.statements:
            if statement.words[0] == "call":
                calls.setdefault(function.name, set()).update(statement.operands[:2])
            elif statement.words[0] in _ACCESSES and _OWN.isdisjoint(statement.words):
                found.add(function.name)
    for _ in module.functions:
        more = {name for name, called in calls.items() if called & found} - found
        if not more:
            break
        found |= more
    return found


def _calls_of(name: str, module: Module) -> int:
    """How many calls name a function, also in functions that nobody calls."""
    return sum(
        one.words[0] == "call" and name in one.operands[:2] for each in module.functions for one in each.statements
    )


def _declarations(text: str, name: str) -> int:
    """How often a function is declared without a body."""
    return len(
        re.findall(
            rf"^[ \t]*(?:\.\w+\s+)*\.func\b[^{{;]*?(?<![\w$]){re.escape(name)}\s*(?:\([^{{;]*)?;", text, re.MULTILINE
        )
    )


def copied_bodies(text: str) -> dict[str, list[tuple[str, int]]]:
    """The copies of each function by its name: their names, and how far behind its body theirs are in the text."""
    found: dict[str, list[tuple[str, int]]] = {}
    bodies: dict[str, int] = {}
    for match in _COPY.finditer(text):
        of = match["of"]
        if of not in bodies:
            head = re.compile(rf"^[^\n;{{]*\.func\b[^{{;]*?(?<![\w$]){re.escape(of)}\s*\([^{{;]*(\{{)", re.MULTILINE)
            original = head.search(text)
            if original is None:
                continue
            bodies[of] = original.start(1)
        found.setdefault(of, []).append((of + match["line"], match.start("body") - bodies[of]))
    return found

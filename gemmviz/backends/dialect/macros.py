"""The macros of a file that hold more than arithmetic are expanded before it is parsed, so that what they do is seen.

Only what is plain: object-like and function-like macros that the file defines once, outside of any condition, without
# and ##. Constants, and arithmetic on a macro's own parameters, are left to the compiler. Lines stay where they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gemmviz.backends.dialect.written import Piece, Written

_TOKEN = re.compile(
    r"""(?P<space>\s+|\\\n|//[^\n]*|/\*.*?\*/) | (?P<text>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')
    | (?P<number>\.?\d(?:[eEpP][+-]|[\w.])*) | (?P<name>[A-Za-z_]\w*)
    | (?P<sign>\#\#|<<=|>>=|->|\+\+|--|[-+*/%&|^=!<>]=|&&|\|\||<<|>>|::|.)""",
    re.VERBOSE | re.DOTALL,
)
_DIRECTIVE = re.compile(
    r"""(?P<directive>^[ \t]*\#(?:/\*.*?\*/|\\\r?\n|[^\n])*) | /\*.*?\*/ | //[^\n]* | "(?:\\.|[^"\\\n])*"
    | '(?:\\.|[^'\\\n])*'""",
    re.VERBOSE | re.MULTILINE | re.DOTALL,
)
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_DEFINE = re.compile(r"\#\s*define\s+(\w+)(?:\(([^)]*)\))?(.*)", re.DOTALL)
_PLAIN_SIGNS = set("()+-*/%<>?:,!&|^~") | {"<<", ">>", "<=", ">=", "==", "!=", "&&", "||"}
MOST_TOKENS = 300_000
"""Tokens that all macros of a file may unfold to: a second or two of work, and a few MB of code."""
_PLAIN_CALLS = {"min", "max", "abs", "fmaf", "fma", "fminf", "fmaxf", "fabsf", "sqrtf", "expf"}


@dataclass(frozen=True, slots=True)
class _Token:
    """A token and the part of the file it stands for; `kind` is a name of _TOKEN's groups."""

    kind: str
    text: str
    start: int
    end: int


@dataclass(slots=True)
class Macro:
    """A macro of a file. `parameters` is None for one without brackets; `why_not`, if any, why it is not expanded."""

    name: str
    parameters: list[str] | None
    body: list[_Token]
    start: int
    end: int
    why_not: str = ""

    @property
    def text(self) -> str:
        return "".join(token.text for token in self.body).strip()


def macros_of(text: str) -> dict[str, Macro]:
    """The macros that a file defines, by name."""
    found: dict[str, Macro] = {}
    depth = 0
    for directive in _directives(text):
        line = _COMMENT.sub(" ", directive[0].replace("\\\r\n", " ").replace("\\\n", " ")).strip()
        word = line[1:].split(None, 1)[0] if line[1:].strip() else ""
        depth += word.startswith("if") - (word == "endif")
        names = line.split()
        if word == "undef" and len(names) > 1 and names[-1] in found:
            found[names[-1]].why_not = "it is defined anew"
        match = _DEFINE.match(line)
        if match is None:
            continue
        name, parameters, value = match.groups()
        given = None if parameters is None else [p.strip() for p in parameters.split(",") if p.strip()]
        body = _tokens(value.strip(), 0, len(value.strip()))
        macro = Macro(name, given, body, directive.start(), directive.end())
        if name in found:
            macro.why_not = "it is defined more than once"
        elif depth:
            macro.why_not = "it is defined under a condition"
        elif any("..." in p for p in given or ()) or any(t.text in ("#", "##") for t in body):
            macro.why_not = "it uses # or takes any number of arguments"
        found[name] = macro
    return found


def _directives(text: str) -> Iterator[re.Match[str]]:
    """The lines that begin with #, but not in a comment."""
    return (match for match in _DIRECTIVE.finditer(text) if match["directive"] is not None)


def _tokens(text: str, start: int, end: int) -> list[_Token]:
    return [
        _Token(match.lastgroup or "sign", match[0], match.start(), match.end())
        for match in _TOKEN.finditer(text, start, end)
    ]


def is_plain(macro: Macro, macros: dict[str, Macro]) -> bool:
    """Whether a macro is only arithmetic on numbers, on its parameters and on other plain macros."""
    return _is_plain(macro, macros, {})


def _is_plain(macro: Macro, macros: dict[str, Macro], known: dict[str, bool]) -> bool:
    """The same; `known` has the answer for every macro met before, False for one that is being looked at."""
    if macro.name not in known:
        known[macro.name] = False
        known[macro.name] = _has_plain_body(macro, macros, known)
    return known[macro.name]


def _has_plain_body(macro: Macro, macros: dict[str, Macro], known: dict[str, bool]) -> bool:
    own = set(macro.parameters or ())
    body = [token for token in macro.body if token.kind != "space"]
    for i, token in enumerate(body):
        before, after = body[i - 1] if i else None, body[i + 1] if i + 1 < len(body) else None
        if token.kind == "text" or (token.kind == "sign" and token.text not in _PLAIN_SIGNS):
            return False
        is_operand_before = before is not None and (before.kind in ("name", "number") or before.text == ")")
        if token.text in "*&" and (not is_operand_before or after is None or after.text == ")"):
            return False
        if token.kind == "name" and token.text not in own | _PLAIN_CALLS:
            other = macros.get(token.text)
            if other is None or not _is_plain(other, macros, known):
                return False
    return True


class ExpansionError(ValueError):
    """The macros of a file unfold to more code than can be worked with; the message names one of them."""


class _Expander:
    """Expands the macros of one file."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._macros = macros_of(text)
        known: dict[str, bool] = {}
        self._expanded = {
            m.name for m in self._macros.values() if not m.why_not and not _is_plain(m, self._macros, known)
        }
        self._tokens_left, self._outermost = MOST_TOKENS, ""
        self._left: set[str] = set()
        """Macros that stand somewhere as they are."""

    def pieces(self) -> list[Piece]:
        """The file as pieces; nothing changes where there is nothing to expand."""
        parts: list[tuple[re.Match[str] | None, list[Piece]]] = []
        position = 0
        for directive in [*_directives(self._text), None]:
            stop = directive.start() if directive is not None else len(self._text)
            parts.append((None, self._code(position, stop)))
            if directive is not None:
                parts.append((directive, []))
                position = directive.end()
        kept = self._kept([match[0] for match, _ in parts if match is not None])
        result: list[Piece] = []
        for match, code in parts:
            result += code
            if match is not None:
                define = _DEFINE.match(match[0].strip())
                goes = define is not None and define[1] in self._expanded and define[1] not in kept
                new = "\n" * match[0].count("\n") if goes else match[0]
                result.append((new.encode("latin-1"), match.start(), match.end()))
        return result

    def _kept(self, directives: list[str]) -> set[str]:
        """Macros whose definition must stay: those left somewhere, and what the directives that stay name."""
        kept = set(self._left)
        while True:
            more = set(kept)
            for line in directives:
                define = _DEFINE.match(line.strip())
                if define is None or define[1] in kept or define[1] not in self._expanded:
                    more |= set(re.findall(r"\w+", line)) & self._expanded - ({define[1]} if define else set())
            if more == kept:
                return kept
            kept = more

    def _code(self, start: int, end: int) -> list[Piece]:
        tokens = self._expand(_tokens(self._text, start, end), frozenset(), outermost=True)
        return [(token.text.encode("latin-1"), token.start, token.end) for token in tokens]

    def _expand(self, tokens: Sequence[_Token], hidden: frozenset[str], outermost: bool = False) -> list[_Token]:
        result: list[_Token] = []
        i = 0
        while i < len(tokens):
            token = tokens[i]
            macro = self._macros.get(token.text) if token.kind == "name" and token.text not in hidden else None
            if macro is None or (outermost and macro.start > token.start):
                result.append(token)
                i += 1
                continue
            arguments, after = _arguments(tokens, i + 1) if macro.parameters is not None else ([], i + 1)
            if arguments is None:  # the name of a function-like macro without brackets is no use of it
                result.append(token)
                i += 1
                continue
            if not self._is_to_be_expanded(macro, arguments):
                self._left.add(macro.name)
                result.append(token)
                i += 1
                continue
            if outermost:
                self._outermost = macro.name
            used = tokens[i:after]
            start, end = min(t.start for t in used), max(t.end for t in used)
            result += self._replaced(macro, arguments, hidden, start, end)
            if outermost:
                lines = "".join(t.text for t in used).count("\n")
                result.append(_Token("space", " " + "\n" * lines, start, end))
            i = after
        return result

    def _is_to_be_expanded(self, macro: Macro, arguments: list[list[_Token]]) -> bool:
        """Whether this use is: a plain macro only if it would evaluate a memory access not exactly once, or is given an
        empty argument, which the grammar does not know.
        """
        if macro.why_not or (macro.parameters is not None and len(arguments) != len(macro.parameters)):
            return False
        if macro.name in self._expanded or any(all(t.kind == "space" for t in argument) for argument in arguments):
            return True
        times = {p: sum(t.text == p for t in macro.body) for p in macro.parameters or ()}
        return any(
            times[name] != 1 and _may_touch_memory(argument)
            for name, argument in zip(macro.parameters or (), arguments, strict=True)
        )

    def _replaced(
        self, macro: Macro, arguments: list[list[_Token]], hidden: frozenset[str], start: int, end: int
    ) -> list[_Token]:
        given = {
            name: self._expand(argument, hidden)
            for name, argument in zip(macro.parameters or (), arguments, strict=True)
        }
        space = _Token("space", " ", start, end)
        self._tokens_left -= len(macro.body) + sum(map(len, given.values()))
        if self._tokens_left < 0:
            raise ExpansionError(
                f"the macro {self._outermost} unfolds to more than {MOST_TOKENS} words and signs: make it smaller"
            )
        body = [space]
        for token in macro.body:
            if token.kind == "name" and token.text in given:
                body += [space, *given[token.text], space]
            else:
                text = " " if token.kind == "space" else token.text
                body.append(_Token(token.kind, text, start, end))
        return [*self._expand(body, hidden | {macro.name}), space]


def _arguments(tokens: Sequence[_Token], position: int) -> tuple[list[list[_Token]] | None, int]:
    """The arguments in the brackets at a position and the position behind them; None where there are no brackets."""
    while position < len(tokens) and tokens[position].kind == "space":
        position += 1
    if position == len(tokens) or tokens[position].text != "(":
        return None, position
    depth = 0
    found: list[list[_Token]] = [[]]
    for i in range(position, len(tokens)):
        token = tokens[i]
        depth += (token.text in "([{") - (token.text in ")]}")
        if depth == 0:
            empty = len(found) == 1 and not any(t.kind != "space" for t in found[0])
            return ([] if empty else found), i + 1
        if depth == 1 and token.text == ",":
            found.append([])
        elif token.kind == "space":
            found[-1].append(_Token("space", " ", token.start, token.end))
        elif i > position:
            found[-1].append(token)
    return None, position


def _may_touch_memory(argument: list[_Token]) -> bool:
    signs = [token for token in argument if token.kind != "space"]
    for i, token in enumerate(signs):
        if token.text in ("[", "->", "++", "--", "=") or (token.text == "*" and (i == 0 or signs[i - 1].text == "(")):
            return True
        if token.kind == "name" and i + 1 < len(signs) and signs[i + 1].text == "(":
            return True
    return False


def expanded(written: Written) -> Written:
    """The text with its macros expanded as far as the module's docstring says.

    Raises:
        ExpansionError: there would be too much of it.
    """
    text = written.text.decode("latin-1")  # so that offsets are those of bytes
    if "define" not in text:
        return written
    return written.rewritten(_Expander(text).pieces())

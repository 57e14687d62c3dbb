"""The macros of a file that hold more than arithmetic are expanded before it is parsed, so that what they do is seen.

Only what is plain: object-like and function-like macros that the file defines once, outside of any condition, without
# and ##. Constants, and arithmetic on a macro's own parameters, are left to the compiler. Lines stay where they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from gemmviz.compiler.written import Piece, WrittenText

_RAW_TEXT = r"""\b(?:u8|[uUL])?R"(?P<mark>[^()\\\s]{0,16})\(.*?(?:\)(?P=mark)"|\Z)"""
"""A raw string: what looks like a quote, a directive or a comment within it is text. One that does not end reaches to
the end of the file, so that many of them cost no more than one."""
_TOKEN = re.compile(
    rf"""(?P<space>\s+|\\\n|//[^\n]*|/\*.*?\*/) | (?P<text>{_RAW_TEXT}|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')
    | (?P<number>\.?\d(?:[eEpP][+-]|[\w.])*) | (?P<name>[A-Za-z_]\w*)
    | (?P<sign>\#\#|<<=|>>=|->|\+\+|--|[-+*/%&|^=!<>]=|&&|\|\||<<|>>|::|.)""",
    re.VERBOSE | re.DOTALL,
)
_DIRECTIVE = re.compile(
    rf"""(?P<directive>^[ \t]*\#(?:/\*.*?\*/|\\\r?\n|[^\n])*) | /\*.*?\*/ | //[^\n]* | {_RAW_TEXT}
    | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*'""",
    re.VERBOSE | re.MULTILINE | re.DOTALL,
)
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_DEFINE = re.compile(r"\#\s*define\s+(\w+)(?:\(([^)]*)\))?(.*)", re.DOTALL)
_PLAIN_SIGNS = set("()+-*/%<>?:,!&|^~") | {"<<", ">>", "<=", ">=", "==", "!=", "&&", "||"}
_PLAIN_CALLS = {"min", "max", "abs", "fmaf", "fma", "fminf", "fmaxf", "fabsf", "sqrtf", "expf"}


MOST_LEVELS = 200
"""Of macros that are expanded within each other."""
MOST_WORK = 1_000_000
"""Tokens that are looked at, once for each level that they lie in."""


class MacroError(ValueError):
    """Macros that are not expanded: the message says why, `offset` is the byte of the file where."""

    def __init__(self, reason: str, offset: int) -> None:
        super().__init__(reason)
        self.offset = offset


@dataclass(frozen=True, slots=True)
class MacroToken:
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
    body: list[MacroToken]
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
    for directive in directives_of(text):
        line = _COMMENT.sub(" ", directive[0].replace("\\\r\n", " ").replace("\\\n", " ")).strip()
        word = line[1:].split(None, 1)[0] if line[1:].strip() else ""
        depth += word.startswith("if") - (word == "endif")
        names = line.split()
        if word == "undef" and len(names) > 1 and names[-1] in found:
            found[names[-1]].why_not = "it is redefined"
        match = _DEFINE.match(line)
        if match is None:
            continue
        name, parameters, value = match.groups()
        given = None if parameters is None else [p.strip() for p in parameters.split(",") if p.strip()]
        body = tokens_of(value.strip(), 0, len(value.strip()))
        macro = Macro(name, given, body, directive.start(), directive.end())
        if name in found:
            macro.why_not = "it is defined more than once"
        elif depth:
            macro.why_not = "it is defined under a condition"
        elif any("..." in p for p in given or ()) or any(t.text in ("#", "##") for t in body):
            macro.why_not = "it uses # or takes any number of arguments"
        found[name] = macro
    return found


def directives_of(text: str) -> Iterator[re.Match[str]]:
    """The lines that begin with #, but not in a comment or a string, with what continues them."""
    return (match for match in _DIRECTIVE.finditer(text) if match["directive"] is not None)


def tokens_of(text: str, start: int, end: int) -> list[MacroToken]:
    return [
        MacroToken(match.lastgroup or "sign", match[0], match.start(), match.end())
        for match in _TOKEN.finditer(text, start, end)
    ]


def plain_macros(macros: Mapping[str, Macro]) -> set[str]:
    """The names of the macros that are only arithmetic on numbers, on their parameters and on other plain macros."""
    named = {macro.name: names for macro in macros.values() if (names := _named(macro)) is not None}
    users: dict[str, list[str]] = {}
    for name, names in named.items():
        for other in names:
            users.setdefault(other, []).append(name)
    missing = {name: len(names) for name, names in named.items()}
    plain: set[str] = set()
    waiting = [name for name, count in missing.items() if not count]
    while waiting:  # from those that name no other on: what names itself, by whichever way, is never reached
        name = waiting.pop()
        plain.add(name)
        for user in users.get(name, ()):
            missing[user] -= 1
            if not missing[user]:
                waiting.append(user)
    return plain


def _named(macro: Macro) -> set[str] | None:
    """The names in a macro that must be plain macros for it to be one; None where it is none anyway."""
    own = {*(macro.parameters or ()), *_PLAIN_CALLS}
    body = [token for token in macro.body if token.kind != "space"]
    for i, token in enumerate(body):
        before, after = body[i - 1] if i else None, body[i + 1] if i + 1 < len(body) else None
        if token.kind == "text" or (token.kind == "sign" and token.text not in _PLAIN_SIGNS):
            return None
        is_operand_before = before is not None and (before.kind in ("name", "number") or before.text == ")")
        if token.text in "*&" and (not is_operand_before or after is None or after.text == ")"):
            return None
    return {token.text for token in body if token.kind == "name" and token.text not in own}


class _Expander:
    """Expands the macros of one file."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._macros = macros_of(text)
        plain = plain_macros(self._macros)
        self._expanded = {m.name for m in self._macros.values() if not m.why_not and m.name not in plain}
        self._left: set[str] = set()
        """Macros that stand somewhere as they are."""
        self._levels = self._work = 0

    def pieces(self) -> list[Piece]:
        """The file as pieces; nothing changes where there is nothing to expand."""
        parts: list[tuple[re.Match[str] | None, list[Piece]]] = []
        position = 0
        for directive in [*directives_of(self._text), None]:
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
        tokens = self._expand(tokens_of(self._text, start, end), frozenset(), outermost=True)
        return [(token.text.encode("latin-1"), token.start, token.end) for token in tokens]

    def _expand(
        self, tokens: Sequence[MacroToken], hidden: frozenset[str], outermost: bool = False
    ) -> list[MacroToken]:
        self._levels += 1
        self._work += len(tokens)
        if self._levels > MOST_LEVELS:
            raise MacroError(f"macros are nested more than {MOST_LEVELS} levels deep here: use fewer", tokens[0].start)
        if self._work > MOST_WORK:
            raise MacroError("macros expand to too much here: use fewer", tokens[0].start)
        result: list[MacroToken] = []
        i = 0
        while i < len(tokens):
            token = tokens[i]
            macro = self._macros.get(token.text) if token.kind == "name" and token.text not in hidden else None
            if macro is None or (outermost and macro.start > token.start):
                result.append(token)
                i += 1
                continue
            arguments, after = arguments_at(tokens, i + 1) if macro.parameters is not None else ([], i + 1)
            if arguments is None:  # the name of a function-like macro without brackets is no use of it
                result.append(token)
                i += 1
                continue
            if not self._is_to_be_expanded(macro, arguments):
                self._left.add(macro.name)
                result.append(token)
                i += 1
                continue
            used = tokens[i:after]
            start, end = min(t.start for t in used), max(t.end for t in used)
            result += self._replaced(macro, arguments, hidden, start, end)
            if outermost:
                lines = "".join(t.text for t in used).count("\n")
                result.append(MacroToken("space", " " + "\n" * lines, start, end))
            i = after
        self._levels -= 1
        return result

    def _is_to_be_expanded(self, macro: Macro, arguments: list[list[MacroToken]]) -> bool:
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
        self, macro: Macro, arguments: list[list[MacroToken]], hidden: frozenset[str], start: int, end: int
    ) -> list[MacroToken]:
        given = {
            name: self._expand(argument, hidden)
            for name, argument in zip(macro.parameters or (), arguments, strict=True)
        }
        space = MacroToken("space", " ", start, end)
        body = [space]
        for token in macro.body:
            if token.kind == "name" and token.text in given:
                body += [space, *given[token.text], space]
            else:
                text = " " if token.kind == "space" else token.text
                body.append(MacroToken(token.kind, text, start, end))
        return [*self._expand(body, hidden | {macro.name}), space]


def arguments_at(tokens: Sequence[MacroToken], position: int) -> tuple[list[list[MacroToken]] | None, int]:
    """The arguments in the brackets at a position and the position behind them; None where there are no brackets."""
    while position < len(tokens) and tokens[position].kind == "space":
        position += 1
    if position == len(tokens) or tokens[position].text != "(":
        return None, position
    depth = 0
    found: list[list[MacroToken]] = [[]]
    for i in range(position, len(tokens)):
        token = tokens[i]
        depth += (token.text in "([{") - (token.text in ")]}")
        if depth == 0:
            empty = len(found) == 1 and not any(t.kind != "space" for t in found[0])
            return ([] if empty else found), i + 1
        if depth == 1 and token.text == ",":
            found.append([])
        elif token.kind == "space":
            found[-1].append(MacroToken("space", " ", token.start, token.end))
        elif i > position:
            found[-1].append(token)
    return None, position


def _may_touch_memory(argument: list[MacroToken]) -> bool:
    signs = [token for token in argument if token.kind != "space"]
    for i, token in enumerate(signs):
        if token.text in ("[", "->", "++", "--", "=") or (token.text == "*" and (i == 0 or signs[i - 1].text == "(")):
            return True
        if token.kind == "name" and i + 1 < len(signs) and signs[i + 1].text == "(":
            return True
    return False


def code_tokens(text: str) -> list[MacroToken]:
    """The tokens of a file outside of its directives."""
    found: list[MacroToken] = []
    position = 0
    for directive in directives_of(text):
        found += tokens_of(text, position, directive.start())
        position = directive.end()
    return found + tokens_of(text, position, len(text))


def expanded(written: WrittenText) -> WrittenText:
    """The text with its macros expanded as far as the module's docstring says.

    Raises:
        MacroError: they are nested too deeply, or too much to expand.
    """
    text = written.text.decode("latin-1")  # so that offsets are those of bytes
    if "define" not in text:
        return written
    return written.rewritten(_Expander(text).pieces())

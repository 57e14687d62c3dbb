"""How many tokens the macros of a file expand to, found without expanding one.

A macro that names another twice, which names another twice, … doubles with each line what a compiler has to read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from gemmviz.compiler.macros import Macro, MacroError, MacroToken, arguments_at, code_tokens, macros_of
from gemmviz.compiler.source import CompileError, Source
from gemmviz.compiler.written import WrittenText, as_written

MOST_TOKENS = 300_000
"""Of a file with its macros expanded; a kernel of a thousand lines has about 10 000."""


@dataclass(frozen=True, slots=True)
class _Size:
    """Tokens that a macro expands to: `own` and, for each parameter in turn, so many times those of its argument."""

    own: int
    times: tuple[int, ...] = ()


@dataclass(slots=True)
class _Counter:
    """Counts the tokens of texts; `sizes` are those of the macros that were counted before."""

    macros: Mapping[str, Macro]
    sizes: dict[str, _Size] = field(default_factory=dict)

    def count(self, text: Sequence[MacroToken], parameters: Sequence[str] = ()) -> _Size:
        """The size of a text in which parameters stand for something else."""
        own, times = 0, dict.fromkeys(parameters, 0)
        waiting: list[tuple[Sequence[MacroToken], int]] = [(text, 1)]
        while waiting and own <= MOST_TOKENS:
            tokens, factor = waiting.pop()
            position = 0
            while position < len(tokens):
                token = tokens[position]
                position += 1
                if token.text in times:
                    times[token.text] = min(times[token.text] + factor, MOST_TOKENS + 1)
                    continue
                size, arguments, position = self._use(tokens, position)
                own += factor * size.own
                pairs = zip(arguments, size.times, strict=False)
                waiting += [(argument, factor * often) for argument, often in pairs if often]
        return _Size(min(own, MOST_TOKENS + 1), tuple(times.values()))

    def _use(self, tokens: Sequence[MacroToken], after: int) -> tuple[_Size, list[list[MacroToken]], int]:
        """What the token before `after` expands to, its arguments, and the position behind them."""
        token = tokens[after - 1]
        name = self._stands_for(token.text)
        if name not in self.sizes:
            return _Size(int(token.kind != "space")), [], after
        if self.macros[name].parameters is None:
            return self.sizes[name], [], after
        arguments, behind = arguments_at(tokens, after)
        return (_Size(1), [], after) if arguments is None else (self.sizes[name], arguments, behind)

    def _stands_for(self, name: str) -> str:
        """The macro with parameters that a macro of one word stands for; else the name itself."""
        first, seen = name, {name}
        while name in self.macros and self.macros[name].parameters is None:
            body = [token.text for token in self.macros[name].body if token.kind != "space"]
            if len(body) != 1 or body[0] in seen or body[0] not in self.macros or len(seen) > 100:
                return first
            name = body[0]
            seen.add(name)
        return name


def check_macros(source: Source) -> None:
    """See that the macros of a source do not grow beyond what a compiler can read.

    Raises:
        CompileError: they do; the line of the first that does.
    """
    try:
        check_expanded_size(as_written(source.text))
    except MacroError as error:
        line = source.text.encode().count(b"\n", 0, error.offset) + 1
        raise CompileError(f"{source.path}:{line}: {error}") from error


def check_expanded_size(written: WrittenText) -> None:
    """See that the macros of a file do not grow beyond what a compiler can read.

    Raises:
        MacroError: they do.
    """
    text = written.text.decode("latin-1")
    if "define" not in text:
        return
    macros = macros_of(text)
    counter = _Counter(macros)
    for macro in _inner_first(macros):
        counter.sizes[macro.name] = counter.count(macro.body, macro.parameters or ())
    code = code_tokens(text)
    if counter.count(code).own > MOST_TOKENS:
        grown = (token for token in code if token.text in macros and counter.sizes[token.text].own > MOST_TOKENS)
        first = next(grown, next((token for token in code if token.text in macros), None))
        if first is None:
            raise MacroError(f"the file has more than {MOST_TOKENS} words: use fewer", code[0].start)
        raise MacroError(f"with its macros the file has more than {MOST_TOKENS} words: use fewer", first.start)


def _inner_first(macros: Mapping[str, Macro]) -> Iterator[Macro]:
    """The macros in such an order that those a macro names come before it; where they name each other, in any."""
    done: set[str] = set()
    for first in macros:
        waiting = [(first, False)]
        while waiting:
            name, is_ready = waiting.pop()
            if is_ready:
                yield macros[name]
            elif name not in done:
                done.add(name)
                waiting.append((name, True))
                waiting += [(token.text, False) for token in macros[name].body if token.text in macros]

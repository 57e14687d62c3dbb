"""A kernel's source cut into words of a kind, line by line. No Qt; pygments is loaded with the first source."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from pathlib import PurePath
from typing import Any

from gemmviz.domain.terms import Language

MOST_CHARACTERS = 60_000
"""Longer sources are cut up this far only (some 1500 lines, 60 ms); the rest stays plain."""


class TokenKind(StrEnum):
    """What a word of a source is."""

    PLAIN = "plain"
    COMMENT = "comment"
    PREPROCESSOR = "preprocessor"
    KEYWORD = "keyword"
    TYPE = "type"
    BUILTIN = "builtin"
    NUMBER = "number"
    STRING = "string"


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a line that begins at column `start`, from 0."""

    start: int
    text: str
    kind: TokenKind


Tokens = tuple[Token, ...]
"""One line of source: its tokens joined are the line."""

LANGUAGES = {
    ".cu": Language.CUDA,
    ".cuh": Language.CUDA,
    ".cl": Language.OPENCL,
    ".py": Language.PYTHON,
    ".ptx": Language.PTX,
}

_OWN_WORDS = {
    word: kind
    for kind, words in (
        (
            TokenKind.KEYWORD,
            "__global__ __device__ __host__ __shared__ __constant__ __restrict__ __forceinline__ "
            "__launch_bounds__ __kernel __global __local __constant __private",
        ),
        (TokenKind.TYPE, "uchar ushort uint ulong half size_t"),
        (
            TokenKind.BUILTIN,
            "barrier mem_fence get_global_id get_local_id get_group_id get_global_size get_local_size "
            "get_num_groups CLK_LOCAL_MEM_FENCE CLK_GLOBAL_MEM_FENCE fma fmaf min max",
        ),
    )
    for word in words.split()
}
"""Words of CUDA C and OpenCL C that pygments does not know, or knows as something else."""


def language_of(source_name: str) -> Language:
    """The language of a file by its name; CUDA C where the name does not tell."""
    return LANGUAGES.get(PurePath(source_name).suffix.lower(), Language.CUDA)


def tokens_of(lines: Sequence[str], language: Language) -> tuple[Tokens, ...]:
    """The tokens of each line; an empty line has none. The same source is cut up once."""
    return _cut(tuple(lines), language)


def is_same_program(one: str, other: str, language: Language) -> bool:
    """Whether two sources differ in nothing but comments, a kernel's header among them, and white space."""
    if one == other:
        return True
    first, second = (
        "".join(
            "".join(token.text.split())
            for line in tokens_of([*text.split("\n"), ""], language)
            for token in line
            if token.kind is not TokenKind.COMMENT
        )
        for text in (one, other)
    )
    return first == second


@lru_cache(maxsize=8)
def _cut(lines: tuple[str, ...], language: Language) -> tuple[Tokens, ...]:
    whole, length = 0, 0
    for line in lines:
        length += len(line) + 1
        if length > MOST_CHARACTERS:
            break
        whole += 1
    found: list[list[Token]] = [[]]
    for text, kind in _words("\n".join(lines[:whole]), language):
        for number, piece in enumerate(text.split("\n")):
            if number:
                found.append([])
            if piece:
                _append(found[-1], piece, kind)
    cut = [tuple(line) for line in found[:whole]]
    plain = [(Token(0, line, TokenKind.PLAIN),) if line else () for line in lines[whole:]]
    return (*cut, *plain)


def _append(line: list[Token], text: str, kind: TokenKind) -> None:
    """Words of one kind that follow each other become one token: fewer to paint."""
    if line and line[-1].kind is kind:
        line[-1] = Token(line[-1].start, line[-1].text + text, kind)
    else:
        line.append(Token(line[-1].start + len(line[-1].text) if line else 0, text, kind))


def _words(text: str, language: Language) -> Iterator[tuple[str, TokenKind]]:
    from pygments.lexers.c_like import CudaLexer
    from pygments.lexers.ptx import PtxLexer
    from pygments.lexers.python import PythonLexer

    lexer = {Language.PYTHON: PythonLexer, Language.PTX: PtxLexer}.get(language, CudaLexer)
    # Without these two pygments drops empty lines at the start, and lines would lose their numbers.
    for pygments_kind, word in lexer(stripnl=False, ensurenl=False).get_tokens(text):
        yield word, _kind_of(pygments_kind, word, language)


def _kind_of(found: Any, word: str, language: Language) -> TokenKind:
    from pygments.token import Comment, Keyword, Literal, Name, Number, Operator, String

    if not word.strip():
        return TokenKind.PLAIN
    if language not in (Language.PYTHON, Language.PTX) and word in _OWN_WORDS and (found in Name or found in Keyword):
        return _OWN_WORDS[word]
    for kind, families in (
        (TokenKind.PREPROCESSOR, (Comment.Preproc, Comment.PreprocFile)),
        (TokenKind.COMMENT, (Comment, String.Doc)),
        (TokenKind.TYPE, (Keyword.Type,)),
        (TokenKind.KEYWORD, (Keyword, Operator.Word)),
        (TokenKind.NUMBER, (Number,)),
        (TokenKind.STRING, (String, Literal)),
        (TokenKind.BUILTIN, (Name.Builtin, Name.Decorator)),
    ):
        if any(found in family for family in families):
            return kind
    is_intrinsic = found in Name.Function and word.startswith("__")
    return TokenKind.BUILTIN if is_intrinsic else TokenKind.PLAIN

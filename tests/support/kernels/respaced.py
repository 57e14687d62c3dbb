"""The same C program with other white space, and the program in a text whatever its white space."""

from __future__ import annotations

import re

_TOKEN = re.compile(
    r"""(?P<directive>(?:^|(?<=\n))[ \t]*\#(?:/\*.*?\*/|\\\r?\n|//[^\n]*|[^\n])*\n?)
    | (?P<gap>\n|[^\S\n]+|\\\r?\n|//[^\n]*|/\*.*?\*/)
    | (?P<text>(?:u8|[uUL])?R"(?P<mark>[^\s()\\]{0,16})\(.*?\)(?P=mark)"|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')
    | (?P<word>\.?\d(?:[eEpP][+-]|'(?=\w)|[\w.])*|[A-Za-z_]\w*)
    | (?P<sign><<=|>>=|\.\.\.|->|\+\+|--|[-+*/%&|^=!<>]=|&&|\|\||<<|>>|::|\#\#|.)""",
    re.VERBOSE | re.DOTALL,
)
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_PLACE = re.compile(r"(?<=[A-Za-z_])_\d+$|(?<=\w)_\d+$")

SPACINGS = {
    "no blanks": "",
    "a line for each token": "\n",
    "comments": "/**/",
    "line comments": ' // it\'s "one"\n',
    "continued lines": " \\\n",
    "tabs": "\t\v\f\t",
}
"""What stands between two tokens, by its name; of nothing, a blank where two tokens would become one."""


def respaced(text: str, gap: str) -> str:
    """The program of `text` with `gap` between any two of its tokens; directives keep lines of their own."""
    parts: list[str] = []
    behind = ""
    for kind, token in _tokens(text):
        if kind == "directive":
            parts += ["" if not parts or parts[-1].endswith("\n") else "\n", token.rstrip("\n"), "\n"]
            behind = ""
            continue
        joins = behind and _would_join(behind, token)
        parts += [
            (" " if behind.endswith("/") and gap else "") + (gap or (" " if joins else "")) if behind else "",
            token,
        ]
        behind = token
    return "".join(parts)


def program(text: str) -> list[str]:
    """The tokens of a text, with no regard to lines; the numbers that names made by gemmviz end in are counted anew."""
    numbers: dict[str, str] = {}
    found: list[str] = []
    for kind, token in _tokens(text):
        if kind == "directive":
            line = _COMMENT.sub(" ", token.replace("\\\r\n", " ").replace("\\\n", " "))
            if line.split("#", 1)[1].split()[:1] != ["line"]:
                found += [inner for kind, inner in _tokens(line.strip()[1:])]
            continue
        if kind == "word" and _PLACE.search(token) and not token[0].isdigit():
            token = numbers.setdefault(token, _PLACE.sub(f"_{len(numbers)}", token))
        found.append(token)
    return found


def _tokens(text: str) -> list[tuple[str, str]]:
    """The directives and tokens of a text, with their kind; gaps are left out."""
    found = [(match.lastgroup or "", match[0]) for match in _TOKEN.finditer(text)]
    return [("text" if kind == "mark" else kind, token) for kind, token in found if kind != "gap"]


def _would_join(left: str, right: str) -> bool:
    match = _TOKEN.match(left + right)
    return match is None or match[0] != left or (left.endswith('"') and right[0].isidentifier())

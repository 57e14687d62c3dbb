"""The device's part of a file that has host code as well: what is for the host alone becomes blanks, in its place.

Lines and columns stay what they are. A file is cut into its top-level declarations by its brackets, without a grammar,
so that macros and extensions of the language do no harm.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

IsHeader = Callable[[str], bool]
"""Whether a header of that name is there."""

_SILENT = re.compile(
    r"""/\*.*?(?:\*/|\Z) | //[^\n]* | "(?:\\.|[^"\\\n])*" | (?<![\w'])'(?:\\.|[^'\\\n])*'""",
    re.VERBOSE | re.DOTALL,
)
_DIRECTIVE = re.compile(r"^[ \t]*#(?:\\\r?\n|[^\n])*", re.MULTILINE)
_INCLUDE = re.compile(r"[ \t]*#[ \t]*include[ \t]*(?:<(?P<angled>[^>\n]+)>|\"(?P<quoted>[^\"\n]+)\")")
_MACRO = re.compile(r"[ \t]*#[ \t]*define[ \t]+(?P<name>\w+)(?P<body>(?:\\\r?\n|[^\n])*)")
_BRACKET = re.compile(r"[(){}\[\];]")
_SCOPE = re.compile(r"(?:inline\s+)?namespace\b[\w:\s]*|extern\s*\"[^\"]*\"\s*|extern\s+(?=\Z)")
_FOR_DEVICE = ("__global__", "__device__", "__constant__", "__managed__", "__shared__")
_TYPE = re.compile(r"(?:template\s*<.*>\s*)?(?:typedef\b.*)?\b(?:struct|class|union|enum)\b", re.DOTALL)
_TEMPLATE = re.compile(r"template\s*<[^<>]*(?:<[^<>]*>[^<>]*)*>")
_IN_BRACKETS = re.compile(r"\([^()]*\)")
_TYPE_HEAD = re.compile(r"\s*(?:\w+\s+)*?(?:struct|class|union|enum)\b[^()]*\Z")
_HOST_ONLY = re.compile(
    r"(?<!cuda::)\bstd\s*::|\bcuda(?:Malloc|Memcpy|Free|Event_t|Stream_t|Error_t)\w*|\bcublas\w+|<<<"
)
_KEPT_STATEMENT = re.compile(r"\b(?:typedef|using|namespace|static_assert|constexpr|const|struct|class|union|enum)\b")
_CALLED = re.compile(r"\b(?P<name>\w++)\s*+(?:<[^;(){}]{0,300}>\s*)?\(")
_NAMED_FUNCTION = re.compile(r"\b(\w++)\s*+\(")
_WORD = re.compile(r"[A-Za-z_]\w*")
_USE = re.compile(r"\s*([A-Za-z_]\w*)\s*\(")

BUILT_IN = frozenset(
    {
        "cuda_runtime.h",
        "cuda_runtime_api.h",
        "device_launch_parameters.h",
        "device_functions.h",
        "vector_types.h",
        "vector_functions.h",
        "builtin_types.h",
        "host_defines.h",
        "driver_types.h",
        "cuda_device_runtime_api.h",
    }
)
"""Headers whose contents a compiler of device code knows without them, and which are for the host besides."""
_FOR_HOST = frozenset(
    {
        "channel_descriptor.h",
        "cudaProfilerTypedefs.h",
        "cuda_gl_interop.h",
        "driver_functions.h",
        "thrust/device_vector.h",
        "thrust/host_vector.h",
    }
)
"""Headers of the toolkit that declare nothing for device code, and that its compiler does not take."""
MOST_ITEMS = 20_000
_LONGEST_HEAD = 4000
"""Characters of a declaration in front of its body that are looked at."""


@dataclass(frozen=True, slots=True)
class DeviceCode:
    """A text without host code, of the same length; `left_out` are the includes that are not there, by their lines."""

    text: str
    left_out: tuple[tuple[int, str], ...] = ()


@dataclass(slots=True)
class _Item:
    """A declaration from `start` to `end`; `head` is what stands in front of its body or its end, without comments.

    `name` is that of a host function or variable, which stays where device code uses it.
    """

    start: int
    end: int
    head: str
    has_body: bool
    is_kept: bool = False
    name: str = ""


def device_code(text: str, is_header: IsHeader) -> DeviceCode:
    """The device's part of a file: host functions, variables, instantiations, and includes of headers that are not
    there become blanks. A function of the host that device code calls stays, since a compiler may take it for both.
    """
    silent = _blanked(text, [(m.start(), m.end()) for m in _SILENT.finditer(text) if not m[0].startswith('"')])
    quiet = _blanked(silent, [(m.start(), m.end()) for m in _SILENT.finditer(silent)], keep_ends=True)
    directives = list(_DIRECTIVE.finditer(silent))
    left_out, dropped = _includes(text, directives, is_header)
    bare = _blanked(quiet, [match.span() for match in directives])
    for_device = _macros_for_device(directives)
    marks = frozenset((*_FOR_DEVICE, *for_device))
    items = list(_items(bare, 0, len(bare), frozenset(name for name, is_whole in for_device.items() if is_whole)))
    for item in items:
        _judge(item, bare[item.start : item.end], marks)
    _keep_what_is_used(items, bare, directives)
    gone = [(item.start, item.end) for item in items if not item.is_kept]
    inside = [match.span() for match in directives]
    return DeviceCode(_blanked(text, [*_without(gone, inside), *dropped]), tuple(left_out))


def _includes(
    text: str, directives: Sequence[re.Match[str]], is_header: IsHeader
) -> tuple[list[tuple[int, str]], list[tuple[int, int]]]:
    """The includes that are not there, and the places of those that go."""
    left_out, places = [], []
    for directive in directives:
        match = _INCLUDE.match(text, directive.start(), directive.end())
        if match is None:
            continue
        name = (match["angled"] or match["quoted"]).strip()
        if name in BUILT_IN or name in _FOR_HOST:
            places.append(directive.span())
        elif not is_header(name):
            places.append(directive.span())
            left_out.append((text.count("\n", 0, directive.start()) + 1, name))
    return left_out, places


def _macros_for_device(directives: Sequence[re.Match[str]]) -> dict[str, bool]:
    """Macros that stand for a mark such as `__device__`, and whether each is a whole function with its body."""
    found: dict[str, bool] = {}
    for match in (match for one in directives if (match := _MACRO.match(one[0])) is not None):
        body, used = match["body"], [name for name in _WORD.findall(match["body"]) if name in found]
        if used or any(mark in body for mark in _FOR_DEVICE):
            is_whole = body.rstrip().endswith("}") or (body.rstrip().endswith(")") and any(map(found.get, used)))
            found[match["name"]] = is_whole
    return found


def _items(text: str, start: int, end: int, whole: frozenset[str]) -> Iterator[_Item]:
    """The declarations of a stretch of text, those within namespaces and `extern "C"` one by one. Uses of the macros
    that make a `whole` function end with their brackets.
    """
    at, opened, body, depth = start, start, -1, 0
    count = 0
    for match in _BRACKET.finditer(text, start, end):
        sign, place = match[0], match.start()
        if sign in "([{":
            if sign == "{" and depth == 0:
                head = text[at:place].strip()
                if _SCOPE.fullmatch(head):
                    at = place + 1
                    continue
                if body < 0:
                    body = place
            depth += 1
            continue
        if sign in ")]}":
            if depth == 0:  # the end of a namespace, or a bracket too many
                at, body = match.end(), -1
                continue
            depth -= 1
            if not depth and sign == ")" and body < 0 and (used := _USE.match(text, at, place)) and used[1] in whole:
                yield _Item(used.start(1), match.end(), text[used.start(1) : place], has_body=False)
                at = match.end()
                continue
            if depth or sign != "}" or body < 0:
                continue
            head = text[at : min(body, at + _LONGEST_HEAD)]
            if _ends_with_semicolon(head):
                continue
        elif depth:
            continue
        opened = at + len(text[at:place]) - len(text[at:place].lstrip())
        if opened < match.end() and (text[opened : match.end()].strip(" \t\r\n;")):
            count += 1
            if count > MOST_ITEMS:
                return
            head = text[opened : min(body if body >= 0 else place, opened + _LONGEST_HEAD)]
            yield _Item(opened, match.end(), head, has_body=body >= 0)
        at, body = match.end(), -1


def _ends_with_semicolon(head: str) -> bool:
    """Whether what has braces after this ends behind them: a type, or something with a value."""
    plain = _IN_BRACKETS.sub("", _TEMPLATE.sub("", head))
    return bool(re.search(r"(?<![=!<>])=(?!=)", plain)) or bool(_TYPE_HEAD.match(plain))


def _judge(item: _Item, text: str, marks: frozenset[str]) -> None:
    head = item.head.strip()
    is_marked = not marks.isdisjoint(_WORD.findall(item.head))
    if re.match(r"(?:extern\s+)?template\b(?!\s*<)", head):
        return  # an explicit instantiation: what is called is instantiated by name
    if re.fullmatch(r"using\s+namespace\s+std", head):
        return
    if is_marked:
        item.is_kept = True
    elif _TYPE.match(head) and (item.has_body or "(" not in head):
        item.is_kept = not marks.isdisjoint(_WORD.findall(text)) or not _HOST_ONLY.search(text)
    elif item.has_body and "=" not in re.sub(r"\([^()]*\)", "", head):
        item.is_kept = bool(re.search(r"\bconstexpr\b", head)) and not _HOST_ONLY.search(text)
        item.name = _name_of_function(head)
    else:
        item.is_kept = bool(_KEPT_STATEMENT.search(head)) and not _HOST_ONLY.search(text)
        item.name = _name_of_function(head) or _name_of_variable(head)


def _name_of_function(head: str) -> str:
    match = _NAMED_FUNCTION.search(head)
    return match[1] if match else ""


def _name_of_variable(head: str) -> str:
    words = _WORD.findall(re.split(r"[=\[{]", head)[0])
    return words[-1] if len(words) > 1 else ""


def _keep_what_is_used(items: list[_Item], text: str, directives: Sequence[re.Match[str]]) -> None:
    """Keep functions and variables that kept code or a macro uses and that no mark says anything of."""
    named = {item.name: item for item in items if item.name and not item.is_kept and item.name != "main"}
    waiting = [text[item.start : item.end] for item in items if item.is_kept]
    words = {word for kept in waiting for word in _WORD.findall(kept)}
    macros = [(match["name"], one[0]) for one in directives if (match := _MACRO.match(one[0])) is not None]
    waiting += [macro for name, macro in macros if name in words]
    while waiting:
        for match in _CALLED.finditer(waiting.pop()):
            item = named.pop(match["name"], None)
            if item is not None and item.has_body and not _HOST_ONLY.search(text[item.start : item.end]):
                item.is_kept = True
                waiting.append(text[item.start : item.end])


def _without(spans: Sequence[tuple[int, int]], kept: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The spans without what lies in others, which are sorted."""
    for start, end in spans:
        at = start
        for first, last in kept:
            if last <= at or first >= end:
                continue
            if first > at:
                yield at, first
            at = max(at, last)
        if at < end:
            yield at, end


def _blanked(text: str, spans: Sequence[tuple[int, int]], *, keep_ends: bool = False) -> str:
    """The text with blanks in the place of some parts, line breaks kept; with `keep_ends` also their quotes."""
    parts: list[str] = []
    at = 0
    for start, end in sorted(spans):
        if end <= at:
            continue
        first = max(start, at)
        inner = re.sub(r"[^\n\r]", " ", text[first:end])
        if keep_ends and end - first >= 2:
            inner = text[first] + inner[1:-1] + text[end - 1]
        parts += [text[at:first], inner]
        at = end
    return "".join([*parts, text[at:]])

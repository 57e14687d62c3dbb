"""The launch of the host code over the parameters of a kernel: which expression it has for block, grid and memory."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, replace

from gemmviz.adopt.description import Description
from gemmviz.adopt.parameters.forms import NAMES, NUMBER, expressions_of
from gemmviz.adopt.prove.host.launch_terms import terms_of
from gemmviz.adopt.source.arithmetic import expression_in, names_in, written
from gemmviz.adopt.source.kernels import FoundKernel
from gemmviz.adopt.source.launches import FoundLaunch
from gemmviz.adopt.source.names import Names
from gemmviz.adopt.source.tree import IDENTIFIER
from gemmviz.catalogue.expressions import ExpressionError, evaluate_whole

_SIZES = ((512, 768, 640), (333, 7, 51), (255, 257, 129), (61, 1021, 13), (1, 1, 1))
"""M, N and K at which a grid must be what was proven to be taken for it."""
_MOST_LEVELS = 4
"""Of constants of a kernel's body that are computed from others."""
_MOST = 6
"""Expressions over parameters that are tried for a number of threads."""
_PLACE = "p_of_host_"
_TOKEN = re.compile(rf"{_PLACE}(\d+)|{NUMBER.pattern}")


@dataclass(frozen=True, slots=True)
class HostText:
    """A part of a launch with numbers, and what may stand for each of them."""

    text: str
    forms: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class HostExpressions:
    """The parts of a launch that are those of the host code, by their places among block, grid and shared memory.

    `open` are parameters for which the host code has one number and no name: it says nothing of other values.
    """

    line: int
    parts: Mapping[int, HostText]
    open: frozenset[str]

    def says_all_of(self, described: Description, name: str) -> bool:
        """Whether the host code says how the kernel is launched with another value of a parameter."""
        return name not in self.open and len(self.parts) == len(described.block) + len(described.grid) + 1

    def put_into(self, described: Description) -> Description:
        """The description in the words of the host code."""
        texts = [*described.block, *described.grid, described.shared_bytes]
        texts = [self.parts[at].text if at in self.parts else text for at, text in enumerate(texts)]
        blocks = len(described.block)
        return replace(described, block=tuple(texts[:blocks]), grid=tuple(texts[blocks:-1]), shared_bytes=texts[-1])


UNTOLD = HostExpressions(0, {}, frozenset())


def host_expressions(
    kernel: FoundKernel,
    launch: FoundLaunch | None,
    names: Names,
    described: Description,
    defaults: Mapping[str, int],
    leaders: Mapping[str, str],
) -> HostExpressions:
    """What the launch that was proven says of a kernel's parameters; `leaders` are those that stand for others."""
    if launch is None or launch.unread:
        return UNTOLD
    given: dict[str, str] = {name: str(names.value_of(name)) for name in names.numbers}
    given |= {name: str(value) for name, value in described.defines}
    of_template = {one.name for one in kernel.template}
    given |= {name: leaders.get(name, name) for name in (*defaults, *leaders) if name not in of_template}
    found: dict[str, set[str]] = {}
    is_open = set[str]()
    for one, text in zip(kernel.template, launch.written.template, strict=False):
        if one.name not in defaults and one.name not in leaders:
            continue
        if text.isidentifier():
            found.setdefault(text, set()).add(leaders.get(one.name, one.name))
        else:
            is_open.add(leaders.get(one.name, one.name))
    is_open |= {one for several in found.values() if len(several) > 1 for one in several}
    given |= {text: min(one) for text, one in found.items() if len(one) == 1}
    known = {name: word for name, word in given.items() if len(found.get(name, ())) <= 1}
    terms = terms_of(
        replace(
            launch,
            block=launch.written.block,
            grid=launch.written.grid,
            shared_bytes=launch.written.shared_bytes,
        ),
        described.arguments,
        {name: word if not word.isdigit() else int(word) for name, word in known.items()},
        described.storages,
    )
    own = (*described.block, *described.grid, described.shared_bytes)
    block = (*terms.block, *["1"] * len(described.block))[: len(described.block)]
    grid = (*terms.grid, *["1"] * len(described.grid))[: len(described.grid)]
    if not terms.block or not terms.grid or len(terms.block) > len(block):
        return UNTOLD
    behind = {*launch.named.shared_bytes}.union(*launch.named.block, *launch.named.grid)
    texts = " ".join((*launch.written.block, *launch.written.grid, launch.written.shared_bytes))
    if any(name in behind and name not in _names(texts) for name in given if given[name] in defaults):
        return UNTOLD  # something is computed from it in a way that was not followed
    parts: dict[int, HostText] = {}
    last = len(own) - 1
    for at, (text, mine) in enumerate(zip((*block, *grid, terms.shared_bytes), own, strict=True)):
        rounded = _rounded_up(text) if mine.startswith("ceil_div") else text
        host = _split(rounded, defaults) if text else None
        if host is None or not _is_same(host.text, mine, described):
            continue
        is_grid, is_literal = len(block) <= at < last, not any(name in defaults for name in _names(text))
        if is_literal and is_open and is_grid:
            continue  # what other values take is open
        more = (
            _of_parameters(kernel, at, int(host.text), is_open, defaults, leaders)
            if is_literal and at < len(block)
            else ()
        )
        parts[at] = HostText(host.text, ((*host.forms[0], *more),)) if more else host
    return HostExpressions(launch.line, parts, frozenset(is_open))


def _of_parameters(
    kernel: FoundKernel,
    axis: int,
    value: int,
    is_open: set[str],
    defaults: Mapping[str, int],
    leaders: Mapping[str, str],
) -> tuple[str, ...]:
    """Expressions that are the number of threads along an axis, over parameters that the host code has no names for:
    those of the kernel's source, then products and quotients, of few parameters first.
    """
    texts = [text for one, text in kernel.block_edges if one == "xyz"[axis]]
    texts += [*((kernel.bound,) if kernel.bound else ()), *kernel.threads] if axis == 0 else []
    inside = dict(kernel.constants)
    texts += [text for name, text in kernel.constants if re.search(r"(?i)thread", name)] if axis == 0 else []
    found: dict[str, None] = {}
    for text in texts:
        for _ in range(_MOST_LEVELS):
            text = IDENTIFIER.sub(lambda name: f"({inside[name[0]]})" if name[0] in inside else name[0], text)
        text = IDENTIFIER.sub(lambda name: leaders.get(name[0], name[0]), text)
        tree = expression_in(text.replace("//", "/"))
        if tree is None or not names_in(tree) or not names_in(tree) <= is_open:
            continue
        words = written(tree)
        try:
            if evaluate_whole(words, dict(defaults)) == value:
                found.setdefault(words)
        except ExpressionError:
            continue
    numbers = {name: one for name, one in defaults.items() if name in is_open}
    made = [one for one in expressions_of(value, numbers) if not NUMBER.search(one)]
    return (*found, *sorted((one for one in made if one not in found), key=lambda one: len(NAMES.findall(one))))[:_MOST]


def _names(text: str) -> set[str]:
    return {*IDENTIFIER.findall(text)}


def _split(text: str, defaults: Mapping[str, int]) -> HostText | None:
    """An expression with numbers in the place of all that depends on parameters alone; None for what has no value."""
    forms: list[str] = []

    def replaced(node: ast.AST) -> ast.AST:
        if isinstance(node, ast.expr) and (names := names_in(node)) and names <= defaults.keys():
            forms.append(written(node))
            return ast.Name(f"{_PLACE}{len(forms) - 1}")
        for name, value in ast.iter_fields(node):
            if isinstance(value, ast.expr):
                setattr(node, name, replaced(value))
            elif isinstance(value, list):
                setattr(node, name, [replaced(one) if isinstance(one, ast.expr) else one for one in value])
        return node

    try:
        tree = replaced(deepcopy(ast.parse(text, mode="eval").body))
        values = [evaluate_whole(form, dict(defaults)) for form in forms]
    except (ExpressionError, SyntaxError, ValueError, RecursionError):
        return None
    assert isinstance(tree, ast.expr)
    kept: list[tuple[str, ...]] = []

    def number(found: re.Match[str]) -> str:
        kept.append((forms[int(found[1])] if found[1] else found[0],))
        return str(values[int(found[1])]) if found[1] else found[0]

    words = _TOKEN.sub(number, written(tree))
    return HostText(words, tuple(kept)) if all(one >= 0 for one in values) else None


def _rounded_up(text: str) -> str:
    """A division that is rounded up: at sizes that it divides both are the same."""
    tree = ast.parse(text, mode="eval").body if text else None
    if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.FloorDiv):
        return written(ast.Call(ast.Name("ceil_div"), [tree.left, tree.right], []))
    return text


def _is_same(host: str, mine: str, described: Description) -> bool:
    """Whether two expressions over M, N and K have the same values at sizes that a description allows."""
    multiples = {rule.dimension: rule.multiple for rule in described.rules}
    try:
        for one in _SIZES:
            known = {
                name: -(-size // multiples.get(name, 1)) * multiples.get(name, 1)
                for name, size in zip("MNK", one, strict=True)
            }
            for name, other in described.equal:
                known[name] = known[other] = known[name] * known[other]
            if evaluate_whole(host, known) != evaluate_whole(mine, known):
                return False
    except ExpressionError:
        return False
    return True

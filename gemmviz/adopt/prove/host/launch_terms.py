"""A launch in host code in the terms of a description: over M, N and K instead of the variables of its function."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from gemmviz.adopt.propose.roles import DIMENSIONS
from gemmviz.adopt.prove.host.given_sizes import lessened_sizes, names_of_sizes, stepped_sizes
from gemmviz.adopt.prove.host.positive_sizes import truth_for_sizes
from gemmviz.adopt.prove.host.tensor_sizes import sizes_of_tensors
from gemmviz.adopt.source.arithmetic import names_in, written
from gemmviz.adopt.source.launches import FoundLaunch
from gemmviz.adopt.source.tree import IDENTIFIER
from gemmviz.domain.kernels.call import Storage


@dataclass(frozen=True, slots=True)
class LaunchTerms:
    """The parts of a launch as expressions over M, N and K; "" for what is none. `traced` is what variables
    among the arguments are computed from.

    `given` are what the launch gives for M, N and K: names of its function, and the values of constants.
    """

    launch: FoundLaunch
    block: tuple[str, ...]
    grid: tuple[str, ...]
    shared_bytes: str
    arguments: tuple[str, ...]
    traced: tuple[str, ...]
    given: tuple[tuple[str, str], ...]
    conditions: tuple[str, ...] = ()
    """Of those that depend on sizes, "" for one that cannot be read."""
    of_tensors: tuple[tuple[int, str], ...] = ()
    """Arguments for M, N or K that are computed from the sizes of the tensors it gives, by their places."""

    by_name: tuple[tuple[str, str], ...] = ()
    """Variables of its grid that the kernel is not given, and the sizes that they are taken for."""

    assumed: tuple[tuple[str, str], ...] = ()
    """Variables that it gives the kernel and whose values only the caller knows, and the numbers that were tried."""

    computed: frozenset[int] = frozenset()
    """The places of arguments for M, N or K that it computes, where it gives that size itself for another parameter."""

    lessened: tuple[int, ...] = ()
    """The places of arguments for M, N or K that are computed from a variable of that name, and may be less."""

    @property
    def constants(self) -> dict[str, int]:
        """The sizes that are constants of the launch."""
        return {name: int(text) for name, text in self.given if text.isdigit()}

    @property
    def exchanged(self) -> list[str]:
        """The sizes that are called as another one is: "K for N"."""
        return [f"{text} for {word}" for word, text in self.given if text in {*DIMENSIONS} - {word}]

    def exchanged_by_grid(self, grid: Sequence[str]) -> tuple[str, ...]:
        """M or N, and K, where the launch has this `grid` of the description with one in the place of the other, and
        gives the kernel a variable for each; () where it does not.
        """
        given = dict(self.given)
        for name in DIMENSIONS[:2]:
            other = {**dict(zip(DIMENSIONS, DIMENSIONS, strict=True)), name: "K", "K": name}
            named = [text for text in (given.get(name, ""), given.get("K", "")) if text.isidentifier()]
            turned = tuple(over_sizes(text, other) for text in self.grid)
            if self.grid != turned == tuple(grid) and len({*named}) == 2:
                return name, "K"
        return ()

    @property
    def is_for_equal_sizes(self) -> bool:
        """Whether one variable is given for several sizes."""
        texts = [text for _, text in self.given if text and not text.isdigit()]
        return len(set(texts)) < len(texts)


def terms_of(
    launch: FoundLaunch,
    words: Sequence[str],
    values: Mapping[str, int | str],
    storages: Sequence[Storage] = (),
    proven: FoundLaunch | None = None,
) -> LaunchTerms:
    """A launch over M, N and K. `words` are what the kernel's parameters stand for, `values` those of names that are
    known from elsewhere, as of the arguments of a template, or what stands for them, `storages` how A, B, C and D lie
    in memory, `proven` the launch whose names for M, N and K are those of the others, too.
    """
    tensors = sizes_of_tensors(launch, words, storages)
    traced = (*launch.traced, *("" for _ in launch.arguments))
    sized = [
        (place, text, found)
        for place, (text, behind, word) in enumerate(zip(launch.arguments, traced, words, strict=False))
        if word in DIMENSIONS and (found := over_sizes(behind or text, tensors)) and not found.isdigit()
    ]
    named_sizes = names_of_sizes(proven, words)
    stepped = stepped_sizes(launch, words, named_sizes)
    computed = _computed_again(launch, words) | frozenset(stepped)
    named = {text for place, text in enumerate(launch.arguments) if place not in computed}
    meant = meaning_of_names(launch, words)
    meant = {text: word for text, word in meant.items() if text in named or text not in launch.arguments}
    meant |= {name: named_sizes[name] for name in stepped.values()}
    meant |= tensors | {text: found for _, text, found in sized}
    known = {name: str(value) for name, value in values.items() if name not in meant}
    by_name = _sizes_by_name(launch, {**known, **meant})
    meant |= by_name

    def said(text: str) -> str:
        return over_sizes(text, {**known, **meant})

    return LaunchTerms(
        launch,
        tuple(said(one) for one in launch.block),
        tuple(said(one) for one in launch.grid),
        said(launch.shared_bytes),
        tuple(said(one) for one in launch.arguments),
        tuple(said(one) for one in launch.traced),
        sizes_given(launch, ["" if place in computed else word for place, word in enumerate(words)]),
        tuple(said(one.words) for one in launch.conditions if any(_is_in(text, one.names) for text in meant)),
        tuple((place, found) for place, _, found in sized),
        tuple(by_name.items()),
        tuple(
            (text, word)
            for text, behind, word in zip(launch.arguments, traced, words, strict=False)
            if word.isdigit() and text.isidentifier() and text not in ("null", *values) and not behind
        ),
        computed,
        tuple(place for place in lessened_sizes(launch, words) if place not in computed),
    )


def _computed_again(launch: FoundLaunch, words: Sequence[str]) -> frozenset[int]:
    """The places of arguments for M, N or K that are constants, or computed as `(K + parts - 1) / parts` is, where a
    variable is given for that size, too; not those of copies of that variable.
    """
    traced = (*launch.traced, *("" for _ in launch.arguments))
    given = [*zip(launch.arguments, traced, words, strict=False)]
    plain = {text: word for text, behind, word in given if word in DIMENSIONS and text.isidentifier() and not behind}
    return frozenset(
        place
        for place, (text, behind, word) in enumerate(given)
        if word in plain.values()
        and text not in plain
        and plain.get(behind) != word
        and ({*IDENTIFIER.findall(behind or text)} & {*plain} or (behind or text).isdigit())
    )


def unknown_in_grid(launch: FoundLaunch, known: Collection[str]) -> list[str]:
    """The variables of a grid that nothing tells."""
    names = {name for text in launch.grid for name in re.findall(r"[A-Za-z_][\w.]*(?!\w*\()", text)}
    return sorted(names - {*known})


def _sizes_by_name(launch: FoundLaunch, known: Mapping[str, str]) -> dict[str, str]:
    """M and N for variables of a grid that are called so, where the kernel is given no variable for them; where only
    one variable and only one of these sizes is left, such as for `batch` rows, that one, whatever it is called.
    """
    names = unknown_in_grid(launch, known)
    sizes = [size for size in DIMENSIONS[:2] if size not in known.values()]
    called = {name: name.upper() for name in names if name.upper() in sizes}
    if not called and len(names) == len(sizes) == 1:
        return {names[0]: sizes[0]}
    return called


def _is_in(text: str, names: Collection[str]) -> bool:
    """Whether an expression shares a name with others."""
    return any(name in names for name in re.findall(r"[A-Za-z_][\w.]*", text))


def meaning_of_names(launch: FoundLaunch, words: Sequence[str]) -> dict[str, str]:
    """What the arguments of a launch stand for that are sizes, or are computed from sizes: {"bs * seq": "M"}."""
    pairs = [one for one in zip(launch.arguments, words, strict=False) if one[0] and not one[0].isdigit()]
    plain = names_of_sizes(launch, words)
    computed = {
        text: word
        for text, word in reversed(pairs)
        if word not in DIMENSIONS and _is_of_sizes(word) and not {*IDENTIFIER.findall(text)} <= {*plain, "ceil_div"}
    }
    named = {name: size for text, word in pairs for name, size in _named_within(text, word)}
    return named | computed | {text: word for text, word in reversed(pairs) if word in DIMENSIONS}


def _named_within(text: str, word: str) -> Iterator[tuple[str, str]]:
    """The variable of an argument, and the size that it is where the argument stands for the same of that: n and N of
    n // 4 and N // 4.
    """
    names, sizes = ({*re.findall(r"[A-Za-z_]\w*(?!\w*\()", one)} for one in (text, word))
    if len(names) == len(sizes) == 1 and not text.isidentifier() and sizes <= {*DIMENSIONS}:
        (name,), (size,) = names, sizes
        if re.sub(rf"\b{name}\b", size, text) == word:
            yield name, size


def _is_of_sizes(word: str) -> bool:
    try:
        return bool(word) and not names_in(ast.parse(word, mode="eval").body) - {*DIMENSIONS}
    except SyntaxError:
        return False


def sizes_given(launch: FoundLaunch, words: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """What a launch gives the kernel for M, N and K: the names of variables, and the values of constants."""
    traced = (*launch.traced, *("" for _ in launch.arguments))
    given = zip(words, launch.arguments, traced, strict=False)
    texts = {word: constant if constant.isdigit() else text for word, text, constant in given if word in DIMENSIONS}
    return tuple(texts.items())


def over_sizes(text: str, meant: Mapping[str, str]) -> str:
    """An expression of a launch with other texts for parts of it, and without conditions that hold of all sizes; ""
    where names are left that are no sizes.
    """
    try:
        tree = ast.parse(text, mode="eval").body if text else None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    if tree is None:
        return ""
    try:
        found = cast(ast.expr, _Substituted(meant).visit(tree))
    except _UnknownError:
        return ""
    return written(found)


class _UnknownError(Exception):
    """A name that stands for nothing that is known."""


class _Substituted(ast.NodeTransformer):
    def __init__(self, meant: Mapping[str, str]) -> None:
        self._meant = meant

    def visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, ast.expr):
            text = self._meant.get(ast.unparse(node))
            if text is not None:
                return ast.parse(text, mode="eval").body
            if isinstance(node, ast.Name | ast.Attribute):
                raise _UnknownError
        found: ast.AST = super().visit(node)
        return found

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        test, then, otherwise = (cast(ast.expr, self.visit(one)) for one in (node.test, node.body, node.orelse))
        truth = truth_for_sizes(test)
        return ast.IfExp(test, then, otherwise) if truth is None else then if truth else otherwise

    def visit_Call(self, node: ast.Call) -> ast.AST:
        return ast.Call(node.func, [cast(ast.expr, self.visit(one)) for one in node.args], [])

"""What a kernel does with elements that random ones are not: zeros, ones, tiny and large numbers, NaN and infinity;
with alpha and beta of any size and sign; and with what earlier launches left in the variables of its file.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace

import numpy as np

from gemmviz.adopt.description import FIRST_ALPHA, FIRST_BETA, Description
from gemmviz.adopt.prove.check import Matrix, check
from gemmviz.adopt.prove.faults import no_factor_words
from gemmviz.adopt.prove.launcher import ArrayLauncher
from gemmviz.adopt.prove.machine import CompiledKernel
from gemmviz.adopt.reasons import FaultKind, Reason
from gemmviz.adopt.source.symbol_resets import reset_words
from gemmviz.domain.edge_case_factors import SPECIAL_FACTORS, edge_case_pairs
from gemmviz.domain.edge_case_magnitudes import NARROW, WIDE, spread_magnitudes
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Element
from gemmviz.machine.launch import module_memory

_NAMES, _USUAL = ("alpha", "beta"), (FIRST_ALPHA, FIRST_BETA)
_LARGEST, _LARGEST_OF_COARSE = 1024.0, 32.0
"""Elements of A and B with which a sum is far beyond 1000, and in half below 65504."""
_TINY, _TINY_OF_COARSE = 2.0**-14, 2.0**-3
"""Elements with which a sum is far below any threshold for zeros, and in half still a normal number."""
_FAR, _FAR_OF_COARSE = (2.0**-80, 2.0**40), (2.0**-10, 2.0**10)
"""Elements of one matrix far below any threshold for zeros, and of the other one with which sums are still normal."""
_LARGE, _LARGE_OF_COARSE = 1024.0, 64.0
"""An alpha or beta far beyond what is usual, and in half one with which results stay below 65504."""
_LEFT = (0x7F, 0xFF)
"""Bytes of what another launch may have left: a large number, and a negative one or NaN."""
_SPREAD_SEED = 20
_CORNERS = (0, -1)
"""The places of the elements of A and B in which a later launch differs from the one before it."""
_KEPT = "it keeps something from launch to launch"
"""How a sentence begins about a kernel whose later launches go wrong."""


@dataclass(frozen=True, slots=True)
class SpecialElements:
    """Elements that `change` makes of random ones, in words that go on "but not"."""

    words: str
    change: Callable[[Matrix, Matrix], None]


def _zeros(a: Matrix, b: Matrix) -> None:
    """Zeros in a row of A, a column of B, and in the first product of all other sums."""
    a[0, :], b[:, 0], a[:, 0] = 0.0, 0.0, 0.0


def _identity(a: Matrix, b: Matrix) -> None:
    del b
    a[:] = np.eye(*a.shape)


def _nan(a: Matrix, b: Matrix) -> None:
    """A NaN in A."""
    del b
    a[a.shape[0] // 3, a.shape[1] // 2] = np.nan


def _infinity_at_zeros(a: Matrix, b: Matrix) -> None:
    """An infinity in B, and zeros of A that meet it."""
    m, n, k = a.shape[0], b.shape[1], a.shape[1]
    a[: m // 2, k // 3] = 0.0
    b[k // 3, n // 2] = np.inf


def _infinite_last(a: Matrix, b: Matrix) -> None:
    """An infinity in the last column of A, and one in the last row of B."""
    a[a.shape[0] // 3, -1] = b[-1, b.shape[1] // 2] = np.inf


def _zero_sums(a: Matrix, b: Matrix) -> None:
    """Rows of A and columns of B that add up to 0, whatever the order: multiples of 1/8 and their opposites."""
    for one in (a, b.T):
        pairs = one.shape[1] // 2
        one[:] = np.round(one * 8) / 8
        one[:, pairs : 2 * pairs] = -one[:, :pairs]
        one[:, 2 * pairs :] = 0.0


def _spread(most: int) -> Callable[[Matrix, Matrix], None]:
    """Magnitudes from 2^-most to 2^most, and in the first product the largest one."""

    def change(a: Matrix, b: Matrix) -> None:
        rng = np.random.default_rng(_SPREAD_SEED)
        for one in (a, b):
            one[:] = spread_magnitudes((one.shape[0], one.shape[1]), most, rng)
            one[0, 0] = 2.0**most

    return change


def _times(of_a: float, of_b: float) -> Callable[[Matrix, Matrix], None]:
    def change(a: Matrix, b: Matrix) -> None:
        a *= of_a
        b *= of_b

    return change


def fault_of_special_elements(kernel: ArrayLauncher, description: Description, shape: Shape, limit_s: float) -> str:
    """What is wrong at a size at which random elements from -1 to 1 are right, with others or with other alpha and
    beta; "" for nothing. Each run may take `limit_s` seconds.
    """
    is_coarse = any(one.element in (Element.HALF, Element.BFLOAT16) for one in description.storages)
    largest, tiny = (_LARGEST_OF_COARSE, _TINY_OF_COARSE) if is_coarse else (_LARGEST, _TINY)
    far, near = _FAR_OF_COARSE if is_coarse else _FAR
    most = NARROW if is_coarse else WIDE
    usual = "it is right with elements from -1 to 1, but not"
    for probe in (
        SpecialElements("where A and B hold zeros", _zeros),
        SpecialElements("where A is an identity matrix", _identity),
        SpecialElements("where each row of A and each column of B adds up to 0", _zero_sums),
        SpecialElements(f"from -{tiny:g} to {tiny:g}", _times(tiny, tiny)),
        SpecialElements(f"from -{largest:g} to {largest:g}", _times(largest, largest)),
        SpecialElements(f"where A is from -{far:g} to {far:g} and B from -{near:g} to {near:g}", _times(far, near)),
        SpecialElements(f"where A is from -{near:g} to {near:g} and B from -{far:g} to {far:g}", _times(near, far)),
        SpecialElements(f"with magnitudes spread from 2^-{most} to 2^{most}", _spread(most)),
        SpecialElements("where A holds a NaN", _nan),
        SpecialElements("where zeros of A meet an infinity of B", _infinity_at_zeros),
    ):
        found = check(kernel, description, shape, limit_s, change=probe.change)
        if found.keeps_c_at_zeros:
            result = description.result
            why = f"at {shape} {found.fault}"
            return f"{result} keeps what it held where the sum is 0: write zeros to {result} as well ({why})"
        if not found.is_right and not found.is_untold:
            return f"{usual} {probe.words}: at {shape} {found.fault}"
    large = _LARGE_OF_COARSE if is_coarse else _LARGE
    return _fault_of_scalars(kernel, description, shape, limit_s, large, far)


def infinity_words(kernel: ArrayLauncher, description: Description, shape: Shape, limit_s: float) -> tuple[str, str]:
    """Where an infinity in the last column of A or row of B, at a size that no tile divides, makes more elements wrong
    than it should, as it may meet zeros that fill up a tile; and what is wrong. ("", "") where it does not.
    """
    found = check(kernel, description, shape, limit_s, keeps_infinity=True, change=_infinite_last)
    if found.is_right or found.is_untold:
        return "", ""
    return f"an infinity in the last column of A or row of B goes wrong at {shape}", found.fault


def _fault_of_scalars(
    kernel: ArrayLauncher, description: Description, shape: Shape, limit_s: float, large: float, far: float
) -> str:
    """What is wrong where alpha or beta is 0, 1, -1, tiny or `large`, where both are 0, 1 or -1, or where one is
    `far` below any threshold and the other one is 0; "" for nothing.
    """
    tried = dict[tuple[float, float], str]()

    def fault(pair: tuple[float, float]) -> str:
        if pair not in tried:
            found = check(kernel, description, shape, limit_s, alpha=pair[0], beta=pair[1])
            tried[pair] = "" if found.is_right or found.is_untold else f"at {shape} {found.fault}"
        return tried[pair]

    taken = [name for name, is_there in (("alpha", description.has_alpha), ("beta", description.has_beta)) if is_there]
    usual = [f"{name} = {value:g}" for name, value in zip(_NAMES, _USUAL, strict=True) if name in taken]
    for name in taken:
        for value in (*SPECIAL_FACTORS, 2.0, -2.0, large, -large, 1 / large):
            pair = _pair(name, value, _USUAL)
            if not fault(pair):
                continue
            other = _NAMES[name == "alpha"]
            if other in taken and not fault(one := _pair(name, value, (1.0, 1.0))):
                right = " and ".join(f"{factor} = {number:g}" for factor, number in zip(_NAMES, one, strict=True))
                return (
                    f"{no_factor_words(other, f' where {name} is {value:g}')}: it is right with {right}, but not with "
                    f"{other} = {pair[_NAMES.index(other)]:g}: {fault(pair)}"
                )
            return (
                f"{no_factor_words(name)}: it is right with {' and '.join(usual)}, but not with {name} = "
                f"{value:g}: {fault(pair)}"
            )
    for pair in edge_case_pairs(*_USUAL) if len(taken) > 1 else ():
        if fault(pair):
            return (
                f"alpha and beta do not act as such together: it is right with {' and '.join(usual)}, but not with "
                f"alpha = {pair[0]:g} and beta = {pair[1]:g}: {fault(pair)}"
            )
    for name in taken:
        if found := fault(_pair(name, far, (0.0, 0.0))):
            return f"{no_factor_words(name, ' where it is tiny')}: {found}"
    return ""


def _pair(name: str, value: float, others: tuple[float, float]) -> tuple[float, float]:
    """Alpha and beta, of which the one with the name has the value."""
    return (value, others[1]) if name == "alpha" else (others[0], value)


def fault_of_kept_state(made: CompiledKernel, description: Description, shape: Shape, limit_s: float) -> str:
    """What is wrong where an earlier launch left other values in the variables of the file that the kernel changes, or
    had A and B that differ in one element each; "" for nothing.
    """
    if not made.program.module_image:
        return ""
    memory = module_memory(made.program)
    before = memory.bytes.copy()
    kept = replace(made, module=memory)
    check(kept, description, shape, limit_s)
    words = memory.bytes.size // 4 * 4
    changed = (memory.bytes != before)[:words].reshape(-1, 4).any(axis=1).repeat(4)
    for place in _CORNERS if changed.any() else ():
        found = check(kept, description, shape, limit_s, change=_other_at(place))
        if not found.is_right and not found.is_untold:
            return (
                f"{_KEPT}, in a variable of its file: it is right in a first launch, but "
                f"not in a later one whose A and B differ in one element each: at {shape} {found.fault}"
            )
    for value in _LEFT if changed.any() else ():
        memory.bytes[:] = before
        memory.bytes[:words][changed] = value
        found = check(kept, description, shape, limit_s)
        if not found.is_right and not found.is_untold:
            return (
                f"{_KEPT}, in a variable of its file: it is right in a first launch, but "
                f"with another value there, at {shape}, {found.fault}"
            )
    return ""


def settled_reason(settled: Reason, text: str, names: Collection[str]) -> Reason:
    """Why a kernel is no product although it is right in one launch, with what host code in the text does about a
    variable among the names that keeps something.
    """
    reset = reset_words(text, names) if settled.kind is FaultKind.KEEPS_STATE else ""
    alone = "and gemmviz launches the kernel alone: reset it in the kernel, when its last block ends"
    return settled.with_words(f"{settled.words}; {reset}, {alone}") if reset else settled


def _other_at(place: int) -> Callable[[Matrix, Matrix], None]:
    """Changes A and B in their first or last element, by 1 at least."""

    def change(a: Matrix, b: Matrix) -> None:
        for one in (a, b):
            one[place, place] = -1.0 if one[place, place] > 0.0 else 1.0

    return change

"""Sizes that a kernel does not take but has as constants of its file: `#define N 1024`, `constexpr int K = 512;`, or as
plain numbers of its body: `k < 1024`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import prod

from gemmviz.adopt.propose.roles import role_of
from gemmviz.adopt.source.arithmetic import constant_of, expression_in
from gemmviz.adopt.source.kernels import FoundKernel, SignatureParameter
from gemmviz.adopt.source.names import Names
from gemmviz.catalogue.languages.file_constants import FileConstant, file_constants
from gemmviz.domain.listing import listed

MOST_CONSTANTS = 8
_LEAST_SIZE, _LEAST_NAMED = 32, 4
"""Of a constant, and of one that is called as a dimension is."""
_MOST_TRIED = 4096
"""Of a constant that is tried beside two sizes that a kernel takes."""
_MOST_PRODUCTS = 2**31
"""Multiplications of a product that is computed to prove a size."""
_SMALLER = (256, 320, 384, 448)
"""What a constant is replaced by that is too large to be proven, if its file lets others define it."""


@dataclass(frozen=True, slots=True)
class SizeConstant:
    """A constant that may be a size; `is_guarded` says that the file defines it only where nothing else did. `line` is
    that of a number which has no name, 0 where it has one.
    """

    name: str
    value: int
    is_guarded: bool
    line: int = 0

    @property
    def words(self) -> str:
        """The constant and its value: "N = 1024", "1024 in line 4"."""
        return f"{self.value} in line {self.line}" if self.line else f"{self.name} = {self.value}"

    @property
    def role(self) -> str:
        """What its name says: "M", "N", "K", or "" for nothing."""
        word = role_of(SignatureParameter(self.name, self.name, "int", False, False), {}).word
        return word if word in ("M", "N", "K") and not _is_of_blocks(self.name) else ""


def size_constants(kernel: FoundKernel, names: Names, text: str) -> tuple[SizeConstant, ...]:
    """The constants that a kernel uses and that may be sizes, in the order of the file, then of the kernel."""
    of_signature = re.findall(r"[A-Za-z_]\w*", " ".join(one.written for one in kernel.parameters))
    used = kernel.words.union(of_signature)  # float A[M][K] has its M in the signature alone
    values = {name: names.value_of(name) for name in names.constants if name in used}
    for name, words in kernel.constants:
        tree = expression_in(words.replace("//", "/"))
        values.setdefault(name, constant_of(names.resolved(tree)) if tree is not None else None)
    kept = [
        SizeConstant(name, value, is_guarded(name, text))
        for name, value in values.items()
        if value is not None and not _is_of_blocks(name)
    ]
    kept = [one for one in kept if one.value >= (_LEAST_NAMED if one.role else _LEAST_SIZE)]
    return tuple(kept[:MOST_CONSTANTS])


def literal_sizes(kernel: FoundKernel, named: Sequence[SizeConstant]) -> tuple[SizeConstant, ...]:
    """The numbers of a kernel's body that may be sizes and that no constant has, in the order of the text."""
    known = {one.value for one in named}
    found = [
        SizeConstant(str(value), value, is_guarded=False, line=line)
        for value, line in kernel.literals
        if value not in known
    ]
    return tuple(found[: MOST_CONSTANTS - len(named)])


def template_sizes(kernel: FoundKernel, template: Sequence[str]) -> tuple[SizeConstant, ...]:
    """The arguments of a kernel's template that may be sizes, by the names of its parameters."""
    given = zip((one.name for one in kernel.template), template, strict=False)
    found = [SizeConstant(name, int(text), is_guarded=False) for name, text in given if text.isdigit()]
    return tuple(one for one in found if one.value >= _LEAST_NAMED and not _is_of_blocks(one.name))


def may_be_one_size(constants: Sequence[SizeConstant]) -> tuple[SizeConstant, ...]:
    """The constants of which one may be the size that no parameter gives, each value once and none too large to try."""
    by_value = {one.value: one for one in reversed(constants) if one.value <= _MOST_TRIED}
    return tuple(one for one in constants if by_value.get(one.value) is one)[:MOST_CONSTANTS]


def _is_of_blocks(name: str) -> bool:
    return role_of(SignatureParameter(name, name, "int", False, False), {}).word == "tile" or bool(
        re.search(r"(?i)thread|warp|block|tile|^w?b[mnk]$|^t[mn]$", name)
    )


def block_constants(kernel: FoundKernel, names: Names) -> tuple[str, ...]:
    """The constants outside of functions that a kernel uses and that are called as edges of blocks and tiles are."""
    return tuple(
        name for name in names.constants if name in kernel.words and _is_of_blocks(name) and names.value_of(name)
    )


def guarded_constants(kernel: FoundKernel, names: Names, text: str) -> tuple[str, ...]:
    """The macros above 1 that a kernel uses, that others may define and that are no size of a matrix by their name,
    those first that are called as edges of blocks and tiles are.
    """
    found = [
        name
        for name in names.constants
        if name in kernel.words and (names.value_of(name) or 0) > 1 and is_guarded(name, text)
    ]
    sizes = [name for name in found if SizeConstant(name, 0, is_guarded=True).role]
    return tuple(sorted((name for name in found if name not in sizes), key=lambda one: not _is_of_blocks(one)))


def replaceable_constants(kernel: FoundKernel, text: str, known: Collection[str]) -> dict[str, FileConstant]:
    """The constants above 1 of the file that a kernel uses and no size of a matrix is called like, those first that are
    called as edges of blocks and tiles are. `known` are names that others define.
    """
    own = {*(one.name for one in kernel.template), *(name for name, _ in kernel.constants)}
    used = {
        name: one
        for name, one in file_constants(text).items()
        if name in kernel.words and one.value > 1 and name not in known and name not in own
    }
    found = [name for name in used if not SizeConstant(name, 0, is_guarded=False).role]
    return {name: used[name] for name in sorted(found, key=lambda one: not _is_of_blocks(one))}


def is_guarded(name: str, text: str) -> bool:
    """Whether a file defines a macro only where nothing else did."""
    return bool(re.search(rf"#\s*ifndef\s+{name}\s[^#]*#\s*define\s+{name}\b", text))


def smaller_defines(constants: Sequence[SizeConstant]) -> tuple[tuple[str, int], ...]:
    """Macros that make sizes small enough to be proven: () where they are, or where a size cannot be replaced.
    Constants of one value keep one value.
    """
    if not _is_too_large(constants) or not all(one.is_guarded for one in constants):
        return ()
    values = sorted({one.value for one in constants})
    smaller = dict(zip(values, _SMALLER, strict=False))
    return tuple((one.name, smaller.get(one.value, one.value)) for one in constants)


def _is_too_large(constants: Sequence[SizeConstant]) -> bool:
    """Whether dimensions of the largest sizes are too many; fewer constants than three say all of them."""
    sizes = sorted((one.value for one in constants), reverse=True)
    return bool(sizes) and prod((sizes + sizes[:1] * 2)[:3]) > _MOST_PRODUCTS


def too_large(constants: Sequence[SizeConstant]) -> str:
    """Why sizes cannot be proven, and what to do about it; "" where they can, or can be replaced by smaller ones."""
    fixed = max((one for one in constants if not one.is_guarded), key=lambda one: one.value, default=None)
    if fixed is None or not _is_too_large(constants):
        return ""
    if fixed.line:
        return (
            f"a product with {listed([one.words for one in constants])} takes too long on the PTX machine: make these "
            "numbers parameters of the kernel, so that smaller ones can be tried"
        )
    sizes = ", ".join(one.words for one in constants)
    return (
        f"a product with {sizes} takes too long on the PTX machine: put the definition of {fixed.name} between #ifndef "
        f"{fixed.name} and #endif, so that a smaller one can be tried"
    )

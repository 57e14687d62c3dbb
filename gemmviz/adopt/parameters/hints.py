"""What a person is told about the parameters of a file beside their values."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from gemmviz.adopt.description import Description
from gemmviz.adopt.parameters.candidates import NAME
from gemmviz.adopt.propose.constants import block_constants
from gemmviz.adopt.prove.searched_kernel import SearchedKernel
from gemmviz.adopt.source.arithmetic import names_in
from gemmviz.catalogue.languages.file_constants import FileConstant
from gemmviz.domain.listing import either, listed
from gemmviz.domain.terms import Language

_MOST_NAMED = 4
"""Blocks of launches that were tried."""


def replaced_words(
    described: Description, constants: Mapping[str, FileConstant], tried: Mapping[str, Collection[int]]
) -> tuple[str, ...]:
    """Whose place other values took that were `tried`: "compiled with other values in the place of #define TILE (line
    3); the file stays as it is"; () where none was.
    """
    found = [
        f"{one.words} (line {one.line})"
        for name, one in constants.items()
        if one.words in described.replaced and tried.get(name)
    ]
    return (f"compiled with other values in the place of {listed(found)}; the file stays as it is",) if found else ()


def tried_launches(launches: Sequence[Description]) -> str:
    """In which launches a value was tried, other than those of host code; the fault that was named is the first one's:
    "launched with 256 threads in a grid of M × N blocks; not right with 128 or 512 threads either"; "" for none.
    """
    if not launches:
        return ""
    first, *others = launches
    words = f"launched with {' × '.join(first.block)} threads in a grid of {' × '.join(first.grid)} blocks"
    blocks = [*dict.fromkeys(" × ".join(one.block) for one in others if one.block != first.block)]
    more = f"not right with {either(blocks, _MOST_NAMED)} threads either" if blocks else "no other grid is right"
    return f"{words}; {more}" if others else words


def hints_of(searched: SearchedKernel, defaults: Mapping[str, int]) -> tuple[str, ...]:
    """What a person can do so that a macro of the file may have other values."""
    if searched.language not in (Language.CUDA, Language.OPENCL) or searched.path.suffix == ".py":
        return ()
    names = searched.source.names
    fixed = [
        name
        for name in block_constants(searched.kernel, names)
        if name not in defaults and NAME.fullmatch(name) and not names_in(names.constants[name])  # none is computed
    ]
    if not fixed:
        return ()
    name = fixed[0]
    return (
        f"{listed(fixed)} cannot be {'parameters' if len(fixed) > 1 else 'a parameter'}: the file sets a value that "
        f"nothing else may set; between #ifndef {name} and #endif, #define {name} could have others",
    )


def kept_words(described: Description, defaults: Mapping[str, int]) -> str:
    """That what could be parameters has no other value, as sizes that the kernel takes may be a value's own; "" for
    nothing.
    """
    if not defaults or not any(rule.most or rule.least > rule.multiple for rule in described.rules):
        return ""
    named = listed([f"{name} = {value}" for name, value in defaults.items()])
    stay, which = ("stays", "it") if len(defaults) == 1 else ("stay", "them")
    return f"{named} {stay} fixed: the largest or least size that was found may depend on {which}"


def fixed_words(kept: Mapping[str, Collection[int]]) -> tuple[str, ...]:
    """A sentence for each parameter of which no value that was tried is right: "TM = 4 stays fixed, since with 2 and 8
    it was not proven right".
    """
    return tuple(
        f"{name} stays fixed, since with {listed([*map(str, sorted(tried))])} it was not proven right"
        for name, tried in kept.items()
        if tried
    )


def untried_words(kept: Mapping[str, Collection[int]], ended: str) -> str:
    """Which parameters keep their value untried, and why: "TM = 4 and TN = 4 stay fixed: no other value was tried
    (at most 8 combinations are compiled, within 60 s)"; "" for none.
    """
    untried = [name for name, tried in kept.items() if not tried]
    stay = "stays" if len(untried) == 1 else "stay"
    return f"{listed(untried)} {stay} fixed: no other value was tried{ended}" if untried else ""

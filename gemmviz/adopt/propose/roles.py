"""What the parameters of a kernel may stand for, by their names: sizes, leading dimensions, alpha, beta, matrices."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gemmviz.adopt.source.kernels import SignatureParameter
from gemmviz.domain.kernels.call import MATRICES

DIMENSIONS = ("M", "N", "K")
_OF = {"A": ("M", "K"), "B": ("K", "N"), "C": ("M", "N"), "D": ("M", "N")}
"""Rows and columns of each matrix."""
_ROWS = {"row", "rows", "height", "h", "nrows", "numrows", "num_rows", "ny"}
_COLUMNS = {"col", "cols", "column", "columns", "width", "w", "ncols", "numcols", "num_cols", "nx"}
_INNER = {"k", "inner", "common", "depth", "reduce", "shared"}
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_LEADING = re.compile(r"(?i)(?:ld|stride|pitch|lead)_?([abcd])|([abcd])_?(?:ld|stride|pitch)")
_TILE = re.compile(r"(?i).*(?:tile|block|bs|bdim|chunk).*")
_BATCH = re.compile(r"(?i)(?:num_?|n_?)?batch(?:es|_?size|_?count|_?num)?")
_PARTS = re.compile(r"(?i)(?:num_?|n_?)?(?:splits?|split_?k|k_?splits?|slices?)(?:_?(?:num|count))?")
_SIZE_WORDS = {
    "dim",
    "size",
    "order",
    "length",
    "len",
    "ld",
    "stride",
    "pitch",
    "num",
    "count",
    *_ROWS,
    *_COLUMNS,
    *_INNER,
}
_SIZE_NAME = re.compile(r"(?i)\w*(?:dim|size|rows?|cols?|columns?|width|height|_step)\d?")
_OFFSET_WORDS = {"offset", "begin", "start", "first", "base", "shift"}
_ALPHA, _BETA = re.compile(r"(?i)_?al(?:pha)?_?\w?"), re.compile(r"(?i)_?be(?:ta)?_?\w?")


_SHORT = 2
"""Letters of a name that may be short for a dimension: "hA"."""


@dataclass(frozen=True, slots=True)
class Role:
    """What a whole-number parameter may stand for: a dimension ("M"), a leading dimension ("lda"), the edge of a tile
    ("tile"), a number of products ("batch"), or "" for nothing that its name tells; and why.
    """

    word: str
    because: str


def matrices_in_order(parameters: Sequence[SignatureParameter]) -> dict[int, str]:
    """The matrices that pointers stand for, by the place of the parameter: by their names, else in their order. Of
    three pointers those with names keep them, and the others are the matrices that are left.
    """
    pointers = [place for place, one in enumerate(parameters) if one.is_pointer and not one.is_local]
    named = {place: letter_of(parameters[place].name) for place in pointers}
    known = {place: letter for place, letter in named.items() if letter in {*MATRICES, "D"}}
    if len(known) == len({*known.values()}) == len(pointers):
        return known
    if len(pointers) != len(MATRICES) or len({*known.values()}) < len(known):
        known = {}
    others = [place for place in pointers if place not in known]
    results = [place for place in others if not parameters[place].is_const]
    last = -1 if {"C", "D"} & {*known.values()} else (results or others or [-1])[-1]
    inputs = [place for place in others if place != last]
    left = [letter for letter in MATRICES if letter not in known.values()]
    found = {**known, **dict(zip(inputs, left, strict=False))}
    if last >= 0:
        found[last] = "C"
    return found


def letter_of(name: str) -> str:
    """The matrix that a pointer's name stands for: "d_A", "A", "a_ptr" are A."""
    words = [
        word
        for word in re.split(r"_+", name)
        if word.lower() not in ("d", "dev", "device", "ptr", "g", "mat", "gpu", "matrix", "input", "in", "out", "p")
    ]
    word = re.sub(r"(?i)^(?:dev|mat|d(?=[A-Z])|g(?=[A-Z]))|(?:ptr|mat|data)$", "", words[0]) if words else ""
    return word.upper() if word.upper() in ("A", "B", "C", "D") and len(words) == 1 else name


def role_of(parameter: SignatureParameter, pointers: Mapping[str, str]) -> Role:
    """What a whole-number parameter may stand for; `pointers` are the matrices by the names of the parameters."""
    name = parameter.name
    if name.upper() in DIMENSIONS:
        return Role(name.upper(), f"it is called {name}")
    leading = _LEADING.fullmatch(name)
    if leading is not None:
        letter = (leading[1] or leading[2]).lower()
        return Role(f"ld{letter}", f"it is called {name}, as leading dimensions are")
    words = [word.lower() for word in _WORDS.findall(name)]
    matrix = (
        next((pointers[word] for word in _WORDS.findall(name) if word in pointers), "")
        or next((one for one in _OF if one.lower() in words), "")
        or _matrix_with_part(name, pointers)
    )
    is_row, is_column = bool(_ROWS & set(words)), bool(_COLUMNS & set(words))
    if matrix in _OF and is_row != is_column:
        side = "rows" if is_row else "columns"
        return Role(_OF[matrix][is_column], f"{name} sounds like the {side} of {matrix}")
    if words and words[-1] in _INNER:
        return Role("K", f"{name} sounds like the dimension that is summed over")
    if len(words) <= 2 and words[-1:] in (["m"], ["n"]):
        return Role(words[-1].upper(), f"it is called {name}")
    if _BATCH.fullmatch(name):
        return Role("batch", f"{name} sounds like a number of products")
    if _PARTS.fullmatch(name):
        return Role("batch", f"{name} sounds like a number of parts of each sum")
    if _TILE.fullmatch(name):
        return Role("tile", f"{name} sounds like the edge of a tile")
    return Role("", f"the name {name} does not say what it is")


def _matrix_with_part(name: str, pointers: Mapping[str, str]) -> str:
    """The only matrix of which a number has a part of the pointer's name: that of `in_mat1` for `mat1_rows`."""
    parts = {*name.split("_")}
    found = {letter for pointer, letter in pointers.items() if parts & {*pointer.split("_")}}
    return found.pop() if len(found) == 1 else ""


def may_be_flags(parameters: Sequence[SignatureParameter], roles: Mapping[int, str]) -> list[int]:
    """The places of the whole numbers whose names sound neither like sizes nor like distances between lines: flags,
    modes, offsets. A short name says nothing where it may be that of a dimension.
    """
    has_every_size = set(DIMENSIONS) <= {*roles.values()}
    found = []
    for place, role in roles.items():
        name = parameters[place].name if place < len(parameters) else ""
        words = {word.lower() for word in _WORDS.findall(name)}
        is_of_size = bool(words & _SIZE_WORDS) or _SIZE_NAME.fullmatch(name) is not None
        sounds_like_size = is_of_size and not words & _OFFSET_WORDS
        if name and not role and not sounds_like_size and (has_every_size or len(name) > _SHORT):
            found.append(place)
    return found


def factor_of(parameter: SignatureParameter) -> str:
    """ "alpha" or "beta" for a number that is called so, else ""."""
    if _ALPHA.fullmatch(parameter.name):
        return "alpha"
    return "beta" if _BETA.fullmatch(parameter.name) else ""

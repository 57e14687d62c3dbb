"""Numbers of a kernel that count vectors of a matrix, such as float4, instead of its elements."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from gemmviz.adopt.propose.roles import role_of
from gemmviz.adopt.source.kernels import SignatureParameter

_VECTOR = re.compile(r"(?:float|double|(?:__)?half|(?:__)?nv_bfloat16)([24])")
_SUFFIX = re.compile(r"(?i)(\w*?[a-z])_?(?:(?:v|vec)?(\d+)|vecs?|vectors?)")


def vectors_of(parameters: Sequence[SignatureParameter]) -> dict[str, int]:
    """The types of vectors that pointers of a kernel point to, and how many elements each has."""
    found = ((one.type, _VECTOR.fullmatch(one.type)) for one in parameters if one.is_pointer)
    return {name: int(vector[1]) for name, vector in found if vector is not None}


def vector_counts(parameters: Sequence[SignatureParameter], places: Collection[int]) -> Mapping[int, tuple[str, int]]:
    """The numbers at these places whose names end as those of vectors do, N4 beside a pointer to float4: what the size
    is called for that they count, "" where the name does not say it, and how many elements a vector has.
    """
    widths = {*vectors_of(parameters).values()}
    found: dict[int, tuple[str, int]] = {}
    for place in places:
        name = _SUFFIX.fullmatch(parameters[place].name)
        width = (int(name[2]) if name[2] else min(widths, default=0)) if name is not None else 0
        if name is None or width not in widths:
            continue
        size = SignatureParameter(name[1], "", "", is_pointer=False, is_const=False)
        found[place] = (role_of(size, {}).word, width)
    return found

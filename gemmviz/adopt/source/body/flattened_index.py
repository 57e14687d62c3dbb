"""Numbers of a kernel that may count the elements of a matrix, because its body divides an index below them."""

from __future__ import annotations

import re
from collections.abc import Mapping


def flattened_sizes(places: Mapping[str, int], body: str) -> dict[int, int]:
    """The places of numbers that bound an index of which the body takes the rest and the quotient by another number, as
    in `if (i < count) c[i] = f(i / n, i % n)`, with the places of these others. `places` are those of all numbers by
    their names.
    """
    divided, rests = ({found.groups() for found in re.finditer(rf"\b(\w+)\s*{sign}\s*(\w+)\b", body)} for sign in "/%")
    found: dict[int, int] = {}
    for index, by in sorted(divided & rests):
        name = re.escape(index)
        bounds = re.findall(rf"\b{name}\s*(?:<|>=)\s*\(?\s*(\w+)\b(?!\s*\*)", body)
        bounds += re.findall(rf"\b[A-Z]\w*\s*\(\s*{name}\s*,\s*(\w+)\s*\)", body)  # CUDA_KERNEL_LOOP(i, count)
        found |= {places[one]: places[by] for one in bounds if by in places and one in places and one != by}
    return found

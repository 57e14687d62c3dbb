"""What the sizes of the tensors are that a launch gives a kernel: of a tensor that holds A, M and K."""

from __future__ import annotations

from collections.abc import Sequence
from re import findall

from gemmviz.adopt.source.launches import FoundLaunch
from gemmviz.adopt.source.tensors import place_of_size
from gemmviz.domain.kernels.call import OPERANDS, Storage
from gemmviz.domain.terms import Layout

_EDGES = {"A": ("M", "K"), "B": ("K", "N"), "C": ("M", "N"), "D": ("M", "N")}
"""The rows and columns of the matrices."""


def sizes_of_tensors(launch: FoundLaunch, words: Sequence[str], storages: Sequence[Storage]) -> dict[str, str]:
    """M, N or K for each name of a size of a tensor: {"A.size_0": "M"}. A tensor lies in memory by rows, so that a
    matrix that a kernel reads by columns is one of as many rows as it has columns.
    """
    held: dict[str, str] = {}
    for text, word in zip(launch.arguments, words, strict=False):
        if word in OPERANDS and text not in launch.no_matrices:
            held.setdefault(text, word)
    layouts = {name: one.layout for name, one in zip(OPERANDS, storages, strict=False)}
    texts = (*launch.block, *launch.grid, launch.shared_bytes, *launch.arguments, *launch.traced)
    names = {
        name for text in (*texts, *(one.words for one in launch.conditions)) for name in findall(r"\w+\.\w+", text)
    }
    found: dict[str, str] = {}
    for name in sorted(names):
        size = place_of_size(name)
        if size is not None and size[0] in held:
            word = held[size[0]]
            edges = _EDGES[word] if layouts.get(word) is not Layout.COLUMN else _EDGES[word][::-1]
            found[name] = edges[size[1]]
    return found

"""Operations other than products, as kernels and parameters are called."""

from __future__ import annotations

import re

from gemmviz.adopt.reasons import FaultKind, Reason
from gemmviz.adopt.source.kernels import FoundKernel

_SPARSE = "a product with a sparse matrix"
_LEAST_INDICES = 2
"""Arrays of whole numbers that say where the elements of a sparse matrix are."""
_INDICES = re.compile(r".*(?:int|long|short|unsigned|size_t).*")
_OPERATIONS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (what, re.compile(pattern, re.IGNORECASE))
    for what, pattern in (
        ("a convolution", r"conv(?:olution|\dd)?|stencil|filter|kernel_?size|radius|padding|dilation"),
        (_SPARSE, r"sp(?:mv|mm|arse)|csr|row_?ptrs?|row_?offsets?|col_?(?:idx|ind(?:ices)?)"),
        ("attention", r"attention|attn|mha|flash|softmax_scale"),
        ("a softmax", r"softmax"),
        ("a normalisation", r"(?:layer|rms|batch|group)_?norm|norm(?:alize|alise)?|epsilon|eps"),
        ("a transposition", r"transpose|transposition"),
        ("a reduction or a scan", r"reduc(?:e|tion)|scan|prefix_?sum|cumsum|histogram"),
        ("a product of a matrix and a vector", r"gemv|matvec|mat_?vec|mv"),
        ("a sum of vectors", r"axpy|vec(?:tor)?_?add|scal"),
        ("a solver of triangular systems", r"trsm|trsv|cholesky|lu"),
    )
)
_REMEDIES = {
    "a convolution": "lay its input out as a matrix (im2col), and multiply that, to have the product described",
    "attention": "make each of its products a kernel of its own to have it described",
    "a product of a matrix and a vector": "describe it as a product with one column, N = 1",
}
"""What a person can do who wants such a kernel described."""
_OF_MATRICES = frozenset({"padding"})
"""Words that tell an operation in the name of a parameter alone: a kernel called so may pad a matrix."""
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+\d?[a-z]?|\d+")


def _takes_indices(kernel: FoundKernel) -> bool:
    """Whether it takes as many arrays of whole numbers as a sparse matrix has."""
    pointers = (one for one in kernel.parameters if one.is_pointer)
    return sum(_INDICES.fullmatch(one.type) is not None for one in pointers) >= _LEAST_INDICES


def sounds_like(kernel: FoundKernel) -> tuple[Reason, ...]:
    """A sentence about what a kernel sounds like that is no product of two matrices; nothing where nothing does."""
    for name in (kernel.short_name, *(one.name for one in kernel.parameters)):
        words = [name, *name.split("_"), *_WORDS.findall(name)]
        if name == kernel.short_name:
            words = [one for one in words if one.lower() not in _OF_MATRICES]
        for what, pattern in _OPERATIONS:
            is_of_indices = what != _SPARSE or name == kernel.short_name or _takes_indices(kernel)
            if is_of_indices and any(pattern.fullmatch(word) for word in words):
                remedy = f": {_REMEDIES[what]}" if what in _REMEDIES else ""
                told = f"the name {name} sounds like {what}; gemmviz describes products of two matrices only{remedy}"
                return (Reason(told, FaultKind.SOUNDS_LIKE),)
    return ()

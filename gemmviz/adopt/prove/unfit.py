"""Kernels that cannot be products, as their signatures say."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from gemmviz.adopt.propose.constants import SizeConstant, too_large
from gemmviz.adopt.propose.roles import DIMENSIONS, factor_of, role_of
from gemmviz.adopt.propose.vector_counts import vectors_of
from gemmviz.adopt.prove.faults import TriedFault, is_endless
from gemmviz.adopt.reasons import FaultKind, Reason, reason_or_none
from gemmviz.adopt.source.kernels import FoundKernel, SignatureParameter
from gemmviz.adopt.source.structures import structure_called
from gemmviz.domain.kernels.parameter_types import ANY_64_BITS, EMPTY, VOID, Kind, ParameterType
from gemmviz.domain.listing import listed

_LEAST_POINTERS = 3
_OTHER = (
    "`{written}` is a structure, a tensor map or another type that gemmviz gives no values of: pass the pointers and "
    "numbers in it as parameters of their own"
)
_STRUCTURE = (
    "`{written}` is a structure of {members} (line {line}), and gemmviz gives no values of structures: pass its "
    "members as parameters of their own"
)
_UNREAD = (
    "parameter {number} has 64 bits, and nothing says whether they are an address or a number, because the kernel does "
    "not read them: take it out, or use it"
)
_SIZES_INSIDE = (
    "parameter {name} is a structure ({type}), which gemmviz gives no values of, and no other parameter is a size: "
    "pass the numbers in it as parameters of their own, such as `int M, int N, int K`"
)
_OF_TEMPLATE = (
    "the type of `{written}` is a parameter of the template that no host code names, and with a number in its place it "
    "does not compile: gemmviz gives kernels pointers and numbers, no structures and no function objects"
)
_ADDS_UP = re.compile(r"(?i)reduc|sum|accum|split|part|combine|merge")
_OF_SECOND = (
    ". Where it adds up what another kernel of the file wrote (split K with a workspace), that is not supported: "
    "gemmviz launches one kernel"
)


_MATRICES = "gemmviz gives kernels matrices of float, double, half and bf16"
_OF_PAIRS = re.compile(r"\b(?:float|double|half)2\b")


def why_no_product(
    kernel: FoundKernel,
    all_kernels: Sequence[FoundKernel],
    types: Sequence[ParameterType],
    constants: Sequence[SizeConstant],
    text: str = "",
) -> Reason | None:
    """Why a kernel of a file with this text cannot be a product at all, None for no reason. `constants` are sizes that
    it does not take.
    """
    pointers = _count_of_pointers(kernel)
    other = next((one for one, kind in zip(kernel.parameters, types, strict=True) if _is_other(kind)), None)
    is_table = any(one.written.count("*") > 1 for one in kernel.parameters)
    if pointers >= _LEAST_POINTERS or is_table:
        return reason_or_none(_why_no_product(kernel, types, constants, other, text))
    is_first_there = any(_count_of_pointers(one) >= _LEAST_POINTERS for one in all_kernels)
    is_second = pointers == 2 and is_first_there and bool(_ADDS_UP.search(kernel.name))
    unfit = _other_words(kernel, other, text) if other is not None else ""
    more = f". {unfit[:1].upper()}{unfit[1:]}" if unfit else _OF_SECOND if is_second else ""
    if pointers == 2 and not more:
        more = ". To have a product of a matrix with itself, such as A·Aᵀ, described, let it take that matrix twice"
    words = f"it takes {pointers} pointer{'s'[: pointers != 1]}; a product needs A, B and C{more}"
    return Reason(words, FaultKind.NOT_FIRST if is_second and not unfit else FaultKind.OTHER)


def _why_no_product(
    kernel: FoundKernel,
    types: Sequence[ParameterType],
    constants: Sequence[SizeConstant],
    other: SignatureParameter | None,
    text: str,
) -> str:
    """The reason in words of a kernel with pointers enough, "" for none; `other` is a parameter that is given no
    values.
    """
    table = next((one for one in kernel.parameters if one.written.count("*") > 1), None)
    if table is not None:
        return (
            f"`{table.written}` is an array of pointers, as of a batch, and gemmviz gives a kernel one matrix for each "
            "pointer: take the pointers to the matrices of one product, or matrices that lie one behind the other"
        )
    factor = next((one for one in kernel.parameters if one.is_pointer and factor_of(one)), None)
    if factor is not None and _count_of_pointers(kernel) > _LEAST_POINTERS:
        return (
            f"it takes {factor.name} through a pointer, and gemmviz gives numbers by value only: make {factor.name} a "
            "number"
        )
    held = {kind.scalar.words for kind in types if kind.is_pointer}
    if any("complex" in words.lower() for words in held):
        return _complex_words(held)
    known = sum(kind.is_pointer and bool(kind.scalar.element) for kind in types)
    if not kernel.template and known < _LEAST_POINTERS:
        told = [*sorted(filter(None, held)), *(["what none of its instructions says"] if "" in held else [])]
        is_whole = {kind.scalar.kind for kind in types if kind.is_pointer} <= {Kind.SIGNED, Kind.UNSIGNED}
        more = ". A product of whole numbers is not described: take them as floats" if is_whole else ""
        return f"it points to {listed(told)}, and {_MATRICES}{more or ': let it take A, B and C as such'}"
    if any(not kind.is_pointer and kind.scalar.kind in (Kind.SIGNED, Kind.UNSIGNED) for kind in types):
        return ""
    if constants:
        return too_large(constants)
    if other is not None and other.type not in (one.name for one in kernel.template):
        if structure := _structure_words(other, text):
            return structure
        return _SIZES_INSIDE.format(name=other.name or other.type, type=other.type)
    return (
        f"no parameter, no named constant and no number in the body of {kernel.name} is a size: make its sizes "
        "parameters"
    )


def why_whole_numbers(kernel: FoundKernel, template: Sequence[str], types: Sequence[ParameterType]) -> str:
    """Why a kernel is no product that is described with these arguments of its template, with which its parameters have
    these types: all of its matrices are of whole numbers. "" where they are not.
    """
    pairs = [*zip(kernel.parameters, types, strict=True)]
    pointers = [kind for one, kind in pairs if one.is_pointer and not one.is_local]
    if not pointers or any(one.scalar.kind not in (Kind.SIGNED, Kind.UNSIGNED) for one in pointers):
        return ""
    given = [f"{one.name} = {text}" for one, text in zip(kernel.template, template, strict=False) if one.kind == "type"]
    held = listed(sorted({one.scalar.words for one in pointers}))
    return (
        f"with {listed(given)} it points to {held}, and {_MATRICES}; a product of whole numbers is not described. Call "
        "it with float, too, to have that described"
    )


def _complex_words(held: Collection[str]) -> str:
    return (
        f"its matrices are of complex numbers ({listed(sorted(held))}), and {_MATRICES}: take real and imaginary parts "
        "as matrices of their own to have each product of them described"
    )


def why_no_matrices(kernel: FoundKernel, types: Sequence[ParameterType]) -> str:
    """Why a kernel of which nothing was proven may not have got what it takes, as the types of its pointers say; "" for
    no reason.
    """
    pairs = [
        (one, kind)
        for one, kind in zip(kernel.parameters, types, strict=True)
        if one.is_pointer and not one.is_local and kind.scalar != VOID
    ]
    others = [(one, kind) for one, kind in pairs if kind.scalar.element is None]
    if not others:
        return ""
    names, held = [one.name for one, _ in others], sorted({kind.scalar.words for _, kind in others})
    points = f"{listed(names)} point{'s' if len(names) == 1 else ''} to {listed(held)}, and {_MATRICES}"
    is_of_bytes = all(kind.scalar.nbytes == 1 for _, kind in others)
    if is_of_bytes:
        return f"{points}: a product of whole numbers, as of a quantised network, is not described; take them as floats"
    roles = [role_of(one, {}).word for one, kind in others if kind.scalar.kind in (Kind.SIGNED, Kind.UNSIGNED)]
    if len(roles) == len(others) and {*roles} <= {*DIMENSIONS}:  # as Fortran passes them
        return f"{points}: where they are sizes, pass {listed(names)} by value"
    return f"{points}: arrays of indices, as those of a sparse matrix, get no values; take the matrix with its zeros"


def may_be_complex(kernel: FoundKernel) -> str:
    """That the matrices of a kernel of which nothing was proven may be of complex numbers; "" where they are none."""
    pointers = [one for one in kernel.parameters if one.is_pointer and not one.is_local]
    held = {found[0] for one in pointers if (found := _OF_PAIRS.search(one.written))}
    if len(held) != 1 or not all(_OF_PAIRS.search(one.written) for one in pointers):
        return ""
    (pair,) = held
    return (
        f"its matrices are of {pair}; where these are complex numbers, take real and imaginary parts as matrices of "
        "their own to have each product of them described"
    )


def with_counts_of_vectors(kernel: FoundKernel, reasons: Sequence[Reason], pairs: str) -> tuple[Reason, ...]:
    """The reasons why nothing was proven, without accesses past the end where the matrices may be of complex numbers
    (`pairs`), of half as many elements; where they are of other vectors, such accesses with what may be the cause.
    """
    vectors = vectors_of(kernel.parameters)
    if pairs:
        return tuple(one for one in reasons if not one.kind.is_past_end)
    if not vectors:
        return tuple(reasons)
    name, width = max(vectors.items(), key=lambda one: one[1])
    cause = (
        f"; a number may count vectors ({name}), and gemmviz gave it a count of elements: describe the kernel and "
        f"write N // {width} in 'args' for a number of vectors along N"
    )
    return tuple(one.with_words(f"{one.words}{cause}") if one.kind.is_past_end else one for one in reasons)


def why_not_given(kernel: FoundKernel, types: Sequence[ParameterType], text: str = "") -> str:
    """Why a compiled kernel, whose parameters have these types, cannot be given its arguments; "" where it can."""
    pairs = zip(kernel.parameters, types, strict=True)
    return next((_other_words(kernel, one, text) for one, kind in pairs if _is_other(kind)), "")


def why_not_compiled(kernel: FoundKernel, template: Sequence[str], named: Sequence[str]) -> str:
    """Why a kernel does not compile of which a parameter has a type that its template takes and that is not `named` in
    host code; "" for another kernel. `template` are the arguments that were tried.
    """
    guessed = {
        one.name
        for place, (one, _) in enumerate(zip(kernel.template, template, strict=False))
        if one.kind == "type" and place >= len(named)
    }
    found = next((one for one in kernel.parameters if not one.is_pointer and one.type in guessed), None)
    return _OF_TEMPLATE.format(written=found.written) if found is not None else ""


def is_describable(reasons: Sequence[Reason], faults: Sequence[TriedFault], *, is_uncompiled: bool) -> bool:
    """Whether a description by hand may make a kernel run of which nothing was proven for these reasons: where nothing
    says that it does not compile, never ends, or is another operation, unless that can be described.
    """
    kinds = {one.kind for one in reasons}
    if {FaultKind.UNLIKE, FaultKind.SOUNDS_LIKE} <= kinds:
        return False
    seen = {one for one in kinds if one.is_likeness}
    return (
        not (is_uncompiled and not faults)
        and not is_endless(faults)
        and (not seen or FaultKind.LOOKS_DESCRIBABLE in seen)
    )


def _other_words(kernel: FoundKernel, parameter: SignatureParameter, text: str) -> str:
    """What is wrong with a parameter that is given no values: its type, or that PTX does not tell it."""
    if parameter.type == ANY_64_BITS.words:
        return _UNREAD.format(number=kernel.parameters.index(parameter) + 1)
    if re.search(r"\bimage[123]d", parameter.written):
        return f"`{parameter.written}` is an image, and gemmviz gives kernels arrays: give the kernel pointers instead"
    return _structure_words(parameter, text) or _OTHER.format(written=parameter.written)


def _structure_words(parameter: SignatureParameter, text: str) -> str:
    """That a parameter is a structure, with its members; "" where a file with this text defines no such structure."""
    found = structure_called(parameter.type, text)
    if found is None:
        return ""
    return _STRUCTURE.format(written=parameter.written, members=listed(found.members), line=found.line)


def _is_other(kind: ParameterType) -> bool:
    """Whether a parameter is a structure with members, a tensor map or the like."""
    return not kind.is_pointer and kind.scalar.kind is Kind.OTHER and kind.scalar != EMPTY


def _count_of_pointers(kernel: FoundKernel) -> int:
    return sum(one.is_pointer and not one.is_local for one in kernel.parameters)

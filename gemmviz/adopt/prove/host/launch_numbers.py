"""The numbers of a launch at a size: what a description says, and what host code gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from gemmviz.adopt.description import Description
from gemmviz.adopt.host_launch import HostLaunch
from gemmviz.adopt.propose.roles import DIMENSIONS
from gemmviz.adopt.prove.host.launch_terms import LaunchTerms
from gemmviz.catalogue.expressions import ExpressionError, evaluate_whole
from gemmviz.domain.kernels.call import OPERANDS, leading_dimension
from gemmviz.domain.shape import Shape

_NO_NUMBERS = {*OPERANDS, "alpha", "beta", "null"}


@dataclass(frozen=True, slots=True)
class LaunchNumbers:
    """Block, grid, bytes of dynamic shared memory, and the whole numbers that parameters are given, by their places."""

    block: tuple[int, ...]
    grid: tuple[int, ...]
    shared_bytes: int
    given: Mapping[int, int]

    def of(self, description: Description) -> Description:
        """A description that is launched with these numbers."""
        arguments = [str(self.given.get(place, word)) for place, word in enumerate(description.arguments)]
        return replace(
            description,
            block=tuple(map(str, self.block)),
            grid=tuple(map(str, self.grid)),
            shared_bytes=str(self.shared_bytes),
            arguments=tuple(arguments),
        )


def others_given(proven: LaunchNumbers, host: LaunchNumbers) -> int:
    """How many numbers a launch gives the kernel that are not those that were proven."""
    return sum(value != proven.given[place] for place, value in host.given.items())


def number_places(description: Description) -> list[int]:
    """The places of the parameters that take whole numbers."""
    return [
        place
        for place, word in enumerate(description.arguments)
        if word not in _NO_NUMBERS and not word.startswith("local(") and not _is_fraction(word)
    ]


def _is_fraction(word: str) -> bool:
    return not word or ("." in word and word.replace(".", "").isdigit())


def described_numbers(description: Description, shape: Shape) -> LaunchNumbers:
    """The numbers of a description at a size.

    Raises:
        ExpressionError: one of them cannot be computed.
    """
    names = sizes_of(shape)
    leading = {
        f"ld{name.lower()}": leading_dimension(name, shape, description.storage(name).layout) for name in OPERANDS
    }
    given = {
        place: evaluate_whole(description.arguments[place], {**names, **leading})
        for place in number_places(description)
    }
    return LaunchNumbers(
        _counts(description.block, names),
        _counts(description.grid, names),
        evaluate_whole(description.shared_bytes, {**names, **leading}),
        given,
    )


def host_numbers(terms: LaunchTerms, description: Description, proven: LaunchNumbers, shape: Shape) -> LaunchNumbers:
    """The numbers that a launch in host code gives at a size; those of the description where only the caller knows
    them, and where rows of a matrix are farther apart than they have to be.

    Raises:
        ExpressionError: one of them cannot be computed.
    """
    names, given = sizes_of(shape), dict(proven.given)
    for place, text in _host_texts(terms, description).items():
        value, needed = evaluate_whole(text, names), given[place]
        given[place] = needed if "ld" in description.arguments[place] and value > needed else value
    shared = evaluate_whole(terms.shared_bytes, names) if terms.shared_bytes else proven.shared_bytes
    return LaunchNumbers(_counts(terms.block, names), _counts(terms.grid, names), shared, given)


def host_arguments(terms: LaunchTerms, description: Description) -> tuple[str, ...]:
    """What a launch gives the kernel, as a description says it: the described words where only the caller knows a
    number, and distances between lines as they have to be.
    """
    texts = _host_texts(terms, description)
    words = enumerate(description.arguments)
    return tuple(word if "ld" in word else texts.get(place, word) for place, word in words)


def host_launch(
    terms: LaunchTerms, description: Description, shapes: tuple[Shape, ...], instance: str = ""
) -> HostLaunch:
    """How a launch that was right at these sizes launches a kernel with the types and the template of a description."""
    return HostLaunch(
        terms.launch.line,
        description.template,
        description.defines,
        host_arguments(terms, description),
        description.storages,
        terms.block,
        terms.grid,
        terms.shared_bytes or description.shared_bytes,
        shapes,
        instance,
    )


def _host_texts(terms: LaunchTerms, description: Description) -> dict[int, str]:
    """The whole numbers that a launch computes, over M, N and K, by their places."""
    found, of_tensors = dict[int, str](), dict(terms.of_tensors)
    for place in number_places(description):
        is_asked = description.arguments[place] not in DIMENSIONS or place in terms.computed
        texts = (terms.traced[place], terms.arguments[place]) if is_asked and place < len(terms.arguments) else ()
        text = of_tensors.get(place) or next(filter(None, texts), "")
        found |= {place: text} if text else {}
    return found


def sizes_of(shape: Shape) -> dict[str, int]:
    return {"M": shape.m, "N": shape.n, "K": shape.k}


def _counts(texts: tuple[str, ...], names: Mapping[str, int]) -> tuple[int, ...]:
    """The numbers along each axis, but for those of 1 behind the last other one."""
    found = [evaluate_whole(text, names) for text in texts]
    while len(found) > 1 and found[-1] == 1:
        found.pop()
    return tuple(found)


def numbers_or_none(
    terms: LaunchTerms, description: Description, shape: Shape
) -> tuple[LaunchNumbers, LaunchNumbers] | None:
    """What was proven and what host code gives at a size; None where that cannot be computed."""
    try:
        proven = described_numbers(description, shape)
        return proven, host_numbers(terms, description, proven, shape)
    except ExpressionError:
        return None


def grid_words(grid: tuple[str, ...]) -> str:
    """The blocks of a grid: "ceil_div(N, 16) × 4 blocks"."""
    axes = [f"({text})" if " if " in text and len(grid) > 1 else text for text in grid]
    return f"{' × '.join(axes)} block{'s'[: grid != ('1',)]}"

"""Values to try for the whole-number parameters of a kernel, by their names and by what the host code gives them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from gemmviz.adopt.propose.geometry import BlockGuess
from gemmviz.adopt.propose.roles import matrices_in_order, role_of
from gemmviz.adopt.propose.strides import UNIT
from gemmviz.adopt.source.kernels import SignatureParameter
from gemmviz.adopt.source.launches import FoundLaunch
from gemmviz.catalogue.expressions import ExpressionError, evaluate_whole
from gemmviz.domain.kernels.parameter_types import BOOL, Kind, ParameterType
from gemmviz.domain.shape import Shape

SIZES = {"M": 512, "N": 768, "K": 640}
"""Values for numbers that may be dimensions: multiples of the usual tiles, and none a multiple of another, since every
second row of a matrix is a row of one that is half as wide.
"""
SQUARE = 256
_UNEVEN = {SIZES["M"]: 630, SIZES["N"]: 735, SIZES["K"]: 525}
"""Sizes in the place of those: multiples of 3, 5 and 7 instead of powers of two, and none a multiple of another."""
_UNEVEN_BASE = Shape(210, 315, 525)
"""A small product with such sizes."""
_OTHER_DEPTH = 648
"""A K with an odd number of tiles of 8, in the place of the usual one, which has an even number."""
_BASE_OF_OTHER_DEPTH = Shape(128, 192, 136)
"""A small product with such a K."""
_POWERS = {
    "N": ({SIZES["M"]: SIZES["N"], SIZES["N"]: SIZES["M"]}, Shape(96, 128, 192)),
    "K": ({SIZES["M"]: SIZES["K"], SIZES["K"]: SIZES["M"]}, Shape(64, 96, 128)),
}
"""Sizes in the place of the usual ones of which N or K is a power of two, and a small product with such."""
_LEADING = {"lda": 1088, "ldb": 1344, "ldc": 1600, "ldd": 1856}
_UNKNOWN = (896, 1152, 1408)
_WHOLE = (Kind.SIGNED, Kind.UNSIGNED)
_MOST_FLAGS = 3
_NO_SIZES = ("tile", "batch")
_NOT_FLATTENED: Mapping[int, int] = {}
_NO_VECTORS: Mapping[int, tuple[str, int]] = {}
_SIZE_NAME = re.compile(
    r"(?i)(?:\w*_)?(?:ld|stride|pitch|width|height|size|dim|order|length|len|rows?|cols?|columns?)\d?"
)
NAME = re.compile(r"(?!(?:if|else|and|or|not)\b)\b[A-Za-z_]\w*(?!\w*\()")
"""A name in an expression that is no function's."""


@dataclass(frozen=True, slots=True)
class ArgumentReading:
    """One way of giving a kernel its whole numbers, by the places of the parameters, counted from 0.

    `numbers` may be sizes; `derived` are numbers, or expressions over sizes such as "ceil_div({5}, 4)", where {5} is
    what parameter 5 is given. `forms` are what the kernel is given of some of `numbers`, each {}: "{} * 4" of a
    distance in bytes, "{} // 4" of a count of vectors, "{} * {4}" of a count of elements. `is_square`: several
    parameters are given one value, although they may stand for different sizes. `is_small`: one block may cover all
    rows or columns of the result. `flags` are those of `derived` that are given a constant because they sound like no
    size.
    """

    numbers: Mapping[int, int]
    derived: Mapping[int, str]
    is_square: bool = False
    is_small: bool = False
    forms: Mapping[int, str] = field(default_factory=dict)
    flags: frozenset[int] = frozenset()
    strides: Mapping[int, str] = field(default_factory=dict)
    """What strides along rows and columns are read as (`stride_roles`)."""
    base: Shape | None = None
    """The size at which a product is checked first, where sizes are not the usual ones: multiples of odd numbers for a
    kernel that leaves a rest of others out, or one that is a power of two.
    """

    def with_uneven_sizes(self) -> ArgumentReading | None:
        """The reading with such sizes in the place of the usual ones; None where it has others."""
        if not {*self.numbers.values()} <= {*_UNEVEN} or len({*self.numbers.values()}) < len(_UNEVEN):
            return None
        return replace(self, numbers={place: _UNEVEN[one] for place, one in self.numbers.items()}, base=_UNEVEN_BASE)

    def with_other_depth(self) -> ArgumentReading | None:
        """The reading with an odd number of small tiles along K; None where it has no K of the usual sizes."""
        if SIZES["K"] not in self.numbers.values() or self.is_square:
            return None
        numbers = {place: _OTHER_DEPTH if one == SIZES["K"] else one for place, one in self.numbers.items()}
        return replace(self, numbers=numbers, base=_BASE_OF_OTHER_DEPTH)

    def with_power(self, name: str) -> ArgumentReading | None:
        """The reading with a power of two for N or K; None where it has no such size, or others than the usual ones."""
        values = {*self.numbers.values()}
        if SIZES[name] not in values or not values <= {*SIZES.values()} or len(values) < len(self.numbers):
            return None
        other, base = _POWERS[name]
        return replace(self, numbers={place: other.get(one, one) for place, one in self.numbers.items()}, base=base)

    @property
    def has_equal_numbers(self) -> bool:
        """Whether several numbers have one value, so that they may stand for different sizes all the same."""
        return len({*self.numbers.values()}) < len(self.numbers)

    @property
    def named(self) -> frozenset[int]:
        """The places of the numbers that the host code or their names say more of than that they are no sizes."""
        return frozenset(self.derived) - self.flags

    @property
    def given(self) -> dict[int, int]:
        """What the parameters are given, by their places."""
        texts = self.in_forms({place: str(value) for place, value in self.numbers.items()})
        sizes = {place: value_of(text, {}) or 0 for place, text in texts.items()}
        return {**sizes, **{place: value_of(text, sizes) or 0 for place, text in self.derived.items()}}

    def roles(self, named: Mapping[int, str]) -> dict[int, str]:
        """What parameters are called for, `named` by their names; one called after tiles may count those of a size."""
        roles = {**named, **self.strides}
        return {place: "" if place in self.forms and role in _NO_SIZES else role for place, role in roles.items()}

    def in_forms(self, words: Mapping[int, str]) -> dict[int, str]:
        """Words for the numbers in the forms that the kernel is given: "lda * 4"."""
        texts = {place: self.forms.get(place, "{}").replace("{}", word) for place, word in words.items()}
        return {place: in_words(text, words) if place in self.forms else text for place, text in texts.items()}


def whole_places(types: Sequence[ParameterType]) -> list[int]:
    """The places of the parameters that take whole numbers."""
    return [place for place, one in enumerate(types) if not one.is_pointer and one.scalar.kind in _WHOLE]


def roles_of(parameters: Sequence[SignatureParameter], places: Sequence[int]) -> dict[int, str]:
    """What the names of the parameters at these places say that they stand for, "" for nothing."""
    letters = matrices_in_order(parameters)
    pointers = {parameters[place].name: letter for place, letter in letters.items()}
    return {place: role_of(parameters[place], pointers).word for place in places}


def readings_of(
    types: Sequence[ParameterType],
    roles: Mapping[int, str],
    launch: FoundLaunch | None,
    guess: BlockGuess,
    divisor: int = 1,
    may_be_flags: Collection[int] = (),
    flattened: Mapping[int, int] = _NOT_FLATTENED,
    vectors: Mapping[int, tuple[str, int]] = _NO_VECTORS,
) -> Iterator[ArgumentReading]:
    """Values for the whole-number parameters: by their names, then all different, then all equal; `guess` says how
    wide a tile is. Sizes are divided by `divisor`. Flags that the host code says nothing of are tried both ways; those
    that `may_be_flags` are given 0 and 1 first, and sizes only then. Where the host code computes a number from a size
    that it gives in no other way, the size is tried first; `flattened` are the places of numbers that may count the
    elements of a matrix, and those of its columns; `vectors` are those that may count vectors of a size, with what that
    is called for and how many elements a vector has.
    """
    counts = {
        **{place: (size, f"{{}} // {width}") for place, (size, width) in vectors.items()},
        **{place: ("", f"{{}} * {{{columns}}}") for place, columns in flattened.items() if launch is None},
        **_counts(launch, roles),
        **_counts_of_elements(launch, roles),
    }
    if counts:
        sizes = {place: size for place, (size, _) in counts.items()}
        forms = {place: form for place, (_, form) in counts.items()}
        tried = _all_readings(types, {**roles, **sizes}, launch, guess, divisor, {*may_be_flags} - {*counts})
        yield from (replace(one, forms=forms) for one in tried if counts.keys() <= one.numbers.keys())
    yield from _all_readings(types, roles, launch, guess, divisor, may_be_flags)


def _counts(launch: FoundLaunch | None, roles: Mapping[int, str]) -> dict[int, tuple[str, str]]:
    """The numbers that the host code computes from one variable that it does not give the kernel, as a count of vectors
    or of tiles is (N / 4): what that size is called for, "" for nothing, and the form of the number.
    """
    given = launch.arguments if launch is not None else ()
    traced = launch.traced if launch is not None else ()
    found: dict[int, tuple[str, str]] = {}
    for place, text in enumerate(given):
        words = (traced[place] if place < len(traced) else "") if text.isidentifier() else text
        names = {*NAME.findall(words)}
        if place not in roles or len(names) != 1 or names & {*given} or words in names:
            continue
        size = role_of(SignatureParameter(names.pop(), "", "", is_pointer=False, is_const=False), {}).word
        form = NAME.sub("{}", words)
        if form.count("{}") == 1:
            found[place] = (size if size in SIZES else roles[place] if roles[place] in SIZES else "", form)
    return found


def _counts_of_elements(launch: FoundLaunch | None, roles: Mapping[int, str]) -> dict[int, tuple[str, str]]:
    """The numbers that the host code computes as a product of one size that it does not give the kernel and others that
    it does, as in f<<<...>>>(m * n, a, b, c, n, k): "" and the form of the number.
    """
    given = launch.arguments if launch is not None else ()
    traced = launch.traced if launch is not None else ()
    found: dict[int, tuple[str, str]] = {}
    for place, text in enumerate(given):
        words = (traced[place] if place < len(traced) else "") if text.isidentifier() else text
        factors = words.split(" * ")
        known = [given.index(one) for one in factors if one in given and one.isidentifier()]
        is_read = all(one.isidentifier() for one in factors) and place in roles and {*known} <= {*roles} - {place}
        if is_read and 0 < len(known) < len(factors):
            found[place] = ("", " * ".join(["{}", *(f"{{{one}}}" for one in known)]))
    return found


def _all_readings(
    types: Sequence[ParameterType],
    roles: Mapping[int, str],
    launch: FoundLaunch | None,
    guess: BlockGuess,
    divisor: int,
    may_be_flags: Collection[int],
) -> Iterator[ArgumentReading]:
    """The readings in which each number that is no flag, tile or part is a size as it is given."""
    computed = _computed(launch, roles)
    tiles = {
        place: str(_tile(guess, launch, place))
        for place, role in roles.items()
        if role == "tile" and place not in computed
    }
    units = {place: "1" for place, role in roles.items() if role == UNIT}
    parts = {place: "1" for place, role in roles.items() if role == "batch"}
    bools = [place for place in roles if types[place].scalar == BOOL and place not in computed][:_MOST_FLAGS]
    fixed = {**computed, **tiles, **units}
    ways = [{**parts, **_launched_parts(launch, parts), **fixed}, {**parts, **fixed}, fixed]
    for derived in (one for place, one in enumerate(ways) if one not in ways[:place]):
        unnamed = {place: role for place, role in roles.items() if place not in {*derived, *bools}}
        unnamed |= {place: "" for place in parts if place in unnamed}
        numbers = [place for place in may_be_flags if place in unnamed and not _is_given_twice(launch, place)]
        for flags in ([*bools, *numbers], bools) if 0 < len(numbers) < len(unnamed) else (bools,):
            free = {place: role for place, role in unnamed.items() if place not in flags}
            constants = _constants(launch, [place for place, role in free.items() if not role])
            for values in _values_of_flags(flags, _constants(launch, flags)):
                chosen, found = {**derived, **values}, frozenset(values)
                tried = [*_readings(free, chosen, launch, divisor)]
                if constants and len(constants) < len(free):
                    left = {place: role for place, role in free.items() if place not in constants}
                    of_host = [*_readings(left, {**chosen, **constants}, launch, divisor)]
                    # beside as many other numbers as a product has sizes, a constant of the host code is none
                    others = [role for role in left.values() if role in SIZES or not role]
                    tried = [*of_host, *tried] if len(others) >= len(SIZES) else [*tried, *of_host]
                yield from (replace(one, flags=found) for one in tried)


def _values_of_flags(flags: Sequence[int], given: Mapping[int, str]) -> Iterator[dict[int, str]]:
    """What flags are given, one way after the other: what the host code gives, else 0 and 1; of many, most get 0."""
    for values in product(*((given[one],) if one in given else ("0", "1") for one in flags[:_MOST_FLAGS])):
        yield {**dict.fromkeys(flags, "0"), **dict(zip(flags, values, strict=False))}


def _is_given_twice(launch: FoundLaunch | None, place: int) -> bool:
    """Whether the host code gives a parameter what it gives another one: a size rather than a flag."""
    given = launch.arguments if launch is not None else ()
    return place < len(given) and given[place].isidentifier() and given.count(given[place]) > 1


def _readings(
    free: Mapping[int, str], derived: Mapping[int, str], launch: FoundLaunch | None, divisor: int
) -> Iterator[ArgumentReading]:
    square = dict.fromkeys(free, SQUARE // divisor)
    if len(free) < 2:
        yield ArgumentReading(square, derived)
        return
    given = launch.arguments if launch is not None else ()
    alike = {given[place]: role for place, role in free.items() if role in SIZES and place < len(given)}
    roles = {place: role or (alike.get(given[place], "") if place < len(given) else "") for place, role in free.items()}
    known = {**SIZES, **_LEADING}
    unknown = iter([value for name, value in SIZES.items() if name not in roles.values()] + list(_UNKNOWN))
    named = {place: known[role] if role in known else next(unknown, 2048) for place, role in roles.items()}
    named = {place: value // divisor for place, value in named.items()}
    yield ArgumentReading(named, derived)
    apart = dict(zip(free, [value // divisor for value in (*SIZES.values(), *_UNKNOWN)], strict=False))
    if len(free) <= 6 and apart != named:
        yield ArgumentReading(apart, derived)
    yield ArgumentReading(square, derived, is_square=True)


def _computed(launch: FoundLaunch | None, roles: Mapping[int, str]) -> dict[int, str]:
    """What the launch computes from other numbers that it gives: "4 * {2}" for k * sizeof(float), where parameter 2
    is given k. Also plain numbers, where no name says what they are.
    """
    given = launch.arguments if launch is not None else ()
    traced = launch.traced if launch is not None else ()
    places = {text: place for place, text in reversed([*enumerate(given)]) if text.isidentifier() and place in roles}
    found: dict[int, str] = {}
    # where the host code writes a named size as a number, another number may be the size that has no name
    has_literal_sizes = any(text.isdigit() and roles.get(place) in SIZES for place, text in enumerate(given))
    may_be_size = has_literal_sizes and not {*SIZES} <= {*roles.values()}
    for place, text in enumerate(given):
        if may_be_size and text.isdigit():
            continue
        is_distance_of_products = roles.get(place, "").startswith("ld") and "*" in text
        is_called_twice = roles.get(place) in SIZES and [*roles.values()].count(roles[place]) > 1
        is_open = roles.get(place) in ("", "batch", "tile") or is_distance_of_products or is_called_twice
        if place not in roles or not is_open:
            continue
        words = text
        if text in places:
            words = traced[place] if place < len(traced) else ""
            if not NAME.search(words):  # a constant, which may be the size that is asked for
                continue
        names = NAME.findall(words)
        if words and (names or not roles[place]) and all(name in places and name != text for name in names):
            found[place] = NAME.sub(lambda name: f"{{{places[name[0]]}}}", words)
    return {place: words for place, words in found.items() if not _refers_to(words, found)}


def _refers_to(words: str, others: Mapping[int, str]) -> bool:
    return any(f"{{{place}}}" in words for place in others)


def _constants(launch: FoundLaunch | None, places: Sequence[int]) -> dict[int, str]:
    """The constants of the host code that parameters are given."""
    traced = launch.traced if launch is not None else ()
    return {place: traced[place] for place in places if place < len(traced) and traced[place].isdigit()}


def _launched_parts(launch: FoundLaunch | None, places: Iterable[int]) -> dict[int, str]:
    """The constant that the host code gives both such a parameter and the grid's z: as many blocks share each sum."""
    blocks = launch.grid[2] if launch is not None and len(launch.grid) == 3 else ""
    given = launch.arguments if launch is not None else ()
    of_grid = [place for place in places if place < len(given) and given[place] == blocks]
    return _constants(launch, of_grid)


def _tile(guess: BlockGuess, launch: FoundLaunch | None, place: int) -> int:
    """The edge of a tile that a parameter asks for: what the launch gives it, or the block's edge."""
    given = launch.arguments if launch is not None else ()
    traced = launch.traced if launch is not None else ()
    text = given[place] if place < len(given) else ""
    value = traced[place] if place < len(traced) else ""
    return next((int(one) for one in (text, value) if one.isdigit()), guess.values.get(text, guess.block[0]))


def over_places(text: str, launch: FoundLaunch) -> str:
    """An expression of a launch with {places} for the names that the kernel is given; other names stay."""
    places = {name: place for place, name in reversed([*enumerate(launch.arguments)]) if name.isidentifier()}
    return NAME.sub(lambda name: f"{{{places[name[0]]}}}" if name[0] in places else name[0], text)


def is_size(name: str) -> bool:
    """Whether a parameter is called as a size or a distance between lines is, though not of which matrix."""
    return _SIZE_NAME.fullmatch(name) is not None


def value_of(text: str, numbers: Mapping[int, int]) -> int | None:
    """The value of an expression over {places} of parameters; None where it has none."""
    words = re.sub(r"\{(\d+)\}", lambda place: str(numbers.get(int(place[1]), "unknown")), text)
    try:
        return evaluate_whole(words, {})
    except ExpressionError:
        return None


def in_words(text: str, words: Mapping[int, str]) -> str:
    """An expression over {places} with words in their place: "ceil_div(K, 4)"."""
    return re.sub(r"\{(\d+)\}", lambda place: words[int(place[1])], text)


def block_over(guess: BlockGuess, words: Sequence[str]) -> tuple[str, ...]:
    """A block as far as it has axes, over what the parameters are given."""
    used = max((axis for axis, one in enumerate(guess.block) if one > 1), default=0) + 1
    given = dict(enumerate(words))
    return tuple(in_words(one, given) for one in guess.block_words) or tuple(map(str, guess.block[:used]))

"""What a proven description is based on: the source of each guess, and what else its runs showed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from gemmviz.adopt.description import Description
from gemmviz.adopt.propose.geometry import BlockGuess
from gemmviz.adopt.propose.instances import Instance
from gemmviz.adopt.propose.roles import DIMENSIONS, Role, matrices_in_order, role_of
from gemmviz.adopt.propose.vector_counts import vector_counts
from gemmviz.adopt.prove.check import Checked, check
from gemmviz.adopt.prove.factors.zero_share import share_words
from gemmviz.adopt.prove.machine import CompiledKernel
from gemmviz.adopt.prove.memory.padded_lines import padded_words
from gemmviz.adopt.prove.printing import printing_words
from gemmviz.adopt.prove.readings import ArgumentReading, whole_places
from gemmviz.adopt.prove.searched_kernel import SearchedKernel
from gemmviz.adopt.prove.sizes.shapes import products_of
from gemmviz.adopt.prove.special_elements import infinity_words
from gemmviz.adopt.prove.sum_format import coarse_sum_words
from gemmviz.adopt.source.arithmetic import names_in
from gemmviz.adopt.source.tree import IDENTIFIER
from gemmviz.domain.kernels.parameter_types import EMPTY
from gemmviz.domain.listing import listed
from gemmviz.domain.shape import Shape
from gemmviz.machine.ptx.unsteady_registers import unsteady_reads

_LEADING = re.compile("ld[abcd]")
_OFF = 37
"""A size of a dimension without a rule."""
_COUNTS = (1, 2, 3, 5)
"""Blocks along an axis with which a grid is tried whose blocks may go on in a loop."""

COARSE = (
    "results are less exact than float32 allows, which `run` takes for an error: keep products, sums and factors in "
    "float, and convert the result"
)
"""What is noted of sums in half."""
_USUAL_MACRO = "usual sizes of such macros, or the condition of its #if"


def because(
    searched: SearchedKernel,
    made: CompiledKernel,
    description: Description,
    instance: Instance,
    guess: BlockGuess,
    reading: ArgumentReading,
) -> tuple[str, ...]:
    """The source of each guess that turned out right: a launch, a default, a name."""
    found = [f"the block: {guess.because}"]
    if instance.template:
        found.append(f"the template's arguments: {instance.because}")
    places = whole_places(made.types)
    unnamed = searched.unnamed_sizes(made.types, instance.template).values() if places else ()
    for name, value in description.fixed:
        constant = next((one for one in unnamed if one.value == value), None)
        if constant is not None and constant.name != name:
            where = f"the number in line {constant.line}" if constant.line else constant.name
            found.append(f"{name} = {value}: {where}, as no parameter of the kernel gives {name}")
    sizes = {} if places else {one.name: one.value for one in searched.constants}
    for name, value in instance.defines:
        is_option = any(one.is_option and one.words == f"{name} == {value}" for one in searched.kernel.conditions)
        why = f"the option -D{name}={value}" if is_option else _USUAL_MACRO
        smaller = f"{sizes.get(name)} takes too long to be proven, and its #ifndef lets others define it"
        found.append(f"{name} = {value}: {smaller if name in sizes else why}")
    parameters = searched.kernel.parameters
    letters = matrices_in_order(parameters)
    pointers = {parameters[place].name: letter for place, letter in letters.items()}
    roles = [role_of(parameters[place], pointers) for place in places]
    words, given = searched.kernel.words, [description.arguments[place] for place in places]
    is_number = [one.isdigit() and parameters[place].name in words for place, one in zip(places, given, strict=True)]
    named = [
        role
        for role, word, is_one in zip(roles, given, is_number, strict=True)
        # a name that what was proven belies is no ground of it
        if role.word
        and (is_one or role.word not in ("batch", "tile"))
        and (role.word == word or role.word not in DIMENSIONS)
    ]
    return (
        *found,
        *(role.because for role in named if "it is called" not in role.because),
        *lines_of_others(
            [one.name for one in parameters], dict(zip(places, roles, strict=True)), description.arguments
        ),
        *_forms(searched, made, description, reading),
        *_empty_structures(searched, made),
        *_host_constants(searched, instance, guess),
        *_guards(searched, description),
    )


def lines_of_others(names: Sequence[str], roles: Mapping[int, Role], arguments: Sequence[str]) -> list[str]:
    """Which matrices the kernel addresses with the leading dimension of another one, by the names of the parameters:
    "the kernel addresses C with ldb, not with ldc". `roles` are by the places of the parameters.
    """
    called = {role.word: names[place] for place, role in roles.items()}
    return [
        f"the kernel addresses {arguments[place][-1].upper()} with {names[place]}, not with {called[arguments[place]]}"
        for place, role in roles.items()
        if _LEADING.fullmatch(role.word)
        and arguments[place] in called
        and arguments[place] != role.word
        and _LEADING.fullmatch(arguments[place])
    ]


def _host_constants(searched: SearchedKernel, instance: Instance, guess: BlockGuess) -> list[str]:
    """The constants that the launch is computed with and the kernel does not use: they are no parameters."""
    launch, names, kernel = instance.launch, searched.source.names, searched.kernel
    if launch is None or not guess.is_launched:
        return []
    used = {*kernel.words, *(one.name for one in kernel.template)}
    used |= {name for one in kernel.parameters for name in IDENTIFIER.findall(one.written)}  # float (*b)[WIDTH]
    used |= {name for one in used if one in names.constants for name in names_in(names.constants[one])}
    parts = [("block", launch.named.block, launch.block), ("grid", launch.named.grid, launch.grid)]
    values: dict[str, int] = {}
    for _, named, texts in parts:
        for of_axis, text in zip(named, texts, strict=False):
            for name in sorted(of_axis - used - {*DIMENSIONS}):
                alone = int(text) if of_axis == {name} and text.isdigit() else None
                value = names.value_of(name) if name in names.constants else alone
                values |= {} if value is None else {name: value}
    places = {name: [part for part, named, _ in parts if any(name in one for one in named)] for name in values}
    return [
        f"{name} = {value}: host code computes the {listed(places[name])} of the launch in line {launch.line} with it, "
        "and the kernel does not use it"
        for name, value in values.items()
    ]


def _guards(searched: SearchedKernel, description: Description) -> list[str]:
    """The lines in which the kernel compares two dimensions that must be equal."""
    given = [*zip(description.arguments, searched.names, strict=True)]
    first, last = searched.kernel.line, searched.kernel.last_line
    lines = [text.partition("//")[0] for text in searched.text.split("\n")[first - 1 : last]]
    found = []
    for pair in description.equal:
        called = "|".join(re.escape(name) for word, name in given if word in pair)
        compared = re.compile(rf"(?<![\w.])({called})\s*[!=]=\s*({called})(?![\w.\[(])")
        places = ((number, one) for number, text in enumerate(lines, first) for one in compared.finditer(text))
        number, one = next(((number, one) for number, one in places if one[1] != one[2]), (0, None))
        if one is not None:
            found.append(f"{' = '.join(pair)}: line {number} compares {one[1]} with {one[2]}")
    return found


def _empty_structures(searched: SearchedKernel, made: CompiledKernel) -> list[str]:
    empty = [searched.names[place] for place, kind in enumerate(made.types) if kind.scalar == EMPTY]
    return [f"{name}: a structure without members, which needs no value" for name in empty]


def _forms(
    searched: SearchedKernel, made: CompiledKernel, description: Description, reading: ArgumentReading
) -> list[str]:
    """The numbers that the kernel takes in a form of their own: distances in bytes, counts of vectors or tiles."""
    in_bytes = [place for place in reading.forms if place in searched.bytes_each(made.types)]
    counts = [place for place in reading.forms if place not in in_bytes]
    found = []
    if in_bytes:
        are = "is a distance" if len(in_bytes) == 1 else "are distances"
        names, word = listed([searched.names[place] for place in in_bytes]), description.arguments[in_bytes[0]]
        found.append(f"{names} {are} in bytes: so, as {word}, results are right")
    why = "the host code computes it so" if searched.launches else "the kernel divides an index below it"
    vectors = vector_counts(searched.kernel.parameters, counts)
    of_name = "its name says that it counts vectors, and pointers of the kernel point to vectors of {} elements"
    is_named = {} if searched.launches else vectors
    whys = {one: of_name.format(vectors[one][1]) if one in is_named else why for one in counts}
    found += [f"{searched.names[one]} is {description.arguments[one]}: {whys[one]}" for one in counts]
    return found


def with_notes(
    made: CompiledKernel, description: Description, base: Shape, right: Sequence[Shape], limit_s: float
) -> tuple[Description, tuple[str, ...]]:
    """The description with what its runs showed against it, though results are right with usual elements, and sentences
    on what else they showed. Each run has `limit_s` seconds; `right` are further sizes at which it is right.
    """
    found = []
    short = min((base, *right), key=lambda one: (one.k, -one.m * one.n))  # where sums hide nothing
    is_coarse = any(_is_wrong(check(made, description, one, limit_s, in_float32=True)) for one in (base, short))
    if is_coarse:
        adds = coarse_sum_words(made, description, base, limit_s)
        found += [COARSE, *([adds] if adds else [])]
    found += _right_beside_rules(made, description, limit_s)
    if description.has_beta and _is_wrong(check(made, description, base, limit_s, beta=0.0, is_poisoned=True)):
        found.append("C is read even where beta is 0, so a NaN in it stays one")
    found += filter(None, [share_words(description)])
    uneven = [one for one in right if one.m % 8 and one.n % 8 and min(one.m, one.n, one.k) > 8]
    gaps = padded_words(made, description, min(uneven, key=products_of, default=base), limit_s)
    without_tile = [one for one in uneven if one.k % 2] or [base]
    infinity, fault = infinity_words(made, description, min(without_tile, key=products_of), limit_s)
    found += [f"{infinity}: {fault}"] if infinity else []
    if unsteady := unsteady_reads(one for piece in made.program.pieces for one in piece):
        found.append(unsteady)
    if printing := printing_words(made.ptx):
        found.append(printing)
    return replace(description, is_coarse=is_coarse, infinity=infinity, gaps=gaps), tuple(found)


def _right_beside_rules(made: CompiledKernel, description: Description, limit_s: float) -> list[str]:
    """That it is right where several dimensions break their rules at once; [] where it is not."""
    ruled = [rule for rule in description.rules if rule.multiple > 1 and not rule.most and rule.dimension in "MNK"]
    if len(ruled) < 2 or description.equal or description.fixed:
        return []
    sizes = dict.fromkeys("MNK", _OFF) | {rule.dimension: 2 * rule.multiple + 1 for rule in ruled}
    shape = Shape(sizes["M"], sizes["N"], sizes["K"])
    if not check(made, description, shape, limit_s).is_right:
        return []
    names = listed([rule.dimension for rule in ruled])
    return [f"the rules for {names} leave out sizes that are right: {shape}, where all of them break theirs"]


def _is_wrong(checked: Checked) -> bool:
    return not checked.is_right and not checked.is_untold


def free_grid(
    made: CompiledKernel, description: Description, shape: Shape, limit_s: float, unstepped: str, axes: str
) -> tuple[str, ...]:
    """Along which axes of the grid any number of blocks computes all of the result: each of the axes `unstepped` is
    tried apart, then all that are free at once. `axes` are those that the kernel tells its blocks apart by.
    """
    usual = (*description.grid, "1", "1")[:3]

    def is_right(counts: Mapping[str, int]) -> bool:
        x, y, z = (str(counts.get(axis, text)) for axis, text in zip("xyz", usual, strict=True))
        return check(made, replace(description, grid=(x, y, z)), shape, limit_s).is_right

    free = [axis for axis in unstepped if all(is_right({axis: count}) for count in _COUNTS)]
    if not free or not is_right(dict(zip(free, (2, 3, 5), strict=False))):
        return ()
    if set(free) == set(axes):
        return ("its blocks go on in a grid-stride loop: a grid of any size computes all of the result",)
    return (f"any number of blocks in {listed(free)} computes all of the result",)

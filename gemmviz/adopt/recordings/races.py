"""The races of a kernel: of one that computed no product, and of one whose results are right all the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import gcd, prod
from pathlib import Path

from gemmviz.adopt.axis_words import axis_words
from gemmviz.adopt.description import ELEMENTS, Description, FoundHazard
from gemmviz.adopt.finding import SearchedSize
from gemmviz.adopt.propose.geometry import BlockGuess
from gemmviz.adopt.propose.roles import factor_of, matrices_in_order
from gemmviz.adopt.prove.machine import CompiledKernel, elements_of
from gemmviz.adopt.prove.readings import ArgumentReading, in_words, roles_of, whole_places
from gemmviz.adopt.prove.search_log import SearchLog
from gemmviz.adopt.reasons import BLOCKS_RACE, NO_RACES_SEARCHED, RACES, UNINITIALISED, FaultKind, Reason
from gemmviz.adopt.recordings.large_size_races import FurtherRaces, large_size_races
from gemmviz.adopt.recordings.race_beginnings import with_beginning
from gemmviz.adopt.recordings.timed_recording import NOT_RECORDED, TimedRecording, found_in, record_in_time, why_not
from gemmviz.adopt.sidecar import sidecar_text
from gemmviz.adopt.source.kernels import FoundKernel
from gemmviz.catalogue.expressions import evaluate_whole
from gemmviz.catalogue.header import HeaderError
from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.loader import described_kernel
from gemmviz.compiler.opencl.weak_barriers import weak_barriers
from gemmviz.compiler.ptx.arrivals import UNFOLLOWED, uses_arrivals
from gemmviz.domain.figures import counted
from gemmviz.domain.kernels.call import OPERANDS, Storage
from gemmviz.domain.listing import listed
from gemmviz.domain.recordings.hazard import HazardKind, Mend
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm, Element, Language

_SHAPE = Shape(128, 192, 64)
_LONG_SUMS = 640
"""Further rounds of a kernel with up to eight tiles of 64 in shared memory at once."""
_SMALL = {"M": 140, "N": 132, "K": 72}
OF_FEW_BLOCKS = {"M": 44, "N": 36, "K": 72}
"""Of a kernel of which a few blocks compute all of the result, whatever its size, and for what is recorded often."""
_SHORT = {"M": 76, "N": 68, "K": 24}
"""A product whose sums are shorter than what kernels treat apart."""
_FEW = 5
"""Of dimensions beside a long one."""
_UNPROVEN_S = 10.0
"""For the first block of a kernel that was not proven."""
_ONE_BLOCK = ("1",)
RIGHT_AT_SOME = (
    "found out by running the kernel on the PTX machine, where its results were right at some sizes and wrong at others"
)
_OF_HOST_CODE = "taken from its host code and the names of its parameters"
_MOST_PRODUCTS = 1 << 23
"""Of a recording of a whole grid."""


def as_launched(kernel: FoundKernel, made: CompiledKernel, guess: BlockGuess, reading: ArgumentReading) -> Description:
    """A kernel as a reading of its launch calls it, one block of it: what its parameters are called says what they
    stand for, and of the rest of its numbers each is K, of its factors 1.
    """
    roles = reading.roles(roles_of(kernel.parameters, whole_places(made.types)))
    letters = matrices_in_order(kernel.parameters)
    words = {place: role or "K" for place, role in roles.items()}
    for place, parameter in enumerate(kernel.parameters):
        if place not in words:
            words[place] = letters.get(place, "null") if parameter.is_pointer else factor_of(parameter) or "1.0"
    words = reading.in_forms(words)
    words |= {place: in_words(text, words) for place, text in reading.derived.items()}
    elements = {letters[place]: one for place, one in elements_of(made.types).items() if place in letters}
    one, two, three, four = (Storage(elements.get(name, Element.FLOAT32)) for name in OPERANDS)
    return Description(
        entry=made.build.entry,
        template=made.build.template,
        defines=made.build.defines,
        arguments=tuple(words[place] for place in range(len(kernel.parameters))),
        storages=(one, two, three, four),
        block=(*(in_words(one, words) for one in guess.block_words),) or tuple(map(str, guess.block)),
        grid=_ONE_BLOCK,
        shared_bytes=in_words(guess.shared_bytes, words),
        equal=(("M", "N"), ("M", "K")) if len(reading.numbers) == 1 else (),
    )


def faults_in(path: Path, text: str, description: Description, log: SearchLog) -> tuple[FoundHazard, ...]:
    """What is wrong with the first block of a kernel that is called as described; where nothing is, the races of that
    block with long sums, as those of many stages of buffers; then, where its grid is known, the races between its
    blocks. The gravest comes first; nothing where the kernel cannot be recorded so.
    """
    found = _hazards_of_block(path, text, description, log)
    if found == ():
        deep = _hazards_of_block(path, text, description, log, has_long_sums=True) or ()
        if races := tuple(one for one in deep if one.kind is HazardKind.RACE):
            return races
    if found == () and is_grid_known(description):
        found = _hazards_of_block(path, text, description, log, first_block_alone=False) or ()
        return found if all(one.kind.is_between_blocks for one in found) else ()
    return found or ()


def race_as_launched(faults: Sequence[FoundHazard]) -> Reason | None:
    """The gravest race of a kernel as its host code launches it, else an uninitialised read, with its lines; None for
    neither.
    """
    launched = "as its host code launches it"
    races = [one for one in faults if one.is_race]
    return reason_of_races(races, launched) if races else reason_of_unwritten(faults, launched)


def is_grid_known(description: Description) -> bool:
    """Whether a description that was taken from a launch has its grid, and not one block of it."""
    return description.grid != _ONE_BLOCK


def with_faults(description: Description, faults: Sequence[FoundHazard]) -> Description | None:
    """How host code launches a kernel with a race or an uninitialised read, to be recorded as it is; None where its
    faults are neither, or its grid is not known.
    """
    if not is_grid_known(description) or not any(one.is_race or one.is_unwritten_read for one in faults):
        return None
    return replace(description, hazards=tuple(faults), unproven=_OF_HOST_CODE)


def race_between_blocks(path: Path, text: str, description: Description, log: SearchLog) -> Reason | None:
    """The gravest race between blocks of a kernel that does nothing else wrong in a guessed launch; else None."""
    block, grid = axis_words(description.block), axis_words(description.grid)
    launched = f"with blocks of {block} threads in a grid of {grid}, which gemmviz guessed"
    found = _hazards_of_block(path, text, description, log, first_block_alone=False) or ()
    return reason_of_races(found, launched) if found and all(one.kind.is_between_blocks for one in found) else None


def races_of_product(path: Path, text: str, description: Description, log: SearchLog) -> tuple[FoundHazard, ...]:
    """The races of a kernel as described, the gravest first: within and between the blocks of a small product; ()
    where there are none, or where it cannot be recorded in time.
    """
    if not log.left_s:
        return ()
    try:
        kernel = described_kernel(path, text, sidecar_text(description))
    except HeaderError:
        return ()
    return tuple(one for one in hazards_of(kernel, description, log).hazards if one.is_race)


def race_of_irregular(races: Sequence[FoundHazard]) -> Reason | None:
    """The gravest race of a kernel that was right at some sizes, and wrong at others; None for none."""
    return reason_of_races(races, "launched so that its results were right at some sizes") if races else None


def _hazards_of_block(
    path: Path,
    text: str,
    description: Description,
    log: SearchLog,
    *,
    first_block_alone: bool = True,
    has_long_sums: bool = False,
) -> tuple[FoundHazard, ...] | None:
    """What is wrong with the first block, or with all of them, the gravest first; None where the kernel cannot be
    recorded so.
    """
    run = recorded_block(path, text, description, log, first_block_alone=first_block_alone, has_long_sums=has_long_sums)
    return found_in(run) if run is not None else None


def recorded_block(
    path: Path,
    text: str,
    description: Description,
    log: SearchLog,
    *,
    first_block_alone: bool = True,
    has_long_sums: bool = False,
) -> TraceRun | None:
    """A recording of the first block, or of all of them; None where the kernel cannot be recorded so."""
    if uses_arrivals(text):
        return None
    shape = Shape(128, 128, 128) if description.equal else _SHAPE
    if has_long_sums:
        shape = Shape(_LONG_SUMS, _LONG_SUMS, _LONG_SUMS) if description.equal else replace(_SHAPE, k=_LONG_SUMS)
    asked = (text, description, first_block_alone, shape)
    if asked not in log.recorded:
        try:
            kernel = described_kernel(path, text, sidecar_text(description))
            recording = record_in_time(kernel, shape, log, first_block_alone=first_block_alone, block_s=_UNPROVEN_S)
            log.recorded[asked] = recording.run
        except NOT_RECORDED:
            log.recorded[asked] = None
    return log.recorded[asked]


def reason_of_unwritten(hazards: Sequence[FoundHazard], launched: str) -> Reason | None:
    """The first uninitialised read of shared memory; None where there is none. What C begins with is not known yet."""
    read = next((one for one in hazards if one.is_unwritten_read), None)
    if read is None:
        return None
    return Reason(f"{UNINITIALISED}, {launched}: {read.detail}", FaultKind.UNINITIALISED, line=read.line)


def reason_of_races(races: Sequence[FoundHazard], launched: str) -> Reason:
    """The first of some races, how many more there are, and in which lines."""
    race, more = races[0], ""
    if others := races[1:]:
        lines = sorted({line for one in others for line in one.lines})
        where = f"in line{'s'[: len(lines) != 1]} {listed([*map(str, lines)])}"
        more = f" ({counted(len(others), 'more race')}, {where})"
    begins = BLOCKS_RACE if race.kind.is_between_blocks else RACES
    return Reason(f"{begins}, {launched}: {race.detail}{more}", _kind_of(race), line=race.line)


def _kind_of(race: FoundHazard) -> FaultKind:
    """What follows from a race."""
    is_of_blocks = race.kind.is_between_blocks
    match race.mend:
        case Mend.ATOMIC:
            return FaultKind.UPDATE_RACE
        case Mend.ONE_WRITER:
            return FaultKind.TWO_WRITERS
        case Mend.FENCE if is_of_blocks:
            return FaultKind.MISSING_FENCE
    if race.is_within_warp:
        return FaultKind.WARP_RACE
    return FaultKind.BLOCKS_RACE if is_of_blocks else FaultKind.RACE


@dataclass(frozen=True, slots=True)
class FoundRaces:
    """What is wrong with a kernel, the gravest first. `unsearched` says which races may be there all the same
    (`Description.unsearched`), `left_out` what else was not searched, and why; "" for nothing.
    """

    hazards: tuple[FoundHazard, ...] = ()
    unsearched: str = ""
    left_out: str = ""
    searched: tuple[SearchedSize, ...] = ()
    """Where nothing is wrong, the sizes of the recordings."""
    is_searched: bool = True
    """Whether races were looked for at all."""

    @classmethod
    def not_searched(cls, why: str) -> FoundRaces:
        """What is known of races of a kernel that cannot be recorded."""
        return cls((), NO_RACES_SEARCHED, f"not searched for races: {why}", is_searched=False)


def hazards_of(kernel: Kernel, description: Description, log: SearchLog) -> FoundRaces:
    """What is wrong with a described kernel (`faults_of`) in recordings of a small product, as compiled and, where
    nothing is wrong there, as written: what the compiler left out of the source shows in that alone. Of a product that
    is large all the same the first block is recorded, of any other the whole grid, as far as there is time. Where
    nothing is wrong in either, a small product with short sums is recorded as well, which kernels may treat apart, and
    a few blocks of large ones, at the sizes that the referee records (`large_size_races`).
    """
    if uses_arrivals(kernel.text):
        return FoundRaces.not_searched(UNFOLLOWED)
    shape = shape_to_record(description)
    is_large = shape.m * shape.n * shape.k > _MOST_PRODUCTS
    try:
        found = record_in_time(kernel, shape, log, first_block_alone=is_large)
    except NOT_RECORDED as error:
        return FoundRaces.not_searched(why_not(kernel, error))
    unsearched, left_out = _unsearched(found), _left_out(found, shape, log)
    if hazards := found.faults(""):
        short = _races_of_short_sums(kernel, description, log, hazards)
        told = with_beginning(hazards, kernel, shape, log, first_block_alone=is_large)
        return FoundRaces((*told, *short), left_out=left_out)
    further = _found_further(kernel, description, log, first_block_alone=is_large)
    if not further.hazards:
        further = further.and_then(large_size_races(kernel, log))
    left_out = "; ".join(filter(None, (left_out, *further.unrecorded)))
    weak = weak_barriers(kernel.text, kernel.entry) if kernel.language is Language.OPENCL else ""
    unsearched = " and ".join(filter(None, (unsearched, weak)))
    searched = (SearchedSize(shape, found.blocks, found.of), *further.searched)
    return FoundRaces(further.hazards, "" if further.hazards else unsearched, left_out, searched)


def _found_further(
    kernel: Kernel, description: Description, log: SearchLog, *, first_block_alone: bool
) -> FurtherRaces:
    """What is wrong as written, else with short sums."""
    shape, short, found = shape_to_record(description), shape_to_record(description, _SHORT), FurtherRaces()
    recordings: list[tuple[Shape, CodeForm | None]] = [(shape, CodeForm.AS_WRITTEN)]
    recordings = recordings if kernel.language.has_written_form else []
    for size, form in (*recordings, *([(short, None)] if short != shape else [])):
        where = " (as written; what was compiled does not show it)" if form is not None else f" (at {size})"
        if found.hazards:
            break
        if log.left_s <= 0:
            unrecorded = (f"not searched for races {form}: {log.late_words}",) if form is not None else ()
            found = found.and_then(FurtherRaces(unrecorded=unrecorded))
            continue
        try:
            one = record_in_time(kernel, size, log, first_block_alone=first_block_alone, form=form)
        except NOT_RECORDED as error:
            words = f"not searched for races {form or f'at {size}'}: {why_not(kernel, error)}"
            found = found.and_then(FurtherRaces(unrecorded=(words,)))
            continue
        searched = (SearchedSize(size, one.blocks, one.of),) if form is None else ()
        found = found.and_then(FurtherRaces(one.faults(where), searched))
    return found


def _races_of_short_sums(
    kernel: Kernel, description: Description, log: SearchLog, known: Sequence[FoundHazard]
) -> tuple[FoundHazard, ...]:
    """The races of a product with short sums, of a kernel of which something else is `known` to be wrong."""
    size = shape_to_record(description, _SHORT)
    if any(one.is_race for one in known) or size == shape_to_record(description) or log.left_s <= 0:
        return ()
    try:
        found = record_in_time(kernel, size, log, first_block_alone=False).faults(f" (at {size})")
    except NOT_RECORDED:
        return ()
    return tuple(one for one in found if one.is_race)


def _unsearched(found: TimedRecording) -> str:
    """Which races a recording without hazards does not rule out; "" for none."""
    if found.is_whole:
        return ""
    if found.blocks == 1:
        return "races between blocks were not looked for"
    return f"races were looked for in {found.blocks} of {found.of} blocks only"


def _left_out(found: TimedRecording, shape: Shape, log: SearchLog) -> str:
    """Which blocks were not searched for races, and why; "" for none."""
    if found.is_whole:
        return ""
    why = f"at the pace of these, all of them would have taken longer than the time limit of {log.budget_s:g} s"
    if shape.m * shape.n * shape.k > _MOST_PRODUCTS:
        why = f"at {shape}, the least size of several blocks that it takes, all of them are too many"
    between = " and between these" if found.blocks > 1 else ", and not between blocks"
    return f"looked for races in {found.blocks} of {found.of} blocks{between}: {why}"


def shape_to_record(description: Description, wanted: Mapping[str, int] = _SMALL, *, exactly: bool = False) -> Shape:
    """A size of several blocks that a description takes, near the `wanted` one, and that no tile divides where it takes
    such ones; unless `exactly` that one is wanted, a small one where the grid is the same for every size.
    """
    has_few_blocks = not exactly and all(text.isdigit() for text in description.grid)
    sizes = dict(OF_FEW_BLOCKS if has_few_blocks else wanted) | dict(description.fixed)
    for rule in description.rules:
        if rule.dimension == ELEMENTS and rule.multiple > 1:
            step = rule.multiple // gcd(sizes["M"], rule.multiple)
            sizes["N"] = -(-sizes["N"] // step) * step
            continue
        if rule.dimension not in sizes:
            continue
        size = max(rule.least, -(-sizes[rule.dimension] // rule.multiple) * rule.multiple)
        size = 1 << (size - 1).bit_length() if rule.is_power else size
        sizes[rule.dimension] = min(size, rule.most) if rule.most else size
    for one, two in description.equal:
        sizes[two] = sizes[one]
    multiples = {rule.dimension: rule.multiple for rule in description.rules}
    shape = Shape(sizes["M"], sizes["N"], sizes["K"])
    while (bound := next((one for one in description.rules if one.most and not one.allows(shape)), None)) is not None:
        name = max((one for one in sizes if one in bound.dimension), key=lambda one: sizes[one])
        smaller = sizes[name] // 2 // multiples.get(name, 1) * multiples.get(name, 1)
        if not smaller:
            break
        sizes[name] = smaller
        shape = Shape(sizes["M"], sizes["N"], sizes["K"])
    return shape


def long_shapes(description: Description, values: Mapping[str, int]) -> list[Shape]:
    """Sizes of which M or N is longer than a block, and than each of the `values` of its parameters: threads that write
    each other's elements do so behind the first step of a loop.

    Raises:
        ExpressionError: the block has no size with these values.
    """
    step = max(prod(evaluate_whole(text, values) for text in description.block), *values.values(), 1)
    small = dict.fromkeys("MNK", _FEW)
    return [shape_to_record(description, {**small, name: step + _FEW}, exactly=True) for name in "NM"]

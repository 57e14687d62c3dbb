"""The races of a kernel: of one that computed no product, and of one whose results are right all the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from gemmviz.adopt.description import Description, FoundHazard
from gemmviz.adopt.propose.geometry import BlockGuess
from gemmviz.adopt.propose.roles import matrices_in_order
from gemmviz.adopt.prove.machine import CompiledKernel, elements_of
from gemmviz.adopt.prove.readings import ArgumentReading, in_words, roles_of, whole_places
from gemmviz.adopt.reasons import RACES
from gemmviz.adopt.sidecar import sidecar_text
from gemmviz.adopt.source.kernels import FoundKernel
from gemmviz.backends.base import BackendError
from gemmviz.catalogue.gpus import emulated
from gemmviz.catalogue.header import HeaderError
from gemmviz.catalogue.kernel import Kernel, Refusal
from gemmviz.catalogue.loader import described_kernel
from gemmviz.domain.figures import counted
from gemmviz.domain.kernels.call import OPERANDS, Storage
from gemmviz.domain.memory import MemoryRefusal
from gemmviz.domain.processes.host_memory import available_memory_bytes
from gemmviz.domain.recordings.access import Site
from gemmviz.domain.recordings.hazard import Hazard, HazardKind, by_gravity
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Element, Fill
from gemmviz.engine.messages import Conditions, Job
from gemmviz.engine.recording import Block, record
from gemmviz.measure.bench import Watch
from gemmviz.trace.refusal import RecordingRefusal

_SHAPE = Shape(128, 192, 64)
_SMALL = {"M": 140, "N": 132, "K": 40}
_OF_FEW_BLOCKS = {"M": 44, "N": 36, "K": 24}
"""Of a kernel of which a few blocks compute all of the result, whatever its size."""
_RECORD_S = 60.0
"""For compiling a kernel that was proven, and for each of its blocks."""
_MOST_PRODUCTS = 1 << 23
"""Of a recording of a whole grid."""
_FIRST_BLOCK = ((0, 0, 0),)
_NOT_RECORDED = (BackendError, HeaderError, MemoryRefusal, RecordingRefusal, Refusal, ValueError)


def as_launched(kernel: FoundKernel, made: CompiledKernel, guess: BlockGuess, reading: ArgumentReading) -> Description:
    """A kernel as a reading of its launch calls it, one block of it: what its parameters are called says what they
    stand for, and of the rest of its numbers each is K.
    """
    roles = roles_of(kernel.parameters, whole_places(made.types))
    letters = matrices_in_order(kernel.parameters)
    words = {place: role or "K" for place, role in roles.items()}
    for place, parameter in enumerate(kernel.parameters):
        if place not in words:
            words[place] = letters.get(place, "null") if parameter.is_pointer else "1.0"
    words |= {place: in_words(text, words) for place, text in reading.derived.items()}
    elements = {letters[place]: one for place, one in elements_of(made.types).items() if place in letters}
    one, two, three, four = (Storage(elements.get(name, Element.FLOAT32)) for name in OPERANDS)
    return Description(
        entry=made.build.entry,
        template=made.build.template,
        defines=made.build.defines,
        arguments=tuple(words[place] for place in range(len(kernel.parameters))),
        storages=(one, two, three, four),
        block=tuple(map(str, guess.block)),
        grid=("1",),
        shared_bytes=in_words(guess.shared_bytes, words),
        equal=(("M", "N"), ("M", "K")) if len(reading.numbers) == 1 else (),
    )


def race_in(path: Path, text: str, description: Description, limit_s: float) -> str:
    """The gravest race within the first block of a kernel that is called as described, with its lines; "" where there
    is none, or where the kernel cannot be recorded so.
    """
    races = [one for one in _hazards_of_block(path, text, description, limit_s) or () if one.kind is HazardKind.RACE]
    return _race_words(races, "as its host code launches it") if races else ""


def race_of_guesses(
    path: Path, text: str, guesses: Sequence[Description], limit_s: float, tell: Callable[[str], object]
) -> str:
    """The gravest race of a kernel without a launch in host code, with its lines, within the first block of the first
    guess with which it does nothing wrong but race: a wrong block accesses shared memory out of bounds or before it is
    written. "" where there is no such guess, or one with which it does nothing wrong.
    """
    found = ""
    for guess in guesses:
        block = " x ".join(guess.block).removesuffix(" x 1")
        tell(f"looking for races with blocks of {block} threads")
        hazards = _hazards_of_block(path, text, guess, limit_s)
        if hazards == ():
            return ""
        if not found and hazards and all(one.kind is HazardKind.RACE for one in hazards):
            found = _race_words(hazards, f"with blocks of {block} threads, which gemmviz guessed")
    return found


def _hazards_of_block(path: Path, text: str, description: Description, limit_s: float) -> tuple[Hazard, ...] | None:
    """The hazards of the first block, the gravest first; None where the kernel cannot be recorded so."""
    shape = Shape(128, 128, 128) if description.equal else _SHAPE
    try:
        kernel = described_kernel(path, text, sidecar_text(description))
        return by_gravity(_recorded(kernel, shape, _FIRST_BLOCK, limit_s).hazards)
    except _NOT_RECORDED:
        return None


def _race_words(races: Sequence[Hazard], launched: str) -> str:
    """The first of some races, and how many more there are."""
    race, more = races[0], f" ({counted(len(races) - 1, 'more race')})" if len(races) > 1 else ""
    return f"line {race.line}: {RACES}, {launched}: {race.detail}{more}"


def hazards_of(kernel: Kernel, description: Description) -> tuple[tuple[FoundHazard, ...], str]:
    """The hazards of a described kernel in a recording of a small product, the gravest first, and "" or why there is no
    recording. Of a product that is large all the same the first block is recorded, of any other the whole grid.
    """
    shape = shape_to_record(description)
    blocks = _FIRST_BLOCK if shape.m * shape.n * shape.k > _MOST_PRODUCTS else ()
    try:
        run = _recorded(kernel, shape, blocks, _RECORD_S)
    except _NOT_RECORDED as error:
        return (), str(error).removeprefix(f"{kernel.id}: ")
    return tuple(_found(one, run.sites) for one in by_gravity(run.hazards)), ""


def shape_to_record(description: Description) -> Shape:
    """A small size of several blocks that a description takes, and that no tile divides where it takes such ones."""
    has_few_blocks = all(text.isdigit() for text in description.grid)
    sizes = dict(_OF_FEW_BLOCKS if has_few_blocks else _SMALL) | dict(description.fixed)
    for rule in description.rules:
        size = max(rule.least, -(-sizes[rule.dimension] // rule.multiple) * rule.multiple)
        sizes[rule.dimension] = min(size, rule.most) if rule.most else size
    for one, two in description.equal:
        sizes[two] = sizes[one]
    return Shape(sizes["M"], sizes["N"], sizes["K"])


def _recorded(kernel: Kernel, shape: Shape, blocks: Sequence[Block], limit_s: float) -> TraceRun:
    device = emulated("", available_memory_bytes() or 0)
    conditions = Conditions(shape, Fill.UNIFORM, 0, device=device.id, launch_limit_s=limit_s)
    return record(Job(kernel, kernel.params({})), conditions, device, blocks, Watch())


def _found(hazard: Hazard, sites: Sequence[Site]) -> FoundHazard:
    lines = {sites[site].line for site in hazard.sites} or {hazard.line}
    return FoundHazard(hazard.kind, tuple(sorted(lines)), hazard.detail)

"""The race of a kernel that computed no product: one block is recorded, and searched for hazards."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from gemmviz.adopt.description import Description
from gemmviz.adopt.propose.geometry import BlockGuess
from gemmviz.adopt.propose.roles import matrices_in_order
from gemmviz.adopt.prove.machine import CompiledKernel, elements_of
from gemmviz.adopt.prove.readings import ArgumentReading, in_words, roles_of, whole_places
from gemmviz.adopt.sidecar import sidecar_text
from gemmviz.adopt.source.kernels import FoundKernel
from gemmviz.backends.base import BackendError
from gemmviz.backends.machine_device import MachineDevice
from gemmviz.backends.recording import recorder_for
from gemmviz.catalogue.gpus import emulated, target_of_machine
from gemmviz.catalogue.header import HeaderError
from gemmviz.catalogue.kernel import Refusal
from gemmviz.catalogue.loader import described_kernel
from gemmviz.domain.kernels.call import OPERANDS, Storage
from gemmviz.domain.operands import make_operands
from gemmviz.domain.recordings.hazard import HazardKind
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Element, Fill
from gemmviz.trace.hazards.hazards import find_hazards
from gemmviz.trace.refusal import RecordingRefusal

_SHAPE = Shape(128, 192, 64)


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
    """The first race within the first block of a kernel that is called as described, with its lines; "" where there is
    none, or where the kernel cannot be recorded so.
    """
    device = emulated("", 0)
    shape = Shape(128, 128, 128) if description.equal else _SHAPE
    try:
        kernel = described_kernel(path, text, sidecar_text(description))
        machine = MachineDevice(device, target_of_machine(device))
        plan = kernel.plan(shape, kernel.params({}), device)
        recorder = recorder_for(machine, kernel, plan, shape, make_operands(shape, Fill.UNIFORM, 0), limit_s)
        trace = next(recorder.blocks(np.zeros(1, np.int32)))
        races = [one for one in find_hazards(trace) if one.kind is HazardKind.RACE]
    except (BackendError, HeaderError, RecordingRefusal, Refusal, ValueError):
        return ""
    if not races:
        return ""
    return f"line {races[0].line}: it has a race, as launched by its host code: {races[0].detail}"

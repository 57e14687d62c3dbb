"""Runs forms on the PTX machine."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from conformance_record.form import Form
from conformance_record.kernels import (
    CELL_BYTES,
    ENTRY,
    THREADS,
    input_bytes,
    module_text,
    output_bytes,
    split_results,
)
from conformance_record.operands import COUNT
from gemmviz.machine.faults import MachineError
from gemmviz.machine.launch import Launch
from gemmviz.machine.memory import Array
from gemmviz.machine.program import compile_ptx


def array_of(content: NDArray[np.uint8], name: str) -> Array:
    """Memory of the machine with that content."""
    made = Array(content.size, name)
    made.bytes[:] = content
    return made


def run_on_machine(
    forms: Sequence[Form], given: Array | None = None, cache: Path | None = None
) -> dict[str, list[NDArray[np.unsignedinteger]]]:
    """The results of some forms, which one kernel runs.

    Raises:
        NotImplementedInMachineError: the machine does not implement one of them.
    """
    program = compile_ptx(module_text(forms), ENTRY, "conformance.cu", cache)
    given = given or array_of(input_bytes(), "operands")
    output = array_of(np.full(output_bytes(forms), 0xAB, np.uint8), "results")
    cells = array_of(np.zeros(COUNT * CELL_BYTES, np.uint8), "cells")
    launch = Launch(program, (COUNT // THREADS, 1, 1), (THREADS, 1, 1), [given, output, cells])
    launch.run(120)
    return split_results(forms, output.bytes.copy())


def refusal(form: Form) -> str:
    """Why the machine refuses a form; "" if it runs it."""
    try:
        run_on_machine([form])
    except MachineError as error:
        return str(error)
    return ""

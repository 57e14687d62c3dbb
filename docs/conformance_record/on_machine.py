"""Runs forms on the PTX machine."""

from __future__ import annotations

from collections.abc import Sequence

from conformance_record.form import Form
from conformance_record.kernels import BLOCK, ENTRY, GRID, contents, module_text, split_results
from conformance_record.results import Results
from gemmviz.machine.faults import MachineError
from gemmviz.machine.launch import MachineLaunch
from gemmviz.machine.memory import Array
from gemmviz.machine.program import compile_ptx


def run_on_machine(forms: Sequence[Form], level: int | None = None) -> dict[str, Results]:
    """The results of some forms, which one kernel runs; `level` is LLVM's level of optimisation.

    Raises:
        NotImplementedInMachineError: the machine does not implement one of them.
    """
    program = compile_ptx(module_text(forms), ENTRY, "conformance.cu", level=level)
    given = contents(forms)
    arrays = [Array(one.size, name) for one, name in zip(given, ("operands", "results", "cells"), strict=True)]
    for array, content in zip(arrays, given, strict=True):
        array.bytes[:] = content
    MachineLaunch(program, GRID, BLOCK, arrays).run(120)
    return split_results(forms, arrays[1].bytes.copy())


def refusal(form: Form) -> str:
    """Why the machine refuses a form; "" if it runs it."""
    try:
        run_on_machine([form])
    except MachineError as error:
        return str(error)
    return ""

"""PTX instructions on the machine against what a GPU made of the same operands, bit for bit or within a bound."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import groupby
from pathlib import Path

import pytest
from conformance_record.comparison import disagreements
from conformance_record.form import Form
from conformance_record.forms import all_forms
from conformance_record.on_machine import run_on_machine
from conformance_record.results import Recorded, digest, read

RECORDED = sorted((Path(__file__).parents[1] / "data" / "conformance").glob("*.npz"))
"""What GPUs gave: each file has forms of its own, as new ones are recorded without those that are there."""
FORMS_OF_A_KERNEL = 120
"""Compiling the machine's support for a kernel takes as long as twenty forms."""
LEVEL = 0
"""LLVM's level of optimisation, for the test's time; docs/record_conformance.py takes the usual one."""


@cache
def _recorded() -> dict[str, Recorded]:
    return {name: one for path in RECORDED for name, one in read(path)[0].items()}


def _parts() -> Iterable[tuple[str, list[Form]]]:
    """Forms of neighbouring groups, as many as one kernel runs, and the groups' names."""
    names: list[str] = []
    part: list[Form] = []
    for name, group in groupby(all_forms().values(), key=lambda form: form.group):
        forms = list(group)
        if part and len(part) + len(forms) > FORMS_OF_A_KERNEL:
            yield ", ".join(names), part
            names, part = [], []
        names.append(name)
        part += forms
    yield ", ".join(names), part


@pytest.mark.parametrize("forms", [pytest.param(forms, id=name) for name, forms in _parts()])
def test_that_instructions_give_what_a_gpu_gives(forms: list[Form]) -> None:
    results = run_on_machine(forms, LEVEL)
    wrong = {form.name: disagreements(form, results[form.name], _recorded()[form.name]) for form in forms}
    assert {name: words for name, words in wrong.items() if words} == {}


def test_that_what_was_recorded_are_these_forms_with_these_operands() -> None:
    forms = all_forms()
    assert set(forms) == set(_recorded())
    assert [name for name, form in forms.items() if digest(form) != _recorded()[name].digest] == []

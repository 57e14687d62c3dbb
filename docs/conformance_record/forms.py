"""Every form of the conformance suite."""

from __future__ import annotations

from conformance_record.conversion_forms import conversion_forms
from conformance_record.float_forms import float_forms
from conformance_record.form import Form
from conformance_record.integer_forms import integer_forms
from conformance_record.memory_forms import memory_forms
from conformance_record.warp_forms import warp_forms


def all_forms() -> dict[str, Form]:
    """Every form by its name.

    Raises:
        ValueError: two forms have the same name.
    """
    found: dict[str, Form] = {}
    for form in (*integer_forms(), *float_forms(), *conversion_forms(), *warp_forms(), *memory_forms()):
        if form.name in found and found[form.name] != form:
            raise ValueError(f"two forms are called {form.name}")
        found[form.name] = form
    return found

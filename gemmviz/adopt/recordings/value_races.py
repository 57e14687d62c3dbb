"""The races of a described kernel with further values of its parameters: a value that races is not offered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from gemmviz.adopt.description import Description, SizeRule
from gemmviz.adopt.prove.search_log import SearchLog
from gemmviz.adopt.recordings.races import NOT_RECORDED, OF_FEW_BLOCKS, long_shapes, shape_to_record
from gemmviz.adopt.recordings.timed_recording import record_in_time
from gemmviz.catalogue.expressions import ExpressionError, evaluate_whole
from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.values.values_left_out import ValueLeftOut
from gemmviz.domain.listing import listed
from gemmviz.domain.recordings.hazard import by_gravity
from gemmviz.trace.hazards.rules.table import faults_of


def without_racing_values(kernel: Kernel, description: Description, log: SearchLog) -> tuple[Description, list[str]]:
    """The description without those values of its parameters with which a recording of small products shows a fault
    (`faults_of`), which are left out with that reason, and a sentence about those that could not be recorded. The
    others keep their defaults while one has another value.
    """
    parameters, racing, unknown = [], list[ValueLeftOut](), list[str]()
    for parameter in description.parameters:
        kept = []
        for value in parameter.choices:
            setting = {parameter.name: value}
            fault = _fault(kernel, description, setting, log) if value != parameter.default else ""
            if fault:
                racing.append(ValueLeftOut(parameter.name, value, f"right results, but {fault}"))
            elif fault is None:
                unknown.append(f"{parameter.name} = {value}")
            if not fault:
                kept.append(value)
        parameters.append(replace(parameter, choices=tuple(kept)))
    told = [f"not searched for races with {listed(unknown)}"] if unknown else []
    left_out = (*description.values_left_out, *racing)
    return replace(description, parameters=tuple(parameters), values_left_out=left_out), told


def _fault(kernel: Kernel, description: Description, setting: Mapping[str, int], log: SearchLog) -> str | None:
    """The gravest fault with these values; "" where a recording shows none, None where there is no recording."""
    values = {one.name: one.default for one in description.parameters} | dict(setting)
    try:
        rules = tuple(_with_values(rule, values) for rule in description.rules)
        ruled = replace(description, rules=rules)
        for shape in (shape_to_record(ruled, OF_FEW_BLOCKS), *long_shapes(ruled, values)):
            run = record_in_time(kernel, shape, log, first_block_alone=False, values=setting).run
            if faults := by_gravity(faults_of(run.hazards)):
                launched = f"at {shape}, with blocks of {' x '.join(description.block)} threads"
                return f"line {faults[0].line}: {faults[0].kind.words}: {faults[0].detail} ({launched})"
    except (*NOT_RECORDED, ExpressionError):
        return None
    return ""


def _with_values(rule: SizeRule, values: Mapping[str, int]) -> SizeRule:
    """A rule with the multiple that it has with these values."""
    words = rule.multiple_words
    return replace(rule, multiple=evaluate_whole(words, values)) if words else rule

"""The races of a described kernel with further values of its parameters: a value that races is not offered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from gemmviz.adopt.description import Description, Setting, SizeRule
from gemmviz.adopt.prove.search_log import SearchLog
from gemmviz.adopt.recordings.races import NOT_RECORDED, OF_FEW_BLOCKS, long_shapes, shape_to_record
from gemmviz.adopt.recordings.timed_recording import record_in_time
from gemmviz.adopt.setting_rules import setting_words, with_settings
from gemmviz.catalogue.expressions import ExpressionError, evaluate_whole
from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.values.values_left_out import ValueLeftOut
from gemmviz.domain.listing import listed
from gemmviz.domain.recordings.hazard import by_gravity
from gemmviz.trace.hazards.rules.table import faults_of


def without_racing_values(kernel: Kernel, description: Description, log: SearchLog) -> tuple[Description, list[str]]:
    """The description without those values of its parameters with which a recording of small products shows a fault
    (`faults_of`), which are left out with that reason, and a sentence about those that could not be recorded. Each is
    recorded alone, or in the first setting in which it is right.
    """
    settings, racing, unknown = [*description.settings], list[ValueLeftOut](), list[Setting]()
    recorded = dict[Setting, str | None]()
    for pair in dict.fromkeys((one.name, value) for one in description.parameters for value in one.choices):
        while own := min((one for one in settings if pair in one), key=len, default=None):
            if own not in recorded:
                recorded[own] = _fault(kernel, description, dict(own), log)
            fault = recorded[own]
            if not fault:
                unknown += [own] if fault is None and own not in unknown else []
                break
            racing.append(ValueLeftOut(*pair, f"{_beside(own, pair)}right results, but {fault}"))
            settings = [one for one in settings if not {*own} <= {*one}]
    followers = {one.name: one.others for one in description.parameters}
    safe = with_settings(description, description.defaults, settings, followers.__getitem__)
    offered = {(one.name, value) for one in safe.parameters for value in one.choices}
    told = [f"not searched for races with {listed([setting_words(one) for one in unknown])}"] if unknown else []
    left_out = (*description.values_left_out, *(one for one in racing if (one.name, one.value) not in offered))
    return replace(safe, values_left_out=left_out), told


def _beside(setting: Setting, pair: tuple[str, int]) -> str:
    others = tuple(one for one in setting if one != pair)
    return f"with {setting_words(others)}: " if others else ""


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

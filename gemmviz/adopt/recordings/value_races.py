"""The races of a described kernel with further values of its parameters: a value that races is not offered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from gemmviz.adopt.axis_words import axis_words
from gemmviz.adopt.description import Description, Setting, SizeRule
from gemmviz.adopt.prove.search_log import SearchLog
from gemmviz.adopt.recordings.races import OF_FEW_BLOCKS, long_shapes, shape_to_record
from gemmviz.adopt.recordings.timed_recording import NOT_RECORDED, record_in_time
from gemmviz.adopt.setting_rules import setting_words, with_settings
from gemmviz.catalogue.expressions import ExpressionError, evaluate_whole
from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.values.values_left_out import ValueLeftOut
from gemmviz.domain.listing import listed
from gemmviz.domain.recordings.hazard import by_gravity
from gemmviz.trace.hazards.rules.table import faults_of


def without_racing_values(kernel: Kernel, description: Description, log: SearchLog) -> tuple[Description, list[str]]:
    """The description without those settings of its parameters with which a recording of small products shows a fault
    (`faults_of`), the values that are in no other one left out with that reason, and a sentence about those that could
    not be recorded. Each value is recorded alone, or in the first setting in which it is right, and each setting that
    includes a faulty one.
    """
    kept, racing, unknown = list[Setting](), dict[Setting, str](), list[Setting]()
    for setting in sorted(description.settings, key=len):
        is_new = not {*setting} <= {pair for one in kept for pair in one}
        if is_new or any({*one} < {*setting} for one in racing):
            fault = _fault(kernel, description, dict(setting), log)
            if fault:
                racing[setting] = fault
                continue
            unknown += [setting] if fault is None else []
        kept.append(setting)
    followers = {one.name: one.others for one in description.parameters}
    wrong = tuple((setting, f"right results, but {fault}") for setting, fault in racing.items())
    told_wrong = replace(description, wrong_settings=(*description.wrong_settings, *wrong))
    safe = with_settings(
        told_wrong, description.defaults, [one for one in description.settings if one in kept], followers.__getitem__
    )
    offered = {(one.name, value) for one in safe.parameters for value in one.choices}
    told = [f"not searched for races with {listed([setting_words(one) for one in unknown])}"] if unknown else []
    left_out = {
        pair: ValueLeftOut(*pair, f"{_beside(setting, pair)}right results, but {fault}")
        for setting, fault in reversed(racing.items())
        for pair in setting
        if pair not in offered
    }
    return replace(safe, values_left_out=(*description.values_left_out, *left_out.values())), told


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
                launched = f"at {shape}, with blocks of {axis_words(description.block)} threads"
                return f"line {faults[0].line}: {faults[0].kind.words}: {faults[0].detail} ({launched})"
    except (*NOT_RECORDED, ExpressionError):
        return None
    return ""


def _with_values(rule: SizeRule, values: Mapping[str, int]) -> SizeRule:
    """A rule with the multiple that it has with these values."""
    words = rule.multiple_words
    return replace(rule, multiple=evaluate_whole(words, values), tile=0, beside=None) if words else rule

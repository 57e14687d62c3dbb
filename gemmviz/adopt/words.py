"""What was found out about a kernel, in plain English."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from re import findall

from gemmviz.adopt.axis_words import axis_words
from gemmviz.adopt.description import Description, FoundHazard, SizeRule, dimension_of
from gemmviz.adopt.host_launch import open_words
from gemmviz.adopt.outcome import AdoptOutcome, outcome_of
from gemmviz.adopt.reasons import WARP_BARRIER
from gemmviz.adopt.remainder_words import doubt_words, remainder_rule, remainder_words
from gemmviz.adopt.setting_rules import (
    has_untried,
    is_every_setting,
    right_alone,
    setting_rules,
    setting_words,
    several,
)
from gemmviz.catalogue.overloads import name_of
from gemmviz.domain.kernels.call import TYPE_WORDS
from gemmviz.domain.listing import either, listed
from gemmviz.domain.recordings.hazard import HazardKind, Mend
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Element, Layout


def summary_of(description: Description, sizes: Sequence[Shape] = ()) -> str:
    """One sentence: "C = alpha·A·B + beta·C, B column-major, needs M and N in multiples of 128". `sizes` are those at
    which it was right, if they are to be named: "takes every size that was tried, M, N and K each up to 2048, together
    up to 520x528x516".
    """
    parts = [description.formula, *_layout_words(description), *_type_words(description), *_size_words(description)]
    if sizes and not description.has_races and len(description.fixed) < 3:
        parts.append(f"{'' if parts[-1] == EVERY_SIZE else 'tried with '}{reach_words(sizes)}")
    return ", ".join(parts)


def combinations_words(description: Description) -> str:
    """In which settings of its parameters' values a kernel was right: "right in all 4 combinations of BM = BN = 8 or 16
    and BK = 4 or 8", or "right with each value while the other parameters have their defaults, and with BM = BN = 128";
    "" where none has several values.
    """
    swept = [one for one in description.parameters if len(one.choices) > 1]
    if not swept:
        return ""
    if is_every_setting(description):
        said = [f"{' = '.join((one.name, *one.others))} = {' or '.join(map(str, one.choices))}" for one in swept]
        if len(swept) == 1:
            return (
                f"right with {' = '.join((swept[0].name, *swept[0].others))} = {listed([*map(str, swept[0].choices)])}"
            )
        return f"right in all {prod(len(one.choices) for one in swept)} combinations of {listed(said)}"
    others = f"; {OTHERS}" if has_untried(description) else ""
    further = [(one.name, value) for one in swept for value in one.choices if value != one.default]
    never_alone = tuple(pair for pair in further if not right_alone(description, *pair))
    together = "; ".join(setting_words(one) for one in several(description))
    if len(never_alone) == len(further):
        return f"right with {together}{others}"
    only = f" ({setting_words(never_alone)} only together with others)" if never_alone else ""
    alone = f"right with each value while the other parameters have their defaults{only}"
    return f"{alone}, and with {together}{others}" if together else f"{alone}{others}"


OTHERS = "further combinations are offered where each pair of their values was tried: each run checks their results"
EVERY_SIZE = "takes every size that was tried"
_REMEDIES = {
    HazardKind.COPY_IN_FLIGHT: (
        "Wait for the copy before its tile is read, also for the last tile of the loop, behind which no other copy is "
        "begun (`cp.async.wait_group 0`), and look again."
    ),
    HazardKind.DIVERGENT_BARRIER: "Let every thread of the block reach the barrier, and look again.",
}
_MOST_OTHERS = 2
"""Further hazards that a headline names; of more than that it says how many there are."""
_MOST_PLACES = 4
"""Further places of one kind of hazard that are named."""


def right_words(description: Description) -> str:
    """What is known of the results of a kernel that has a hazard."""
    runs = "in the runs that were tried on the PTX machine its results were right"
    if description.is_wrong_at_some:
        return f"{runs} at some sizes and wrong at others"
    return f"{runs} where sizes keep the rules below" if any(one.example for one in description.rules) else runs


def verdict_words(description: Description) -> str:
    """What a proof came to: "verified", "right, but races between blocks were not looked for", "right, but less exact
    than `run` allows", or "not verified: the kernel races in lines 8 and 11; in the runs that were tried on the PTX
    machine its results were right".
    """
    outcome, shown, doubts = outcome_of(description), hazards_shown(description), doubts_shown(description)
    if outcome is AdoptOutcome.NOT_PROVEN:
        return f"not verified: {shown or 'its results are wrong at some sizes'}"
    if outcome is AdoptOutcome.VERIFIED:
        return "verified"
    if outcome is AdoptOutcome.RIGHT_WITH_DOUBTS:
        return f"right, but {doubts}"
    right = (
        "right"
        if outcome is AdoptOutcome.RIGHT_IN_ANOTHER_LAUNCH
        else f"not verified: {shown}; {right_words(description)}"
    )
    if not description.otherwise:
        return right
    return f"{right}, but not as its host code launches it{f'; {doubts}' if doubts else ''}"


def doubts_shown(description: Description) -> str:
    """At which sizes it goes wrong that it seems to be meant for, of which launches nothing is known, which races were
    not looked for, that results are less exact than they have to be, what an infinity does, and what goes wrong with
    gaps between lines; "" for none of these.
    """
    guarded = [doubt_words(one, _multiple_words(one)) for one in description.doubtful_rules]
    coarse = "less exact than `run` allows" if description.is_coarse else ""
    return ", and ".join(
        filter(
            None,
            (
                *guarded,
                open_words(description.open_launches),
                description.unsearched,
                coarse,
                description.infinity,
                *description.gaps,
            ),
        )
    )


def warnings_shown(description: Description) -> str:
    """The hazards of a description, what is doubtful of it, and that its host code launches the kernel in a way that
    was not proven; "" for none of these.
    """
    return "; ".join(filter(None, (hazards_shown(description), doubts_shown(description), description.otherwise)))


def hazards_shown(description: Description) -> str:
    """The hazards of a description, a race first: "the kernel races in lines 8 and 11, and there is 1 more hazard (race
    in line 9)", "blocks of the kernel race in line 4", or "a recording shows a hazard: misaligned in line 8"; "" for
    none.
    """
    hazards = description.hazards
    if not hazards:
        return ""
    more = len(hazards) - 1
    race = next((one for one in hazards if one.kind is HazardKind.RACE), None)
    of_blocks = next((one for one in hazards if one.kind is HazardKind.BLOCK_RACE), None)
    shown = race or of_blocks or hazards[0]
    named = dict.fromkeys(hazard_words(one) for one in hazards if one is not shown)
    count = f", and there {'are' if more > 1 else 'is'} {more} more hazard{'s'[: more != 1]}"
    others = f"{count}{f' ({listed([*named])})' * (len(named) <= _MOST_OTHERS)}" if more else ""
    if race is None and of_blocks is not None:
        return f"blocks of the kernel race in {_line_words(of_blocks)}{others}"
    if race is None:
        return f"{hazards[0].shown_by} shows a hazard: {hazard_words(hazards[0])}{others}"
    return f"the kernel races in {_line_words(race)}{others}"


def remedy_words(description: Description) -> str:
    """What to do about the hazards of a description; "" for none."""
    if not description.hazards:
        return ""
    of_blocks = {one.mend for one in description.hazards if one.kind.is_between_blocks}
    if of_blocks:  # a barrier would leave that as it is
        mend = (
            "add atomically, or in a second launch"
            if of_blocks == {Mend.ATOMIC}
            else "write to another array, or in a second launch"
        )
        return f"No barrier orders blocks: {mend}, and look again."
    mends = {one.mend for one in description.hazards if one.kind is HazardKind.RACE}
    if mends == {Mend.ONE_WRITER}:
        return "No barrier orders two writes of one line: let one thread alone write each element, and look again."
    if mends and mends <= {Mend.ONE_WRITER, Mend.ATOMIC}:
        return "No barrier orders updates in one line: add atomically, or let one thread alone write, and look again."
    if mends:
        if all(one.is_within_warp for one in description.hazards if one.kind is HazardKind.RACE):
            return f"{WARP_BARRIER[:1].upper()}{WARP_BARRIER[1:]}, and look again."
        return "Separate the two accesses by a barrier, and look again."
    if all(one.kind is HazardKind.UNWRITTEN_READ for one in description.hazards):
        return "Write it before it is read, and look again."
    return _REMEDIES.get(description.hazards[0].kind, "Correct the line, and look again.")


def hazard_words(hazard: FoundHazard) -> str:
    """A hazard by its kind and lines: "race between lines 8 and 11", "race between blocks in lines 8 and 9"."""
    is_in = len(hazard.lines) == 1 or hazard.kind.is_between_blocks
    return f"{hazard.kind.words} {'in' if is_in else 'between'} {_line_words(hazard)}"


def hazard_sentences(hazards: Sequence[FoundHazard]) -> list[str]:
    """One sentence for each kind of hazard, with all pairs of lines that have it and what the first one is: "race
    between lines 8 and 11, the first of 24 (lines 8 and 12, 9 and 11 and 21 more): thread 0 …".
    """
    by_kind: dict[HazardKind, list[FoundHazard]] = {}
    for one in hazards:
        by_kind.setdefault(one.kind, []).append(one)
    found = []
    for first, *others in by_kind.values():
        places = [_line_words(one) for one in others]
        more = f", the first of {len(places) + 1} ({listed(places, _MOST_PLACES)})" if places else ""
        if places and {*places} == {_line_words(first)}:
            more = f", the first of {len(places) + 1} there"
        found.append(f"{hazard_words(first)}{more}: {first.detail}")
    return found


def _line_words(hazard: FoundHazard) -> str:
    lines = hazard.lines
    return f"line {lines[0]}" if len(lines) == 1 else f"lines {listed([*map(str, lines)])}"


def launch_words(description: Description) -> str:
    """How it is launched: "blocks of 256 threads, grid ceil_div(N, 128) × ceil_div(M, 128)"."""
    shared = description.shared_bytes
    more = f", {shared} bytes of dynamic shared memory" if shared != "0" else ""
    grid = axis_words(description.grid)
    block = axis_words(description.block)
    return f"blocks of {block} thread{'s'[: block != '1']}, a grid of {grid} block{'s'[: grid != '1']}{more}"


def call_words(description: Description) -> str:
    """How it is called: "sgemm<64, 64, 8>(M, N, K, alpha, A, B, beta, C)"."""
    template = f"<{', '.join(description.template)}>" if description.template else ""
    return f"{name_of(description.entry)}{template}({', '.join(description.arguments)})"


def _matrices(description: Description) -> list[str]:
    return [name for name in ("A", "B", "C", "D") if name in description.arguments]


def _layout_words(description: Description) -> list[str]:
    names = _matrices(description)
    turned = [name for name in names if description.storage(name).layout is Layout.COLUMN]
    if not turned:
        return []
    return ["all matrices column-major" if turned == names else f"{listed(turned)} column-major"]


def _type_words(description: Description) -> list[str]:
    names = _matrices(description)
    found = []
    for element in Element:
        of_type = [name for name in names if description.storage(name).element is element]
        if element is not Element.FLOAT32 and of_type:
            found.append(f"{'all matrices' if of_type == names else listed(of_type)} in {TYPE_WORDS[element]}")
    return found


def _size_words(description: Description) -> list[str]:
    fixed = dict(description.fixed)
    unknown = f"which sizes it takes is not known{', because it races' if description.has_races else ''}"
    found = [f"needs {listed([f'{name} = {value}' for name, value in description.fixed])}"] if fixed else []
    if description.order is not None:
        found.append(f"right where {' '.join(description.order)}")
    else:
        found += [f"needs {one} = {two}" for one, two in description.equal if two not in fixed]
    for verb, is_loose in (("needs", False), ("right with", True)):
        by_multiple: dict[str, list[str]] = {}
        for rule in description.rules:
            if rule.multiple > 1 and rule.is_loose == is_loose and not (_further_rules(rule) or rule.remainders):
                by_multiple.setdefault(_multiple_words(rule), []).append(rule.dimension)
        parts = [
            f"{listed(names)} {'in multiples ' if not at else ''}of {multiple}"
            for at, (multiple, names) in enumerate(by_multiple.items())
        ]
        found += [f"{verb} {listed(parts)}"] if parts else []
        found += [
            f"{verb} {rule.dimension} in multiples of {_multiple_words(rule)} (or {_further_words(rule, description)})"
            for rule in description.rules
            if rule.is_loose == is_loose and _further_rules(rule)
        ]
    found += [remainder_words(rule) for rule in description.rules if rule.remainders]
    found += [f"needs {rule.dimension} to be a power of two" for rule in description.rules if rule.is_power]
    found += [
        f"needs {rule.dimension} of at least {rule.least}" for rule in description.rules if rule.least > rule.multiple
    ]
    by_most: dict[tuple[bool, int], list[str]] = {}
    for rule in description.rules:
        if rule.most:
            by_most.setdefault((rule.is_loose, rule.most), []).append(rule.dimension)
    found += [
        f"{'right with' if is_loose else 'needs'} {listed(names)}{' each' if len(names) > 1 else ''} of at most {most}"
        for (is_loose, most), names in by_most.items()
    ]
    is_known = description.is_proven and not description.has_races
    return (found or [EVERY_SIZE]) if is_known else [*found, unknown]


def reach_words(sizes: Sequence[Shape]) -> str:
    """How large sizes are, dimension by dimension and all at once: "M and N each up to 2048, K up to 320, together up
    to 301x309x307"; "" for none.
    """
    if not sizes:
        return ""
    most = {name: max(dimension_of(one, name) for one in sizes) for name in ("M", "N", "K")}
    together = max(sizes, key=lambda one: (min(one.m, one.n, one.k), one.m * one.n * one.k))
    is_at_once = any({"M": one.m, "N": one.n, "K": one.k} == most for one in sizes)
    by_most: dict[int, list[str]] = {}
    for name, size in most.items():
        by_most.setdefault(size, []).append(name)
    parts = [
        f"{listed(names)}{' each' if len(names) > 1 and not is_at_once else ''} up to {size}"
        for size, names in by_most.items()
    ]
    return ", ".join([*parts, *([] if is_at_once else [f"together up to {together}"])])


def _multiple_words(rule: SizeRule) -> str:
    return f"{rule.multiple_words} ({rule.multiple})" if rule.multiple_words else str(rule.multiple)


def _further_rules(rule: SizeRule) -> list[str]:
    """The conditions under which sizes are right that are no multiples, as a header has them: "N <= 16"."""
    found = [f"{rule.beside[0]} <= {rule.beside[1]}"] if rule.beside is not None else []
    if rule.tile:
        found.append(f"ceil_div({rule.dimension}, {rule.tile}) % {rule.multiple // rule.tile} == 0")
    return found


def _defaults_of_several(description: Description) -> list[tuple[str, int]]:
    """The parameters that have several values, with their defaults: further sizes were tried with these alone."""
    return [(one.name, one.default) for one in description.parameters if len(one.choices) > 1]


def _further_words(rule: SizeRule, description: Description) -> str:
    """When a size is right that is no multiple: "N of at most 16, or ceil(M / 16) in multiples of 4"."""
    found = [f"{rule.beside[0]} of at most {rule.beside[1]}"] if rule.beside is not None else []
    if rule.tile:
        found.append(f"ceil({rule.dimension} / {rule.tile}) in multiples of {rule.multiple // rule.tile}")
    values = tuple(_defaults_of_several(description))
    return (f"with {setting_words(values)}, " if values else "") + " or ".join(found)


def parameter_words(description: Description) -> str:
    """Its parameters and their values: "BM = 32, 64 or 128 (default 64), BN = 32"; "" for none."""
    return ", ".join(
        f"{one.name} = {either([*map(str, one.choices)])}"
        + (f" (default {one.default})" if len(one.choices) > 1 else "")
        for one in description.parameters
    )


def rule_texts(description: Description) -> list[tuple[str, str]]:
    """The rules for sizes as a header has them, each with its reason."""
    fixed = dict(description.fixed)
    found = [(f"{name} == {value}", "it is a constant of the source") for name, value in description.fixed]
    named = {name for text in description.arguments for name in findall(r"\b[MNK]\b", text)}
    for one, two in description.equal:
        if description.order is not None:
            found.append((" ".join(description.order), "some others that were tried go wrong"))
        elif two not in fixed:
            because = (
                "others that were tried go wrong" if {one, two} <= named else "the kernel takes one number for both"
            )
            found.append((f"{one} == {two}", because))
    for rule in description.rules:
        found += _rule_texts(rule, description)
    return [*found, *setting_rules(description)]


def multiple_rule(rule: SizeRule, description: Description) -> str:
    """The rule that a dimension is a multiple, as a header has it: "M % 16 == 0"."""
    if rule.remainders:
        return remainder_rule(rule)
    words = rule.multiple_words or str(rule.multiple)
    text = f"{rule.dimension} % {words if words.isalnum() else f'({words})'} == 0"
    further = " or ".join(_further_rules(rule))
    if not further:
        return text
    defaults = [f"{one} == {value}" for one, value in _defaults_of_several(description)]
    return f"{text} or {' and '.join((*defaults, f'({further})')) if defaults else further}"


def guard_words(rule: SizeRule) -> str:
    """That a kernel seems to be meant for sizes that a rule leaves out: "line 5 guards M, as for other sizes"."""
    return f"line {rule.guarded} guards {rule.dimension}, as for such sizes" if rule.guarded else ""


def _rule_texts(rule: SizeRule, description: Description) -> list[tuple[str, str]]:
    name = rule.dimension
    texts = []
    if rule.multiple > 1:
        others = f"{'some ' if rule.is_loose else ''}others that were tried go wrong"
        texts.append((multiple_rule(rule, description), f"wrong at {rule.example}" if rule.example else others))
    if rule.is_power:
        texts.append((f"({name} & ({name} - 1)) == 0", "it must be a power of two: others that were tried go wrong"))
    if rule.least > rule.multiple:
        texts.append((f"{name} >= {rule.least}", "smaller ones that were tried go wrong"))
    if rule.most:
        some = "some " if rule.is_loose else ""
        texts.append((f"{name} <= {rule.most}", f"{some}larger ones that were tried go wrong"))
    return texts

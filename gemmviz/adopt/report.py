"""The report on what was found out about a kernel, part by part: the same sentences for command line and window."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from gemmviz.adopt.description import Description
from gemmviz.adopt.finding import KernelFinding, SearchedSize
from gemmviz.adopt.words import (
    call_words,
    hazard_sentences,
    hazards_shown,
    launch_words,
    parameter_words,
    remedy_words,
    summary_of,
    verdict_words,
)
from gemmviz.catalogue.values.values_left_out import left_out_lines
from gemmviz.domain.listing import listed

_MOST_SIZES = 10
LEFT_OUT = "Values left out"
"""The heading of the values of parameters that a description does not offer."""


@dataclass(frozen=True, slots=True)
class ReportPart:
    """One part of a report on a kernel: its heading, its sentences, and the words that begin each of them where no
    heading stands above it. `is_aside` is true for grounds, which nobody has to read.
    """

    heading: str
    sentences: tuple[str, ...]
    lead: str = ""
    is_aside: bool = False


def headline_of(one: KernelFinding) -> str:
    """What a look at a kernel came to: "verified: C = A·B, B column-major, takes every size that was tried, …", "not
    verified: the kernel races in lines 8 and 11. It computes C = A·B, …", or "not verified". What a kernel is meant to
    compute of which nothing was proven stands below.
    """
    found = one.description
    if found is None:
        return "not verified"
    verdict, summary = verdict_words(found), summary_of(found, one.right_sizes)
    if not found.is_proven:
        return verdict
    return f"{verdict}. It computes {summary}" if hazards_shown(found) else f"{verdict}: {summary}"


def parts_of(one: KernelFinding) -> tuple[ReportPart, ...]:
    """The report on a kernel below its headline; parts without a sentence are left out."""
    found = one.description
    if found is None or not found.is_proven:
        return _with_sentences(ReportPart("Why", one.reasons), *_parts_as_it_is(found or one.as_it_is))
    parameters = parameter_words(found)
    hazards = hazard_sentences(found.hazards)
    return _with_sentences(
        ReportPart("Call", (call_words(found),), "called as "),
        ReportPart("Launch", (launch_words(found),), "launched with "),
        ReportPart("Parameters", (parameters,) if parameters else (), "parameters: "),
        ReportPart(LEFT_OUT, (*one.fixed, *left_out_lines(found.values_left_out)), "left out: "),
        ReportPart("Hazards", (*hazards, *filter(None, (remedy_words(found),)))),
        ReportPart("Host code", (found.otherwise, found.otherwise_remedy) if found.otherwise else ()),
        ReportPart("Notes", one.notes),
        ReportPart("Not looked at", one.left_out),
        ReportPart("Checks", (_compared(one), *filter(None, (_examples(found), searched_words(one.searched))))),
        ReportPart("Grounds", one.because, is_aside=True),
    )


def _parts_as_it_is(known: Description | None) -> tuple[ReportPart, ...]:
    """What is known of a kernel that was not proven: what it is meant to compute, how it is launched, and whence."""
    if known is None:
        return ()
    return (
        ReportPart("Meant to compute", (summary_of(known),), "meant to compute "),
        ReportPart("Call", (call_words(known),), "called as "),
        ReportPart("Launch", (launch_words(known),), "launched with "),
        ReportPart("Grounds", (known.unproven,), is_aside=True),
    )


def _with_sentences(*parts: ReportPart) -> tuple[ReportPart, ...]:
    return tuple(part for part in parts if part.sentences)


def _compared(one: KernelFinding) -> str:
    words = f"compared with the float64 product at {_sizes(one.checks)} on the PTX machine"
    further = f" on {' and '.join(one.devices)}" if one.devices else ""
    return f"{words}, and at the {_sizes(len(one.right_sizes))} that it takes{further}" if further else words


def _examples(found: Description) -> str:
    """A size that goes wrong for each multiple that is needed, and how: "where M is no such multiple, it is wrong at
    17x16x16: line 7: …"; "" where none is known.
    """
    wrong = [
        f"where {one.dimension} {'leaves that' if one.remainders else 'is no such multiple'}, it is wrong at "
        f"{one.example}{f': {one.fault}' * bool(one.fault)}"
        for one in found.rules
        if one.example
    ]
    return "; ".join(wrong)


def searched_words(searched: Sequence[SearchedSize]) -> str:
    """Where races were looked for: "races were looked for at 140x132x72 and 37x41x67, in a few blocks (up to 25) at
    448x492x19 and 4161x19x19, in the first block at 32x32x1040"; "" for nowhere.
    """
    whole = [one for one in searched if one.is_whole]
    few = [one for one in searched if not one.is_whole and one.blocks > 1]
    alone = [*dict.fromkeys(str(one.shape) for one in searched if not one.is_whole and one.blocks == 1)]
    most = max((one.blocks for one in few), default=0)
    parts = [f"at {_named(whole)}"] if whole else []
    parts += [f"in a few blocks (up to {most}) at {_named(few)}"] if few else []
    parts += [f"in the first block at {listed(alone, _MOST_SIZES)}"] if alone else []
    return f"races were looked for {', '.join(parts)}" if parts else ""


def _named(searched: Sequence[SearchedSize]) -> str:
    """The sizes, each once; of many, the largest ones by M·N·K and how many more there are."""
    shapes = [*dict.fromkeys(one.shape for one in searched)]
    in_order = sorted(shapes, key=lambda one: -prod((one.m, one.n, one.k)))
    return listed([str(one) for one in (in_order if len(shapes) > _MOST_SIZES else shapes)], _MOST_SIZES)


def _sizes(count: int) -> str:
    return "one size" if count == 1 else f"{count} sizes"

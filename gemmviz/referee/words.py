"""A ruling in words and in rows, for reports, pages and files."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from math import prod

from gemmviz.domain.edge_case_sizes import Sizes
from gemmviz.domain.figures import counted, percent
from gemmviz.domain.files.csv_files import Row
from gemmviz.domain.kernels.examined_sweep import digest_of
from gemmviz.domain.kernels.version_names import time_words
from gemmviz.domain.listing import listed
from gemmviz.domain.shape import Shape
from gemmviz.referee.finding import Judgement, Outcome, Reach, Ruling

COLUMNS = (
    "kernel",
    "version",
    "device",
    "examination",
    "outcome",
    "reason",
    "tried",
    "found",
    "size",
    "seed",
    "failed",
)

VERDICT = "Verdict"
"""What stands in the place of an examination in the row of the verdict."""
_MOST_LISTED, _MOST_VALUES, _MOST_FACTORS = 8, 4, 5
VARYING_SUMS = "sums vary from run to run by their rounding"


def params_words(ruling: Ruling) -> str:
    """The kernel with its parameters: "tiled TILE=16"."""
    return " ".join((ruling.kernel, *(f"{name}={value}" for name, value in ruling.params)))


def name_words(ruling: Ruling, version: str = "") -> str:
    """The kernel with its parameters and the version that was judged: "tiled TILE=16, version 2"; with the name that
    this has by now, where one is given: "version 2 (previous)".
    """
    return f"{params_words(ruling)}, {version}" if version else _with_version(params_words(ruling), ruling)


def _with_version(name: str, ruling: Ruling) -> str:
    return f"{name}, version {ruling.version}" if ruling.version else name


def earlier_text_words(ruling: Ruling, text: str) -> str:
    """That the file, which has this text now, was changed since it was judged, and when judging began: "Judged at
    13:03:12, before the file was changed"; "" where it was not.
    """
    if ruling.digest in ("", digest_of(text)):
        return ""
    begun = datetime.fromisoformat(ruling.time) - timedelta(seconds=ruling.seconds) if ruling.time else None
    at = f" at {time_words(begun.isoformat())}," if begun is not None else ""
    return f"Judged{at} before the file was changed"


def verdict_words(ruling: Ruling) -> str:
    """The verdict with the kernel's name: "tiled TILE=16 is right at all 28 sizes tried, with M up to …"; without the
    values that are judged where only others are wrong: "tiled is wrong with TILE = 8".
    """
    name = _with_version(ruling.kernel, ruling) if ruling.wrong_values else name_words(ruling)
    if ruling.judgement is Judgement.NOT_EXAMINED:
        return f"{name} {headline_words(ruling)}"
    return f"{name} is {headline_words(ruling)}"


def headline_words(ruling: Ruling) -> str:
    """The verdict, with how far it reaches: "right at all 28 sizes tried, with M up to …", what it leaves open ("but
    races were not looked for"), and that sums vary where only that keeps bits from being the same.
    """
    return ", ".join(filter(None, (judgement_words(ruling), caveat_words(ruling))))


def judgement_words(ruling: Ruling) -> str:
    """The verdict without what it leaves open."""
    if ruling.judgement is Judgement.NOT_EXAMINED:
        return f"{ruling.judgement}{' in full' if ruling.findings else ''}"
    if ruling.judgement is Judgement.WRONG:
        return f"{ruling.judgement}{_wrong_values_words(ruling)}"
    bound, varies = (" within the bound", f"; {VARYING_SUMS}") if is_right_but_varies(ruling) else ("", "")
    return f"{ruling.judgement}{bound}{_sizes_words(ruling)}{varies}"


def _wrong_values_words(ruling: Ruling) -> str:
    """ " with TILE = 8; nothing failed with TILE = 4", where only other values than those that are judged are wrong; ""
    where these are.
    """
    if not ruling.wrong_values:
        return ""
    names = {one.partition(" = ")[0] for one in ruling.wrong_values}
    alone = ", one at a time" if len(names) > 1 else ""
    judged = [f"{name} = {value}" for name, value in ruling.params]
    rest = listed(judged) if judged else "the values of its description"
    return f" with {listed([*ruling.wrong_values], _MOST_VALUES)}{alone}; nothing failed with {rest}"


def caveat_words(ruling: Ruling) -> str:
    """What a verdict of right leaves open: "but races were not looked for"; "" for nothing, and for other verdicts."""
    found = _caveats_of(ruling)
    caveats = ("; " if any(", " in one for one in found) else " and ").join(found)
    return f"but {caveats}" if caveats else ""


def caveat_sentences(ruling: Ruling) -> tuple[str, ...]:
    """What a verdict of right leaves open, each in a sentence of its own."""
    return tuple(f"{caveat[:1].upper()}{caveat[1:]}." for caveat in _caveats_of(ruling))


def _caveats_of(ruling: Ruling) -> tuple[str, ...]:
    if ruling.judgement is not Judgement.RIGHT:
        return ()
    return tuple(dict.fromkeys(one.caveat for one in ruling.findings if one.caveat))


def reach_words(ruling: Ruling) -> str:
    """What a verdict of right rests on, and what it says nothing about, in whole sentences; "" for other verdicts.

    "These are 16 sizes of “Right at the sizes it claims” and 3 of other examinations. By M·N·K the smallest size was
    1x1x1, the largest 512x512x512. Inputs: …. Races were looked for at 2 sizes: …."
    """
    reach = ruling.reach
    if reach is None or ruling.judgement is not Judgement.RIGHT:
        return ""
    in_order = sorted(reach.sizes, key=lambda one: prod(size_of(one)))
    sizes = f"By M·N·K the smallest size was {in_order[0]}, the largest {in_order[-1]}." if len(in_order) > 1 else ""
    counts = [
        f"{count}{' sizes' * (not at)} of {f'“{name}”' if name else 'other examinations'}"
        for at, (name, count) in enumerate(reach.sizes_by)
    ]
    parts = f"These are {listed(counts)}." if len(counts) > 1 else ""
    inputs = f"Inputs: {'; '.join(reach.inputs)}." if reach.inputs else ""
    races = "Races were not looked for."
    if reach.recorded:
        where = listed([*reach.recorded], _MOST_LISTED)
        several = f"{counted(len(reach.recorded), 'size')}: " if len(reach.recorded) > 1 else ""
        races = f"Races were looked for at {several}{where}{_longest_words(reach)}."
    left = [f"“{one.name}”" for one in ruling.not_examined]
    not_examined = f"Not examined: {listed(left)}." if left else ""
    rest = "The verdict says nothing about other sizes and inputs."
    return " ".join(filter(None, (parts, sizes, inputs, _factors_words(reach), races, not_examined, rest)))


def _factors_words(reach: Reach) -> str:
    """The values of alpha and beta with which results were right: "Pairs of alpha and beta: (1, 0) and (1.5, 0).", or
    of many how many there are, and with which the error was the largest part of its bound; "" for a kernel that takes
    neither.
    """
    if not reach.factors:
        return ""
    what = f"{'pairs' if ' ' in reach.factor_names else 'values'} of {reach.factor_names}"
    if len(reach.factors) <= _MOST_FACTORS:
        return f"{what[:1].upper()}{what[1:]}: {listed([one.values for one in reach.factors])}."
    worst = max(reach.factors, key=lambda one: one.error)
    largest = f"the largest error ({percent(worst.error, 2)} of the allowed bound) with {worst.values}"
    return f"Right with {len(reach.factors)} {what}, {largest}."


def _longest_words(reach: Reach) -> str:
    """Why races were looked for at a size that is longer by one than all at which results were compared; "" where that
    is not so.
    """
    most, longest = (
        max((max(size_of(one.split(" ")[0])) for one in sizes), default=0) for sizes in (reach.sizes, reach.recorded)
    )
    return f"; {longest} is one more than {most}, so that no tile divides it" if longest == most + 1 > 1 else ""


def _sizes_words(ruling: Ruling) -> str:
    """ " at all 28 sizes tried, with M, N and K up to 4160, not all at once"; where there was one
    only, " at 64x64x64, the only size tried".
    """
    sizes = ruling.reach.sizes if ruling.reach is not None else ()
    if len(sizes) == 1:
        return f" at {sizes[0]}, the only size tried"
    return f" at all {len(sizes)} sizes tried, {largest_words([*map(size_of, sizes)])}" if sizes else ""


def largest_words(sizes: Sequence[Sizes]) -> str:
    """The largest M, N and K of sizes, and that no size has all of them where that is so: "with M up to 64, N up to
    4096 and K up to 32, not all at once", "with M, N and K up to 4160, not all at once".
    """
    most = (max(m for m, _, _ in sizes), max(n for _, n, _ in sizes), max(k for _, _, k in sizes))
    each = listed([f"{name} up to {size}" for name, size in zip("MNK", most, strict=True)])
    each = f"M, N and K up to {most[0]}" if len({*most}) == 1 else each
    return f"with {each}{'' if most in sizes else ', not all at once'}"


def size_of(size: str) -> Sizes:
    """M, N and K of "32x48x16"."""
    shape = Shape.parse(size)
    return shape.m, shape.n, shape.k


def is_right_but_varies(ruling: Ruling) -> bool:
    """Whether a kernel is right, though not the same bits come of it each time."""
    return ruling.judgement is Judgement.RIGHT and bool(ruling.varying)


def summary_words(ruling: Ruling) -> str:
    """What the verdict rests on, in one sentence."""
    if ruling.fault and not ruling.findings:
        return f"{ruling.fault.rstrip('.')}."
    counts = [
        f"{len(found)} {outcome}"
        for found, outcome in (
            (ruling.failed, Outcome.FAILED),
            (ruling.held, Outcome.HELD),
            (ruling.varying, Outcome.VARIES),
            (ruling.not_examined, Outcome.NOT_EXAMINED),
        )
        if found
    ]
    late = f" {ruling.fault.rstrip('.')}." if ruling.fault else ""
    return f"{counted(len(ruling.findings), 'examination')}: {', '.join(counts)}.{late}"


def circumstances_words(ruling: Ruling) -> str:
    """What it claims, where and on which day it was judged, and how long that took."""
    parts = (
        f"Claimed: {ruling.claims}" if ruling.claims else "",
        f"Found: {ruling.found_arithmetic}" if ruling.found_arithmetic else "",
        ruling.device,
        ruling.time[:10],
        f"took {ruling.seconds:.1f} s" if ruling.seconds else "",
    )
    return " · ".join(filter(None, parts))


def rows_of(ruling: Ruling, earlier: str = "") -> list[Row]:
    """A row for the verdict with how far it reaches, then one for each case of each examination, or for one without
    cases, with the columns COLUMNS. `earlier` says that the verdict is on an earlier text.
    """
    judged: Row = {"kernel": params_words(ruling), "version": ruling.version or "", "device": ruling.device}
    empty: Row = {"tried": "", "found": "", "size": "", "seed": "", "failed": ""}
    sentences = (headline_words(ruling), earlier, reach_words(ruling).removesuffix("."))
    reason = ". ".join(f"{one[:1].upper()}{one[1:]}" for one in sentences if one) + "."
    verdict: Row = {"examination": VERDICT, "outcome": str(ruling.judgement), "reason": reason}
    rows = [judged | verdict | empty]
    for finding in ruling.findings:
        common = judged | {"examination": finding.name, "outcome": str(finding.outcome), "reason": finding.reason}
        rows += [
            common | {"tried": one.tried, "found": one.found, "size": one.shape, "seed": one.seed, "failed": one.failed}
            for one in finding.cases
        ] or [common | empty]
    return rows

"""A ruling in words and in rows, for reports, pages and files."""

from __future__ import annotations

from gemmviz.domain.figures import counted
from gemmviz.domain.files.csv_files import Row
from gemmviz.referee.finding import Judgement, Outcome, Ruling

COLUMNS = (
    "kernel",
    "version",
    "device",
    "verdict",
    "examination",
    "outcome",
    "reason",
    "tried",
    "found",
    "size",
    "seed",
    "failed",
)

VARYING_SUMS = "sums vary from run to run, because atomic operations add in any order"


def params_words(ruling: Ruling) -> str:
    """The kernel with its parameters: "tiled TILE=16"."""
    return " ".join((ruling.kernel, *(f"{name}={value}" for name, value in ruling.params)))


def name_words(ruling: Ruling) -> str:
    """The kernel with its parameters and the version that was judged: "tiled TILE=16, version 2"."""
    return f"{params_words(ruling)}, version {ruling.version}" if ruling.version else params_words(ruling)


def verdict_words(ruling: Ruling) -> str:
    """The verdict: "tiled TILE=16 is right at all 28 sizes tried, up to …", what it leaves open ("but races were not
    looked for"), and that sums vary where only that keeps bits from being the same.
    """
    name = name_words(ruling)
    if ruling.judgement is Judgement.NOT_EXAMINED:
        return f"{name} {ruling.judgement}{' in full' if ruling.findings else ''}"
    caveats = " and ".join(dict.fromkeys(one.caveat for one in ruling.findings if one.caveat))
    but = f", but {caveats}" if caveats and ruling.judgement is Judgement.RIGHT else ""
    reach = f" {ruling.reach}" if ruling.reach and ruling.judgement is Judgement.RIGHT else ""
    bound, varies = (" within the bound", f"; {VARYING_SUMS}") if is_right_but_varies(ruling) else ("", "")
    return f"{name} is {ruling.judgement}{bound}{reach}{varies}{but}"


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


def rows_of(ruling: Ruling) -> list[Row]:
    """A row for each case of each examination, or for one without cases, with the columns COLUMNS."""
    rows: list[Row] = []
    for finding in ruling.findings:
        common: Row = {
            "kernel": params_words(ruling),
            "version": ruling.version or "",
            "device": ruling.device,
            "verdict": str(ruling.judgement),
            "examination": finding.name,
            "outcome": str(finding.outcome),
            "reason": finding.reason,
        }
        empty: Row = {"tried": "", "found": "", "size": "", "seed": "", "failed": ""}
        rows += [
            common | {"tried": one.tried, "found": one.found, "size": one.shape, "seed": one.seed, "failed": one.failed}
            for one in finding.cases
        ] or [common | empty]
    return rows

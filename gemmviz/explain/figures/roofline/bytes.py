"""What a roofline says of the bytes that its marks stand for: ideal or moved, recorded or estimated. No Qt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gemmviz.domain import figures
from gemmviz.domain.listing import listed
from gemmviz.domain.runs.result import RunResult
from gemmviz.domain.runs.roof import RoofKind, Roofs, newest_roofs
from gemmviz.domain.terms import CodeForm
from gemmviz.explain.figures.figure import Look
from gemmviz.explain.figures.traffic.run_traffic import NOT_RECORDED, RunTraffic

_MOST_SOURCES = 2
IDEAL = "ideal bytes: read A and B once (and C where it is added), write the result once"
MOVED = "moved bytes: 32 for each sector that warps load or store, before any cache"
MOVED_BELOW_SLOPE = f"{MOVED}; caches serve a part of the bytes of a kernel above the slope"
"""The same where a slope is drawn."""
IN_SHORT = "bytes are counted before any cache", "caches serve a part of the bytes of a kernel above the slope"
"""The same for who reads in a lesson what the marks are."""
ESTIMATED, NO_ARROW = "estimated bytes:", "no arrow:"
AS_WRITTEN_NOTE = (
    "bytes as written: those of the source, before the compiler changes it; the kernel that is timed is compiled and "
    "may move fewer. Record it as compiled to see its own"
)
_SHORT = {
    IDEAL: "ideal bytes: each matrix read or written once",
    MOVED: "moved bytes: before any cache",
    MOVED_BELOW_SLOPE: "moved bytes: before any cache; caches serve a kernel above the slope",
    AS_WRITTEN_NOTE: "bytes as written: the compiled kernel may move fewer",
}
"""What a slide has of a note: the same words up to the colon, which tell that it is the same note."""
_NO_ARROW_SHORT = f"{NO_ARROW} not recorded at a size that fits"
"""True of a kernel without any recording and of one whose recorded blocks are unlike those of its run."""
_ESTIMATED_SHORT = f"{ESTIMATED} scaled from recorded blocks"
MARKED_AS_WRITTEN = " (source as written)"
HOW_TO_MEND = "record a kernel at the size of its run to see what it moves"


MARKED_CACHED = " (cached)"
"""Follows the name of a mark above the slope."""


def served_by_caches(
    runs: Sequence[RunResult], traffic: Sequence[RunTraffic | None], measured: Sequence[Roofs]
) -> list[bool]:
    """Whether each kernel moves its bytes faster than its device's memory can, so that caches serve a part of them."""
    found = []
    for run, moved in zip(runs, traffic, strict=True):
        roofs = newest_roofs(tuple(measured), run.device)
        copy = roofs.of(RoofKind.COPY) if roofs is not None else None
        found.append(
            copy is not None and moved is not None and run.gflops * moved.nbytes > copy.median * run.spec.shape.flop
        )
    return found


def cache_note(names: Sequence[str]) -> tuple[str, ...]:
    """Why some kernels are above the slope, in a sentence; none where no kernel is."""
    if not names:
        return ()
    whose = "its" if len(names) == 1 else "their"
    return (f"above the slope: {listed(names)}. Caches serve a part of {whose} bytes, so memory moves fewer",)


def by_bytes(traffic: Sequence[RunTraffic | None]) -> dict[Look, tuple[str, list[int]]]:
    """How marks are filled, with words for the legend and the rows that have such a mark."""
    recorded = [place for place, moved in enumerate(traffic) if moved is not None and not moved.is_estimate]
    estimated = [place for place, moved in enumerate(traffic) if moved is not None and moved.is_estimate]
    written = MARKED_AS_WRITTEN if are_all_as_written(traffic) else ""
    ways = {
        Look.AT_IDEAL: ("hollow: ideal bytes", list(range(len(traffic)))),
        Look.AT_RECORDED: (f"filled: moved bytes, recorded{written}", recorded),
        Look.AT_ESTIMATED: (f"half filled, dashed: moved bytes, estimated{written}", estimated),
    }
    return {look: way for look, way in ways.items() if way[1]}


def are_all_as_written(traffic: Sequence[RunTraffic | None]) -> bool:
    """Whether all known bytes are of kernels as written: the legend says so, else the names of those that are."""
    known = [moved for moved in traffic if moved is not None]
    return bool(known) and all(moved.form is CodeForm.AS_WRITTEN for moved in known)


def form_marks(traffic: Sequence[RunTraffic | None]) -> list[str]:
    """What follows the name of each mark: MARKED_AS_WRITTEN where its bytes are, unless the legend says it of all."""
    if are_all_as_written(traffic):
        return [""] * len(traffic)
    return [MARKED_AS_WRITTEN if moved is not None and moved.form is CodeForm.AS_WRITTEN else "" for moved in traffic]


def byte_notes(
    traffic: Sequence[RunTraffic | None], without: Sequence[tuple[str, str]], *, has_slope: bool
) -> tuple[str, ...]:
    """What the bytes are, and which runs have no arrow: `without` are their names, each with the reason. `has_slope`
    says whether the roof of memory is drawn.
    """
    known = [moved for moved in traffic if moved is not None]
    notes = [IDEAL, MOVED_BELOW_SLOPE if has_slope else MOVED] if known else [IDEAL] if traffic else []
    if any(moved.form is CodeForm.AS_WRITTEN for moved in known):
        notes.append(AS_WRITTEN_NOTE)
    sources = list(dict.fromkeys(moved.source for moved in known if moved.is_estimate))
    if sources:
        named = " or ".join(sources[:_MOST_SOURCES]) + (" or others" if len(sources) > _MOST_SOURCES else "")
        notes.append(f"{ESTIMATED} not measured, but those of {named}, scaled to the run")
    by_reason: dict[str, list[str]] = {}
    for name, reason in without:
        by_reason.setdefault(reason, []).append(name)
    lasting = {reason: names for reason, names in by_reason.items() if _is_lasting(reason)}
    mendable = {reason: names for reason, names in by_reason.items() if reason not in lasting}
    if mendable:
        notes.append(f"{NO_ARROW} {_listed(mendable)}; {HOW_TO_MEND}")
    if lasting:
        notes.append(f"{NO_ARROW} {_listed(lasting)}")
    return tuple(notes)


def _is_lasting(reason: str) -> bool:
    """Whether no recording that can be made here would show the bytes."""
    return reason != NOT_RECORDED and not reason.startswith("recorded at")


def _listed(by_reason: Mapping[str, Sequence[str]]) -> str:
    return "; ".join(f"{', '.join(dict.fromkeys(names))} ({reason})" for reason, names in by_reason.items())


def essential_notes(notes: Sequence[str]) -> tuple[str, ...]:
    """Of such notes what a slide needs, in few words, the gravest first: what the bytes are, without the names of runs.
    What ideal bytes are comes last: their marks are the same whatever a kernel does.
    """
    moved, *others = [_SHORT[note] for note in notes if note in _SHORT and note != IDEAL] or [""]
    no_arrow = _NO_ARROW_SHORT if moved and any(note.startswith(NO_ARROW) for note in notes) else ""
    ideal = _SHORT[IDEAL] if IDEAL in notes else ""
    estimated = _ESTIMATED_SHORT if any(note.startswith(ESTIMATED) for note in notes) else ""
    return tuple(filter(None, (moved, no_arrow, *others, ideal, estimated)))


def moved_words(run: RunResult, moved: RunTraffic | None) -> str:
    """A line of a tooltip about the bytes that the kernel moves; "" where no recording tells."""
    if moved is None:
        return ""
    words = f"{figures.number(run.spec.shape.flop / moved.nbytes)} operations per moved byte"
    form = f"{moved.form}, " if moved.form is CodeForm.AS_WRITTEN else ""
    return f"\n≈ {words} ({form}estimated from {moved.source})" if moved.is_estimate else f"\n{words} ({form}recorded)"


def moved_cells(run: RunResult, moved: RunTraffic | None) -> tuple[str | float | None, ...]:
    """The same for a table: bytes, whether recorded or estimated, from which recording of which form, operations per
    byte.
    """
    if moved is None:
        return None, None, None, None, None
    kind = "estimated" if moved.is_estimate else "recorded"
    return moved.nbytes, kind, moved.source, moved.form.value, run.spec.shape.flop / moved.nbytes

"""What is wrong in a frame, in sentences: beside the picture, and in the form of a presentation."""

from __future__ import annotations

from collections.abc import Sequence

from gemmviz.domain.figures import count
from gemmviz.domain.recordings.access import BlockTrace
from gemmviz.domain.recordings.hazard import Hazard, by_gravity
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.requests.frame_facts import FrameFacts
from gemmviz.explain.source.recorded_lines import kind_words
from gemmviz.trace.frames.values import Frame
from gemmviz.trace.hazards.race_words import MISSING_BARRIER, UNATOMIC_UPDATE
from gemmviz.trace.hazards.rules.hazard_marks import hazard_marks


def hazard_head(words: Sequence[str]) -> tuple[str, str]:
    """What stands first, strongly, and the sentences that follow it: "! Race, line 37 (and 1 more)"."""
    if not words:
        return "", ""
    head, _, sentence = words[0].partition(": ")
    others = f" (and {len(words) - 1} more)" if len(words) > 1 else ""
    return f"! {head}{others}", "; ".join((advice_first(sentence), *words[1:]))


def hazard_line(words: Sequence[str]) -> str:
    """The first of several, and how many more there are, as one line; "" for none."""
    head, _ = hazard_head(words)
    return f"{head}: {advice_first(words[0].partition(': ')[2])}" if words else ""


def advice_first(sentence: str) -> str:
    """A race with what is missing before what happened, so that a cut leaves it: "a barrier between the two accesses is
    missing: thread 2 reads …".
    """
    for advice in (MISSING_BARRIER, UNATOMIC_UPDATE):
        for link in ("; ", ", and "):
            rest = sentence.removesuffix(f"{link}{advice}")
            if rest != sentence:
                return f"{advice}: {rest}"
    return sentence


def hazard_words(
    frame: Frame, run: TraceRun, facts: FrameFacts, block: BlockTrace | None = None, leading: Hazard | None = None
) -> tuple[str, ...]:
    """What is wrong in a frame, a sentence each: what is marked in the picture, then what has no place there; before
    all of that the `leading` hazard, if it is in the frame.

    `block` is the picture's own trace, if it has looked through it already.
    """
    trace = block if block is not None else facts.trace
    marks = hazard_marks(frame, run.hazards, trace)
    said = [mark.words for mark in marks]
    marked = {mark.kind for mark in marks}
    for index, kind, fault in facts.barriers_at_fault:
        if index == frame.index:
            said.append(_sentence(kind.words, fault.place.line, fault.detail))
            marked.add(kind)
    rest = (hazard_sentence(hazard) for hazard in facts.hazards_in(frame.index) if hazard.kind not in marked)
    return _led_by(leading, (*said, *rest))


def _led_by(leading: Hazard | None, said: Sequence[str]) -> tuple[str, ...]:
    """The sentences on a hazard before all others: the one that tells it where it was first found, then those of its
    kind and line.
    """
    if leading is None:
        return tuple(said)
    whole = hazard_sentence(leading)
    head = f"{whole.partition(': ')[0]}: "
    return tuple(sorted(said, key=lambda words: (words != whole, not words.startswith(head))))


def nearest_hazard(frame: Frame, facts: FrameFacts) -> str:
    """Where to look from a frame without a hazard: "see frame 2 of 3 (race)"; "" in a block without hazards."""
    found = _nearest(frame, facts)
    return (
        f"see frame {count(found[0] + 1)} of {count(facts.count)} ({kind_words(found[1])})" if found is not None else ""
    )


def _nearest(frame: Frame, facts: FrameFacts) -> tuple[int, Hazard] | None:
    """The frame nearest to this one that has a hazard, counted from 0, and the hazard."""
    others = [(abs(index - frame.index), index, hazard) for index, hazard in facts.hazards if index != frame.index]
    return min(others, key=lambda other: other[:2])[1:] if others else None


def warning_of(
    frame: Frame, run: TraceRun, facts: FrameFacts, block: BlockTrace | None = None, leading: Hazard | None = None
) -> str:
    """What a presented picture says is wrong, as one line: in its frame, the `leading` hazard first, else in which
    other frame of the block, else in the recording; "" of a recording without hazards. `block` is the picture's own
    trace, if it has looked through it already.
    """
    if not run.hazards:
        return ""
    wrong = hazard_line(hazard_words(frame, run, facts, block, leading))
    elsewhere = _nearest(frame, facts)
    if wrong or elsewhere is None:
        return wrong or recording_warning(run)
    index, hazard = elsewhere
    kind = kind_words(hazard)
    return f"! {kind[:1].upper()}{kind[1:]}: see frame {count(index + 1)} of {count(facts.count)}"


def recording_warning(run: TraceRun) -> str:
    """What is wrong in a recording, as one line: "! This recording has a hazard: race, line 37 (and 1 more)"; "" of
    one without hazards.
    """
    if not run.hazards:
        return ""
    worst = by_gravity(run.hazards)[0]
    where = f", line {worst.line}" if worst.line else ""
    others = f" (and {len(run.hazards) - 1} more)" if len(run.hazards) > 1 else ""
    return f"! This recording has a hazard: {kind_words(worst)}{where}{others}"


def hazard_sentence(hazard: Hazard) -> str:
    """A hazard where it was first found: "Race, line 37: thread 0 writes As[0,0] …"."""
    return _sentence(kind_words(hazard), hazard.line, hazard.detail)


def _sentence(kind: str, line: int, detail: str) -> str:
    where = f", line {line}" if line else ""
    return f"{kind[:1].upper()}{kind[1:]}{where}: {detail}"

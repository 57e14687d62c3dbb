"""The races of a kernel whose launch was guessed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from gemmviz.adopt.axis_words import axis_words
from gemmviz.adopt.description import Description, FoundHazard
from gemmviz.adopt.prove.search_log import SearchLog
from gemmviz.adopt.prove.searched_kernel import SearchedKernel
from gemmviz.adopt.reasons import Reason
from gemmviz.adopt.recordings.races import (
    reason_of_races,
    reason_of_unwritten,
    recorded_block,
)
from gemmviz.adopt.recordings.timed_recording import found_in
from gemmviz.domain.listing import listed
from gemmviz.domain.recordings.hazard import HazardKind

_TURNS = ((1, "1", "1"), (1, "N", "1"), (1, "1", "N"), (2, "N", "1"), (2, "1", "N"), (0, "N", "1"), (0, "1", "N"))
"""What is given for numbers that no name tells: so many get the first, as many the second, and so on; 0 is half of
them. Of two strides of one matrix, wherever they stand, one is then long and the other 1.
"""
_MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class GuessedRace:
    """What is wrong with a kernel in a guessed launch, None for nothing; of a race also the `lines` of its accesses."""

    reason: Reason | None = None
    lines: tuple[int, ...] = ()


def race_of_guesses(searched: SearchedKernel, guesses: Sequence[Description], log: SearchLog) -> GuessedRace:
    """The gravest race of a kernel without a launch in host code, with its lines, within the first block of the first
    guess with which it does nothing wrong but race: a wrong block accesses shared memory out of bounds or before it is
    written. Where there is none, an uninitialised read that it does with every guess, and with the first one alone.
    Nothing where there is no such guess, or one with which it does nothing wrong. Where numbers are guessed, too, a
    race in global memory counts only if it is there whatever they are: a stride of 0 or 1 alone gives elements of C one
    address.
    """
    found, unwritten = GuessedRace(), None
    for number, guess in enumerate(guesses):
        block = axis_words(guess.block)
        log.tell_beside(f"looking for races with blocks of {block} threads")
        run = recorded_block(searched.path, searched.text, guess, log)
        hazards, numbers = found_in(run) if run is not None else None, ""
        if global_races := _global_races(hazards or ()):
            others = _with_other_numbers(guess, searched.untold_places)
            always = _races_with_all(searched, others, global_races, log)
            hazards = tuple(one for one in hazards or () if not _is_global_race(one) or one.lines in always)
            if always and others:
                names = [searched.names[place] for place in searched.untold_places]
                numbers = f", and with each of {len(others) + 1} guesses for {listed(names, _MOST_NAMED)}"
        if hazards == ():
            return GuessedRace()
        whose = (
            "which its `reqd_work_group_size` asks for" if searched.kernel.required_block else "which gemmviz guessed"
        )
        launched = f"with blocks of {block} threads, {whose}{numbers}"
        kinds = {one.kind for one in hazards or ()}
        if hazards and found.reason is None and kinds == {HazardKind.RACE}:
            lines = {line for one in hazards for line in one.lines}
            found = GuessedRace(reason_of_races(hazards, launched), tuple(sorted(lines)))
        if number == 0 and hazards and all(one.is_unwritten_read for one in hazards):
            unwritten = reason_of_unwritten(hazards, launched)
        elif hazards is not None and not any(one.is_unwritten_read for one in hazards):
            unwritten = None
    return found if found.reason is not None else GuessedRace(unwritten)


def _with_other_numbers(guess: Description, untold: Sequence[int]) -> list[Description]:
    """The same launch with other numbers at the places that no name tells; [] where there are none."""
    made = []
    for turn, first, second in _TURNS:
        arguments, length = list(guess.arguments), turn or max(1, len(untold) // 2)
        for count, place in enumerate(untold):
            arguments[place] = (first, second)[count // length % 2]
        made.append(replace(guess, arguments=tuple(arguments)))
    return [one for one in dict.fromkeys(made) if one != guess]


def _races_with_all(
    searched: SearchedKernel, others: Sequence[Description], first: set[tuple[int, ...]], log: SearchLog
) -> set[tuple[int, ...]]:
    """The lines of the races in global memory that the `first` recording and those of all other launches have."""
    found = first
    for one in others:
        run = recorded_block(searched.path, searched.text, one, log) if found else None
        found = found & _global_races(found_in(run)) if run is not None else set()
    return found


def _global_races(hazards: Sequence[FoundHazard]) -> set[tuple[int, ...]]:
    """The lines of the races in global memory."""
    return {one.lines for one in hazards if _is_global_race(one)}


def _is_global_race(hazard: FoundHazard) -> bool:
    return hazard.kind is HazardKind.RACE and hazard.is_in_global_memory

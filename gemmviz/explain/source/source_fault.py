"""Where a kernel is at fault: read from the words of a compiler or the PTX machine, or found by a recording. No Qt."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from gemmviz.domain.recordings.hazard import Hazard, by_gravity

_PLACE = re.compile(r"(?P<line>\d+)(?::(?P<column>\d+))?: (?:fatal )?(?:error: )?(?P<words>.+)")

_NAMED = re.compile(r"(?:^|: )line (?P<line>\d+): (?P<words>.+)")
"""How the PTX machine names a line."""

_IN_LINES = re.compile(r"\bline (\d+(?: or \d+)*)")
"""The lines that a sentence names: "line 20", "line 20 or 24"."""
_ACCESS_IN_LINE = re.compile(r"\(line (\d+)")
"""How a sentence names the line of an access: "thread 0 writes As[0,0] (line 19)"."""
_MORE_RACES = re.compile(r"more races?, in lines? ([\d, and]+)\)")
"""How it names the lines of further races: "(2 more races, in lines 8, 11 and 14)"."""
_ANY_LINES = re.compile(r"\blines? \d+(?:(?:, and |, | and | or )\d+)*")
"""Each naming of lines: "line 19", "line 20 or 24", "lines 8, 11 and 14"."""
_NAMES_LINE = re.compile(r"\bline \d")
_ENDLESS = re.compile(r"(?P<words>\w+ \w+ did not end within .+?)(?:\. |$)")
"""How the PTX machine says that a kernel took too long, and where its threads were."""

_FOLDER = re.compile(r"^[^:]*[/\\]([^/\\:]+:\d+)")


@dataclass(frozen=True, slots=True)
class SourceFault:
    """A line from 1, a column from 1 or 0 where the compiler names none, and what is wrong there.

    `is_running`: the kernel compiles, and failed in that line while it ran.
    """

    line: int
    column: int
    words: str
    is_running: bool = False

    @property
    def problem(self) -> tuple[int, str]:
        """What tells it from others: the lines of both accesses of a race are one problem, whose words name them."""
        return (0, self.words) if _NAMES_LINE.search(self.words) else (self.line, self.words)

    def moved(self, line_of: Mapping[int, int]) -> SourceFault:
        """The fault in a text whose lines `line_of` gives for those of the text it was found in. Its words name lines
        of that text, too; one that is not there any more is told as one before the edits.
        """

        def follow(named: re.Match[str]) -> str:
            lines = [int(line) for line in re.findall(r"\d+", named[0])]
            if any(line not in line_of for line in lines):
                return f"{named[0]} before the edits"
            return re.sub(r"\d+", lambda line: str(line_of[int(line[0])]), named[0])

        return replace(self, line=line_of.get(self.line, self.line), words=_ANY_LINES.sub(follow, self.words))

    @property
    def told(self) -> str:
        """Where and what; the line is named once, where the words do not name it themselves."""
        if re.search(rf"\bline {self.line}\b", self.words):
            return f"{self.words[:1].upper()}{self.words[1:]}"
        return f"Line {self.line}: {self.words}"

    @property
    def sentence(self) -> str:
        """Where and what, to be read above the source."""
        return self.told if self.is_running else f"Line {self.line} does not compile: {self.words}"


def without_folder(reason: str) -> str:
    """A reason that begins with `folder/file:line`, without the folder, which would push the words out of sight."""
    return _FOLDER.sub(r"\1", reason)


def compile_fault(reason: str, path: Path) -> SourceFault | None:
    """The first place in the file at `path` that a reason names as `path:line:column: words`; None for none."""
    return next(iter(compile_faults(reason, path)), None)


def compile_faults(reason: str, path: Path) -> tuple[SourceFault, ...]:
    """All places in the file at `path` that a reason names, in its order, of races the lines of all accesses."""
    found: list[SourceFault] = []
    for line in reason.splitlines():
        _, is_named, rest = line.partition(f"{path}:")
        if not is_named:
            _, is_named, rest = line.partition(f"{path.name}:")
        place = _PLACE.match(rest) if is_named else None
        if place is not None:
            first, words = int(place["line"]), place["words"].strip()
            found.append(SourceFault(first, int(place["column"] or 0), words))
            lines = (*_ACCESS_IN_LINE.findall(words), *re.findall(r"\d+", " ".join(_MORE_RACES.findall(words))))
            found += [SourceFault(line, 0, words) for line in map(int, lines) if line != first]
    return tuple(dict.fromkeys(found))


def faults_while_running(reason: str) -> tuple[SourceFault, ...]:
    """The lines that the PTX machine names in a reason: of `line 41: words` 41 and then those in the words; of a kernel
    that did not end those in which its threads are or wait; none where no line is named.
    """
    place = _NAMED.search(reason)
    if place is not None:
        return _faults_in([int(place["line"])], place["words"].strip())
    endless = _ENDLESS.search(reason)
    return _faults_in([], endless["words"].strip()) if endless is not None else ()


def faults_of_hazards(hazards: Sequence[Hazard]) -> tuple[SourceFault, ...]:
    """The lines of the accesses and barriers at fault, each with what is wrong there, the gravest first."""
    return tuple(
        fault
        for hazard in by_gravity(hazards)
        for fault in _faults_in([hazard.line] if hazard.line else [], f"{hazard.kind.words}: {hazard.detail}")
    )


def _faults_in(first: list[int], words: str) -> tuple[SourceFault, ...]:
    named = [int(line) for group in _IN_LINES.findall(words) for line in group.split(" or ")]
    return tuple(SourceFault(line, 0, words, is_running=True) for line in dict.fromkeys([*first, *named]) if line)

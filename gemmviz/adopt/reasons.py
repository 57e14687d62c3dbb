"""Why nothing was proven of a kernel, for a person: file, line, what is not supported, and what to do about it."""

from __future__ import annotations

import re
from pathlib import Path

from gemmviz.adopt.prove.faults import GUESSED
from gemmviz.adopt.prove.launcher import NOT_COMPILED
from gemmviz.machine.refused import refused_in, with_remedy

NO_RACES_SEARCHED = "races were not looked for"
RACES = "the kernel races"
"""How the reason of a kernel begins that a race keeps from computing its product, behind its line."""
BLOCKS_RACE = "blocks of the kernel race"
"""How that reason begins where the race is one between blocks."""
UNINITIALISED = "it reads what nothing has been written to"
"""How the reason of a kernel begins whose result depends on uninitialised memory, behind its line."""
_LINE = re.compile(r"line (\d+): ")
_OTHER_FILE = re.compile(r"[^\s:]+\.\w+:\d+: ")
"""The place of a reason that stands in a file that the kernel includes."""
_ON_GPU = "an NVIDIA GPU does if ptxas accepts it: describe the kernel in {name}.toml and run it there"
_REMEDIES = (
    (re.compile("nothing was proven within"), "allow more time (`gemmviz adopt --time-limit`)"),
    (re.compile("did not end within"), "it may loop forever, or need more time"),
    (re.compile("Not found beside the file or in the compiler"), "put the missing files beside it"),
    (re.compile(RACES), "separate the two accesses by a barrier, and look again"),
    (re.compile(f"{BLOCKS_RACE}.*__threadfence"), "add it, and look again"),
    (
        re.compile(BLOCKS_RACE),
        "no barrier orders blocks: give each its own memory, or write in a second launch, and look again",
    ),
    (re.compile(UNINITIALISED), "write it before it is read, and look again"),
    (
        re.compile("of shared memory, which has"),
        "its arrays there, or the bytes that its launch gives, are too few for these sizes",
    ),
    (
        re.compile("outside (?:every array|all memory)"),
        "it was given the matrices of a product, and sizes of one for its numbers, which may stand for something else",
    ),
    (re.compile("is undefined"), "define it in the file, or in one that it includes"),
    (re.compile(NOT_COMPILED), "correct that line, or what it needs, and look again"),
)


def line_places(words: str, path: Path) -> str:
    """The words with each place of a file as "line 3: " in the place of its path, for where the file is named above."""
    return re.sub(rf"{re.escape(str(path))}:(\d+): ", r"line \1: ", words)


def explained(reason: str, path: Path, line: int, described: str) -> str:
    """A reason with its place in front, FILE:LINE, and with a remedy behind it; `line` is the kernel's, where the
    reason names none, and `described` the name of the file that a description lies beside.
    """
    found = _LINE.match(reason)
    has_place = reason.startswith(f"{path}") or _OTHER_FILE.match(reason) is not None
    place = "" if has_place else f"{path}:{found[1] if found is not None else line}: "
    words = reason[found.end() :] if found is not None else reason
    if refused_in(words) is not None:
        return f"{place}{with_remedy(words, _ON_GPU.format(name=described))}"
    remedies = [remedy for mark, remedy in _REMEDIES if mark.search(words)][:1]
    if GUESSED in words:
        remedies.append(
            f"where its block is another one, write the launch into the file, or `block` into {described}.toml"
        )
    return "; ".join((f"{place}{words}", *remedies))

"""Launches in host code beside the one that is described: those that were right as well, and those of which that is not
known.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from gemmviz.domain.kernels.call import Storage
from gemmviz.domain.listing import listed
from gemmviz.domain.shape import Shape


@dataclass(frozen=True, slots=True)
class HostLaunch:
    """A launch in host code that differs from the one that is described, and was right as well at these `shapes`.
    `instance` is the kernel with the arguments of its template, "" where these are the described ones.
    """

    line: int
    template: tuple[str, ...]
    defines: tuple[tuple[str, int], ...]
    arguments: tuple[str, ...]
    storages: tuple[Storage, Storage, Storage, Storage]
    block: tuple[str, ...]
    grid: tuple[str, ...]
    shared_bytes: str
    shapes: tuple[Shape, ...] = ()
    instance: str = ""


class LaunchRemedy(StrEnum):
    """What to do about a launch in host code that is wrong."""

    LAUNCH = "Launch it as described above, or correct the kernel for that launch."
    SIZE = "Launch it for sizes that it takes, or correct the kernel for that size."
    ARGUMENTS = "Correct what that line gives the kernel."


class OpenKind(StrEnum):
    """What is open about a launch in host code."""

    NOT_COMPARED = "not compared"
    """Nothing says what it computes."""
    UNTRIED = "untried"
    """It was not run."""
    OTHER_MEANING = "other meaning"
    """It computes something else than what is described, which may be right."""
    NOT_ALLOWED = "not allowed"
    """A GPU refuses it unless host code elsewhere allows it."""


@dataclass(frozen=True, slots=True)
class OpenLaunch:
    """A launch in host code of which is not known whether it is right, and why. `instance` is the kernel with other
    arguments of its template, else "".
    """

    line: int
    why: str
    instance: str = ""
    kind: OpenKind = OpenKind.NOT_COMPARED

    @property
    def words(self) -> str:
        """What is not known: "the launch in line 8 was not compared with the one described here: its grid …"."""
        whose = f" of {self.instance}" if self.instance else ""
        match self.kind:
            case OpenKind.UNTRIED:
                return f"the launch{whose} in line {self.line} was not tried {self.why}"
            case OpenKind.OTHER_MEANING:
                return (
                    f"the launch{whose} in line {self.line} computes something else than what is described: {self.why}"
                )
            case OpenKind.NOT_ALLOWED:
                return f"the launch{whose} in line {self.line} {self.why}"
        return f"the launch in line {self.line} was not compared with the one described here: {self.why}"


_PREDICATES = {
    OpenKind.UNTRIED: ("was not tried", "were not tried"),
    OpenKind.NOT_COMPARED: ("was not compared with this one", "were not compared with this one"),
    OpenKind.OTHER_MEANING: ("computes something else", "compute something else"),
    OpenKind.NOT_ALLOWED: (
        "needs more dynamic shared memory than its file allows",
        "need more dynamic shared memory than their file allows",
    ),
}


def open_words(launches: Sequence[OpenLaunch]) -> str:
    """Which launches leave a kernel in doubt: "the launch in line 9 was not tried, and the launches in lines 12 and 14
    were not compared with this one"; "" for none.
    """
    found: list[str] = []
    for kind, (one_does, several_do) in _PREDICATES.items():
        lines = [*dict.fromkeys(str(one.line) for one in launches if one.kind is kind)]
        if lines:
            which = f"the launch in line {lines[0]}" if len(lines) == 1 else f"the launches in lines {listed(lines)}"
            found.append(f"{which} {one_does if len(lines) == 1 else several_do}")
    return ", and ".join(found)

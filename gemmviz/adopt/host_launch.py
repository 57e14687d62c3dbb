"""Launches in host code beside the one that is described: those that were right as well, and those of which that is not
known.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True)
class OpenLaunch:
    """A launch in host code of which is not known whether it is right, and why: nothing says what it computes, or it
    `is_untried`, which is that it was not run. `instance` is the kernel with other arguments of its template, else "".
    """

    line: int
    why: str
    instance: str = ""
    is_untried: bool = False

    @property
    def words(self) -> str:
        """What is not known: "the launch in line 8 was not compared with the one described here: its grid …"."""
        if self.is_untried:
            return f"the launch of {self.instance} in line {self.line} was not tried {self.why}"
        return f"the launch in line {self.line} was not compared with the one described here: {self.why}"


def open_words(launches: Sequence[OpenLaunch]) -> str:
    """Which launches leave a kernel in doubt: "the launch in line 9 was not tried, and the launches in lines 12 and 14
    were not compared with this one"; "" for none.
    """
    said = (("not tried", True), ("not compared with this one", False))
    found = ((what, [str(one.line) for one in launches if one.is_untried == untried]) for what, untried in said)
    return ", and ".join(f"{_lines_words([*dict.fromkeys(lines)])} {what}" for what, lines in found if lines)


def _lines_words(lines: Sequence[str]) -> str:
    if len(lines) == 1:
        return f"the launch in line {lines[0]} was"
    return f"the launches in lines {listed(lines)} were"

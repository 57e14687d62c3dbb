"""Where in the kernel's file a PTX statement comes from, by `.loc`: the line it is shown at, and where within the call
there, in a helper of that file or in the headers that it includes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath, PureWindowsPath

from gemmviz.domain.kernels.inlined_code import (
    InlinedCalls,
    Spot,
    bodies_of,
    files_of,
    helper_line,
    in_helper,
    location_of,
)

_IN_NO_FOLDER = ("gemmviz_", "__nv_")
"""Names of headers that are handed to the compiler as texts begin so."""


@dataclass(frozen=True, slots=True)
class Place:
    """A line and column of the kernel's file, from 1, at which code is shown; 0 where nothing is known.

    `header` is where the code stands within the call there: in the files beside it that it includes, "tile.cuh:4", or,
    of a function that another one in a header calls, "tile.cuh:4, called in load.cuh:9"; in a function of the kernel's
    file that several lines call, "helper in line 8"; "" for code of the line itself.
    """

    line: int
    column: int
    header: str = ""

    @property
    def own_line(self) -> int:
        """The innermost line of the kernel's file that the code comes from."""
        return helper_line(self.header) or self.line

    def called_from(self, call: Place) -> Place:
        """The place of code of the kernel's file that is shown at the line which calls its function."""
        return Place(call.line, call.column, in_helper(self.header, self.line))

    def called_at(self, call: Place) -> Place:
        """The place of a header's code as one of the call that leads there."""
        return Place(call.line, call.column, chain_of((self.header, call.header)))


def chain_of(headers: Iterable[str]) -> str:
    """Places in headers, the innermost first, in words."""
    return ", called in ".join(filter(None, headers))


class Places:
    """Reads the `.loc` lines of a PTX text in order; those of an inlined call name the call, and a call within a call
    the outer one.
    """

    def __init__(self, text: str, source_name: str) -> None:
        files = files_of(text)
        self._own = frozenset(number for number, path in files.items() if _name(path) == source_name)
        self._headers = {
            number: path.removeprefix("./")
            for number, path in files.items()
            if number not in self._own and _is_beside(path)
        }
        self._bodies = {start: calls for start, _, calls in bodies_of(text, self._own)}
        self._inlined = InlinedCalls((), self._own)
        self._calls: dict[Spot, Spot] = {}

    def is_own(self, number: str) -> bool:
        """Whether a file of this number is the kernel's own."""
        return number in self._own

    def begin(self, start: int) -> None:
        """Go on with the function whose text begins there."""
        self._inlined = self._bodies.get(start, self._inlined)

    def of(self, loc: str, before: Place) -> Place:
        """The place a `.loc` line names; that of `before` where it names none: a line 0, or another file's without a
        call.
        """
        location = location_of(loc)
        if location is None:
            return before
        spot, call = location.spot, location.call
        if call is not None:
            self._calls[spot] = call
        seen: dict[Spot, None] = {}
        found: Spot | None = spot
        while found is not None and found not in seen:
            if found[0] in self._own:
                return self._own_place(found, call if found == spot else None, seen) if found[1] else before
            seen[found] = None
            found = self._calls.get(found) if found != spot or call else None
        return Place(before.line, before.column, self._chain(seen) or before.header)

    def _own_place(self, spot: Spot, call: Spot | None, inner: Iterable[Spot]) -> Place:
        """The place of code of the kernel's file, `inner` of which is in headers; `call` is where it is inlined."""
        place = Place(spot[1], spot[2], self._chain(inner))
        if call is None or call[0] not in self._own or not call[1] or not self._inlined.is_shared(spot[1]):
            return place
        return place.called_from(Place(call[1], call[2]))

    def _chain(self, spots: Iterable[Spot]) -> str:
        return chain_of(f"{self._headers[file]}:{line}" for file, line, _ in spots if line and file in self._headers)


def _is_beside(path: str) -> bool:
    """Whether a file lies in the kernel's folder. The compiler's have whole paths, or lie in no folder at all."""
    is_whole = PurePosixPath(path).is_absolute() or PureWindowsPath(path).drive
    return not is_whole and not _name(path).startswith(_IN_NO_FOLDER)


def _name(path: str) -> str:
    return PureWindowsPath(path).name if "\\" in path else PurePosixPath(path).name

"""The table of contents of one window's recovery data."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from gemmviz.domain.runs.result import RESULT_FIELDS, Session

FORMAT = "gemmviz-recovery"
VERSION = 1
NAME = "manifest.json"
HEAD = "head.gemmviz"
MOST_BYTES = 2**25

Place = tuple[int, int]
"""The number of a file, and the place of a result among those of its kind in that file, from 0."""


class RecoveryError(ValueError):
    """Recovery data that cannot be written or read; one line names the file, the fault and what was done about it."""


@dataclass(frozen=True, slots=True)
class RecoveryManifest:
    """`changed` is when the session changed last, ISO 8601 in UTC; `name` its name, `experiment` what was set up.
    `unsaved` says how many results of each kind the session's own file has not; {} where that is not known.
    """

    changed: str
    name: str = ""
    experiment: Mapping[str, Any] = field(default_factory=dict)
    places: Mapping[str, tuple[Place, ...]] = field(default_factory=dict)
    unsaved: Mapping[str, int] = field(default_factory=dict)

    def count(self, kind: str) -> int:
        """How many results of a kind there are."""
        return len(self.places.get(kind, ()))

    def count_unsaved(self, kind: str) -> int:
        """How many of them were not saved, as far as that is known."""
        return min(self.unsaved.get(kind, self.count(kind)), self.count(kind))

    @property
    def files(self) -> frozenset[int]:
        """The numbers of the files that hold them."""
        return frozenset(number for places in self.places.values() for number, _ in places)


def with_results(head: Session, results: Mapping[str, Sequence[Any]]) -> Session:
    """A session with these results by their kinds, and no others."""
    found: dict[str, Any] = {kind: tuple(results.get(kind, ())) for kind in RESULT_FIELDS}
    return replace(head, **found)


def file_name(number: int) -> str:
    """The name of the file with that number."""
    return f"{number:06d}.gemmviz"


def write_manifest(manifest: RecoveryManifest) -> bytes:
    """The manifest as JSON.

    Raises:
        RecoveryError: the experiment holds what JSON cannot.
    """
    document = {
        "format": FORMAT,
        "version": VERSION,
        "changed": manifest.changed,
        "name": manifest.name,
        "experiment": manifest.experiment,
        "results": manifest.places,
        "unsaved": manifest.unsaved,
    }
    try:
        return json.dumps(document, allow_nan=False).encode("ascii")
    except (TypeError, ValueError) as error:
        raise RecoveryError(f"the set-up cannot be written down: {error}") from error


def read_manifest(data: bytes) -> RecoveryManifest:
    """The manifest that `write_manifest` wrote.

    Raises:
        RecoveryError: it is damaged, or of a newer version.
    """
    try:
        document = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise RecoveryError(f"{NAME} is not valid JSON") from error
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise RecoveryError(f"{NAME} does not say {FORMAT!r}")
    match document:
        case {
            "version": int(version),
            "changed": str(changed),
            "name": str(name),
            "experiment": dict(experiment),
            "results": dict(results),
        } if version == VERSION:
            places = {kind: _places(results.get(kind, [])) for kind in RESULT_FIELDS}
            return RecoveryManifest(changed, name, experiment, places, _counts(document.get("unsaved")))
    raise RecoveryError(f"{NAME} is not of the form of version {VERSION}")


def _places(found: object) -> tuple[Place, ...]:
    if isinstance(found, list):
        places = tuple((one[0], one[1]) for one in found if _is_place(one))
        if len(places) == len(found):
            return tuple(dict.fromkeys(places))
    raise RecoveryError(f"{NAME} does not say where the results are")


def _counts(found: object) -> dict[str, int]:
    """How many results there are of each kind, as far as it is said."""
    pairs = found.items() if isinstance(found, dict) else ()
    return {kind: count for kind, count in pairs if kind in RESULT_FIELDS and type(count) is int and count >= 0}


def _is_place(one: object) -> bool:
    return (
        isinstance(one, list) and len(one) == 2 and all(type(number) is int and 0 <= number < 10**9 for number in one)
    )

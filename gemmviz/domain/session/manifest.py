"""The manifest of a session file: which format, which version, which columns, and the session as a tree."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from gemmviz.domain.session.arrays import Array, dtype_word

FORMAT = "gemmviz-session"
VERSION = 27
"""Raised when a reader of the last version could misread or would refuse a file; every older version stays readable:
what it does not have yet gets the value that its field has where nothing is said.

1: the first. 2: what a GPU tells of itself (clocks, registers, clusters), pinned transfers.
3: the frame that was shown. 4: block schedules, measured roofs, recordings of compiled code.
5: what a recording stored to C. 6: sectors that L2 sends for copies past L1.
7: when a recording was made. 8: whole runs one by one, each with its parts.
9: instructions that a recording's warps executed; copies that are not waited for.
10: in how many blocks a hazard was found. 11: values of variables; no recording runs past its barriers any more.
12: kernels called in their own way: what they compute, matrices column by column, a result D.
13: versions of kernels that were edited. 14: accesses in functions of headers, accesses that order others,
layouts of shared arrays that were tried.
15: what a GPU tells of itself in no vendor's words: its architecture by name, the width of its warps.
16: the tab and the plot that were shown, also where nothing is played. 17: which accesses of a block race;
the unit that makes an access is its `path` (was `way`). 18: what was set up to run.
19: which runs were chosen. 20: what speed-ups were against, and whether the charts of times showed all of many runs;
the sort of each barrier. 21: settings of kernels that were examined without a GPU.
22: what the warps of an SM did, tile by tile. 23: what a recorded kernel takes of a GPU; kernels without parameters,
examined for several GPUs. 24: accesses that SASS has of several lines together, accesses in functions of the kernel's
file at the lines that call them. 25: all sizes at which the result of a setting was checked.
26: the digest of the file that ran. 27: what mends a race.
"""

_DAMAGED = "Copy it again, or repeat the runs"


class ManifestError(ValueError):
    """A manifest that is none, or not one that this version reads; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class ColumnFacts:
    """What a manifest states about a column: the dtype as in "<f8", and the shape."""

    dtype: str
    shape: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Manifest:
    """The stated columns by name, the tree that `session_codec.decode` takes, and the version it was written by."""

    columns: Mapping[str, ColumnFacts]
    tree: Any
    version: int = VERSION

    @property
    def is_older(self) -> bool:
        """Whether fields may be missing that have been added since."""
        return self.version < VERSION


def column_facts(array: Array) -> ColumnFacts:
    """What a manifest says about `array`, of any shape."""
    return ColumnFacts(dtype_word(array), array.shape)


def write_manifest(tree: Any, columns: Mapping[str, Array]) -> bytes:
    """The manifest as JSON that any reader of JSON accepts: ASCII, no NaN, no Infinity."""
    facts = {name: column_facts(column) for name, column in columns.items()}
    manifest = {
        "format": FORMAT,
        "version": VERSION,
        "arrays": {name: {"dtype": fact.dtype, "shape": list(fact.shape)} for name, fact in facts.items()},
        "session": tree,
    }
    indent = None if "shared" in tree else 1  # nobody reads the manifest of a large session
    return (json.dumps(manifest, allow_nan=False, indent=indent) + "\n").encode("ascii")


def read_manifest(data: bytes) -> Manifest:
    """The manifest that `write_manifest` wrote.

    Raises:
        ManifestError: it is not JSON, another program's, of a newer version, or not of the stated form.
    """
    manifest = _parse(data)
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise ManifestError(f"its manifest does not say {FORMAT!r}. Choose a file that gemmviz saved")
    version = manifest.get("version")
    if type(version) is not int or version < 1:
        raise ManifestError(f"its manifest states no version. {_DAMAGED}")
    if version > VERSION:
        raise ManifestError(
            f"made by a newer version of gemmviz: format {version}, this one reads up to {VERSION}. Update gemmviz"
        )
    if set(manifest) != {"format", "version", "arrays", "session"} or not isinstance(manifest["arrays"], dict):
        raise ManifestError(f"its manifest is not of the form of version {version}. {_DAMAGED}")
    columns = {name: _facts(name, facts) for name, facts in manifest["arrays"].items()}
    return Manifest(columns, manifest["session"], version)


def _parse(data: bytes) -> Any:
    try:
        return json.loads(data.decode("utf-8"), parse_constant=_no_constant, object_pairs_hook=_no_duplicates)
    except (ValueError, RecursionError) as error:
        raise ManifestError(f"its manifest is not valid JSON. {_DAMAGED}") from error


def _facts(name: str, facts: Any) -> ColumnFacts:
    match facts:
        case {"dtype": str(dtype), "shape": list(shape), **rest} if not rest:
            if all(type(length) is int and length >= 0 for length in shape):
                return ColumnFacts(dtype, tuple(shape))
    raise ManifestError(f"its manifest does not say what the array {name[:80]!r} is. {_DAMAGED}")


def _no_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is not JSON")


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a name occurs twice in one object")
    return members

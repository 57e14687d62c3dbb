"""Files of recorded results: small ones for the tests, and whole ones to look at what disagrees.

Of each form the first KEPT results are kept, and a checksum of each CHUNK of results. Of an approximate one every other
result is kept instead, because it is compared within a bound.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from conformance_record.form import Form
from conformance_record.operands import COUNT, column

KEPT, CHUNK = 64, 64
APPROXIMATE_STEP = 2
_WHOLE_BYTES = 11 << 20
Results = Sequence[NDArray[np.unsignedinteger]]


def digest(form: Form) -> int:
    """A checksum of what a form is: its text and its operands."""
    found = zlib.crc32(repr((form.text, form.operands, form.results)).encode())
    for place, kind in enumerate(form.operands):
        found = zlib.crc32(column(kind, "abc"[place]).tobytes(), found)
    return found


def checksums(results: Results) -> NDArray[np.uint32]:
    """A checksum of each chunk of results."""
    found = np.zeros(COUNT // CHUNK, np.uint32)
    for place in range(found.size):
        value = 0
        for one in results:
            value = zlib.crc32(one[place * CHUNK : (place + 1) * CHUNK].tobytes(), value)
        found[place] = value
    return found


def kept(form: Form, results: Results) -> list[NDArray[np.unsignedinteger]]:
    """The results that a file keeps."""
    place = slice(None, None, APPROXIMATE_STEP) if form.bound else slice(KEPT)
    return [np.ascontiguousarray(one[place]) for one in results]


@dataclass(frozen=True, slots=True)
class Recorded:
    """What a file says of one form: the digest of the form, results as `kept` gives them, and checksums."""

    digest: int
    kept: list[NDArray[np.unsignedinteger]]
    checksums: NDArray[np.uint32]


def write(path: Path, forms: Sequence[Form], results: Mapping[str, Results], about: Mapping[str, str]) -> None:
    """Write the small file. `about` says where the results come from."""
    exact = [form for form in forms if not form.bound]
    table = {form.name: [digest(form), list(form.results), bool(form.bound)] for form in forms}
    every = [one for form in forms for one in kept(form, results[form.name])]
    by_width = {bits: [one for one in every if one.dtype.itemsize * 8 == bits] for bits in (16, 32, 64)}
    arrays: dict[str, Any] = {f"kept{bits}": np.concatenate(found) for bits, found in by_width.items() if found}
    words = json.dumps({"about": dict(about), "forms": table})
    sums = np.concatenate([checksums(results[form.name]) for form in exact]) if exact else np.zeros(0, np.uint32)
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(path, forms=np.frombuffer(words.encode(), np.uint8), checksums=sums, **arrays)


def read(path: Path) -> tuple[dict[str, Recorded], dict[str, str]]:
    """What a small file holds by the names of forms, and where it comes from."""
    with np.load(path) as file:
        words = json.loads(file["forms"].tobytes())
        arrays = {bits: file[f"kept{bits}"] for bits in (16, 32, 64) if f"kept{bits}" in file}
        sums = file["checksums"].reshape(-1, COUNT // CHUNK)
    found = {}
    at = dict.fromkeys(arrays, 0)
    row = 0
    for name, (number, results, is_approximate) in words["forms"].items():
        size = COUNT // APPROXIMATE_STEP if is_approximate else KEPT
        parts = []
        for bits in results:
            parts.append(arrays[bits][at[bits] : at[bits] + size])
            at[bits] += size
        found[name] = Recorded(number, parts, np.zeros(0, np.uint32) if is_approximate else sums[row])
        row += not is_approximate
    return found, words["about"]


def write_whole(path: Path, results: Mapping[str, Results]) -> list[Path]:
    """Write all results into as many files as keep each below 12 MB; their paths."""
    paths: list[Path] = []
    part: dict[str, NDArray[np.unsignedinteger]] = {}
    size = 0
    items = list(results.items())
    for number, (name, found) in enumerate(items):
        for place, one in enumerate(found):
            part[f"{name}#{place}"] = one
            size += one.nbytes
        if size > _WHOLE_BYTES or number == len(items) - 1:
            paths.append(path.with_name(f"{path.stem}.whole{len(paths) + 1}.npz"))
            names = np.frombuffer("\n".join(part).encode(), np.uint8)
            arrays: dict[str, Any] = {f"r{place}": one for place, one in enumerate(part.values())}
            np.savez_compressed(paths[-1], names=names, **arrays)
            part, size = {}, 0
    return paths


def read_whole(paths: Sequence[Path]) -> dict[str, list[NDArray[np.unsignedinteger]]]:
    """All results by the names of forms."""
    found: dict[str, list[NDArray[np.unsignedinteger]]] = {}
    for path in paths:
        with np.load(path) as file:
            for place, name in enumerate(file["names"].tobytes().decode().split("\n")):
                found.setdefault(name.rpartition("#")[0], []).append(file[f"r{place}"])
    return found

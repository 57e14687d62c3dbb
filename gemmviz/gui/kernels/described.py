"""Describes a kernel file that nobody described: what its kernel computes is found out by running it, apart."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from gemmviz.adopt.apart import AdoptError, look_apart
from gemmviz.adopt.finding import Findings
from gemmviz.adopt.sidecar import write_sidecar
from gemmviz.adopt.words import summary_of
from gemmviz.domain.atomic import WriteError


@dataclass(frozen=True, slots=True)
class Described:
    """What came of it: a sentence for a person in `words`, or in `fault` why the file has no description."""

    path: Path
    words: str = ""
    fault: str = ""


def described(path: Path) -> Described:
    """Find out what a kernel file computes, and write its description beside it; takes seconds."""
    try:
        found = look_apart(path)
        chosen = found.only.description if found.only is not None else None
        if chosen is None:
            return Described(path, fault=_why_not(path, found))
        written = write_sidecar(path, chosen)
    except (AdoptError, WriteError) as error:
        return Described(path, fault=str(error))
    return Described(path, words=f"{chosen.entry}: {summary_of(chosen)}. Its description was written to {written.name}")


def _why_not(path: Path, found: Findings) -> str:
    if found.fault:
        return found.fault
    if found.proven:
        names = ", ".join(one.kernel for one in found.proven)
        return (
            f"{path}: several kernels are products: {names}. Choose one: gemmviz adopt {path.name} --entry NAME --write"
        )
    reasons = "; ".join(f"{one.kernel}: {one.reasons[0]}" for one in found.found if one.reasons)
    return f"{path}: no kernel was proven to be a product: {reasons}. Describe it in {path.name}.toml"

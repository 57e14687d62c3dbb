"""What of a driver's description a person can use."""

from __future__ import annotations

import re

_VERSIONED = re.compile(r"([A-Za-z][\w+-]*) +(v?\d[\w.+-]*)")


def driver_words(description: str) -> str:
    """The parts of a description that have a version, each version once; all of it where none has.

    PoCL tells how it was built as well: "OpenCL 3.0 PoCL 3.0  Linux, Release, RELOC, LLVM 14.0.6, SLEEF, driver 3.0"
    gives "OpenCL 3.0, PoCL 3.0, LLVM 14.0.6".
    """
    found: list[tuple[str, str]] = _VERSIONED.findall(description)
    told = {version for name, version in found if name != "driver"}
    parts = [f"{name} {version}" for name, version in found if name != "driver" or version not in told]
    return ", ".join(dict.fromkeys(parts)) or " ".join(description.split())

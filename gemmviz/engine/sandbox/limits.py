"""Limits of the operating system on what a confined process takes."""

from __future__ import annotations

import sys
from contextlib import suppress

from gemmviz.engine.sandbox.confinement import Confinement

_MOST_FILES = 4096


def set_limits(confinement: Confinement) -> tuple[str, ...]:
    """Limit this process and its children; what is limited now, a word or two each."""
    if sys.platform == "win32":
        return ()
    import resource

    limits = {
        "RLIMIT_CORE": 0,
        "RLIMIT_CPU": confinement.processor_s,
        "RLIMIT_FSIZE": confinement.file_bytes,
        "RLIMIT_NOFILE": _MOST_FILES,
    }
    if not confinement.uses_gpu and sys.platform == "linux":
        # Not RLIMIT_DATA: PoCL would say that its device has no more memory than that.
        limits["RLIMIT_AS"] = confinement.mapped_bytes
    for name, value in limits.items():
        kind = getattr(resource, name)
        _, most = resource.getrlimit(kind)
        lower = value if most == resource.RLIM_INFINITY else min(value, most)
        # At the upper limit of processor time the end is SIGKILL, which says nothing; at the lower one SIGXCPU.
        upper = lower + 1 if name == "RLIMIT_CPU" and lower != most else lower
        with suppress(ValueError, OSError):
            resource.setrlimit(kind, (lower, upper))
    held = ("processor time", "size of files")
    return ("memory", *held) if "RLIMIT_AS" in limits else held

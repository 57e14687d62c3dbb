"""Which protections this system has for kernels of the user's, in a line for the user."""

from __future__ import annotations

import ctypes
import errno
import sys
from dataclasses import dataclass

from gemmviz.engine.sandbox import landlock
from gemmviz.engine.sandbox.system_calls import machine, numbers_of, system_call

_GET_ACTION = 2
_TELLS = 0x7FC00000


@dataclass(frozen=True, slots=True)
class Protections:
    """What holds here. `files` is Landlock, `calls` a filter of system calls, `has_supervisor` whether what a kernel
    tried is told.
    """

    limits: bool
    files: bool
    calls: bool
    has_supervisor: bool

    @property
    def words(self) -> str:
        """One sentence."""
        if not self.limits:
            return "Your own kernels run in a process of their own but unconfined: they can do whatever you can"
        held = [
            *(["no files except their own"] if self.files else []),
            *(["no network, no programs, no other processes"] if self.calls else []),
            "limited time",
            *(["limited memory"] if sys.platform == "linux" else []),
        ]
        lacks = [
            *([] if self.files else ["your files are not protected (needs Landlock, Linux 5.13)"]),
            *([] if self.calls else ["network access is not blocked (needs seccomp on x86-64 or ARM64 Linux)"]),
        ]
        return f"Your own kernels run confined: {', '.join(held)}" + "".join(f"; {lack}" for lack in lacks)


def protections() -> Protections:
    """What this system has, without entering the sandbox."""
    if sys.platform != "linux":
        return Protections(sys.platform != "win32", False, False, False)
    can_filter = bool(numbers_of(machine())) and _has_action(0x00050000)
    return Protections(True, landlock.version() > 0, can_filter, can_filter and _has_action(_TELLS))


def _has_action(action: int) -> bool:
    try:
        system_call("seccomp", _GET_ACTION, 0, ctypes.create_string_buffer(action.to_bytes(4, sys.byteorder), 4))
    except OSError as error:
        return error.errno not in (errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL)
    return True

"""Landlock: which files a process may still open, which TCP ports it may reach, and whom it may signal.

Documentation: docs.kernel.org/userspace-api/landlock.html. There is no well-kept package for it.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from enum import IntFlag
from pathlib import Path

from gemmviz.engine.sandbox.system_calls import system_call


class Access(IntFlag):
    """LANDLOCK_ACCESS_FS_…"""

    EXECUTE = 1 << 0
    WRITE_FILE = 1 << 1
    READ_FILE = 1 << 2
    READ_DIR = 1 << 3
    REMOVE_DIR = 1 << 4
    REMOVE_FILE = 1 << 5
    MAKE_CHAR = 1 << 6
    MAKE_DIR = 1 << 7
    MAKE_REG = 1 << 8
    MAKE_SOCK = 1 << 9
    MAKE_FIFO = 1 << 10
    MAKE_BLOCK = 1 << 11
    MAKE_SYM = 1 << 12
    REFER = 1 << 13
    TRUNCATE = 1 << 14
    IOCTL_DEV = 1 << 15


READ = Access.READ_FILE | Access.READ_DIR
WRITE = (
    READ
    | Access.WRITE_FILE
    | Access.TRUNCATE
    | Access.REMOVE_DIR
    | Access.REMOVE_FILE
    | Access.MAKE_DIR
    | Access.MAKE_REG
    | Access.REFER
)
DEVICE = Access.READ_FILE | Access.WRITE_FILE | Access.TRUNCATE | Access.IOCTL_DEV

_OF_FILES = Access.EXECUTE | Access.WRITE_FILE | Access.READ_FILE | Access.TRUNCATE | Access.IOCTL_DEV
"""What can be said of a file that is no folder."""

_KNOWN_SINCE = {1: Access.MAKE_SYM, 2: Access.REFER, 3: Access.TRUNCATE, 5: Access.IOCTL_DEV}
"""The version of Landlock and the last right it knows."""

_NETWORK_SINCE = 4
_SCOPES_SINCE = 6
_VERSION_FLAG = 1
_PATH_BENEATH = 1
_TCP = 0b11
"""Binding to a port and connecting to one."""
_SCOPES = 0b11
"""Abstract UNIX sockets and signals."""


class _Ruleset(ctypes.Structure):
    """struct landlock_ruleset_attr."""

    _fields_ = (("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scopes", ctypes.c_uint64))


class _PathBeneath(ctypes.Structure):
    """struct landlock_path_beneath_attr."""

    _pack_ = 1
    _layout_ = "ms"
    _fields_ = (("access", ctypes.c_uint64), ("folder", ctypes.c_int32))


@dataclass(frozen=True, slots=True)
class Grant:
    """What may be done with a file, or with everything below a folder."""

    path: Path
    access: Access


def version() -> int:
    """The version of Landlock that the running kernel has; 0 without it."""
    try:
        return system_call("landlock_create_ruleset", None, 0, _VERSION_FLAG)
    except OSError:
        return 0


def restrict(grants: Iterable[Grant]) -> None:
    """Let this thread, and the threads and processes it starts, open nothing but what is granted. Not to be undone.

    What is granted and not there is passed over.

    Raises:
        OSError: the kernel has no Landlock.
    """
    known = version()
    handled = handled_since(known)
    ruleset = _Ruleset(handled, _TCP if known >= _NETWORK_SINCE else 0, _SCOPES if known >= _SCOPES_SINCE else 0)
    size = 24 if known >= _SCOPES_SINCE else 16 if known >= _NETWORK_SINCE else 8
    rules = system_call("landlock_create_ruleset", ruleset, size, 0)
    try:
        for grant in grants:
            with suppress(FileNotFoundError, NotADirectoryError, PermissionError):
                _add(rules, grant, handled)
        system_call("landlock_restrict_self", rules, 0)
    finally:
        os.close(rules)


def handled_since(known: int) -> Access:
    """The rights that a version of Landlock knows."""
    last = max((right for since, right in _KNOWN_SINCE.items() if since <= known), default=Access(0))
    return Access((last << 1) - 1)


def _add(rules: int, grant: Grant, handled: Access) -> None:
    handle = os.open(grant.path, os.O_PATH | os.O_CLOEXEC)
    try:
        access = grant.access & handled
        if not grant.path.is_dir():
            access &= _OF_FILES
        system_call("landlock_add_rule", rules, _PATH_BENEATH, _PathBeneath(access, handle), 0)
    finally:
        os.close(handle)

"""How much main memory a program may still take, asked of the operating system."""

from __future__ import annotations

import ctypes
import os
import platform
from collections.abc import Iterator
from pathlib import Path


def available_memory_bytes() -> int | None:
    """Main memory in bytes that can be taken without swapping; None where the system does not tell.

    Linux: MemAvailable of /proc/meminfo, or what a control group (a container) leaves if that is less.
    Windows: ullAvailPhys of GlobalMemoryStatusEx. Elsewhere all there is, in use or not: an upper bound.
    """
    match platform.system():
        case "Windows":
            return _windows_available()
        case "Linux":
            return linux_available(Path("/"))
    return _physical()


def linux_available(root: Path) -> int | None:
    """As `available_memory_bytes`, with the files read below `root`."""
    figures = [*_mem_available(root), *_group_headrooms(root)]
    return max(0, min(figures)) if figures else None


def _mem_available(root: Path) -> Iterator[int]:
    kibibytes = _counters(root / "proc/meminfo").get("MemAvailable:")
    if kibibytes is not None:
        yield kibibytes * 1024


def _group_headrooms(root: Path) -> Iterator[int]:
    """What each control group from this process's own up to the root still allows.

    Page cache that the kernel gives back on demand (inactive_file) counts as free. Documentation:
    docs.kernel.org/admin-guide/cgroup-v2.html and cgroup-v1/memory.html.
    """
    for line in _read(root / "proc/self/cgroup").splitlines():
        hierarchy, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        if hierarchy == "0":
            mount, limit, usage, cache = "", "memory.max", "memory.current", "inactive_file"
        elif "memory" in controllers.split(","):
            mount, limit, usage, cache = (
                "memory",
                "memory.limit_in_bytes",
                "memory.usage_in_bytes",
                "total_inactive_file",
            )
        else:
            continue
        base = root / "sys/fs/cgroup" / mount
        # In a container the path may be the host's and absent here; the walk still ends at the mount.
        group = base / path.lstrip("/")
        for folder in (group, *group.parents):
            allowed, used = _number(folder / limit), _number(folder / usage)
            if allowed is not None and used is not None:
                yield allowed - used + _counters(folder / "memory.stat").get(cache, 0)
            if folder == base:
                break


def _counters(path: Path) -> dict[str, int]:
    """The lines "word number …" of a file of the kernel."""
    fields = (line.split() for line in _read(path).splitlines())
    return {line[0]: int(line[1]) for line in fields if len(line) >= 2 and line[1].isdecimal()}


def _number(path: Path) -> int | None:
    text = _read(path).strip()
    return int(text) if text.isdecimal() else None


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _physical() -> int | None:
    sysconf = getattr(os, "sysconf", None)
    if sysconf is None:
        return None
    try:
        pages, page_bytes = int(sysconf("SC_PHYS_PAGES")), int(sysconf("SC_PAGE_SIZE"))
    except (ValueError, OSError):
        return None
    return pages * page_bytes if pages > 0 and page_bytes > 0 else None


def _windows_available() -> int | None:
    class MemoryStatus(ctypes.Structure):
        """MEMORYSTATUSEX of sysinfoapi.h."""

        _fields_ = (
            ("dwLength", ctypes.c_ulong),
            ("dwMemoryLoad", ctypes.c_ulong),
            ("ullTotalPhys", ctypes.c_ulonglong),
            ("ullAvailPhys", ctypes.c_ulonglong),
            ("ullTotalPageFile", ctypes.c_ulonglong),
            ("ullAvailPageFile", ctypes.c_ulonglong),
            ("ullTotalVirtual", ctypes.c_ulonglong),
            ("ullAvailVirtual", ctypes.c_ulonglong),
            ("ullAvailExtendedVirtual", ctypes.c_ulonglong),
        )

    status = MemoryStatus(dwLength=ctypes.sizeof(MemoryStatus))
    kernel32 = getattr(ctypes, "windll").kernel32  # noqa: B009 - there on Windows only
    return int(status.ullAvailPhys) if kernel32.GlobalMemoryStatusEx(ctypes.byref(status)) else None

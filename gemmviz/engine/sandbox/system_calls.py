"""Numbers of Linux system calls, as <asm/unistd.h> has them; only those that a filter names."""

from __future__ import annotations

import ctypes
import errno
import os
import platform

AUDIT_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
"""AUDIT_ARCH_… of <linux/audit.h>, which a filter sees beside the number."""

LAST_KNOWN = 467
"""Calls with higher numbers came after this table; a filter answers that there is no such call."""

_BOTH = {
    "openat2": 437,
    "clone3": 435,
    "pidfd_send_signal": 424,
    "pidfd_open": 434,
    "pidfd_getfd": 438,
    "process_madvise": 440,
    "process_mrelease": 448,
    "io_uring_setup": 425,
    "io_uring_enter": 426,
    "io_uring_register": 427,
    "open_tree": 428,
    "move_mount": 429,
    "fsopen": 430,
    "fsconfig": 431,
    "fsmount": 432,
    "fspick": 433,
    "mount_setattr": 442,
    "quotactl_fd": 443,
    "landlock_create_ruleset": 444,
    "landlock_add_rule": 445,
    "landlock_restrict_self": 446,
    "fchmodat2": 452,
    "setxattrat": 463,
    "removexattrat": 466,
    "open_tree_attr": 467,
}

_X86_64 = {
    "open": 2,
    "openat": 257,
    "creat": 85,
    "truncate": 76,
    "unlink": 87,
    "unlinkat": 263,
    "rename": 82,
    "renameat": 264,
    "renameat2": 316,
    "mkdir": 83,
    "mkdirat": 258,
    "rmdir": 84,
    "symlink": 88,
    "symlinkat": 266,
    "link": 86,
    "linkat": 265,
    "mknod": 133,
    "mknodat": 259,
    "chmod": 90,
    "fchmod": 91,
    "fchmodat": 268,
    "chown": 92,
    "fchown": 93,
    "lchown": 94,
    "fchownat": 260,
    "utime": 132,
    "utimes": 235,
    "futimesat": 261,
    "utimensat": 280,
    "setxattr": 188,
    "lsetxattr": 189,
    "fsetxattr": 190,
    "removexattr": 197,
    "lremovexattr": 198,
    "fremovexattr": 199,
    "clone": 56,
    "fork": 57,
    "vfork": 58,
    "execve": 59,
    "execveat": 322,
    "kill": 62,
    "tkill": 200,
    "tgkill": 234,
    "rt_sigqueueinfo": 129,
    "rt_tgsigqueueinfo": 297,
    "ptrace": 101,
    "process_vm_readv": 310,
    "process_vm_writev": 311,
    "kcmp": 312,
    "socket": 41,
    "connect": 42,
    "bind": 49,
    "listen": 50,
    "accept": 43,
    "accept4": 288,
    "bpf": 321,
    "perf_event_open": 298,
    "userfaultfd": 323,
    "keyctl": 250,
    "add_key": 248,
    "request_key": 249,
    "io_setup": 206,
    "mount": 165,
    "umount2": 166,
    "pivot_root": 155,
    "chroot": 161,
    "unshare": 272,
    "setns": 308,
    "init_module": 175,
    "finit_module": 313,
    "delete_module": 176,
    "kexec_load": 246,
    "kexec_file_load": 320,
    "reboot": 169,
    "swapon": 167,
    "swapoff": 168,
    "sethostname": 170,
    "setdomainname": 171,
    "settimeofday": 164,
    "clock_settime": 227,
    "clock_adjtime": 305,
    "adjtimex": 159,
    "acct": 163,
    "quotactl": 179,
    "syslog": 103,
    "iopl": 172,
    "ioperm": 173,
    "modify_ldt": 154,
    "open_by_handle_at": 304,
    "name_to_handle_at": 303,
    "fanotify_init": 300,
    "vhangup": 153,
    "personality": 135,
    "migrate_pages": 256,
    "shmget": 29,
    "shmat": 30,
    "shmctl": 31,
    "msgget": 68,
    "semget": 64,
    "mq_open": 240,
    "prlimit64": 302,
    "prctl": 157,
    "ioctl": 16,
    "seccomp": 317,
    "capset": 126,
    "mmap": 9,
}

_AARCH64 = {
    "openat": 56,
    "truncate": 45,
    "unlinkat": 35,
    "renameat": 38,
    "renameat2": 276,
    "mkdirat": 34,
    "symlinkat": 36,
    "linkat": 37,
    "mknodat": 33,
    "fchmod": 52,
    "fchmodat": 53,
    "fchown": 55,
    "fchownat": 54,
    "utimensat": 88,
    "setxattr": 5,
    "lsetxattr": 6,
    "fsetxattr": 7,
    "removexattr": 14,
    "lremovexattr": 15,
    "fremovexattr": 16,
    "clone": 220,
    "execve": 221,
    "execveat": 281,
    "kill": 129,
    "tkill": 130,
    "tgkill": 131,
    "rt_sigqueueinfo": 138,
    "rt_tgsigqueueinfo": 240,
    "ptrace": 117,
    "process_vm_readv": 270,
    "process_vm_writev": 271,
    "kcmp": 272,
    "socket": 198,
    "connect": 203,
    "bind": 200,
    "listen": 201,
    "accept": 202,
    "accept4": 242,
    "bpf": 280,
    "perf_event_open": 241,
    "userfaultfd": 282,
    "keyctl": 219,
    "add_key": 217,
    "request_key": 218,
    "io_setup": 0,
    "mount": 40,
    "umount2": 39,
    "pivot_root": 41,
    "chroot": 51,
    "unshare": 97,
    "setns": 268,
    "init_module": 105,
    "finit_module": 273,
    "delete_module": 106,
    "kexec_load": 104,
    "kexec_file_load": 294,
    "reboot": 142,
    "swapon": 224,
    "swapoff": 225,
    "sethostname": 161,
    "setdomainname": 162,
    "settimeofday": 170,
    "clock_settime": 112,
    "clock_adjtime": 266,
    "adjtimex": 171,
    "acct": 89,
    "quotactl": 60,
    "syslog": 116,
    "name_to_handle_at": 264,
    "open_by_handle_at": 265,
    "fanotify_init": 262,
    "vhangup": 58,
    "personality": 92,
    "migrate_pages": 238,
    "shmget": 194,
    "shmat": 196,
    "shmctl": 195,
    "msgget": 186,
    "semget": 190,
    "mq_open": 180,
    "prlimit64": 261,
    "prctl": 167,
    "ioctl": 29,
    "seccomp": 277,
    "capset": 91,
    "mmap": 222,
}

_LIBRARY = ctypes.CDLL(None, use_errno=True) if os.name == "posix" else None


def machine() -> str:
    """The processor architecture, as `AUDIT_ARCHITECTURES` names it."""
    return platform.machine()


def numbers_of(architecture: str) -> dict[str, int]:
    """Name and number of the calls known here; empty for an architecture without a table."""
    tables = {"x86_64": _X86_64, "aarch64": _AARCH64}
    return {**_BOTH, **tables[architecture]} if architecture in tables else {}


def system_call(name: str, *arguments: int | ctypes.Array[ctypes.c_char] | ctypes.Structure | None) -> int:
    """Make a system call: its result.

    Raises:
        OSError: it failed, or it is not known on this machine.
    """
    number = numbers_of(machine()).get(name)
    if number is None or _LIBRARY is None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS), name)
    _LIBRARY.syscall.restype = ctypes.c_long
    words = [
        ctypes.c_long(each) if isinstance(each, int) else None if each is None else ctypes.byref(each)
        for each in arguments
    ]
    result: int = _LIBRARY.syscall(ctypes.c_long(number), *words)
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code), name)
    return result

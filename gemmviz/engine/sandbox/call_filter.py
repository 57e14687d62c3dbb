"""A seccomp filter: which system calls a confined process may make, as a program for the kernel's BPF machine.

Calls are allowed unless a rule names them; those that came after the table of calls are said to be missing. What a rule
*tells* is decided by the supervisor (`supervisor.py`), and by the rule's own answer where there is none.
"""

from __future__ import annotations

import errno
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gemmviz.engine.sandbox.system_calls import AUDIT_ARCHITECTURES, LAST_KNOWN, numbers_of

ALLOW = 0x7FFF0000
TELL = 0x7FC00000
_KILL = 0x80000000
_ANSWER = 0x00050000

_LOAD, _AND, _JUMP_IF_EQUAL, _JUMP_IF_GREATER, _JUMP_IF_ANY, _RETURN = 0x20, 0x54, 0x15, 0x25, 0x45, 0x06
_NUMBER_AT, _ARCHITECTURE_AT, _ARGUMENTS_AT = 0, 4, 16
_X32 = 0x40000000

_WRITES = 0o3 | 0o100 | 0o1000
"""O_ACCMODE, O_CREAT, O_TRUNC: any of them opens a file for more than reading."""

_DEATH_SIGNAL = 1
_TYPES_INTO_TERMINALS = (0x5412, 0x541C)
"""TIOCSTI and TIOCLINUX of ioctl(2)."""

LARGE_BYTES = 1 << 24
"""Memory taken in pieces of this size or more is told."""


def answer(error: int) -> int:
    """The action that fails a call with an error, or with 0 pretends that it went well."""
    return _ANSWER | error


@dataclass(frozen=True, slots=True)
class Test:
    """Whether the lower (or upper) 32 bits of an argument, masked, are a value, or with `any_bit` are not 0."""

    argument: int
    value: int = 0
    mask: int = 0xFFFFFFFF
    any_bit: bool = False
    upper: bool = False


@dataclass(frozen=True, slots=True)
class SyscallRule:
    """What happens at a call whose arguments pass all tests; `untold` takes the place of TELL without a supervisor."""

    calls: tuple[str, ...]
    action: int
    tests: tuple[Test, ...] = ()
    untold: int = answer(errno.EPERM)


CHANGES_FILES = (
    "creat",
    "truncate",
    "unlink",
    "unlinkat",
    "rename",
    "renameat",
    "renameat2",
    "mkdir",
    "mkdirat",
    "rmdir",
    "symlink",
    "symlinkat",
    "link",
    "linkat",
    "mknod",
    "mknodat",
)
CHANGES_MODES = (
    "chmod",
    "fchmod",
    "fchmodat",
    "fchmodat2",
    "chown",
    "fchown",
    "lchown",
    "fchownat",
    "utime",
    "utimes",
    "futimesat",
    "utimensat",
    "setxattr",
    "lsetxattr",
    "fsetxattr",
    "removexattr",
    "lremovexattr",
    "fremovexattr",
    "setxattrat",
    "removexattrat",
)
NETWORK = ("socket", "connect", "bind", "listen", "accept", "accept4")
PROCESSES = ("clone", "fork", "vfork", "execve", "execveat")
SIGNALS = ("kill", "tgkill", "tkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "pidfd_send_signal")
OTHER_PROCESSES = (
    "ptrace",
    "process_vm_readv",
    "process_vm_writev",
    "process_madvise",
    "process_mrelease",
    "kcmp",
    "pidfd_open",
    "pidfd_getfd",
    "migrate_pages",
)
SHARED_MEMORY = ("shmget", "shmat", "shmctl", "msgget", "semget", "mq_open")
SYSTEM = (
    "bpf",
    "perf_event_open",
    "userfaultfd",
    "keyctl",
    "add_key",
    "request_key",
    "io_uring_setup",
    "io_uring_enter",
    "io_uring_register",
    "io_setup",
    "mount",
    "umount2",
    "move_mount",
    "fsopen",
    "fsconfig",
    "fsmount",
    "fspick",
    "open_tree",
    "open_tree_attr",
    "mount_setattr",
    "pivot_root",
    "chroot",
    "unshare",
    "setns",
    "init_module",
    "finit_module",
    "delete_module",
    "kexec_load",
    "kexec_file_load",
    "reboot",
    "swapon",
    "swapoff",
    "sethostname",
    "setdomainname",
    "settimeofday",
    "clock_settime",
    "clock_adjtime",
    "adjtimex",
    "acct",
    "quotactl",
    "quotactl_fd",
    "syslog",
    "iopl",
    "ioperm",
    "modify_ldt",
    "open_by_handle_at",
    "name_to_handle_at",
    "fanotify_init",
    "vhangup",
    "personality",
)


def rules_for(process: int, *, starts_compilers: bool, uses_gpu: bool) -> tuple[SyscallRule, ...]:
    """The rules for the confined process with that id. With `starts_compilers` it may start programs, with `uses_gpu`
    drivers may talk to services of this machine.
    """
    no_call = answer(errno.ENOSYS)
    itself = (Test(0, process),)
    writes = tuple(
        SyscallRule((call,), TELL, (Test(argument, mask=_WRITES, any_bit=True),), ALLOW)
        for call, argument in (("open", 1), ("openat", 2))
    )
    large = tuple(
        SyscallRule(("mmap",), TELL, (Test(1, mask=mask, any_bit=True, upper=upper),), ALLOW)
        for mask, upper in ((0xFFFFFFFF & -LARGE_BYTES, False), (0xFFFFFFFF, True))
    )
    to_services = (SyscallRule(("socket",), ALLOW, (Test(0, 1),)), SyscallRule(("socket",), ALLOW, (Test(0, 16),)))
    """AF_UNIX and AF_NETLINK."""
    return (
        *(to_services if uses_gpu else ()),
        SyscallRule(NETWORK[:1] if uses_gpu else NETWORK, TELL),
        *(() if starts_compilers else (SyscallRule(PROCESSES, TELL, untold=ALLOW),)),
        SyscallRule(("kill", "tgkill"), ALLOW, itself),
        SyscallRule((*SIGNALS, *OTHER_PROCESSES, *SHARED_MEMORY, *SYSTEM), TELL),
        SyscallRule(("prlimit64",), ALLOW, itself),
        SyscallRule(("prlimit64",), ALLOW, (Test(0, 0),)),
        SyscallRule(("prlimit64",), TELL),
        SyscallRule(("prctl",), answer(0), (Test(0, _DEATH_SIGNAL),)),
        *(SyscallRule(("ioctl",), TELL, (Test(1, request),)) for request in _TYPES_INTO_TERMINALS),
        SyscallRule(("openat2", "clone3"), no_call),
        *writes,
        *large,
        SyscallRule(CHANGES_FILES, TELL, untold=ALLOW),
        SyscallRule(CHANGES_MODES, answer(0)),
    )


def program(rules: Sequence[SyscallRule], architecture: str, *, has_supervisor: bool) -> bytes:
    """The filter as an array of `struct sock_filter`.

    Raises:
        ValueError: the calls of this architecture are not known.
    """
    numbers = numbers_of(architecture)
    if not numbers:
        raise ValueError(f"the system calls of {architecture} are not known")
    x32 = [_step(_JUMP_IF_ANY, _X32, 0, 1), _step(_RETURN, _KILL)] if architecture == "x86_64" else []
    steps = [
        _step(_LOAD, _ARCHITECTURE_AT),
        _step(_JUMP_IF_EQUAL, AUDIT_ARCHITECTURES[architecture], 1, 0),
        _step(_RETURN, _KILL),
        _step(_LOAD, _NUMBER_AT),
        *x32,
        _step(_JUMP_IF_GREATER, LAST_KNOWN, 0, 1),
        _step(_RETURN, answer(errno.ENOSYS)),
    ]
    for call, number in numbers.items():
        of_call = [rule for rule in rules if call in rule.calls]
        if of_call:
            block = _block(of_call, has_supervisor)
            steps += [_step(_JUMP_IF_EQUAL, number, 0, len(block)), *block]
    return b"".join([*steps, _step(_RETURN, ALLOW)])


def _block(rules: Iterable[SyscallRule], has_supervisor: bool) -> list[bytes]:
    """The steps for one call: its rules in order, the first whose tests pass decides."""
    steps: list[bytes] = []
    for rule in rules:
        tests = [_test_steps(test) for test in rule.tests]
        action = rule.untold if rule.action == TELL and not has_supervisor else rule.action
        left = sum(map(len, tests)) + 1
        for *load, (code, value) in tests:
            left -= len(load) + 1
            steps += [_step(*each) for each in load]
            steps.append(_step(code, value, 0, left))
        steps.append(_step(_RETURN, action))
    return [*steps, _step(_RETURN, ALLOW)]


def _test_steps(test: Test) -> list[tuple[int, int]]:
    load = (_LOAD, _ARGUMENTS_AT + 8 * test.argument + (4 if test.upper else 0))
    if test.any_bit:
        return [load, (_JUMP_IF_ANY, test.mask)]
    return [load, (_AND, test.mask), (_JUMP_IF_EQUAL, test.value)]


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)

"""Entering the sandbox: a process splits into a confined one, which goes on, and its supervisor, which stays behind."""

from __future__ import annotations

import ctypes
import errno
import os
import signal
import socket
import struct
import sys
import tempfile
import traceback
from collections.abc import Callable, Collection
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import NoReturn

from gemmviz.engine.analysis.ahead import copy_for_confined
from gemmviz.engine.sandbox import landlock
from gemmviz.engine.sandbox.attempts import DeniedAttempt
from gemmviz.engine.sandbox.call_filter import program, rules_for
from gemmviz.engine.sandbox.confinement import Confinement
from gemmviz.engine.sandbox.limits import set_limits
from gemmviz.engine.sandbox.supervisor import Supervisor
from gemmviz.engine.sandbox.system_calls import machine, system_call

_DEATH_SIGNAL, _NO_NEW_PRIVILEGES, _REAPS_ORPHANS = 1, 38, 36
"""PR_SET_PDEATHSIG, PR_SET_NO_NEW_PRIVS and PR_SET_CHILD_SUBREAPER of prctl(2)."""

_SET_FILTER, _NEW_LISTENER = 1, 8
_CAPABILITIES_VERSION = 0x20080522

OnAttempt = Callable[[DeniedAttempt], int]
"""Told what the confined process was ended for; the exit code to end with."""


def confine(confinement: Confinement, on_attempt: OnAttempt, keep: Collection[int] = ()) -> None:
    """Return in a process that is confined as far as this system can; all its threads and children will be.

    On Linux that is a child of the caller: the caller itself waits for the child's end and ends the same way, or with
    what `on_attempt` says. Open files are closed but for the standard streams and those in `keep`. To be called before
    there is a second thread; elsewhere only the limits hold.

    Raises:
        RuntimeError: there is a second thread.
    """
    _prepare(confinement)
    if sys.platform != "linux":
        set_limits(confinement)
        return
    if len(list(Path("/proc/self/task").iterdir())) > 1:
        raise RuntimeError("the sandbox is to be entered before there is a second thread, which would stay outside")
    ours, theirs = socket.socketpair()
    output, writes = os.pipe()
    parent = os.getpid()
    child = os.fork()
    if child:
        theirs.close()
        os.close(writes)
        _supervise(child, confinement, ours, output, on_attempt)
    _end_with_parent(parent)
    _write_to(writes)
    _close_all_but({0, 1, 2, theirs.fileno(), *keep})
    _drop_capabilities()
    set_limits(confinement)
    _prctl(_NO_NEW_PRIVILEGES, 1)
    with suppress(OSError):  # no Landlock
        landlock.restrict(confinement.grants())
    listener = _filter_calls(confinement)
    with suppress(OSError):
        socket.send_fds(theirs, [b"."], [] if listener is None else [listener])
    if listener is not None:
        os.close(listener)
    theirs.close()


def _prepare(confinement: Confinement) -> None:
    """Let everything be written in the folders that may be written to, and no cache of others be read or written."""
    os.environ.pop("POCL_CACHE_DIR", None)
    copy_for_confined(confinement.cache / "numba")
    for name, part in (("CUDA_CACHE_PATH", "cuda"), ("NUMBA_CACHE_DIR", "numba"), ("XDG_CACHE_HOME", "")):
        folder = confinement.cache / part
        with suppress(OSError):
            folder.mkdir(exist_ok=True)
        os.environ[name] = str(folder)
    for name in ("TMPDIR", "TEMP", "TMP"):
        os.environ[name] = str(confinement.scratch)
    tempfile.tempdir = None
    sys.dont_write_bytecode = True
    _stand_in_for_root(confinement.scratch)


def _stand_in_for_root(scratch: Path) -> None:
    """A folder that hwloc, which PoCL asks for processor and memory, opens in place of /. With the right to list
    / one may list every folder of the system.
    """
    root = Path(tempfile.mkdtemp(prefix="root-", dir=scratch))
    for name in ("sys", "proc", "dev"):
        (root / name).symlink_to(f"/{name}")
    os.environ |= {"HWLOC_FSROOT": str(root), "HWLOC_THISSYSTEM": "1"}


def _filter_calls(confinement: Confinement) -> int | None:
    """Install the filter; the handle by which a supervisor hears of calls, None where there can be none."""
    rules = rules_for(os.getpid(), starts_compilers=confinement.starts_compilers, uses_gpu=confinement.uses_gpu)
    for has_supervisor in (True, False):
        try:
            steps = ctypes.create_string_buffer(program(rules, machine(), has_supervisor=has_supervisor))
            count = (len(steps) - 1) // 8
            head = ctypes.create_string_buffer(struct.pack("HxxxxxxP", count, ctypes.addressof(steps)), 16)
            found = system_call("seccomp", _SET_FILTER, _NEW_LISTENER if has_supervisor else 0, head)
        except OSError as error:
            if error.errno not in (errno.EINVAL, errno.ENOSYS, errno.EBUSY, errno.EACCES):
                raise
        except ValueError:  # the calls of this processor are not known
            return None
        else:
            return found if has_supervisor else None
    return None


def _supervise(
    child: int, confinement: Confinement, channel: socket.socket, output: int, on_attempt: OnAttempt
) -> NoReturn:
    code = 1
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the child hears it too
        _prctl(_REAPS_ORPHANS, 1)
        _, handles, _, _ = socket.recv_fds(channel, 1, 1)
        channel.close()
        supervisor = Supervisor(child, confinement, handles[0] if handles else None, output)
        status, attempt = supervisor.watch()
        _end_orphans()
        code = on_attempt(attempt) if attempt is not None else _as_it_ended(status)
    except OSError:
        traceback.print_exc()
    finally:
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        os._exit(code)


def _as_it_ended(status: int) -> int:
    """The exit code of a process that ended so; after a signal this one ends by the same."""
    code = os.waitstatus_to_exitcode(status)
    if code >= 0:
        return code
    _no_core_file()
    signal.signal(-code, signal.SIG_DFL) if -code not in (signal.SIGKILL, signal.SIGSTOP) else None
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {-code})
    os.kill(os.getpid(), -code)
    return 128 - code


def _no_core_file() -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _end_orphans() -> None:
    """End what the confined process has started and left behind."""
    with suppress(OSError):
        for child in Path(f"/proc/self/task/{os.getpid()}/children").read_text(encoding="ascii").split():
            os.kill(int(child), signal.SIGKILL)


def _write_to(handle: int) -> None:
    """Let standard output and error go there, those of Python too."""
    for stream in (1, 2):
        os.dup2(handle, stream)
    sys.stdout, sys.stderr = (os.fdopen(stream, "w", 1, errors="replace", closefd=False) for stream in (1, 2))


def _end_with_parent(parent: int) -> None:
    _prctl(_DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def _close_all_but(keep: Collection[int]) -> None:
    edges = [-1, *sorted(keep), os.sysconf("SC_OPEN_MAX")]
    for low, high in pairwise(edges):
        if high > low + 1:
            os.closerange(low + 1, high)


def _drop_capabilities() -> None:
    """Give up what root may do besides what everyone may."""
    head = ctypes.create_string_buffer(struct.pack("=Ii", _CAPABILITIES_VERSION, 0), 8)
    with suppress(OSError):
        system_call("capset", head, ctypes.create_string_buffer(24))


def _prctl(option: int, value: int) -> None:
    ctypes.CDLL(None).prctl(option, ctypes.c_ulong(value), ctypes.c_ulong(0), ctypes.c_ulong(0), ctypes.c_ulong(0))

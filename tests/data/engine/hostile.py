"""A process that enters the sandbox, tries one thing on another thread as a kernel would, and prints what came of it.

    python hostile.py WHAT [ARGUMENT]

What it was stopped for is printed to standard error, and its exit code is 76.
"""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

from gemmviz.domain.files.last_look import look
from gemmviz.engine.sandbox.attempts import DeniedAttempt
from gemmviz.engine.sandbox.confined import confine
from gemmviz.engine.sandbox.confinement import Confinement
from gemmviz.engine.sandbox.system_calls import machine, numbers_of

GIB = 1 << 30


def call(name: str, *arguments: int) -> int:
    """A system call by its number, as inline assembly makes it: its result or -errno."""
    library = ctypes.CDLL(None, use_errno=True)
    found: int = library.syscall(numbers_of(machine())[name], *map(ctypes.c_long, arguments))
    return found if found >= 0 else -ctypes.get_errno()


def write_to(path: str) -> str:
    Path(path).write_text("owned", encoding="ascii")
    return "written"


def terminal() -> int:
    return call("ioctl", 0, 0x5412, ctypes.addressof(ctypes.create_string_buffer(b"x")))


def many_threads() -> str:
    threading.stack_size(1 << 16)
    for _ in range(3000):
        threading.Thread(target=threading.Event().wait, daemon=True).start()
    return "started"


def shell() -> int:
    return ctypes.CDLL(None).system(b"true")


def change_mode(path: str) -> str:
    Path(path).chmod(0)
    return oct(Path(path).stat().st_mode)


def remember() -> bool:
    with look(Path(os.environ["XDG_CACHE_HOME"]) / "mark"):
        pass
    with look(Path(os.environ["XDG_CACHE_HOME"]) / "mark") as since_ns:
        return since_ns > 0


def needed() -> str:
    """What compilers and libraries do."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "a"
        file.write_bytes(bytes(1000))
        os.rename(file, Path(folder) / "b")  # noqa: PTH104 - the call
        Path(folder, "b").chmod(0o700)
    Path(os.environ["XDG_CACHE_HOME"], "pocl").mkdir(parents=True, exist_ok=True)
    Path(os.environ["XDG_CACHE_HOME"]).mkdir(exist_ok=True)
    subprocess.run(["ld", "--version"], check=True, capture_output=True)
    Path("/proc/self/maps").read_bytes()
    Path("/proc/cpuinfo").read_bytes()
    Path(os.__file__).read_bytes()
    os.kill(os.getpid(), 0)
    array = bytearray(GIB // 8)
    array[0] = 1
    import numpy as np

    np.ones((200, 200)) @ np.ones((200, 200))
    return "all went well"


THINGS: dict[str, Callable[..., object]] = {
    "socket": lambda: socket.socket(),
    "unix_socket": lambda: socket.socket(socket.AF_UNIX),
    "shell": shell,
    "fork": os.fork,
    "write": write_to,
    "read": lambda path: Path(path).read_text(encoding="utf-8"),
    "list": lambda path: sorted(os.listdir(path)),  # noqa: PTH208 - the call
    "remove": os.unlink,
    "change_mode": change_mode,
    "kill": lambda: os.kill(os.getppid(), signal.SIGTERM),
    "kill_all": lambda: os.kill(-1, signal.SIGTERM),
    "trace": lambda: call("ptrace", 16, os.getppid()),
    "read_memory": lambda: call("process_vm_readv", os.getppid(), 0, 0, 0, 0, 0),
    "io_uring": lambda: call("io_uring_setup", 8, 0),
    "keys": lambda: call("keyctl", 0, 0, 0),
    "bpf": lambda: call("bpf", 0, 0, 0),
    "mount": lambda: call("mount", 0, 0, 0, 0, 0),
    "namespace": lambda: call("unshare", 0x10000000),
    "shared_memory": lambda: call("shmget", 0, 4096, 0o1600),
    "terminal": terminal,
    "outlive": lambda: ctypes.CDLL(None).prctl(1, 0),
    "new_call": lambda: ctypes.CDLL(None).syscall(5000),
    "memory": lambda: bytearray(1 << 40),
    "processor": lambda: exec("while True: pass"),
    "many_threads": many_threads,
    "needed": needed,
    "remember": remember,
}


def main() -> None:
    what, *arguments = sys.argv[1:]
    scratch = Path(tempfile.mkdtemp())
    cache = scratch / "cache"
    cache.mkdir()
    sources = frozenset({Path(__file__), *map(Path, os.environ.get("MAY_READ", "").split(":"))} - {Path()})
    bounds = Confinement(sources, cache, scratch, 2 * GIB, 1 if what == "processor" else 60)

    def tell(attempt: DeniedAttempt) -> int:
        print(attempt.words, file=sys.stderr)
        return 76

    confine(bounds, tell)

    def attempt() -> None:
        try:
            found = THINGS[what](*arguments)
            print(f"result: {found}", flush=True)
        except (OSError, MemoryError) as error:
            print(f"refused: {type(error).__name__}", flush=True)
        os._exit(0)

    if os.environ.get("ON_FIRST_THREAD"):
        attempt()
    thread = threading.Thread(target=attempt)
    thread.start()
    thread.join()


if __name__ == "__main__":
    main()

"""Kernels that compile and then do what no kernel should."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from fault_record.case import Case, LostError
from fault_record.scratch import Ended, Scratch, check_inert, check_refused, check_works
from fault_record.sources import SOUND_BODY, kernel

_REFUSED_OR_TOLD = {
    "never ends": "    while (row >= 0) { C[0] += 1.0f; }\n",
    "never ends at a barrier": "    while (row >= 0) { __syncthreads(); C[0] += 1.0f; }\n",
    "writes far past C": "    C[1000000000L + row] = 1.0f;\n",
    "writes before C": "    C[-100000000L + row] = 1.0f;\n",
    "reads at null": "    C[0] = *(const volatile float *)0;\n",
    "writes at null": "    *(volatile float *)0 = 1.0f;\n",
    "writes everywhere": "    for (long i = 0; i < 4000000000L; i += 1024) C[i] = 1.0f;\n",
    "divides by zero": "    C[0] = (float)(row / (M - M));\n",
    "recurses": "    C[0] = (float)again(row);\n",
    "one element past C": f"{SOUND_BODY}    if (row == 0 && col == 0) C[M * N] = 1.0f;\n",
    "one element before C": f"{SOUND_BODY}    if (row == 0 && col == 0) C[-1] = 1.0f;\n",
    "writes nothing": "    (void)row;\n",
    "writes NaN": "    if (row < M && col < N) C[row * N + col] = 0.0f / 0.0f;\n",
    "changes A": f"    ((float *)A)[0] = 7.0f;\n{SOUND_BODY}",
    "private array overrun": f"    float p[4]; p[row + 100000] = 1.0f; C[0] = p[3];\n{SOUND_BODY}",
    "shared array overrun": f"    __shared__ float s[4]; s[row * 100000 + 5] = 1.0f; C[0] = s[3];\n{SOUND_BODY}",
    "#pragma unroll 100000": (
        "    float x = 0;\n#pragma unroll 100000\n    for (int i = 0; i < 100000; ++i) x += A[i % M] * x;\n"
        "    C[0] = x;\n"
    ),
}
_BEFORE = {"recurses": "__device__ int again(int n) { return n < 0 ? 0 : again(n + 1) + 1; }\n"}

_SYSTEM = {
    "runs a command": ("int system(const char *);", 'system("touch {home}/touched");'),
    "forks": ("int fork(void);", "for (;;) fork();"),
    "opens a file to write": ("int open(const char *, int, int);", 'open("{home}/touched", 65, 511);'),
    "removes a file": ("int unlink(const char *);", 'unlink("{home}/kept");'),
    "renames a file": ("int rename(const char *, const char *);", 'rename("{home}/kept", "{home}/touched");'),
    "makes a folder": ("int mkdir(const char *, int);", 'mkdir("{home}/touched", 511);'),
    "opens a socket": ("int socket(int, int, int);", "if (socket(2, 1, 0) >= 0) for (;;) ;"),
    "kills its parent": ("int kill(int, int); int getppid(void);", "kill(getppid(), 9);"),
    "kills everybody of its group": ("int kill(int, int);", "kill(0, 9);"),
    "leaves at once": ("void _exit(int);", "_exit(0);"),
    "aborts": ("void abort(void);", "abort();"),
    "allocates for ever": (
        "void *malloc(unsigned long); void *memset(void *, int, unsigned long);",
        "for (;;) memset(malloc(1 << 28), 1, 1 << 28);",
    ),
    "writes for ever": ("long write(int, const void *, unsigned long);", 'for (;;) write(2, "spam ", 5);'),
    "closes all descriptors": ("int close(int);", "for (int i = 0; i < 1024; ++i) close(i);"),
    "sleeps": ("unsigned sleep(unsigned);", "sleep(100000);"),
}
"""What native code could do on the CPU: declared as C functions and called by one thread."""


def cases() -> Iterator[Case]:
    """Every kernel, run and recorded."""
    for what, body in _REFUSED_OR_TOLD.items():
        for command in ("run", "trace"):
            yield Case("wild kernels", f"{command}: {what}", _told(command, kernel(body, _BEFORE.get(what, ""))))
    for what, (declared, called) in _SYSTEM.items():
        for suffix in ("cu", "cl"):
            yield Case("wild kernels", f".{suffix}: {what}", _confined(declared, called, suffix))
    for what, text in (
        ("a line", "hello from a kernel\\n"),
        ("an escape sequence", "\\033[31mred\\033]0;title\\007\\n"),
        ("markup", "[/red][bold]\\n"),
    ):
        body = f'    if (row == 0 && col == 0) printf("{text}");\n{SOUND_BODY}'
        for command in ("run", "trace"):
            yield Case("wild kernels", f"{command}: prints {what}", _prints(command, kernel(body)))


_WELL = 0, 3
"""Nothing to tell, and hazards found in a recording."""


def _told(command: str, source: str) -> Callable[[Scratch], None]:
    """The fault is told: a refusal or a report that names it; the program ends in time."""

    def attempt(scratch: Scratch) -> None:
        (scratch.work / "mine.cu").write_text(source, encoding="utf-8")
        words = [command, "--kernel-file", "mine.cu", "--size", "17x9x5", "--time-limit", "5"]
        ended = scratch.run(*words, *(["--budget", "0.05"] if command == "run" else []), limit_s=90.0)
        _check_ended(ended)
        scratch.check_nothing_left()

    return attempt


def _check_ended(ended: Ended) -> None:
    """Well, or refused in words.

    Raises:
        LostError: neither.
    """
    if ended.code in _WELL:
        check_works(ended, codes=_WELL)
        return
    if ended.err.strip():
        check_refused(ended, (1, 2), ".")
        return
    raise LostError(f"exit code {ended.code} without a word")


def _confined(declared: str, called: str, suffix: str) -> Callable[[Scratch], None]:
    """Whatever it tries, nothing outside of its own process changes, and the program tells or goes on."""

    def attempt(scratch: Scratch) -> None:
        kept, touched = scratch.home / "kept", scratch.home / "touched"
        kept.write_text("kept", encoding="utf-8")
        body = f"    if (row == 0 && col == 0) {{ {called.replace('{home}', str(scratch.home))} }}\n{SOUND_BODY}"
        source = kernel(body, f'extern "C" {{ {declared} }}\n')
        if suffix == "cl":
            source = _in_opencl(kernel(body, f"{declared}\n"))
        (scratch.work / f"mine.{suffix}").write_text(source, encoding="utf-8")
        words = ("run", "--kernel-file", f"mine.{suffix}", "--size", "17x9x5", "--time-limit", "5", "--budget", "0.05")
        ended = scratch.run(*words, limit_s=90.0)
        _check_ended(ended)
        if touched.exists() or not kept.exists():
            raise LostError("a file outside of the kernel's own folder was changed")
        scratch.check_nothing_left()

    return attempt


def _in_opencl(source: str) -> str:
    """A kernel of sources.py in OpenCL C."""
    words = {
        "__global__ void": "__kernel void",
        "const float *": "__global const float *",
        ", float *C": ", __global float *C",
        "blockIdx.y * 8 + threadIdx.y": "get_global_id(1)",
        "blockIdx.x * 8 + threadIdx.x": "get_global_id(0)",
    }
    for cuda, opencl in words.items():
        source = source.replace(cuda, opencl)
    return source


def _prints(command: str, source: str) -> Callable[[Scratch], None]:
    def attempt(scratch: Scratch) -> None:
        (scratch.work / "mine.cu").write_text(source, encoding="utf-8")
        words = [command, "--kernel-file", "mine.cu", "--size", "17x9x5", "--json"]
        ended = scratch.run(*words, *(["--budget", "0.05"] if command == "run" else []))
        _check_ended(ended)
        check_inert(ended)
        if "hello" in ended.out:
            raise LostError("what a kernel prints stands in the JSON document")

    return attempt

"""Environments that a program does not expect: no home, no display, a damaged cache, strange settings."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from fault_record.case import Case, LostError
from fault_record.scratch import Scratch, check_refused, check_works
from fault_record.sources import kernel

_RUN = ("run", "--kernel", "naive,cpu_ijk", "--size", "17x9x5", "--budget", "0.02")
_TRACE = ("trace", "--kernel", "tiled", "--size", "17x9x5")

_ENVIRONMENTS: dict[str, dict[str, str]] = {
    "HOME empty": {"HOME": ""},
    "HOME is a file": {"HOME": "/etc/hostname"},
    "HOME is nowhere": {"HOME": "/proc/nowhere", "XDG_CACHE_HOME": "", "XDG_CONFIG_HOME": "", "XDG_STATE_HOME": ""},
    "no cache can be written": {"XDG_CACHE_HOME": "/proc/nowhere"},
    "the cache is a file": {"XDG_CACHE_HOME": "/etc/hostname"},
    "no state can be written": {"XDG_STATE_HOME": "/proc/nowhere"},
    "no settings can be written": {"XDG_CONFIG_HOME": "/proc/nowhere"},
    "relative folders": {"XDG_CACHE_HOME": "a", "XDG_CONFIG_HOME": "b", "XDG_STATE_HOME": "c"},
    "the C locale": {"LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "ASCII output": {"PYTHONIOENCODING": "ascii"},
    "a locale that is not there": {"LANG": "xx_XX.UTF-8", "LC_ALL": "xx_XX.UTF-8"},
    "a decimal comma": {"LC_ALL": "de_DE.UTF-8"},
    "GEMMVIZ_GUARDED=1": {"GEMMVIZ_GUARDED": "1"},
    "GEMMVIZ_EXACT": {"GEMMVIZ_EXACT": "x=/etc/passwd"},
    "COLUMNS=-1": {"COLUMNS": "-1"},
    "COLUMNS=9…9": {"COLUMNS": "9" * 300},
    "COLUMNS=٨": {"COLUMNS": "٨"},
    "NO_COLOR": {"NO_COLOR": "1"},
    "a dumb terminal": {"TERM": "dumb"},
    "no terminal type": {"TERM": ""},
    "TZ nowhere": {"TZ": "Nowhere/Nowhere"},
    "OMP_NUM_THREADS=0": {"OMP_NUM_THREADS": "0"},
    "one Numba thread": {"NUMBA_NUM_THREADS": "1"},
    "PYTHONOPTIMIZE=2": {"PYTHONOPTIMIZE": "2"},
    "PYTHONWARNINGS=default": {"PYTHONWARNINGS": "default"},
    "no PATH": {"PATH": ""},
    "POCL_DEVICES unknown": {"POCL_DEVICES": "nothing"},
    "POCL_CACHE_DIR nowhere": {"POCL_CACHE_DIR": "/proc/nowhere"},
    "POCL_WORK_GROUP_METHOD unknown": {"POCL_WORK_GROUP_METHOD": "nothing"},
    "OCL_ICD_VENDORS nowhere": {"OCL_ICD_VENDORS": "/proc/nowhere"},
    "CUDA_VISIBLE_DEVICES": {"CUDA_VISIBLE_DEVICES": "99"},
    "TMPDIR nowhere": {"TMPDIR": "/proc/nowhere"},
    "TMPDIR is a file": {"TMPDIR": "/etc/hostname"},
}


def cases() -> Iterator[Case]:
    """Every environment and every damage of a cache."""
    for what, environment in _ENVIRONMENTS.items():
        for name, words in (("run", _RUN), ("trace", _TRACE)):
            yield Case("surroundings", f"{name}: {what}", _works(words, environment))
    own = ("run", "--kernel-file", "mine.cu", "--size", "17x9x5", "--budget", "0.02")
    for what in ("GEMMVIZ_GUARDED=1", "no cache can be written", "TMPDIR nowhere", "HOME is nowhere", "GEMMVIZ_EXACT"):
        yield Case("surroundings", f"own kernel: {what}", _works(own, _ENVIRONMENTS[what]))
    yield Case("surroundings", "own kernel that crashes: GEMMVIZ_GUARDED=1", _still_guarded)
    for what, damage in _DAMAGES.items():
        for name, words in (("run", _RUN), ("trace", _TRACE)):
            yield Case("surroundings", f"{name}: cache {what}", _damaged_cache(words, damage))
    for closed in ("<&-", ">&-", "2>&-", "<&- >&- 2>&-", "</dev/null >/dev/null 2>/dev/full"):
        yield Case("surroundings", f"started with {closed}", _closed(closed))
    yield Case("surroundings", "no display", _no_display)
    yield Case("surroundings", "the working folder was removed", _no_folder)
    for limit in ("-v 3000000", "-n 40", "-t 1"):
        yield Case("surroundings", f"ulimit {limit}", _limited(limit))


def _works(words: tuple[str, ...], environment: Mapping[str, str]) -> Callable[[Scratch], None]:
    """The command works, or is refused in words that do not accuse the kernel file."""

    def attempt(scratch: Scratch) -> None:
        (scratch.work / "mine.cu").write_text(kernel(), encoding="utf-8")
        ended = scratch.run(*words, environment=environment)
        if ended.code:
            check_refused(ended, (1, 2), ".")
            if "not in the file" in ended.err:
                raise LostError(f"accuses the kernel file: {ended.err.strip()[-200:]}")
        else:
            check_works(ended)
        scratch.check_nothing_left()

    return attempt


def _still_guarded(scratch: Scratch) -> None:
    """A crash costs the kernel's own process, whatever the environment says."""
    (scratch.work / "mine.cu").write_text(kernel("    C[1000000000L + row] = 1.0f;\n"), encoding="utf-8")
    words = ("run", "--kernel-file", "mine.cu", "--size", "17x9x5", "--budget", "0.02")
    check_refused(scratch.run(*words, environment={"GEMMVIZ_GUARDED": "1"}), (1, 2), ".")
    scratch.check_nothing_left()


def _emptied(path: Path) -> None:
    path.write_bytes(b"")


def _halved(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])


def _flipped(path: Path) -> None:
    data = bytearray(path.read_bytes())
    for place in range(len(data) // 3, len(data), max(1, len(data) // 7)):
        data[place] ^= 0x55
    path.write_bytes(bytes(data))


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


_PATTERNS = {"all": "*", "object": "*.so", "program": "*.bc", "remembered": "*.json", "Numba's": "*.nb?"}
_SPOILED: dict[str, Callable[[Path], None]] = {
    "emptied": _emptied,
    "halved": _halved,
    "flipped": _flipped,
    "replaced by folders": _folder,
    "replaced by pipes": _pipe,
}
_DAMAGES: dict[str, tuple[str, Callable[[Path], None]]] = {
    f"{kind} files {what}": (pattern, damage)
    for kind, pattern in _PATTERNS.items()
    for what, damage in _SPOILED.items()
}


def _damaged_cache(words: tuple[str, ...], damage: tuple[str, Callable[[Path], None]]) -> Callable[[Scratch], None]:
    """A shipped kernel works with a damaged cache, and the next time as well."""
    pattern, spoil = damage

    def attempt(scratch: Scratch) -> None:
        cache = scratch.own_cache()
        check_works(scratch.run(*words))
        for path in cache.rglob(pattern):
            if path.is_file():
                spoil(path)
        for _ in range(2):
            check_works(scratch.run(*words))
        scratch.check_nothing_left()

    return attempt


def _closed(streams: str) -> Callable[[Scratch], None]:
    def attempt(scratch: Scratch) -> None:
        ended = scratch.run_by_shell(f"gemmviz {' '.join(_RUN)} {streams}")
        if ended.code not in (0, 1) or "Traceback" in ended.err:
            raise LostError(f"exit code {ended.code}: {ended.err.strip()[-200:]}")
        scratch.check_nothing_left()

    return attempt


def _limited(limit: str) -> Callable[[Scratch], None]:
    def attempt(scratch: Scratch) -> None:
        check_works(scratch.run(*_RUN))
        ended = scratch.run_by_shell(f"ulimit {limit}; gemmviz {' '.join(_RUN)}")
        if ended.code > 2 or (ended.code < 0 and not limit.startswith("-t")):
            raise LostError(f"exit code {ended.code}: {ended.err.strip()[-200:]}")
        scratch.check_nothing_left()

    return attempt


def _no_display(scratch: Scratch) -> None:
    environment = {"QT_QPA_PLATFORM": "", "DISPLAY": "", "WAYLAND_DISPLAY": ""}
    check_refused(scratch.run(environment=environment), (1,), "display")
    scratch.check_nothing_left()


def _no_folder(scratch: Scratch) -> None:
    ended = scratch.run_by_shell(f"mkdir gone && cd gone && rmdir ../gone && gemmviz {' '.join(_RUN)}")
    if ended.code:
        check_refused(ended, (1, 2), ".")
    scratch.check_nothing_left()

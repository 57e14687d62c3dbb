import os
import platform
from pathlib import Path

import pytest

from gemmviz.domain.processes.host_memory import available_memory_bytes, linux_available

MEMINFO = "MemTotal:       16000000 kB\nMemFree:         1000000 kB\nMemAvailable:    8000000 kB\n"
AVAILABLE = 8_000_000 * 1024


def put(root: Path, name: str, text: str) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    put(tmp_path, "proc/meminfo", MEMINFO)
    return tmp_path


def test_that_linux_tells_what_is_available_not_what_is_free(root: Path) -> None:
    assert linux_available(root) == AVAILABLE


def test_that_a_group_of_version_2_limits_it_and_its_page_cache_counts_as_free(root: Path) -> None:
    put(root, "proc/self/cgroup", "0::/user/job\n")
    put(root, "sys/fs/cgroup/user/job/memory.max", "5000000\n")
    put(root, "sys/fs/cgroup/user/job/memory.current", "3000000\n")
    put(root, "sys/fs/cgroup/user/job/memory.stat", "anon 1\ninactive_file 700000\nactive_file 9\n")
    assert linux_available(root) == 2_700_000


def test_that_the_tightest_parent_counts(root: Path) -> None:
    put(root, "proc/self/cgroup", "0::/user/job\n")
    put(root, "sys/fs/cgroup/user/job/memory.max", "max\n")
    put(root, "sys/fs/cgroup/user/job/memory.current", "10\n")
    put(root, "sys/fs/cgroup/user/memory.max", "1000\n")
    put(root, "sys/fs/cgroup/user/memory.current", "400\n")
    assert linux_available(root) == 600


def test_that_nothing_above_the_mount_point_is_a_group(root: Path) -> None:
    put(root, "proc/self/cgroup", "0::/job\n")
    put(root, "sys/fs/memory.max", "1000\n")
    put(root, "sys/fs/memory.current", "400\n")
    assert linux_available(root) == AVAILABLE


def test_that_a_group_of_version_1_limits_it_where_its_path_is_hidden(root: Path) -> None:
    put(root, "proc/self/cgroup", "9:cpu:/x\n4:memory:/docker/abc\n")
    put(root, "sys/fs/cgroup/memory/memory.limit_in_bytes", "4096000\n")
    put(root, "sys/fs/cgroup/memory/memory.usage_in_bytes", "96000\n")
    put(root, "sys/fs/cgroup/memory/memory.stat", "inactive_file 5\ntotal_inactive_file 1000\n")
    assert linux_available(root) == 4_001_000


def test_that_a_limit_beyond_the_machine_changes_nothing(root: Path) -> None:
    put(root, "proc/self/cgroup", "4:memory:/\n")
    put(root, "sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n")
    put(root, "sys/fs/cgroup/memory/memory.usage_in_bytes", "96000\n")
    assert linux_available(root) == AVAILABLE


def test_that_a_group_above_its_limit_leaves_nothing_not_less(root: Path) -> None:
    put(root, "proc/self/cgroup", "0::/\n")
    put(root, "sys/fs/cgroup/memory.max", "100\n")
    put(root, "sys/fs/cgroup/memory.current", "400\n")
    assert linux_available(root) == 0


def test_that_a_system_without_the_files_is_not_guessed_at(tmp_path: Path) -> None:
    assert linux_available(tmp_path) is None


def test_that_this_machine_tells_a_likely_figure() -> None:
    available = available_memory_bytes()
    assert available is not None
    assert 2**20 < available < 2**46


@pytest.mark.skipif(platform.system() == "Windows", reason="Windows has no sysconf")
def test_that_another_unix_tells_all_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    pages = {"SC_PHYS_PAGES": 1000, "SC_PAGE_SIZE": 16384}
    monkeypatch.setattr(platform, "system", lambda: "Darwin")
    monkeypatch.setattr(os, "sysconf", pages.__getitem__)
    assert available_memory_bytes() == 16_384_000


@pytest.mark.skipif(platform.system() == "Windows", reason="Windows has no sysconf")
def test_that_a_unix_that_cannot_tell_gives_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "system", lambda: "Darwin")
    monkeypatch.setattr(os, "sysconf", lambda _: -1)
    assert available_memory_bytes() is None

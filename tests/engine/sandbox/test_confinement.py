"""Which files a confined process may open for writing."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.engine.sandbox.call_filter import rules_for
from gemmviz.engine.sandbox.confinement import confinement_of
from gemmviz.engine.sandbox.landlock import Access


@pytest.mark.parametrize("uses_gpu", [True, False])
def test_that_a_gpu_is_opened_for_writing_only_where_one_is_used(tmp_path: Path, uses_gpu: bool) -> None:
    confinement = confinement_of(frozenset(), 0, tmp_path, starts_compilers=not uses_gpu, uses_gpu=uses_gpu)
    for name in ("nvidiactl", "nvidia0", "nvidia-uvm", "nvidia-caps/nvidia-cap1", "dri/renderD128", "kfd"):
        assert confinement.may_change(Path("/dev") / name) is uses_gpu, name
    assert confinement.may_change(Path("/proc/12/task/34/comm")) is uses_gpu
    for name in (
        "/proc/12/task/34/mem",
        "/proc/12/comm",
        "/dev/sda",
        "/dev/mem",
        "/etc/nvidia0",
        "/dev/shm/nvidia0",
        str(Path.home() / "nvidiactl"),
    ):
        assert not confinement.may_change(Path(name)), name
    for path in (Path("/dev/null"), tmp_path / "a"):
        assert confinement.may_change(path)


@pytest.mark.parametrize("uses_gpu", [True, False])
def test_that_a_gpu_and_compilers_are_granted_apart(tmp_path: Path, uses_gpu: bool) -> None:
    confinement = confinement_of(frozenset(), 0, tmp_path, starts_compilers=not uses_gpu, uses_gpu=uses_gpu)
    grants = {(grant.path, bool(grant.access & Access.EXECUTE)) for grant in confinement.grants()}
    assert ((Path("/usr"), True) in grants) is not uses_gpu
    assert ((Path("/dev"), False) in grants) is uses_gpu
    calls = {call for rule in rules_for(1, starts_compilers=not uses_gpu, uses_gpu=uses_gpu) for call in rule.calls}
    assert ("execve" in calls) is uses_gpu
    assert ("connect" in calls) is not uses_gpu

"""Settings that were examined without a GPU, in a session's file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from settings_figures import make_setting, make_sweep

from gemmviz.domain.kernels.examined_sweep import MOST_SWEEPS, digest_of, with_sweep
from gemmviz.domain.runs.result import Session
from gemmviz.domain.session.session import SessionError, load_session, save_session


def test_that_a_sweep_is_kept_with_digest_gpu_and_times(session: Session, tmp_path: Path, same: Any) -> None:
    sweep = make_sweep(make_setting(8, sectors=250), make_setting(16, fault="does not compile"), missing=1)
    save_session(replace(session, sweeps=(sweep,)), tmp_path / "kept.gemmviz")
    (kept,) = load_session(tmp_path / "kept.gemmviz").sweeps
    assert same(kept, sweep)
    assert (kept.digest, kept.gpu, kept.finished) == (digest_of("text"), "NVIDIA H100 SXM", "2026-01-02T03:04:05+00:00")


def test_that_a_file_of_the_version_before_opens_without_sweeps(forge: Callable[..., Path]) -> None:
    def older(manifest: dict[str, Any]) -> None:
        manifest["version"] = 20
        del manifest["session"]["sweeps"]

    assert load_session(forge(older)).sweeps == ()


def test_that_the_oldest_sweep_goes_where_there_are_too_many() -> None:
    sweeps = tuple(make_sweep(make_setting(place + 1)) for place in range(MOST_SWEEPS))
    new = make_sweep(make_setting(99))
    assert with_sweep(sweeps, new) == (*sweeps[1:], new)


@pytest.mark.parametrize(
    ("spoil", "fault"),
    [
        (lambda sweep: replace(sweep, settings=()), "has 0 settings"),
        (lambda sweep: replace(sweep, settings=sweep.settings * 65), "has 65 settings"),
    ],
)
def test_that_a_sweep_of_no_or_too_many_settings_is_refused(
    session: Session, tmp_path: Path, spoil: Any, fault: str
) -> None:
    spoilt = replace(session, sweeps=(spoil(make_sweep(make_setting(8))),))
    with pytest.raises(SessionError, match=fault):
        save_session(spoilt, tmp_path / "spoilt.gemmviz")

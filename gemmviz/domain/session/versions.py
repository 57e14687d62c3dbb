"""The versions of kernels that a session keeps: adding one, finding one, dropping the oldest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gemmviz.domain.kernels.kernel_version import KernelVersion
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import Session

MOST_VERSIONS = 50
MOST_CHARACTERS = 2**23
"""Of a session: versions, and characters of their texts together. The oldest are dropped first."""


def versions_of(session: Session, kernel: str) -> tuple[KernelVersion, ...]:
    """The versions of a kernel by their numbers."""
    return tuple(sorted((one for one in session.versions if one.kernel == kernel), key=lambda one: one.number))


def version_with_text(session: Session, kernel: str, text: str) -> KernelVersion | None:
    """The version of a kernel that has this text; None where there is none."""
    return next((one for one in session.versions if (one.kernel, one.text) == (kernel, text)), None)


def recording_of_version(session: Session, version: KernelVersion) -> TraceRun | None:
    """The recording of a version; None where there is none, or where it was removed from the session."""
    return next((trace for trace in reversed(session.traces) if version.is_of(trace)), None)


def recordings_of_text(session: Session, version: KernelVersion) -> tuple[TraceRun, ...]:
    """All recordings of the text of a version, the newest first, whoever asked for them."""
    wanted = version.kernel, version.source_name, version.text
    return tuple(
        trace
        for trace in reversed(session.traces)
        if (trace.spec.kernel, trace.source_name, trace.source_text) == wanted
    )


def next_number(session: Session, kernel: str, text: str) -> int:
    """The number of a version with this text: the one that it has already, else one more than the last."""
    same = version_with_text(session, kernel, text)
    return same.number if same is not None else max((one.number for one in versions_of(session, kernel)), default=0) + 1


def with_version(session: Session, version: KernelVersion) -> tuple[Session, tuple[KernelVersion, ...]]:
    """The session with one more version, and those that were dropped for it with their recordings, the oldest first.

    A version of the same kernel with the same text is replaced, and its recording goes: what is found out now takes
    the place of what was found out before. The recording of the new one is added after this.
    """
    same = version_with_text(session, version.kernel, version.text)
    kept = [one for one in session.versions if one is not same]
    kept.append(version)
    dropped: list[KernelVersion] = []
    while len(kept) > MOST_VERSIONS or (len(kept) > 1 and characters_of(kept) > MOST_CHARACTERS):
        dropped.append(kept.pop(0))
    gone = [one for one in (same, *dropped) if one is not None]
    traces = tuple(trace for trace in session.traces if not any(one.is_of(trace) for one in gone))
    return replace(session, versions=tuple(kept), traces=traces), tuple(dropped)


def characters_of(versions: Sequence[KernelVersion]) -> int:
    """The characters of their texts together."""
    return sum(len(one.text) for one in versions)

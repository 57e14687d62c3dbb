"""The versions of kernels that a session keeps: adding one, finding one, dropping the oldest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from gemmviz.domain.kernels.kernel_version import KernelVersion
from gemmviz.domain.recordings.launches import same_blocks
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


def with_version(
    session: Session, version: KernelVersion, stays: Callable[[TraceRun], bool] = lambda _: False
) -> tuple[Session, tuple[KernelVersion, ...]]:
    """The session with one more version, and those that were dropped for it with their recordings, the oldest first.

    A version of the same kernel with the same text is replaced, and its recording goes: what is found out now takes
    the place of what was found out before. The recording of the new one is added after this. `stays` says which
    recordings do not go.
    """
    same = version_with_text(session, version.kernel, version.text)
    kept = [one for one in session.versions if one is not same]
    kept.append(version)
    dropped: list[KernelVersion] = []
    while len(kept) > MOST_VERSIONS or (len(kept) > 1 and characters_of(kept) > MOST_CHARACTERS):
        dropped.append(kept.pop(0))
    gone = [one for one in (same, *dropped) if one is not None]
    traces = tuple(trace for trace in session.traces if stays(trace) or not any(one.is_of(trace) for one in gone))
    return replace(session, versions=tuple(kept), traces=traces), tuple(dropped)


def with_own_recording(session: Session, version: KernelVersion, trace: TraceRun) -> tuple[Session, TraceRun | None]:
    """The session in which a version, which is the last there, has the recording that is there of the same blocks, if
    there is one, and that recording; None where `trace` has to be added.
    """
    others = session.versions[:-1]
    alike = (each for each in reversed(session.traces) if same_blocks(each, trace))
    known = next((each for each in alike if not any(one.is_of(each) for one in others)), None)
    if known is None:
        return session, None
    return replace(session, versions=(*others, replace(version, recorded=known.finished))), known


def with_recording_replaced(session: Session, trace: TraceRun) -> Session:
    """The session without the recordings that say what this one says, which takes their place once it is added: those
    of the same blocks, by the same compiler unless they are of versions.
    """
    gone = [each for each in session.traces if same_blocks(each, trace) and _is_replaced(session, each, trace)]
    if not gone:
        return session
    versions = tuple(
        replace(one, recorded=trace.finished) if any(one.is_of(each) for each in gone) else one
        for one in session.versions
    )
    traces = tuple(each for each in session.traces if not any(each is other for other in gone))
    return replace(session, versions=versions, traces=traces)


def _is_replaced(session: Session, old: TraceRun, new: TraceRun) -> bool:
    """Whether nothing is lost with the old one of two recordings of the same blocks. Which blocks a recording has of
    which none was kept is known where it has all of the launch.
    """
    if any(version.is_of(old) for version in session.versions):
        return True
    return old.compiler == new.compiler and (bool(new.blocks) or new.blocks_recorded == new.blocks_in_grid)


def characters_of(versions: Sequence[KernelVersion]) -> int:
    """The characters of their texts together."""
    return sum(len(one.text) for one in versions)

"""Which versions of a kernel are held against each other, and by which of their recordings. No Qt."""

from __future__ import annotations

from dataclasses import replace

from gemmviz.domain.kernels.kernel_version import KernelVersion
from gemmviz.domain.runs.result import Session
from gemmviz.domain.session.versions import recording_of_version, recordings_of_text, versions_of
from gemmviz.explain.source.comparability import why_not_compared
from gemmviz.explain.source.version_figures import Measured


def measured_in(session: Session, version: KernelVersion) -> Measured:
    """A version with its recording in the session."""
    return Measured(version, recording_of_version(session, version))


def compared_versions(
    session: Session, kernel: str, newest: Measured | None, before: int
) -> tuple[list[Measured], Measured | None]:
    """All versions of a kernel by their numbers, `newest` in place of what the session has of it, and the one to
    compare that with: the version whose number is `before`, else the one that was saved last.
    """
    known = [measured_in(session, one) for one in versions_of(session, kernel)]
    if newest is not None:
        known = [one for one in known if one.version.number != newest.version.number] + [newest]
        known.sort(key=lambda one: one.version.number)
    chosen = next((one for one in known if one.version.number == before), None)
    if newest is None:
        return known, chosen
    if chosen is None:
        others = [one for one in known if one is not newest]
        chosen = max(others, key=lambda one: (one.version.saved, one.version.number), default=None)
    return known, with_comparable_recording(chosen, newest, session) if chosen is not None else None


def with_comparable_recording(before: Measured, after: Measured, session: Session) -> Measured:
    """The version with a recording that can be held against that of the later one: its own, else the newest other one
    of its text in the session, as a person records it at another size. Unchanged where there is none.
    """
    if after.trace is None or (before.trace is not None and not why_not_compared(before.trace, after.trace)):
        return before
    others = recordings_of_text(session, before.version)
    found = next((one for one in others if not why_not_compared(one, after.trace)), None)
    return replace(before, trace=found) if found is not None else before

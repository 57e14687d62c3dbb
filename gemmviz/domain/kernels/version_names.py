"""What the versions of a kernel are called: "version 3 (current)", "version 2 (previous)", "version 1". No Qt.

The current version is the one whose text the file has. Where that text is not known, no version has an age.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from gemmviz.domain.kernels.examined_sweep import digest_of
from gemmviz.domain.kernels.kernel_version import KernelVersion
from gemmviz.domain.recordings.trace_run import TraceRun

UNNUMBERED = "unnumbered version"
"""A recording of a text that is none of the versions which a session keeps of its kernel."""

_PREFIX = "version "
_AGES = (" (current)", " (previous)")
"""Of the version whose text the file has, and of the one that was saved last before."""


def time_words(timestamp: str) -> str:
    """A time in ISO 8601 as local time: "03:12:05", or the day and "03:12" where that is another day; "" if unknown."""
    if not timestamp:
        return ""
    local = datetime.fromisoformat(timestamp).astimezone()
    is_today = local.date() == datetime.now(local.tzinfo).date()
    return local.strftime("%H:%M:%S" if is_today else "%Y-%m-%d %H:%M")


def number_alone(name: str) -> str:
    """A name without the age, which the next save changes: "version 2" of "version 2 (previous)"."""
    return next((name.removesuffix(age) for age in _AGES if name.endswith(age)), name)


@dataclass(frozen=True, slots=True)
class VersionNames:
    """The names of a session's versions, and of its recordings by the versions that they were made of.

    Of a kernel without versions, the different texts that were recorded count as such.
    """

    versions: tuple[KernelVersion, ...] = ()
    traces: tuple[TraceRun, ...] = ()
    """The oldest first, as in a session."""
    file_texts: tuple[tuple[str, str], ...] = ()
    """Kernels by their ids, and the text that the file of each has now; without those whose file is not in the list of
    kernels, is gone or could not be read.
    """

    def of(self, version: KernelVersion) -> str:
        """ "version 2 (previous)"."""
        return f"{_PREFIX}{self.number(version)}"

    def number(self, version: KernelVersion) -> str:
        """ "2 (previous)"."""
        texts = {one.number: one.text for one in self._saved(version.kernel)}
        return self._numbered(version.number, version.kernel, texts)

    def with_time(self, version: KernelVersion) -> str:
        """ "version 2 (previous), saved 03:12:05"."""
        return ", saved ".join(filter(None, (self.of(version), time_words(version.saved))))

    def of_recording(self, trace: TraceRun) -> str:
        """The name of the version that was recorded; "" where its kernel has one text only."""
        saved = self._saved(trace.spec.kernel)
        if saved:
            made_of = next((one for one in saved if one.text == trace.source_text or one.is_of(trace)), None)
            return self.of(made_of) if made_of is not None else UNNUMBERED
        newest_first = reversed([one for one in self.traces if one.spec.kernel == trace.spec.kernel])
        texts = list(dict.fromkeys(one.source_text for one in newest_first))
        if len(texts) < 2 or trace.source_text not in texts:
            return ""
        numbered = dict(zip(range(len(texts), 0, -1), texts, strict=True))
        number = len(texts) - texts.index(trace.source_text)
        return f"{_PREFIX}{self._numbered(number, trace.spec.kernel, numbered)}"

    def of_digest(self, kernel: str, digest: str) -> str:
        """The name of the version of a kernel whose text has this digest (`digest_of`), as a run keeps it; "" where it
        is none of those that are saved or were recorded.
        """
        texts = [(one.text, self.of(one)) for one in self._saved(kernel)]
        texts += [(one.source_text, self.of_recording(one)) for one in self.traces if one.spec.kernel == kernel]
        return next((name for text, name in texts if digest_of(text) == digest), "")

    def number_of_recording(self, trace: TraceRun) -> str:
        """The number alone of the version that was recorded, which no later save changes: "2"; else as its name."""
        return number_alone(self.of_recording(trace)).removeprefix(_PREFIX)

    def _saved(self, kernel: str) -> Sequence[KernelVersion]:
        """The versions of a kernel, the one that was saved last first."""
        mine = [one for one in self.versions if one.kernel == kernel]
        return sorted(mine, key=lambda one: (one.saved, one.number), reverse=True)

    def _numbered(self, number: int, kernel: str, texts: Mapping[int, str]) -> str:
        """A number with its age; `texts` are those of all numbers, the one that was saved last first."""
        now = dict(self.file_texts).get(kernel)
        current = next((each for each, text in texts.items() if text == now), 0)
        if now is None or (len(texts) < 2 and current):
            return str(number)
        previous = next((each for each in texts if each != current), 0)
        return f"{number}{dict(zip((current, previous), _AGES, strict=True)).get(number, '')}"

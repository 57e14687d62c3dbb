"""A version has one name everywhere, and its age is when it was saved, not its number."""

from __future__ import annotations

from collections.abc import Callable

from gemmviz.domain.kernels.kernel_version import KernelVersion
from gemmviz.domain.kernels.version_names import UNNUMBERED, VersionNames
from gemmviz.domain.recordings.trace_run import TraceRun

Record = Callable[..., TraceRun]


def versions(*seconds: int) -> tuple[KernelVersion, ...]:
    """Versions from number 1 on, each saved at such a second of one minute."""
    return tuple(
        KernelVersion("tiled", number, "tiled.cu", f"text {number}", f"2026-01-01T10:00:{second:02}+00:00")
        for number, second in enumerate(seconds, 1)
    )


def test_that_no_version_is_current_where_the_text_of_the_file_is_not_known(make_recording: Record) -> None:
    """The file is not in the list of kernels, or is gone: the version that was saved last may have been undone."""
    three = versions(1, 2, 3)
    names = VersionNames(three, file_texts=(("another", "text 3"),))
    assert [names.of(one) for one in three] == ["version 1", "version 2", "version 3"]
    assert names.of_recording(make_recording(source="text 3")) == "version 3"


def test_that_the_previous_version_is_the_other_one_that_was_saved_last() -> None:
    restored = versions(9, 2, 3)
    names = VersionNames(restored, file_texts=(("tiled", "text 1"),))
    assert [names.number(one) for one in restored] == ["1 (current)", "2", "3 (previous)"]


def test_that_a_single_version_has_no_age() -> None:
    (one,) = versions(1)
    assert VersionNames((one,), file_texts=(("tiled", one.text),)).of(one) == "version 1"


def test_that_the_current_version_is_the_one_whose_text_the_file_has() -> None:
    three = versions(1, 2, 3)

    def named(text: str) -> list[str]:
        return [VersionNames(three, file_texts=(("tiled", text),)).number(one) for one in three]

    assert named("text 3") == ["1", "2 (previous)", "3 (current)"]
    assert named("text 1") == ["1 (current)", "2", "3 (previous)"], "another editor has put it back"
    assert named("changed elsewhere") == ["1", "2", "3 (previous)"], "no version has the text of the file"
    assert VersionNames(three[:1], file_texts=(("tiled", "changed elsewhere"),)).of(three[0]) == "version 1 (previous)"


def test_that_a_recording_is_named_by_its_text(make_recording: Record) -> None:
    two = versions(1, 2)
    names = VersionNames(two, file_texts=(("tiled", "text 2"),))
    recordings = [make_recording(source=text) for text in ("text 1", "text 2", "another text")]
    assert [names.of_recording(each) for each in recordings] == [
        "version 1 (previous)",
        "version 2 (current)",
        UNNUMBERED,
    ]


def test_that_recorded_texts_count_as_versions_where_none_were_saved(make_recording: Record) -> None:
    first, again, second = make_recording(), make_recording(finished="later"), make_recording(source="\n// edited")
    recordings = (first, again, second, make_recording("dot"))
    names = VersionNames(traces=recordings, file_texts=(("tiled", second.source_text),))
    assert names.of_recording(first) == names.of_recording(again) == "version 1 (previous)"
    assert names.of_recording(second) == "version 2 (current)"
    assert names.of_recording(make_recording("dot")) == ""

"""Choosing among PoCL's methods, with outcomes made up for the purpose."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import pytest

from gemmviz.backends.opencl.pocl import (
    METHOD_VARIABLE,
    THREAD_LOOPS,
    Candidate,
    MethodChoices,
    TrialOutcome,
    candidates,
    choose,
    key_of,
    pocl_method,
)

INFINITE = float("inf")


@pytest.fixture(autouse=True)
def _no_method_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(METHOD_VARIABLE, raising=False)


def choice(*outcomes: tuple[str, float, bytes]) -> str:
    options = [Candidate(name, "text", name == THREAD_LOOPS) for name, _, _ in outcomes]
    answers = {name: TrialOutcome(ms, result) for name, ms, result in outcomes}
    return choose(options, lambda option: answers[option.name]).name


def test_that_the_fastest_of_equals_wins() -> None:
    assert choice(("a", 3.0, b"x"), ("b", 1.0, b"x"), ("c", 2.0, b"x")) == "b"


def test_that_a_result_that_disagrees_with_most_is_not_trusted() -> None:
    assert choice(("a", 3.0, b"x"), ("b", 1.0, b"y"), ("c", 2.0, b"x")) == "c"


def test_that_methods_with_one_transformation_have_one_voice() -> None:
    """Two wrong results of one kind do not outvote thread loops, which stand first."""
    assert choice((THREAD_LOOPS, 3.0, b"x"), ("loopvec", 1.0, b"y"), ("workitemloops", 2.0, b"y")) == THREAD_LOOPS


def test_that_what_failed_is_never_chosen() -> None:
    assert choice((THREAD_LOOPS, INFINITE, b"failed"), ("b", 2.0, b"x"), ("c", 1.0, b"y")) == "b"
    assert choice(("a", INFINITE, b"same"), ("b", INFINITE, b"same"), ("c", 9.0, b"x")) == "c"


def test_that_where_all_fail_the_first_is_left_to_say_why() -> None:
    assert choice(("a", INFINITE, b"1"), ("b", INFINITE, b"2")) == "a"


def test_that_the_choice_between_equally_many_is_always_the_same() -> None:
    for _ in range(3):
        assert choice(("a", 3.0, b"x"), ("b", 1.0, b"y")) == "a"


def test_that_a_single_option_is_not_tried() -> None:
    only = Candidate("a", "text")
    assert choose([only], lambda _: pytest.fail("it was run")) is only


def test_that_replication_is_tried_for_small_blocks_only() -> None:
    assert [c.name for c in candidates("wi", "tl", 32)] == [
        "thread loops",
        "loopvec",
        "workitemloops",
        "workitemrepl",
    ]
    assert [c.name for c in candidates("wi", "tl", 33)] == ["thread loops", "loopvec", "workitemloops"]
    assert [c.name for c in candidates("wi", None, 33)] == ["loopvec", "workitemloops"]


def test_that_each_candidate_has_its_text_and_method() -> None:
    texts = {c.name: (c.text, c.pocl_method) for c in candidates("wi", "tl", 64)}
    assert texts == {
        "thread loops": ("tl", "loopvec"),
        "loopvec": ("wi", "loopvec"),
        "workitemloops": ("wi", "workitemloops"),
    }


@pytest.mark.parametrize("method", ["cbs", "workitemrepl", "loopvec"])
def test_that_a_method_from_the_environment_is_the_only_candidate(monkeypatch: pytest.MonkeyPatch, method: str) -> None:
    monkeypatch.setenv(METHOD_VARIABLE, method)
    assert candidates("wi", "tl", 8) == [Candidate(method, "wi")]


def test_that_thread_loops_can_be_demanded_where_they_are_possible(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(METHOD_VARIABLE, THREAD_LOOPS)
    assert candidates("wi", "tl", 8) == [Candidate(THREAD_LOOPS, "tl", True)]


@pytest.mark.parametrize("before", [None, "cbs"])
def test_that_the_environment_is_as_before_afterwards(monkeypatch: pytest.MonkeyPatch, before: str | None) -> None:
    if before is not None:
        monkeypatch.setenv(METHOD_VARIABLE, before)
    for name, inside in (("loopvec", "loopvec"), ("default", None), (None, before)):
        with suppress(RuntimeError), pocl_method(name):
            seen = os.environ.get(METHOD_VARIABLE)
            raise RuntimeError
        assert seen == inside
        assert os.environ.get(METHOD_VARIABLE) == before


def test_that_a_choice_is_remembered(tmp_path: Path) -> None:
    memory = MethodChoices(tmp_path / "deep" / "down")
    assert memory.recall("key") is None
    memory.remember("key", "loopvec")
    memory.remember("key", "workitemloops")
    assert MethodChoices(tmp_path / "deep" / "down").recall("key") == "workitemloops"
    assert [path.name for path in (tmp_path / "deep" / "down").iterdir()] == ["key.json"]


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"method": 3}', b'{"other": "x"}', b"\xff\xfe"])
def test_that_a_spoilt_memory_is_no_memory(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "key.json").write_bytes(content)
    assert MethodChoices(tmp_path).recall("key") is None


def test_that_a_folder_that_cannot_be_written_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    memory = MethodChoices(tmp_path / "file" / "folder")
    memory.remember("key", "loopvec")
    assert memory.recall("key") is None


def test_that_a_key_depends_on_every_part_and_its_place() -> None:
    keys = {key_of("a", "b"), key_of("ab"), key_of("b", "a"), key_of("a", "b", ""), key_of("ab", "")}
    assert len(keys) == 5
    assert key_of("a", "b") == key_of("a", "b")

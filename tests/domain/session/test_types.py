"""What a manifest may not say: one changed place each in an otherwise sound file."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gemmviz.domain.session.session import SessionError, load_session

Forge = Callable[..., Path]


def fault_of(path: Path) -> str:
    with pytest.raises(SessionError) as caught:
        load_session(path)
    message = str(caught.value)
    assert message.startswith(f"cannot open {path}: ")
    assert "\n" not in message
    assert len(message) < 700
    return message


def test_that_a_forged_file_without_a_change_opens(forge: Forge) -> None:
    assert len(load_session(forge()).runs) == 2


@pytest.mark.parametrize(
    ("way", "value", "fault"),
    [
        (("init_ms",), "0.75", "'0.75' where a number belongs @ session.init_ms"),
        (("init_ms",), True, "True where a number belongs"),
        (("init_ms",), None, "None where a number belongs"),
        (("init_ms",), 10**400, "beyond the range of a float"),
        (("init_ms",), "Infinity", "'Infinity' where a number belongs"),
        (("created",), 2025, "2025 where str belongs @ session.created"),
        (("runs",), {}, "{} where a list belongs @ session.runs"),
        (("runs",), "ab", "'ab' where a list belongs"),
        (("runs", 1, "spec", "seed"), 1.0, "1.0 where int belongs @ session.runs[1].spec.seed"),
        (("runs", 1, "spec", "seed"), True, "True where int belongs"),
        (("runs", 1, "spec", "fill"), "holes", "'holes' is not a Fill @ session.runs[1].spec.fill"),
        (("runs", 1, "spec", "fill"), [], "[] is not a Fill"),
        (("runs", 0, "spec", "shape", "k"), 0, "K is 0: give a whole number"),
        (("runs", 0, "spec", "params"), [["TILE"]], "a list of 1 where 2 belong"),
        (("runs", 0, "accuracy", "passed"), 1, "1 where bool belongs"),
        (("runs", 0, "launch", "grid"), [1, 2], "a list of 2 where 3 belong"),
        (("runs", 0, "launch"), 5, "5 where Launch belongs"),
        (
            ("runs", 0, "timing", "compile_ms"),
            {"array": "runs.0.timing.host_samples_ms"},
            "where a number belongs",
        ),
        (("runs", 0, "timing", "host_samples_ms"), [1.0], "[1.0] where a column of float64 belongs"),
        (("runs", 0, "timing", "host_samples_ms"), {"array": "x\ny"}, r"the array 'x\ny' is not there"),
        (("runs", 0, "timing", "surprise"), 1, "the field 'surprise' is unknown @ session.runs[0].timing"),
        (
            ("runs", 0, "timing", "host_samples_ms"),
            {"array": "runs.1.timing.host_samples_ms"},
            "nothing refers",
        ),
    ],
)
def test_that_a_value_of_another_type_is_refused_with_its_place(
    forge: Forge, way: tuple[Any, ...], value: Any, fault: str
) -> None:
    def change(manifest: dict[str, Any]) -> None:
        node = manifest["session"]
        for step in way[:-1]:
            node = node[step]
        node[way[-1]] = value

    assert fault in fault_of(forge(change))


@pytest.mark.parametrize("field", ["runs", "created"])
def test_that_a_missing_field_is_refused_even_where_it_has_a_default(forge: Forge, field: str) -> None:
    assert f"the field '{field}' is missing @ session" in fault_of(forge(lambda m: m["session"].pop(field)))


def test_that_columns_of_unlike_length_are_refused(forge: Forge) -> None:
    def swap(manifest: dict[str, Any]) -> None:
        first, second = (run["timing"] for run in manifest["session"]["runs"])
        first["host_samples_ms"], second["host_samples_ms"] = (
            second["host_samples_ms"],
            first["host_samples_ms"],
        )

    assert "run 1 ('tiled') does not have as many samples" in fault_of(forge(swap))


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda m: m.update(format="zip"), "does not say 'gemmviz-session'"),
        (lambda m: m.pop("format"), "does not say 'gemmviz-session'"),
        (
            lambda m: m.update(version=28, session=None, extra=1),
            "made by a newer version of gemmviz: format 28, this one reads up to 27. Update gemmviz",
        ),
        (lambda m: m.update(version="1"), "states no version"),
        (lambda m: m.update(version=0), "states no version"),
        (lambda m: m.update(version=True), "states no version"),
        (lambda m: m.update(extra=1), "not of the form of version 27"),
        (lambda m: m.pop("arrays"), "not of the form of version 27"),
        (lambda m: m.update(arrays=[]), "not of the form of version 27"),
        (lambda m: m.update(session=[]), "[] where Session belongs @ session"),
        (lambda m: m["arrays"].update(x={"dtype": "<f8"}), "what the array 'x' is"),
        (lambda m: m["arrays"].update(x={"dtype": "<f8", "shape": [-1]}), "what the array 'x' is"),
        (lambda m: m["arrays"].update(x={"dtype": "<f8", "shape": [1.0]}), "what the array 'x' is"),
        (
            lambda m: m["arrays"].update({"../x": {"dtype": "<f8", "shape": [1]}}),
            "'arrays/../x.npy' is missing",
        ),
    ],
)
def test_that_a_manifest_of_another_form_is_refused(forge: Forge, change: Any, fault: str) -> None:
    assert fault in fault_of(forge(change))


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"not json",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"format": NaN}',
        b'{"format": "gemmviz-session", "format": "gemmviz-session"}',
        b"9" * 5000,
    ],
    ids=["empty", "words", "bytes", "deep", "nan", "twice", "long"],
)
def test_that_a_manifest_that_is_no_json_is_refused(forge: Forge, text: bytes) -> None:
    assert "not valid JSON" in fault_of(forge(replace={"manifest.json": text}))


def test_that_a_tree_too_deep_to_walk_is_refused(forge: Forge, entries: dict[str, bytes]) -> None:
    deep = entries["manifest.json"].replace(b'"init_ms": 0.75', b'"init_ms": ' + b"[" * 900 + b"]" * 900)
    assert deep != entries["manifest.json"]
    assert any(word in fault_of(forge(replace={"manifest.json": deep})) for word in ("deeply", "JSON", "number"))

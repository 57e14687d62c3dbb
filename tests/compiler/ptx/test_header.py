"""A version and a target that no compiler knows are named with their lines."""

from __future__ import annotations

import pytest

from gemmviz.compiler.ptx.header import unknown_header


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (".version 8.0\n.target sm_80\n", ""),
        (".version 9.0\n.target sm_90a\n", ""),
        (
            ".version 99.9\n.target sm_90\n",
            "`.version 99.9` (line 1) is newer than 9.5, the newest that gemmviz knows: a GPU may refuse it",
        ),
        (
            "\n.version 99.9\n.target sm_999\n",
            "`.version 99.9` (line 2) is newer than 9.5, the newest that gemmviz knows and gemmviz knows no GPU "
            "with the target sm_999 (line 3): a GPU may refuse it",
        ),
    ],
)
def test_that_what_no_compiler_knows_is_named(text: str, words: str) -> None:
    assert unknown_header(text) == words

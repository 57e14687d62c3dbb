from __future__ import annotations

from pathlib import Path

from gemmviz.backends.compile_log import first_error

PATH = Path("folder/mine.cu")


def test_that_the_first_error_is_told_with_the_original_file_and_line() -> None:
    log = "build on x:\n\nmine.cu:7:3: warning: odd\nmine.cu:12:5: error: use of undeclared identifier 'x'\n"
    assert first_error(log, PATH) == "folder/mine.cu:12:5: use of undeclared identifier 'x'"


def test_that_further_errors_are_counted() -> None:
    log = "mine.cu:1:2: error: one\nmine.cu:3:4: fatal error: two\nmine.cu:5:6: error: three\n3 errors generated."
    assert first_error(log, PATH) == "folder/mine.cu:1:2: one (and 2 more)"


def test_that_a_log_without_a_line_is_shown_by_its_first_words() -> None:
    assert first_error("  something\n went   wrong ", PATH) == "folder/mine.cu: does not compile: something went wrong"
    assert first_error("", PATH) == "folder/mine.cu: does not compile: the compiler gives no reason"
    assert len(first_error("word " * 1000, PATH)) < 350

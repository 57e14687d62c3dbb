"""What is typed finds what is meant."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gemmviz.gui.commands.commands import Command
from gemmviz.gui.commands.ranking import rank

COMMANDS = (
    Command("File", "New session"),
    Command("File", "Open session"),
    Command("File", "Save"),
    Command("File", "Save as"),
    Command("Run", "Run"),
    Command("Run", "Run ladder"),
    Command("Run", "Sweep block size", enabled=False),
    Command("View", "Reset layout"),
    Command("View", "Timing"),
)


def names(query: str) -> list[str]:
    return [COMMANDS[match.place].name for match in rank(query, COMMANDS)]


def test_that_nothing_typed_shows_everything_in_order() -> None:
    assert names("") == names("   ") == [command.name for command in COMMANDS]


def test_that_the_start_of_a_name_beats_the_start_of_a_word_beats_the_inside() -> None:
    assert names("s")[:3] == ["Save", "Save as", "Sweep block size"]
    assert names("la") == ["Run ladder", "Reset layout"]
    assert names("ess")[:2] == ["New session", "Open session"]


def test_that_the_shorter_of_two_that_fit_alike_comes_first() -> None:
    assert names("save") == ["Save", "Save as"]
    assert names("run")[:2] == ["Run", "Run ladder"]


def test_that_initials_are_enough() -> None:
    assert names("rl")[:2] == ["Run ladder", "Reset layout"]
    assert names("sbs") == ["Sweep block size"]


def test_that_letters_in_order_are_enough_and_tighter_is_better() -> None:
    assert names("tmg") == ["Timing"]
    assert names("swp") == ["Sweep block size"]


def test_that_a_slip_of_the_keys_finds_what_was_meant() -> None:
    assert names("sesison") == ["New session", "Open session"], "two letters swapped"
    assert names("timng") == names("timming") == names("timinf") == ["Timing"]
    assert names("opne sesion") == ["Open session"]
    assert names("layut") == ["Reset layout"], "and only what is nearest to it"
    assert names("lyaou") == ["Reset layout"], "the start of a word too"
    (match,) = rank("timng", COMMANDS)
    assert match.letters == (0, 1, 2, 4, 5)


def test_that_a_slip_counts_only_where_nothing_fits_and_never_in_short_words() -> None:
    commands = (
        Command("Kernel", "tilde", detail="an arithmetic mean"),
        Command("Kernel", "tiled", detail="the same"),
        Command("View", "Theme: light", keywords=("colours",)),
    )

    def found(query: str) -> list[str]:
        return [commands[match.place].name for match in rank(query, commands)]

    assert found("tiled") == ["tiled"]
    assert found("tield") == ["tiled"]
    assert found("colurs") == ["Theme: light"], "a keyword"
    assert found("thme") == ["Theme: light"], "these letters inside a word of a description are chance"
    assert found("tlx") == []


def test_that_filler_words_exclude_nothing_unless_there_are_no_others() -> None:
    commands = (
        Command("Term", "occupancy", detail="what part of a SM is used by each warp"),
        Command("Term", "warp, lane", detail="32 threads", keywords=("warp", "lane")),
        Command("File", "Open kernel file", keywords=("my",)),
        Command("Help", "What is this?"),
    )

    def found(query: str) -> list[str]:
        return [commands[match.place].name for match in rank(query, commands)]

    assert found("what is a warp")[0] == found("What’s a warp?")[0] == "warp, lane"
    assert found("what is the bandwidth") == []
    assert found("my kernel") == ["Open kernel file"]
    assert found("what is") == ["What is this?", "occupancy"]
    assert found("?") == ["What is this?"]


def test_that_letters_far_apart_are_chance() -> None:
    commands = (Command("Lesson", "Bank conflicts, and one unused column"),)
    assert rank("nonsense", commands) == ()


def test_that_every_word_must_fit_somewhere() -> None:
    assert names("file save") == ["Save", "Save as"]
    assert names("open nonsense") == []
    assert names("zzz") == []


def test_that_capitals_do_not_matter() -> None:
    assert names("OPEN") == names("open") == ["Open session"]


def test_that_the_meant_letters_are_told() -> None:
    (match,) = rank("open ses", COMMANDS)
    assert match.letters == (0, 1, 2, 3, 5, 6, 7)
    assert rank("file", COMMANDS)[0].letters == ()


def test_that_what_cannot_be_done_comes_after_its_equal() -> None:
    pair = (Command("A", "Go on", enabled=False), Command("B", "Go up"))
    assert [match.place for match in rank("go", pair)] == [1, 0]
    assert [match.place for match in rank("", pair)] == [0, 1]


@given(st.text(max_size=12), st.lists(st.text(max_size=20), max_size=6))
def test_that_any_text_is_ranked_without_loss_or_invention(query: str, texts: list[str]) -> None:
    commands = tuple(Command("Section", text) for text in texts)
    places = [match.place for match in rank(query, commands)]
    assert len(places) == len(set(places)) <= len(commands)
    assert set(places) <= set(range(len(commands)))
    if not query.split():
        assert len(places) == len(commands)


def test_that_a_plural_finds_other_forms_in_what_a_command_says_of_itself() -> None:
    commands = (
        Command("Kernel", "padded", keywords=("stores that conflicted before go to other banks",)),
        Command("Kernel", "transposed", detail="bank conflicts"),
        Command("Kernel", "across", detail="bank clas"),
    )
    assert [commands[match.place].name for match in rank("bank conflicts", commands)] == ["padded", "transposed"]
    assert [commands[match.place].name for match in rank("class", commands)] == []  # no plural


def test_that_a_phrase_in_a_name_beats_words_that_are_keywords() -> None:
    commands = (
        Command("Lesson", "What only a GPU shows", keywords=("ladder", "on", "a", "gpu")),
        Command("Example", "The ladder on a GPU"),
    )
    assert [match.place for match in rank("ladder on a gpu", commands)] == [1, 0]
    assert [match.place for match in rank("gpu on a ladder", commands)] == [0, 1]


def test_that_what_opens_an_example_of_a_name_comes_before_what_sets_up_another_experiment() -> None:
    preset = Command("Preset", "Four by four", keywords=("four",), changes_settings=True)
    example = Command("Example", "Four by four, step by step")
    assert [match.place for match in rank("four by four", (preset, example))] == [1, 0]
    assert [match.place for match in rank("four", (preset, example))] == [1, 0]
    kernel, command = Command("Kernel", "four", changes_settings=True), Command("Edit", "Four times")
    assert [match.place for match in rank("four", (command, preset, kernel))] == [2, 0, 1], "the whole name of a kernel"
    assert [match.place for match in rank("fo", (example, preset))] == [1, 0], "only the start of a word: the shorter"

"""The page of the referee: verdict, rows, evidence, pictures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from gemmviz.domain.kernels.examined_sweep import digest_of
from gemmviz.domain.kernels.version_names import time_words
from gemmviz.gui.looks.theme import DARK, LIGHT, Theme
from gemmviz.gui.referee.page import EMPTY, RefereePage
from gemmviz.referee.examinations.sizes import ClaimedSizes, OddSizes
from gemmviz.referee.finding import Case, FactorValues, Outcome, Reach, Ruling
from gemmviz.referee.judge import sizes_by
from gemmviz.referee.words import earlier_text_words, reach_words, rows_of, verdict_words

MakeRuling = Callable[..., Ruling]


def shown(qtbot: QtBot, ruling: Ruling | None, theme: Theme = LIGHT) -> RefereePage:
    page = RefereePage(theme)
    qtbot.addWidget(page)
    page.resize(900, 640)
    page.show_ruling(ruling)
    page.show()
    page.refresh()
    return page


def test_that_an_empty_page_says_what_to_do(qtbot: QtBot) -> None:
    page = shown(qtbot, None)
    assert EMPTY in [label.text() for label in page.findChildren(QLabel) if label.isVisible()]
    assert not page.rows
    assert page.tables() == ()


def test_that_the_verdict_stands_above_the_failed_examinations_and_then_the_others(
    qtbot: QtBot, make_ruling: MakeRuling
) -> None:
    page = shown(qtbot, make_ruling())
    assert page.verdict.text() == "Wrong"
    assert page.summary.text() == "4 examinations: 1 failed, 2 held, 1 not examined."
    assert [row.finding.name for row in page.rows] == [
        "Right at sizes nothing divides",
        "Stays inside its arrays",
        "Follows its inputs",
        "Time beside the library",
    ]
    page.show_ruling(make_ruling(is_wrong=False))
    page.refresh()
    assert page.verdict.text() == "Right"
    assert page.caveat.isHidden()


def test_that_a_kernel_that_could_not_be_examined_has_the_reason(qtbot: QtBot, make_ruling: MakeRuling) -> None:
    page = shown(qtbot, make_ruling(fault="mine.cu:3: expected a ';'"))
    assert page.verdict.text() == "Could not be examined"
    assert page.summary.text() == "mine.cu:3: expected a ';'."


def test_that_evidence_is_folded_and_shows_failed_cases_first(qtbot: QtBot, make_ruling: MakeRuling) -> None:
    page = shown(qtbot, make_ruling())
    row = page.rows[0]
    assert row.cases.isHidden()
    row.evidence.click()
    assert row.cases.text().splitlines() == [
        "✗ normal random numbers at 1×1×1, seed 21: error 9.1 times the allowed bound; C[0,0] is 3 and should be 2",
        "· small whole numbers at 17×19×23, seed 20: exact",
    ]
    row.evidence.click()
    assert row.cases.isHidden()


def test_that_the_button_counts_the_cases_that_it_opens(qtbot: QtBot, make_ruling: MakeRuling) -> None:
    ruling = make_ruling()
    for count, words in ((1, "1 case ▾"), (40, "40 cases ▾"), (44, "40 of 44 cases ▾")):
        cases = tuple(Case("ones", "exact", f"{one + 1}x1x1") for one in range(count))
        page = shown(qtbot, replace(ruling, findings=(replace(ruling.findings[2], cases=cases),)))
        (row,) = page.rows
        assert row.evidence.text() == words
        assert str(len(row.cases.text().splitlines())) == words.split()[0]


def test_that_sizes_in_reasons_have_times_signs(qtbot: QtBot, make_ruling: MakeRuling) -> None:
    ruling = make_ruling()
    findings = tuple(replace(one, reason="Ones at 17x19x23: 0x1x2f is an address.") for one in ruling.findings)
    page = shown(qtbot, replace(ruling, findings=findings))
    assert page.rows[0]._reason.text() == "Ones at 17×19×23: 0x1x2f is an address."


def test_that_only_a_failed_case_with_a_size_can_be_repeated(qtbot: QtBot, make_ruling: MakeRuling) -> None:
    page = shown(qtbot, make_ruling())
    assert [row.repeat.isHidden() for row in page.rows] == [False, True, True, True]
    with qtbot.waitSignal(page.repeat_asked) as asked:
        page.rows[0].repeat.click()
    (case,) = asked.args
    assert isinstance(case, Case)
    assert (case.shape, case.seed) == ("1x1x1", 21)


def test_that_lines_at_fault_are_a_list_of_which_a_long_rest_is_folded(qtbot: QtBot, make_ruling: MakeRuling) -> None:
    page = shown(qtbot, make_ruling(hazards=6))
    faults = page.rows[0].faults
    assert [place.text() for place in faults.places] == [f"line {line}" for line in range(10, 16)]
    assert faults.sentences[1].text() == "race: thread 1 reads it"
    assert [one.isHidden() for one in faults.sentences] == [False] * 4 + [True] * 2
    assert faults.fold.text() == "Show 2 more hazards ▾"
    faults.fold.click()
    assert not any(one.isHidden() for one in (*faults.sentences, *faults.places))
    faults.fold.click()
    assert faults.sentences[5].isHidden()


def test_that_no_part_of_the_page_becomes_a_window_while_it_is_made(
    qapp: QApplication, make_ruling: MakeRuling
) -> None:
    """Qt tells the terminal so where there is no display, and a screen shows it for a moment."""
    found: list[str] = []

    class Watch(QObject):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            if event.type() is QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
                found.append(watched.objectName())
            return False

    watch = Watch()
    qapp.installEventFilter(watch)
    try:
        page = RefereePage(LIGHT)
        page.show_ruling(make_ruling(hazards=6))
        page.set_for_picture(True, 1067)
    finally:
        qapp.removeEventFilter(watch)
    assert found == []
    page.deleteLater()


def test_that_a_short_list_of_lines_at_fault_is_not_folded(qtbot: QtBot, make_ruling: MakeRuling) -> None:
    page = shown(qtbot, make_ruling(hazards=4))
    assert page.rows[0].faults.fold.isHidden()
    assert page.rows[1].faults.isHidden()


def test_that_a_line_at_fault_can_be_asked_for(qtbot: QtBot, make_ruling: MakeRuling) -> None:
    page = shown(qtbot, make_ruling(hazards=2))
    with qtbot.waitSignal(page.line_asked) as asked:
        place = page.rows[0].faults.places[1]
        assert isinstance(place, QPushButton)
        place.click()
    assert asked.args == [11]


def test_that_a_picture_says_how_many_lines_at_fault_are_folded(qtbot: QtBot, make_ruling: MakeRuling) -> None:
    page = shown(qtbot, make_ruling(hazards=6))
    page.set_for_picture(True, 800)
    faults = page.rows[0].faults
    seen = [label.text() for label in faults.findChildren(QLabel) if label.isVisibleTo(faults)]
    assert seen[-1] == "and 2 more hazards"
    assert not faults.fold.isVisibleTo(faults)


def test_that_while_it_judges_cancel_takes_the_place_of_judge(qtbot: QtBot, make_ruling: MakeRuling) -> None:
    page = shown(qtbot, make_ruling())
    page.set_readiness("tiled", "")
    assert (page.judge.text(), page.judge.isVisible(), page.cancel.isVisible()) == ("Judge tiled", True, False)
    page.show_progress("3 of 14, “Follows its inputs”")
    assert (page.judge.isVisible(), page.cancel.isVisible()) == (False, True)
    with qtbot.waitSignal(page.cancel_asked):
        page.cancel.click()
    page.show_progress("")
    assert page.judge.isVisible()


def test_that_the_focus_stays_with_the_button_that_judges_or_stops(qtbot: QtBot, make_ruling: MakeRuling) -> None:
    page = shown(qtbot, make_ruling())
    page.show_age("Judged at 13:03:12, before the file was changed", "")
    page.activateWindow()
    qtbot.waitUntil(page.isActiveWindow)
    for button in (page.judge, page.again):
        qtbot.waitUntil(button.isVisible)
        button.setFocus()
        assert button.hasFocus()
        page.show_progress("starting")
        assert page.cancel.hasFocus()
        page.show_progress("")
        assert page.judge.hasFocus()


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_that_the_verdict_has_its_colour_in_both_themes(qtbot: QtBot, make_ruling: MakeRuling, theme: Theme) -> None:
    page = shown(qtbot, make_ruling(), theme)
    image = page.verdict.grab().toImage()
    colours = {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}
    assert QColor(theme.hazard).name() in colours
    page.set_theme(LIGHT if theme is DARK else DARK)
    image = page.verdict.grab().toImage()
    other = LIGHT if theme is DARK else DARK
    assert other.hazard in {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}


def test_that_no_text_is_cut_in_a_narrow_page(qtbot: QtBot, make_ruling: MakeRuling) -> None:
    ruling = make_ruling()
    long = replace(ruling.findings[2], reason="A reason that takes more than one line of a narrow page. " * 6)
    page = shown(qtbot, replace(ruling, findings=(*ruling.findings[:2], long, ruling.findings[3])))
    page.resize(560, 480)
    page.rows[0].evidence.click()
    page.grab()
    for row in page.rows:
        for label in (one for one in row.findChildren(QLabel) if one.isVisible()):
            needed = label.heightForWidth(label.width()) if label.wordWrap() else label.sizeHint().height()
            assert label.height() >= needed, label.text()
            if not label.wordWrap():
                assert label.width() >= label.fontMetrics().horizontalAdvance(label.text()), label.text()


def test_that_a_picture_has_every_row_and_no_controls(qtbot: QtBot, make_ruling: MakeRuling) -> None:
    page = RefereePage(LIGHT)
    qtbot.addWidget(page)
    page.show_ruling(make_ruling())
    page.set_for_picture(True, 1067)
    page.resize(1067, page.picture_height(1067))
    page.grab()
    assert page.controls.isHidden()
    assert all(row.repeat.isHidden() and row.evidence.isHidden() for row in page.rows)
    last = page.rows[-1]
    bottom = last.mapTo(page, last.rect().bottomLeft()).y()
    assert 0 < bottom <= page.height()


def test_that_the_table_has_a_row_for_each_case_and_each_examination_without_one(
    qtbot: QtBot, make_ruling: MakeRuling
) -> None:
    (table,) = shown(qtbot, make_ruling()).tables()
    assert table.name == "referee"
    assert [row["examination"] for row in table.rows].count("Right at sizes nothing divides") == 2
    assert len(table.rows) == 6
    first = table.rows[0]
    assert (first["examination"], first["outcome"], first["reason"]) == ("Verdict", "wrong", "Wrong.")
    assert all(tuple(row) == table.columns for row in table.rows)
    failed = next(row for row in table.rows if row["failed"] is True)
    assert (failed["kernel"], failed["outcome"], failed["size"], failed["seed"]) == (
        "tiled TILE=8",
        "failed",
        "1x1x1",
        21,
    )


def test_that_sums_that_vary_within_the_bound_are_right_and_told_first(qtbot: QtBot, make_ruling: MakeRuling) -> None:
    ruling = make_ruling(is_wrong=False)
    last = replace(ruling.findings[-1], name="Gives the same bits each time", outcome=Outcome.VARIES)
    page = shown(qtbot, replace(ruling, findings=(*ruling.findings[:-1], last)))
    assert page.verdict.text() == ("Right within the bound; sums vary from run to run by their rounding")
    assert "1 varies" in page.summary.text()
    assert page.rows[0].finding is last
    assert page.rows[0].accessibleName().startswith("Gives the same bits each time: varies. ")


def test_that_the_verdict_names_the_version_that_was_judged(make_ruling: MakeRuling) -> None:
    ruling = replace(make_ruling(), version=2)
    assert verdict_words(ruling) == "tiled TILE=8, version 2 is wrong"
    assert {row["version"] for row in rows_of(ruling)} == {2}
    assert {row["kernel"] for row in rows_of(ruling)} == {"tiled TILE=8"}
    assert verdict_words(make_ruling()) == "tiled TILE=8 is wrong"


REACH = Reach(("17x2112x5", "1x1x1", "256x128x64"), ("NaN and infinity",), ("37x41x67", "4161x19x19"))


def test_that_a_verdict_of_right_is_shown_with_how_far_it_reaches_and_what_it_leaves_open(
    qtbot: QtBot, make_ruling: MakeRuling
) -> None:
    ruling = replace(make_ruling(is_wrong=False), reach=REACH)
    first = replace(ruling.findings[0], caveat="races between blocks were not looked for")
    second = replace(ruling.findings[1], caveat="time ended the examination of BM = 32 (after 8 of 13 sizes)")
    page = shown(qtbot, replace(ruling, findings=(first, second, *ruling.findings[2:])))
    headline = "ight at all 3 sizes tried, with M up to 256, N up to 2112 and K up to 64, not all at once"
    assert page.verdict.text() == f"R{headline}"
    caveat = "races between blocks were not looked for"
    late = "ime ended the examination of BM = 32 (after 8 of 13 sizes)"
    assert page.caveat.text().split("\n") == [f"R{caveat[1:]}.", f"T{late}."], "a sentence each"
    assert page.caveat.font().pointSizeF() == page.summary.font().pointSizeF() < page.verdict.font().pointSizeF()
    assert f". R{caveat[1:]}. T{late}. 4 examinations" in page.accessibleDescription()
    headline = f"{headline}, but {caveat} and t{late}"
    reach = (
        "By M·N·K the smallest size was 1x1x1, the largest 256x128x64. Inputs: NaN and infinity. Races were looked for "
        "at 2 sizes: 37x41x67 and 4161x19x19. Not examined: “Time beside the library”. The verdict says nothing "
        "about other sizes and inputs."
    )
    assert page.summary.text() == "4 examinations: 3 held, 1 not examined."
    assert page.reach.text().replace("×", "x") == reach
    assert page.reach.isHidden(), "sizes and inputs are folded"
    page.details.click()
    assert page.reach.isVisible()
    page.details.click()
    page.set_for_picture(True)
    assert (page.reach.isVisible(), page.details.isVisible()) == (True, False), "a picture has all"
    page.set_for_picture(False)
    assert page.reach.isHidden()
    (table,) = page.tables()
    assert table.rows[0]["reason"] == f"R{headline}. {reach}"
    assert not any(reach in str(row["reason"]) for row in table.rows[1:]), "it is said once"


def test_that_a_wrong_kernel_has_no_reach(make_ruling: MakeRuling) -> None:
    ruling = replace(make_ruling(), reach=REACH)
    assert (verdict_words(ruling), reach_words(ruling)) == ("tiled TILE=8 is wrong", "")


def test_that_the_counts_of_sizes_add_up_to_those_of_the_verdict(make_ruling: MakeRuling) -> None:
    """A size of two examinations, and one that was tried with another value, count once."""
    claimed, odd = ClaimedSizes().name, OddSizes().name
    right = make_ruling(is_wrong=False)
    first, *_ = right.findings
    several = (
        replace(first, name=claimed, cases=(Case("", "", "1x1x1"), Case("", "", "8x8x8"))),
        replace(first, name=odd, cases=(Case("", "", "8x8x8"), Case("", "", "7x7x7"))),
        replace(first, name=odd, cases=(Case("", "", "9x9x9", other_value="TILE = 4"),)),
    )
    sizes = ("1x1x1", "8x8x8", "7x7x7", "9x9x9", "64x64x64")
    found = sizes_by(several, sizes)
    assert found == ((claimed, 2), (odd, 1), ("", 2))
    ruling = replace(right, reach=Reach(sizes, sizes_by=found))
    assert "right at all 5 sizes tried" in verdict_words(ruling)
    assert reach_words(ruling).startswith(
        f"These are 2 sizes of “{claimed}”, 1 of “{odd}” and 2 of other examinations. "
    )
    longer = replace(right, reach=Reach(("4160x32x32",), (), ("37x41x67", "4161x19x19 (1 of 9 blocks (9x1))")))
    assert "; 4161 is one more than 4160, so that no tile divides it. " in reach_words(longer)
    assert "These are" not in reach_words(replace(right, reach=Reach(sizes[:2], sizes_by=found[:1])))


def test_that_a_verdict_without_recordings_and_at_one_size_says_so(make_ruling: MakeRuling) -> None:
    ruling = replace(make_ruling(is_wrong=False), reach=Reach(("7x7x7",)))
    assert verdict_words(ruling) == "tiled TILE=8 is right at 7x7x7, the only size tried"
    assert "Races were not looked for." in reach_words(ruling)


def test_that_of_many_pairs_of_factors_the_verdict_names_the_one_with_the_largest_error(
    make_ruling: MakeRuling,
) -> None:
    pairs = tuple(FactorValues(f"({alpha}, 1)", 0.01 * alpha) for alpha in range(1, 19))
    reach = Reach(("7x7x7",), factor_names="alpha and beta", factors=pairs)
    words = reach_words(replace(make_ruling(is_wrong=False), reach=reach))
    assert "Right with 18 pairs of alpha and beta, the largest error (18 % of the allowed bound) with (18, 1)." in words
    assert "(17, 1)" not in words


def test_that_a_verdict_is_of_an_earlier_text_once_the_file_has_another(make_ruling: MakeRuling) -> None:
    ruling = replace(make_ruling(), digest=digest_of("old"))
    begun = time_words("2025-01-02T03:03:57.750000+00:00")
    assert earlier_text_words(ruling, "new") == f"Judged at {begun}, before the file was changed", "not when it ended"
    assert earlier_text_words(replace(ruling, time=""), "new") == "Judged before the file was changed"
    assert earlier_text_words(ruling, "old") == ""
    assert earlier_text_words(make_ruling(), "new") == "", "nobody knows"


def test_that_a_verdict_on_an_earlier_text_is_shown_as_such_also_in_pictures_and_tables(
    qtbot: QtBot, make_ruling: MakeRuling
) -> None:
    page = shown(qtbot, replace(make_ruling(), version=1))
    assert page.age.isHidden()
    assert page.again.isHidden()
    page.rows[0].evidence.click()
    page.show_age("Judged at 13:03:12, before the file was changed", "version 1 (previous)")
    assert page.age.text() == "Judged at 13:03:12, before the file was changed."
    assert page.title == "Referee: tiled TILE=8, version 1 (previous)"
    assert page.accessibleDescription().startswith("Judged at 13:03:12, before the file was changed. Wrong.")
    assert LIGHT.muted in page.verdict.styleSheet(), "not in the colour of what is wrong now"
    assert not page.rows[0].cases.isHidden(), "what was open stays open"
    with qtbot.waitSignal(page.again_asked):
        page.again.click()
    twin = RefereePage(LIGHT)
    qtbot.addWidget(twin)
    twin.show_like(page)
    twin.set_for_picture(True, 1067)
    assert twin.age.text() == page.age.text()
    assert (twin.age.isHidden(), twin.again.isHidden()) == (False, True)
    (table,) = twin.tables()
    assert table.rows[0]["reason"] == "Wrong. Judged at 13:03:12, before the file was changed."
    page.show_ruling(make_ruling())
    page.refresh()
    assert (page.age.isHidden(), page.again.isHidden()) == (True, True)
    assert LIGHT.hazard in page.verdict.styleSheet()

"""What a sweep says of values that its kernel does not offer."""

from __future__ import annotations

from dataclasses import replace

from settings_figures import make_counts, make_setting

from gemmviz.catalogue.kernel import Parameter
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.catalogue.values.values_left_out import ValueLeftOut
from gemmviz.explain.figures.further_settings import further_values
from gemmviz.explain.source.version_figures import Measured


def setting(bm: int, *, passed: bool = True, tn: int = 2) -> Measured:
    """A setting whose block was recorded."""
    return replace(make_setting(bm, passed=passed, tn=tn), block=make_counts(100))


MINE = replace(load_catalogue().get("tiled"), parameters=(Parameter("BM", "BM", (8, 16), 8),))
TOO_LARGE = "mine.cu.toml:39: a block of 8192 threads is too large: NVIDIA H100 SXM allows 1024; correct 'block'"
REASON = "a block of 8192 threads is too large: NVIDIA H100 SXM allows 1024"


def test_that_offered_values_are_nothing_new_and_of_others_right_ones_are_told_from_wrong_ones() -> None:
    settings = [setting(16, passed=False), setting(48), setting(50, passed=False)]
    found = further_values(MINE, settings)
    assert found.offered == {"BM": [48]}
    ((name, value, because),) = ((one.name, one.value, one.because) for one in found.left_out)
    assert (name, value) == ("BM", 50)
    assert because.startswith("The result is wrong at ")
    assert found.words == "BM = 48 is a choice now; BM = 50 is left out, with the reason"
    assert found.sentence == "The description does not offer BM = 48 (right) and BM = 50 (wrong)"


def test_that_the_settings_of_right_values_alone_are_proven_and_stand_in_the_lines_for_a_header() -> None:
    pair = replace(MINE, parameters=(*MINE.parameters, Parameter("TN", "TN", (2, 4), 2)))
    settings = [setting(8, tn=4), setting(48, tn=2), setting(48, tn=4), setting(50, tn=2, passed=False)]
    found = further_values(pair, settings)
    assert found.proven == ((("BM", 48),), (("BM", 48), ("TN", 4)))
    assert found.header_lines(pair) == "[params.BM]\nchoices = [8, 16, 48]"
    listed = found.header_lines(replace(pair, proven_settings=((("TN", 4),),)))
    assert listed.startswith(
        "proven_settings = [\n  { TN = 4 },\n  { BM = 48 },\n  { BM = 48, TN = 4 },\n]\n[params.BM]"
    )


def test_that_a_value_which_cannot_be_launched_is_left_out_without_the_place_of_its_description() -> None:
    (one,) = further_values(MINE, [make_setting(2048, fault=TOO_LARGE)]).left_out
    assert one == ValueLeftOut("BM", 2048, REASON)


def test_that_a_value_of_which_nothing_could_be_run_is_called_not_examined() -> None:
    settings = [setting(48), setting(50, passed=False), make_setting(2048, fault=TOO_LARGE)]
    found = further_values(MINE, settings)
    assert found.sentence == (
        "The description does not offer BM = 48 (right), BM = 50 (wrong) and BM = 2048 (not examined)"
    )
    assert [one.value for one in found.wrong] == [50]
    assert [one.value for one in found.not_examined] == [2048]


def test_that_what_the_description_says_already_is_not_told_again() -> None:
    known = replace(MINE, values_left_out=(ValueLeftOut("BM", 2048, REASON),))
    assert not further_values(known, [make_setting(2048, fault=TOO_LARGE)])


def test_that_a_value_is_right_only_where_every_setting_with_it_is_and_the_reason_names_the_others() -> None:
    pair = replace(MINE, parameters=(*MINE.parameters, Parameter("TN", "TN", (2, 4), 2)))
    settings = [setting(48, tn=2), setting(48, tn=4, passed=False), setting(8, tn=4)]
    (one,) = further_values(pair, settings).left_out
    assert (one.name, one.value) == ("BM", 48)
    assert one.because.startswith("with TN=4: The result is wrong")

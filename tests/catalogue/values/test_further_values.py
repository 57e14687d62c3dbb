"""Further values of parameters: typed, offered beside those of the description, and written to it."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from gemmviz.catalogue.header import HeaderError
from gemmviz.catalogue.loader import load_catalogue, load_user_kernel
from gemmviz.catalogue.values.further_values import (
    ValuesError,
    is_further,
    values_in,
    with_outcomes,
    with_values,
    write_values,
)
from gemmviz.catalogue.values.values_left_out import ValueLeftOut, left_out_lines

SIDECAR = """# C = A·B
entry = "mine"
args = ["M", "N", "K", "A", "B", "C"]
[params.TILE] # edges
choices = [8, 16]  # proven
default = 16
[values_left_out.TILE]
4 = "not tried"
64 = "too many threads"
[launch]
block = ["TILE", "TILE"]
grid = ["ceil_div(N, TILE)", "ceil_div(M, TILE)"]
"""
KERNEL = """extern "C" __global__ void mine(int M, int N, int K, const float *A, const float *B, float *C)
{
    int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + column];
    if (row < M && column < N) C[row * N + column] = sum;
}
"""


def described(folder: Path, sidecar: str = SIDECAR) -> Path:
    path = folder / "mine.cu"
    path.write_text(KERNEL, encoding="utf-8")
    (folder / "mine.cu.toml").write_text(sidecar, encoding="utf-8")
    return path


def test_that_values_may_be_typed_with_commas_or_spaces_each_once() -> None:
    assert values_in(" 32, 48  64;32") == (32, 48, 64)


@pytest.mark.parametrize(("text", "word"), [("32, x", "'x'"), ("", "at least one"), ("1.5", "'1.5'"), ("9" * 19, "9")])
def test_that_what_is_no_whole_number_is_named(text: str, word: str) -> None:
    with pytest.raises(ValuesError, match=word):
        values_in(text)


def test_that_a_kernel_takes_further_values_of_its_parameters_and_knows_them_as_such() -> None:
    kernel = load_catalogue().get("tiled")
    wider = with_values(kernel, {"TILE": (16, 24)})
    assert wider.parameters[0].choices == (*kernel.parameters[0].choices, 24)
    assert dict(wider.params({"TILE": 24}))["TILE"] == 24
    assert is_further(kernel, {"TILE": 24})
    assert not is_further(kernel, {"TILE": 16})


def test_that_a_description_gets_right_values_as_choices_and_the_reasons_of_others(tmp_path: Path) -> None:
    path = described(tmp_path)
    write_values(path, {"TILE": [4, 32]}, [ValueLeftOut("TILE", 24, 'wrong at "C"')])
    text = (tmp_path / "mine.cu.toml").read_text(encoding="utf-8")
    assert "[params.TILE] # edges\nchoices = [4, 8, 16, 32]  # proven\ndefault = 16\n" in text
    assert text.startswith("# C = A·B\n")
    kernel = load_user_kernel(path)
    assert kernel.parameters[0].choices == (4, 8, 16, 32)
    assert {(one.value, one.because) for one in kernel.values_left_out} == {
        (64, "too many threads"),
        (24, 'wrong at "C"'),
    }


def test_that_settings_of_further_values_join_the_proven_ones_so_that_they_are_not_called_untried(
    tmp_path: Path,
) -> None:
    listed = SIDECAR.replace("[params.TILE]", "proven_settings = [\n  { TILE = 8 }, # by adopt\n] # all\n[params.TILE]")
    path = described(tmp_path, listed)
    write_values(path, {"TILE": [32]}, [], [(("TILE", 32),), (("TILE", 8),)])
    kernel = load_user_kernel(path)
    assert kernel.proven_settings == ((("TILE", 8),), (("TILE", 32),))
    assert kernel.untried((("TILE", 32),)) == ()
    assert "] # all\n[params.TILE] # edges" in (tmp_path / "mine.cu.toml").read_text(encoding="utf-8")
    assert "proven_settings" not in with_outcomes(SIDECAR, {"TILE": [32]}, [], [(("TILE", 32),)]), "all are proven"


def test_that_proven_settings_in_another_form_are_not_changed(tmp_path: Path) -> None:
    listed = SIDECAR.replace("[params.TILE]", "proven_settings = [ # see ]\n  { TILE = 8 },\n]\n[params.TILE]")
    path = described(tmp_path, listed)
    with pytest.raises(ValuesError, match=r"mine.cu.toml was not changed: .*by hand"):
        write_values(path, {"TILE": [32]}, [], [(("TILE", 32),)])
    assert (tmp_path / "mine.cu.toml").read_text(encoding="utf-8") == listed


def test_that_the_last_value_left_out_takes_its_table_along() -> None:
    text = with_outcomes(SIDECAR, {"TILE": [4, 64]}, [])
    assert "values_left_out" not in tomllib.loads(text)
    assert tomllib.loads(text)["launch"] == tomllib.loads(SIDECAR)["launch"]


def test_that_a_description_in_another_form_is_not_changed(tmp_path: Path) -> None:
    other = SIDECAR.replace("[params.TILE] # edges\nchoices = [8, 16]  # proven\ndefault = 16\n", "")
    other = other.replace("args =", "params = { TILE = { choices = [8, 16] } }\nargs =")
    path = described(tmp_path, other)
    with pytest.raises(ValuesError, match=r"mine.cu.toml was not changed: .*by hand"):
        write_values(path, {"TILE": [32]}, [])
    assert (tmp_path / "mine.cu.toml").read_text(encoding="utf-8") == other


@pytest.mark.parametrize(
    ("line", "word"), [('x = "why"', "no whole number"), ("8 = 3", "must be a text"), ("8 = [1]", "must be a text")]
)
def test_that_a_wrong_table_of_values_left_out_is_refused_with_its_line(tmp_path: Path, line: str, word: str) -> None:
    path = described(tmp_path, SIDECAR.replace('4 = "not tried"', line))
    with pytest.raises(HeaderError, match=word) as refused:
        load_user_kernel(path)
    assert refused.value.line == 8


def test_that_values_with_one_reason_are_told_together() -> None:
    values = [ValueLeftOut("BN", 4, "not tried"), ValueLeftOut("BM", 8, "not tried"), ValueLeftOut("BM", 64, "wrong")]
    assert left_out_lines(values) == ("BM = 8; BN = 4: not tried", "BM = 64: wrong")

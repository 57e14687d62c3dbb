"""printf of a kernel prints what C's does."""

from __future__ import annotations

import ctypes
import ctypes.util
import struct
import sys
from itertools import product

import pytest

from gemmviz.machine.host_calls import print_words


def printed(form: str, number: int) -> str:
    def argument(offset: int) -> int:
        del offset
        return number

    return print_words(form, argument, str)


@pytest.mark.parametrize(
    ("form", "number", "words"),
    [
        ("%#o", 8, "010"),
        ("%#o", 0, "0"),
        ("%#6o", 8, "   010"),
        ("%#-6o|", 8, "010   |"),
        ("%#06o", 8, "000010"),
        ("%#.4o", 8, "0010"),
        ("%#.2o", 8, "010"),
        ("%#8.4o", 8, "    0010"),
        ("%o", 8, "10"),
        ("%#x", 255, "0xff"),
        ("%#x", 0, "0"),
        ("%#06X", 255, "0X00FF"),
    ],
)
def test_that_numbers_are_printed_as_in_c(form: str, number: int, words: str) -> None:
    assert printed(form, number) == words


@pytest.mark.skipif(sys.platform != "linux", reason="ctypes passes the arguments of snprintf otherwise elsewhere")
@pytest.mark.parametrize("number", [0, 7, 8, 64, 2**32 - 1])
@pytest.mark.parametrize("width", ["", "1", "12"])
@pytest.mark.parametrize("precision", ["", ".1", ".5"])
@pytest.mark.parametrize(
    ("flags", "kind"),
    [*product(["", "0", "-"], "oxXu"), *product(["#", "#0", "#-"], "oxX")],  # C leaves # with u open
)
def test_that_the_c_library_prints_the_same(number: int, flags: str, width: str, precision: str, kind: str) -> None:
    form = f"%{flags}{width}{precision}{kind}"
    library = ctypes.CDLL(ctypes.util.find_library("c"))
    made = ctypes.create_string_buffer(64)
    library.snprintf(made, ctypes.c_size_t(64), form.encode(), ctypes.c_uint(number))
    assert printed(form, number) == made.value.decode()


def test_that_a_negative_width_from_an_argument_puts_the_number_to_the_left() -> None:
    arguments = {0: 2**32 - 5, 4: 42}
    assert print_words("[%*d]", arguments.__getitem__, str) == "[42   ]"


@pytest.mark.parametrize(
    ("form", "number", "words"),
    [("%#.x", 0, ""), ("%+d", 7, "+7"), ("% i", 7, " 7"), ("%06d", 2**32 - 7, "-00007"), ("%lld", 2**64 - 7, "-7")],
)
def test_that_signs_and_precisions_are_those_of_c(form: str, number: int, words: str) -> None:
    assert printed(form, number) == words


@pytest.mark.skipif(sys.platform != "linux", reason="ctypes passes the arguments of snprintf otherwise elsewhere")
@pytest.mark.parametrize("number", [0, 127, 128, 40_000, 70_000, 2**32 - 5])
@pytest.mark.parametrize("form", ["%hd", "%hhd", "%hu", "%hhx", "%5hi", "%hho"])
def test_that_short_numbers_are_cut_as_the_c_library_does(form: str, number: int) -> None:
    library = ctypes.CDLL(ctypes.util.find_library("c"))
    made = ctypes.create_string_buffer(64)
    library.snprintf(made, ctypes.c_size_t(64), form.encode(), ctypes.c_uint(number))
    assert printed(form, number) == made.value.decode()


@pytest.mark.skipif(sys.platform != "linux", reason="ctypes passes the arguments of snprintf otherwise elsewhere")
@pytest.mark.parametrize("number", [1.5, -1.0, 0.0, 0.1, 2.0**-1060, 1e300, float("inf"), float("-inf")])
@pytest.mark.parametrize("form", ["%a", "%12a", "%A"])
def test_that_hexadecimal_fractions_are_those_of_the_c_library(form: str, number: float) -> None:
    library = ctypes.CDLL(ctypes.util.find_library("c"))
    made = ctypes.create_string_buffer(64)
    library.snprintf(made, ctypes.c_size_t(64), form.encode(), ctypes.c_double(number))
    assert printed(form, struct.unpack("<Q", struct.pack("<d", number))[0]) == made.value.decode()

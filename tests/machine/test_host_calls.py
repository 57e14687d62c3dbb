"""What printf of a kernel writes: the same as C's, whose words were taken from glibc 2.36."""

from __future__ import annotations

import pytest

from gemmviz.machine.host_calls import print_words


@pytest.mark.parametrize(
    ("text", "number", "words"),
    [
        ("%o", 8, "10"),
        ("%#o", 8, "010"),
        ("%#o", 0, "0"),
        ("%#.o", 0, "0"),
        ("%#06o", 8, "000010"),
        ("%#.3o", 8, "010"),
        ("%#x", 255, "0xff"),
        ("%#X", 255, "0XFF"),
        ("%#x", 0, "0"),
        ("%#.x", 0, ""),
        ("%#08x", 255, "0x0000ff"),
        ("[%-6x]", 255, "[ff    ]"),
        ("%08.3d", 7, "     007"),
        ("%+d", 7, "+7"),
        ("% i", 7, " 7"),
        ("%d", 2**32 - 7, "-7"),
        ("%06d", 2**32 - 7, "-00007"),
        ("%u", 2**32 - 7, "4294967289"),
        ("%+u", 7, "7"),
        ("%lld", 2**64 - 7, "-7"),
    ],
)
def test_that_whole_numbers_are_written_as_c_writes_them(text: str, number: int, words: str) -> None:
    assert print_words(text, lambda _: number, lambda _: "") == words


def test_that_a_negative_width_from_an_argument_puts_the_number_to_the_left() -> None:
    arguments = {0: 2**32 - 5, 4: 42}
    assert print_words("[%*d]", arguments.__getitem__, lambda _: "") == "[42   ]"

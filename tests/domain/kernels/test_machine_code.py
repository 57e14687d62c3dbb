"""Disassembled code as people read it."""

from gemmviz.domain.kernels.machine_code import without_encodings

SASS = """
\tFunction : tiled
        /*0000*/                   LDC R1, c[0x0][0x28] ;        /* 0x00000a00ff017b82 */
                                                                 /* 0x000fe20000000800 */
        /*0010*/                   EXIT ;                        /* 0x000000000000794d */
                                                                 /* 0x000fea0003800000 */
\t\t..........
"""


def test_that_the_bits_of_instructions_are_left_out_and_nothing_else() -> None:
    lines = without_encodings(SASS).splitlines()
    assert [" ".join(line.split()) for line in lines] == [
        "",
        "Function : tiled",
        "/*0000*/ LDC R1, c[0x0][0x28] ;",
        "/*0010*/ EXIT ;",
        "..........",
    ]
    assert without_encodings("") == ""

"""Integer instructions against NumPy and Python, on random and extreme operands."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from ptx_instructions import run_instructions

from gemmviz.machine.faults import NotImplementedInMachineError

Words = NDArray[np.uint32]
_RNG = np.random.default_rng(7)
_EXTREMES = [0, 1, 2, 31, 32, 33, 255, 256, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFFE, 0xFFFFFFFF]


def _operands(count: int = 4096) -> list[Words]:
    """Three columns: every pair of extreme numbers, small numbers, random ones."""
    pairs = np.array([(a, b, c) for a in _EXTREMES for b in _EXTREMES for c in (0, 5, 0xFFFFFFFF)], np.uint32)
    small = _RNG.integers(0, 70, (count // 2, 3)).astype(np.uint32)
    wide = _RNG.integers(0, 2**32, (count, 3), dtype=np.uint32)
    return [np.ascontiguousarray(column) for column in np.concatenate([pairs, small, wide]).T]


def _signed(value: int, bits: int = 32) -> int:
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> bits - 1 else value


def _quotient(a: int, b: int) -> int:
    return -1 if b == 0 else abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def _remainder(a: int, b: int) -> int:
    return -1 if b == 0 else a - _quotient(a, b) * b


def _bfe_u(a: int, b: int, c: int) -> int:
    begin, length = b & 255, c & 255
    return (a >> begin if begin < 32 else 0) & ((1 << min(length, 32)) - 1)


def _bfe_s(a: int, b: int, c: int) -> int:
    """By the pseudocode of the PTX ISA: the field's bits, then its sign."""
    begin, length = b & 255, c & 255
    sign = 0 if length == 0 else a >> min(begin + length - 1, 31) & 1
    bits = 0
    for place in range(32):
        inside = place < length and begin + place <= 31
        bits |= (a >> begin + place & 1 if inside else sign) << place
    return bits


def _bfi(a: int, b: int, c: int) -> int:
    begin, length = c & 255, c >> 8 & 255
    found = b
    for place in range(length):
        if begin + place <= 31:
            found = found & ~(1 << begin + place) | (a >> place & 1) << begin + place if place < 32 else found
    return found


def _prmt(a: int, b: int, c: int) -> int:
    whole, found = a | b << 32, 0
    for place in range(4):
        choice = c >> 4 * place & 15
        byte = whole >> 8 * (choice & 7) & 255
        if choice & 8:
            byte = 255 if byte >> 7 else 0
        found |= byte << 8 * place
    return found


def _lop3(table: int) -> Callable[[int, int, int], int]:
    def logic(a: int, b: int, c: int) -> int:
        found = 0
        for bit in range(32):
            row = (a >> bit & 1) << 2 | (b >> bit & 1) << 1 | c >> bit & 1
            found |= (table >> row & 1) << bit
        return found

    return logic


def _bytes(value: int, signed: bool) -> list[int]:
    found = [value >> 8 * place & 255 for place in range(4)]
    return [_signed(one, 8) for one in found] if signed else found


def _dot(a_signed: bool, b_signed: bool) -> Callable[[int, int, int], int]:
    return lambda a, b, c: c + sum(x * y for x, y in zip(_bytes(a, a_signed), _bytes(b, b_signed), strict=True))


def _bfind(value: int, signed: bool) -> int:
    value = ~value & 0xFFFFFFFF if signed and value >> 31 else value
    return value.bit_length() - 1


def _mul24(a: int, b: int) -> int:
    return _signed(a, 24) * _signed(b, 24)


def _apart(a: int, b: int, bits: int) -> tuple[int, int]:
    """The absolute differences of parts of so many bits, at their places and added up."""
    mask = (1 << bits) - 1
    each = [abs((a >> at & mask) - (b >> at & mask)) for at in range(0, 32, bits)]
    return sum(one << bits * at for at, one in enumerate(each)), sum(each)


WORDS: dict[str, Callable[[int, int, int], int]] = {
    "add.u32 %d, %a, %b": lambda a, b, _c: a + b,
    "sub.s32 %d, %a, %b": lambda a, b, _c: a - b,
    "add.sat.s32 %d, %a, %b": lambda a, b, _c: max(-(2**31), min(2**31 - 1, _signed(a) + _signed(b))),
    "sub.sat.s32 %d, %a, %b": lambda a, b, _c: max(-(2**31), min(2**31 - 1, _signed(a) - _signed(b))),
    "mul.lo.s32 %d, %a, %b": lambda a, b, _c: a * b,
    "mul.hi.u32 %d, %a, %b": lambda a, b, _c: a * b >> 32,
    "mul.hi.s32 %d, %a, %b": lambda a, b, _c: _signed(a) * _signed(b) >> 32,
    "mad.lo.u32 %d, %a, %b, %c": lambda a, b, c: a * b + c,
    "mad.hi.s32 %d, %a, %b, %c": lambda a, b, c: (_signed(a) * _signed(b) >> 32) + c,
    "mul24.lo.s32 %d, %a, %b": lambda a, b, _c: _mul24(a, b),
    "mul24.hi.s32 %d, %a, %b": lambda a, b, _c: _mul24(a, b) >> 16,
    "mad24.lo.u32 %d, %a, %b, %c": lambda a, b, c: (a & 0xFFFFFF) * (b & 0xFFFFFF) + c,
    "sad.u32 %d, %a, %b, %c": lambda a, b, c: abs(a - b) + c,
    "sad.s32 %d, %a, %b, %c": lambda a, b, c: abs(_signed(a) - _signed(b)) + c,
    "div.u32 %d, %a, %b": lambda a, b, _c: -1 if b == 0 else a // b,
    "rem.u32 %d, %a, %b": lambda a, b, _c: -1 if b == 0 else a % b,
    "div.s32 %d, %a, %b": lambda a, b, _c: _quotient(_signed(a), _signed(b)),
    "rem.s32 %d, %a, %b": lambda a, b, _c: _remainder(_signed(a), _signed(b)),
    "min.s32 %d, %a, %b": lambda a, b, _c: min(_signed(a), _signed(b)),
    "max.u32 %d, %a, %b": lambda a, b, _c: max(a, b),
    "min.s32.relu %d, %a, %b": lambda a, b, _c: max(0, min(_signed(a), _signed(b))),
    "max.relu.s32 %d, %a, %b": lambda a, b, _c: max(0, _signed(a), _signed(b)),
    "max.s16x2.relu %d, %a, %b": lambda a, b, _c: sum(
        max(0, _signed(a >> place, 16), _signed(b >> place, 16)) << place for place in (0, 16)
    ),
    "abs.s32 %d, %a": lambda a, _b, _c: abs(_signed(a)),
    "neg.s32 %d, %a": lambda a, _b, _c: -a,
    "and.b32 %d, %a, %b": lambda a, b, _c: a & b,
    "or.b32 %d, %a, %b": lambda a, b, _c: a | b,
    "xor.b32 %d, %a, %b": lambda a, b, _c: a ^ b,
    "not.b32 %d, %a": lambda a, _b, _c: ~a,
    "cnot.b32 %d, %a": lambda a, _b, _c: int(a == 0),
    "shl.b32 %d, %a, %b": lambda a, b, _c: a << b if b < 32 else 0,
    "shr.u32 %d, %a, %b": lambda a, b, _c: a >> min(b, 32),
    "shr.s32 %d, %a, %b": lambda a, b, _c: _signed(a) >> min(b, 31),
    "shf.l.wrap.b32 %d, %a, %b, %c": lambda a, b, c: (a | b << 32) << (c & 31) >> 32,
    "shf.r.wrap.b32 %d, %a, %b, %c": lambda a, b, c: (a | b << 32) >> (c & 31),
    "shf.l.clamp.b32 %d, %a, %b, %c": lambda a, b, c: (a | b << 32) << min(c, 32) >> 32,
    "shf.r.clamp.b32 %d, %a, %b, %c": lambda a, b, c: (a | b << 32) >> min(c, 32),
    "popc.b32 %d, %a": lambda a, _b, _c: a.bit_count(),
    "clz.b32 %d, %a": lambda a, _b, _c: 32 - a.bit_length(),
    "brev.b32 %d, %a": lambda a, _b, _c: int(f"{a:032b}"[::-1], 2),
    "bfind.u32 %d, %a": lambda a, _b, _c: _bfind(a, False),
    "bfind.s32 %d, %a": lambda a, _b, _c: _bfind(a, True),
    "bfind.shiftamt.u32 %d, %a": lambda a, _b, _c: -1 if a == 0 else 32 - a.bit_length(),
    "bfe.u32 %d, %a, %b, %c": _bfe_u,
    "bfe.s32 %d, %a, %b, %c": _bfe_s,
    "{ .reg .b32 %n; shr.u32 %n, %c, 8; bfi.b32 %d, %a, %b, %c, %n; }": _bfi,
    "prmt.b32 %d, %a, %b, %c": _prmt,
    "lop3.b32 %d, %a, %b, %c, 0xE8": _lop3(0xE8),
    "lop3.b32 %d, %a, %b, %c, 0x1D": _lop3(0x1D),
    "dp4a.u32.u32 %d, %a, %b, %c": _dot(False, False),
    "dp4a.s32.u32 %d, %a, %b, %c": _dot(True, False),
    "dp4a.s32.s32 %d, %a, %b, %c": _dot(True, True),
    "vabsdiff4.u32.u32.u32 %d, %a, %b, %c": lambda a, b, _c: _apart(a, b, 8)[0],
    "vabsdiff4.u32.u32.u32.add %d, %a, %b, %c": lambda a, b, c: c + _apart(a, b, 8)[1],
    "vabsdiff2.u32.u32.u32 %d, %a, %b, %c": lambda a, b, _c: _apart(a, b, 16)[0],
    "vabsdiff2.u32.u32.u32.add %d, %a, %b, %c": lambda a, b, c: c + _apart(a, b, 16)[1],
    "bmsk.clamp.b32 %d, %a, %b": lambda a, b, _c: ((1 << min(b, 32)) - 1) << a if a < 32 else 0,
    "bmsk.wrap.b32 %d, %a, %b": lambda a, b, _c: ((1 << (b & 31)) - 1) << (a & 31),
    "{ .reg .pred %q; setp.lt.s32 %q, %a, %b; selp.b32 %d, %a, %c, %q; }": (
        lambda a, b, c: a if _signed(a) < _signed(b) else c
    ),
    "{ .reg .pred %q, %s; setp.hi.and.u32 %q|%s, %a, %b, !%in; selp.b32 %d, 1, 0, %s; }": (
        lambda a, b, _c: int(not a > b)
    ),
    "slct.b32.s32 %d, %a, %b, %c": lambda a, b, c: a if _signed(c) >= 0 else b,
    "set.ge.u32.u32 %d, %a, %b": lambda a, b, _c: -int(a >= b),
    "cvt.s32.s8 %d, %a": lambda a, _b, _c: _signed(a, 8),
    "cvt.u32.u16 %d, %a": lambda a, _b, _c: a & 0xFFFF,
    "cvt.sat.s32.u32 %d, %a": lambda a, _b, _c: min(a, 2**31 - 1),
    "add.cc.u32 %d, %a, %b; addc.u32 %d, %c, 0": lambda a, b, c: c + (a + b >> 32),
    "sub.cc.u32 %d, %a, %b; subc.u32 %d, %c, 0": lambda a, b, c: c - int(a < b),
    "mad.lo.cc.u32 %d, %a, %b, %c; madc.hi.u32 %d, %a, %b, 0": lambda a, b, c: a * b + c >> 32,
}


@pytest.fixture(scope="module")
def words() -> tuple[list[Words], NDArray[np.uint32]]:
    """The operands and what each instruction of WORDS makes of them."""
    operands = _operands()
    return operands, run_instructions(list(WORDS), operands, np.uint32)


@pytest.mark.parametrize("instruction", WORDS)
def test_that_an_instruction_on_words_gives_what_the_manual_says(
    instruction: str, words: tuple[list[Words], NDArray[np.uint32]]
) -> None:
    (a, b, c), found = words
    rule = WORDS[instruction]
    wanted = [rule(x, y, z) & 0xFFFFFFFF for x, y, z in zip(a.tolist(), b.tolist(), c.tolist(), strict=True)]
    row = found[list(WORDS).index(instruction)]
    wrong = np.flatnonzero(row != np.array(wanted, np.uint64).astype(np.uint32))
    assert not wrong.size, [(hex(a[k]), hex(b[k]), hex(c[k]), hex(row[k]), hex(wanted[k])) for k in wrong[:3]]


LONG: dict[str, Callable[[int, int, int], int]] = {
    "add.s64 %d, %a, %b": lambda a, b, _c: a + b,
    "mul.lo.u64 %d, %a, %b": lambda a, b, _c: a * b,
    "mul.hi.u64 %d, %a, %b": lambda a, b, _c: a * b >> 64,
    "mul.hi.s64 %d, %a, %b": lambda a, b, _c: _signed(a, 64) * _signed(b, 64) >> 64,
    "mad.lo.s64 %d, %a, %b, %c": lambda a, b, c: a * b + c,
    "div.u64 %d, %a, %b": lambda a, b, _c: -1 if b == 0 else a // b,
    "div.s64 %d, %a, %b": lambda a, b, _c: _quotient(_signed(a, 64), _signed(b, 64)),
    "min.s64 %d, %a, %b": lambda a, b, _c: min(_signed(a, 64), _signed(b, 64)),
    "xor.b64 %d, %a, %b": lambda a, b, _c: a ^ b,
    "{ .reg .b32 %n; cvt.u32.u64 %n, %c; shl.b64 %d, %a, %n; }": (
        lambda a, _b, c: a << (c & 0xFFFFFFFF) if c & 0xFFFFFFFF < 64 else 0
    ),
    "{ .reg .b32 %n; cvt.u32.u64 %n, %c; shr.s64 %d, %a, %n; }": (
        lambda a, _b, c: _signed(a, 64) >> min(c & 0xFFFFFFFF, 63)
    ),
    "{ .reg .b32 %n, %m; mov.b64 {%n, %m}, %a; mul.wide.s32 %d, %n, %m; }": (
        lambda a, _b, _c: _signed(a & 0xFFFFFFFF) * _signed(a >> 32)
    ),
    "{ .reg .b32 %n, %m; mov.b64 {%n, %m}, %a; mov.b64 %d, {%m, %n}; }": lambda a, _b, _c: a >> 32 | a << 32,
    "{ .reg .b32 %n; popc.b64 %n, %a; cvt.u64.u32 %d, %n; }": lambda a, _b, _c: a.bit_count(),
    "{ .reg .b32 %n; cvt.u32.u64 %n, %a; cvt.s64.s32 %d, %n; }": lambda a, _b, _c: _signed(a),
    "brev.b64 %d, %a": lambda a, _b, _c: int(f"{a:064b}"[::-1], 2),
}


def test_that_instructions_on_double_words_give_what_the_manual_says() -> None:
    extremes = [0, 1, 63, 64, 2**31, 2**32 - 1, 2**63 - 1, 2**63, 2**64 - 1]
    pairs = np.array([(a, b, c) for a in extremes for b in extremes for c in (0, 40, 2**64 - 1)], np.uint64)
    more = _RNG.integers(0, 2**64, (1000, 3), dtype=np.uint64)
    a, b, c = (np.ascontiguousarray(column) for column in np.concatenate([pairs, more]).T)
    found = run_instructions(list(LONG), [a, b, c], np.uint64)
    for row, (instruction, rule) in zip(found, LONG.items(), strict=True):
        wanted = [rule(x, y, z) & 2**64 - 1 for x, y, z in zip(a.tolist(), b.tolist(), c.tolist(), strict=True)]
        wrong = np.flatnonzero(row != np.array(wanted, np.uint64))
        assert not wrong.size, (instruction, hex(a[wrong[0]]), hex(b[wrong[0]]), hex(c[wrong[0]]), hex(row[wrong[0]]))


def test_that_a_declaration_needs_no_space_before_its_type() -> None:
    """As inline assembly of cuda_fp16.h has it."""
    a = np.arange(4, dtype=np.uint32)
    found = run_instructions(["{.reg.b32 f; mov.b32 f, %a; add.u32 %d, f, 1;}"], [a], np.uint32)
    assert found[0].tolist() == [1, 2, 3, 4]


def test_that_the_size_of_a_warp_may_stand_for_any_number() -> None:
    a = np.arange(40, dtype=np.uint32)
    instructions = {
        "mov.u32 %d, WARP_SZ": np.full_like(a, 32),
        "div.u32 %d, %a, WARP_SZ": a // 32,
        "{ .reg .pred p; setp.lt.u32 p, %a, WARP_SZ; selp.u32 %d, WARP_SZ, %a, p; }": np.where(a < 32, 32, a),
        "lop3.b32 %d, %a, 7, %a, WARP_SZ": a & ~np.uint32(7),
        "ld.global.u32 %d, [words+WARP_SZ]": np.full_like(a, 8),
        "ld.global.u32 %d, [words+36]": np.full_like(a, 32),
    }
    words = ".global .u32 words[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, WARP_SZ};"
    found = run_instructions(list(instructions), [a], np.uint32, module=words)
    for row, (instruction, wanted) in zip(found, instructions.items(), strict=True):
        assert row.tolist() == wanted.tolist(), instruction


def test_that_an_operand_which_is_not_known_is_named() -> None:
    with pytest.raises(NotImplementedInMachineError, match=r"mov\.u32 %d, %pm0: %pm0 is not known"):
        run_instructions(["mov.u32 %d, %pm0"], [np.zeros(1, np.uint32)], np.uint32)

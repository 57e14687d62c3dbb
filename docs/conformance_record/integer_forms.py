"""Integer arithmetic, bit fields, logic, shifts, and comparisons of integers."""

from __future__ import annotations

from collections.abc import Iterator

from conformance_record.form import Form, bits_of_predicates, simple

WIDTHS = (16, 32, 64)
_LOGIC_TABLES = (0x96, 0xE8, 0xCA, 0x1B, 0x80, 0xFE, 0x3C, 0x6A, 0x01, 0xD8)
COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")


def arithmetic() -> Iterator[Form]:
    """Sums, products, quotients."""
    group = "integers"
    for bits in WIDTHS:
        one, two, three = (" ".join([f"i{bits}"] * count) for count in (1, 2, 3))
        for kind in (f"u{bits}", f"s{bits}"):
            for word in ("add", "sub", "mul.lo", "mul.hi", "min", "max", "div", "rem"):
                yield simple(group, f"{word}.{kind}", two, bits)
            for word in ("mad.lo", "mad.hi", "sad"):
                yield simple(group, f"{word}.{kind}", three, bits)
            if bits < 64:
                yield simple(group, f"mul.wide.{kind}", two, 2 * bits)
                yield simple(group, f"mad.wide.{kind}", f"{two} i{2 * bits}", 2 * bits)
        for word in ("abs", "neg"):
            yield simple(group, f"{word}.s{bits}", one, bits)
    for word in ("add", "sub"):
        yield simple(group, f"{word}.sat.s32", "i32 i32", 32)
    yield simple(group, "mad.hi.sat.s32", "i32 i32 i32", 32)
    for kind in ("u32", "s32"):
        for mode in ("lo", "hi"):
            yield simple(group, f"mul24.{mode}.{kind}", "i32 i32", 32)
            yield simple(group, f"mad24.{mode}.{kind}", "i32 i32 i32", 32)
    yield simple(group, "mad24.hi.sat.s32", "i32 i32 i32", 32)
    for kind in ("u16x2", "s16x2"):
        for word in ("add", "min", "max"):
            yield simple(group, f"{word}.{kind}", "i32 i32", 32)
    for kind in ("s16x2", "s32"):
        for word in ("min", "max"):
            yield simple(group, f"{word}.relu.{kind}", "i32 i32", 32)


def carries() -> Iterator[Form]:
    """Sums and products with carry; the second result shows the carry."""
    group = "carries"
    for bits in (32, 64):
        kind, two, three = f"u{bits}", (f"i{bits}",) * 2, (f"i{bits}",) * 3
        both = (bits, bits)
        for word in ("add", "sub"):
            text = f"{word}.cc.{kind} %d, %a, %b; {word}c.{kind} %e, %a, 0;"
            yield Form(group, f"{word}.cc.{kind}", text, two, both)
            text = (
                f"{{ .reg .b{bits} %t; {word}.cc.{kind} %t, %a, %b; {word}c.cc.{kind} %d, %b, %c; "
                f"{word}c.{kind} %e, 0, 0; }}"
            )
            yield Form(group, f"{word}c.cc.{kind}", text, three, both)
        for part in ("lo", "hi"):
            for sign in "us":
                kind = f"{sign}{bits}"
                text = f"mad.{part}.cc.{kind} %d, %a, %b, %c; addc.u{bits} %e, 0, 0;"
                yield Form(group, f"mad.{part}.cc.{kind}", text, three, both)
                text = (
                    f"{{ .reg .b{bits} %t; add.cc.u{bits} %t, %b, %c; madc.{part}.cc.{kind} %d, %a, %b, %c; "
                    f"addc.u{bits} %e, 0, 0; }}"
                )
                yield Form(group, f"madc.{part}.cc.{kind}", text, three, both)


def bit_fields() -> Iterator[Form]:
    """Counts, fields, bytes."""
    group = "bit fields"
    for bits in (32, 64):
        for word in ("popc", "clz"):
            yield simple(group, f"{word}.b{bits}", f"i{bits}", 32)
        yield simple(group, f"brev.b{bits}", f"i{bits}", bits)
        for sign in "us":
            for more in ("", ".shiftamt"):
                yield simple(group, f"bfind{more}.{sign}{bits}", f"i{bits}", 32)
            for second in ("small small", "i32 small"):
                form = simple(group, f"bfe.{sign}{bits}", f"i{bits} {second}", bits)
                yield Form(group, f"{form.name} {second}", form.text, form.operands, form.results)
        text = "{ .reg .b32 %t; shr.u32 %t, %c, 8; bfi.b%n %d, %a, %b, %c, %t; }".replace("%n", str(bits))
        yield Form(group, f"bfi.b{bits} i32", text, (f"i{bits}", f"i{bits}", "i32"), (bits,))
        ground = "0x0123456789ABCDEF"[: 2 + bits // 4]
        text = f"{{ .reg .b32 %t; and.b32 %t, %b, 31; bfi.b{bits} %d, %a, {ground}, %c, %t; }}"
        yield Form(group, f"bfi.b{bits} small", text, (f"i{bits}", "i32", "small"), (bits,))
    head = "{ .reg .b32 %s, %t; and.b32 %t, %b, 31; "
    for offset in (1, 0, -2):
        text = head + f"fns.b32 %d, %a, %t, {offset}; }}"
        yield Form(group, f"fns.b32 {offset}", text, ("i32", "i32"), (32,))
    text = head + "and.b32 %s, %c, 63; sub.u32 %s, %s, 32; fns.b32 %d, %a, %t, %s; }"
    yield Form(group, "fns.b32", text, ("i32", "i32", "small"), (32,))
    for mode in ("clamp", "wrap"):
        for kind in ("u32", "s32"):
            yield simple(group, f"szext.{mode}.{kind}", "i32 small", 32)
        yield simple(group, f"bmsk.{mode}.b32", "small small", 32)
    for mode in ("", ".f4e", ".b4e", ".rc8", ".ecl", ".ecr", ".rc16"):
        yield simple(group, f"prmt.b32{mode}", "i32 i32 i32", 32)
    for one in ("u32", "s32"):
        for two in ("u32", "s32"):
            yield simple(group, f"dp4a.{one}.{two}", "i32 i32 i32", 32)
            for half in ("lo", "hi"):
                yield simple(group, f"dp2a.{half}.{one}.{two}", "i32 i32 i32", 32)
    for parts in (2, 4):
        for add in ("", ".add"):
            yield simple(group, f"vabsdiff{parts}.u32.u32.u32{add}", "i32 i32 i32", 32)


def logic() -> Iterator[Form]:
    """Logic and shifts."""
    group = "logic"
    for bits in WIDTHS:
        for word in ("and", "or", "xor"):
            yield simple(group, f"{word}.b{bits}", f"i{bits} i{bits}", bits)
        for word in ("not", "cnot"):
            yield simple(group, f"{word}.b{bits}", f"i{bits}", bits)
        for word in (f"shl.b{bits}", f"shr.b{bits}", f"shr.u{bits}", f"shr.s{bits}"):
            yield simple(group, word, f"i{bits} small", bits)
    text = "{ .reg .pred %p, %q, %r; setp.lt.s32 %p, %a, 0; setp.lt.s32 %q, %b, 0; mov.b32 %d, 0; .reg .b32 %t;"
    for place, word in enumerate(("and", "or", "xor")):
        text += f" {word}.pred %r, %p, %q; selp.b32 %t, {1 << place}, 0, %r; or.b32 %d, %d, %t;"
    text += " not.pred %r, %p; selp.b32 %t, 8, 0, %r; or.b32 %d, %d, %t; }"
    yield Form(group, "and.pred or.pred xor.pred not.pred", text, ("i32", "i32"), (32,))
    for table in _LOGIC_TABLES:
        yield simple(group, "lop3.b32", "i32 i32 i32", 32, f", {table:#x}")
    for word in ("or", "and"):
        text = (
            "{ .reg .pred %p, %q; setp.lt.s32 %q, %a, 0; "
            f"lop3.{word}.b32 %d|%p, %a, %b, %c, 0xE8, %q; selp.b32 %e, 1, 0, %p; }}"
        )
        yield Form(group, f"lop3.{word}.b32", text, ("i32", "i32", "i32"), (32, 32))
    for direction in "lr":
        for mode in ("clamp", "wrap"):
            yield simple(group, f"shf.{direction}.{mode}.b32", "i32 i32 small", 32)


def comparisons() -> Iterator[Form]:
    """Comparisons of integers, choices."""
    group = "comparisons"
    for bits in WIDTHS:
        pair = (f"i{bits}", f"i{bits}")
        for sign in "usb":
            kind = f"{sign}{bits}"
            words = {"u": (*COMPARISONS, "lo", "ls", "hi", "hs"), "s": COMPARISONS, "b": ("eq", "ne")}[sign]
            text = bits_of_predicates([f"setp.{word}.{kind} %p, %a, %b" for word in words])
            yield Form(group, f"setp.{kind}", text, pair, (32,))
            for to in ("u32", "s32", "f32"):
                yield simple(group, f"set.{words[-1]}.{to}.{kind}", " ".join(pair), 32)
            text = f"{{ .reg .pred %p; setp.lt.s32 %p, %c, 0; selp.{kind} %d, %a, %b, %p; }}"
            yield Form(group, f"selp.{kind}", text, (*pair, "i32"), (bits,))
            yield simple(group, f"slct.{kind}.s32", f"i{bits} i{bits} i32", bits)
            yield simple(group, f"slct.ftz.{kind}.f32", f"i{bits} i{bits} f32", bits)
    for word in ("and", "or", "xor"):
        tests = [
            f"{{ .reg .pred %q, %r; setp.lt.s32 %q, %c, 0; setp.{one}.{word}.s32 %p|%r, %a, %b, {sign}%q; "
            f"selp.b32 %t, {16 << place}, 0, %r; or.b32 %d, %d, %t; }}"
            for place, (one, sign) in enumerate((("lt", ""), ("eq", "!"), ("ge", "!")))
        ]
        text = bits_of_predicates(tests)
        yield Form(group, f"setp.{word}.s32 with a second result", text, ("i32", "i32", "i32"), (32,))
        text = "{ .reg .pred %q; setp.lt.s32 %q, %c, 0; " + f"set.gt.{word}.u32.s32 %d, %a, %b, %q; }}"
        yield Form(group, f"set.gt.{word}.u32.s32", text, ("i32", "i32", "i32"), (32,))


def integer_forms() -> Iterator[Form]:
    """Every form of this file."""
    yield from arithmetic()
    yield from carries()
    yield from bit_fields()
    yield from logic()
    yield from comparisons()

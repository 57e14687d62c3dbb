"""Floating-point arithmetic, comparisons and approximate functions."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from conformance_record.form import Form, bits_of_predicates, simple

ROUNDINGS = ("rn", "rz", "rm", "rp")
WIDTH = {"f16": 16, "bf16": 16, "f16x2": 32, "bf16x2": 32, "f32": 32, "f64": 64}
_COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan")
_PROPERTIES = ("finite", "infinite", "number", "notanumber", "normal", "subnormal")


def _operands(kind: str, count: int) -> str:
    return " ".join([kind] * count)


def singles() -> Iterator[Form]:
    """f32 and f64."""
    group = "f32"
    for word, count in (("add", 2), ("sub", 2), ("mul", 2), ("fma", 3)):
        for rounding, ftz, sat in product(ROUNDINGS, ("", ".ftz"), ("", ".sat")):
            yield simple(group, f"{word}.{rounding}{ftz}{sat}.f32", _operands("f32", count), 32)
    yield simple(group, "mad.rn.f32", "f32 f32 f32", 32)
    for word, count in (("div", 2), ("rcp", 1), ("sqrt", 1)):
        for rounding, ftz in product(ROUNDINGS, ("", ".ftz")):
            yield simple(group, f"{word}.{rounding}{ftz}.f32", _operands("f32", count), 32)
    for word, ftz in product(("neg", "abs"), ("", ".ftz")):
        yield simple(group, f"{word}{ftz}.f32", "f32", 32)
    for word, ftz, nan, sign in product(("min", "max"), ("", ".ftz"), ("", ".NaN"), ("", ".xorsign.abs")):
        yield simple(group, f"{word}{ftz}{nan}{sign}.f32", "f32 f32", 32)
    group = "f64"
    for word, count in (("add", 2), ("sub", 2), ("mul", 2), ("fma", 3), ("div", 2), ("rcp", 1), ("sqrt", 1)):
        for rounding in ROUNDINGS:
            yield simple(group, f"{word}.{rounding}.f64", _operands("f64", count), 64)
    for word in ("neg", "abs"):
        yield simple(group, f"{word}.f64", "f64", 64)
    for word in ("min", "max"):
        yield simple(group, f"{word}.f64", "f64 f64", 64)
    for kind in ("f32", "f64"):
        yield simple(kind, f"copysign.{kind}", f"{kind} {kind}", WIDTH[kind])
        text = bits_of_predicates([f"testp.{one}.{kind} %p, %a" for one in _PROPERTIES])
        yield Form(kind, f"testp.{kind}", text, (kind,), (32,))


def edges() -> Iterator[Form]:
    """Results just below the least normal number, which .ftz flushes or not."""
    group = "edges of f32"
    signed = "and.b32 %s, %a, 0x80000000; or.b32 %y, %y, %s;"
    head = "{ .reg .b32 %k, %s, %x, %y; "
    for rounding in ROUNDINGS:
        # (1 - 2k u) (1 + 2k u) 2^-126, u = 2^-24
        make = "and.b32 %k, %a, 4095; add.u32 %y, %k, 0x00800000; add.u32 %k, %k, %k; sub.u32 %x, 0x3F800000, %k; "
        word = f"mul.{rounding}.ftz.f32"
        yield Form(group, f"{word} below normal", f"{head}{make}{signed} {word} %d, %x, %y; }}", ("i32",), (32,))
        make = "and.b32 %k, %a, 0x3FFFFF; add.u32 %x, %k, 0x00800000; add.u32 %y, %k, 0x3F800001; "
        word = f"div.{rounding}.ftz.f32"
        yield Form(group, f"{word} below normal", f"{head}{make}{signed} {word} %d, %x, %y; }}", ("i32",), (32,))
        make = "and.b32 %k, %a, 63; add.u32 %y, %k, 0x7E800000; "
        word = f"rcp.{rounding}.ftz.f32"
        yield Form(group, f"{word} below normal", f"{head}{make}{signed} {word} %d, %y; }}", ("i32",), (32,))
        make = "and.b64 %w, %a, 0x800000003FFFFFFF; xor.b64 %w, %w, 0x380FFFFFC0000000; "
        word = f"cvt.{rounding}.ftz.f32.f64"
        yield Form(group, f"{word} below normal", f"{{ .reg .b64 %w; {make}{word} %d, %w; }}", ("i64",), (32,))


def halves() -> Iterator[Form]:
    """f16, bf16 and pairs of them."""
    for kind in ("f16", "f16x2", "bf16", "bf16x2"):
        group, bits = kind.removesuffix("x2"), WIDTH[kind]
        is_f16 = group == "f16"
        flushes = ("", ".ftz") if is_f16 else ("",)
        for word, count in (("add", 2), ("sub", 2), ("mul", 2), ("fma", 3)):
            for ftz, sat in product(flushes, ("", ".sat") if is_f16 else ("",)):
                yield simple(group, f"{word}.rn{ftz}{sat}.{kind}", _operands(kind, count), bits)
        for ftz in flushes:
            yield simple(group, f"fma.rn{ftz}.relu.{kind}", _operands(kind, 3), bits)
            for word in ("neg", "abs"):
                yield simple(group, f"{word}{ftz}.{kind}", kind, bits)
            for word, nan, sign in product(("min", "max"), ("", ".NaN"), ("", ".xorsign.abs")):
                yield simple(group, f"{word}{ftz}{nan}{sign}.{kind}", f"{kind} {kind}", bits)


def comparisons() -> Iterator[Form]:
    """Comparisons of floating-point numbers, choices by their signs."""
    group = "comparisons of floats"
    for kind in ("f16", "bf16", "f32", "f64"):
        flushes = ("", ".ftz") if kind in {"f16", "f32"} else ("",)
        for ftz in flushes:
            text = bits_of_predicates([f"setp.{word}{ftz}.{kind} %p, %a, %b" for word in _COMPARISONS])
            yield Form(group, f"setp{ftz}.{kind}", text, (kind, kind), (32,))
            for word in ("le", "neu"):
                for to in ("u32", "s32", "f32"):
                    if kind not in {"f16", "bf16"}:
                        yield simple(group, f"set.{word}{ftz}.{to}.{kind}", f"{kind} {kind}", 32)
        if kind in {"f32", "f64"}:
            bits = WIDTH[kind]
            text = f"{{ .reg .pred %p; setp.lt.s32 %p, %c, 0; selp.{kind} %d, %a, %b, %p; }}"
            yield Form(group, f"selp.{kind}", text, (kind, kind, "i32"), (bits,))
            yield simple(group, f"slct.{kind}.s32", f"{kind} {kind} i32", bits)
            yield simple(group, f"slct.{kind}.f32", f"{kind} {kind} f32", bits)
            yield simple(group, f"slct.ftz.{kind}.f32", f"{kind} {kind} f32", bits)
    for kind in ("f16", "bf16"):
        yield simple(group, f"set.lt.{kind}.{kind}", f"{kind} {kind}", 16)
        for to in ("u32", "s32"):
            yield simple(group, f"set.geu.{to}.{kind}", f"{kind} {kind}", 32)
        yield simple(group, f"set.lt.{kind}x2.{kind}x2", f"{kind}x2 {kind}x2", 32)
        tests = [
            f"{{ .reg .pred %q; setp.{word}.{kind}x2 %p|%q, %a, %b; selp.b32 %t, {1 << 16 + place}, 0, %q; "
            "or.b32 %d, %d, %t; }"
            for place, word in enumerate(_COMPARISONS)
        ]
        yield Form(group, f"setp.{kind}x2", bits_of_predicates(tests), (f"{kind}x2", f"{kind}x2"), (32,))


def approximate() -> Iterator[Form]:
    """Functions that a GPU computes approximately. Their bounds are named in `bounds.py`."""
    group = "approximate"
    for word in ("rcp", "sqrt", "rsqrt", "sin", "cos", "lg2", "ex2"):
        for ftz in ("", ".ftz"):
            yield simple(group, f"{word}.approx{ftz}.f32", "f32", 32, bound=word)
    for mode, ftz in product(("approx", "full"), ("", ".ftz")):
        yield simple(group, f"div.{mode}{ftz}.f32", "f32 f32", 32, bound=f"div.{mode}")
    yield simple(group, "rcp.approx.ftz.f64", "f64", 64, bound="rcp64")
    yield simple(group, "rsqrt.approx.f64", "f64", 64, bound="rsqrt64")
    yield simple(group, "rsqrt.approx.ftz.f64", "f64", 64, bound="rsqrt64ftz")
    yield simple(group, "tanh.approx.f32", "f32", 32, bound="tanh")
    for kind in ("f16", "f16x2", "bf16", "bf16x2"):
        single = kind.removesuffix("x2")
        yield simple(group, f"tanh.approx.{kind}", kind, WIDTH[kind], bound=f"tanh.{single}")
        ftz = ".ftz" if single == "bf16" else ""
        yield simple(group, f"ex2.approx{ftz}.{kind}", kind, WIDTH[kind], bound=f"ex2.{single}")
    yield simple(group, "ex2.approx.ftz.bf16", "bf16", 16, bound="ex2.bf16")


def float_forms() -> Iterator[Form]:
    """Every form of this file."""
    yield from singles()
    yield from edges()
    yield from halves()
    yield from comparisons()
    yield from approximate()

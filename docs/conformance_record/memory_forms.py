"""Atomics, loads and stores, addresses."""

from __future__ import annotations

from collections.abc import Iterator

from conformance_record.form import Form
from conformance_record.operands import OPERAND_OFFSETS

_SPACES = {"global": "%cell", "shared": "%mine", "": "%shared"}
"""By space: the address of the thread's own bytes in it. A full address is one of shared memory."""


def _own_cell(group: str, name: str, text: str, operand: str, bits: int, count: int) -> Form:
    """An atomic operation on the thread's own bytes, which begin as %a: what it gives, and what it leaves there."""
    return Form(group, name, text, (operand,) * count, (bits, bits))


def _atomic(operation: str, space: str, operand: str, bits: int, returns: bool = True) -> Form:
    """%a is in memory, %b comes; of cas %c is what is stored."""
    at = f"[{_SPACES[space]}]"
    word = f"{'atom' if returns else 'red'}{space and '.'}{space}.{operation}"
    name = f"{word}{'' if space else ' of shared memory'}"
    compares = operation.startswith("cas")
    dot = space and "." + space
    given = ", %e, %c" if compares else ", %b"
    # half of the comparisons hold
    choice = f"{{ .reg .pred %p; setp.lt.s32 %p, %lane, 16; selp.b{bits} %e, %a, %b, %p; }}"
    made = f"%d, {at}{given}" if returns else f"{at}{given}"
    lines = [f"st{dot}.b{bits} {at}, %a;", choice if compares else "", f"{word} {made};"]
    lines += [f"ld{dot}.b{bits} %e, {at};", "" if returns else f"mov.b{bits} %d, %e;"]
    return _own_cell("atomics", name, " ".join(lines), operand, bits, 3 if compares else 2)


def atomics() -> Iterator[Form]:
    """Every operation and type, on bytes of the thread's own."""
    for space in _SPACES:  # the spaces share the code of the operations
        for bits in (32, 64):
            operand = f"i{bits}"
            operations = [f"{word}.b{bits}" for word in ("and", "or", "xor", "exch", "cas")]
            operations += [f"{word}.{sign}{bits}" for word in ("min", "max") for sign in "us"]
            operations += [f"add.u{bits}"] + (["add.s32", "inc.u32", "dec.u32"] if bits == 32 else [])
            if space != "global":
                operations = ["add.u32", "cas.b32", "min.s32"] if bits == 32 else ["exch.b64", "max.u64"]
            for operation in operations:
                yield _atomic(operation, space, operand, bits)
                if space == "global" and operation in {"add.u32", "inc.u32", "min.s64", "xor.b64"}:
                    yield _atomic(operation, space, operand, bits, returns=False)
        floats = [("add.f32", "f32", 32), ("add.noftz.f16x2", "f16x2", 32)]
        if space == "global":
            floats += [("add.f64", "f64", 64), ("add.noftz.f16", "f16", 16), ("add.noftz.bf16", "bf16", 16)]
            floats += [("add.noftz.bf16x2", "bf16x2", 32), ("cas.b16", "i16", 16)]
        for operation, operand, bits in floats:
            yield _atomic(operation, space, operand, bits)
    yield _atomic("add.f64", "shared", "f64", 64)
    for operand, bits in (("f32", 32), ("f64", 64)):
        yield _atomic(f"add.{operand}", "global", operand, bits, returns=False)
    for operand, bits in (("f16x2", 32), ("bf16x2", 32)):
        yield _atomic(f"add.noftz.{operand}", "global", operand, bits, returns=False)
    for operand in ("f16x2", "bf16x2"):
        for word in ("add", "min", "max"):
            text = (
                "{ .reg .b32 %x, %y; st.global.v2.b32 [%cell], {%a, %b}; "
                f"atom.global.{word}.noftz.v2.{operand} {{%x, %y}}, [%cell], {{%b, %c}}; "
                "ld.global.b64 %e, [%cell]; mov.b64 %d, {%x, %y}; }"
            )
            yield Form("atomics", f"atom.global.{word}.noftz.v2.{operand}", text, (operand,) * 3, (64, 64))
    text = (
        "{ .reg .b32 %x, %y; st.global.v2.b32 [%cell], {%a, %b}; atom.global.add.v2.f32 {%x, %y}, [%cell], {%b, %c}; "
        "ld.global.b64 %e, [%cell]; mov.b64 %d, {%x, %y}; }"
    )
    yield Form("atomics", "atom.global.add.v2.f32", text, ("f32",) * 3, (64, 64))
    for word in ("cas", "exch"):
        text = (
            "{ .reg .b128 %x, %y, %z; .reg .b64 %w; .reg .pred %p; setp.lt.s32 %p, %lane, 16; "
            "selp.b64 %w, %a, %b, %p; st.global.v2.b64 [%cell], {%a, %b}; mov.b128 %y, {%w, %b}; "
            f"mov.b128 %z, {{%c, %a}}; atom.global.{word}.b128 %x, [%cell], {'%y, ' if word == 'cas' else ''}%z; "
            "mov.b128 {%d, %w}, %x; xor.b64 %d, %d, %w; ld.global.v2.b64 {%e, %w}, [%cell]; xor.b64 %e, %e, %w; }"
        )
        yield Form("atomics", f"atom.global.{word}.b128", text, ("i64",) * 3, (64, 64))


def contended() -> Iterator[Form]:
    """All threads of a block on one place, for operations whose result does not depend on the order."""
    for space in ("shared", "global"):
        if space == "shared":
            place = "mov.u32 %place, common;"
        else:  # the cell of the block's first thread
            place = "mul.wide.u32 %place, %own, 64; sub.u64 %place, %cell, %place;"
        for bits in (32, 64):
            words = [("add", "u"), ("min", "s")]
            if bits == 32:
                words += [("max", "u"), ("and", "b"), ("or", "b"), ("xor", "b")]
            if bits == 32 and space == "shared":
                words += [("inc", "u"), ("dec", "u")]
            for word, sign in words:
                operation = f"{word}.{sign}{bits}"
                given = "40" if word in {"inc", "dec"} else "%a"
                text = (
                    f"{{ .reg .b{32 if space == 'shared' else 64} %place; .reg .pred %first; {place} bar.sync 0; "
                    f"setp.eq.u32 %first, %own, 0; @%first st.{space}.b{bits} [%place], %a; bar.sync 0; "
                    f"red.{space}.{operation} [%place], {given}; bar.sync 0; ld.{space}.b{bits} %d, [%place]; "
                    "bar.sync 0; }"
                )
                yield Form("contended atomics", f"red.{space}.{operation} by a block", text, (f"i{bits}",), (bits,))


def accesses() -> Iterator[Form]:
    """Loads and stores of every width and space, vectors, parts of registers."""
    group = "accesses"
    for space, cell in _SPACES.items():
        dot = space and "." + space
        more = "" if space else " full address"
        is_whole = space == "global"  # the other spaces share the code that moves bytes
        for kind in ("u8", "s8", "b8", "u16", "s16", "u32", "s32") if is_whole else ("u8", "s16"):
            bits = int(kind[1:])
            at = f"[{cell}+{8 - bits // 8}]"
            text = f"st{dot}.b64 [{cell}], %a; ld{dot}.{kind} %d, {at}; ld{dot}.{kind} %e, {at};"
            yield Form(group, f"ld{dot}.{kind}{more}", text, ("i64",), (32, 64))
        for kind in ("u8", "b16", "b32") if is_whole else ("b16",):
            text = f"st{dot}.b64 [{cell}], %a; st{dot}.{kind} [{cell}+4], %b; ld{dot}.b64 %d, [{cell}];"
            yield Form(group, f"st{dot}.{kind}{more}", text, ("i64", "i16" if kind == "b16" else "i32"), (64,))
        shapes = ((2, "u8"), (4, "u8"), (2, "s16"), (4, "s16"), (2, "u32"), (4, "b32"), (2, "b64"))
        for count, kind in shapes if is_whole else shapes[1:2]:
            width = 64 if kind == "b64" else 32
            names = [f"%v{number}" for number in range(count)]
            adds = "add.u64 %d, %v0, %v1;"
            if width == 32:
                steps = (f"cvt.s64.s32 %t, {name}; mad.lo.u64 %d, %d, 31, %t;" for name in names)
                adds = ".reg .b64 %t; " + " ".join(steps)
            text = (
                f"{{ .reg .b{width} {', '.join(names)}; st{dot}.v2.b64 [{cell}], {{%a, %b}}; mov.b64 %d, 0; "
                f"ld{dot}.v{count}.{kind} {{{', '.join(names)}}}, [{cell}]; {adds} }}"
            )
            yield Form(group, f"ld{dot}.v{count}.{kind}{more}", text, ("i64", "i64"), (64,))
        text = (
            "{ .reg .b32 %x, %y; mov.b64 {%x, %y}, %a; "
            f"st{dot}.v4.b32 [{cell}], {{%x, %y, %own, %lane}}; ld{dot}.v2.b64 {{%d, %e}}, [{cell}]; }}"
        )
        yield Form(group, f"st{dot}.v4.b32{more}", text, ("i64",), (64, 64))
    numbers = OPERAND_OFFSETS["i64", "a"]
    cached = ("nc.u8", "nc.s16", "nc.u32", "ca.s8", "cg.u16", "cs.s32", "nc.L1::no_allocate.u32")
    ordered = ("volatile.global.u8", "relaxed.gpu.global.u32", "acquire.cta.global.u16")
    for words in (*(f"global.{one}" for one in cached), *ordered):
        text = f"{{ .reg .b32 %v; ld.{words} %v, [%at8+{numbers}]; mov.b32 %d, %v; }}"
        yield Form(group, f"ld.{words}", text, (), (32,))
    text = (
        "{ .local .align 16 .b8 room[32]; .reg .b64 %at; st.local.b64 [room+8], %a; mov.u64 %at, room; "
        "cvta.local.u64 %at, %at; ld.s16 %d, [%at+14]; st.u16 [%at+10], %b; ld.local.b64 %e, [room+8]; }"
    )
    yield Form(group, "ld.local and st.local", text, ("i64", "i16"), (32, 64))
    text = (
        "{ .reg .b64 %at; mov.u64 %at, table; ld.const.s8 %d, [table+7]; cvta.const.u64 %at, %at; ld.b64 %e, [%at+8]; }"
    )
    yield Form(group, "ld.const", text, (), (32, 64))
    text = (
        "{ .reg .b16 %w, %x, %y, %z; mov.b64 {%w, %x, %y, %z}, %a; mov.b64 %d, {%z, %w, %y, %x}; "
        ".reg .b32 %s, %t; mov.b64 {%s, %t}, %a; mov.b64 %e, {%t, %s}; }"
    )
    yield Form(group, "mov of parts", text, ("i64",), (64, 64))
    text = "{ .reg .b16 %x, %y; mov.b32 {%x, %y}, %a; mov.b32 %d, {%y, %x}; }"
    yield Form(group, "mov of halves", text, ("i32",), (32,))


def addresses() -> Iterator[Form]:
    """Spaces of full addresses."""
    tests = [
        f"isspacep.{space} %p, {source}"
        for source in ("%shared", "%cell", "%at")
        for space in ("shared", "global", "local")
    ]
    lines = ["mov.b32 %d, 0; .local .align 8 .b8 here[16]; .reg .b64 %at; .reg .pred %p; .reg .b32 %t;"]
    lines.append("mov.u64 %at, here; cvta.local.u64 %at, %at;")
    for place, test in enumerate(tests):
        lines.append(f"{test}; selp.b32 %t, {1 << place}, 0, %p; or.b32 %d, %d, %t;")
    yield Form("accesses", "isspacep", "{ " + " ".join(lines) + " }", (), (32,))
    text = (
        "{ .reg .b64 %x; .reg .b32 %y; cvta.to.shared.u64 %x, %shared; cvt.u32.u64 %y, %x; sub.u32 %d, %y, %mine; "
        "cvta.to.global.u64 %x, %cell; sub.u64 %e, %x, %cell; }"
    )
    yield Form("accesses", "cvta", text, (), (32, 64))


def memory_forms() -> Iterator[Form]:
    """Every form of this file."""
    yield from atomics()
    yield from contended()
    yield from accesses()
    yield from addresses()

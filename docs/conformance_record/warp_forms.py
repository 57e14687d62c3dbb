"""Instructions in which the lanes of a warp see each other."""

from __future__ import annotations

from collections.abc import Iterator

from conformance_record.form import Form

MASKS = {"all": -1, "lower half": 0xFFFF, "even lanes": 0x55555555, "some lanes": 0x8FF0F011}


def among(mask: int, body: str) -> str:
    """PTX that only the lanes of a mask run, the others having 0 in %d and %e."""
    if mask == -1:
        return body
    return (
        "{ .reg .pred %in; .reg .b32 %bit; mov.b32 %bit, 1; shl.b32 %bit, %bit, %lane; "
        f"and.b32 %bit, %bit, {mask:#x}; setp.ne.u32 %in, %bit, 0; @!%in bra $behind;\n{body}\n$behind: }}"
    )


def shuffles() -> Iterator[Form]:
    """Every mode, with every distance and width, and a few among some of the lanes."""
    group = "shuffles"
    for mode in ("up", "down", "bfly", "idx"):
        text = f"{{ .reg .pred %p; shfl.sync.{mode}.b32 %d|%p, %a, %b, %c, -1; selp.b32 %e, 1, 0, %p; }}"
        yield Form(group, f"shfl.sync.{mode}.b32", text, ("i32", "lane", "i32"), (32, 32))
        for width in (32, 16, 8, 4, 2):
            control = (32 - width) << 8 | (0 if mode == "up" else 31)
            text = f"{{ .reg .pred %p; shfl.sync.{mode}.b32 %d|%p, %a, %b, {control}, -1; selp.b32 %e, 1, 0, %p; }}"
            yield Form(group, f"shfl.sync.{mode}.b32 width {width}", text, ("i32", "lane"), (32, 32))
        control = 16 << 8 | (0 if mode == "up" else 15)
        text = (
            "{ .reg .pred %p; .reg .b32 %near; and.b32 %near, %b, 15; "
            f"shfl.sync.{mode}.b32 %d|%p, %a, %near, {control}, 0xFFFF; selp.b32 %e, 1, 0, %p; }}"
        )
        text = "mov.b32 %d, 0; mov.b32 %e, 0;" + among(0xFFFF, text)
        yield Form(group, f"shfl.sync.{mode}.b32 lower half", text, ("i32", "lane"), (32, 32))
    text = "mov.b32 %d, 0; .reg .b32 %even; and.b32 %even, %b, 30; "
    text += among(0x55555555, "shfl.sync.idx.b32 %d, %a, %even, 31, 0x55555555;")
    yield Form(group, "shfl.sync.idx.b32 even lanes", text, ("i32", "lane"), (32,))


def votes() -> Iterator[Form]:
    """Votes, matches, reductions, elections."""
    group = "votes"
    for name, mask in MASKS.items():
        text = "mov.b32 %d, 0; mov.b32 %e, 0;" + among(
            mask,
            "{ .reg .pred %p, %q; .reg .b32 %t; setp.gt.u32 %p, %a, %b; "
            f"vote.sync.ballot.b32 %d, %p, {mask}; "
            + " ".join(
                f"vote.sync.{mode}.pred %q, {sign}%p, {mask}; selp.b32 %t, {1 << place}, 0, %q; or.b32 %e, %e, %t;"
                for place, (mode, sign) in enumerate(
                    (mode, sign) for mode in ("all", "any", "uni") for sign in ("", "!")
                )
            )
            + " }",
        )
        yield Form(group, f"vote.sync {name}", text, ("few", "i32"), (32, 32))
        for bits in (32, 64):
            few = "few" if bits == 32 else "few64"
            text = "mov.b32 %d, 0;" + among(mask, f"match.any.sync.b{bits} %d, %a, {mask};")
            yield Form(group, f"match.any.sync.b{bits} {name}", text, (few,), (32,))
            body = f"{{ .reg .pred %p; match.all.sync.b{bits} %d|%p, %a, {mask}; selp.b32 %e, 1, 0, %p; }}"
            text = "mov.b32 %d, 0; mov.b32 %e, 0;" + among(mask, body)
            yield Form(group, f"match.all.sync.b{bits} {name}", text, (few,), (32, 32))
        for word in ("add.u32", "add.s32", "min.u32", "min.s32", "max.u32", "max.s32", "and.b32", "or.b32", "xor.b32"):
            if mask == -1 or word in {"add.u32", "min.s32", "and.b32"}:
                text = "mov.b32 %d, 0;" + among(mask, f"redux.sync.{word} %d, %a, {mask};")
                yield Form(group, f"redux.sync.{word} {name}", text, ("i32",), (32,))
        body = f"{{ .reg .pred %p; elect.sync %d|%p, {mask}; selp.b32 %e, 1, 0, %p; }}"
        text = "mov.b32 %d, 0; mov.b32 %e, 0;" + among(mask, body)
        yield Form(group, f"elect.sync {name}", text, (), (32, 32))
        text = "mov.b32 %d, 0;" + among(mask, "activemask.b32 %d;")
        if mask == -1:
            yield Form(group, f"activemask.b32 {name}", text, (), (32,))
    text = "add.u32 %d, %lane, 0;"
    for name in ("eq", "le", "lt", "ge", "gt"):
        text += f" {{ .reg .b32 %t; mov.u32 %t, %lanemask_{name}; mad.lo.u32 %d, %d, 31, %t; }}"
    yield Form(group, "lanemasks", text, (), (32,))


def warp_forms() -> Iterator[Form]:
    """Every form of this file."""
    yield from shuffles()
    yield from votes()

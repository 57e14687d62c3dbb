"""PTX files that are damaged: each is refused with its file or line, whatever is missing in it."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

import pytest
from stored_ptx import DATA

from gemmviz.backends.base import BackendError, Source, TrialRun
from gemmviz.backends.machine.device import MachineDevice
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Launch
from gemmviz.domain.terms import Language
from gemmviz.machine.faults import MachineError

TEXT = (DATA / "tiled.ptx").read_text(encoding="utf-8")
LAUNCH = Launch((1, 1, 1), (8, 8, 1))


def ready(machine: MachineDevice, text: str) -> None:
    source = Source(DATA / "mine.ptx", text, "matmul", Language.PTX, is_foreign=True)
    machine.compile(source, LAUNCH, TrialRun(Shape(8, 8, 8), LAUNCH, 64), lambda _: None).ready()


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda text: text.replace("bar.sync", "bar.synk", 1), r"line \d+: it uses the instruction bar\.synk, which"),
        (
            lambda text: re.sub(r"st\.shared\.f32\s[^;]*;", "st.shared.f32 [%r6];", text, count=1),
            r"mine\.ptx:\d+: `st\.shared\.f32 \[%r6\]` is no valid PTX: st takes 2 or 3 operands, and it has 1",
        ),
        (
            lambda text: re.sub(r"bra\s+\$L__BB0_\d+;", "bra $L__nowhere;", text, count=1),
            r"mine\.ptx:\d+: `.*bra \$L__nowhere` is no valid PTX: there is no label \$L__nowhere in its function",
        ),
        (
            lambda text: re.sub(r"ret;\s*\}", "ret\n}", text),
            r"mine\.ptx: the PTX cannot be read: something is missing behind",
        ),
        (lambda text: text.replace(".visible .entry", "/**/ x .entry"), r"mine\.ptx: the kernel 'matmul' has no body"),
    ],
)
def test_that_what_is_wrong_is_named(machine: MachineDevice, damage: Callable[[str], str], words: str) -> None:
    assert damage(TEXT) != TEXT
    with pytest.raises(BackendError, match=words):
        ready(machine, damage(TEXT))


def test_that_no_damage_is_more_than_a_refusal(machine: MachineDevice, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object) -> None:
        raise MachineError("code was made")  # which LLVM would compile

    monkeypatch.setattr("gemmviz.machine.program._compiled", stop)
    chance = random.Random(5)
    made = 0
    for _ in range(60):
        at = chance.randrange(TEXT.index(".entry"), len(TEXT))
        text = TEXT[:at] + chance.choice(["", ";", ",", "}", "[", "@", "%r1 "]) + TEXT[at + chance.randrange(9) :]
        with pytest.raises(BackendError) as caught:
            ready(machine, text)
        made += "code was made" in str(caught.value)
    assert 0 < made < 40

"""A program is made once for what it depends on, as long as it was used lately."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest
from ptx_instructions import kernel

from gemmviz.backends.machine import device
from gemmviz.backends.machine.device import MachineCompiled
from gemmviz.backends.machine.recent_programs import PROGRAMS, RecentPrograms, key_of
from gemmviz.domain.kernels.resources import Resources
from gemmviz.machine.log import As, Logged, LoggedValue
from gemmviz.machine.program import Program, compile_ptx
from gemmviz.machine.watched import WatchedValue


def made() -> Program:
    return cast("Program", object())


def test_that_a_program_is_made_once_until_many_others_were_used_after_it() -> None:
    programs = RecentPrograms()
    first = programs.recall("first", made)
    for number in range(40):
        programs.recall(number, made)
        assert programs.recall("first", made) is first
    for number in range(40):
        programs.recall(number, made)
    assert programs.recall("first", made) is not first


def test_that_nothing_is_kept_of_a_program_that_could_not_be_made() -> None:
    programs = RecentPrograms()
    with pytest.raises(ZeroDivisionError):
        programs.recall("one", lambda: cast("Program", 1 // 0))
    assert programs.recall("one", made) is programs.recall("one", made)


def test_that_whatever_changes_the_code_is_part_of_the_key() -> None:
    value = LoggedValue("%rd1", As.ADDRESS)
    log, other = {7: Logged(0, (value,))}, {7: Logged(0, (value,), after=True)}
    watched = {9: [WatchedValue(0, "%r1", 4)]}
    keys = [
        key_of("text", "k", "k.cu", None, None, None),
        key_of("text ", "k", "k.cu", None, None, None),
        key_of("text", "l", "k.cu", None, None, None),
        key_of("text", "k", "l.cu", None, None, None),
        key_of("text", "k", "k.cu", {}, None, None),
        key_of("text", "k", "k.cu", log, None, None),
        key_of("text", "k", "k.cu", other, None, None),
        key_of("text", "k", "k.cu", log, 0, None),
        key_of("text", "k", "k.cu", log, 2, None),
        key_of("text", "k", "k.cu", log, 0, watched),
    ]
    assert len(set(keys)) == len(keys)
    assert key_of("text", "k", "k.cu", dict(log), 0, {9: tuple(watched[9])}) == keys[-1]


def compiled() -> MachineCompiled:
    text = kernel("", "", ".global .align 4 .b8 kept[4];")
    return MachineCompiled(text, "k", (), None, "", Resources(), "k.cu", lambda _: None, 60.0)


def test_that_a_kernel_that_is_compiled_again_has_its_program_and_variables_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    count = 0

    def counted(*arguments: Any, **more: Any) -> Program:
        nonlocal count
        count += 1
        return compile_ptx(*arguments, **more)

    monkeypatch.setattr(device, "compile_ptx", counted)
    PROGRAMS.forget()
    first, again = compiled(), compiled()
    assert first.ready() is again.ready()
    assert count == 1
    assert first.module is not None
    assert again.module is not None
    first.module.bytes[:4] = 255
    np.testing.assert_array_equal(again.module.bytes[:4], 0)
    PROGRAMS.forget()
    assert compiled().ready() is not first.ready()
    assert count == 2

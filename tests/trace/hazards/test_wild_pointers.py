"""A pointer to nowhere is told by the address that the kernel wrote to, whatever bits it has."""

from __future__ import annotations

from pathlib import Path

import pytest
from own_recordings import HEAD

from gemmviz.catalogue.loader import load_user_kernel
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm
from gemmviz.engine.messages import Conditions, Job
from gemmviz.engine.recording import device_for_recording, record
from gemmviz.measure.bench import Watch

TITLE = '/*---\ntitle = "Wild"\nentry = "k"\n[launch]\nblock = ["8"]\ngrid = ["1"]\n---*/\n'


@pytest.mark.parametrize("address", ["0x1234560", "0x9234560", "0x560"])
@pytest.mark.parametrize("form", list(CodeForm))
def test_that_the_whole_address_is_told(address: str, form: CodeForm, tmp_path: Path) -> None:
    path = tmp_path / "wild.cu"
    path.write_text(
        f"{TITLE}{HEAD}int t = threadIdx.x; C[t] = t;\nint *p = (int *){address}; if (t == 3) *p = 5;\n}}\n",
        encoding="utf-8",
    )
    kernel = load_user_kernel(path)
    job = Job(kernel, kernel.params({}))
    conditions = Conditions(Shape(4, 4, 4), form=form)
    run = record(job, conditions, device_for_recording(kernel, form=form), [(0, 0, 0)], Watch())
    (hazard,) = run.hazards
    assert f"at address {address}, where no array lies" in hazard.detail
    assert (hazard.text == "*p") == (form is CodeForm.AS_WRITTEN)

"""Charts as slides: every file of one says the same."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest
from pypdf import PdfReader

from gemmviz.catalogue.examples import examples_folder
from gemmviz.domain.session.session import load_session
from gemmviz.gui.charts.plot_table import Plot
from gemmviz.gui.export.pictures.still_choice import StillChoice
from gemmviz.gui.export.steps import export_session


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("formats", [("svg", "pdf"), ("png", "svg", "pdf")])
def test_that_every_file_of_a_slide_states_size_and_device(tmp_path: Path, formats: tuple[str, ...]) -> None:
    session = load_session(examples_folder() / "gpu-ladder.gemmviz")
    run = session.runs[0]
    names = {Plot.KERNEL_TIME.value}
    written = export_session(session, tmp_path, formats, names=names, still=StillChoice(is_slide=True))
    assert len(written) == len(formats)
    for path in written:
        if path.suffix == ".svg":
            said = " ".join(ElementTree.fromstring(path.read_bytes()).itertext())
        elif path.suffix == ".pdf":
            said = PdfReader(path).pages[0].extract_text()
        else:
            continue
        for words in ("M×N×K", str(run.spec.shape).replace("x", "×"), run.device.short_name, "caches"):
            assert words in " ".join(said.split()), (path.suffix, words)

"""Reports on files are kept and shown again, for each file once."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from heard_panel import HeardPanel
from PySide6.QtWidgets import QTextBrowser

from gemmviz.adopt.description import Description
from gemmviz.adopt.finding import KernelFinding
from gemmviz.adopt.reasons import Reason
from gemmviz.adopt.sidecar import write_sidecar
from gemmviz.catalogue.loader import Catalogue, load_catalogue
from gemmviz.domain.kernels.call import Storage
from gemmviz.gui.experiment.found_reports import FoundReports
from gemmviz.gui.kernels.found_dialog import FoundDialog, FoundReport
from gemmviz.gui.kernels.user_catalogue import UserCatalogue

CATALOGUE = load_catalogue()
STORAGES = Storage(), Storage(), Storage(), Storage()
DESCRIBED = Description("mm", (), (), ("A", "B", "C", "M", "N", "K"), STORAGES, ("16",), ("M",))
MM, ADD = KernelFinding("mm", 3, DESCRIBED), KernelFinding("add", 9, None, (Reason("k.cu:9: it adds"),))


def written(folder: Path) -> FoundReport:
    path = folder / "k.cu"
    return FoundReport(path, (MM, ADD), write_sidecar(path, DESCRIBED).read_text(encoding="utf-8"))


def shown(dialog: FoundDialog) -> str:
    page = dialog.findChild(QTextBrowser, "foundPage")
    assert isinstance(page, QTextBrowser)
    return page.toPlainText().strip()


def test_that_reports_are_kept_and_shown_once_for_each_file(panel: HeardPanel, tmp_path: Path) -> None:
    report = written(tmp_path)
    reports = FoundReports(panel, UserCatalogue(CATALOGUE, panel))
    reports.take(report, is_shown=False)
    assert [(entry.kind, entry.title) for entry in reports.entries()] == [("What was found", "k.cu")]
    assert not panel.findChildren(FoundDialog)
    reports.entries()[0].do()
    reports.show(report.path)
    (dialog,) = panel.findChildren(FoundDialog)
    reports.take(FoundReport(report.path, (ADD,)), is_shown=True)
    assert "mm (line 3)" not in shown(dialog)
    assert panel.findChildren(FoundDialog) == [dialog]
    reports.close()
    assert not dialog.isVisible()


def test_that_of_a_file_that_was_described_earlier_the_description_is_shown(panel: HeardPanel, tmp_path: Path) -> None:
    report = written(tmp_path)
    reports = FoundReports(panel, UserCatalogue(CATALOGUE, panel))
    reports.show(report.path)
    (dialog,) = panel.findChildren(FoundDialog)
    assert dialog.report == FoundReport(report.path, (), report.written)
    assert shown(dialog).startswith("Description")
    assert 'entry = "mm"' in shown(dialog)
    reports.close()


def test_that_the_palette_has_what_was_found_of_files_that_were_described_by_command(
    panel: HeardPanel, tmp_path: Path
) -> None:
    report = written(tmp_path)
    report.path.write_text("", encoding="utf-8")
    os.utime(report.description, (1.0, 1.0))
    own = replace(CATALOGUE.get("naive"), id="k", path=report.path)
    reports = FoundReports(panel, UserCatalogue(Catalogue((*CATALOGUE.kernels, own)), panel))
    (entry,) = reports.entries()
    assert (entry.title, entry.detail) == ("k.cu", "k.cu was changed after k.cu.toml was written.")
    reports.take(FoundReport(report.path, (ADD,), source="another text"), is_shown=False)
    (entry,) = reports.entries()
    assert entry.detail == "This is of an earlier version of k.cu."

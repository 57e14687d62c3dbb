from dataclasses import replace

import pytest

from gemmviz.catalogue.launch.call_rule import CallRule
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.kernels.call import Storage
from gemmviz.domain.terms import Element
from gemmviz.gui.experiment.readiness import Readiness, readiness_of
from gemmviz.gui.kernels.availability import LACKS, LOOKING, Availability, Devices
from gemmviz.gui.work.words import BUSY, IDLE

CATALOGUE = load_catalogue()
TILED, HOST_KERNEL = CATALOGUE.get("tiled"), CATALOGUE.get("cpu_ijk")
CAN = {kernel.id: Availability() for kernel in CATALOGUE.kernels}
CANNOT = {kernel.id: Availability("refused", "Too many.") for kernel in CATALOGUE.kernels}
KNOWN = Devices()


def test_that_everything_but_cancel_can_start_when_nothing_stands_in_the_way() -> None:
    assert readiness_of(TILED, CAN, KNOWN, "", False) == Readiness(cancel=IDLE)


def test_that_only_cancel_can_be_pressed_while_something_runs() -> None:
    assert readiness_of(TILED, CAN, KNOWN, "", True) == Readiness("", BUSY, BUSY, BUSY, BUSY, "")


def test_that_a_refusal_stops_all_but_the_ladder() -> None:
    ready = readiness_of(TILED, CAN | {"tiled": CANNOT["tiled"]}, KNOWN, "", False)
    assert {ready.refusal, ready.run, ready.record, ready.sweep} == {"Too many."}
    assert ready.ladder == ""


def test_that_the_ladder_stops_where_no_kernel_can_run() -> None:
    assert readiness_of(TILED, CANNOT, KNOWN, "", False).ladder == "No kernel can run: Too many."


def test_that_a_size_that_is_none_stops_everything() -> None:
    ready = readiness_of(TILED, CAN, KNOWN, "M is 0.", False)
    assert {ready.refusal, ready.run, ready.record, ready.ladder, ready.sweep} == {"M is 0."}


def test_that_everything_waits_for_the_devices() -> None:
    ready = readiness_of(TILED, CANNOT, LOOKING, "", False)
    assert ready.refusal == ""
    assert {ready.run, ready.record, ready.ladder, ready.sweep} == {"Still looking for devices."}


def test_that_a_cpu_kernel_is_neither_recorded_nor_swept() -> None:
    ready = readiness_of(HOST_KERNEL, CAN, KNOWN, "", False)
    assert ready.run == ""
    assert "Only GPU kernels can be recorded" in ready.record
    assert "no parameters" in ready.sweep
    assert readiness_of(replace(TILED, parameters=()), CAN, KNOWN, "", False).sweep == ready.sweep


def test_that_hardware_that_is_not_there_is_no_error() -> None:
    """Somebody who opens an example of another machine has made no mistake."""
    ready = readiness_of(TILED, CAN | {"tiled": Availability(LACKS[0], "Needs a GPU.")}, KNOWN, "", False)
    assert (ready.run, ready.note) == ("Needs a GPU.", "Needs a GPU.")
    assert readiness_of(TILED, CAN | {"tiled": CANNOT["tiled"]}, KNOWN, "", False).note == ""


def test_that_what_cannot_run_may_still_be_recorded_elsewhere() -> None:
    refused = CAN | {"tiled": CANNOT["tiled"]}
    ready = readiness_of(TILED, refused, KNOWN, "", False, Availability())
    assert (ready.run, ready.record, ready.no_recording) == ("Too many.", "", "")
    busy = readiness_of(TILED, refused, KNOWN, "", True, Availability("no", "Needs tensor cores."))
    assert (busy.record, busy.no_recording) == (BUSY, "Needs tensor cores.")


def test_that_another_order_of_the_usual_parameters_is_no_other_parameters() -> None:
    assert CallRule(arguments=("M", "N", "K", "A", "B", "C")).beyond_opencl.endswith("in another order")
    assert "other parameters" in CallRule(arguments=("M", "N", "K", "A", "B", "A")).beyond_opencl


@pytest.mark.parametrize(
    "call",
    [
        CallRule(arguments=("M", "N", "K", "A", "B", "C", "1.0")),
        CallRule(arguments=("M", "N", "K", "A", "B", "C")),
        CallRule(template=("16",)),
        CallRule(storages=(Storage(), Storage(Element.HALF), Storage(), Storage())),
    ],
    ids=["arguments", "order", "template", "storage"],
)
def test_that_the_note_on_a_kernel_of_cuda_alone_has_no_names_of_its_description(call: CallRule) -> None:
    why = call.beyond_opencl
    assert why.startswith(("it ", "its "))
    assert not {"'", "(", ")"} & set(why)
    kernel = replace(CATALOGUE.get("tiled"), cuda_use=why)
    lacking = {"tiled": Availability("PTX machine only", "Needs CUDA.")}
    ready = readiness_of(kernel, lacking, KNOWN, "", False, Availability(), is_elsewhere=True)
    assert ready.note.startswith(f"Cannot be timed here: {why}. Record works")
    swept = "Choose an NVIDIA GPU to sweep times, or examine the settings, which needs no GPU."
    assert ready.sweep == f"Cannot be timed here: {why}. {swept}", "the PTX machine, which executes it, sweeps none"

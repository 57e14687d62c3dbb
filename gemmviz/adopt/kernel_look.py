"""Looks at one kernel of a file within a time limit: what is proven of it, on which devices, and whether it races."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from gemmviz.adopt.description import Description
from gemmviz.adopt.finding import KernelFinding
from gemmviz.adopt.prove.device_proof import DEVICE_RUN_S, DeviceUnfitError, NoTimeLeftError, fault_on
from gemmviz.adopt.prove.search import Search
from gemmviz.adopt.prove.search_log import SearchLog
from gemmviz.adopt.prove.searched_kernel import SearchedKernel
from gemmviz.adopt.reasons import NO_RACES_SEARCHED, Reason, explained, reason_or_none
from gemmviz.adopt.recordings.launch_races import with_races_of_launches, with_unsearched_launches
from gemmviz.adopt.recordings.races import FoundRaces, hazards_of, races_of_product
from gemmviz.adopt.recordings.races_beyond_limits import races_beyond_limits
from gemmviz.adopt.recordings.value_races import without_racing_values
from gemmviz.adopt.sidecar import sidecar_text
from gemmviz.adopt.source.added_barriers import with_barriers
from gemmviz.adopt.source.kernels import FoundKernel
from gemmviz.adopt.source.read import FoundSource
from gemmviz.adopt.words import combinations_words, summary_of
from gemmviz.catalogue.header import HeaderError
from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.languages.ptx import plain
from gemmviz.catalogue.languages.row import Code
from gemmviz.catalogue.loader import described_kernel
from gemmviz.catalogue.overloads import only_overload
from gemmviz.compiler.ptx.header import unknown_header
from gemmviz.domain.device import Device
from gemmviz.domain.listing import listed
from gemmviz.domain.processes.large_stacks import large_stacks
from gemmviz.domain.terms import Language

_GRACE_S = 0.5
"""Behind the time limit, in which what looks at the clock ends by itself."""
_LEAST_JOIN_S = 0.05
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class DeviceProof:
    """A device that is to prove kernels, too. Without `must_run` a kernel that it does not run is described, too."""

    device: Device
    must_run: bool = True


@dataclass(slots=True)
class KernelLook:
    """A look at one kernel; the log has its time limit."""

    path: Path
    file_text: str
    code: Code
    source: FoundSource
    kernel: FoundKernel
    language: Language
    log: SearchLog
    proof: DeviceProof | None
    on_device: KernelFinding | None = None
    """What was proven, on the further device as well where there is one; None until then."""
    races: FoundRaces | None = None
    """What is wrong with the proven kernel in recordings; None until that is known."""
    refused: KernelFinding | None = None
    """That nothing was proven, and why; None until that is known."""

    def found(self) -> KernelFinding:
        """What is found out within the time limit, whatever is still busy when it ends: compilers hear of no limit."""
        return self._remarked(within(lambda: self.log.left_s, self._looked, self.found_until_now))

    def _remarked(self, found: KernelFinding) -> KernelFinding:
        """What was found, with a note about each line in which several threads write equal values to one place."""
        if found.description is None or found.description.has_races:
            return found
        return replace(found, notes=(*found.notes, *self.log.equal_writes.values()))

    def _looked(self) -> KernelFinding:
        path, log, kernel = self.path, self.log, self.kernel
        text = only_overload(self.code.text, kernel.overload) if kernel.overload else self.code.text
        searched = SearchedKernel(self._listed, text, self.language, self.source, kernel)
        search = Search(searched, log, is_free_of_hazards=self._is_free_of_hazards)
        found = search.find()
        doubt = unknown_header(plain(text)) if self.language is Language.PTX else ""
        if found.description is None:
            refused = self._explained(replace(found, why=(*found.why, *filter(None, (reason_or_none(doubt),)))))
            self.refused = refused
            if not search.racing_lines:
                return refused
            proven = self._with_copy_proven(refused, searched, search.racing_lines)
            if search.called is None or proven.as_it_is is not None:
                return proven
            return replace(proven, why=(*proven.why, Reason(_why_not_as_it_is(searched))))
        described_as = found.description
        log.proven = found = replace(found, notes=(*filter(None, (doubt,)), *found.notes))
        try:
            described = described_kernel(path, self.file_text, sidecar_text(described_as))
        except HeaderError as error:
            sizes = [f"`#define {name} {value}`" for name, value in described_as.defines if name in ("M", "N", "K")]
            why = f"what was found cannot be written down: {error.reason}"
            if sizes:  # names that a description keeps for the product's
                written = f"write them into the file, such as {listed(sizes)}"
                why = f"its sizes come from the compile line, which a description cannot give: {written}"
            return self._unproven(Reason(f"{path}:{kernel.line}: {why}"))
        if self.proof is not None:
            found = self._proven_on(self.proof, described, found)
            if found.description is None:
                return found
        self.on_device = found
        assert found.description is not None
        self.races = self.races or hazards_of(described, found.description, log)
        if not self.races.hazards and (beyond := races_beyond_limits(path, self.file_text, found.description, log)):
            self.races = replace(self.races, hazards=beyond)
        found = self._with_races(found, self.races)
        raced = found.description
        assert raced is not None
        if raced.launched and not raced.has_races:
            found = with_races_of_launches(found, self.path, self.file_text, log)
            raced = found.description
            assert raced is not None
        if raced.parameters and not raced.has_races:
            safe, told = without_racing_values(described, raced, log)
            combined = filter(None, (combinations_words(safe),))
            found = replace(found, description=safe, notes=(*combined, *found.notes, *told))
        return found

    def _is_free_of_hazards(self, description: Description) -> bool:
        """Look for races of a proven kernel; whether nothing is wrong. Else no further setting is tried."""
        try:
            described = described_kernel(self.path, self.file_text, sidecar_text(description))
        except HeaderError:
            return True
        self.races = hazards_of(described, description, self.log)
        return not self.races.hazards

    def _with_races(self, found: KernelFinding, races: FoundRaces) -> KernelFinding:
        """What was found, with what is wrong in recordings."""
        assert found.description is not None
        hazards = (*races.hazards, *found.description.hazards)
        raced = replace(
            found.description,
            hazards=hazards,
            unsearched=races.unsearched,
            is_searched_for_races=races.is_searched,
        )
        if raced.has_races:  # what did no harm on one machine says nothing of sizes or grids
            raced = replace(raced, rules=(), is_wrong_at_some=found.limits > 0)
            found = replace(found, notes=())
        found = replace(found, description=raced, searched=() if hazards else races.searched)
        return _with_left_out(found, races.left_out) if races.left_out else found

    def _with_copy_proven(
        self, refused: KernelFinding, searched: SearchedKernel, lines: Sequence[int]
    ) -> KernelFinding:
        """A kernel that races in these lines, with what a copy of it is proven to be that has barriers there, and which
        races its own text has if it is launched so; as it is where that proves nothing.
        """
        copy = with_barriers(searched.text, self.language, lines)
        if not copy:
            return refused
        log = SearchLog(self.log.progress, self.log.left_s, has_hard_limit=self.log.has_hard_limit)
        log.tell_beside("trying a copy with the missing barriers")
        proven = Search(replace(searched, text=copy), log, has_parameters=False).find().description
        if proven is None or proven.hazards:
            return refused
        races = races_of_product(self.path, self.file_text, proven, log)
        if not races:
            return refused
        where = f"around {'line' if len(lines) == 1 else 'lines'} {listed([*map(str, lines)])}"
        unproven = f"found out by running a copy of the kernel with barriers {where} on the PTX machine"
        return replace(refused, as_it_is=replace(proven, hazards=races, unproven=unproven))

    def found_until_now(self) -> KernelFinding:
        """What is told when the time has ended, and what was left out."""
        log = self.log
        log.is_left = True
        found = self.on_device or log.proven
        if found is None and self.refused is not None:
            return self.refused
        if found is None:
            return self._explained(self._unproven(*(log.race or ()), *log.reasons(())))
        assert found.description is not None
        if self.proof is not None and self.on_device is None:
            if self.proof.must_run:
                return self._unproven(Reason(self._not_on(self.proof.device, found, self._late_with_remedy)))
            found = _with_left_out(found, f"not checked on {self.proof.device.name}: {log.late_words}")
        assert found.description is not None
        if self.races is not None:
            return self._with_late_rest(self._with_races(found, self.races))
        unsearched = replace(found.description, unsearched=NO_RACES_SEARCHED, is_searched_for_races=False)
        found = replace(found, description=unsearched)
        return _with_left_out(found, f"not searched for races: {log.late_words}")

    def _with_late_rest(self, found: KernelFinding) -> KernelFinding:
        """A kernel that was searched for races, with what the time was not enough for behind that."""
        described = found.description
        assert described is not None
        if described.launched and not described.has_races:
            found = replace(found, description=with_unsearched_launches(described, described.launched))
        what = "searched for races" if described.parameters else "tried"
        return _with_left_out(found, f"further values of its constants were not {what}: {self.log.late_words}")

    @property
    def _late_with_remedy(self) -> str:
        return f"{self.log.late_words}; allow more time (`gemmviz adopt --time-limit`)"

    @property
    def _listed(self) -> Path:
        return self.path if self.code.listing is None else self.path.parent / self.code.listing.name

    def _explained(self, found: KernelFinding) -> KernelFinding:
        line, name = self.kernel.line, self.path.name
        return replace(found, why=tuple(explained(one, self._listed, line, name) for one in found.why))

    def _unproven(self, *reasons: Reason) -> KernelFinding:
        return KernelFinding(self.kernel.entry, self.kernel.line, None, reasons)

    def _proven_on(self, proof: DeviceProof, described: Kernel, found: KernelFinding) -> KernelFinding:
        """What was found, proven on a further device as well; without a description where that shows a fault."""
        assert found.description is not None
        device, name = proof.device, proof.device.name
        try:
            fault = fault_on(device, described, found.description, found.right_sizes, DEVICE_RUN_S, self._tell_in_time)
        except NoTimeLeftError:
            if not proof.must_run:
                return _with_left_out(found, f"not checked on {name}: {self.log.late_words}")
            fault = self._late_with_remedy
        except DeviceUnfitError as error:
            if not proof.must_run:
                why = str(error).removeprefix(f"{described.id}: ").removeprefix(f"cannot run on {name}: ")
                return _with_left_out(found, f"not checked on {name}, which does not run it: {why}")
            fault = str(error).removeprefix(f"{described.id}: ")
        if fault:
            fault = fault.removeprefix(f"{described.id}: ")
            return self._unproven(Reason(self._not_on(device, found, fault)))
        return replace(found, devices=(name,))

    def _tell_in_time(self, words: str) -> None:
        """Say what is being done on a device.

        Raises:
            NoTimeLeftError: the time limit has ended.
        """
        self.log.tell_beside(words)
        if not self.log.left_s:
            raise NoTimeLeftError

    def _not_on(self, device: Device, found: KernelFinding, fault: str) -> str:
        """That a kernel is right on the PTX machine and not on a device, and why."""
        assert found.description is not None
        place = f"{self.path}:{found.line}"
        fault = fault.removeprefix(f"{place}: ")
        summary = summary_of(found.description, found.right_sizes)
        return f"{place}: right on the PTX machine ({summary}), but not proven on {device.name}: {fault}"


def _why_not_as_it_is(searched: SearchedKernel) -> str:
    """Why a kernel that races is not offered as its host code launches it, whose grid is not known."""
    untold = [searched.names[place] for place in searched.untold_places]
    stand = "stands" if len(untold) == 1 else "stand"
    because = f", because no name says which size {listed(untold)} {stand} for" if untold else ""
    return f"it is not offered as it is: the grid of its launch is not known{because}"


def _with_left_out(found: KernelFinding, words: str) -> KernelFinding:
    return replace(found, left_out=(*found.left_out, words))


def within(left_s: Callable[[], float], work: Callable[[], T], late: Callable[[], T]) -> T:
    """What `work` returns or raises, on a thread of its own; what `late` returns where it has not ended when no time is
    left, nor soon after. The thread then goes on, and ends with the process.
    """
    results: list[T] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:  # noqa: BLE001 - it is raised again below
            errors.append(error)

    with large_stacks():
        thread = threading.Thread(target=run, name="looking at a kernel", daemon=True)
        thread.start()
    while thread.is_alive() and (left := left_s()):  # which may stand still for a while
        thread.join(max(left, _LEAST_JOIN_S))
    thread.join(_GRACE_S)
    if errors:
        raise errors[0]
    return results[0] if results else late()

"""Which scene shows what a step names."""

from __future__ import annotations

from typing import Protocol, TypeVar

from gemmviz.catalogue.lesson_scenes import (
    Banks,
    Fragments,
    LessonChart,
    Loops,
    Pictures,
    Repair,
    Scene,
    Schedule,
    Sectors,
    Warps,
)
from gemmviz.gui.lessons.lesson_data import LessonData
from gemmviz.gui.lessons.scenes.chart_scene import ChartScene
from gemmviz.gui.lessons.scenes.fragments_scene import FragmentsScene
from gemmviz.gui.lessons.scenes.loops_scene import LoopsScene
from gemmviz.gui.lessons.scenes.pictures_scene import PicturesScene
from gemmviz.gui.lessons.scenes.repair_scene import RepairScene
from gemmviz.gui.lessons.scenes.request_scene import BanksScene, SectorsScene
from gemmviz.gui.lessons.scenes.scene import LessonScene
from gemmviz.gui.lessons.scenes.schedule_scene import ScheduleScene
from gemmviz.gui.lessons.scenes.warps_scene import WarpsScene

AnyScene = TypeVar("AnyScene", bound=LessonScene)


class SceneOfKind(Protocol):
    """Brings the scene of a kind to the front."""

    def __call__(self, kind: type[AnyScene]) -> AnyScene: ...


def show_scene(scene: Scene | None, data: LessonData, use: SceneOfKind) -> None:
    """Show a scene of a step in the widget of its kind, which `use` brings to the front; None changes nothing."""
    match scene:
        case Pictures():
            use(PicturesScene).show_pictures(scene, data)
        case LessonChart():
            use(ChartScene).show_chart(scene, data)
        case Schedule():
            use(ScheduleScene).show_schedule(scene, data)
        case Warps():
            use(WarpsScene).show_warps(scene, data)
        case Fragments():
            use(FragmentsScene).show_fragments(scene)
        case Loops():
            use(LoopsScene).show_loops(scene, data)
        case Repair():
            use(RepairScene).show_repair(scene, data)
        case Banks():
            use(BanksScene).show_banks(scene, data)
        case Sectors():
            use(SectorsScene).show_sectors(scene, data)
        case None:
            pass

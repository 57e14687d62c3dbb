"""Ties a player to its bar."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from gemmviz.gui.player.player import Player
from gemmviz.gui.player.player_bar import PlayerBar


class Steps(Protocol):
    """What can be played and stepped: a player, or a request on its stage."""

    def toggle(self) -> None: ...
    def step_back(self) -> None: ...
    def step_forward(self) -> None: ...
    def first(self) -> None: ...
    def last(self) -> None: ...


def connect_player(
    player: Player, bar: PlayerBar, in_sight: Callable[[], Steps | None], bring: Callable[[], None] = lambda: None
) -> None:
    """What a person asks of the bar reaches the player, and the bar shows what the player does.

    The keys to play and to step go to what is `in_sight`; None: they do nothing. The key to play first may `bring`
    something into sight.
    """

    def ask(act: Callable[[Steps], None]) -> Callable[[], None]:
        return lambda: act(seen) if (seen := in_sight()) is not None else None

    bar.play_asked.connect(bring)
    bar.play_asked.connect(ask(lambda seen: seen.toggle()))
    bar.step_back_asked.connect(ask(lambda seen: seen.step_back()))
    bar.step_forward_asked.connect(ask(lambda seen: seen.step_forward()))
    bar.first_asked.connect(ask(lambda seen: seen.first()))
    bar.last_asked.connect(ask(lambda seen: seen.last()))
    bar.seek_asked.connect(player.seek)
    bar.hold_asked.connect(player.hold)
    bar.release_asked.connect(player.release)
    bar.speed_chosen.connect(player.set_speed)
    bar.loop_chosen.connect(player.set_loop)
    player.frame_changed.connect(bar.show_index)
    player.playing_changed.connect(bar.show_playing)
    player.speed_changed.connect(bar.show_speed)
    player.loop_changed.connect(bar.show_loop)

"""Ties a player to its bar."""

from __future__ import annotations

from gemmviz.gui.player.player import Player
from gemmviz.gui.player.player_bar import PlayerBar


def connect_player(player: Player, bar: PlayerBar) -> None:
    """What a person asks of the bar reaches the player, and the bar shows what the player does."""
    bar.play_asked.connect(player.toggle)
    bar.step_back_asked.connect(player.step_back)
    bar.step_forward_asked.connect(player.step_forward)
    bar.first_asked.connect(player.first)
    bar.last_asked.connect(player.last)
    bar.seek_asked.connect(player.seek)
    bar.hold_asked.connect(player.hold)
    bar.release_asked.connect(player.release)
    bar.speed_chosen.connect(player.set_speed)
    bar.loop_chosen.connect(player.set_loop)
    player.frame_changed.connect(bar.show_index)
    player.playing_changed.connect(bar.show_playing)
    player.speed_changed.connect(bar.show_speed)
    player.loop_changed.connect(bar.show_loop)

"""The player: the clock of the animation, its controls, and the frames it shows, made off the window's thread."""

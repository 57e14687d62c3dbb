"""The warp: threads that a GPU issues each instruction for at once."""

LANES = 32
"""Threads in a warp."""

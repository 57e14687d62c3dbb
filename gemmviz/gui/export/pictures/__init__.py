"""Frames and charts as pictures."""

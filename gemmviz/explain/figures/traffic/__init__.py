"""Figures of memory traffic, of recordings and of the recordings beside runs."""

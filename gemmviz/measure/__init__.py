"""Timing and checking. Never runs instrumented code."""

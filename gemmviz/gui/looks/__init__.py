"""Colours, type, icons and their style sheet."""

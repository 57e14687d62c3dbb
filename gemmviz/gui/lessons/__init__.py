"""Lessons: short stories played from recordings."""

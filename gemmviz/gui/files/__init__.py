"""The session that is worked on, its file, and the files before it."""

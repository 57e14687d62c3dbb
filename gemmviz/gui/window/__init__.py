"""The window: its parts, where they are, how they are wired, how it ends."""

"""The window: how it is built, what it shows of a session, how it begins and ends."""

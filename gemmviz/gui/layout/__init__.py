"""The widgets of the window, the table of its commands, and where both are placed."""

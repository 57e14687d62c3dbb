"""Commands as values, what the palette finds, and the dialogs that show both."""

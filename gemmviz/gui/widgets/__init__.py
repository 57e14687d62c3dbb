"""The plain widgets that all of the window is made of."""

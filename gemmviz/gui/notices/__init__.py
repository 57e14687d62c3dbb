"""What the window tells a person."""

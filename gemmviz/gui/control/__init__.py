"""What goes on between parts of the window: each control carries what one part reports to the others."""

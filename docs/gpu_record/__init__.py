"""What the scripts share that measure and count on a GPU machine. Nothing here knows the window."""

"""What takes time, done beside the window: on other threads, in turn, only the newest, or when the window is idle."""

"""The editor of kernel files in the window, and what each save changes."""

"""A person's own kernel in a process of its own: what it is asked, how it is watched, what it answers."""

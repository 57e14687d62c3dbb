"""The page of sweeps: the times of settings, and what is known of each without a GPU."""

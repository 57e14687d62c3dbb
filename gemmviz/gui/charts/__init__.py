"""Charts: pure figures made from runs and recordings, and one painter for them."""

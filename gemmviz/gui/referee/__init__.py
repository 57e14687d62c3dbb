"""The page of the referee, and what starts it."""

"""The page of the referee, and the examination that it shows."""
